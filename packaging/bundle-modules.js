// Joins modules into a few files under node_modules/.assay, for a faster start (bin/program.js loads them): packages that consist of
// hundreds of small modules, and the whole program. Runs at installation, so packages are always those of the installed
// versions; without a bundler nothing is made.
import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Imports that a command needs at its start and that are slow to load one module at a time, by measurement. */
const SPECIFIERS = ['typebox', 'typebox/compile', 'typebox/error', 'typebox/value', 'kysely', 'pg', 'viem', 'viem/utils'];

/** Packages in CommonJS, whose files run completely when they are imported: the exports that `src/` uses. */
const PARTS = {
  undici: `export { default as Agent } from 'undici/lib/dispatcher/agent.js';
    export { default as buildConnector } from 'undici/lib/core/connect.js';
    export { WebSocket } from 'undici/lib/web/websocket/websocket.js';`,
};

/** Packages that commands do not load and services load completely, or that look for files beside themselves. */
const APART = [
  'pg-native',
  'fastify',
  'fastify-plugin',
  /^@fastify\//,
  '@scalar/fastify-api-reference',
  /^@modelcontextprotocol\//,
  'pino',
  'prom-client',
  'unpdf',
];

const PART = 'part:';
const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'node_modules', '.assay');
const commands = join(folder, 'commands');

const parts = {
  name: 'parts',
  resolveId: (id) => (id.startsWith(PART) ? join(root, id.replace(PART, 'part-of-')) : null),
  load: (id) => PARTS[id.replace(join(root, 'part-of-'), '')] ?? null,
};

/** A joined file finds data and workers where its source does, and is never the main module. */
const ownPlaces = {
  name: 'own places',
  transform(code, id) {
    if (!isOwn(id) || !code.includes('import.meta')) return null;
    const place = `new URL(${JSON.stringify(relative(commands, id))}, import.meta.url).href`;
    return code.replaceAll('import.meta.url', place).replaceAll('import.meta.main', 'false');
  },
};

const isOwn = (id) => id !== undefined && id.startsWith(root) && !id.includes('/node_modules/') && !id.includes('part-of-');

const rolldown = await import('rolldown').catch((error) => {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
  return null;
});
if (rolldown) {
  await joinPackages(rolldown);
  await joinCommands(rolldown);
}

/** Files with the exports of each package, and the table of them. */
async function joinPackages({ rolldown: bundle }) {
  const nameOf = (specifier) => specifier.replaceAll('/', '__');
  const joined = await bundle({
    input: Object.fromEntries(
      [...SPECIFIERS, ...Object.keys(PARTS).map((name) => `${PART}${name}`)].map((entry) => [
        nameOf(entry.replace(PART, '')),
        entry,
      ]),
    ),
    // Only if it is installed.
    external: ['pg-native'],
    plugins: [parts],
    cwd: root,
    platform: 'node',
    logLevel: 'silent',
  });
  await mkdir(folder, { recursive: true });
  await joined.write({ dir: folder, format: 'esm', entryFileNames: '[name].js', chunkFileNames: 'part-[hash].js' });
  await writeFile(join(folder, 'package.json'), '{"type":"module"}\n');
  const table = Object.fromEntries(
    [...SPECIFIERS, ...Object.keys(PARTS)].map((specifier) => [specifier, `${nameOf(specifier)}.js`]),
  );
  await writeFile(join(folder, 'modules.json'), `${JSON.stringify(table)}\n`);
}

/** The program with its packages, and each file of it with its size and the second of its last change. */
async function joinCommands({ rolldown: bundle }) {
  await rm(commands, { recursive: true, force: true });
  const joined = await bundle({
    input: { main: join(root, 'src', 'main.ts') },
    external: APART,
    plugins: [
      {
        ...parts,
        resolveId: (id) => parts.resolveId(Object.hasOwn(PARTS, id) ? `${PART}${id}` : id),
      },
      ownPlaces,
    ],
    cwd: root,
    platform: 'node',
    logLevel: 'silent',
  });
  const { output } = await joined.write({
    dir: commands,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    sourcemap: true,
  });
  const ids = output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : [])).filter(isOwn);
  const files = ids.map(async (id) => {
    const { size, mtimeMs } = await stat(id);
    return [relative(root, id), size, Math.floor(mtimeMs / 1000)];
  });
  await writeFile(join(commands, 'files.json'), `${JSON.stringify(await Promise.all(files))}\n`);
}

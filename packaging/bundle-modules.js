// Joins packages that consist of hundreds of small modules into a few files under node_modules/.assay, for a faster start (src/main.ts
// reads the table). Runs at installation, so the files are always those of the installed versions; without a bundler nothing is made.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Imports that a command needs at its start and that are slow to load one module at a time: found by measuring. */
const SPECIFIERS = ['typebox', 'typebox/compile', 'typebox/error', 'typebox/value', 'kysely', 'pg', 'viem', 'viem/utils'];

/** Packages in CommonJS, whose files run in full when they are imported: what `src/` uses of them. */
const PARTS = {
  undici: `export { default as Agent } from 'undici/lib/dispatcher/agent.js';
    export { default as buildConnector } from 'undici/lib/core/connect.js';`,
};

const PART = 'part:';
const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'node_modules', '.assay');
const rolldown = await import('rolldown').catch((error) => {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
  return null;
});
if (rolldown) {
  const nameOf = (specifier) => specifier.replaceAll('/', '__');
  const bundle = await rolldown.rolldown({
    input: Object.fromEntries(
      [...SPECIFIERS, ...Object.keys(PARTS).map((name) => `${PART}${name}`)].map((entry) => [
        nameOf(entry.replace(PART, '')),
        entry,
      ]),
    ),
    // Only where somebody installed it.
    external: ['pg-native'],
    plugins: [
      {
        name: 'parts',
        resolveId: (id) => (id.startsWith(PART) ? join(root, id.replace(PART, 'part-of-')) : null),
        load: (id) => PARTS[id.replace(join(root, 'part-of-'), '')] ?? null,
      },
    ],
    cwd: root,
    platform: 'node',
    logLevel: 'silent',
  });
  await mkdir(folder, { recursive: true });
  await bundle.write({ dir: folder, format: 'esm', entryFileNames: '[name].js', chunkFileNames: 'part-[hash].js' });
  await writeFile(join(folder, 'package.json'), '{"type":"module"}\n');
  const table = Object.fromEntries(
    [...SPECIFIERS, ...Object.keys(PARTS)].map((specifier) => [specifier, `${nameOf(specifier)}.js`]),
  );
  await writeFile(join(folder, 'modules.json'), `${JSON.stringify(table)}\n`);
}

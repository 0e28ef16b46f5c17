import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * `npm test`: types, style, structure and dead code first, then every test file. Prints one closing line with the counts.
 */
const checks = process.env.ASSAY_SKIP_CHECKS === '1' ? [] : ['types', 'lint', 'structure', 'dead'];
for (const check of checks) {
  const { status } = spawnSync('npm', ['run', '--silent', check], { stdio: 'inherit' });
  if (status !== 0) {
    console.error(`${check} failed`);
    process.exit(1);
  }
}

const wanted = process.argv.slice(2);
const files =
  wanted.length > 0
    ? wanted
    : [
        'src/**/*.test.ts',
        'methodology/*.test.ts',
        'research/**/*.test.ts',
        'sandbox/**/*.test.ts',
        'test/**/*.test.ts',
      ]
        .flatMap((pattern) => globSync(pattern))
        .sort();
/** The same values on every machine; `npm run test:properties` tries others. */
const PROPERTY_SEED = '20261121';
/** Each file has a process of its own: what one has compiled, the others load. */
const COMPILED = fileURLToPath(new URL('../node_modules/.assay/compiled-tests', import.meta.url));
const child = spawn(
  process.execPath,
  [
    '--import',
    fileURLToPath(new URL('properties/seed.ts', import.meta.url)),
    '--test',
    '--test-concurrency=2',
    '--test-reporter=spec',
    '--test-timeout=300000',
    ...files,
  ],
  {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ASSAY_PROPERTY_SEED: PROPERTY_SEED, NODE_COMPILE_CACHE: COMPILED, ...process.env },
  },
);
let tail = '';
child.stdout.on('data', (chunk: Buffer) => {
  process.stdout.write(chunk);
  tail = (tail + chunk.toString('utf8')).slice(-200_000);
});
const [status] = await once(child, 'close');
const count = (name: string) => Number([...tail.matchAll(new RegExp(`^ℹ ${name} (\\d+)`, 'gm'))].at(-1)?.[1] ?? 0);
const failed = count('fail') + count('cancelled');
console.log(`${count('pass')} passed, ${failed} failed`);
process.exit(status === 0 && failed === 0 && count('pass') > 0 ? 0 : 1);

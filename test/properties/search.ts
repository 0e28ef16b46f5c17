import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

/**
 * `npm run test:properties -- --rounds 10`: every file that states a property, again and again, each round with a seed that
 * nobody tried. `--seed` begins with a known one, `--only` takes a part of the files' names. Exit code 1 when a counterexample was found.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '10' },
    seed: { type: 'string' },
    only: { type: 'string', default: '' },
  },
});
const files = ['src/**/*.test.ts', 'research/**/*.test.ts', 'sandbox/**/*.test.ts', 'client/**/*.test.ts']
  .flatMap((pattern) => globSync(pattern))
  .filter((file) => file.includes(values.only) && readFileSync(file, 'utf8').includes("from 'fast-check'"))
  .sort();
let found = 0;
for (let round = 0; round < Number(values.rounds); round += 1) {
  const seed = round === 0 && values.seed ? values.seed : String(randomInt(1, 2 ** 31));
  const child = spawn(
    process.execPath,
    [
      '--import',
      fileURLToPath(new URL('seed.ts', import.meta.url)),
      '--test',
      '--test-concurrency=2',
      '--test-reporter=dot',
      '--test-timeout=300000',
      ...files,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, ASSAY_PROPERTY_SEED: seed } },
  );
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) {
    found += 1;
    console.log(output.slice(output.indexOf('\n')));
  }
  console.log(`seed ${seed}: ${files.length} files ${code === 0 ? 'hold' : 'do NOT hold'}`);
}
console.log(`${values.rounds} rounds, ${found} with a counterexample`);
process.exit(found === 0 ? 0 : 1);

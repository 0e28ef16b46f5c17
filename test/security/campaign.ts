import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Tally } from './tally.ts';

/**
 * `npm run test:security`: the whole campaign, with a report in Markdown and JSON. `--seed 7`
 * chooses what is random (without it a seed is drawn, and printed), `--out`
 * the folder of the report, `--only fuzz` the files whose names hold a word. Ends with 1 when a promise was broken.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(randomInt(1, 2 ** 31)) },
    out: { type: 'string', default: '.security' },
    only: { type: 'string', default: '' },
  },
});

interface Part {
  readonly file: string;
  readonly passed: boolean;
  readonly seconds: number;
  readonly lines: readonly Tally[];
  readonly output: string;
}

/** One file may take as long; the checker of regular expressions takes minutes. */
const MOST_MS = 900_000;

async function run(file: string): Promise<Part> {
  const tallies = join(values.out, 'tally.ndjson');
  rmSync(tallies, { force: true });
  const begun = Date.now();
  const child = spawn(
    process.execPath,
    ['--test', '--test-reporter=spec', '--test-force-exit', `--test-timeout=${MOST_MS}`, file],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        ...process.env,
        ASSAY_SECURITY_FORM: 'full',
        ASSAY_SECURITY_SEED: values.seed,
        ASSAY_SECURITY_TALLY: tallies,
      },
    },
  );
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    process.stdout.write(text);
    output += text;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  const seconds = Math.round((Date.now() - begun) / 1_000);
  return {
    file,
    passed: code === 0,
    seconds,
    lines: readTallies(tallies),
    output: code === 0 ? '' : output.slice(-20_000),
  };
}

function readTallies(path: string): readonly Tally[] {
  try {
    return readFileSync(path, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Tally);
  } catch {
    // A file that counts nothing, or fell before it did.
    return [];
  }
}

function markdownOf(parts: readonly Part[]): string {
  const rows = parts.flatMap(({ file, passed, seconds, lines }) => {
    const outcome = passed ? 'held' : 'BROKEN';
    const name = file.replace(/^.*\/|\.test\.ts$/g, '');
    if (lines.length === 0)
      return [`| ${name} | ${passed ? 'all its claims' : 'see the output'} | | | ${outcome} | ${seconds} s |`];
    return lines.map(({ part, claim, tried, counts = {} }, index) => {
      const counted = Object.entries(counts)
        .map(([what, count]) => `${what} ${count}`)
        .join(', ');
      return `| ${part} | ${claim} | ${tried} | ${counted} | ${outcome} | ${index === 0 ? `${seconds} s` : ''} |`;
    });
  });
  return [
    '# Security campaign',
    '',
    `Seed ${values.seed}, Node ${process.versions.node}, ${cpus().length} cores, ${new Date().toISOString()}.`,
    '',
    '| part | claim | tried | counted | outcome | time |',
    '| --- | --- | ---: | --- | --- | ---: |',
    ...rows,
    '',
  ].join('\n');
}

mkdirSync(values.out, { recursive: true });
console.log(`seed ${values.seed}: --seed ${values.seed} tries the same again`);
const files = globSync('test/security/*.test.ts')
  .filter((file) => file.includes(values.only))
  .sort();
const parts: Part[] = [];
for (const file of files) parts.push(await run(file));
rmSync(join(values.out, 'tally.ndjson'), { force: true });
writeFileSync(join(values.out, 'report.json'), `${JSON.stringify({ seed: Number(values.seed), parts }, null, 2)}\n`);
writeFileSync(join(values.out, 'report.md'), markdownOf(parts));
const broken = parts.filter(({ passed }) => !passed);
console.log(
  `${parts.length - broken.length} of ${parts.length} parts held; the report is ${join(values.out, 'report.md')}`,
);
process.exit(broken.length === 0 && parts.length > 0 ? 0 : 1);

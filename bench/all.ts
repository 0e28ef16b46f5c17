import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { BENCHES, type Bench, type Figure } from './all/table.ts';

/**
 * Every ratio of every benchmark, one benchmark after the other, in `--rounds` rounds (default 3); `--only a,b` selects benchmarks.
 * `--write` writes the results into the table of docs/performance.md. Figures that miss their target are reported, and are no failure.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    only: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
});
const rounds = Number(values.rounds);
const names = values.only?.split(',') ?? null;
const PAGE = fileURLToPath(new URL('../docs/performance.md', import.meta.url));
const MARKS = ['<!-- written by npm run bench -- --write -->', '<!-- end of what is written -->'] as const;

/** A benchmark that has not ended by then is stopped. */
const LONGEST_MS = 1_800_000;

interface Row {
  readonly bench: Bench;
  readonly figure: Figure;
  readonly values: readonly number[];
  readonly missing: string | null;
}

const rows: Row[] = [];
for (const bench of BENCHES) {
  if (names !== null && !names.includes(bench.file.replace('.ts', ''))) continue;
  rows.push(...(await measure(bench)));
  // After each benchmark, so that a late failure loses no earlier results.
  if (values.write) await writePage(rows);
}
console.log(page(rows.map(lineOf)));

/** Rows that were not measured in this run stay unchanged. */
async function writePage(measured: readonly Row[]): Promise<void> {
  const before = await readFile(PAGE, 'utf8');
  const [head = '', rest = ''] = before.split(MARKS[0]);
  const [written = '', tail = '\n'] = rest.split(MARKS[1]);
  const lines = BENCHES.flatMap((bench) => bench.figures).flatMap((figure) => {
    const row = measured.find((one) => one.figure === figure);
    return row ? [lineOf(row)] : written.split('\n').filter((line) => line.startsWith(titleOf(figure)));
  });
  await writeFile(PAGE, `${head}${MARKS[0]}\n${page(lines)}\n${MARKS[1]}${tail}`);
}

async function measure(bench: Bench): Promise<readonly Row[]> {
  if (bench.needsReference && !process.env.ASSAY_REFERENCE_DATA)
    return bench.figures.map((figure) => ({ bench, figure, values: [], missing: 'ASSAY_REFERENCE_DATA is not set' }));
  const found: number[][] = bench.figures.map(() => []);
  let failure: string | null = null;
  const most = Math.min(rounds, bench.mostRounds ?? rounds);
  for (let round = 0; round < most; round += 1) {
    const began = performance.now();
    const { output, code } = await run(bench);
    if (code !== 0) failure = `it ended with ${code}`;
    for (const [index, figure] of bench.figures.entries()) {
      const value = Number(figure.find.exec(output)?.[1] ?? Number.NaN);
      if (Number.isFinite(value)) found[index]?.push(value);
    }
    const seconds = ((performance.now() - began) / 1000).toFixed(0);
    process.stderr.write(`${bench.file} round ${round + 1} of ${most}: ${seconds} s${failure ? `, ${failure}` : ''}\n`);
  }
  return bench.figures.map((figure, index) => {
    const numbers = (found[index] ?? []).sort((a, b) => a - b);
    return {
      bench,
      figure,
      values: numbers,
      missing: numbers.length === 0 ? (failure ?? 'it said no such figure') : null,
    };
  });
}

async function run(bench: Bench): Promise<{ readonly output: string; readonly code: number | null }> {
  const path = fileURLToPath(new URL(bench.file, import.meta.url));
  const child = spawn(process.execPath, ['--expose-gc', path, ...(bench.args ?? [])], {
    env: { ...process.env, ...bench.env },
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: LONGEST_MS,
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString('utf8');
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { output, code };
}

function page(lines: readonly string[]): string {
  const [cpu] = cpus();
  return [
    `${new Date().toISOString().slice(0, 10)}, ${availableParallelism()} cores of ${cpu?.model.trim() ?? 'unknown make'}, ` +
      `${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}, ${rounds} round${rounds === 1 ? '' : 's'} of each, one where no spread is given.`,
    '',
    '| what | against, in the same run | median | from - to | aim | met |',
    '|---|---|---|---|---|---|',
    ...lines,
  ].join('\n');
}

function lineOf({ figure, values: numbers, missing }: Row): string {
  const middle = numbers[Math.floor(numbers.length / 2)];
  const spread = numbers.length > 1 ? `${numbers[0]} - ${numbers.at(-1)}` : '';
  const met = middle === undefined || !figure.meets ? '' : figure.meets(middle) ? 'yes' : 'no';
  const value = middle === undefined ? (missing ?? '') : `${middle} ${figure.unit}`.trim();
  return `${titleOf(figure)} ${value} | ${spread} | ${figure.aim ?? ''} | ${met} |`;
}

function titleOf({ what, against }: Figure): string {
  return `| ${what} | ${against} |`;
}

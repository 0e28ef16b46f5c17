import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CLAIMS, runCampaign } from './campaign.ts';
import type { Size } from './claim.ts';
import { markdownReport, outcomeOf, type Told, toldOf } from './report.ts';
import { FULL, SHORT } from './sizes.ts';

/** Where the generated part of a page begins. */
const MARK = '<!-- the rest is written by npm run test:faults -->';

/**
 * The fault campaign: `npm run test:faults -- --seed 1 --kills 100 --out DIR`. Every size has a flag of its name; `--short`
 * starts from the small ones, `--only` takes names of faults (`none` makes none), `--together` makes so many at once,
 * `--page` puts the report into a page. Rows of an earlier run in the same folder stay until their fault is made again,
 * so that a long campaign can be run in parts. Exit code 1 when a promise was broken.
 */
const names = Object.keys(FULL) as (keyof Size)[];
const { values } = parseArgs({
  options: {
    ...Object.fromEntries(names.map((name) => [flagOf(name), { type: 'string' as const }])),
    short: { type: 'boolean' },
    only: { type: 'string' },
    together: { type: 'string' },
    out: { type: 'string' },
    page: { type: 'string' },
  },
});
const given = values as Readonly<Record<string, string | boolean | undefined>>;
const base = given.short ? SHORT : FULL;
const size = Object.fromEntries(names.map((name) => [name, wholeOf(flagOf(name), base[name])])) as unknown as Size;
const folder = textOf('out') ?? '.faults';
const file = join(folder, 'faults.json');
// Servers that the faults run on end with this process.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
await mkdir(folder, { recursive: true });
const told = new Map((await earlier()).map((row) => [row.name, row]));
const only = textOf('only')?.split(',') ?? [];
const unknown = only.filter((name) => name !== 'none' && !CLAIMS.some((claim) => claim.name === name));
if (unknown.length > 0) throw new Error(`no fault is called ${unknown.join(', ')}: ${CLAIMS.map(({ name }) => name)}`);
let isBroken = false;
await runCampaign(size, {
  only,
  together: wholeOf('together', 1),
  async onRow(row) {
    const line = toldOf(row, size);
    isBroken ||= line.broken.length > 0;
    console.log(`${line.name}: ${outcomeOf(line)} (${line.times} times, ${line.seconds} s)`);
    for (const what of line.broken) console.log(`  ${what}`);
    told.set(line.name, line);
    const rows = CLAIMS.flatMap(({ name }) => told.get(name) ?? []);
    await writeFile(file, `${JSON.stringify(rows, null, 2)}\n`);
    await writeFile(join(folder, 'faults.md'), markdownReport(rows));
  },
});
const report = markdownReport(CLAIMS.flatMap(({ name }) => told.get(name) ?? []));
console.log(`\n${report}`);
const page = textOf('page');
if (page !== null) {
  const [head = ''] = (await readFile(page, 'utf8')).split(MARK);
  await writeFile(page, `${head}${MARK}\n\n${report}`);
}
process.exit(isBroken ? 1 : 0);

async function earlier(): Promise<readonly Told[]> {
  return readFile(file, 'utf8').then(
    (text) => JSON.parse(text) as readonly Told[],
    () => [],
  );
}

function textOf(flag: string): string | null {
  const text = given[flag];
  return typeof text === 'string' ? text : null;
}

function flagOf(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function wholeOf(flag: string, fallback: number): number {
  const text = textOf(flag);
  if (text === null) return fallback;
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw new Error(`--${flag} wants a whole number`);
}

import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { runValidation } from '../research/data-sets.ts';
import { seededRandom } from '../research/random.ts';

/** A whole validation of as many members as the largest public set has, compared with the limit: reading its cells only. */
const MEMBERS = Number(process.env.ASSAY_BENCH_MEMBERS ?? 12_792);
const MAPPING = {
  name: 'bench',
  title: 'Bench',
  file: 'bench.csv',
  id: 'id',
  outcome: { column: 'label', failed: ['1'], survived: ['0'] },
  group: 'creator',
  chain: 'ethereum',
  quantities: {
    lp_creator_share: { column: 'lp' },
    lp_locked_share: { column: 'lock' },
    creator_share: { column: 'share' },
    holder_count: { column: 'holders' },
  },
};

const folder = await mkdtemp(join(tmpdir(), 'assay-bench-'));
const random = seededRandom(1);
const rows = Array.from({ length: MEMBERS }, (_, index) => {
  const failed = random() < 0.9;
  const lp = failed === random() < 0.95 ? 1 : random();
  return [index, failed ? 1 : 0, index % 4_000, lp, 1 - lp, random(), Math.ceil(1 + 5_000 * random())].join(',');
});
const path = join(folder, 'bench.csv');
await writeFile(path, ['id,label,creator,lp,lock,share,holders', ...rows, ''].join('\n'));

const readOnly = process.hrtime.bigint();
const cells = (parse(readFileSync(path)) as string[][]).length;
const limitSeconds = secondsSince(readOnly);
const steps: Record<string, number> = {};
let [step, since] = ['reading', process.hrtime.bigint()];
const started = since;
const found = await runValidation({
  folder,
  mapping: MAPPING,
  settings: { seed: 1, bootstrap: 1_000, draws: 1_000, base: 256, sensitivityMembers: 2_000 },
  onProgress: (_, next) => {
    if (next === step) return;
    steps[step] = secondsSince(since);
    [step, since] = [next, process.hrtime.bigint()];
  },
});
steps[step] = secondsSince(since);
const seconds = secondsSince(started);
await rm(folder, { recursive: true });
if (!found.ok) throw new Error(found.refusal.detail);
const [own] = found.value.dataSets;
console.log(
  JSON.stringify(
    {
      members: MEMBERS,
      rows_read: cells,
      seconds,
      steps,
      members_rated_a_second: Math.round(MEMBERS / (steps.rating ?? 1)),
      methodologies_tried: own?.sensitivity.evaluations,
      parsing_alone_seconds: limitSeconds,
      ratio_to_parsing: Math.round((10 * seconds) / limitSeconds) / 10,
      peak_mb: Math.round(process.resourceUsage().maxRSS / 1_024),
    },
    null,
    1,
  ),
);

function secondsSince(start: bigint): number {
  return Math.round(Number(process.hrtime.bigint() - start) / 1e6) / 1_000;
}

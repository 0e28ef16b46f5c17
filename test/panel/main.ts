/**
 * `npm run -s panel -- --data DIR [--json] [--perturb]`: rates the assets of a folder (`facts/*.json`, `expected.csv`, `pairs.csv`) by the real rating code
 * and compares bands, order and flags with what is expected. Without `--data`: the panel of this repository. `--perturb`: how often that still holds when a
 * part of what is known is left out, moved or contradicted (a minute); with `--json` every case of it.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readPanel } from './assets.ts';
import { perturb } from './perturb.ts';
import { runPanel } from './run.ts';

const { values } = parseArgs({
  options: { data: { type: 'string' }, json: { type: 'boolean' }, perturb: { type: 'boolean' } },
});
const panel = await readPanel(values.data === undefined ? import.meta.dirname : resolve(values.data));
if (values.perturb)
  for (const { cases, ...sum } of perturb(panel))
    process.stdout.write(`${JSON.stringify(values.json ? { ...sum, cases } : sum)}\n`);
else report();

function report() {
  const result = runPanel(panel);
  if (values.json) process.stdout.write(`${JSON.stringify(result)}\n`);
  else {
    for (const row of result.rated)
      process.stdout.write(
        `${row.inside === false ? '!' : ' '} ${row.id.padEnd(52)} ${String(row.score ?? '-').padStart(5)} ${row.band.padEnd(4)} ${row.expected ? `${row.expected[0]} to ${row.expected[1]}` : ''}` +
          `${row.false_flags.map((code) => ` -${code}`).join('')}${row.missing_flags.map((code) => ` +${code}`).join('')}\n`,
      );
    const { rated: _, lost_pairs, false_flags, missing_flags, ...sum } = result;
    process.stdout.write(
      `lost: ${lost_pairs.join(' ')}\n${JSON.stringify({ ...sum, false_flags: false_flags.length, missing_flags: missing_flags.length })}\n`,
    );
  }
}

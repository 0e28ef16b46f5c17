/**
 * `npm run calibrate -- --data DIR [--data DIR ...] [--out FILE]`: rates every member of the files of outcomes under
 * the folders (listed in `cohorts.json`) by the methodology in force and writes the probabilities of failure by score.
 * Only sums and curves are written: the files themselves are not part of the product.
 */
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import canonicalize from 'canonicalize';
import { loadMethodology } from '../../src/methodology/index.ts';
import { classesApart } from './by-class.ts';
import { type accuracyOf, baseRatesKnown, calibrationOf } from './calibration.ts';
import { readCohorts, readPlan } from './cohorts.ts';

const { values } = parseArgs({
  options: {
    data: { type: 'string', multiple: true },
    out: { type: 'string', default: fileURLToPath(new URL('../../methodology/calibration.json', import.meta.url)) },
    date: { type: 'string', default: new Date().toISOString().slice(0, 10) },
  },
});
if (values.data === undefined) {
  process.stderr.write('usage: npm run calibrate -- --data DIR [--out FILE] [--date YYYY-MM-DD]\n');
  process.exit(64);
}
const methodology = loadMethodology();
const plan = readPlan();
const cohorts = await readCohorts(values.data, plan, methodology, (what) =>
  process.stderr.write(`left out: ${what}\n`),
);
if (!cohorts.ok) {
  process.stderr.write(`${cohorts.refusal.reason}: ${cohorts.refusal.detail}\n`);
  process.exit(66);
}
const calibration = calibrationOf(plan, cohorts.value, methodology, values.date);
await writeFile(values.out, `${JSON.stringify(calibration, null, 2)}\n`);
const accuracy = (row: ReturnType<typeof accuracyOf>) =>
  `expected ${row.expected}, failed ${row.failures} of ${row.members}; Brier ${row.brier} (base rate ${row.brierOfBaseRate}), ECE ${row.ece}, within ${row.within}`;
const known = baseRatesKnown(plan, cohorts.value, methodology);
for (const group of calibration.groups) {
  process.stdout.write(
    `${group.id}: ${group.cohorts.map(({ name, failures, members }) => `${name} ${failures} of ${members}`).join(', ')}\n`,
  );
  for (const row of group.measured)
    process.stdout.write(`  on ${row.on}${row.class === null ? '' : ` (${row.class})`}: ${accuracy(row)}\n`);
  for (const row of known.filter((one) => one.group === group.id))
    process.stdout.write(`  on ${row.on}, base rate of the other half known: ${accuracy(row)}\n`);
}
process.stdout.write(
  'by class, on members that nothing was fitted on (Brier score less that of the base rate, 95 %):\n',
);
for (const row of classesApart(plan, cohorts.value, methodology)) {
  const [skill, low, high] = row.skill.map((part) => part.toFixed(4));
  process.stdout.write(
    `  ${row.class ?? 'all'} on ${row.on}, by ${row.fitted}: ${accuracy(row.accuracy)}; ${skill} (${low} to ${high})\n`,
  );
}
const hash = createHash('sha256')
  .update(canonicalize(calibration) ?? '')
  .digest('hex');
process.stdout.write(`written to ${values.out}, SHA-256 ${hash}\n`);

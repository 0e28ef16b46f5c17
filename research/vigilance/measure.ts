import { parseArgs } from 'node:util';
import { loadMethodology } from '../../src/methodology/index.ts';
import { limitsOf, PEG_RULES } from '../../src/monitoring/index.ts';
import episodes from './episodes.json' with { type: 'json' };
import { byPegRule, byRatings, type Detector, summaryOf, type Watched, watch } from './replay.ts';
import { type Episode, readSeries, type Series } from './series.ts';

/**
 * Prints the figures of docs/vigilance.md: `node research/vigilance/measure.ts --data DIR [--search]`. DIR contains
 * public price series at the paths of episodes.json; they are not part of this repository. `--search` tries parameters
 * on the selection part.
 */
const { values } = parseArgs({
  options: { data: { type: 'string' }, search: { type: 'boolean', default: false } },
});
const out = (text: string) => process.stdout.write(`${text}\n`);
const series: Series[] = [];
for (const episode of episodes as readonly Episode[]) {
  const read = await readSeries(values.data ?? '', episode);
  if (read === null) out(`${episode.id}: not in ${values.data}`);
  else series.push(read);
}
const partOf = (part: Episode['part']) => series.filter((row) => row.part === part);

/** Most false alarms per coin and month that parameters may cause on the selection part. */
const MOST_FALSE = 0.1;
const ALLOWANCES = [10, 15, 20, 30, 40, 50, 75, 100];
const ALARMS = [15, 30, 60, 100, 200, 400, 800];

if (values.search) {
  const tried = ALLOWANCES.flatMap((allowanceBps) =>
    ALARMS.map((alarmBpsHours) => {
      const limits = { allowanceBps, alarmBpsHours };
      const summary = summaryOf(partOf('chosen').map((row) => watch(row, byPegRule(limits, PEG_RULES))));
      return { limits, ...summary, rate: summary.falseAlarms / summary.months };
    }),
  ).sort((a, b) => b.meanHours - a.meanHours || a.rate - b.rate);
  for (const row of tried.filter((one) => one.rate <= MOST_FALSE).slice(0, 12))
    out(
      `allowance ${row.limits.allowanceBps}, alarm ${row.limits.alarmBpsHours}: ${row.meanHours.toFixed(1)} h before the worst, ${row.falseAlarms} false in ${row.months.toFixed(1)} coin-months`,
    );
}

const detectors: Readonly<Record<string, Detector>> = {
  'alerts on ratings': byRatings(loadMethodology()),
  'peg alerts': byPegRule(limitsOf('USD', PEG_RULES), PEG_RULES),
};
for (const part of ['chosen', 'reported'] as const)
  for (const [name, detector] of Object.entries(detectors)) {
    const rows = partOf(part).map((row) => watch(row, detector));
    out(`\n${part}, ${name}`);
    for (const row of rows) out(`  ${lineOf(row)}`);
    const { breaks, warned, meanHours, falseAlarms, months } = summaryOf(rows);
    out(
      `  together: warned of ${warned} of ${breaks}, ${meanHours.toFixed(1)} h before the worst on average; ${falseAlarms} false alarms in ${months.toFixed(1)} coin-months (${(falseAlarms / months).toFixed(3)} a month)`,
    );
  }

function lineOf({
  series: { id, kind, prices },
  hoursBefore,
  alarmBps,
  worstBps,
  falseAlarms,
  months,
}: Watched): string {
  if (kind === 'quiet')
    return `${id}: ${falseAlarms} false alarms in ${months.toFixed(2)} months, ${prices.length} prices, at most ${worstBps} bps`;
  const told =
    hoursBefore === null ? 'no alarm before the worst' : `${hoursBefore.toFixed(1)} h before, at ${alarmBps} bps`;
  return `${id}: ${told}; worst ${worstBps} bps; ${falseAlarms} false`;
}

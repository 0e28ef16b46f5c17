/**
 * `node research/outcomes/lacking-command.ts --data DIR [--data DIR] [--seed N] [--bootstrap N]`: columns of the files
 * of outcomes that the rating does not read, and their gain, fitted on one half of the groups and measured on the
 * other.
 */
import { parseArgs } from 'node:util';
import { loadMethodology } from '../../src/methodology/index.ts';
import { aucOf } from '../discrimination.ts';
import type { Member } from '../mapping.ts';
import { type Random, seededRandom } from '../random.ts';
import { columnsOf, nestedLogistic } from './baselines.ts';
import { nestedBoosting } from './boosting.ts';
import { CANDIDATES } from './candidates.ts';
import { lacking } from './lacking.ts';
import { outcomeSets } from './sets.ts';

/** Number of random fold assignments for nested fits. */
const FOLD_DRAWS = 8;

const { values } = parseArgs({
  options: {
    data: { type: 'string', multiple: true },
    seed: { type: 'string', default: '1' },
    bootstrap: { type: 'string', default: '500' },
  },
});
const methodology = loadMethodology();
const sets = await outcomeSets(values.data ?? [], methodology);
if (!sets.ok) throw new Error(`${sets.refusal.reason}: ${sets.refusal.detail}`);
const seed = Number(values.seed);
const { additions, choices } = lacking(sets.value, methodology, Number(values.bootstrap), seededRandom(seed));
print(`Methodology ${methodology.version}. Gain in AUC over the rating, on the half that did not teach it (95 %).\n`);
print('| set | candidate | known | weights of the halves | gain | taught earlier, measured later |');
print('|---|---|---|---|---|---|');
for (const { set, candidate, known, weights, gain, forward } of additions) {
  const interval = `${signed(gain.interval.low)} to ${signed(gain.interval.high)}`;
  print(
    `| ${set} | ${candidate} | ${known} | ${weights.map(signed).join(', ')} | ${signed(gain.auc)} (${interval}) | ${forward === null ? '-' : signed(forward)} |`,
  );
}
print('\nChosen by one half of all sets (the worst set counts most), measured on the other:');
for (const { half, candidate, promised, got } of choices)
  print(
    `half ${half}: ${candidate}, promised ${signed(promised)}; got ${got.map(({ set, gain }) => `${set} ${signed(gain)}`).join(', ')}`,
  );
print('\nAUC of what is fitted on all columns, nested; mean over draws of the folds, least and most.');
print('| set | logistic | with all candidates | boosting | with all candidates |');
print('|---|---|---|---|---|');
for (const set of sets.value) {
  const random = seededRandom(seed);
  const told = CANDIDATES.filter(({ name }) => name !== 'noise').map(({ name, of }) => ({ name, of: of(set, random) }));
  const own = told.filter(({ of }) => of.some((value) => value !== null));
  if (own.length === 0) continue;
  const columns = columnsOf(set.members);
  const all = {
    names: [...columns.names, ...own.map(({ name }) => name)],
    values: columns.values.map((row, at) => [...row, ...own.map(({ of }) => of[at] ?? null)]),
  };
  const cells = [
    ...[columns, all].map((part) => overFolds(set.members, (folds) => nestedLogistic(set.members, part, 0, folds))),
    ...[columns, all].map((part) => overFolds(set.members, (folds) => nestedBoosting(set.members, part, folds))),
  ];
  print(`| ${[set.name, ...cells].join(' | ')} |`);
}

/** With few failures the AUC depends on the assignment of folds, so it is measured for several assignments. */
function overFolds(members: readonly Member[], chancesBy: (folds: Random) => Float64Array): string {
  const aucs = Array.from({ length: FOLD_DRAWS }, (_, at) =>
    aucOf(
      [...chancesBy(seededRandom(seed + at))].map((chance) => -chance),
      members.map((member) => member.failed),
    ),
  ).flatMap((auc) => auc ?? []);
  const mean = aucs.reduce((sum, auc) => sum + auc, 0) / aucs.length;
  return `${mean.toFixed(3)} (${Math.min(...aucs).toFixed(3)}-${Math.max(...aucs).toFixed(3)})`;
}

function signed(value: number): string {
  return `${value < 0 ? '' : '+'}${value.toFixed(3)}`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

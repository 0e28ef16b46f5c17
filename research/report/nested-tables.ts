import type { AcrossFiles, NestedAuc, NestedReport } from '../nested/folds.ts';
import { count, type DataSetReport, fixed, percent, type ReportTable } from './format.ts';

const BY: Readonly<Record<NestedReport['by'], string>> = {
  creator: 'creator: all members of one creator are in one fold',
  time: 'time: consecutive stretches, members of one moment together',
  member: 'member: the file names neither creators nor moments',
};
const BEST_SHOWN = 12;

/** Tables of the nested cross-validation; none where it was not requested. */
export function nestedTables({ nested }: DataSetReport): readonly ReportTable[] {
  return nested === undefined
    ? []
    : [summaryTable(nested), foldTable(nested), checkTable(nested), variantTable(nested)];
}

/** Result of each file with the variant chosen by the others. */
export function acrossTable(rows: readonly AcrossFiles[]): ReportTable {
  return {
    title: 'One methodology for all',
    note: 'The variant with the best mean AUC on the other files, measured on this one.',
    columns: ['file', 'chosen by the others', 'AUC', 'AUC as published'],
    rows: rows.map((row) => [row.dataSet, row.chosen, fixed(row.auc), fixed(row.inForce)]),
  };
}

function summaryTable(nested: NestedReport): ReportTable {
  const { inForce, resubstitution, forward } = nested;
  const row = (name: string, auc: Pick<NestedAuc, 'mean' | 'interval'>, what: string) => [
    name,
    fixed(auc.mean),
    intervalOf(auc.interval),
    what,
  ];
  return {
    title: 'Nested cross-validation',
    note: `${count(nested.members)} members in ${count(nested.outerFolds.length)} outer folds by ${BY[nested.by]}; ${count(nested.variants.length)} variants, chosen by mean AUC over ${count(nested.innerFolds)} inner folds of the other members. Intervals: 95 %, held-out members drawn again within their folds.`,
    columns: ['figure', 'AUC', '95 %', 'meaning'],
    rows: [
      row(
        'nested, published score',
        nested.published,
        `mean of the outer folds; standard deviation ${fixed(nested.published.spread)}`,
      ),
      row(
        'nested, equal scores ordered',
        nested.ranked,
        `by the score before caps; standard deviation ${fixed(nested.ranked.spread)}`,
      ),
      row(inForce.name, inForce, 'the same folds, no choice'),
      row(
        'resubstitution',
        { mean: resubstitution.auc, interval: null },
        `the best on the whole file: ${resubstitution.name}`,
      ),
      row('optimism', { mean: nested.optimism, interval: null }, 'resubstitution less nested: what looking was worth'),
      ...(forward === null
        ? []
        : [
            row(
              'forward in time',
              { mean: forward.mean, interval: null },
              `${count(forward.folds)} stretches, each rated by what those before it chose`,
            ),
          ]),
    ],
  };
}

function foldTable(nested: NestedReport): ReportTable {
  return {
    title: 'Nested cross-validation: outer folds',
    note: '',
    columns: ['fold', 'members', 'failed', 'chosen', 'AUC inside', 'AUC outside', 'equal scores ordered'],
    rows: nested.outerFolds.map((fold, at) => [
      String(at + 1),
      count(fold.members),
      percent(fold.failures / Math.max(1, fold.members)),
      fold.chosen,
      fixed(fold.innerAuc),
      fixed(fold.auc),
      fixed(fold.ranked),
    ]),
  };
}

function checkTable({ checks, groups }: NestedReport): ReportTable {
  const { shuffled, twins } = checks;
  return {
    title: 'Nested cross-validation: leakage checks',
    note: 'A twin has the same mapped facts as a member outside its fold; a fixed rule cannot learn it by heart, but its outcome was seen when variants were compared.',
    columns: ['check', 'found', 'wanted'],
    rows: [
      ['groups in more than one fold', `${count(checks.straddling)} of ${count(groups)}`, 'none'],
      [
        'AUC of the same procedure on shuffled outcomes',
        `${fixed(shuffled.mean)} (${fixed(shuffled.low)} to ${fixed(shuffled.high)} in ${count(shuffled.draws)} draws)`,
        'about .5',
      ],
      ['held-out members with a twin elsewhere', percent(twins.share), '-'],
      ['AUC without them', fixed(twins.aucWithout), 'like the nested one'],
    ],
  };
}

function variantTable(nested: NestedReport): ReportTable {
  const best = nested.variants
    .map((row, at) => ({ ...row, at }))
    .sort((a, b) => b.auc - a.auc || a.at - b.at)
    .filter((row, place) => place < BEST_SHOWN || row.at === 0 || row.chosen > 0);
  return {
    title: 'Nested cross-validation: variants',
    note: 'AUC on the whole file, best first, and by how many outer folds each was chosen. All are in report.json.',
    columns: ['variant', 'AUC', 'chosen'],
    rows: best.map((row) => [row.name, fixed(row.auc, 4), count(row.chosen)]),
  };
}

function intervalOf(interval: NestedAuc['interval']): string {
  return interval === null ? '-' : `${fixed(interval.low)} to ${fixed(interval.high)}`;
}

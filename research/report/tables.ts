import { count, type DataSetReport, fixed, interval, MEASURES, percent, type ReportTable } from './format.ts';
import { nestedTables } from './nested-tables.ts';
import { notRatedTables } from './not-rated-tables.ts';

/** All tables of one data set, in reading order; empty tables are left out. */
export function tablesOf(report: DataSetReport): readonly ReportTable[] {
  const tables = [
    ...(report.outcome === null ? [] : outcomeTables(report, report.outcome)),
    ...(report.notRated === null ? [] : notRatedTables(report.notRated)),
    ...stabilityTables(report),
  ];
  return [
    gateTable(report),
    ...nestedTables(report),
    ...tables,
    sobolTable(report),
    inputTable(report),
    flagTable(report),
    fileTable(report),
  ].filter((table) => table.rows.length > 0);
}

function outcomeTables(report: DataSetReport, outcome: NonNullable<DataSetReport['outcome']>): readonly ReportTable[] {
  const { bands, calibration, leakage } = outcome;
  return [
    {
      title: 'Discrimination',
      note: 'Intervals: 95 %, bootstrap within failed and survived; by creator where the file names them.',
      columns: ['measure', 'score', 'value', '95 %', '95 % by creator', 'meaning'],
      rows: outcome.measured.flatMap((measured) =>
        MEASURES.map(({ key, name, what }) => [
          name,
          measured.name,
          fixed(measured.values[key]),
          interval(measured, key, 'stratified'),
          interval(measured, key, 'clustered'),
          key === 'prAuc' ? `${what} ${fixed((report.failures ?? 0) / report.members)}` : what,
        ]),
      ),
    },
    {
      title: 'Bands',
      note: [
        ...bands.inversions.map(
          (row) =>
            `${row.worse} failed less often than ${row.better} (p ${fixed(row.pValue)}${row.beyondOneError ? ', beyond one standard error' : ''}).`,
        ),
        ...bands.indistinct.map(([better, worse]) => `${better} and ${worse} cannot be told apart (p > .1).`),
      ].join(' '),
      columns: ['band', 'members', 'failed', 'rate', '95 % (Jeffreys)', 'ladder’s target', 'rate by uncapped band'],
      rows: bands.rows
        .filter(
          (row) =>
            row.members > 0 || (outcome.uncappedBands.rows.find((own) => own.band === row.band)?.members ?? 0) > 0,
        )
        .map((row) => {
          const uncapped = outcome.uncappedBands.rows.find((own) => own.band === row.band);
          return [
            row.band,
            count(row.members),
            count(row.failures),
            percent(row.rate),
            row.interval === null ? '-' : `${percent(row.interval[0])} to ${percent(row.interval[1])}`,
            percent(row.target),
            uncapped === undefined || uncapped.members === 0
              ? '-'
              : `${percent(uncapped.rate)} of ${count(uncapped.members)}`,
          ];
        }),
    },
    {
      title: 'Calibration',
      note:
        calibration.ladder === null
          ? ''
          : `Taken as a probability, the ladder expects ${percent(calibration.ladder.expected)} failures; ${percent(calibration.ladder.observed)} failed. Brier score ${fixed(calibration.ladder.brier)}, that of the base rate ${fixed(calibration.ladder.brierOfBaseRate)}. Hosmer-Lemeshow ${fixed(calibration.ladder.chiSquare, 1)} on ${calibration.ladder.degrees} bands. A base rate chosen by the maker of a file moves all of these; the order of the bands does not depend on it.`,
      columns: ['mean score', 'members', 'failed', 'rate', '95 % (Jeffreys)'],
      rows: calibration.groups.map((group) => [
        fixed(group.meanScore, 1),
        count(group.members),
        count(group.failures),
        percent(group.rate),
        `${percent(group.interval[0])} to ${percent(group.interval[1])}`,
      ]),
    },
    {
      title: 'What each part is worth',
      note: 'AUC lost when the part is left out; “alone” is the AUC of its points by themselves. Below 0 the part does harm here.',
      columns: ['part', 'name', 'members', 'AUC without', 'worth', 'alone'],
      rows: outcome.ablation.map((row) => [
        row.kind,
        row.name,
        count(row.members),
        fixed(row.auc),
        signed(row.worth),
        fixed(row.alone),
      ]),
    },
    {
      title: 'Other ways to put the factors together',
      note: '',
      columns: ['variant', 'AUC', 'KS', 'rank correlation'],
      rows: outcome.aggregation.map((row) => [row.name, fixed(row.auc), fixed(row.ks), fixed(row.rankCorrelation)]),
    },
    {
      title: 'Leakage audit: splits',
      note: [
        leakage.times === null
          ? ''
          : `${count(leakage.times.tooLate)} of ${count(leakage.times.compared)} members have features at or after their outcome${leakage.times.examples.length > 0 ? ` (${leakage.times.examples.join(', ')})` : ''}.`,
        leakage.groups === null
          ? ''
          : `${count(leakage.groups.count)} creators, the largest with ${count(leakage.groups.largest)} members; ${count(leakage.groups.mixed)} have both outcomes.`,
      ].join(' '),
      columns: ['split', 'members', 'failed', 'AUC'],
      rows: [...leakage.byTime, ...leakage.byGroup].map((row) => [
        row.name,
        count(row.members),
        count(row.failures),
        fixed(row.auc),
      ]),
    },
    {
      title: 'Leakage audit: single columns',
      note: 'AUC of each raw column, whichever way round. Early public facts rarely pass .90; above .97 a column more likely carries the label.',
      columns: ['column', 'used', 'AUC', 'direction', 'known', 'AUC of “empty”', 'verdict'],
      rows: leakage.columns.map((row) => [
        row.column,
        row.mapped ? 'yes' : 'no',
        fixed(row.auc),
        row.direction === 'high_fails' ? 'high fails' : 'low fails',
        count(row.known),
        fixed(row.aucOfMissing),
        {
          fine: '-',
          declared: 'declared as knowing the outcome',
          knows_outcome: 'probably knows the outcome',
          missing_knows_outcome: 'its gaps know the outcome',
        }[row.verdict],
      ]),
    },
  ];
}

function stabilityTables(report: DataSetReport): readonly ReportTable[] {
  const { stability } = report;
  if (stability === null) return [];
  return [
    ...stability.transitions.map(
      (matrix): ReportTable => ({
        title: `Transitions over ${matrix.horizonDays} d`,
        note: `${count(matrix.pairs)} pairs of ratings of moments, without the smoothing of published ones; ${percent(matrix.unchanged)} unchanged, ${percent(matrix.changedByMoreThanTwo)} by more than two bands; rank correlation ${fixed(matrix.rankCorrelation)}.`,
        columns: ['from \\ to', ...matrix.bands, 'n'],
        rows: matrix.bands.map((band, row) => [
          band,
          ...(matrix.shares[row] ?? []).map((share) => percent(share)),
          count((matrix.counts[row] ?? []).reduce((sum, value) => sum + value, 0)),
        ]),
      }),
    ),
    {
      title: 'Population stability index, month against month before',
      note: `Below .1 stable, above .25 an alarm. ${count(stability.reversals.takenBack)} of ${count(stability.reversals.changes)} band changes were taken back within 30 days.`,
      columns: ['month', 'ratings', 'PSI'],
      rows: stability.psi.slice(-24).map((row) => [row.month, count(row.members), fixed(row.value)]),
    },
  ];
}

function gateTable(report: DataSetReport): ReportTable {
  return {
    title: 'Gates',
    note: 'What a methodology has to reach before it is put in force. Rank shifts are large where most scores crowd around the prior.',
    columns: ['gate', 'wanted', 'found', 'met'],
    rows: report.gates.map((row) => [
      row.name,
      row.wanted,
      Number.isInteger(row.found) ? count(row.found ?? 0) : fixed(row.found),
      row.met ? 'yes' : 'no',
    ]),
  };
}

function sobolTable(report: DataSetReport): ReportTable {
  return {
    title: 'What the ranking owes to judgement: Sobol indices',
    note: 'Share of the variance of the mean rank shift that one judgement explains alone (first) and with all its interactions (total); total on the AUC beside.',
    columns: ['judgement', 'first', 'total', 'total on AUC'],
    rows: [...report.sensitivity.indices]
      .sort((a, b) => b.total - a.total)
      .map((row) => [row.name, fixed(row.first, 2), fixed(row.total, 2), fixed(row.totalOnAuc, 2)]),
  };
}

function inputTable(report: DataSetReport): ReportTable {
  return {
    title: 'Columns that were used',
    note: `Features with points: ${report.features.map((row) => `${row.id} (${count(row.members)})`).join(', ')}.`,
    columns: ['ours', 'column', 'known', 'missing', 'malformed', 'set to a limit'],
    rows: report.columns.map((row) => [
      row.target,
      row.column === '' ? '(the same for all)' : row.column,
      count(row.known),
      count(row.missing),
      count(row.malformed),
      count(row.clamped),
    ]),
  };
}

function flagTable(report: DataSetReport): ReportTable {
  return {
    title: 'Flags',
    note: '',
    columns: ['flag', 'members', 'of these failed'],
    rows: report.flags.map((row) => [row.code, count(row.members), percent(row.failureRate)]),
  };
}

function fileTable(report: DataSetReport): ReportTable {
  return {
    title: 'Files',
    note: `Mapping ${report.name}, SHA-256 ${report.mappingHash}.`,
    columns: ['file', 'rows', 'bytes', 'SHA-256'],
    rows: report.files.map((file) => [file.name, count(file.rows), count(file.bytes), file.sha256]),
  };
}

function signed(value: number): string {
  return `${value < 0 ? '' : '+'}${value.toFixed(3)}`;
}

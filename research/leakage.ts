import { medianHigh } from '../src/domain/index.ts';
import { aucOf } from './discrimination.ts';
import { type Mapping, type Member, ruleColumns, type Table } from './mapping.ts';

export interface LeakageAudit {
  /** Times of features and outcomes; null if the file has none. */
  readonly times: {
    readonly compared: number;
    /** Members whose features are dated at or after the outcome. */
    readonly tooLate: number;
    readonly examples: readonly string[];
    /** Members without one of the two times. */
    readonly unknown: number;
  } | null;
  /** AUC of the earlier and the later half by feature time, without members that were measured too late. */
  readonly byTime: readonly Split[];
  /** AUC of members whose group has one member, and of those whose group has several. */
  readonly byGroup: readonly Split[];
  readonly groups: { readonly count: number; readonly largest: number; readonly mixed: number } | null;
  /** Every numeric column, mapped or not, worst first. */
  readonly columns: readonly ColumnAudit[];
  readonly warnings: readonly string[];
}

export interface Split {
  readonly name: string;
  readonly members: number;
  readonly failures: number;
  /** Null when one side is empty. */
  readonly auc: number | null;
}

export interface ColumnAudit {
  readonly column: string;
  readonly mapped: boolean;
  /** AUC of the raw number, in the direction with the larger value; 0.5-1. */
  readonly auc: number;
  readonly direction: 'high_fails' | 'low_fails';
  readonly known: number;
  /** AUC of "the cell is empty" alone, in the larger direction. */
  readonly aucOfMissing: number;
  readonly verdict: 'fine' | 'knows_outcome' | 'declared' | 'missing_knows_outcome';
}

/** Above this AUC, a single early public number more likely contains the label than predicts it (methodology 0.8). */
const SUSPECT_AUC = 0.97;
/** Above this AUC, empty cells result from how the file was made. */
const SUSPECT_MISSING_AUC = 0.7;
const NUMERIC_SHARE = 0.5;

/**
 * Looks for leaks of the outcome into the features: late measurements, a creator with members on both sides, columns
 * that contain the label.
 */
export function auditLeakage(
  table: Table,
  members: readonly Member[],
  scores: readonly number[],
  mapping: Mapping,
): LeakageAudit {
  const failed = members.map((member) => member.failed);
  const times = timesOf(members);
  const columns = mapping.outcome === null ? [] : columnsOf(table, mapping);
  const suspects = columns.filter((row) => row.verdict !== 'fine' && row.verdict !== 'declared' && row.mapped);
  return {
    times,
    byTime: [...splitByTime(members, scores, failed), ...splitByOrder(members, scores, failed, times)],
    byGroup: splitByGroup(members, scores, failed),
    groups: groupsOf(members),
    columns,
    warnings: [
      ...(times === null
        ? ['the file gives no times: that features were measured before the outcome is its word alone']
        : []),
      ...(times !== null && times.tooLate > 0
        ? [`${times.tooLate} of ${times.compared} members have features at or after their outcome`]
        : []),
      ...(mapping.group === null
        ? ['the file names no creators: members of one creator count as if they were independent']
        : []),
      ...suspects.map((row) =>
        row.verdict === 'knows_outcome'
          ? `column ${row.column} alone has AUC ${row.auc.toFixed(3)}: it probably knows the outcome`
          : `whether column ${row.column} is empty tells the classes apart (AUC ${row.aucOfMissing.toFixed(3)})`,
      ),
    ],
  };
}

function timesOf(members: readonly Member[]): LeakageAudit['times'] {
  const both = members.filter((member) => member.featureAt !== null && member.outcomeAt !== null);
  if (both.length === 0) return null;
  const late = both.filter((member) => (member.featureAt ?? 0) >= (member.outcomeAt ?? 0));
  return {
    compared: both.length,
    tooLate: late.length,
    examples: late.slice(0, 5).map((member) => member.id),
    unknown: members.length - both.length,
  };
}

function splitByTime(
  members: readonly Member[],
  scores: readonly number[],
  failed: readonly boolean[],
): readonly Split[] {
  const timed = members.flatMap((member, index) =>
    member.featureAt === null ? [] : [{ index, at: member.featureAt }],
  );
  if (timed.length < 20) return [];
  timed.sort((a, b) => a.at - b.at);
  const middle = medianHigh(timed.map(({ at }) => at)) ?? 0;
  const day = new Date(middle).toISOString().slice(0, 10);
  return [
    splitOf(
      `before ${day}`,
      timed.filter(({ at }) => at < middle),
      scores,
      failed,
    ),
    splitOf(
      `from ${day}`,
      timed.filter(({ at }) => at >= middle),
      scores,
      failed,
    ),
  ];
}

function splitByOrder(
  members: readonly Member[],
  scores: readonly number[],
  failed: readonly boolean[],
  times: LeakageAudit['times'],
): readonly Split[] {
  if (times === null || times.tooLate === 0) return [];
  const rows = members.flatMap((member, index) =>
    member.featureAt !== null && member.outcomeAt !== null && member.featureAt < member.outcomeAt ? [{ index }] : [],
  );
  return [splitOf('features before the outcome only', rows, scores, failed)];
}

function splitByGroup(
  members: readonly Member[],
  scores: readonly number[],
  failed: readonly boolean[],
): readonly Split[] {
  if (members.every((member) => member.group === null)) return [];
  const sizes = new Map<string, number>();
  for (const { group } of members) sizes.set(group ?? '', (sizes.get(group ?? '') ?? 0) + 1);
  const rows = members.map((member, index) => ({ index, alone: sizes.get(member.group ?? '') === 1 }));
  return [
    splitOf(
      'creators with one member',
      rows.filter(({ alone }) => alone),
      scores,
      failed,
    ),
    splitOf(
      'creators with several',
      rows.filter(({ alone }) => !alone),
      scores,
      failed,
    ),
  ];
}

function splitOf(
  name: string,
  rows: readonly { readonly index: number }[],
  scores: readonly number[],
  failed: readonly boolean[],
): Split {
  const outcomes = rows.map(({ index }) => failed[index] ?? false);
  return {
    name,
    members: rows.length,
    failures: outcomes.filter(Boolean).length,
    auc: aucOf(
      rows.map(({ index }) => scores[index] ?? 0),
      outcomes,
    ),
  };
}

function groupsOf(members: readonly Member[]): LeakageAudit['groups'] {
  if (members.every((member) => member.group === null)) return null;
  const groups = [...Map.groupBy(members, (member) => member.group ?? '').values()];
  return {
    count: groups.length,
    largest: groups.reduce((most, group) => Math.max(most, group.length), 0),
    mixed: groups.filter((group) => group.some((row) => row.failed) && group.some((row) => !row.failed)).length,
  };
}

function columnsOf(table: Table, mapping: Mapping): readonly ColumnAudit[] {
  const { outcome } = mapping;
  if (outcome === null) return [];
  const at = table.columns.indexOf(outcome.column);
  const failed = table.rows.map(({ cells }) => outcome.failed.includes((cells[at] ?? '').trim()));
  const mapped = new Set(
    [...Object.values(mapping.features), ...Object.values(mapping.quantities)].flatMap(ruleColumns),
  );
  const empty = new Set(['', ...mapping.missing]);
  return table.columns
    .flatMap((column, place): ColumnAudit[] => {
      if (place === at || column === mapping.id) return [];
      const values = table.rows.map(({ cells }) => {
        const cell = (cells[place] ?? '').trim();
        return empty.has(cell) ? null : Number(cell.replaceAll(',', ''));
      });
      const known = values.flatMap((value, row) => (value !== null && Number.isFinite(value) ? [row] : []));
      if (known.length < NUMERIC_SHARE * values.length) return [];
      const auc = aucOf(
        known.map((row) => values[row] ?? 0),
        known.map((row) => failed[row] ?? false),
      );
      if (auc === null) return [];
      const missing = aucOf(
        values.map((value) => (value === null ? 1 : 0)),
        failed,
      );
      const own = Math.max(auc, 1 - auc);
      const ofMissing = Math.max(missing ?? 0.5, 1 - (missing ?? 0.5));
      return [
        {
          column,
          mapped: mapped.has(column),
          auc: own,
          // If failures have low numbers, "low score, failed" has a high AUC.
          direction: auc >= 0.5 ? 'low_fails' : 'high_fails',
          known: known.length,
          aucOfMissing: ofMissing,
          verdict: Object.hasOwn(mapping.knowsOutcome, column)
            ? 'declared'
            : own >= SUSPECT_AUC
              ? 'knows_outcome'
              : ofMissing >= SUSPECT_MISSING_AUC
                ? 'missing_knows_outcome'
                : 'fine',
        },
      ];
    })
    .sort((a, b) => b.auc - a.auc || (a.column < b.column ? -1 : 1));
}

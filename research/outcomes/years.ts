import { readFileSync } from 'node:fs';
import { ok, type Result } from '../../src/domain/index.ts';
import type { Methodology } from '../../src/methodology/index.ts';
import { filesUnder, setsOf } from '../data-sets.ts';
import { type Member, type Refusal, readMapping } from '../mapping.ts';
import { seededRandom } from '../random.ts';
import { scoreMember } from '../score-member.ts';
import { type Columns, columnsOf, fitted, nestedLogistic } from './baselines.ts';
import { boosted, nestedBoosting, STAGES } from './boosting.ts';
import { difference, print, shown, three } from './cells.ts';
import { compared, type OutcomeSet, outcomeSet } from './sets.ts';
import { singlesOf } from './singles.ts';

/** With fewer failures or survivors the interval is not informative. */
const FEWEST = 4;
/** Least failures and least survivors of a training set, and least values of a column on both sides. */
const FEWEST_TAUGHT = 20;
/** Fixed before any measurement, so that later results cannot influence them. */
const PENALTY = 3;
const TREES = 50;

/** Cohorts of the 200 largest coins that have too few failures for a separate set. */
const LATER_COHORTS = [
  { panel: 'cmc200', day: '2021-01-01', outcome: 'dead20241228' },
  { panel: 'cmc200_sep21', day: '2021-09-01', outcome: 'failed' },
  { panel: 'cmc200', day: '2022-01-01', outcome: 'failed' },
  { panel: 'cmc200', day: '2023-01-01', outcome: 'failed' },
  { panel: 'cmc200', day: '2024-01-01', outcome: 'failed' },
  { panel: 'cmc200', day: '2025-01-01', outcome: 'failed' },
] as const;

/** Members of one set observed in one period. */
export interface Period {
  readonly set: OutcomeSet;
  /** A year; a month if the set covers only one year; null if the file has no times. */
  readonly name: string | null;
  readonly rows: readonly number[];
}

/** A set by years of observation, oldest first; by months where it covers only one year. */
export function periodsOf(set: OutcomeSet): readonly Period[] {
  const days = set.members.map(({ featureAt }) => (featureAt === null ? null : new Date(featureAt).toISOString()));
  const years = new Set(days.map((day) => day?.slice(0, 4)));
  const moments = new Set(days);
  const length = years.size === 1 && moments.size > 1 ? 7 : 4;
  const rows = Map.groupBy(days.keys(), (at) => days[at]?.slice(0, length) ?? null);
  return [...rows]
    .map(([name, own]) => ({ set, name, rows: own }))
    .sort((a, b) => ((a.name ?? '') < (b.name ?? '') ? -1 : 1));
}

/** When a member's outcome was known: the date in the outcome's column, otherwise the time of the outcome. */
export function knownAt({ outcomeAt }: Member, { mapping }: OutcomeSet): number {
  const day = /(\d{4})(\d\d)(\d\d)$/.exec(mapping.outcome?.column ?? '');
  return day === null ? (outcomeAt ?? Number.POSITIVE_INFINITY) : Date.parse(`${day[1]}-${day[2]}-${day[3]}`);
}

/**
 * Members of the same kind of file whose outcome was known when the first member of a period was observed, and that
 * share no asset or creator with it, followed by the members of the period. Null if there are too few failures or
 * survivors by then, or no column with values on both sides.
 */
export function taughtBefore(
  { set, rows }: Period,
  sets: readonly OutcomeSet[],
): { readonly members: readonly Member[]; readonly taught: number; readonly columns: Columns } | null {
  const own = rows.flatMap((at) => set.members[at] ?? []);
  const start = own.reduce(
    (least, { featureAt }) => Math.min(least, featureAt ?? Number.NEGATIVE_INFINITY),
    Number.POSITIVE_INFINITY,
  );
  const groups = new Set(own.map(({ group, id }) => group ?? id));
  const before = sets
    .filter(({ mapping }) => mapping.file === set.mapping.file)
    .flatMap((other) =>
      other.members.filter((member) => knownAt(member, other) <= start && !groups.has(member.group ?? member.id)),
    );
  const failures = before.filter(({ failed }) => failed).length;
  if (Math.min(failures, before.length - failures) < FEWEST_TAUGHT) return null;
  const members = [...before, ...own];
  const all = columnsOf(members);
  const isKnown = (column: number, from: number, to: number) =>
    all.values.slice(from, to).filter((row) => row[column] !== null).length >= FEWEST_TAUGHT;
  const kept = all.names.flatMap((_, at) =>
    isKnown(at, 0, before.length) && isKnown(at, before.length, members.length) ? [at] : [],
  );
  if (kept.length === 0) return null;
  return {
    members,
    taught: before.length,
    columns: {
      names: kept.map((at) => all.names[at] ?? ''),
      values: all.values.map((row) => kept.map((at) => row[at] ?? null)),
    },
  };
}

/** Prints the table of all sets by year: the rating, single numbers, fits on the same set, and fits on earlier data. */
export async function printYears(
  folders: readonly string[],
  given: readonly OutcomeSet[],
  methodology: Methodology,
  draws: number,
  seed: number,
): Promise<void> {
  const later = await laterCohorts(folders, methodology);
  if (!later.ok) throw new Error(`${later.refusal.reason}: ${later.refusal.detail}`);
  const sets = [...given, ...later.value];
  print(
    `Methodology ${methodology.version}. AUC with 95 % intervals (${draws} draws of whole groups); in brackets the rating less the other, on the same draws.\n`,
  );
  print(
    '| observed | set | members, failed | rating | market cap | volume | turnover | logistic, nested | boosting, nested | logistic, earlier data | boosting, earlier data |',
  );
  print('|---|---|---|---|---|---|---|---|---|---|---|');
  const lines: { readonly order: string; readonly line: string }[] = [];
  for (const set of sets)
    for (const { period, cells } of cellsOf(set, sets, methodology, draws, seed)) {
      const { members, failed } = countsOf(period);
      const start = [period.name ?? 'not stated', set.name, `${members}, ${failed}`];
      lines.push({ order: `${period.name ?? '~'} ${set.name}`, line: `| ${[...start, ...cells].join(' | ')} |` });
    }
  for (const { line } of lines.toSorted((a, b) => (a.order < b.order ? -1 : 1))) print(line);
}

function countsOf({ set, rows }: Period) {
  return { members: rows.length, failed: rows.filter((at) => set.members[at]?.failed).length };
}

function cellsOf(
  set: OutcomeSet,
  sets: readonly OutcomeSet[],
  methodology: Methodology,
  draws: number,
  seed: number,
): readonly { readonly period: Period; readonly cells: readonly string[] }[] {
  const periods = periodsOf(set);
  const told = (period: Period) => {
    const { members, failed } = countsOf(period);
    return Math.min(failed, members - failed) >= FEWEST;
  };
  const random = seededRandom(seed);
  const rating = set.members.map((member) => scoreMember(member, set.mapping, methodology).score);
  const singles = new Map(singlesOf(set.members).map(({ name, scores }) => [name, scores]));
  const columns = columnsOf(set.members);
  const fits = periods.some(told)
    ? [nestedLogistic(set.members, columns, 0, random), nestedBoosting(set.members, columns, random)]
    : [];
  return periods.map((period) => {
    if (!told(period)) return { period, cells: ['too few to tell', ...Array<string>(7).fill('-')] };
    const own = period.rows;
    const before = taughtBefore(period, sets);
    const scores = [
      rating,
      ...['market cap', 'volume', 'turnover'].map((name) => singles.get(name) ?? null),
      ...fits.map((chances) => chances.map((chance) => -chance)),
    ].map((all) => (all === null ? null : own.map((at) => all[at] ?? 0)));
    const all = [...scores, ...fitsOf(before)];
    const known = all.flatMap((row, at) => (row === null ? [] : [{ row, at }]));
    const members = own.flatMap((at) => set.members[at] ?? []);
    const found = compared(
      known.map(({ row }) => row),
      members,
      draws,
      random,
    );
    const cells = all.map((_, at) => {
      const place = known.findIndex((row) => row.at === at);
      if (place < 0) return '-';
      if (place === 0) return shown(found.own[0]);
      return `${three(found.own[place]?.auc)} (${difference(found.less[place])})`;
    });
    return { period, cells };
  });
}

/** Scores of a period's members by the fit on earlier data; two nulls without one. */
export function fitsOf(before: ReturnType<typeof taughtBefore>): readonly (readonly number[] | null)[] {
  if (before === null) return [null, null];
  const { members, taught, columns } = before;
  const [train, held] = [members.slice(0, taught), members.slice(taught)].map((_, side) =>
    members.flatMap((__, at) => (at < taught === (side === 0) ? [at] : [])),
  ) as [number[], number[]];
  const trees = boosted(train, held, members, columns)[STAGES.indexOf(TREES)] ?? new Float64Array(held.length);
  return [fitted(train, held, members, columns, 0, PENALTY), trees].map((chances) =>
    [...chances].map((chance) => -chance),
  );
}

/** The later cohorts of the 200 largest coins in the folders; those without failures cannot be measured. */
async function laterCohorts(
  folders: readonly string[],
  methodology: Methodology,
): Promise<Result<readonly OutcomeSet[], { refusal: Refusal }>> {
  const plan = JSON.parse(readFileSync(new URL('../mappings/cmc2020.json', import.meta.url), 'utf8'));
  // Only the list of 2017 has the age of a coin, for the cohort of 2020.
  const { first_trade_at: _, ...quantities } = plan.quantities;
  const found: OutcomeSet[] = [];
  for (const folder of folders) {
    const paths = await filesUnder(folder);
    if (!paths.ok) return paths;
    for (const { panel, day, outcome } of LATER_COHORTS) {
      const name = `top_200_${day}`;
      const { [outcome]: __, ...knowsOutcome } = plan.knowsOutcome;
      const where = [
        { column: 'panel', is: [panel] },
        { column: 'obs_date', is: [day] },
      ];
      const mapping = readMapping(
        { ...plan, name, quantities, knowsOutcome, outcome: { ...plan.outcome, column: outcome }, where },
        methodology,
      );
      if (!mapping.ok) return mapping;
      const files = setsOf(paths.value, mapping.value)[0];
      if (files === undefined) continue;
      const set = await outcomeSet(mapping.value, files.paths);
      if (set.ok) found.push(set.value);
      else if (set.refusal.reason === 'no_failures') print(`${name}: none failed, nothing to measure.`);
      else return set;
    }
  }
  return ok(found);
}

import { canonicalScope, HOUR_MS, median, type Observation, QUANTITIES } from '../domain/index.ts';
import type { Methodology } from '../methodology/index.ts';
import { describeDifference, shownValue } from './differences.ts';
import { type Finding, finding, type Rules } from './finding.ts';
import type { Reading } from './request-panel.ts';

/** One observation compared with those of the other lineage groups about the same subject. */
export interface Compared {
  readonly reading: Reading;
  readonly observation: Observation;
  /** On the scale of the quantity: ln x, or x itself. */
  readonly y: number;
  /** Median of all lineage groups. */
  readonly middle: number;
  readonly groups: number;
}

/** Every number compared with the median of all lineage groups about the same subject within an hour. */
export function comparedOf(readings: readonly Reading[]): readonly Compared[] {
  return [...groupsOf(readings).values()].flatMap((rows) => {
    const scaled = rows.flatMap((row) => {
      const y = onScale(row.observation);
      return y === null ? [] : [{ ...row, y }];
    });
    const own = [...Map.groupBy(scaled, ({ observation }) => observation.family).values()].flatMap(
      (group) => median(group.map(({ y }) => y)) ?? [],
    );
    const middle = median(own);
    if (middle === null) return [];
    return scaled.map((row) => ({ ...row, middle, groups: own.length }));
  });
}

/** Observations that differ from the others by more than `rules` allow. With two lineage groups either may be wrong. */
export function disagreements(
  readings: readonly Reading[],
  methodology: Methodology,
  rules: Rules,
): readonly Finding[] {
  const numbers = comparedOf(readings).flatMap(({ reading, observation, y, middle, groups }) => {
    const most = toleranceOf(observation, middle, methodology, rules);
    // The median of two lies halfway between them.
    const apart = Math.abs(y - middle) * (groups === 2 ? 2 : 1);
    if (groups < 2 || most === null || apart <= most) return [];
    const [own, others] = [backFrom(observation, y), backFrom(observation, groups === 2 ? 2 * middle - y : middle)];
    const who = groups === 2 ? 'the only other source' : `${groups - 1} others`;
    const text = `${observation.quantity}${ofScope(observation)} is ${describeDifference(others, own)} (by ${who})`;
    return [finding(reading, 'disagreement', 'suspect', observation.quantity, text)];
  });
  return [...numbers, ...outvoted(readings, rules)];
}

/** States of one lineage group that at least `leastVotes` others contradict unanimously. */
function outvoted(readings: readonly Reading[], rules: Rules): readonly Finding[] {
  return [...groupsOf(readings).values()].flatMap((rows) => {
    const votes = new Map<string, string>();
    for (const { observation } of rows) {
      const { kind } = QUANTITIES[observation.quantity];
      if (kind !== 'boolean' && kind !== 'enum') return [];
      if (!votes.has(observation.family)) votes.set(observation.family, JSON.stringify(observation.value));
    }
    return rows.flatMap(({ reading, observation }) => {
      const others = [...votes].filter(([family]) => family !== observation.family).map(([, value]) => value);
      const [first] = others;
      const isAlone = new Set(others).size === 1 && first !== JSON.stringify(observation.value);
      if (others.length < rules.agreement.leastVotes || first === undefined || !isAlone) return [];
      const text = `${observation.quantity} is ${shownValue(observation.value)}, and ${first} by all ${others.length} others`;
      return [finding(reading, 'disagreement', 'suspect', observation.quantity, text)];
    });
  });
}

/** Observations of the same subject within an hour of the first of them: a run may last beyond the full hour. */
function groupsOf(readings: readonly Reading[]) {
  const rows = readings.flatMap((reading) =>
    reading.answer.observations.map((observation) => ({ reading, observation })),
  );
  const subjects = Map.groupBy(rows, ({ reading, observation }) =>
    [reading.asset.id, observation.quantity, canonicalScope(observation.scope)].join(' '),
  );
  return new Map(
    [...subjects].flatMap(([subject, own]) => {
      const starts: number[] = [];
      for (const at of own.map(({ reading }) => Date.parse(reading.at)).sort((one, other) => one - other))
        if (at - (starts.at(-1) ?? Number.NEGATIVE_INFINITY) >= HOUR_MS) starts.push(at);
      const startOf = (at: number) => starts.findLast((start) => start <= at);
      return [...Map.groupBy(own, ({ reading }) => startOf(Date.parse(reading.at)))].map(
        ([start, group]) => [`${subject} ${start}`, group] as const,
      );
    }),
  );
}

function onScale({ quantity, value }: Observation): number | null {
  const { kind } = QUANTITIES[quantity];
  if (typeof value !== 'number' || !Number.isFinite(value)) return null;
  if (kind === 'log' || kind === 'exact') return value > 0 ? Math.log(value) : null;
  return kind === 'share' || kind === 'linear' ? value : null;
}

function backFrom({ quantity }: Observation, y: number): number {
  const { kind } = QUANTITIES[quantity];
  return kind === 'log' || kind === 'exact' ? Math.exp(y) : y;
}

/**
 * Distance from the median that still counts as agreement; null if sources measure different things under the same
 * name.
 */
function toleranceOf(
  { quantity, scope }: Observation,
  middle: number,
  methodology: Methodology,
  { agreement }: Rules,
): number | null {
  const { kind, unit } = QUANTITIES[quantity];
  const name = methodology.consensus.classOf[quantity];
  if (kind === 'share') return agreement.share;
  if (kind === 'linear')
    return unit === 'percent'
      ? Math.max(agreement.linear.absolute, agreement.linear.relative * Math.abs(middle))
      : null;
  const ofScope = scope.startsWith('pool:') ? agreement.pool : scope.startsWith('venue:') ? agreement.venue : {};
  return agreement.quantities[quantity] ?? ofScope[name] ?? agreement.classes[name] ?? null;
}

function ofScope({ scope }: Observation): string {
  return scope === 'asset' ? '' : ` of ${scope.slice(0, 60)}`;
}

import { BANDS, type Band, DAY_MS } from '../src/domain/index.ts';
import { spearman } from './ranks.ts';

/** One rating of one asset at one moment. */
export interface Moment {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly score: number;
  readonly band: Band;
}

export interface TransitionMatrix {
  readonly horizonDays: number;
  readonly pairs: number;
  /** Bands that occur, best first; rows are where an asset was, columns where it is after the horizon. */
  readonly bands: readonly Band[];
  readonly counts: readonly (readonly number[])[];
  readonly shares: readonly (readonly (number | null)[])[];
  readonly unchanged: number;
  readonly changedByMoreThanTwo: number;
  /** Mean over moments of Spearman's correlation of the scores then and after the horizon; null with fewer than three assets. */
  readonly rankCorrelation: number | null;
}

export interface Stability {
  readonly assets: number;
  readonly moments: number;
  readonly from: string;
  readonly to: string;
  readonly transitions: readonly TransitionMatrix[];
  /** Population stability index of scores from month to month, by the month that is compared with the one before. */
  readonly psi: readonly { readonly month: string; readonly members: number; readonly value: number }[];
  /** Share of band changes taken back within 30 days. */
  readonly reversals: { readonly changes: number; readonly takenBack: number };
}

const REVERSAL_DAYS = 30;

/**
 * How ratings of the same assets move: transition matrices, rank correlations, PSI, reversals. Ratings of moments, without the
 * smoothing and hysteresis of published ones. `horizonsDays` are matched to the nearest later moment within a fifth of the
 * horizon (at least half a day).
 */
export function stabilityOf(moments: readonly Moment[], horizonsDays: readonly number[]): Stability | null {
  const byAsset = Map.groupBy(
    [...moments].sort((a, b) => a.at - b.at),
    (moment) => moment.id,
  );
  const first = moments.reduce((least, moment) => Math.min(least, moment.at), Number.POSITIVE_INFINITY);
  const last = moments.reduce((most, moment) => Math.max(most, moment.at), Number.NEGATIVE_INFINITY);
  if (![...byAsset.values()].some((row) => row.length > 1)) return null;
  return {
    assets: byAsset.size,
    moments: moments.length,
    from: new Date(first).toISOString().slice(0, 10),
    to: new Date(last).toISOString().slice(0, 10),
    transitions: horizonsDays
      .map((days) => transitionsAfter([...byAsset.values()], days))
      .filter((matrix) => matrix.pairs > 0),
    psi: monthlyPsi(moments),
    reversals: reversalsOf([...byAsset.values()]),
  };
}

function transitionsAfter(assets: readonly (readonly Moment[])[], horizonDays: number): TransitionMatrix {
  const slack = Math.max(0.5, horizonDays / 5) * DAY_MS;
  const pairs = assets.flatMap((moments) => {
    let at = 0;
    return moments.flatMap((start) => {
      const wanted = start.at + horizonDays * DAY_MS;
      const distance = (index: number) => Math.abs((moments[index]?.at ?? Number.POSITIVE_INFINITY) - wanted);
      while (at + 1 < moments.length && distance(at + 1) <= distance(at)) at += 1;
      const end = moments[at];
      return end !== undefined && end.at > start.at && distance(at) <= slack ? [{ start, end }] : [];
    });
  });
  const bands = BANDS.filter((band) => pairs.some(({ start, end }) => start.band === band || end.band === band));
  const counts = bands.map((from) =>
    bands.map((to) => pairs.filter(({ start, end }) => start.band === from && end.band === to).length),
  );
  const steps = pairs.map(({ start, end }) => Math.abs(BANDS.indexOf(start.band) - BANDS.indexOf(end.band)));
  const correlations = [...Map.groupBy(pairs, ({ start }) => start.at).values()]
    .filter((row) => row.length >= 3)
    .map((row) =>
      spearman(
        row.map(({ start }) => start.score),
        row.map(({ end }) => end.score),
      ),
    )
    .filter((value) => value !== null);
  return {
    horizonDays,
    pairs: pairs.length,
    bands,
    counts,
    shares: counts.map((row) => {
      const total = row.reduce((sum, count) => sum + count, 0);
      return row.map((count) => (total === 0 ? null : count / total));
    }),
    unchanged: steps.filter((step) => step === 0).length / Math.max(1, pairs.length),
    changedByMoreThanTwo: steps.filter((step) => step > 2).length / Math.max(1, pairs.length),
    rankCorrelation:
      correlations.length === 0 ? null : correlations.reduce((sum, value) => sum + value, 0) / correlations.length,
  };
}

function monthlyPsi(moments: readonly Moment[]): Stability['psi'] {
  const months = [...Map.groupBy(moments, (moment) => new Date(moment.at).toISOString().slice(0, 7))].sort(
    ([a], [b]) => (a < b ? -1 : 1),
  );
  return months.slice(1).flatMap(([month, rows], index) => {
    const before = months[index]?.[1] ?? [];
    const value = populationStabilityIndex(
      before.map((row) => row.score),
      rows.map((row) => row.score),
    );
    return value === null ? [] : [{ month, members: rows.length, value }];
  });
}

/** The fewest members with which ten shares say anything. */
const FEWEST = 20;

/**
 * PSI of two samples over the tenths of the first: sum (q - p) ln(q / p). Below .1 stable, above .25 an alarm. Empty tenths count
 * as half a member. Null with fewer than 20 members on a side.
 */
export function populationStabilityIndex(reference: readonly number[], sample: readonly number[]): number | null {
  if (reference.length < FEWEST || sample.length < FEWEST) return null;
  const sorted = Float64Array.from(reference).sort();
  const edges = [
    ...new Set(Array.from({ length: 9 }, (_, index) => sorted[Math.floor(((index + 1) * sorted.length) / 10)] ?? 0)),
  ];
  const sharesOf = (values: readonly number[]) => {
    const counts = new Array<number>(edges.length + 1).fill(0);
    for (const value of values) {
      const place = edges.findIndex((edge) => value < edge);
      const at = place < 0 ? edges.length : place;
      counts[at] = (counts[at] ?? 0) + 1;
    }
    return counts.map((count) => Math.max(count, 0.5) / values.length);
  };
  const [p, q] = [sharesOf(reference), sharesOf(sample)];
  return q.reduce(
    (sum, share, index) => sum + (share - (p[index] ?? share)) * Math.log(share / (p[index] ?? share)),
    0,
  );
}

function reversalsOf(assets: readonly (readonly Moment[])[]): Stability['reversals'] {
  let [changes, takenBack] = [0, 0];
  for (const moments of assets)
    for (let index = 1; index < moments.length; index += 1) {
      const [before, now] = [moments[index - 1], moments[index]];
      if (!before || !now || before.band === now.band) continue;
      changes += 1;
      const next = moments.slice(index + 1).find((later) => later.band !== now.band);
      if (next && next.band === before.band && next.at - now.at <= REVERSAL_DAYS * DAY_MS) takenBack += 1;
    }
  return { changes, takenBack };
}

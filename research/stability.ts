import { BANDS, type Band, DAY_MS, FACTOR_CODES } from '../src/domain/index.ts';
import { aucOf, discriminationOf, ranksOf, spearman, tallyOf } from './discrimination.ts';
import type { Panel } from './panel.ts';
import { type Change, published, rescore } from './rescore.ts';
import type { ScoredMember } from './score-member.ts';

/** One rating of one asset at one time. */
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
  /** Bands that occur, best first; rows are the bands before, columns the bands after the horizon. */
  readonly bands: readonly Band[];
  readonly counts: readonly (readonly number[])[];
  readonly shares: readonly (readonly (number | null)[])[];
  readonly unchanged: number;
  readonly changedByMoreThanTwo: number;
  /**
   * Mean over times of Spearman's correlation of the scores before and after the horizon; null with fewer than three
   * assets.
   */
  readonly rankCorrelation: number | null;
}

export interface Stability {
  readonly assets: number;
  readonly moments: number;
  readonly from: string;
  readonly to: string;
  readonly transitions: readonly TransitionMatrix[];
  /** Population stability index of scores from month to month, by the later month. */
  readonly psi: readonly { readonly month: string; readonly members: number; readonly value: number }[];
  /** Share of band changes reversed within 30 days. */
  readonly reversals: { readonly changes: number; readonly takenBack: number };
}

const REVERSAL_DAYS = 30;

/**
 * Changes of ratings of the same assets: transition matrices, rank correlations, PSI, reversals. The ratings are
 * momentary, without the smoothing and hysteresis of published ones. `horizonsDays` are matched to the nearest later
 * time within a fifth of the horizon (at least half a day).
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

/** Least number of members for ten meaningful shares. */
const FEWEST = 20;

/**
 * PSI of two samples over the tenths of the first: sum (q - p) ln(q / p). Below 0.1 is stable, above 0.25 an alarm. An
 * empty tenth counts as half a member. Null with fewer than 20 members on a side.
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

export interface Ablation {
  readonly kind: 'feature' | 'factor' | 'cap';
  readonly name: string;
  /** Members with a value, or to which the cap applies. */
  readonly members: number;
  readonly auc: number;
  /** AUC with it minus AUC without it. */
  readonly worth: number;
  /** AUC of its own points alone; null for caps. */
  readonly alone: number | null;
}

/** Contribution of each feature, factor and cap: compared with the score without it, everything else unchanged. */
export function ablationOf(
  panel: Panel,
  scored: readonly ScoredMember[],
  failed: readonly boolean[],
): readonly Ablation[] {
  const aucWith = (change: Change) => aucOf(published(rescore(panel, change)), failed) ?? 0.5;
  const whole = aucWith({});
  const width = panel.features.length;
  const features = panel.features.map(({ id }, at): Ablation => {
    const rows = scored.flatMap((_, row) => ((panel.confidence[row * width + at] ?? 0) > 0 ? [row] : []));
    const auc = aucWith({ without: new Set([at]) });
    return {
      kind: 'feature',
      name: id,
      members: rows.length,
      auc,
      worth: whole - auc,
      alone: aucOf(
        rows.map((row) => panel.points[row * width + at] ?? 0),
        rows.map((row) => failed[row] ?? false),
      ),
    };
  });
  const factors = FACTOR_CODES.flatMap((code, factor): Ablation[] => {
    const places = panel.features.flatMap((feature, at) => (feature.factor === factor ? [at] : []));
    if (places.length === 0) return [];
    const auc = aucWith({ without: new Set(places) });
    return [
      {
        kind: 'factor',
        name: code,
        members: scored.filter((_, row) => places.some((at) => (panel.confidence[row * width + at] ?? 0) > 0)).length,
        auc,
        worth: whole - auc,
        alone: aucOf(
          scored.map((member) => member.factors[factor]?.score ?? 0),
          failed,
        ),
      },
    ];
  });
  const codes = [...new Set(scored.flatMap((member) => member.caps.map((cap) => cap.code)))].sort();
  const caps = codes.map((code): Ablation => {
    const cap = scored.map((member) =>
      member.caps.reduce(
        (least, row) => (row.code === code ? least : Math.min(least, row.cap)),
        Number.POSITIVE_INFINITY,
      ),
    );
    const auc = aucOf(published(rescore({ ...panel, cap: Float64Array.from(cap) })), failed) ?? 0.5;
    return {
      kind: 'cap',
      name: code,
      members: scored.filter((member) => member.caps.some((row) => row.code === code && row.binding)).length,
      auc,
      worth: whole - auc,
      alone: null,
    };
  });
  return [...features, ...factors, ...caps];
}

export interface AggregationVariant {
  readonly name: string;
  readonly auc: number;
  readonly ks: number;
  /** Spearman's correlation with the published score; null when one of them is constant. */
  readonly rankCorrelation: number | null;
}

const VARIANTS: readonly { readonly name: string; readonly change: Change }[] = [
  { name: 'as published', change: {} },
  { name: 'without caps', change: { caps: false } },
  { name: 'geometric, floor 1', change: { floor: 1 } },
  { name: 'arithmetic', change: { power: 1 } },
  { name: 'power mean, p = 1/2', change: { power: 0.5 } },
  { name: 'power mean, p = -1/2', change: { power: -0.5 } },
  { name: 'harmonic', change: { power: -1 } },
  { name: 'minimum', change: { power: Number.NEGATIVE_INFINITY } },
];

/** Other ways to combine the same facts (methodology 3.1 and 7.2). */
export function aggregationVariants(panel: Panel, failed: readonly boolean[]): readonly AggregationVariant[] {
  const reference = rescore(panel);
  const ranked = { ...panel, points: rankPoints(panel) };
  const variants = [
    ...VARIANTS.map(({ name, change }) => ({ name, scores: rescore(panel, change) })),
    { name: 'ranks in place of value functions', scores: rescore(ranked) },
  ];
  return variants.flatMap(({ name, scores }) => {
    const measured = discriminationOf(tallyOf(published(scores), failed).tally);
    return measured === null
      ? []
      : [{ name, auc: measured.auc, ks: measured.ks, rankCorrelation: spearman(scores, reference) }];
  });
}

/** Points by rank among the members with the feature, 0 to 100, which keeps only the direction of a value function. */
function rankPoints(panel: Panel): Float64Array {
  const width = panel.features.length;
  const points = Float64Array.from(panel.points);
  for (let at = 0; at < width; at += 1) {
    const rows: number[] = [];
    for (let row = 0; row < panel.members; row += 1) if ((panel.confidence[row * width + at] ?? 0) > 0) rows.push(row);
    const ranks = ranksOf(rows.map((row) => panel.points[row * width + at] ?? 0));
    for (const [index, row] of rows.entries())
      points[row * width + at] = (100 * ((ranks[index] ?? 0) - 0.5)) / rows.length;
  }
  return points;
}

import { FACTOR_CODES } from '../src/domain/index.ts';
import { aucOf, discriminationOf, tallyOf } from './discrimination.ts';
import { type Change, type Panel, published, rescore } from './panel.ts';
import { ranksOf, spearman } from './ranks.ts';
import type { ScoredMember } from './score-member.ts';

export interface Ablation {
  readonly kind: 'feature' | 'factor' | 'cap';
  readonly name: string;
  /** Members for whom it is known, or whom the cap binds. */
  readonly members: number;
  readonly auc: number;
  /** AUC with it less AUC without it: what it is worth. */
  readonly worth: number;
  /** AUC of its own points alone; null for caps. */
  readonly alone: number | null;
}

/** What each feature, factor and cap is worth: the score without it, everything else as it is. */
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
  /** Spearman's correlation with the score as published; null when one of them is constant. */
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

/** The same facts put together in other ways (methodology 3.1 and 7.2). */
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

/** Points by rank among the members that know the feature, 0 to 100: what is left of a value function is its direction. */
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

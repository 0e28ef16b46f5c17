import type { ScoreRecord } from '../contract/index.ts';
import { BANDS, type Band } from '../domain/index.ts';
import { bandOf, type Methodology } from '../methodology/index.ts';
import type { Dependency } from './dependencies.ts';
import type { Verdict } from './judge.ts';
import { type Outcome, stricter } from './rules.ts';
import { createSpreader, type DependencyGraph } from './shock.ts';
import shocks from './shocks.json' with { type: 'json' };

/** Assumptions, which callers see with the results. */
export const SHOCKS = shocks;

/** One asset of a portfolio, with the sum of its positions. */
export interface Held {
  readonly assetId: string;
  readonly valueUsd: number;
  readonly record: ScoreRecord | null;
  readonly dependencies: readonly Dependency[];
}

/** The portfolio as a whole. */
export interface Whole {
  readonly outcome: Outcome;
  readonly valueUsd: number;
  /** Mean of the scores by value over the rated assets; null where none is rated. */
  readonly score: number | null;
  /** Band of that mean; none where less than half of the value is rated. */
  readonly band: Band;
  readonly worst: { readonly assetId: string; readonly band: Band } | null;
  /** Share of the value without a band, 0-1. */
  readonly uncovered: number;
  /** Share of the value by outcome, 0-1. */
  readonly shares: Readonly<Record<Outcome, number>>;
}

/** A smaller rated part does not represent the portfolio. */
const LEAST_COVERED = 0.5;

export function wholeOf(
  positions: readonly {
    readonly assetId: string | null;
    readonly valueUsd: number;
    readonly record: ScoreRecord | null;
    readonly verdict: Verdict;
  }[],
  methodology: Methodology,
): Whole {
  const sum = (rows: typeof positions) => rows.reduce((total, { valueUsd }) => total + valueUsd, 0);
  const whole = sum(positions);
  const share = (rows: typeof positions) => (whole > 0 ? sum(rows) / whole : 0);
  const rated = positions.filter(({ record }) => record !== null && record.score !== null && record.band !== 'NR');
  const ratedUsd = sum(rated);
  const score =
    ratedUsd > 0
      ? rated.reduce((total, { record, valueUsd }) => total + (record?.score ?? 0) * valueUsd, 0) / ratedUsd
      : null;
  const covered = share(rated);
  const worst = rated
    .map(({ record }) => ({ assetId: record?.asset.id ?? '', band: record?.band ?? ('NR' as Band) }))
    .toSorted((a, b) => BANDS.indexOf(b.band) - BANDS.indexOf(a.band) || (a.assetId < b.assetId ? -1 : 1))[0];
  const of = (outcome: Outcome) => share(positions.filter(({ verdict }) => verdict.outcome === outcome));
  return {
    outcome: positions.reduce<Outcome>((found, { verdict }) => stricter(found, verdict.outcome), 'allow'),
    valueUsd: whole,
    score: score === null ? null : Math.round(score * 10) / 10,
    band: score === null || covered < LEAST_COVERED ? 'NR' : bandOf(score, methodology),
    worst: worst ?? null,
    uncovered: positions.length === 0 || whole === 0 ? 1 : Math.max(0, 1 - covered),
    shares: { allow: of('allow'), caution: of('caution'), block: of('block') },
  };
}

/**
 * The graph of a portfolio: assets by id, dependencies by kind and name. The order of the positions does not change the
 * graph.
 */
export interface PortfolioGraph {
  readonly graph: DependencyGraph;
  /** By node. */
  readonly values: readonly number[];
  readonly chances: readonly { readonly chance: number; readonly basis: 'rating' | 'defaulted' | 'assumed' }[];
  /** By node: the asset, or the kind of the dependency. */
  readonly kinds: readonly ('asset' | Dependency['kind'])[];
}

const nodeName = ({ kind, name }: Dependency) =>
  kind === 'underlying' && name.includes('/') ? name : `${kind}:${name}`;

export function portfolioGraph(held: readonly Held[]): PortfolioGraph {
  const kinds = new Map<string, 'asset' | Dependency['kind']>();
  for (const { dependencies } of held) for (const one of dependencies) kinds.set(nodeName(one), one.kind);
  for (const { assetId } of held) kinds.set(assetId, 'asset');
  const nodes = [...kinds.keys()].toSorted();
  const placeOf = new Map(nodes.map((name, place) => [name, place]));
  const place = (name: string) => placeOf.get(name) ?? 0;
  const byId = new Map(held.map((one) => [one.assetId, one]));
  return {
    graph: {
      nodes,
      edges: held.flatMap(({ assetId, dependencies }) =>
        dependencies.map((one) => ({ from: place(nodeName(one)), to: place(assetId), share: one.share })),
      ),
    },
    values: nodes.map((name) => byId.get(name)?.valueUsd ?? 0),
    chances: nodes.map((name) => {
      const kind = kinds.get(name) ?? 'asset';
      const known = kind === 'asset' ? chanceOf(byId.get(name)?.record ?? null) : null;
      return known ?? { chance: shocks.yearly_failure[kind], basis: 'assumed' as const };
    }),
    kinds: nodes.map((name) => kinds.get(name) ?? 'asset'),
  };
}

/**
 * Probability that an asset fails within a year according to its rating: the value, or the upper end of an interval.
 */
function chanceOf(record: ScoreRecord | null): PortfolioGraph['chances'][number] | null {
  if (record === null) return null;
  if (record.default !== null) return { chance: 1, basis: 'defaulted' };
  const year = record.failure_probability?.find(({ horizon }) => horizon === '365d');
  const chance = year?.value ?? year?.interval?.[1] ?? null;
  return chance === null ? null : { chance, basis: 'rating' };
}

/** What a portfolio loses when one dependency fails completely. */
export interface Breakage {
  readonly kind: Dependency['kind'] | 'asset';
  readonly name: string;
  /** Share of the portfolio's value, 0-1. */
  readonly loss: number;
  readonly positions: readonly { readonly assetId: string; readonly loss: number }[];
}

/** Common failures: each dependency of the positions, and what fails with it, the largest loss first. */
export function breakagesOf({ graph, values, kinds }: PortfolioGraph): readonly Breakage[] {
  const { spread } = createSpreader(graph);
  const whole = values.reduce((sum, value) => sum + value, 0);
  return graph.nodes
    .map((name, node): Breakage => {
      const losses = new Float64Array(graph.nodes.length);
      losses[node] = 1;
      spread(losses);
      const hit = graph.nodes.flatMap((assetId, at) =>
        (losses[at] ?? 0) > 0 && (values[at] ?? 0) > 0
          ? [{ assetId, loss: losses[at] ?? 0, usd: (losses[at] ?? 0) * (values[at] ?? 0) }]
          : [],
      );
      const kind = kinds[node] ?? 'asset';
      return {
        kind,
        name: kind !== 'asset' && name.startsWith(`${kind}:`) ? name.slice(kind.length + 1) : name,
        loss: whole > 0 ? hit.reduce((sum, { usd }) => sum + usd, 0) / whole : 0,
        positions: hit
          .toSorted((a, b) => b.usd - a.usd || (a.assetId < b.assetId ? -1 : 1))
          .map(({ assetId, loss }) => ({ assetId, loss })),
      };
    })
    .filter(({ kind, positions }) => positions.length > (kind === 'asset' ? 1 : 0))
    .toSorted((a, b) => b.loss - a.loss || (a.name < b.name ? -1 : 1));
}

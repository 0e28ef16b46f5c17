import { useQuery } from '@tanstack/react-query';
import { AssayProblem, read } from '../data/service.ts';
import type { Breakdown, Factor, Feature, Job, Quantity, Rating, ReplyOf, ScoreResult } from '../types.ts';

export type Counterfactual = ReplyOf<'GET /v1/rms/{asset}/counterfactual'>;
export type Peers = ReplyOf<'GET /v1/rms/{asset}/peers'>;
export type ArchivedReply = ScoreResult['evidence'][number];

/** Everything shown of one published rating. Null: not loaded yet, or refused to this key. */
export interface Facts {
  readonly rating: Rating;
  readonly breakdown: Breakdown | null;
  /** Why there is none; null while loading. */
  readonly noBreakdown: string | null;
  /** The score behind the rating, with each observation; requires the scope `score`. */
  readonly full: ScoreResult | null;
  readonly isFullRefused: boolean;
  /** It is loading. */
  readonly isFullAwaited: boolean;
  readonly counterfactual: Counterfactual | null;
  /** Why there is none; null while loading. */
  readonly noCounterfactual: string | null;
  readonly peers: Peers | null;
  /** By quantity, or `quantity@scope`. */
  readonly quantities: ReadonlyMap<string, Quantity>;
  readonly replies: ReadonlyMap<string, ArchivedReply>;
}

const FOR_GOOD = { staleTime: Number.POSITIVE_INFINITY };

/** Reads everything shown of a rating: the rating first, the rest in parallel. */
export function useFacts(rating: Rating): Facts {
  const asset = rating.asset.id;
  const breakdown = useQuery(read('GET /v1/rms/{asset}/breakdown', { path: { asset } }));
  const job = useQuery({
    ...read('GET /v1/jobs/{id}', { path: { id: rating.job_id }, query: { output_format: 'full' } }),
    ...FOR_GOOD,
  });
  const counterfactual = useQuery(read('GET /v1/rms/{asset}/counterfactual', { path: { asset } }));
  const peers = useQuery(read('GET /v1/rms/{asset}/peers', { path: { asset } }));
  const full = (job.data as Job | undefined)?.result ?? null;
  return {
    rating,
    breakdown: breakdown.data ?? null,
    noBreakdown: refusalOf(breakdown.error),
    full,
    isFullRefused: job.error !== null,
    isFullAwaited: job.isPending,
    counterfactual: counterfactual.data ?? null,
    noCounterfactual: refusalOf(counterfactual.error),
    peers: peers.data ?? null,
    quantities: new Map((full?.quantities ?? []).map((row) => [keyOf(row), row])),
    replies: new Map((full?.evidence ?? []).map((reply) => [reply.id, reply])),
  };
}

/** Why the service refused, or that it cannot be reached; null without an error. */
export function refusalOf(error: Error | null): string | null {
  if (error === null) return null;
  return error instanceof AssayProblem ? (error.problem.detail ?? error.problem.title) : error.message;
}

export function keyOf({ quantity, scope }: Pick<Quantity, 'quantity' | 'scope'>): string {
  return scope === 'asset' ? quantity : `${quantity}@${scope}`;
}

export function numberOf({ quantities }: Facts, key: string): number | null {
  const value = quantities.get(key)?.value;
  return typeof value === 'number' ? value : null;
}

/** It has no token yet, and so no holders, market or supply. */
export function isBeforeToken({ rating }: Facts): boolean {
  return rating.stage === 'pre_tge';
}

/** The decisive features of a factor, those first that move it most from its middle. */
export function decidersOf(factor: Factor): readonly Feature[] {
  const reach = (feature: Feature) =>
    feature.score === null ? 0 : feature.weight * feature.confidence * Math.abs(feature.score - 50);
  return factor.features
    .filter(({ status, value }) => status === 'observed' && value !== null)
    .toSorted((a, b) => reach(b) - reach(a));
}

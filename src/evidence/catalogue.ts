import type { AskOutcome } from '../domain/index.ts';
import type { Upstream } from '../upstream/index.ts';
import { askOnce } from './ask.ts';
import type { BoundSource, SourceBook } from './book.ts';
import { factsOfAsset } from './inspect.ts';

/** One source for `assay sources list`. */
export interface SourceRow {
  readonly name: string;
  readonly title: string;
  readonly enabled: boolean;
  readonly reason: string | null;
  readonly family: string;
  readonly tier: string;
  readonly endpoints: readonly string[];
  readonly perMinute: number;
  readonly redistribute: boolean;
  readonly attribution: string | null;
}

export interface ProbeResult {
  readonly source: string;
  readonly endpoint: string;
  readonly outcome: AskOutcome;
  readonly milliseconds: number;
  readonly observations: number;
  readonly detail: string | null;
}

/** The catalogue as it is set up here. */
export function catalogueOf(book: SourceBook): readonly SourceRow[] {
  return [...book.values()].map(({ source, enabled, reason }) => ({
    name: source.name,
    title: source.title,
    enabled,
    reason,
    family: source.family,
    tier: source.tier,
    endpoints: source.endpoints.map((endpoint) => endpoint.name),
    perMinute: source.budget.perMinute,
    redistribute: source.terms.redistribute,
    attribution: source.terms.attribution?.text ?? null,
  }));
}

const PROBE_MS = 15_000;

/** Asks each source that is on one question about well-known assets and says what came of it. */
export async function* probeSources(
  book: SourceBook,
  upstream: Upstream,
  now: () => number,
  assets: readonly string[],
): AsyncIterable<ProbeResult> {
  for (const bound of book.values()) {
    if (!bound.enabled) continue;
    yield await probe(bound, upstream, now, assets);
  }
}

async function probe(
  bound: BoundSource,
  upstream: Upstream,
  now: () => number,
  assets: readonly string[],
): Promise<ProbeResult> {
  const nothing = {
    source: bound.source.name,
    endpoint: '',
    outcome: 'unsupported' as const,
    milliseconds: 0,
    observations: 0,
    detail: 'it has no question that an address alone can ask',
  };
  for (const endpoint of bound.source.endpoints) {
    const params =
      endpoint.role === 'bulk'
        ? {}
        : assets.map((asset) => firstPlan(endpoint.plan, asset)).find((plan) => plan !== null);
    if (!params) continue;
    const tools = {
      upstream,
      now,
      signal: AbortSignal.timeout(PROBE_MS),
      ticks: () => performance.now(),
      deadlineAt: performance.now() + PROBE_MS,
      traceparent: null,
    };
    const { record, observations } = await askOnce(bound, endpoint, params, 'probe', tools);
    return {
      source: record.source,
      endpoint: record.endpoint,
      outcome: record.outcome,
      milliseconds: record.milliseconds,
      observations: observations.length,
      detail: record.detail,
    };
  }
  return nothing;
}

function firstPlan(plan: BoundSource['source']['endpoints'][number]['plan'], asset: string) {
  const facts = factsOfAsset(asset);
  return facts ? (plan(facts)[0] ?? null) : null;
}

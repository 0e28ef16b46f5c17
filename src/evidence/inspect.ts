import canonicalize from 'canonicalize';
import { findChain, parseAssetId } from '../chains/index.ts';
import { type EvidenceRecord, NO_KEYS, type Observation, type RequestOutcome } from '../domain/index.ts';
import type { Facts, Params, Source } from '../sources/index.ts';
import type { Upstream } from '../upstream/index.ts';
import { sortObservations } from './assemble.ts';
import type { BoundSource, SourceBook } from './book.ts';
import { metaOf, readReply, weighted } from './read-reply.ts';
import { requestOnce } from './request-once.ts';

export type ParsedReply =
  | {
      readonly ok: true;
      readonly outcome: string;
      readonly detail: string | null;
      readonly observations: readonly Observation[];
    }
  | { readonly ok: false; readonly detail: string };

/**
 * Reads one saved reply as the service would, to debug a source. `given` overrides or adds parameters that do not
 * follow from the asset (`id`, `slug`, ...).
 */
export function parseSavedReply(
  sources: readonly Source[],
  question: {
    readonly source: string;
    readonly endpoint: string;
    readonly asset: string;
    readonly given: Params;
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly fetchedAt: string;
  },
  body: Uint8Array,
): ParsedReply {
  const source = sources.find((row) => row.name === question.source);
  if (!source)
    return {
      ok: false,
      detail: `there is no source ${question.source}; the sources are ${sources.map((row) => row.name).join(', ')}`,
    };
  const endpoint = source.endpoints.find((row) => row.name === question.endpoint);
  if (!endpoint)
    return {
      ok: false,
      detail: `${source.name} has no endpoint ${question.endpoint}; it has ${source.endpoints.map((row) => row.name).join(', ')}`,
    };
  const facts = factsOfAsset(question.asset);
  if (!facts)
    return {
      ok: false,
      detail:
        'the asset must be a CAIP-19 id (solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp/token:<mint>, eip155:1/erc20:0x...), <chain>:<address> or project:<domain>',
    };
  const planned = endpoint.plan(facts)[0] ?? { chain: facts.chain?.name ?? null, address: facts.address };
  const meta = { status: question.status, headers: question.headers, fetchedAt: question.fetchedAt, url: '' };
  const read = readReply(
    source,
    endpoint,
    { ...planned, ...question.given },
    body,
    meta,
    `${source.name}.${endpoint.name}#saved`,
  );
  return { ok: true, outcome: read.outcome, detail: read.detail, observations: read.observations };
}

/** A CAIP-19 id of any chain. */
const ELSEWHERE = /^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}\/[-a-z0-9]{3,8}:[-.%a-zA-Z0-9]{1,128}$/;

/** Facts that follow from an asset id alone. */
export function factsOfAsset(id: string): Facts | null {
  const nobody = {
    project: '',
    symbol: null,
    chain: null,
    address: null,
    websiteUrl: null,
    registrableDomain: null,
    keys: NO_KEYS,
    learned: {},
  };
  const project = /^project:([a-z0-9.-]{1,253})$/.exec(id);
  if (project) return { ...nobody, registrableDomain: project[1] ?? null, websiteUrl: `https://${project[1]}/` };
  const known = parseAssetId(id) ?? shortForm(id);
  // An asset of a chain without a file in `chains/`: sources know it by their own ids, which the caller gives.
  if (!known && ELSEWHERE.test(id)) return nobody;
  if (!known) return null;
  return {
    ...nobody,
    chain: known.chain,
    address: known.address,
    keys: { ...NO_KEYS, deployments: [{ chain: known.chain.name, address: known.address }] },
  };
}

function shortForm(id: string) {
  const split = id.lastIndexOf(':');
  const chain = split > 0 ? findChain(id.slice(0, split)) : null;
  const address = id.slice(split + 1);
  return chain ? { chain, address: chain.kind === 'evm' ? address.toLowerCase() : address } : null;
}

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
  readonly outcome: RequestOutcome;
  readonly milliseconds: number;
  readonly observations: number;
  readonly detail: string | null;
  /** True if it is read from files of this installation and needs no network. */
  readonly isLocal: boolean;
}

/** The catalogue with the settings of this installation. */
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

/** Sends one request about well-known assets to each enabled source and reports the outcome. */
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
    detail: 'it has no request that needs only an address',
    isLocal: false,
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
    const { record, observations } = await requestOnce(bound, endpoint, params, 'probe', tools);
    return {
      source: record.source,
      endpoint: record.endpoint,
      outcome: record.outcome,
      milliseconds: record.milliseconds,
      observations: observations.length,
      detail: record.detail,
      isLocal: record.url.startsWith('file:'),
    };
  }
  return nothing;
}

function firstPlan(plan: BoundSource['source']['endpoints'][number]['plan'], asset: string) {
  const facts = factsOfAsset(asset);
  return facts ? (plan(facts)[0] ?? null) : null;
}

export interface Reobserved {
  /** Replies whose body is still kept and was read again. */
  readonly bodies: number;
  /** Replies that gave observations but whose body was not kept (terms or the operator's setting). */
  readonly gone: number;
  /** Observations read from the bodies that are kept, otherwise from the archive. */
  readonly observations: readonly Observation[];
  /** Replies whose body no longer gives the archived observations, since the adapter or the archive has changed. */
  readonly different: readonly string[];
}

/**
 * Reads the archived bodies again with the current source files. `bodyOf` returns the decoded body of a hash, or null
 * when it is no longer kept; it must verify the hash.
 */
export async function reobserve(
  evidence: EvidenceRecord,
  book: SourceBook,
  bodyOf: (sha256: string) => Promise<Uint8Array | null>,
): Promise<Reobserved> {
  const byResponse = Map.groupBy(evidence.observations, ({ responseId }) => responseId);
  const fresh: Observation[] = [];
  const different: string[] = [];
  let bodies = 0;
  let gone = 0;
  const foreign = new Set(evidence.identification.foreignResponses);
  for (const record of evidence.responses) {
    if (foreign.has(record.id)) continue;
    const archived = byResponse.get(record.id) ?? [];
    const source = book.get(record.source)?.source;
    const endpoint = source?.endpoints.find((row) => row.name === record.endpoint);
    const body = record.sha256 === null || record.outcome !== 'ok' ? null : await bodyOf(record.sha256);
    if (!body || !source || !endpoint) {
      if (archived.length > 0) gone += 1;
      fresh.push(...archived);
      continue;
    }
    bodies += 1;
    const { observations: plain } = readReply(
      source,
      endpoint,
      record.params as Record<string, never>,
      body,
      metaOf(record),
      record.id,
    );
    // The body does not contain the weight that its source had at the time of the collection.
    const observations = plain.map((observation) => weighted(observation, archived[0]?.sourceWeight ?? 1));
    if (record.carriedFrom !== undefined) {
      // Only observations that were recent enough were carried over from an earlier reply.
      const again = new Set(observations.map((observation) => canonicalize(observation)));
      if (archived.some(({ carried: _, ...observation }) => !again.has(canonicalize(observation))))
        different.push(record.id);
      fresh.push(...archived);
      continue;
    }
    if (canonicalize(sortObservations(observations)) !== canonicalize(sortObservations(archived)))
      different.push(record.id);
    fresh.push(...observations);
  }
  return { bodies, gone, observations: sortObservations(fresh), different };
}

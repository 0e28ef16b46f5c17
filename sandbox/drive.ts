import { CHAINS } from '../src/chains/index.ts';
import { type AssetKeys, NO_KEYS } from '../src/domain/asset.ts';

import { keptHeaders, type ReadReply, readReply } from '../src/evidence/read-reply.ts';
import type { Endpoint, Facts, HttpRequestSpec, Params, Source } from '../src/sources/source.ts';
import type { FacadeReply, FacadeRequest } from './facade.ts';
import { FACADES } from './facades/index.ts';
import { RDAP_HOST } from './facades/registries.ts';
import type { Scene } from './scene.ts';
import { booksOf, DOLLAR_MARKETS } from './world/market.ts';
import type { SandboxAsset } from './world/types.ts';

export interface Driven extends ReadReply {
  readonly source: string;
  readonly endpoint: string;
  readonly params: Params;
  readonly url: string;
  readonly status: number;
  readonly body: Buffer;
  readonly contentType: string;
}

/** Changes a reply before it is read; default: none. */
export type Rewrite = (request: FacadeRequest, reply: FacadeReply) => FacadeReply;

/** The identity of an asset of the world. */
export function factsOf(asset: SandboxAsset): Facts {
  const chain = CHAINS.find((row) => row.name === asset.chain) ?? null;
  const listed = asset.traits.listed && chain !== null;
  const keys: AssetKeys = {
    coingeckoId: listed ? asset.coingeckoId : null,
    cmcId: listed ? String(asset.cmcId) : null,
    coinpaprikaId: listed ? asset.paprikaId : null,
    defillamaSlug: asset.tvlUsd === undefined ? null : asset.llamaSlug,
    githubRepos: asset.repo ? [asset.repo] : [],
    deployments: chain ? [{ chain: chain.name, address: asset.address }] : [],
    cexPairs: Object.keys(booksOf(asset)).map((venue) => ({
      venue,
      symbol: `${asset.symbol.toUpperCase()}-${DOLLAR_MARKETS.has(venue) ? 'USD' : 'USDT'}`,
    })),
  };
  return {
    project: asset.name,
    symbol: asset.symbol || null,
    chain,
    address: asset.address || null,
    websiteUrl: asset.url,
    registrableDomain: asset.domain,
    keys,
    learned: {},
  };
}

/** The identity of a chain's native coin; `chain` is null where the chain has no file here. */
export function factsOfCoin(project: string, coingeckoId: string, chain: string | null = null): Facts {
  return {
    project,
    symbol: null,
    chain: CHAINS.find((row) => row.name === chain) ?? null,
    address: chain === null ? null : 'native',
    websiteUrl: null,
    registrableDomain: null,
    keys: { ...NO_KEYS, coingeckoId },
    learned: {},
  };
}

/**
 * Sends all requests that a source plans for an asset directly to the facade without a socket, including those planned
 * from earlier replies. TLS endpoints are left out, since they need a connection, and so are local files.
 */
export function driveSource(source: Source, start: Facts, scene: Scene, rewrite?: Rewrite): readonly Driven[] {
  let facts = start;
  const done = new Map<string, Driven>();
  for (let round = 0; round < 6; round += 1) {
    const before = done.size;
    for (const endpoint of source.endpoints) {
      if (endpoint.format === 'tls' || endpoint.made !== undefined || endpoint.role === 'identify') continue;
      for (const params of endpoint.plan(facts)) {
        const key = `${endpoint.name} ${JSON.stringify(params)}`;
        if (done.has(key)) continue;
        const driven = requestFacade(source, endpoint, params, scene, rewrite);
        done.set(key, driven);
        facts = { ...facts, learned: { ...facts.learned, ...driven.learned } };
      }
    }
    if (done.size === before) break;
  }
  return [...done.values()];
}

/** One request to the facade of a source, read as the collector reads it. */
export function requestFacade(
  source: Source,
  endpoint: Endpoint,
  params: Params,
  scene: Scene,
  rewrite: Rewrite = (_request, reply) => reply,
): Driven {
  const spec = endpoint.request(params);
  const { request, url } = facadeRequest(source.name, spec);
  const facade = FACADES[request.source];
  if (!facade) throw new Error(`no facade for ${request.source}`);
  const reply = rewrite(request, facade(request, scene));
  const text = reply.text ?? JSON.stringify(reply.json ?? null);
  const contentType = reply.contentType ?? 'application/json';
  const meta = {
    status: reply.status ?? 200,
    headers: keptHeaders({ 'content-type': contentType, ...reply.headers }),
    fetchedAt: new Date(scene.now).toISOString(),
    url,
  };
  const body = Buffer.from(text);
  const read = readReply(source, endpoint, params, body, meta, 'test#00000000');
  return { ...read, source: source.name, endpoint: endpoint.name, params, url, status: meta.status, body, contentType };
}

function facadeRequest(source: string, spec: HttpRequestSpec): { request: FacadeRequest; url: string } {
  const base = spec.base ?? 'main';
  const url = new URL(spec.url ?? `http://sandbox.invalid${spec.path ?? '/'}`);
  for (const [name, value] of Object.entries(spec.query ?? {})) {
    if (value !== undefined) url.searchParams.append(name, String(value));
  }
  const named = spec.url !== undefined && url.hostname.endsWith('.example');
  return {
    url: url.href,
    request: {
      source: named ? (url.hostname === RDAP_HOST ? 'rdap' : 'website') : source,
      base,
      method: spec.method ?? (spec.body === undefined ? 'GET' : 'POST'),
      path: url.pathname,
      query: url.searchParams,
      body: spec.body ?? null,
      host: url.hostname,
    },
  };
}

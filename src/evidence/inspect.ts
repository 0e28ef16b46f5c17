import { findChain, parseAssetId } from '../chains/index.ts';
import type { Observation } from '../domain/index.ts';
import { NO_KEYS } from '../domain/index.ts';
import type { Facts, Params, Source } from '../sources/index.ts';
import { readReply } from './read-reply.ts';

export type ParsedReply =
  | {
      readonly ok: true;
      readonly outcome: string;
      readonly detail: string | null;
      readonly observations: readonly Observation[];
    }
  | { readonly ok: false; readonly detail: string };

/**
 * Reads one saved reply as the service would: how an operator debugs a source. `given` overrides or completes the
 * parameters that the asset alone does not give (`id`, `slug`, ...).
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

/** A CAIP-19 id, of whatever chain. */
const ELSEWHERE = /^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}\/[-a-z0-9]{3,8}:[-.%a-zA-Z0-9]{1,128}$/;

/** Facts that follow from an asset id alone. */
export function factsOfAsset(id: string): Facts | null {
  const keys = NO_KEYS;
  const nobody = {
    project: '',
    symbol: null,
    chain: null,
    address: null,
    websiteUrl: null,
    registrableDomain: null,
    keys,
    learned: {},
  };
  const project = /^project:([a-z0-9.-]{1,253})$/.exec(id);
  if (project) return { ...nobody, registrableDomain: project[1] ?? null, websiteUrl: `https://${project[1]}/` };
  const known = parseAssetId(id) ?? shortForm(id);
  // An asset of a chain that has no file here: sources know it by their own ids, which are given.
  if (!known && ELSEWHERE.test(id)) return nobody;
  if (!known) return null;
  return {
    ...nobody,
    chain: known.chain,
    address: known.address,
    keys: { ...keys, deployments: [{ chain: known.chain.name, address: known.address }] },
  };
}

function shortForm(id: string) {
  const split = id.lastIndexOf(':');
  const chain = split > 0 ? findChain(id.slice(0, split)) : null;
  const address = id.slice(split + 1);
  return chain ? { chain, address: chain.kind === 'evm' ? address.toLowerCase() : address } : null;
}

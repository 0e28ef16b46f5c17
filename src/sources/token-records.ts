import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { type Chain, isAddressOn, isNoToken } from '../chains/index.ts';
import { BLANK_RECORD, type TokenDraft, type TokenRecord } from '../domain/index.ts';
import { asciiDomain, githubRepo, hostOf, registrableDomains } from './links.ts';
import { date, num, positive, text } from './read.ts';
import type { Endpoint, Params, Source } from './source.ts';

/** Maximum number of rows that are read from a list in a reply. */
const MOST_ROWS = 50;
/** Maximum length of a category. */
const LONGEST_WORD = 60;
/** Prefixes and suffixes in registry names of copies of another token. */
export const COPY_NAME = /^(bridged|wrapped)\b|\((wormhole|pos|bridged|axelar|multichain)\b[^)]*\)$/i;

// A whole list is shared by all jobs and has thousands of rows, so its records are made once per fetch.
const ofLists = new WeakMap<object, readonly TokenRecord[]>();

/**
 * The token records of a validated reply; [] for an endpoint without records, and if reading the reply throws.
 * `responseId`: id of the archived reply, stored in the record if the reply is about one token.
 */
export function recordsOf(
  source: Source,
  endpoint: Endpoint,
  reply: unknown,
  params: Params,
  responseId: string,
): readonly TokenRecord[] {
  const { registry } = source;
  if (endpoint.records === undefined || registry === undefined) return [];
  const isList = endpoint.role === 'bulk' && typeof reply === 'object' && reply !== null;
  const known = isList ? ofLists.get(reply) : undefined;
  if (known !== undefined) return known;
  const isOfOne = endpoint.finds?.by === 'id' || endpoint.finds?.by === 'address';
  const head = {
    source: source.name,
    family: source.family,
    curated: registry.curated,
    ofProject: registry.files === 'projects',
    responseId: isOfOne ? responseId : null,
  };
  const made = draftsOf(endpoint, reply, params).map((draft) => ({ ...BLANK_RECORD, ...draft, ...head }));
  if (isList) ofLists.set(reply, made);
  return made;
}

function draftsOf(endpoint: Endpoint, reply: unknown, params: Params): readonly TokenDraft[] {
  try {
    return endpoint.records?.(reply as never, params) ?? [];
  } catch {
    return [];
  }
}

/** Compiled checks by schema, because a reply may have hundreds of rows of one form. */
const forms = new WeakMap<TSchema, (value: unknown) => boolean>();

/** A part of a reply that the reply's schema leaves open, if it matches `schema`; otherwise undefined. Pass a constant schema, because checks are cached by identity. */
export function part<Schema extends TSchema>(schema: Schema, value: unknown): Static<Schema> | undefined {
  const fits = forms.getOrInsertComputed(schema, () => {
    const form = Compile(schema);
    return (it) => form.Check(it);
  });
  return fits(value) ? (value as Static<Schema>) : undefined;
}

/** The rows of a list that match `schema`, in order. */
export function partsOf<Schema extends TSchema>(schema: Schema, rows: readonly unknown[]): readonly Static<Schema>[] {
  return rows.flatMap((row) => part(schema, row) ?? []);
}

/** The value when it is a list, at most `most` rows of it; else []. */
export function listOf(value: unknown, most = MOST_ROWS): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, most) : [];
}

/** `chain:address` in canonical spelling; null if the text is not the address of a token on that chain. */
export function placed(chain: Chain | null | undefined, address: unknown): string | null {
  if (!chain || typeof address !== 'string' || !isAddressOn(chain, address.trim())) return null;
  const trimmed = address.trim();
  if (isNoToken(trimmed)) return null;
  return `${chain.name}:${chain.kind === 'evm' ? trimmed.toLowerCase() : trimmed}`;
}

/** Chain of a `chain:address`; null without one. */
export function chainOf(place: string | null): string | null {
  return place?.split(':')[0] ?? null;
}

/** Distinct texts, sorted. */
export function sorted(values: readonly (string | null | undefined)[]): readonly string[] {
  return [...new Set(values.filter((value): value is string => typeof value === 'string' && value !== ''))].sort();
}

/** Registrable domains of urls, hosts or domains, ASCII, distinct and sorted. */
export function domainsOf(values: readonly unknown[]): readonly string[] {
  return sorted(
    values
      .slice(0, MOST_ROWS)
      .map((value) => (typeof value === 'string' && value.length <= 2_048 ? asciiDomain(value.trim()) : null)),
  );
}

/** Distinct hosts of urls in ASCII form and lower case, in the given order. */
export function hostsOf(values: readonly unknown[]): readonly string[] {
  const hosts = values
    .slice(0, 10)
    .filter((value) => typeof value === 'string')
    .map((value) => hostOf(value.includes('://') ? value.trim() : `http://${value.trim()}`));
  return [...new Set(hosts.filter((host) => host !== null))];
}

/** Domains and hosts of the websites that a registry names, the main one first. */
export function sitesOf(urls: unknown): Pick<TokenRecord, 'domains' | 'hosts'> {
  const rows = listOf(urls);
  return { domains: domainsOf([...registrableDomains(rows), ...rows]), hosts: hostsOf(rows) };
}

/** `kind:handle` of social profiles, sorted. */
export function handlesOf(rows: readonly { readonly kind: unknown; readonly handle: unknown }[]): readonly string[] {
  return sorted(
    rows.slice(0, MOST_ROWS).map((row) => {
      const kind = text(row.kind, 20);
      const handle = text(row.handle, 64)?.toLowerCase();
      return kind && handle ? `${kind}:${handle}` : null;
    }),
  );
}

/** Cleaned categories in the given order. */
export function wordsOf(values: readonly unknown[], most = MOST_ROWS): readonly string[] {
  return values
    .map((word) => text(word, LONGEST_WORD))
    .filter((word) => word !== null)
    .slice(0, most);
}

/** `owner/name` of the repositories among urls, distinct, at most five. */
export function reposOf(urls: readonly unknown[]): readonly string[] {
  const found = urls
    .slice(0, MOST_ROWS)
    .map(githubRepo)
    .filter((repo): repo is string => repo?.includes('/') === true);
  return [...new Map(found.map((repo) => [repo.toLowerCase(), repo])).values()].slice(0, 5);
}

/** A ticker symbol in upper case without a leading dollar sign, for comparison. */
export function plainSymbol(symbol: string | null): string | null {
  const plain = (symbol ?? '').trim().replace(/^\$/, '').toUpperCase().slice(0, 32);
  return plain === '' ? null : plain;
}

/** Name, symbol, rank and date of a row; invalid values are null. */
export function named(row: {
  readonly name?: unknown;
  readonly symbol?: unknown;
  readonly rank?: unknown;
  readonly since?: unknown;
}): Pick<TokenRecord, 'name' | 'symbol' | 'rank' | 'since'> {
  return {
    name: text(row.name, 120),
    symbol: plainSymbol(text(row.symbol, 32)),
    rank: positive(row.rank),
    since: typeof row.since === 'number' || typeof row.since === 'string' ? date(row.since) : null,
  };
}

/** A non-negative number, or 0. */
export function atLeastZero(value: unknown): number {
  return Math.max(0, num(value) ?? 0);
}

/** One draft per token from an index that lists pools, with the total liquidity and the oldest date, sorted by address. */
export function byPlace(rows: readonly (TokenDraft | null)[]): readonly TokenDraft[] {
  const found = new Map<string, TokenDraft>();
  for (const row of rows) {
    const place = row?.addresses?.[0];
    if (!row || place === undefined) continue;
    const known = found.get(place);
    found.set(place, known ? together(known, row) : row);
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

function together(left: TokenDraft, right: TokenDraft): TokenDraft {
  const [since] = sorted([left.since, right.since]);
  return {
    ...left,
    name: left.name ?? right.name ?? null,
    symbol: left.symbol ?? right.symbol ?? null,
    domains: sorted([...(left.domains ?? []), ...(right.domains ?? [])]),
    hosts: [...new Set([...(left.hosts ?? []), ...(right.hosts ?? [])])],
    since: since ?? null,
    liquidityUsd: (left.liquidityUsd ?? 0) + (right.liquidityUsd ?? 0),
  };
}

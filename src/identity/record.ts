import { CHAINS, type Chain, isAddressOn } from '../chains/index.ts';
import { date, num, positive, text } from '../sources/read.ts';
import { hostOf } from '../sources/website/own-page.ts';
import { asciiDomain } from './domains.ts';
import { plainSymbol } from './names.ts';

/** What one source says about one token, in a form that can be compared. Everything in it is outside text, cleaned and capped. */
export interface TokenRecord {
  readonly source: string;
  /** Independence family of the source. */
  readonly family: string;
  readonly id: string | null;
  /** True for registries that people keep; market indexes show profiles that anybody can set or buy. */
  readonly curated: boolean;
  readonly name: string | null;
  readonly symbol: string | null;
  /** Registrable domains, sorted. */
  readonly domains: readonly string[];
  /** Hosts of the websites as the source writes them, the main one first. */
  readonly hosts: readonly string[];
  /** `kind:handle`, sorted. */
  readonly socials: readonly string[];
  /** `chain:address` on chains of ours, sorted. */
  readonly addresses: readonly string[];
  /** Chain the source calls the token's own, when it does. */
  readonly home: string | null;
  /** Set when the token is a chain's own coin. */
  readonly nativeOf: string | null;
  /** A bridged or wrapped copy of another token, as the source says. */
  readonly copy: boolean;
  readonly rank: number | null;
  /** `owner/name`, most important first. */
  readonly repos: readonly string[];
  /** Words under which the source files the token. */
  readonly categories: readonly string[];
  /** Earliest date the source knows of the token, RFC 3339. */
  readonly since: string | null;
  readonly liquidityUsd: number;
  readonly coingeckoId: string | null;
  readonly cmcId: string | null;
  readonly defillamaSlug: string | null;
  readonly responseId: string | null;
}

/** A record of which nothing is known yet. */
export function emptyRecord(source: string, family: string, curated: boolean): TokenRecord {
  return {
    source,
    family,
    id: null,
    curated,
    name: null,
    symbol: null,
    domains: [],
    hosts: [],
    socials: [],
    addresses: [],
    home: null,
    nativeOf: null,
    copy: false,
    rank: null,
    repos: [],
    categories: [],
    since: null,
    liquidityUsd: 0,
    coingeckoId: null,
    cmcId: null,
    defillamaSlug: null,
    responseId: null,
  };
}

/** Stable text of a record: the order in which records are looked at. */
export function recordKey(record: TokenRecord): string {
  return [record.source, record.id ?? '', record.addresses.join(' '), record.symbol ?? '', record.name ?? ''].join(
    '\u0000',
  );
}

/** `chain:address` in canonical spelling; null when the text is no address on that chain. */
export function placed(chain: Chain | null | undefined, address: unknown): string | null {
  if (!chain || typeof address !== 'string' || !isAddressOn(chain, address.trim())) return null;
  const trimmed = address.trim();
  return `${chain.name}:${chain.kind === 'evm' ? trimmed.toLowerCase() : trimmed}`;
}

/** The two halves of `chain:address`. */
export function split(place: string): { readonly chain: Chain | null; readonly address: string } {
  const at = place.indexOf(':');
  return { chain: CHAINS.find((row) => row.name === place.slice(0, at)) ?? null, address: place.slice(at + 1) };
}

/** Value under a path of keys in an unchecked reply; undefined when a step is missing. */
export function dig(value: unknown, ...path: readonly string[]): unknown {
  let at = value;
  for (const key of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Readonly<Record<string, unknown>>)[key];
  }
  return at;
}

/** The value when it is a list, at most `most` rows of it; else []. */
export function listOf(value: unknown, most = 50): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, most) : [];
}

/** Distinct texts, sorted. */
export function sorted(values: readonly (string | null | undefined)[]): readonly string[] {
  return [...new Set(values.filter((value): value is string => typeof value === 'string' && value !== ''))].sort();
}

/** Registrable domains of urls, hosts or domains, ASCII, distinct and sorted. */
export function domainsOf(values: readonly unknown[]): readonly string[] {
  return sorted(
    values
      .slice(0, 50)
      .map((value) => (typeof value === 'string' && value.length <= 2_048 ? asciiDomain(value.trim()) : null)),
  );
}

/** Hosts of urls as they are written, in ASCII form and lower case, distinct, in their order. */
export function hostsOf(values: readonly unknown[]): readonly string[] {
  const hosts = values
    .slice(0, 10)
    .filter((value) => typeof value === 'string')
    .map((value) => hostOf(value.includes('://') ? value.trim() : `http://${value.trim()}`));
  return [...new Set(hosts.filter((host) => host !== null))];
}

/** Name, symbol, rank and date of a row, read leniently. */
export function readWords(row: {
  readonly name?: unknown;
  readonly symbol?: unknown;
  readonly rank?: unknown;
  readonly since?: unknown;
}) {
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

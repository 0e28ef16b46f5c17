import { assetId, CHAINS, type Chain, findChain } from '../chains/index.ts';
import type { CanonicalRecord, ScoreRequest } from '../domain/index.ts';
import { type Asset, type AssetKeys, NO_KEYS } from '../domain/index.ts';
import { assetName, canonicalDeployment } from '../registers/index.ts';
import type { Candidate } from './candidates.ts';
import type { Gathered } from './gather.ts';
import { compareNames } from './names.ts';
import { keysFrom, split } from './registries.ts';

const LONGEST_CATEGORY = 200;

/** Where a token lives; null for a coin of a chain that is not covered. */
export type Home = { readonly chain: Chain; readonly address: string } | null;

/** The asset as its canonical record names it. */
export function assetOf(record: CanonicalRecord): Asset {
  const categories = record.categories.value.join(', ').slice(0, LONGEST_CATEGORY);
  return {
    id: record.assetId,
    chain: record.chain,
    address: record.address,
    symbol: record.symbol.value,
    name: record.name.value,
    category: categories === '' ? null : categories,
    website: record.website.value,
  };
}

/** A token that was looked at and is not (or not yet) the one: where it lives and what it is called. `website`: tied to it, or null. */
export function candidateAsset(
  candidate: Candidate,
  request: ScoreRequest,
  gathered: Gathered,
  website: string | null,
): Asset {
  const home = homeOf(candidate, request, gathered);
  const coin = home === null ? coinIdOf(candidate) : null;
  return {
    id:
      home === null
        ? (coin ?? `project:${candidate.key.replace(/[^a-z0-9.-]/gi, '-').toLowerCase()}`)
        : assetId(home.chain, home.address),
    chain: home?.chain.name ?? null,
    address: home?.address ?? (coin === null ? null : 'native'),
    symbol: candidate.symbol,
    name: candidate.name ?? candidate.symbol ?? candidate.key,
    category: null,
    website,
  };
}

/** CAIP-19 id of the coin that a candidate is by the register of natives; null for any other. A record with an address is a token. */
export function coinIdOf({ records, nativeOf }: Candidate): string | null {
  const isCoin = nativeOf !== null || records.every((record) => record.addresses.length === 0);
  return isCoin ? (records.find((record) => record.curated && record.coin !== null)?.coin ?? null) : null;
}

/** The names under which the registries know the candidate. Copies of it on other chains are no deployments of it. */
export function keysOf(candidate: Candidate | null, gathered: Gathered): AssetKeys {
  const originals = (candidate?.records ?? []).filter((record) => !record.copy || candidate?.copy === true);
  const idAt = (source: string) =>
    originals.find((record) => record.source === source && record.id !== null)?.id ?? null;
  const places = [...new Set(originals.flatMap((record) => record.addresses))];
  return {
    ...NO_KEYS,
    ...keysFrom((source) => idAt(source) ?? originals.flatMap((record) => record.ids[source] ?? [])[0] ?? null),
    defillamaSlug: slugOf(candidate, gathered),
    githubRepos: reposOf(
      originals.flatMap((record) => record.repos),
      gathered.page.repos,
    ),
    deployments: places.sort(byChain).flatMap((place) => {
      const { chain, address } = split(place);
      return chain ? [{ chain: chain.name, address }] : [];
    }),
  };
}

/**
 * Where a token lives. The address that the caller sent names that deployment. Else, whatever chain the caller names: the chain
 * whose own coin it is; the deployment that a kept register calls canonical; the home that most registries name. Only where nobody names a home:
 * the caller's chain, the chain with most liquidity (registries do not tell the supply of each deployment), ours in order.
 */
export function homeOf(candidate: Candidate, request: ScoreRequest, { callerPlaces }: Gathered): Home {
  const at = (place: string | undefined) => {
    const found = place === undefined ? null : split(place);
    return found?.chain ? { chain: found.chain, address: found.address } : null;
  };
  const on = (chain: string) => at(candidate.places.find((place) => place.startsWith(`${chain}:`)));
  const wanted = request.blockchain === null ? null : findChain(request.blockchain);
  const own = CHAINS.find((chain) => chain.name === candidate.nativeOf);
  const deepest = [...candidate.records].sort((a, b) => b.liquidityUsd - a.liquidityUsd)[0];
  return (
    at(candidate.places.find((place) => callerPlaces.includes(place))) ??
    (own ? { chain: own, address: 'native' } : null) ??
    canonicalHome(candidate) ??
    registeredHomes(candidate)
      .map(on)
      .find((home) => home !== null) ??
    (wanted ? on(wanted.name) : null) ??
    (deepest && deepest.liquidityUsd > 0 ? at(deepest.addresses[0]) : null) ??
    at([...candidate.places].sort(byChain)[0])
  );
}

/** The deployment that its row in a kept register names first; null without a row, or on a chain that is not covered. */
function canonicalHome({ places }: Candidate): Home {
  const found = places.flatMap((place) => {
    const { chain, address } = split(place);
    return chain ? [{ chain, address, name: assetName(chain.caip2, address) }] : [];
  });
  const canonical = canonicalDeployment(found.map(({ name }) => name));
  const home = found.find(({ name }) => name === canonical);
  return home === undefined ? null : { chain: home.chain, address: home.address };
}

/** Chains that registries call the token's own: those that most lineage groups name first, then in the order of the registries. */
function registeredHomes({ records }: Candidate): readonly string[] {
  const named = records.flatMap(({ home, family }) => (home === null ? [] : [{ home, family }]));
  const families = (home: string) => new Set(named.filter((row) => row.home === home).map((row) => row.family)).size;
  return [...new Set(named.map((row) => row.home))].sort((a, b) => families(b) - families(a));
}

function slugOf(candidate: Candidate | null, { protocols, listings }: Gathered): string | null {
  const owns = listings.find(
    (row) => row.hasToken && candidate?.records.some((record) => record.source === row.source && record.id === row.id),
  );
  const tokenless = protocols.find(
    (row) => !row.hasToken && (candidate === null || compareNames(row.name ?? '', candidate.name) !== 'other'),
  );
  return (owns ?? tokenless)?.slug ?? null;
}

/** Repositories that both the site and a registry name come first. */
function reposOf(registered: readonly string[], linked: readonly string[]): readonly string[] {
  const links = new Set(linked.map((repo) => repo.toLowerCase()));
  const both = registered.filter((repo) => links.has(repo.toLowerCase()));
  return [...new Map([...both, ...registered, ...linked].map((repo) => [repo.toLowerCase(), repo])).values()].slice(
    0,
    5,
  );
}

function byChain(a: string, b: string): number {
  const place = (text: string) => CHAINS.findIndex((chain) => text.startsWith(`${chain.name}:`));
  return place(a) - place(b) || (a < b ? -1 : 1);
}

import type { Asset } from '../domain/asset.ts';
import { assetId, CHAINS, type Chain, findChain } from '../domain/chains.ts';
import type { AssetKeys, ScoreRequest } from '../domain/identification.ts';
import { text } from '../sources/read.ts';
import type { Candidate } from './candidates.ts';
import type { Gathered } from './gather.ts';
import { compareNames } from './names.ts';
import { split } from './record.ts';

/** The asset of a candidate: its home chain and address, or the project's domain when it lives on no chain of ours. */
export function assetOf(candidate: Candidate, request: ScoreRequest, gathered: Gathered): Asset {
  const home = homeOf(candidate, request, gathered);
  const named = { symbol: candidate.symbol, name: candidate.name ?? request.project };
  const shared = { ...named, category: text(request.category, 100), website: gathered.site.url };
  if (home === null) return { ...shared, id: projectId(gathered, candidate), chain: null, address: null };
  return { ...shared, id: assetId(home.chain, home.address), chain: home.chain.name, address: home.address };
}

/** A project without a token is known by its domain. */
export function projectAsset(request: ScoreRequest, domain: string, url: string): Asset {
  return {
    id: `project:${domain}`,
    chain: null,
    address: null,
    symbol: null,
    name: text(request.project, 120) ?? domain,
    category: text(request.category, 100),
    website: url,
  };
}

/** The names under which the registries know the candidate. Copies of it on other chains are no deployments of it. */
export function keysOf(candidate: Candidate | null, gathered: Gathered): AssetKeys {
  const originals = (candidate?.records ?? []).filter((record) => !record.copy || candidate?.copy === true);
  const idAt = (source: string) =>
    originals.find((record) => record.source === source && record.id !== null)?.id ?? null;
  const places = [...new Set(originals.flatMap((record) => record.addresses))];
  return {
    coingeckoId: idAt('coingecko') ?? originals.find((record) => record.coingeckoId !== null)?.coingeckoId ?? null,
    cmcId: idAt('coinmarketcap') ?? originals.find((record) => record.cmcId !== null)?.cmcId ?? null,
    coinpaprikaId: idAt('coinpaprika'),
    defillamaSlug: slugOf(candidate, gathered),
    githubRepos: reposOf(
      originals.flatMap((record) => record.repos),
      gathered.page.repos,
    ),
    deployments: places.sort(byChain).flatMap((place) => {
      const { chain, address } = split(place);
      return chain ? [{ chain: chain.name, address }] : [];
    }),
    cexPairs: [],
  };
}

/** Caller's address, caller's chain, a chain's own coin, the home the registries name, the chain with most liquidity, ours in order. */
function homeOf(
  candidate: Candidate,
  request: ScoreRequest,
  { callerPlaces }: Gathered,
): { readonly chain: Chain; readonly address: string } | null {
  const wanted = request.blockchain === null ? null : findChain(request.blockchain);
  const at = (place: string | undefined) => {
    const found = place === undefined ? null : split(place);
    return found?.chain ? { chain: found.chain, address: found.address } : null;
  };
  const given = at(candidate.places.find((place) => callerPlaces.includes(place)));
  if (given) return given;
  const own = nativeChain(candidate, wanted);
  if (own && (wanted === null || wanted.name === own.name)) return { chain: own, address: 'native' };
  const on = (chain: string | null | undefined) => at(candidate.places.find((place) => place.startsWith(`${chain}:`)));
  const homes = candidate.records.map((record) => record.home).filter((home) => home !== null);
  const deepest = [...candidate.records].sort((a, b) => b.liquidityUsd - a.liquidityUsd)[0];
  const byLiquidity = deepest && deepest.liquidityUsd > 0 ? at(deepest.addresses[0]) : null;
  const registered = homes.map(on).find((found) => found !== null);
  return (
    (wanted ? on(wanted.name) : null) ??
    (own ? { chain: own, address: 'native' } : null) ??
    registered ??
    byLiquidity ??
    at([...candidate.places].sort(byChain)[0])
  );
}

function nativeChain(candidate: Candidate, wanted: Chain | null): Chain | null {
  const own = CHAINS.find((chain) => chain.name === candidate.nativeOf) ?? null;
  return wanted && own && wanted.coingeckoNativeId === own.coingeckoNativeId ? wanted : own;
}

function projectId({ site }: Gathered, candidate: Candidate): string {
  return `project:${site.domain ?? candidate.key.replace(/[^a-z0-9.-]/gi, '-').toLowerCase()}`;
}

function slugOf(candidate: Candidate | null, { protocols }: Gathered): string | null {
  const owns = protocols.find(
    (row) =>
      row.token !== null &&
      candidate?.records.some((record) => record.source === 'defillama' && record.id === row.token?.id),
  );
  const tokenless = protocols.find(
    (row) => row.token === null && (candidate === null || compareNames(row.name ?? '', candidate.name) !== 'other'),
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

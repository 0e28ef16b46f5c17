import { CHAINS, chainCalled } from '../chains/index.ts';
import type { Observation } from '../domain/observation.ts';
import { date, githubRepo, text } from '../sources/read.ts';
import { asciiDomain } from './domains.ts';
import {
  atLeastZero,
  dig,
  domainsOf,
  emptyRecord,
  hostsOf,
  listOf,
  placed,
  readWords,
  sorted,
  type TokenRecord,
} from './record.ts';

/** Characters of a category word that are kept. */
const LONGEST_WORD = 60;

/** One answered question, as identity reads it. */
export interface Answered {
  readonly reply: unknown;
  readonly responseId: string;
  readonly observations: readonly Observation[];
}

// Words that CoinGecko uses for copies of another token (its categories and ids).
const COPY_CATEGORY = /bridged|wrapped/i;
const COPY_ID = /(^|-)(bridged|wrapped|wormhole|axelar|multichain|anyswap|layerzero-bridged)(-|$)/;
const COPY_NAME = /^(bridged|wrapped)\b|\((wormhole|pos|bridged|axelar|multichain)\b[^)]*\)$/i;

/** CoinGecko `/coins/{id}` or `/coins/{platform}/contract/{address}`; null when it is no coin. */
export function readCoingecko({ reply, responseId, observations }: Answered): TokenRecord | null {
  const id = text(dig(reply, 'id'), 120);
  if (id === null) return null;
  const platforms = Object.entries((dig(reply, 'platforms') ?? {}) as Readonly<Record<string, unknown>>).slice(0, 60);
  const words = readWords({
    name: dig(reply, 'name'),
    symbol: dig(reply, 'symbol'),
    rank: dig(reply, 'market_cap_rank'),
  });
  const categories = listOf(dig(reply, 'categories')).filter((word) => typeof word === 'string');
  return {
    ...emptyRecord('coingecko', 'coingecko', true),
    ...words,
    id,
    domains: domainsOf([...observed(observations, 'registry_domains'), ...listOf(dig(reply, 'links', 'homepage'))]),
    hosts: hostsOf(listOf(dig(reply, 'links', 'homepage'))),
    socials: socialsOf(observations),
    categories: categoriesOf(observations),
    addresses: sorted(platforms.map(([platform, address]) => placed(chainCalled('coingecko', platform), address))),
    home: chainCalled('coingecko', dig(reply, 'asset_platform_id'))?.name ?? null,
    nativeOf: CHAINS.find((row) => row.native.coingeckoId === id)?.name ?? null,
    copy:
      categories.some((word) => COPY_CATEGORY.test(String(word))) ||
      COPY_ID.test(id) ||
      COPY_NAME.test(words.name ?? ''),
    repos: reposOf(listOf(dig(reply, 'links', 'repos_url', 'github'))),
    since: date(dig(reply, 'genesis_date')),
    coingeckoId: id,
    responseId,
  };
}

/** CoinMarketCap `/v2/cryptocurrency/info`: the row of `id`; null when there is none. */
export function readCoinmarketcap({ reply, responseId, observations }: Answered, id: string): TokenRecord | null {
  const row = dig(reply, 'data', id);
  const words = readWords({ name: dig(row, 'name'), symbol: dig(row, 'symbol') });
  if (words.name === null) return null;
  const platform = cmcPlace(dig(row, 'platform'));
  const contracts = listOf(dig(row, 'contract_address')).map((entry) =>
    placed(
      cmcChain(dig(entry, 'platform', 'coin', 'slug') ?? dig(entry, 'platform', 'name')),
      dig(entry, 'contract_address'),
    ),
  );
  const observedAddresses = observed(observations, 'registry_addresses').map((entry) =>
    placed(
      CHAINS.find((chain) => chain.name === dig(entry, 'chain')),
      dig(entry, 'address'),
    ),
  );
  return {
    ...emptyRecord('coinmarketcap', 'cmc', true),
    ...words,
    id,
    domains: domainsOf([...observed(observations, 'registry_domains'), ...listOf(dig(row, 'urls', 'website'))]),
    hosts: hostsOf(listOf(dig(row, 'urls', 'website'))),
    socials: socialsOf(observations),
    categories: categoriesOf(observations),
    addresses: sorted([platform, ...contracts, ...observedAddresses]),
    home: platform?.split(':')[0] ?? null,
    copy:
      COPY_NAME.test(words.name) || listOf(dig(row, 'tags')).some((tag) => /wrapped-tokens|bridged/.test(String(tag))),
    repos: reposOf(listOf(dig(row, 'urls', 'source_code'))),
    since: date(dig(row, 'date_launched')) ?? date(dig(row, 'date_added')),
    cmcId: id,
    responseId,
  };
}

/** A row of CoinMarketCap's map: an id with the address it stands for. Proves no domain. */
export function readCmcMapRow(row: unknown): TokenRecord | null {
  const id = String(dig(row, 'id') ?? '');
  if (!/^\d{1,12}$/.test(id)) return null;
  const place = cmcPlace(dig(row, 'platform'));
  return {
    ...emptyRecord('coinmarketcap', 'cmc', true),
    ...readWords({ name: dig(row, 'name'), symbol: dig(row, 'symbol'), rank: dig(row, 'rank') }),
    id,
    addresses: sorted([place]),
    home: place?.split(':')[0] ?? null,
    cmcId: id,
  };
}

/** CoinPaprika `/coins/{id}`; null when it is no coin. */
export function readCoinpaprika({ reply, responseId, observations }: Answered): TokenRecord | null {
  const id = text(dig(reply, 'id'), 120);
  if (id === null) return null;
  const contracts = [
    ...listOf(dig(reply, 'contracts')).map((row) => [dig(row, 'platform'), dig(row, 'contract')] as const),
    [dig(reply, 'platform'), dig(reply, 'contract')] as const,
  ];
  return {
    ...emptyRecord('coinpaprika', 'paprika', true),
    ...readWords({ name: dig(reply, 'name'), symbol: dig(reply, 'symbol'), rank: dig(reply, 'rank') }),
    id,
    domains: domainsOf([...observed(observations, 'registry_domains'), ...listOf(dig(reply, 'links', 'website'))]),
    hosts: hostsOf(listOf(dig(reply, 'links', 'website'))),
    socials: socialsOf(observations),
    categories: categoriesOf(observations),
    addresses: sorted(contracts.map(([platform, address]) => placed(chainCalled('coinpaprika', platform), address))),
    since: date(dig(reply, 'started_at')),
    responseId,
  };
}

/** A project of DefiLlama's protocol list. */
export interface Protocol {
  readonly slug: string;
  readonly name: string | null;
  readonly domain: string;
  /** Host of its website as the list writes it. */
  readonly host: string | null;
  readonly categories: readonly string[];
  readonly tvlUsd: number;
  readonly socials: readonly string[];
  /** Null when the list names no token for it. */
  readonly token: TokenRecord | null;
}

/** A row of DefiLlama `/protocols`; null without a domain of its own. */
export function readProtocol(row: unknown): Protocol | null {
  const url = dig(row, 'url');
  const domain = typeof url === 'string' && url.length <= 2_048 ? asciiDomain(url.trim()) : null;
  const ownSlug = text(dig(row, 'slug'), 120);
  if (domain === null || ownSlug === null) return null;
  const parent = text(dig(row, 'parentProtocol'), 120)?.replace(/^parent#/, '') ?? null;
  const slug = text(dig(row, 'parentProtocolSlug'), 120) ?? parent ?? ownSlug;
  const handle = text(dig(row, 'twitter'), 40)?.toLowerCase();
  const socials = handle ? [`x:${handle}`] : [];
  const hosts = hostsOf([url]);
  const category = text(dig(row, 'category'), LONGEST_WORD);
  const categories = category === null ? [] : [category];
  const words = readWords({ name: dig(row, 'name'), symbol: dig(row, 'symbol'), since: dig(row, 'listedAt') });
  const symbol = words.symbol === '-' ? null : words.symbol;
  const coingeckoId = text(dig(row, 'gecko_id'), 120);
  const place = llamaPlace(dig(row, 'address'));
  const cmc = String(dig(row, 'cmcId') ?? '');
  const hasToken = symbol !== null || coingeckoId !== null || place !== null;
  const token: TokenRecord = {
    ...emptyRecord('defillama', 'defillama', true),
    ...words,
    symbol,
    id: ownSlug,
    domains: [domain],
    hosts,
    socials,
    categories,
    addresses: sorted([place]),
    home: place?.split(':')[0] ?? null,
    nativeOf: CHAINS.find((chain) => chain.native.coingeckoId === coingeckoId)?.name ?? null,
    coingeckoId,
    cmcId: /^\d{1,12}$/.test(cmc) ? cmc : null,
    defillamaSlug: slug,
  };
  return {
    slug,
    name: words.name,
    domain,
    host: hosts[0] ?? null,
    categories,
    tvlUsd: atLeastZero(dig(row, 'tvl')),
    socials,
    token: hasToken ? token : null,
  };
}

/** `chain:0x...`, or bare hex for Ethereum. */
function llamaPlace(address: unknown): string | null {
  if (typeof address !== 'string' || address.length > 200) return null;
  const at = address.indexOf(':');
  if (at < 0)
    return placed(
      CHAINS.find((row) => row.name === 'ethereum'),
      address,
    );
  const word = address.slice(0, at).toLowerCase();
  return placed(chainCalled('defillama', word) ?? CHAINS.find((row) => row.name === word), address.slice(at + 1));
}

function cmcPlace(platform: unknown): string | null {
  return placed(cmcChain(dig(platform, 'slug') ?? dig(platform, 'name')), dig(platform, 'token_address'));
}

function cmcChain(word: unknown) {
  const wanted = typeof word === 'string' ? word.toLowerCase() : '';
  return (
    chainCalled('coinmarketcap', wanted) ??
    CHAINS.find((row) => row.title.toLowerCase() === wanted || row.aliases.includes(wanted))
  );
}

/** Values of one list quantity that the source's own reading of the reply gave. */
function observed(observations: readonly Observation[], quantity: Observation['quantity']): readonly unknown[] {
  return observations.filter((row) => row.quantity === quantity).flatMap((row) => listOf(row.value));
}

function socialsOf(observations: readonly Observation[]): readonly string[] {
  return sorted(
    observed(observations, 'registry_socials').map((row) => {
      const kind = text(dig(row, 'kind'), 20);
      const handle = text(dig(row, 'handle'), 64)?.toLowerCase();
      return kind && handle ? `${kind}:${handle}` : null;
    }),
  );
}

function categoriesOf(observations: readonly Observation[]): readonly string[] {
  const words = observed(observations, 'categories').map((word) => text(word, LONGEST_WORD));
  return words.filter((word) => word !== null);
}

function reposOf(urls: readonly unknown[]): readonly string[] {
  const found = urls.map(githubRepo).filter((repo): repo is string => repo?.includes('/') === true);
  return [...new Map(found.map((repo) => [repo.toLowerCase(), repo])).values()].slice(0, 5);
}

import { chainCalled } from '../chains/index.ts';
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

/**
 * Tokens that DexScreener's search or pair list shows, one record per token, with the liquidity of its pairs added up. Their
 * websites are paid or self-set profiles: they help to find a token and prove nothing.
 */
export function readDexscreener(reply: unknown): readonly TokenRecord[] {
  const pairs = listOf(Array.isArray(reply) ? reply : dig(reply, 'pairs'), 60);
  return merged(
    pairs.map((pair) => {
      const place = placed(chainCalled('dexscreener', dig(pair, 'chainId')), dig(pair, 'baseToken', 'address'));
      return place === null
        ? null
        : {
            ...emptyRecord('dexscreener', 'dexscreener', false),
            ...readWords({
              name: dig(pair, 'baseToken', 'name'),
              symbol: dig(pair, 'baseToken', 'symbol'),
              since: dig(pair, 'pairCreatedAt'),
            }),
            addresses: [place],
            domains: domainsOf(listOf(dig(pair, 'info', 'websites'), 10).map((site) => dig(site, 'url'))),
            hosts: hostsOf(listOf(dig(pair, 'info', 'websites'), 10).map((site) => dig(site, 'url'))),
            liquidityUsd: atLeastZero(dig(pair, 'liquidity', 'usd')),
          };
    }),
  );
}

/** Tokens that GeckoTerminal's pool search shows (JSON:API: tokens are in `included`, ids are `<network>_<address>`). */
export function readGeckoterminal(reply: unknown): readonly TokenRecord[] {
  const tokens = new Map(listOf(dig(reply, 'included'), 100).map((row) => [String(dig(row, 'id') ?? ''), row]));
  return merged(
    listOf(dig(reply, 'data'), 40).map((pool) => {
      const id = String(dig(pool, 'relationships', 'base_token', 'data', 'id') ?? '');
      const split = id.lastIndexOf('_');
      const place = placed(chainCalled('geckoterminal', id.slice(0, split)), id.slice(split + 1));
      const token = tokens.get(id);
      return place === null
        ? null
        : {
            ...emptyRecord('geckoterminal', 'geckoterminal', false),
            ...readWords({
              name: dig(token, 'attributes', 'name'),
              symbol: dig(token, 'attributes', 'symbol'),
              since: dig(pool, 'attributes', 'pool_created_at'),
            }),
            addresses: [place],
            liquidityUsd: atLeastZero(dig(pool, 'attributes', 'reserve_in_usd')),
          };
    }),
  );
}

function merged(rows: readonly (TokenRecord | null)[]): readonly TokenRecord[] {
  const byPlace = new Map<string, TokenRecord>();
  for (const row of rows) {
    const place = row?.addresses[0];
    if (!row || place === undefined) continue;
    const known = byPlace.get(place);
    byPlace.set(place, known ? together(known, row) : row);
  }
  return [...byPlace].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

function together(left: TokenRecord, right: TokenRecord): TokenRecord {
  const dates = sorted([left.since, right.since]);
  return {
    ...left,
    name: left.name ?? right.name,
    symbol: left.symbol ?? right.symbol,
    domains: sorted([...left.domains, ...right.domains]),
    hosts: [...new Set([...left.hosts, ...right.hosts])],
    since: dates[0] ?? null,
    liquidityUsd: left.liquidityUsd + right.liquidityUsd,
  };
}

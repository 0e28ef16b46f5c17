import { CHAINS, chainCalled } from '../../src/chains/index.ts';
import { DAY_MS } from '../../src/domain/statistics.ts';
import { type Facade, type FacadeReply, iso, matchPath } from '../facade.ts';
import type { AssetView, PoolView, Scene } from '../scene.ts';
import type { SandboxAsset, Venue } from '../world/types.ts';

const DEX_IDS: Readonly<Record<Venue, string>> = {
  raydium: 'raydium',
  raydium_clmm: 'raydium-clmm',
  orca: 'orca',
  meteora: 'meteora',
  uniswap_v2: 'uniswap_v2',
  uniswap_v3: 'uniswap_v3',
  aerodrome: 'aerodrome-base',
  pancake_v2: 'pancakeswap_v2',
};

/** GeckoTerminal API v2 (JSON:API; decimals are strings) in the shapes that src/sources/geckoterminal.ts names. */
export const geckoterminal: Facade = ({ path, query }, scene) => {
  if (matchPath(path, '/search/pools')) return { json: searchPools(scene, query) };
  if (matchPath(path, '/networks')) return { json: networks() };
  const multi = matchPath(path, '/networks/:network/tokens/multi/:addresses');
  if (multi) return tokens(scene, multi.network ?? '', (multi.addresses ?? '').split(','));
  const ohlcv = matchPath(path, '/networks/:network/pools/:address/ohlcv/:frame');
  const poolPath = ohlcv ?? matchPath(path, '/networks/:network/pools/:address');
  if (poolPath) {
    const hit = findPool(scene, poolPath.network ?? '', poolPath.address ?? '');
    if (!hit) return notFound();
    return {
      json: ohlcv ? candles(scene, hit.view) : { data: poolRow(hit.view, hit.pool), included: included(hit.view) },
    };
  }
  const poolsPath = matchPath(path, '/networks/:network/tokens/:address/pools');
  const infoPath = matchPath(path, '/networks/:network/tokens/:address/info');
  const tokenPath = poolsPath ?? infoPath ?? matchPath(path, '/networks/:network/tokens/:address');
  const asset = tokenPath ? find(scene, tokenPath.network ?? '', tokenPath.address ?? '') : null;
  if (!asset) return notFound();
  const view = scene.see('geckoterminal', asset);
  if (poolsPath) {
    const page = Number(query.get('page') ?? 1);
    return {
      json: { data: page === 1 ? view.pools.map((pool) => poolRow(view, pool)) : [], included: included(view) },
    };
  }
  if (infoPath) return { json: { data: info(scene, view) } };
  return { json: { data: token(view), included: view.pools.map((pool) => poolRow(view, pool)) } };
};

function notFound(): FacadeReply {
  return { status: 404, json: { errors: [{ status: '404', title: 'Not Found' }] } };
}

/** Addresses of one request without a paid plan. */
const MOST_ADDRESSES = 30;

/** Several tokens: only the first pool of each, and nothing for an unknown address. */
function tokens(scene: Scene, network: string, addresses: readonly string[]): FacadeReply {
  if (addresses.length > MOST_ADDRESSES)
    return { status: 400, json: { errors: [{ status: '400', title: 'Too many addresses' }] } };
  if (!CHAINS.some((row) => row.names.geckoterminal === network)) return notFound();
  const found = new Set(addresses.flatMap((address) => find(scene, network, address) ?? []));
  const views = [...found].map((asset) => scene.see('geckoterminal', asset));
  return { json: { data: views.map((view) => token({ ...view, pools: view.pools.slice(0, 1) })) } };
}

function find(scene: Scene, network: string, address: string): SandboxAsset | null {
  const chain = chainCalled('geckoterminal', network);
  return chain ? scene.world.byAddress(chain.name, address) : null;
}

function findPool(scene: Scene, network: string, address: string) {
  for (const asset of scene.world.tokens) {
    const view = scene.see('geckoterminal', asset);
    if (view.chain.names.geckoterminal !== network) continue;
    const pool = view.pools.find((row) => row.pool.address === address || row.pool.address === address.toLowerCase());
    if (pool) return { view, pool };
  }
  return null;
}

function networks() {
  const rows = CHAINS.map((chain) => ({
    id: chain.names.geckoterminal,
    type: 'network',
    attributes: { name: chain.title, coingecko_asset_platform_id: chain.names.coingecko },
  }));
  return { data: rows };
}

function id(view: AssetView, address: string): string {
  return `${view.chain.names.geckoterminal}_${address}`;
}

function namesOf(asset: SandboxAsset) {
  return {
    address: asset.address,
    name: asset.name,
    symbol: asset.symbol,
    decimals: asset.decimals,
    image_url: null,
    coingecko_coin_id: asset.traits.listed ? asset.coingeckoId : null,
  };
}

function token(view: AssetView) {
  const { asset } = view;
  return {
    id: id(view, asset.address),
    type: 'token',
    attributes: {
      ...namesOf(asset),
      total_supply: (BigInt(Math.round(view.totalSupply)) * 10n ** BigInt(asset.decimals)).toString(),
      normalized_total_supply: String(view.totalSupply),
      price_usd: String(view.priceUsd),
      fdv_usd: String(view.fdvUsd),
      total_reserve_in_usd: String(view.liquidityUsd),
      volume_usd: { h24: String(view.dexVolumeUsd) },
      market_cap_usd: asset.traits.listed ? String(view.marketCapUsd) : null,
      launchpad_details: null,
    },
    relationships: { top_pools: { data: view.pools.map((row) => ({ id: id(view, row.pool.address), type: 'pool' })) } },
  };
}

function poolRow(view: AssetView, row: PoolView) {
  const { asset } = view;
  const name = `${asset.symbol} / ${row.pool.quote.symbol}`;
  const activity = (part: number) => ({
    buys: Math.round(row.buys * part),
    sells: Math.round(row.sells * part),
    buyers: Math.ceil(row.buys * part * (1 - asset.traits.washShare) * 0.6),
    sellers: Math.ceil(row.sells * part * (1 - asset.traits.washShare) * 0.6),
  });
  const windows = { m5: 1 / 288, m15: 1 / 96, m30: 1 / 48, h1: 1 / 24, h6: 0.25, h24: 1 };
  const per = <Value>(make: (part: number) => Value) =>
    Object.fromEntries(Object.entries(windows).map(([key, part]) => [key, make(part)]));
  return {
    id: id(view, row.pool.address),
    type: 'pool',
    attributes: {
      address: row.pool.address,
      name,
      pool_name: name,
      pool_fee_percentage: String(row.pool.feeRate * 100),
      pool_created_at: iso(row.createdAt).replace('.000', ''),
      base_token_price_usd: String(row.priceUsd),
      base_token_price_native_currency: String(row.priceUsd / row.quoteUsd),
      quote_token_price_usd: String(row.quoteUsd),
      token_price_usd: String(row.priceUsd),
      base_token_price_quote_token: String(row.priceUsd / row.quoteUsd),
      fdv_usd: String(view.fdvUsd),
      market_cap_usd: asset.traits.listed ? String(view.marketCapUsd) : null,
      price_change_percentage: per((part) => (view.change24hPct * part).toFixed(2)),
      transactions: per(activity),
      volume_usd: per((part) => String(row.volume24hUsd * part)),
      reserve_in_usd: String(row.liquidityUsd),
      locked_liquidity_percentage:
        row.pool.kind === 'constant_product' ? String(asset.traits.lpLockedShare * 100) : null,
      community_sus_report: null,
    },
    relationships: {
      base_token: { data: { id: id(view, asset.address), type: 'token' } },
      quote_token: { data: { id: id(view, row.pool.quote.address), type: 'token' } },
      dex: { data: { id: DEX_IDS[row.pool.venue], type: 'dex' } },
    },
  };
}

function included(view: AssetView) {
  const quotes = new Map(view.pools.map((row) => [row.pool.quote.address, row.pool.quote]));
  return [
    {
      id: id(view, view.asset.address),
      type: 'token',
      attributes: {
        address: view.asset.address,
        name: view.asset.name,
        symbol: view.asset.symbol,
        decimals: view.asset.decimals,
      },
    },
    ...[...quotes.values()].map((quote) => ({
      id: id(view, quote.address),
      type: 'token',
      attributes: { address: quote.address, name: quote.name, symbol: quote.symbol, decimals: quote.decimals },
    })),
    ...[...new Set(view.pools.map((row) => DEX_IDS[row.pool.venue]))].map((dex) => ({
      id: dex,
      type: 'dex',
      attributes: { name: dex },
    })),
  ];
}

function info(scene: Scene, view: AssetView) {
  const { asset } = view;
  const holders = scene.world.holders(asset, view.at);
  const top10 = holders.slice(0, 10).reduce((sum, holder) => sum + holder.share, 0) * 100;
  const solana = asset.chain === 'solana';
  const word = (present: boolean) => (solana ? (present ? 'yes' : 'no') : null);
  return {
    id: id(view, asset.address),
    type: 'token',
    attributes: {
      ...namesOf(asset),
      websites: asset.traits.site ? [asset.url] : [],
      discord_url: null,
      farcaster_url: null,
      zora_url: null,
      telegram_handle: asset.handle,
      twitter_handle: asset.handle,
      description: `${asset.name} is a fictional asset of a test world.`,
      gt_score: asset.grade === 'strong' ? 91.2 : 48.5,
      gt_score_details: { pool: 70, transaction: 60, creation: 50, info: 80, holders: 40 },
      gt_verified: asset.traits.listed,
      categories: [],
      gt_category_ids: [],
      holders: {
        count: view.holders,
        distribution_percentage: {
          top_10: top10.toFixed(4),
          '11_30': '8.1',
          '31_50': '3.2',
          rest: (100 - top10 - 11.3).toFixed(4),
        },
        last_updated: iso(view.at),
      },
      mint_authority: word(asset.traits.mintAuthority !== 'none'),
      freeze_authority: word(asset.traits.freezeAuthority !== 'none'),
      is_honeypot: solana ? 'unknown' : asset.traits.honeypot,
      developer_address: asset.creator,
      developer_holding_percentage: String(asset.traits.creatorShare * 100),
    },
  };
}

function candles(scene: Scene, view: AssetView) {
  const days = Math.min(365, Math.max(1, Math.floor((view.at - view.createdAt) / DAY_MS)));
  const list = Array.from({ length: days }, (_, index) => {
    const start = Math.floor(view.at / DAY_MS) * DAY_MS - index * DAY_MS;
    const open = scene.world.price(view.asset, start);
    const close = scene.world.price(view.asset, Math.min(start + DAY_MS, view.at));
    return [start / 1000, open, Math.max(open, close) * 1.01, Math.min(open, close) * 0.99, close, view.dexVolumeUsd];
  });
  return { data: { id: 'ohlcv', type: 'ohlcv_request_response', attributes: { ohlcv_list: list } } };
}

function searchPools(scene: Scene, query: URLSearchParams) {
  const wanted = (query.get('query') ?? '').trim().toLowerCase();
  const network = query.get('network');
  const views = scene.world.tokens
    .filter((asset) => [asset.name, asset.symbol, asset.address].some((text) => text.toLowerCase() === wanted))
    .map((asset) => scene.see('geckoterminal', asset))
    .filter((view) => network === null || view.chain.names.geckoterminal === network);
  return {
    data: views.flatMap((view) => view.pools.map((row) => poolRow(view, row))).slice(0, 20),
    included: views.flatMap(included),
  };
}

import { CHAINS, chainCalled } from '../../src/chains/index.ts';
import { type Facade, iso, matchPath } from '../facade.ts';
import type { AssetView, PoolView } from '../scene.ts';
import type { SandboxAsset } from '../world/types.ts';

/** DexPaprika: token summary, pool search with a cursor envelope; the old token pools path replies 410. */
export const dexpaprika: Facade = ({ path, query }, scene) => {
  if (matchPath(path, '/networks'))
    return { json: CHAINS.map((row) => ({ id: row.names.dexpaprika, display_name: row.title })) };
  if (matchPath(path, '/networks/:network/tokens/:address/pools')) {
    return {
      status: 410,
      json: { code: 410, message: 'this endpoint was removed', replacement: '/networks/{network}/pools/search' },
    };
  }
  const find = (network: string | undefined, address: string): SandboxAsset | null => {
    const chain = chainCalled('dexpaprika', network);
    return chain ? scene.world.byAddress(chain.name, address) : null;
  };
  const search = matchPath(path, '/networks/:network/pools/search');
  if (search) {
    const asset = find(search.network, query.get('token_address') ?? '');
    const view = asset ? scene.see('dexpaprika', asset) : null;
    const results = view ? view.pools.map((row) => poolRow(view, row)) : [];
    return { json: { results, has_next_page: false, next_cursor: null } };
  }
  if (matchPath(path, '/search')) {
    const wanted = (query.get('query') ?? '').trim().toLowerCase();
    const views = scene.world.tokens
      .filter((asset) => [asset.name, asset.symbol, asset.address].some((text) => text.toLowerCase().includes(wanted)))
      .map((asset) => scene.see('dexpaprika', asset));
    return {
      json: {
        tokens: views.map(summaryRow),
        pools: views.flatMap((view) => view.pools.map((row) => poolRow(view, row))),
        dexes: [],
      },
    };
  }
  const poolPath = matchPath(path, '/networks/:network/pools/:address');
  if (poolPath) {
    for (const asset of scene.world.tokens) {
      const view = scene.see('dexpaprika', asset);
      const row = view.pools.find((candidate) => candidate.pool.address === poolPath.address);
      if (row) return { json: { ...poolRow(view, row), token_reserves: [], '24h': { volume_usd: row.volume24hUsd } } };
    }
  }
  const tokenPath = matchPath(path, '/networks/:network/tokens/:address');
  const asset = tokenPath ? find(tokenPath.network, tokenPath.address ?? '') : null;
  if (!asset) return { status: 404, json: { message: 'token not found' } };
  return { json: tokenDetail(scene.see('dexpaprika', asset)) };
};

function namesOf({ asset, chain, totalSupply }: AssetView) {
  return {
    id: asset.address,
    name: asset.name,
    symbol: asset.symbol,
    chain: chain.names.dexpaprika,
    decimals: asset.decimals,
    total_supply: totalSupply,
  };
}

function summaryRow(view: AssetView) {
  const { asset } = view;
  return {
    ...namesOf(view),
    price_usd: view.priceUsd,
    liquidity_usd: view.liquidityUsd,
    volume_usd: view.dexVolumeUsd,
    price_usd_change: view.change24hPct,
    website: asset.traits.site ? asset.url : '',
  };
}

function tokenDetail(view: AssetView) {
  const { asset } = view;
  const buys = view.pools.reduce((sum, row) => sum + row.buys, 0);
  const sells = view.pools.reduce((sum, row) => sum + row.sells, 0);
  const window = (part: number) => ({
    volume: (view.dexVolumeUsd / view.priceUsd) * part,
    volume_usd: view.dexVolumeUsd * part,
    sell_usd: view.dexVolumeUsd * part * 0.47,
    buy_usd: view.dexVolumeUsd * part * 0.53,
    sells: Math.round(sells * part),
    buys: Math.round(buys * part),
    txns: Math.round((buys + sells) * part),
    last_price_usd_change: view.change24hPct * part,
  });
  return {
    ...namesOf(view),
    description: '',
    website: asset.traits.site ? asset.url : '',
    twitter: `https://x.com/${asset.handle}`,
    telegram: `https://t.me/${asset.handle}`,
    explorer: '',
    added_at: iso(view.createdAt),
    has_image: false,
    price_stats: {
      high_24h: view.priceUsd * 1.02,
      low_24h: view.priceUsd * 0.98,
      ath: view.athUsd,
      ath_date: iso(view.athAt),
    },
    summary: {
      price_usd: view.priceUsd,
      fdv: view.fdvUsd,
      liquidity_usd: view.liquidityUsd,
      pools: view.pools.length,
      '24h': window(1),
      '6h': window(0.25),
      '1h': window(1 / 24),
      '30m': window(1 / 48),
      '15m': window(1 / 96),
      '5m': window(1 / 288),
    },
    last_updated: iso(view.at),
  };
}

function poolRow(view: AssetView, row: PoolView) {
  const { asset } = view;
  const side = (id: string, name: string, symbol: string, decimals: number) => ({
    id,
    name,
    symbol,
    chain: view.chain.names.dexpaprika,
    decimals,
  });
  const { quote } = row.pool;
  return {
    id: row.pool.address,
    dex_id: row.pool.venue,
    dex_name: row.pool.venue,
    chain: view.chain.names.dexpaprika,
    created_at: iso(row.createdAt),
    created_at_block_number: 1,
    price_usd: row.priceUsd,
    price_usd_24h: row.priceUsd,
    last_price_usd_change_24h: view.change24hPct,
    volume_usd: row.volume24hUsd,
    volume_usd_24h: row.volume24hUsd,
    liquidity_usd: row.liquidityUsd,
    transactions: row.buys + row.sells,
    transactions_24h: row.buys + row.sells,
    txns_24h: row.buys + row.sells,
    fee: null,
    tokens: [
      side(asset.address, asset.name, asset.symbol, asset.decimals),
      side(quote.address, quote.name, quote.symbol, quote.decimals),
    ],
  };
}

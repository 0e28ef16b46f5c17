import { chainCalled } from '../../src/chains/index.ts';
import { type Facade, matchPath } from '../facade.ts';
import type { AssetView, PoolView, Scene } from '../scene.ts';
import { checksummed } from '../world/addresses.ts';
import type { SandboxAsset, Venue } from '../world/types.ts';

const DEX: Readonly<Record<Venue, readonly [id: string, labels: readonly string[] | undefined]>> = {
  raydium: ['raydium', undefined],
  raydium_clmm: ['raydium', ['CLMM']],
  orca: ['orca', ['wp']],
  meteora: ['meteora', ['DLMM']],
  uniswap_v2: ['uniswap', ['v2']],
  uniswap_v3: ['uniswap', ['v3']],
  aerodrome: ['aerodrome', undefined],
  pancake_v2: ['pancakeswap', ['v2']],
};

/** DexScreener in the shapes that src/sources/dexscreener.ts names: bare arrays on v1 paths, `pairs: null` for the unknown. */
export const dexscreener: Facade = ({ path, query }, scene) => {
  if (matchPath(path, '/latest/dex/search')) {
    const wanted = (query.get('q') ?? '').trim().toLowerCase();
    const hits = scene.world.tokens.filter((asset) =>
      [asset.name, asset.symbol, asset.address].some((text) => text.toLowerCase().includes(wanted)),
    );
    return { json: { schemaVersion: '1.0.0', pairs: pairsOf(scene, hits).slice(0, 30) } };
  }
  const pairs = matchPath(path, '/latest/dex/pairs/:chain/:pairs');
  if (pairs) {
    const wanted = (pairs.pairs ?? '').toLowerCase().split(',');
    const holding = scene.world.tokens.filter((asset) =>
      asset.pools.some((pool) => wanted.includes(pool.address.toLowerCase())),
    );
    const rows = pairsOf(scene, holding).filter(
      (pair) => pair.chainId === pairs.chain && wanted.includes(pair.pairAddress.toLowerCase()),
    );
    return { json: { schemaVersion: '1.0.0', pairs: rows.length > 0 ? rows : null } };
  }
  const legacy = matchPath(path, '/latest/dex/tokens/:tokens');
  if (legacy) {
    const wanted = (legacy.tokens ?? '').toLowerCase().split(',');
    const rows = pairsOf(
      scene,
      scene.world.tokens.filter((asset) => wanted.includes(asset.address.toLowerCase())),
    );
    return { json: { schemaVersion: '1.0.0', pairs: rows.length > 0 ? rows : null } };
  }
  if (matchPath(path, '/orders/v1/:chain/:token')) return { json: [] };
  const token = matchPath(path, '/token-pairs/v1/:chain/:tokens') ?? matchPath(path, '/tokens/v1/:chain/:tokens');
  if (!token) return { status: 404, json: {} };
  const chain = chainCalled('dexscreener', token.chain);
  const assets = (token.tokens ?? '').split(',').flatMap((address) => {
    const asset = chain ? scene.world.byAddress(chain.name, address) : null;
    return asset ? [asset] : [];
  });
  return { json: pairsOf(scene, assets) };
};

function pairsOf(scene: Scene, assets: readonly SandboxAsset[]) {
  return assets.flatMap((asset) => {
    const view = scene.see('dexscreener', asset);
    return view.pools.map((row) => pair(view, row));
  });
}

function pair(view: AssetView, row: PoolView) {
  const { asset } = view;
  const [dexId, labels] = DEX[row.pool.venue];
  const part = (value: number) => ({ m5: value / 288, h1: value / 24, h6: value / 4, h24: value });
  const counts = (share: number) => ({ buys: Math.round(row.buys * share), sells: Math.round(row.sells * share) });
  return {
    chainId: view.chain.names.dexscreener,
    dexId,
    url: `https://dexscreener.com/${view.chain.names.dexscreener}/${row.pool.address.toLowerCase()}`,
    pairAddress: checksummed(row.pool.address),
    ...(labels ? { labels } : {}),
    baseToken: { address: checksummed(asset.address), name: asset.name, symbol: asset.symbol },
    quoteToken: {
      address: checksummed(row.pool.quote.address),
      name: row.pool.quote.name,
      symbol: row.pool.quote.symbol,
    },
    priceNative: String(row.priceUsd / row.quoteUsd),
    priceUsd: String(row.priceUsd),
    txns: { m5: counts(1 / 288), h1: counts(1 / 24), h6: counts(0.25), h24: counts(1) },
    volume: part(row.volume24hUsd),
    priceChange: { h1: view.change24hPct / 20, h6: view.change24hPct / 4, h24: Number(view.change24hPct.toFixed(2)) },
    liquidity: { usd: row.liquidityUsd, base: row.baseAmount, quote: row.quoteAmount },
    fdv: Math.round(view.fdvUsd * 100) / 100,
    marketCap: Math.round((asset.traits.listed ? view.marketCapUsd : view.fdvUsd) * 100) / 100,
    pairCreatedAt: Math.round(row.createdAt),
    ...(asset.traits.site
      ? {
          info: {
            imageUrl: `${asset.url}icon.png`,
            websites: [{ label: 'Website', url: asset.url }],
            socials: [
              { type: 'twitter', url: `https://x.com/${asset.handle}` },
              { type: 'telegram', url: `https://t.me/${asset.handle}` },
            ],
          },
        }
      : {}),
  };
}

import { DAY_MS } from '../../src/domain/statistics.ts';
import { type Facade, iso, matchPath } from '../facade.ts';
import type { Scene } from '../scene.ts';
import { BOOKS } from '../world/market.ts';
import type { SandboxAsset } from '../world/types.ts';

/** Binance spot market data: pairs against USDT, all numbers strings; without a symbol the tickers of all pairs. */
export const binance: Facade = ({ path, query }, scene) => {
  if (matchPath(path, '/api/v3/ping')) return { json: {} };
  const ticker = matchPath(path, '/api/v3/ticker/24hr')
    ? query.get('type') === 'MINI'
      ? miniTicker
      : fullTicker
    : null;
  if (ticker && !query.has('symbol')) return { json: traded(scene).map((asset) => ticker(scene, asset)) };
  const symbol = query.get('symbol') ?? '';
  const asset = symbol.endsWith('USDT') ? cexAsset(scene, symbol.slice(0, -4)) : null;
  if (!asset) return { status: 400, json: { code: -1121, msg: 'Invalid symbol.' } };
  if (ticker) return { json: ticker(scene, asset) };
  if (matchPath(path, '/api/v3/klines')) return { json: candles(scene, asset, Number(query.get('limit') ?? 500)) };
  const view = scene.see('binance', asset);
  return { json: { lastUpdateId: 1, ...book(view.priceUsd, view.cexVolumeUsd * BOOKS.binance.depthShare) } };
};

const MINI = new Set(
  'symbol openPrice highPrice lowPrice lastPrice volume quoteVolume openTime closeTime firstId lastId count'.split(' '),
);

/** What `type=MINI` leaves of a ticker. */
function miniTicker(scene: Scene, asset: SandboxAsset) {
  return Object.fromEntries(Object.entries(fullTicker(scene, asset)).filter(([name]) => MINI.has(name)));
}

function fullTicker(scene: Scene, asset: SandboxAsset) {
  const view = scene.see('binance', asset);
  const price = (factor: number) => (view.priceUsd * factor).toPrecision(8);
  const volume = view.cexVolumeUsd * BOOKS.binance.volumeShare;
  return {
    symbol: `${asset.symbol.toUpperCase()}USDT`,
    priceChange: price(view.change24hPct / 100),
    priceChangePercent: view.change24hPct.toFixed(3),
    weightedAvgPrice: price(0.999),
    prevClosePrice: price(0.99),
    lastPrice: price(1),
    lastQty: '1.0',
    bidPrice: price(0.9998),
    bidQty: '10.0',
    askPrice: price(1.0002),
    askQty: '10.0',
    openPrice: price(1 / (1 + view.change24hPct / 100)),
    highPrice: price(1.02),
    lowPrice: price(0.98),
    volume: String(volume / view.priceUsd),
    quoteVolume: String(volume),
    openTime: view.at - 86_400_000,
    closeTime: view.at,
    firstId: 1,
    lastId: 5000,
    count: 5000,
  };
}

/** Candles of whole days, the last one of the day that runs. */
function candles(scene: Scene, asset: SandboxAsset, limit: number) {
  const today = Math.floor(scene.now / DAY_MS);
  const days = Math.min(limit, 1_000, Math.max(1, Math.floor(asset.ageDays)));
  return Array.from({ length: days }, (_, index) => {
    const open = (today - (days - 1 - index)) * DAY_MS;
    const price = String(scene.world.price(asset, Math.min(open + DAY_MS - 1, scene.now)));
    return [open, price, price, price, price, '1000.0', open + DAY_MS - 1, '1000.0', 100, '500.0', '500.0', '0'];
  });
}

/** Coinbase Exchange: pairs against true dollars, numbers as strings. */
export const coinbase: Facade = ({ path }, scene) => {
  const params =
    matchPath(path, '/products/:product/ticker') ??
    matchPath(path, '/products/:product/stats') ??
    matchPath(path, '/products/:product/book') ??
    matchPath(path, '/products/:product');
  const product = params?.product ?? '';
  const asset = product.endsWith('-USD') ? cexAsset(scene, product.slice(0, -4)) : null;
  if (!asset) return { status: 404, json: { message: 'NotFound' } };
  const view = scene.see('coinbase', asset);
  const volume = (view.cexVolumeUsd * BOOKS.coinbase.volumeShare) / view.priceUsd;
  const price = (factor: number) => String(view.priceUsd * factor);
  if (path.endsWith('/stats')) {
    return {
      json: {
        open: price(1 / (1 + view.change24hPct / 100)),
        high: price(1.02),
        low: price(0.98),
        last: price(1),
        volume: String(volume),
        volume_30day: String(volume * 30),
      },
    };
  }
  if (path.endsWith('/book'))
    return { json: { ...book(view.priceUsd, view.cexVolumeUsd * BOOKS.coinbase.depthShare), sequence: 1 } };
  if (path.endsWith('/ticker')) {
    return {
      json: {
        trade_id: 1,
        ask: price(1.0003),
        bid: price(0.9997),
        volume: String(volume),
        price: price(1),
        size: '1.0',
        time: iso(view.at),
      },
    };
  }
  return { json: { id: product, base_currency: product.slice(0, -4), quote_currency: 'USD', status: 'online' } };
};

/** Assets that are traded on exchanges; of several with one symbol the first has the market. */
function traded(scene: Scene): readonly SandboxAsset[] {
  const bySymbol = new Map<string, SandboxAsset>();
  for (const asset of scene.world.traded) {
    const symbol = asset.symbol.toUpperCase();
    if (asset.traits.cex && !bySymbol.has(symbol)) bySymbol.set(symbol, asset);
  }
  return [...bySymbol.values()];
}

function cexAsset(scene: Scene, symbol: string): SandboxAsset | null {
  return scene.world.traded.find((asset) => asset.traits.cex && asset.symbol.toUpperCase() === symbol) ?? null;
}

function book(price: number, depthUsd: number) {
  const level = (factor: number) => [String(price * factor), String(depthUsd / 4 / price), 1] as const;
  const steps = [0.0005, 0.005, 0.01, 0.018];
  return { bids: steps.map((step) => level(1 - step)), asks: steps.map((step) => level(1 + step)) };
}

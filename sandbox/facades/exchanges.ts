import { DAY_MS } from '../../src/domain/statistics.ts';
import { type Facade, iso, matchPath } from '../facade.ts';
import type { Scene } from '../scene.ts';
import { booksOf, type ExchangeId } from '../world/market.ts';
import type { SandboxAsset } from '../world/types.ts';

/** Binance spot market data: pairs against USDT, all numbers strings; without a symbol the tickers of all pairs. */
export const binance: Facade = ({ path, query }, scene) => {
  if (matchPath(path, '/api/v3/ping')) return { json: {} };
  const ticker = matchPath(path, '/api/v3/ticker/24hr')
    ? query.get('type') === 'MINI'
      ? miniTicker
      : fullTicker
    : null;
  if (ticker && !query.has('symbol')) return { json: traded(scene, 'binance').map((asset) => ticker(scene, asset)) };
  const symbol = query.get('symbol') ?? '';
  const asset = symbol.endsWith('USDT') ? cexAsset(scene, 'binance', symbol.slice(0, -4)) : null;
  if (!asset) return { status: 400, json: { code: -1121, msg: 'Invalid symbol.' } };
  if (ticker) return { json: ticker(scene, asset) };
  if (matchPath(path, '/api/v3/klines')) {
    const days = daysOf(scene, asset, Math.min(Number(query.get('limit') ?? 500), 1_000));
    const json = days.map(({ open, price }) => {
      const end = open + DAY_MS - 1;
      return [open, price, price, price, price, '1000.0', end, '1000.0', 100, '500.0', '500.0', '0'];
    });
    return { json };
  }
  return { json: { lastUpdateId: 1, ...bookAt(scene, 'binance', asset) } };
};

const MINI = new Set(
  'symbol openPrice highPrice lowPrice lastPrice volume quoteVolume openTime closeTime firstId lastId count'.split(' '),
);

/** What `type=MINI` leaves of a ticker. */
function miniTicker(scene: Scene, asset: SandboxAsset) {
  return Object.fromEntries(Object.entries(fullTicker(scene, asset)).filter(([name]) => MINI.has(name)));
}

function fullTicker(scene: Scene, asset: SandboxAsset) {
  const { view, volume } = marketAt(scene, 'binance', asset);
  const price = (factor: number) => (view.priceUsd * factor).toPrecision(8);
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

/** Start of each day and its last price, oldest first, including the current day. */
function daysOf(scene: Scene, asset: SandboxAsset, most: number) {
  const today = Math.floor(scene.now / DAY_MS);
  const days = Math.min(most, Math.max(1, Math.floor(asset.ageDays)));
  return Array.from({ length: days }, (_, index) => {
    const open = (today - (days - 1 - index)) * DAY_MS;
    return { open, price: String(scene.world.price(asset, Math.min(open + DAY_MS - 1, scene.now))) };
  });
}

/** Coinbase Exchange: pairs against true dollars, numbers as strings. */
export const coinbase: Facade = ({ path }, scene) => {
  const params =
    matchPath(path, '/products/:product/ticker') ??
    matchPath(path, '/products/:product/stats') ??
    matchPath(path, '/products/:product/book') ??
    matchPath(path, '/products/:product/candles') ??
    matchPath(path, '/products/:product');
  const product = params?.product ?? '';
  const asset = product.endsWith('-USD') ? cexAsset(scene, 'coinbase', product.slice(0, -4)) : null;
  if (!asset) return { status: 404, json: { message: 'NotFound' } };
  const { view, base: volume } = marketAt(scene, 'coinbase', asset);
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
  if (path.endsWith('/book')) return { json: { ...bookAt(scene, 'coinbase', asset), sequence: 1 } };
  if (path.endsWith('/candles')) {
    const days = daysOf(scene, asset, 300).map(({ open, price }) => [
      open / 1_000,
      ...Array(4).fill(Number(price)),
      1_000,
    ]);
    return { json: days.reverse() };
  }
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

/** Kraken: the body carries its errors, and pairs of figures are [today, last 24 h]. */
export const kraken: Facade = ({ path, query }, scene) => {
  const pair = query.get('pair');
  const assets = listedOr(scene, 'kraken', pair, (asset) => `${symbolOf(asset)}/USD`);
  if (assets === null) return { json: { error: ['EQuery:Unknown asset pair'] } };
  if (matchPath(path, '/0/public/Depth'))
    return { json: { error: [], result: { [String(pair)]: bookAt(scene, 'kraken', assets[0]) } } };
  const [asked] = assets;
  if (matchPath(path, '/0/public/OHLC') && asked !== undefined) {
    const rows = daysOf(scene, asked, 720).map(({ open, price }) => [
      open / 1_000,
      ...Array(5).fill(price),
      '1000',
      100,
    ]);
    return { json: { error: [], result: { [String(pair)]: rows, last: rows.at(-1)?.[0] } } };
  }
  const rows = assets.map((asset) => {
    const { view, base } = marketAt(scene, 'kraken', asset);
    const price = view.priceUsd.toPrecision(8);
    const both = (value: number) => [String(value * 0.4), String(value)];
    const figures = { a: [price, '1', '1.000'], b: [price, '1', '1.000'], c: [price, '0.1'], t: [580, 5_000] };
    return [`${symbolOf(asset)}/USD`, { ...figures, v: both(base), p: [price, price], o: price }];
  });
  return { json: { error: [], result: Object.fromEntries(rows) } };
};

/** OKX: rows in an envelope, all numbers strings. */
export const okx: Facade = ({ path, query }, scene) => {
  const assets = listedOr(scene, 'okx', query.get('instId'), (asset) => `${symbolOf(asset)}-USDT`);
  if (assets === null) return { json: { code: '51001', msg: 'Instrument ID does not exist', data: [] } };
  if (matchPath(path, '/api/v5/market/books'))
    return { json: { code: '0', msg: '', data: [{ ...bookAt(scene, 'okx', assets[0]), ts: String(scene.now) }] } };
  const data = assets.map((asset) => {
    const { view, volume, base } = marketAt(scene, 'okx', asset);
    return {
      instType: 'SPOT',
      instId: `${symbolOf(asset)}-USDT`,
      last: view.priceUsd.toPrecision(8),
      vol24h: String(base),
      volCcy24h: String(volume),
      ts: String(view.at),
    };
  });
  return { json: { code: '0', msg: '', data } };
};

/** Bybit v5: rows in an envelope, books by single letters. */
export const bybit: Facade = ({ path, query }, scene) => {
  const assets = listedOr(scene, 'bybit', query.get('symbol'), (asset) => `${symbolOf(asset)}USDT`);
  if (assets === null)
    return { json: { retCode: 10001, retMsg: 'Not supported symbols', result: {}, time: scene.now } };
  const reply = (result: object) => ({ json: { retCode: 0, retMsg: 'OK', result, retExtInfo: {}, time: scene.now } });
  if (matchPath(path, '/v5/market/orderbook')) {
    const { bids, asks } = bookAt(scene, 'bybit', assets[0]);
    return reply({ s: query.get('symbol'), b: bids, a: asks, ts: scene.now, u: 1 });
  }
  const list = assets.map((asset) => {
    const { view, volume, base } = marketAt(scene, 'bybit', asset);
    return {
      symbol: `${symbolOf(asset)}USDT`,
      lastPrice: view.priceUsd.toPrecision(8),
      turnover24h: String(volume),
      volume24h: String(base),
    };
  });
  return reply({ category: 'spot', list });
};

/** KuCoin: the list of tickers, one market's figures, a book, and currencies with their contracts. */
export const kucoin: Facade = ({ path, query }, scene) => {
  if (matchPath(path, '/api/v3/currencies')) {
    const chainIds: Readonly<Record<string, string>> = { ethereum: 'eth', solana: 'sol' };
    const data = traded(scene, 'kucoin').map((asset) => ({
      currency: symbolOf(asset),
      name: symbolOf(asset),
      fullName: asset.name,
      chains: [
        { chainName: asset.chain, chainId: chainIds[asset.chain ?? ''] ?? 'other', contractAddress: asset.address },
      ],
    }));
    return { json: { code: '200000', data } };
  }
  const assets = listedOr(scene, 'kucoin', query.get('symbol'), (asset) => `${symbolOf(asset)}-USDT`);
  if (assets === null) return { json: { code: '400100', msg: 'This pair is not provided at present' } };
  const rows = assets.map((asset) => {
    const { view, volume, base } = marketAt(scene, 'kucoin', asset);
    const symbol = `${symbolOf(asset)}-USDT`;
    return {
      symbol,
      symbolName: symbol,
      last: view.priceUsd.toPrecision(8),
      vol: String(base),
      volValue: String(volume),
    };
  });
  if (matchPath(path, '/api/v1/market/allTickers'))
    return { json: { code: '200000', data: { time: scene.now, ticker: rows } } };
  if (matchPath(path, '/api/v1/market/stats')) return { json: { code: '200000', data: rows[0] } };
  return { json: { code: '200000', data: { time: scene.now, sequence: '1', ...bookAt(scene, 'kucoin', assets[0]) } } };
};

/** Gate v4: bare rows; a leveraged token is among them. */
export const gateio: Facade = ({ path, query }, scene) => {
  if (matchPath(path, '/api/v4/spot/currencies')) {
    const names: Readonly<Record<string, string>> = { ethereum: 'ETH', solana: 'SOL' };
    const json = traded(scene, 'gateio').map((asset) => ({
      currency: symbolOf(asset),
      name: asset.name,
      delisted: false,
      chain: names[asset.chain ?? ''] ?? 'OTHER',
      chains: [{ name: names[asset.chain ?? ''] ?? 'OTHER', addr: asset.address }],
    }));
    return { json };
  }
  const assets = listedOr(scene, 'gateio', query.get('currency_pair'), (asset) => `${symbolOf(asset)}_USDT`);
  if (assets === null)
    return { status: 400, json: { label: 'INVALID_CURRENCY_PAIR', message: 'Invalid currency pair' } };
  if (matchPath(path, '/api/v4/spot/order_book'))
    return { json: { id: 1, current: scene.now, update: scene.now, ...bookAt(scene, 'gateio', assets[0]) } };
  const rows = assets.map((asset) => {
    const { view, volume, base } = marketAt(scene, 'gateio', asset);
    const last = view.priceUsd.toPrecision(8);
    return {
      currency_pair: `${symbolOf(asset)}_USDT`,
      last,
      lowest_ask: last,
      highest_bid: '',
      base_volume: String(base),
      quote_volume: String(volume),
    };
  });
  const leveraged = rows.map((row) => ({
    ...row,
    currency_pair: row.currency_pair.replace('_', '3L_'),
    etf_net_value: '0.1',
    etf_leverage: '3',
  }));
  return { json: query.has('currency_pair') ? rows : [...rows, ...leveraged] };
};

/** Bitstamp: whole books; the list names its pairs, a single ticker does not. */
export const bitstamp: Facade = ({ path }, scene) => {
  const wanted = matchPath(path, '/api/v2/ticker/:pair') ?? matchPath(path, '/api/v2/order_book/:pair');
  const assets = listedOr(scene, 'bitstamp', wanted?.pair ?? null, (asset) => `${symbolOf(asset)}USD`.toLowerCase());
  if (assets === null) return { status: 404, json: { status: 'error', reason: 'Pair not found', code: 'API0017' } };
  if (path.includes('/order_book/'))
    return { json: { timestamp: String(Math.floor(scene.now / 1000)), ...bookAt(scene, 'bitstamp', assets[0]) } };
  const rows = assets.map((asset) => {
    const { view, base } = marketAt(scene, 'bitstamp', asset);
    const last = view.priceUsd.toPrecision(8);
    const timestamp = String(Math.floor(view.at / 1000));
    return { pair: `${symbolOf(asset)}/USD`, last, volume: String(base), vwap: last, timestamp };
  });
  return { json: wanted === null ? rows : { ...rows[0], pair: undefined } };
};

const symbolOf = (asset: SandboxAsset) => asset.symbol.toUpperCase();

/** All assets of the exchange, or the one whose market has that name; null for a name that it does not have. */
function listedOr(
  scene: Scene,
  exchange: ExchangeId,
  name: string | null,
  nameOf: (asset: SandboxAsset) => string,
): readonly SandboxAsset[] | null {
  const all = traded(scene, exchange);
  if (name === null) return all;
  const found = all.find((asset) => nameOf(asset) === name);
  return found === undefined ? null : [found];
}

/** An exchange's view of an asset: volume in US dollars and in the asset, over 24 h. */
function marketAt(scene: Scene, exchange: ExchangeId, asset: SandboxAsset) {
  const view = scene.see(exchange, asset);
  const volume = view.cexVolumeUsd * (booksOf(asset)[exchange]?.volumeShare ?? 0);
  return { view, volume, base: volume / view.priceUsd };
}

/** Assets that are traded on an exchange; of several with one symbol the first has the market. */
function traded(scene: Scene, exchange: ExchangeId): readonly SandboxAsset[] {
  const bySymbol = new Map<string, SandboxAsset>();
  for (const asset of scene.world.traded)
    if (booksOf(asset)[exchange] && !bySymbol.has(symbolOf(asset))) bySymbol.set(symbolOf(asset), asset);
  return [...bySymbol.values()];
}

function cexAsset(scene: Scene, exchange: ExchangeId, symbol: string): SandboxAsset | null {
  return traded(scene, exchange).find((asset) => symbolOf(asset) === symbol) ?? null;
}

function bookAt(scene: Scene, exchange: ExchangeId, asset: SandboxAsset | undefined) {
  if (asset === undefined) return { bids: [], asks: [] };
  const { priceUsd, cexVolumeUsd } = scene.see(exchange, asset);
  const depthUsd = cexVolumeUsd * (booksOf(asset)[exchange]?.depthShare ?? 0);
  const level = (factor: number) => [String(priceUsd * factor), String(depthUsd / 4 / priceUsd), 1] as const;
  const steps = [0.0005, 0.005, 0.01, 0.018];
  return { bids: steps.map((step) => level(1 - step)), asks: steps.map((step) => level(1 + step)) };
}

import { EARLIER_NAMES, exchangeCalled, isExchangeId, usualSymbol } from './venues.ts';

/** A market: one asset traded against another on one exchange, with canonical names. */
export interface Market {
  /** Id in the table of exchanges, or `unlisted.<name>`. */
  readonly exchange: string;
  /** Symbol of the asset that is priced, upper case. */
  readonly base: string;
  /** Symbol of the asset it is priced in, upper case. */
  readonly quote: string;
}

interface QuoteAsset {
  readonly symbol: string;
  /**
   * True for the dollar, and for the two tokens so widely traded against it that amounts in them count as US dollars. Amounts in any other
   * token count only at a rate that a source states (FDUSD left its peg in April 2025).
   */
  readonly dollar: boolean;
  /** The registry id of the asset; null for currencies that no registry lists. */
  readonly coingeckoId: string | null;
  /** Other spellings. */
  readonly also: readonly string[];
}

/**
 * Quote assets of markets. CoinGecko's ids are the `target_coin_id` of its tickers. `Z` before a currency is Kraken's
 * prefix for fiat money; `XBT` is bitcoin in the form of ISO 4217, where codes without a country begin with X.
 */
const QUOTES: readonly QuoteAsset[] = [
  quote('USDT', { dollar: true, coingeckoId: 'tether' }),
  quote('USDC', { dollar: true, coingeckoId: 'usd-coin' }),
  quote('FDUSD', { coingeckoId: 'first-digital-usd' }),
  quote('TUSD', { coingeckoId: 'true-usd' }),
  quote('BUSD', { coingeckoId: 'binance-usd' }),
  quote('DAI', { coingeckoId: 'dai' }),
  quote('USDP', { coingeckoId: 'paxos-standard', also: ['PAX'] }),
  quote('PYUSD', { coingeckoId: 'paypal-usd' }),
  quote('RLUSD', { coingeckoId: 'ripple-usd' }),
  quote('USD1', { coingeckoId: 'usd1-wlfi' }),
  quote('USD', { dollar: true, also: ['ZUSD'] }),
  quote('EUR', { also: ['ZEUR'] }),
  quote('GBP', { also: ['ZGBP'] }),
  quote('JPY', { also: ['ZJPY'] }),
  quote('CAD', { also: ['ZCAD'] }),
  quote('AUD', { also: ['ZAUD'] }),
  ...['KRW', 'TRY', 'BRL', 'IDR', 'INR', 'THB', 'UAH', 'ZAR', 'MXN', 'PLN', 'ARS', 'CHF'].map((money) => quote(money)),
  quote('BTC', { coingeckoId: 'bitcoin', also: ['XBT', 'XXBT'] }),
  quote('ETH', { coingeckoId: 'ethereum' }),
  quote('BNB', { coingeckoId: 'binancecoin' }),
  quote('SOL', { coingeckoId: 'solana' }),
  quote('TRX', { coingeckoId: 'tron' }),
  quote('XRP', { coingeckoId: 'ripple' }),
  quote('DOGE', { coingeckoId: 'dogecoin' }),
  quote('EURC', { coingeckoId: 'euro-coin' }),
];

function quote(symbol: string, known: Partial<Omit<QuoteAsset, 'symbol'>> = {}): QuoteAsset {
  return { symbol, dollar: false, coingeckoId: null, also: [], ...known };
}

const BY_COINGECKO_ID = new Map(QUOTES.flatMap((row) => (row.coingeckoId ? [[row.coingeckoId, row.symbol]] : [])));
const SPELLINGS = new Map(QUOTES.flatMap((row) => row.also.map((name) => [name, row.symbol])));
const DOLLARS = new Set(QUOTES.filter((row) => row.dollar).map((row) => row.symbol));
/** Longest first, so that `TUSD` is found before `USD`. */
const ENDINGS = QUOTES.flatMap((row) => [row.symbol, ...row.also]).sort(
  (a, b) => b.length - a.length || (a < b ? -1 : 1),
);
/** Money with Kraken's prefix, which is in its own spellings. Elsewhere the Z ends the symbol before it, as in XTZEUR. */
const PREFIXED_MONEY = /^Z[A-Z]{3}$/;
/** Shorter than any chain's address and longer than any listed symbol. */
const SYMBOL = /^[A-Z0-9]{1,20}$/;
const SCOPE = /^venue:([a-z0-9_.]+):([A-Z0-9]{1,20})-([A-Z0-9]{1,20})$/;

const CHAIN_BEFORE_ADDRESS =
  /^(?:[a-z0-9-]+(?:_[a-z0-9-]+)?[:_](?=0[xX][0-9a-fA-F]+$)|solana[:_](?=[1-9A-HJ-NP-Za-km-z]{32,44}$))/;

/**
 * The market for the symbols that a source writes; null when one of them is not a symbol (pools are written with
 * addresses). `quoteCoin` is the registry's id of the quote asset and takes precedence over its symbol.
 */
export function marketOf(
  exchange: string,
  base: string,
  quoteSymbol: string,
  quoteCoin: string | null = null,
): Market | null {
  const priced = symbolOf(exchange, base);
  const money = symbolOf(exchange, quoteSymbol);
  if (priced === null || money === null) return null;
  return { exchange, base: priced, quote: BY_COINGECKO_ID.get(quoteCoin ?? '') ?? money };
}

/**
 * Parses an exchange's own market name: `TIDE-USD`, `tide_usdt`, `TIDE/USDT` or `TIDEUSDT`; null when it cannot be
 * split.
 */
export function marketNamed(exchange: string, name: string): Market | null {
  const upper = name.toUpperCase();
  const [base, money, ...rest] = upper.split(/[-_/]/);
  if (base === undefined || rest.length > 0) return null;
  if (money !== undefined) return marketOf(exchange, base, money);
  const quote = ENDINGS.find(
    (symbol) =>
      upper.length > symbol.length &&
      upper.endsWith(symbol) &&
      (usualSymbol(exchange, symbol) !== symbol || !PREFIXED_MONEY.test(symbol)),
  );
  return quote === undefined ? null : marketOf(exchange, upper.slice(0, -quote.length), quote);
}

/** The scope of all observations of a market: `venue:<exchange>:<base>-<quote>`. */
export function marketScope({ exchange, base, quote: money }: Market): string {
  return `venue:${exchange}:${base}-${money}`;
}

/** The market of a canonical scope; null for any other scope. */
export function marketOfScope(scope: string): Market | null {
  const [, exchange = '', base = '', money = ''] = SCOPE.exec(scope) ?? [];
  return isExchangeId(exchange) ? { exchange, base, quote: money } : null;
}

/** Whether amounts in this quote asset count as US dollars. */
export function isDollar(quoteSymbol: string): boolean {
  return DOLLARS.has(quoteSymbol);
}

/**
 * The scope of a pool: its address or id without the chain prefix that some indexes add; hexadecimal in lower case. A
 * rating reads the pools of one chain only, so the scope does not contain the chain.
 */
export function poolScope(address: string): string {
  const bare = address.replace(CHAIN_BEFORE_ADDRESS, '');
  return `pool:${/^0[xX]/.test(bare) ? bare.toLowerCase() : bare}`;
}

/**
 * The canonical form of any scope. Current sources write it themselves. Evidence of earlier versions contains the
 * registry's name of an exchange and the exchange's own name of a market (`venue:gdax:TIDE-USD`,
 * `venue:binance:TIDEUSDT`). Null for the market of a decentralised exchange, which counts as a pool. A scope that
 * cannot be parsed is returned unchanged.
 */
export function canonicalScope(scope: string): string | null {
  if (scope.startsWith('pool:')) return poolScope(scope.slice('pool:'.length));
  if (!scope.startsWith('venue:')) return scope;
  const [, name = '', pair = ''] = scope.split(':');
  const exchange = isExchangeId(name) ? name : exchangeCalled(EARLIER_NAMES, name);
  if (exchange === null) return null;
  const market = marketNamed(exchange, pair);
  return market === null ? scope : marketScope(market);
}

function symbolOf(exchange: string, written: string): string | null {
  const symbol = written.toUpperCase();
  if (!SYMBOL.test(symbol)) return null;
  const usual = usualSymbol(exchange, symbol);
  return SPELLINGS.get(usual) ?? usual;
}

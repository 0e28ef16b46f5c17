/** Registries that name exchanges. An exchange's own API is a source under the exchange's id. */
export type ExchangeRegistry = 'coingecko' | 'coinmarketcap' | 'coinpaprika' | 'defillama';

/** The registry whose names for exchanges occur in evidence of earlier versions. */
export const EARLIER_NAMES: ExchangeRegistry = 'coingecko';

/** One centralised exchange, with its names at each source. */
export interface Exchange {
  /** Lower-case letters, digits and `_`; used in market scopes. */
  readonly id: string;
  readonly title: string;
  /** A name is absent unless it was confirmed: a wrong join is worse than a missing one. */
  readonly names: Readonly<Partial<Record<ExchangeRegistry, string | readonly string[]>>>;
  /** Symbols that this exchange spells differently: its symbol, then the usual one. */
  readonly symbols: Readonly<Record<string, string>>;
}

/**
 * The exchanges with known names, most traded first.
 *
 * Origin of the names: `coingecko` is `market.identifier` of its tickers and the id in its `/exchanges` list (2022-12);
 * `coinmarketcap` is the number in its exchange list (2023-05), and the slug of the exchange's page where one was seen;
 * `coinpaprika` is the `exchange_id` in the paths of published clients; `defillama` is the adapter's name in the public
 * repository. Names are joined on evidence: CoinGecko and CoinMarketCap state the same website; DefiLlama's adapter
 * lists wallets that others attribute to the same exchange. Names that only have the same letters are not joined.
 */
export const EXCHANGES: readonly Exchange[] = [
  exchange('binance', 'Binance', {
    coingecko: 'binance',
    coinmarketcap: '270',
    coinpaprika: 'binance',
    defillama: 'binance',
  }),
  exchange('coinbase', 'Coinbase Exchange', {
    coingecko: 'gdax',
    coinmarketcap: ['89', 'coinbase-exchange'],
    coinpaprika: ['coinbase', 'coinbase-pro'],
  }),
  exchange(
    'kraken',
    'Kraken',
    { coingecko: 'kraken', coinmarketcap: '24', coinpaprika: 'kraken', defillama: 'kraken' },
    {
      XBT: 'BTC',
      XXBT: 'BTC',
      XETH: 'ETH',
      XXRP: 'XRP',
      XLTC: 'LTC',
      XDG: 'DOGE',
      XXDG: 'DOGE',
      ZUSD: 'USD',
      ZEUR: 'EUR',
      ZGBP: 'GBP',
      ZJPY: 'JPY',
      ZCAD: 'CAD',
      ZAUD: 'AUD',
    },
  ),
  exchange('okx', 'OKX', { coingecko: 'okex', coinmarketcap: '294', coinpaprika: 'okex', defillama: 'okex' }),
  exchange('bybit', 'Bybit', { coingecko: 'bybit_spot', coinmarketcap: '521', defillama: 'bybit' }),
  exchange('kucoin', 'KuCoin', {
    coingecko: 'kucoin',
    coinmarketcap: '311',
    coinpaprika: 'kucoin',
    defillama: 'kucoin',
  }),
  exchange('gateio', 'Gate', { coingecko: 'gate', coinmarketcap: '302', defillama: 'gate-io' }),
  exchange('mexc', 'MEXC', { coingecko: 'mxc', coinmarketcap: '544', defillama: 'mexc-cex' }),
  exchange('bitget', 'Bitget', { coingecko: 'bitget', coinmarketcap: '513', defillama: 'bitget' }),
  exchange('htx', 'HTX', { coingecko: 'huobi', coinmarketcap: '102', defillama: 'huobi' }),
  exchange('crypto_com', 'Crypto.com Exchange', {
    coingecko: 'crypto_com',
    coinmarketcap: '1149',
    defillama: 'crypto-com',
  }),
  exchange('upbit', 'Upbit', { coingecko: 'upbit', coinmarketcap: '351' }),
  exchange('bithumb', 'Bithumb', { coingecko: 'bithumb', coinmarketcap: '200' }),
  exchange('bitstamp', 'Bitstamp', { coingecko: 'bitstamp', coinmarketcap: '70' }),
  exchange('gemini', 'Gemini', { coingecko: 'gemini', coinmarketcap: '151', defillama: 'gemini' }),
  exchange(
    'bitfinex',
    'Bitfinex',
    { coingecko: 'bitfinex', coinmarketcap: '37', defillama: 'bitfinex' },
    { UST: 'USDT' },
  ),
  exchange('binance_us', 'Binance.US', { coingecko: 'binance_us', defillama: 'binance-us' }),
  exchange('ascendex', 'AscendEX', { coingecko: 'bitmax', coinmarketcap: '453' }),
  exchange('bigone', 'BigONE', { coingecko: 'bigone', coinmarketcap: '330', defillama: 'bigone' }),
  exchange('bingx', 'BingX', { coingecko: 'bingx', coinmarketcap: '1064' }),
  exchange('bit_com', 'Bit.com', { coingecko: 'bit_com', coinmarketcap: '1161' }),
  exchange('bitazza', 'Bitazza', { coingecko: 'bitazza', coinmarketcap: '1124' }),
  exchange('bitbank', 'bitbank', { coingecko: 'bitbank', coinmarketcap: '257' }),
  exchange('bitbns', 'Bitbns', { coingecko: 'bitbns', coinmarketcap: '376' }),
  exchange('bitkub', 'Bitkub', { coingecko: 'bitkub', coinmarketcap: '436', defillama: 'bitkub-cex' }),
  exchange('bitmart', 'BitMart', { coingecko: 'bitmart', coinmarketcap: '406', defillama: 'bitmark' }),
  exchange('bitmex', 'BitMEX', { coingecko: 'bitmex_spot', coinmarketcap: '157', defillama: 'bitmex' }, { XBT: 'BTC' }),
  exchange('bitopro', 'BitoPro', { coingecko: 'bitopro', coinmarketcap: '717' }),
  exchange('bitrue', 'Bitrue', { coingecko: 'bitrue', coinmarketcap: '433', defillama: 'bitrue-cex' }),
  exchange('bitso', 'Bitso', { coingecko: 'bitso', coinmarketcap: '125' }),
  exchange('bitvavo', 'Bitvavo', { coingecko: 'bitvavo', coinmarketcap: '520', defillama: 'bitvavo' }),
  exchange('blockchain_com', 'Blockchain.com', { coingecko: 'blockchain_com', coinmarketcap: '1254' }),
  exchange('btse', 'BTSE', { coingecko: 'btse', coinmarketcap: '658', defillama: 'btse' }),
  exchange('bullish', 'Bullish', { coingecko: 'bullish_com', coinmarketcap: '1601' }),
  exchange('cex_io', 'CEX.IO', { coingecko: 'cex', defillama: 'cex-io' }),
  exchange('coincheck', 'Coincheck', { coingecko: 'coincheck', coinmarketcap: '106' }),
  exchange('coinex', 'CoinEx', { coingecko: 'coinex', coinmarketcap: '350', defillama: 'coinex' }),
  exchange('coinlist', 'CoinList Pro', { coingecko: 'coinlist', coinmarketcap: '1011' }),
  exchange('coinmetro', 'Coinmetro', { coingecko: 'coin_metro', coinmarketcap: '488' }),
  exchange('coinone', 'Coinone', { coingecko: 'coinone', coinmarketcap: '174' }),
  exchange('coinsbit', 'Coinsbit', { coingecko: 'coinsbit', coinmarketcap: '460' }),
  exchange('coinstore', 'Coinstore', { coingecko: 'coinstore', coinmarketcap: '1411', defillama: 'coinstore' }),
  exchange('currency_com', 'Currency.com', { coingecko: 'currency', coinmarketcap: '699' }),
  exchange('delta_exchange', 'Delta Exchange', { coingecko: 'delta_spot', coinmarketcap: '705' }),
  exchange('dex_trade', 'Dex-Trade', { coingecko: 'dextrade', coinmarketcap: '154' }),
  exchange('emirex', 'Emirex', { coingecko: 'emirex', coinmarketcap: '731' }),
  exchange('exmo', 'EXMO', { coingecko: 'exmo', coinmarketcap: '50' }),
  exchange('fmfw_io', 'FMFW.io', { coingecko: 'bitcoin_com', coinmarketcap: '857' }),
  exchange('hitbtc', 'HitBTC', { coingecko: 'hitbtc', coinmarketcap: '42' }),
  exchange('independent_reserve', 'Independent Reserve', { coingecko: 'independent_reserve', coinmarketcap: '166' }),
  exchange('indodax', 'Indodax', { coingecko: 'indodax', coinmarketcap: '68', defillama: 'indodax' }),
  exchange('korbit', 'Korbit', { coingecko: 'korbit', coinmarketcap: '194', defillama: 'korbit' }),
  exchange('latoken', 'LATOKEN', { coingecko: 'latoken', defillama: 'latoken' }),
  exchange('lbank', 'LBank', { coingecko: 'lbank', defillama: 'lbank-exchange' }),
  exchange('luno', 'Luno', { coingecko: 'luno', coinmarketcap: '171' }),
  exchange('max_maicoin', 'MAX (MaiCoin)', { coingecko: 'max_maicoin', coinmarketcap: '868' }),
  exchange('mercado_bitcoin', 'Mercado Bitcoin', { coingecko: 'mercado_bitcoin', coinmarketcap: '258' }),
  exchange('nicehash', 'NiceHash', { coingecko: 'nice_hash', coinmarketcap: '844' }),
  exchange('nominex', 'Nominex', { coingecko: 'nominex', coinmarketcap: '834' }),
  exchange('p2b', 'P2B', { coingecko: 'p2pb2b', coinmarketcap: '215' }),
  exchange('paribu', 'Paribu', { coingecko: 'paribu', coinmarketcap: '225' }),
  exchange('phemex', 'Phemex', { coingecko: 'phemex', coinmarketcap: '955', defillama: 'phemex' }),
  exchange('poloniex', 'Poloniex', { coingecko: 'poloniex', coinmarketcap: '16', defillama: 'poloniex-cex' }),
  exchange('tokpie', 'Tokpie', { coingecko: 'tokpie', coinmarketcap: '1250' }),
  exchange('whitebit', 'WhiteBIT', { coingecko: 'whitebit', coinmarketcap: '501' }),
  exchange('woo_x', 'WOO X', { coingecko: 'wootrade', coinmarketcap: '1289', defillama: 'woo-cex' }),
  exchange('xt', 'XT.COM', { coingecko: 'xt', coinmarketcap: '525' }),
  exchange('zaif', 'Zaif', { coingecko: 'zaif', coinmarketcap: '73' }),
];

function exchange(id: string, title: string, names: Exchange['names'], symbols: Exchange['symbols'] = {}): Exchange {
  return { id, title, names, symbols };
}

/** First words of the names of decentralised exchanges whose pools are read by address (scope `pool:`). */
const POOL_EXCHANGES: ReadonlySet<string> = new Set([
  'aerodrome',
  'balancer',
  'camelot',
  'curve',
  'kyberswap',
  'meteora',
  'orca',
  'pancake',
  'pancakeswap',
  'pumpswap',
  'quickswap',
  'raydium',
  'raydium2',
  'sushiswap',
  'traderjoe',
  'uniswap',
  'velodrome',
]);

const LONGEST_NAME = 30;
const UNLISTED = 'unlisted.';

/** False for an exchange that is not in the table. */
export function isListedExchange(id: string): boolean {
  return !id.startsWith(UNLISTED);
}
const EXCHANGE_ID = /^(?:[a-z0-9_]{1,30}|unlisted\.[a-z0-9]{1,30})$/;
const BY_ID = new Map(EXCHANGES.map((row) => [row.id, row]));
const BY_NAME = new Map(
  EXCHANGES.flatMap((row) =>
    Object.entries(row.names).flatMap(([registry, names]) =>
      [names].flat().map((name) => [`${registry}:${plain(name)}`, row.id] as const),
    ),
  ),
);
const BY_OWN_NAME = new Map(
  EXCHANGES.flatMap((row) => [row.id, row.title].map((name) => [plain(name), row.id] as const)),
);

/**
 * Id of the exchange with this name at a registry. An exchange that is not in the table gets `unlisted.` plus its name
 * in plain letters, whichever source states it. Null for a decentralised exchange whose pools are read, and for a name
 * without a letter or digit.
 */
export function exchangeCalled(registry: ExchangeRegistry, name: string): string | null {
  const letters = plain(name);
  if (letters === '' || POOL_EXCHANGES.has(name.toLowerCase().split(/[^a-z0-9]/, 1)[0] ?? '')) return null;
  return BY_NAME.get(`${registry}:${letters}`) ?? BY_OWN_NAME.get(letters) ?? `${UNLISTED}${letters}`;
}

/** Whether `exchangeCalled` can return this id. */
export function isExchangeId(id: string): boolean {
  return EXCHANGE_ID.test(id) && (id.startsWith(UNLISTED) || BY_ID.has(id));
}

/** Converts an exchange's own symbol of an asset to the usual spelling. */
export function usualSymbol(exchangeId: string, symbol: string): string {
  return BY_ID.get(exchangeId)?.symbols[symbol] ?? symbol;
}

function plain(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
    .slice(0, LONGEST_NAME);
}

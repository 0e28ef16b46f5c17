/** Registries that name exchanges. An exchange's own API is asked under the exchange's id. */
export type ExchangeRegistry = 'coingecko' | 'coinmarketcap' | 'coinpaprika' | 'defillama';

/** Whose names for exchanges evidence of earlier versions carries. */
export const EARLIER_NAMES: ExchangeRegistry = 'coingecko';

/** One centralised exchange and what each source calls it. */
export interface Exchange {
  /** Lower-case letters, digits and `_`: what a market scope carries. */
  readonly id: string;
  readonly title: string;
  /** Absent where no name was confirmed: a wrong join is worse than none. */
  readonly names: Readonly<Partial<Record<ExchangeRegistry, string | readonly string[]>>>;
  /** What ties the names to one another; see the note above the table. */
  readonly joinedBy: 'domain' | 'wallets' | 'domain and wallets';
  /** Assets that this exchange spells in its own way: its symbol, then the usual one. */
  readonly symbols: Readonly<Record<string, string>>;
}

/**
 * The exchanges whose names are known, the most traded first.
 *
 * Where names come from: `coingecko` is `market.identifier` of its tickers and the id of its `/exchanges` list (2022-12);
 * `coinmarketcap` the number of its exchange list (2023-05), and the slug of the exchange's page where one was seen;
 * `coinpaprika` the `exchange_id` in the paths of published clients; `defillama` the adapter's name in the public
 * repository. `domain`: the registries state the same website. `wallets`: DefiLlama's adapter lists wallets that others
 * attribute to the same exchange. Names that agree by their letters only are left out.
 */
export const EXCHANGES: readonly Exchange[] = [
  exchange(
    'binance',
    'Binance',
    { coingecko: 'binance', coinmarketcap: '270', coinpaprika: 'binance', defillama: 'binance' },
    'domain and wallets',
  ),
  exchange(
    'coinbase',
    'Coinbase Exchange',
    { coingecko: 'gdax', coinmarketcap: ['89', 'coinbase-exchange'], coinpaprika: ['coinbase', 'coinbase-pro'] },
    'domain',
  ),
  exchange(
    'kraken',
    'Kraken',
    { coingecko: 'kraken', coinmarketcap: '24', coinpaprika: 'kraken', defillama: 'kraken' },
    'domain and wallets',
    { XBT: 'BTC', XXBT: 'BTC', XETH: 'ETH', XXRP: 'XRP', XLTC: 'LTC', XDG: 'DOGE', XXDG: 'DOGE' },
  ),
  exchange(
    'okx',
    'OKX',
    { coingecko: 'okex', coinmarketcap: '294', coinpaprika: 'okex', defillama: 'okex' },
    'domain and wallets',
  ),
  exchange(
    'bybit',
    'Bybit',
    { coingecko: 'bybit_spot', coinmarketcap: '521', defillama: 'bybit' },
    'domain and wallets',
  ),
  exchange(
    'kucoin',
    'KuCoin',
    { coingecko: 'kucoin', coinmarketcap: '311', coinpaprika: 'kucoin', defillama: 'kucoin' },
    'domain and wallets',
  ),
  exchange('gateio', 'Gate', { coingecko: 'gate', coinmarketcap: '302', defillama: 'gate-io' }, 'domain and wallets'),
  exchange('mexc', 'MEXC', { coingecko: 'mxc', coinmarketcap: '544', defillama: 'mexc-cex' }, 'domain and wallets'),
  exchange(
    'bitget',
    'Bitget',
    { coingecko: 'bitget', coinmarketcap: '513', defillama: 'bitget' },
    'domain and wallets',
  ),
  exchange('htx', 'HTX', { coingecko: 'huobi', coinmarketcap: '102', defillama: 'huobi' }, 'domain and wallets'),
  exchange(
    'crypto_com',
    'Crypto.com Exchange',
    { coingecko: 'crypto_com', coinmarketcap: '1149', defillama: 'crypto-com' },
    'domain and wallets',
  ),
  exchange('upbit', 'Upbit', { coingecko: 'upbit', coinmarketcap: '351' }, 'domain'),
  exchange('bithumb', 'Bithumb', { coingecko: 'bithumb', coinmarketcap: '200' }, 'domain'),
  exchange('bitstamp', 'Bitstamp', { coingecko: 'bitstamp', coinmarketcap: '70' }, 'domain'),
  exchange(
    'gemini',
    'Gemini',
    { coingecko: 'gemini', coinmarketcap: '151', defillama: 'gemini' },
    'domain and wallets',
  ),
  exchange(
    'bitfinex',
    'Bitfinex',
    { coingecko: 'bitfinex', coinmarketcap: '37', defillama: 'bitfinex' },
    'domain and wallets',
    { UST: 'USDT' },
  ),
  exchange('binance_us', 'Binance.US', { coingecko: 'binance_us', defillama: 'binance-us' }, 'wallets'),
  exchange('ascendex', 'AscendEX', { coingecko: 'bitmax', coinmarketcap: '453' }, 'domain'),
  exchange(
    'bigone',
    'BigONE',
    { coingecko: 'bigone', coinmarketcap: '330', defillama: 'bigone' },
    'domain and wallets',
  ),
  exchange('bingx', 'BingX', { coingecko: 'bingx', coinmarketcap: '1064' }, 'domain'),
  exchange('bit_com', 'Bit.com', { coingecko: 'bit_com', coinmarketcap: '1161' }, 'domain'),
  exchange('bitazza', 'Bitazza', { coingecko: 'bitazza', coinmarketcap: '1124' }, 'domain'),
  exchange('bitbank', 'bitbank', { coingecko: 'bitbank', coinmarketcap: '257' }, 'domain'),
  exchange('bitbns', 'Bitbns', { coingecko: 'bitbns', coinmarketcap: '376' }, 'domain'),
  exchange(
    'bitkub',
    'Bitkub',
    { coingecko: 'bitkub', coinmarketcap: '436', defillama: 'bitkub-cex' },
    'domain and wallets',
  ),
  exchange(
    'bitmart',
    'BitMart',
    { coingecko: 'bitmart', coinmarketcap: '406', defillama: 'bitmark' },
    'domain and wallets',
  ),
  exchange(
    'bitmex',
    'BitMEX',
    { coingecko: 'bitmex_spot', coinmarketcap: '157', defillama: 'bitmex' },
    'domain and wallets',
    { XBT: 'BTC' },
  ),
  exchange('bitopro', 'BitoPro', { coingecko: 'bitopro', coinmarketcap: '717' }, 'domain'),
  exchange(
    'bitrue',
    'Bitrue',
    { coingecko: 'bitrue', coinmarketcap: '433', defillama: 'bitrue-cex' },
    'domain and wallets',
  ),
  exchange('bitso', 'Bitso', { coingecko: 'bitso', coinmarketcap: '125' }, 'domain'),
  exchange(
    'bitvavo',
    'Bitvavo',
    { coingecko: 'bitvavo', coinmarketcap: '520', defillama: 'bitvavo' },
    'domain and wallets',
  ),
  exchange('blockchain_com', 'Blockchain.com', { coingecko: 'blockchain_com', coinmarketcap: '1254' }, 'domain'),
  exchange('btse', 'BTSE', { coingecko: 'btse', coinmarketcap: '658', defillama: 'btse' }, 'domain and wallets'),
  exchange('bullish', 'Bullish', { coingecko: 'bullish_com', coinmarketcap: '1601' }, 'domain'),
  exchange('cex_io', 'CEX.IO', { coingecko: 'cex', defillama: 'cex-io' }, 'wallets'),
  exchange('coincheck', 'Coincheck', { coingecko: 'coincheck', coinmarketcap: '106' }, 'domain'),
  exchange(
    'coinex',
    'CoinEx',
    { coingecko: 'coinex', coinmarketcap: '350', defillama: 'coinex' },
    'domain and wallets',
  ),
  exchange('coinlist', 'CoinList Pro', { coingecko: 'coinlist', coinmarketcap: '1011' }, 'domain'),
  exchange('coinmetro', 'Coinmetro', { coingecko: 'coin_metro', coinmarketcap: '488' }, 'domain'),
  exchange('coinone', 'Coinone', { coingecko: 'coinone', coinmarketcap: '174' }, 'domain'),
  exchange('coinsbit', 'Coinsbit', { coingecko: 'coinsbit', coinmarketcap: '460' }, 'domain'),
  exchange(
    'coinstore',
    'Coinstore',
    { coingecko: 'coinstore', coinmarketcap: '1411', defillama: 'coinstore' },
    'domain and wallets',
  ),
  exchange('currency_com', 'Currency.com', { coingecko: 'currency', coinmarketcap: '699' }, 'domain'),
  exchange('delta_exchange', 'Delta Exchange', { coingecko: 'delta_spot', coinmarketcap: '705' }, 'domain'),
  exchange('dex_trade', 'Dex-Trade', { coingecko: 'dextrade', coinmarketcap: '154' }, 'domain'),
  exchange('emirex', 'Emirex', { coingecko: 'emirex', coinmarketcap: '731' }, 'domain'),
  exchange('exmo', 'EXMO', { coingecko: 'exmo', coinmarketcap: '50' }, 'domain'),
  exchange('fmfw_io', 'FMFW.io', { coingecko: 'bitcoin_com', coinmarketcap: '857' }, 'domain'),
  exchange('hitbtc', 'HitBTC', { coingecko: 'hitbtc', coinmarketcap: '42' }, 'domain'),
  exchange(
    'independent_reserve',
    'Independent Reserve',
    { coingecko: 'independent_reserve', coinmarketcap: '166' },
    'domain',
  ),
  exchange(
    'indodax',
    'Indodax',
    { coingecko: 'indodax', coinmarketcap: '68', defillama: 'indodax' },
    'domain and wallets',
  ),
  exchange(
    'korbit',
    'Korbit',
    { coingecko: 'korbit', coinmarketcap: '194', defillama: 'korbit' },
    'domain and wallets',
  ),
  exchange('latoken', 'LATOKEN', { coingecko: 'latoken', defillama: 'latoken' }, 'wallets'),
  exchange('lbank', 'LBank', { coingecko: 'lbank', defillama: 'lbank-exchange' }, 'wallets'),
  exchange('luno', 'Luno', { coingecko: 'luno', coinmarketcap: '171' }, 'domain'),
  exchange('max_maicoin', 'MAX (MaiCoin)', { coingecko: 'max_maicoin', coinmarketcap: '868' }, 'domain'),
  exchange('mercado_bitcoin', 'Mercado Bitcoin', { coingecko: 'mercado_bitcoin', coinmarketcap: '258' }, 'domain'),
  exchange('nicehash', 'NiceHash', { coingecko: 'nice_hash', coinmarketcap: '844' }, 'domain'),
  exchange('nominex', 'Nominex', { coingecko: 'nominex', coinmarketcap: '834' }, 'domain'),
  exchange('p2b', 'P2B', { coingecko: 'p2pb2b', coinmarketcap: '215' }, 'domain'),
  exchange('paribu', 'Paribu', { coingecko: 'paribu', coinmarketcap: '225' }, 'domain'),
  exchange(
    'phemex',
    'Phemex',
    { coingecko: 'phemex', coinmarketcap: '955', defillama: 'phemex' },
    'domain and wallets',
  ),
  exchange(
    'poloniex',
    'Poloniex',
    { coingecko: 'poloniex', coinmarketcap: '16', defillama: 'poloniex-cex' },
    'domain and wallets',
  ),
  exchange('tokpie', 'Tokpie', { coingecko: 'tokpie', coinmarketcap: '1250' }, 'domain'),
  exchange('whitebit', 'WhiteBIT', { coingecko: 'whitebit', coinmarketcap: '501' }, 'domain'),
  exchange(
    'woo_x',
    'WOO X',
    { coingecko: 'wootrade', coinmarketcap: '1289', defillama: 'woo-cex' },
    'domain and wallets',
  ),
  exchange('xt', 'XT.COM', { coingecko: 'xt', coinmarketcap: '525' }, 'domain'),
  exchange('zaif', 'Zaif', { coingecko: 'zaif', coinmarketcap: '73' }, 'domain'),
];

function exchange(
  id: string,
  title: string,
  names: Exchange['names'],
  joinedBy: Exchange['joinedBy'],
  symbols: Exchange['symbols'] = {},
): Exchange {
  return { id, title, names, joinedBy, symbols };
}

/** First words of the names of decentralised exchanges whose pools are read by their addresses (scope `pool:`). */
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

/** False for an exchange that the table does not have. */
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
 * Id of the exchange that a registry calls so; an exchange that the table does not have is `unlisted.` and its name in
 * plain letters, whoever says it. Null for a decentralised exchange of pools and for a name without a letter or a digit.
 */
export function exchangeCalled(registry: ExchangeRegistry, name: string): string | null {
  const letters = plain(name);
  if (letters === '' || POOL_EXCHANGES.has(name.toLowerCase().split(/[^a-z0-9]/, 1)[0] ?? '')) return null;
  return BY_NAME.get(`${registry}:${letters}`) ?? BY_OWN_NAME.get(letters) ?? `${UNLISTED}${letters}`;
}

/** Whether this is an id that `exchangeCalled` gives. */
export function isExchangeId(id: string): boolean {
  return EXCHANGE_ID.test(id) && (id.startsWith(UNLISTED) || BY_ID.has(id));
}

/** An asset's symbol as this exchange writes it, in the usual spelling. */
export function usualSymbol(exchangeId: string, symbol: string): string {
  return BY_ID.get(exchangeId)?.symbols[symbol] ?? symbol;
}

function plain(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
    .slice(0, LONGEST_NAME);
}

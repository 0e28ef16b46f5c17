import { DAY_MS, HOUR_MS } from '../../src/domain/statistics.ts';
import { type Facade, type FacadeReply, iso, matchPath } from '../facade.ts';
import { type AssetView, chainOf, type Scene } from '../scene.ts';
import { coinUsdAt } from '../world/coins.ts';
import { type BookShares, booksOf, type ExchangeId } from '../world/market.ts';
import { seededUnit } from '../world/random.ts';
import { DOLLARS_FOR } from '../world/specs-currency.ts';
import type { Coin, SandboxAsset, SandboxCategory, Venue } from '../world/types.ts';

/**
 * Categories as in the real source: the class of an asset beside themes, the products of its protocol, and its chain.
 */
const CATEGORY_WORDS: Readonly<Record<SandboxCategory, readonly string[]>> = {
  l1: ['Artificial Intelligence (AI)', 'Layer 1 (L1)', 'Real World Assets (RWA)', 'Smart Contract Platform'],
  defi: ['Decentralized Finance (DeFi)', 'Exchange-based Tokens', 'Governance', 'Stablecoin Issuer'],
  stablecoin: ['Stablecoins', 'USD Stablecoin', 'Fiat-backed Stablecoin'],
  lst: ['Liquid Staking', 'Liquid Staking Tokens'],
  memecoin: ['Meme'],
  rwa: ['Real World Assets (RWA)'],
  gaming: ['Gaming (GameFi)'],
};

/** CoinGecko API v3 in the shapes that src/sources/coingecko/ names. */
export const coingecko: Facade = ({ path, query }, scene) => {
  const listed = scene.world.traded.filter((asset) => asset.traits.listed);
  if (matchPath(path, '/search')) return { json: search(listed, query.get('query') ?? '') };
  if (matchPath(path, '/coins/list')) return { json: listed.map(listRow) };
  if (matchPath(path, '/coins/markets')) {
    const ids = query.get('ids')?.split(',') ?? null;
    const size = Math.min(250, Number(query.get('per_page') ?? 100));
    const from = (Math.max(1, Number(query.get('page') ?? 1)) - 1) * size;
    const isMeme = (asset: SandboxAsset) => !query.has('category') || asset.category === 'memecoin';
    const wanted = listed.filter((asset) => isMeme(asset) && (ids === null || ids.includes(asset.coingeckoId)));
    return { json: wanted.slice(from, from + size).map((asset) => marketRow(scene, asset)) };
  }
  if (matchPath(path, '/exchange_rates')) return { json: { rates: exchangeRates() } };
  const chart = matchPath(path, '/coins/:id/market_chart');
  const tickers = matchPath(path, '/coins/:id/tickers');
  const contractChart = matchPath(path, '/coins/:platform/contract/:address/market_chart');
  const contract = matchPath(path, '/coins/:platform/contract/:address');
  const detail = matchPath(path, '/coins/:id');
  const wanted = contractChart ?? contract;
  const asset = wanted
    ? listed.find(
        (row) =>
          !row.isCoin && chainOf(row).names.coingecko === wanted.platform && sameAddress(row, wanted.address ?? ''),
      )
    : listed.find((row) => row.coingeckoId === (chart ?? tickers ?? detail)?.id);
  if (!asset) return { status: 404, json: { error: 'coin not found' } };
  if (chart || contractChart)
    return { json: marketChart(scene, asset, Number(query.get('days') ?? 365), query.get('vs_currency') ?? 'usd') };
  if (tickers) return { json: { name: asset.name, tickers: tickerRows(scene, asset) } };
  return coinDetail(scene, asset);
};

/** Units of currencies and ounces of metal for one bitcoin. */
function exchangeRates() {
  const perDollar = { usd: 1, eur: 1 / DOLLARS_FOR.EUR, xau: 1 / DOLLARS_FOR.XAU };
  return Object.fromEntries(
    Object.entries(perDollar).map(([name, units]) => [name, { name, unit: name, value: 1e5 * units, type: 'fiat' }]),
  );
}

function sameAddress(asset: SandboxAsset, address: string): boolean {
  return asset.chain === 'solana' ? asset.address === address : asset.address === address.toLowerCase();
}

function search(listed: readonly SandboxAsset[], text: string) {
  const wanted = text.trim().toLowerCase();
  const coins = listed
    .filter((asset) => asset.name.toLowerCase().includes(wanted) || asset.symbol.toLowerCase() === wanted)
    .map((asset) => ({
      id: asset.coingeckoId,
      name: asset.name,
      api_symbol: asset.coingeckoId,
      symbol: asset.symbol.toUpperCase(),
      market_cap_rank: asset.grade === 'bad' ? null : asset.rank,
      thumb: `https://${asset.domain}/icon.png`,
      large: `https://${asset.domain}/icon.png`,
    }));
  return { coins, exchanges: [], icos: [], categories: [], nfts: [] };
}

function listRow(asset: SandboxAsset) {
  return {
    id: asset.coingeckoId,
    symbol: asset.symbol.toLowerCase(),
    name: asset.name,
    platforms: platformsOf(asset),
  };
}

/** A native coin has no platform. */
function platformsOf(asset: SandboxAsset): Readonly<Record<string, string>> {
  return asset.isCoin ? {} : { [String(chainOf(asset).names.coingecko)]: asset.address };
}

function marketRow(scene: Scene, asset: SandboxAsset) {
  const view = scene.see('coingecko', asset);
  return {
    id: asset.coingeckoId,
    symbol: asset.symbol.toLowerCase(),
    name: asset.name,
    current_price: view.priceUsd,
    market_cap: view.marketCapUsd,
    market_cap_rank: asset.rank,
    fully_diluted_valuation: view.fdvUsd,
    total_volume: view.volumeUsd,
    price_change_percentage_24h: view.change24hPct,
    price_change_percentage_1h_in_currency: view.change24hPct / 24,
    price_change_percentage_7d_in_currency: view.change7dPct,
    price_change_percentage_30d_in_currency: view.change30dPct,
    circulating_supply: view.circulatingSupply,
    total_supply: view.totalSupply,
    max_supply: view.maxSupply,
    ath: view.athUsd,
    ath_date: iso(view.athAt),
    last_updated: iso(view.at),
  };
}

/** Coins in which charts are also given. */
const COINS: Readonly<Record<string, Coin>> = { btc: 'BTC', eth: 'ETH', sol: 'SOL' };

function marketChart(scene: Scene, asset: SandboxAsset, days: number, currency: string) {
  const view = scene.see('coingecko', asset);
  const coin = COINS[currency];
  const fixed = Object.entries(DOLLARS_FOR).find(([code]) => code.toLowerCase() === currency)?.[1] ?? 1;
  const unitUsd = (at: number) => (coin === undefined ? fixed : coinUsdAt(scene.world.anchor, at, coin));
  const bias = view.priceUsd / scene.world.price(asset, view.at);
  const first = Math.max(view.createdAt, view.at - Math.min(365, Number.isFinite(days) ? days : 365) * DAY_MS);
  // Up to 90 days by the hour, longer ones by the day.
  const step = days > 90 ? DAY_MS : HOUR_MS;
  const moments: number[] = [];
  for (let at = Math.ceil(first / step) * step; at < view.at; at += step) moments.push(at);
  moments.push(view.at);
  const prices = moments.map((at) => [at, (scene.world.price(asset, at) * bias) / unitUsd(at)] as const);
  return {
    prices,
    market_caps: prices.map(([at, price]) => [at, price * view.circulatingSupply]),
    total_volumes: moments.map((at) => [
      at,
      (at === view.at || step === HOUR_MS ? view.volumeUsd : scene.world.market(asset, at).volumeUsd) / unitUsd(at),
    ]),
  };
}

/** CoinGecko's names of decentralised exchanges. */
const DEX_NAMES: Readonly<Record<Venue, readonly [identifier: string, name: string]>> = {
  raydium: ['raydium2', 'Raydium'],
  raydium_clmm: ['raydium-clmm', 'Raydium (CLMM)'],
  orca: ['orca', 'Orca'],
  meteora: ['meteora', 'Meteora'],
  uniswap_v2: ['uniswap_v2', 'Uniswap V2 (Ethereum)'],
  uniswap_v3: ['uniswap_v3', 'Uniswap V3 (Ethereum)'],
  aerodrome: ['aerodrome-base', 'Aerodrome (Base)'],
  pancake_v2: ['pancakeswap_new', 'PancakeSwap V2 (BSC)'],
};

interface TickerParts {
  readonly exchange: readonly [identifier: string, name: string];
  readonly base: string;
  readonly target: string;
  readonly coinId: string;
  readonly targetCoinId: string | null;
  readonly priceUsd: number;
  readonly volumeUsd: number;
  readonly depthUsd: number | null;
}

const TETHER = ['USDT', 'tether'] as const;
const DOLLAR = ['USD', null] as const;
/** CoinGecko's name of each exchange, and its quote currency. */
const LISTINGS: Readonly<
  Record<ExchangeId, readonly [TickerParts['exchange'], target: string, targetCoinId: string | null]>
> = {
  binance: [['binance', 'Binance'], ...TETHER],
  coinbase: [['gdax', 'Coinbase Exchange'], ...DOLLAR],
  kraken: [['kraken', 'Kraken'], ...DOLLAR],
  okx: [['okex', 'OKX'], ...TETHER],
  bybit: [['bybit_spot', 'Bybit'], ...TETHER],
  kucoin: [['kucoin', 'KuCoin'], ...TETHER],
  gateio: [['gate', 'Gate'], ...TETHER],
  bitstamp: [['bitstamp', 'Bitstamp'], ...DOLLAR],
};

function tickerRows(scene: Scene, asset: SandboxAsset) {
  const view = scene.see('coingecko', asset);
  const row = ({ exchange: [identifier, name], priceUsd, volumeUsd, depthUsd, ...pair }: TickerParts) => ({
    base: pair.base,
    target: pair.target,
    market: { name, identifier, has_trading_incentive: false },
    last: priceUsd,
    volume: volumeUsd / priceUsd,
    cost_to_move_up_usd: depthUsd,
    cost_to_move_down_usd: depthUsd === null ? null : depthUsd * 0.93,
    converted_last: { usd: priceUsd },
    converted_volume: { usd: volumeUsd },
    trust_score: null,
    bid_ask_spread_percentage: 0.05 + 0.1 * seededUnit(asset.slug, identifier),
    timestamp: iso(view.at),
    last_traded_at: iso(view.at),
    last_fetch_at: iso(view.at),
    is_anomaly: false,
    is_stale: false,
    trade_url: null,
    coin_id: pair.coinId,
    target_coin_id: pair.targetCoinId,
  });
  const symbol = asset.symbol.toUpperCase();
  const own = { base: symbol, coinId: asset.coingeckoId, priceUsd: view.priceUsd };
  const listing = (
    exchange: TickerParts['exchange'],
    target: string,
    targetCoinId: string | null,
    { volumeShare, depthShare }: BookShares,
  ) =>
    row({
      ...own,
      exchange,
      target,
      targetCoinId,
      volumeUsd: view.cexVolumeUsd * volumeShare,
      depthUsd: view.cexVolumeUsd * depthShare,
    });
  const books = Object.entries(booksOf(asset)).map(([id, shares]) => listing(...LISTINGS[id as ExchangeId], shares));
  // The dollar is a quote currency: the page of a dollar token lists markets of other coins too.
  const pricedIn =
    asset.category === 'stablecoin' && asset.traits.cex
      ? [
          row({
            exchange: ['binance', 'Binance'],
            base: 'BTC',
            target: symbol,
            coinId: 'bitcoin',
            targetCoinId: asset.coingeckoId,
            priceUsd: 60_000,
            volumeUsd: 30_000_000,
            depthUsd: 2_000_000,
          }),
        ]
      : [];
  // Pools are identified by addresses in capitals.
  const pools = view.pools.map(({ pool, volume24hUsd, liquidityUsd }) =>
    row({
      ...own,
      exchange: DEX_NAMES[pool.venue],
      base: asset.address.toUpperCase(),
      target: pool.quote.address.toUpperCase(),
      targetCoinId: null,
      volumeUsd: volume24hUsd,
      depthUsd: liquidityUsd * 0.005,
    }),
  );
  return [...books, ...pricedIn, ...pools];
}

function coinDetail(scene: Scene, asset: SandboxAsset): FacadeReply {
  const view = scene.see('coingecko', asset);
  const [platform = null] = Object.keys(platformsOf(asset));
  return {
    json: {
      id: asset.coingeckoId,
      symbol: asset.symbol.toLowerCase(),
      name: asset.name,
      web_slug: asset.coingeckoId,
      asset_platform_id: platform,
      platforms: platformsOf(asset),
      detail_platforms:
        platform === null ? {} : { [platform]: { decimal_place: asset.decimals, contract_address: asset.address } },
      block_time_in_minutes: 0,
      hashing_algorithm: null,
      categories: asset.words?.coingecko ?? [...CATEGORY_WORDS[asset.category], `${chainOf(asset).title} Ecosystem`],
      preview_listing: false,
      public_notice: null,
      additional_notices: [],
      localization: {},
      description: { en: `${asset.name} (${asset.symbol}) as the sandbox plays it: ${asset.note}.` },
      links: {
        homepage: [asset.url, '', ''],
        whitepaper: asset.grade === 'bad' ? '' : `${asset.url}whitepaper`,
        blockchain_site: [''],
        official_forum_url: ['', '', ''],
        chat_url: ['', '', ''],
        announcement_url: ['', ''],
        snapshot_url: null,
        twitter_screen_name: asset.handle,
        facebook_username: '',
        bitcointalk_thread_identifier: null,
        telegram_channel_identifier: asset.handle,
        subreddit_url: null,
        repos_url: { github: asset.repo ? [`https://github.com/${asset.repo}`] : [], bitbucket: [] },
      },
      image: { thumb: `${asset.url}icon.png`, small: `${asset.url}icon.png`, large: `${asset.url}icon.png` },
      country_origin: '',
      genesis_date: null,
      ...(platform === null ? {} : { contract_address: asset.address }),
      sentiment_votes_up_percentage: null,
      watchlist_portfolio_users: Math.round(asset.holders / 3),
      market_cap_rank: asset.grade === 'bad' ? null : asset.rank,
      market_data: marketData(view),
      community_data: { facebook_likes: null, reddit_subscribers: 0, telegram_channel_user_count: null },
      developer_data: developerData(asset),
      last_updated: iso(view.at),
      tickers: tickerRows(scene, asset),
    },
  };
}

function marketData(view: AssetView) {
  const usd = (value: number) => ({ usd: value });
  return {
    current_price: usd(view.priceUsd),
    total_value_locked: view.tvlUsd === null ? null : { btc: null, usd: view.tvlUsd },
    mcap_to_tvl_ratio: null,
    fdv_to_tvl_ratio: null,
    roi: null,
    ath: usd(view.athUsd),
    ath_change_percentage: usd(100 * (view.priceUsd / view.athUsd - 1)),
    ath_date: { usd: iso(view.athAt) },
    atl: usd(view.priceUsd * 0.2),
    atl_date: { usd: iso(view.createdAt) },
    market_cap: usd(view.marketCapUsd),
    market_cap_rank: view.asset.rank,
    fully_diluted_valuation: usd(view.fdvUsd),
    market_cap_fdv_ratio: view.marketCapUsd / view.fdvUsd,
    total_volume: usd(view.volumeUsd),
    high_24h: usd(view.priceUsd * 1.02),
    low_24h: usd(view.priceUsd * 0.98),
    price_change_24h: view.priceUsd * (view.change24hPct / 100),
    price_change_percentage_24h: view.change24hPct,
    price_change_percentage_7d: view.change7dPct,
    price_change_percentage_30d: view.change30dPct,
    total_supply: view.totalSupply,
    max_supply: view.maxSupply,
    max_supply_infinite: view.maxSupply === null,
    circulating_supply: view.circulatingSupply,
    last_updated: iso(view.at),
  };
}

function developerData(asset: SandboxAsset) {
  return {
    forks: asset.traits.contributors * 9,
    stars: asset.traits.commits90d * 4,
    subscribers: asset.traits.contributors * 3,
    total_issues: asset.traits.commits90d,
    closed_issues: Math.round(asset.traits.commits90d * 0.8),
    pull_requests_merged: Math.round(asset.traits.commits90d * 0.6),
    pull_request_contributors: asset.traits.contributors,
    commit_count_4_weeks: Math.round(asset.traits.commits90d / 3.2),
  };
}

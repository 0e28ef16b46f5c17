import { chainCalled } from '../../src/chains/index.ts';
import { type Facade, iso, matchPath } from '../facade.ts';
import type { Scene } from '../scene.ts';
import { booksOf, DOLLAR_MARKETS } from '../world/market.ts';
import type { SandboxAsset } from '../world/types.ts';

/** CoinPaprika v1: no circulating supply on free tickers; 0 means an unknown maximum. */
export const coinpaprika: Facade = ({ path, query }, scene) => {
  const listed = scene.world.traded.filter((asset) => asset.traits.listed);
  if (matchPath(path, '/search')) {
    const wanted = (query.get('q') ?? '').trim().toLowerCase();
    const symbolOnly = query.get('modifier') === 'symbol_search';
    const hits = listed.filter(
      (asset) => asset.symbol.toLowerCase() === wanted || (!symbolOnly && asset.name.toLowerCase().includes(wanted)),
    );
    return { json: { currencies: hits.map(searchRow) } };
  }
  if (matchPath(path, '/tickers')) return { json: listed.map((asset) => tickerOf(scene, asset)) };
  if (matchPath(path, '/coins')) return { json: listed.map(searchRow) };
  const contract = matchPath(path, '/contracts/:platform/:address');
  const ticker = matchPath(path, '/tickers/:id');
  const ohlcv = matchPath(path, '/coins/:id/ohlcv/:range');
  const markets = matchPath(path, '/coins/:id/markets');
  const coin = matchPath(path, '/coins/:id');
  const chain = chainCalled('coinpaprika', contract?.platform);
  const byContract = contract && chain ? scene.world.byAddress(chain.name, contract.address ?? '') : null;
  const asset = contract
    ? byContract?.traits.listed === true
      ? byContract
      : undefined
    : listed.find((row) => row.paprikaId === (ticker ?? ohlcv ?? markets ?? coin)?.id);
  if (!asset) return { status: 404, json: { error: 'id not found' } };
  if (markets) return { json: marketsOf(scene, asset) };
  if (ohlcv) return { json: [] };
  return { json: coin && !contract && !ticker ? profile(scene, asset) : tickerOf(scene, asset) };
};

/** Markets of the asset that every exchange lists; this registry has none of the others. */
function marketsOf(scene: Scene, asset: SandboxAsset) {
  const view = scene.see('coinpaprika', asset);
  const books = Object.entries(booksOf(asset));
  return (books.length > 2 ? books : []).map(([id, { volumeShare }]) => {
    const quote = DOLLAR_MARKETS.has(id) ? 'USD' : 'USDT';
    return {
      exchange_id: id === 'gateio' ? 'gate-io' : id,
      exchange_name: id,
      pair: `${asset.symbol.toUpperCase()}/${quote}`,
      base_currency_id: asset.paprikaId,
      base_currency_name: asset.name,
      quote_currency_id: quote === 'USD' ? 'usd-us-dollars' : 'usdt-tether',
      category: 'Spot',
      fee_type: 'Percentage',
      outlier: false,
      adjusted_volume_24h_share: 100 * volumeShare,
      quotes: { USD: { price: view.priceUsd, volume_24h: view.cexVolumeUsd * volumeShare } },
      last_updated: iso(view.at),
    };
  });
}

function searchRow(asset: SandboxAsset) {
  return {
    id: asset.paprikaId,
    name: asset.name,
    symbol: asset.symbol.toUpperCase(),
    rank: asset.rank,
    is_new: false,
    is_active: true,
    type: asset.isCoin ? 'coin' : 'token',
  };
}

function profile(scene: Scene, asset: SandboxAsset) {
  const view = scene.see('coinpaprika', asset);
  return {
    ...searchRow(asset),
    description: `${asset.name} as the sandbox plays it: ${asset.note}.`,
    tags: [{ id: asset.category, name: asset.category, coin_counter: 3, ico_counter: 0 }],
    team: asset.traits.team === 'named' ? [{ id: 'ada-example', name: 'Ada Wrenfield', position: 'Founder' }] : [],
    parent: null,
    message: '',
    open_source: asset.repo !== null,
    started_at: iso(view.createdAt),
    development_status: 'Working product',
    hardware_wallet: true,
    proof_type: 'Not mineable',
    org_structure: '',
    hash_algorithm: '',
    ...(asset.isCoin
      ? {}
      : {
          contract: asset.address,
          platform: view.chain.names.coinpaprika,
          contracts: [{ contract: asset.address, platform: view.chain.names.coinpaprika, type: 'ERC20' }],
        }),
    links: { website: [asset.url], source_code: asset.repo ? [`https://github.com/${asset.repo}`] : [] },
    links_extended: [
      { url: asset.url, type: 'website' },
      { url: `https://x.com/${asset.handle}`, type: 'twitter' },
    ],
    whitepaper: { link: asset.grade === 'bad' ? null : `${asset.url}whitepaper`, thumbnail: null },
    first_data_at: iso(view.createdAt),
    last_data_at: iso(view.at),
  };
}

function tickerOf(scene: Scene, asset: SandboxAsset) {
  const view = scene.see('coinpaprika', asset);
  return {
    id: asset.paprikaId,
    name: asset.name,
    symbol: asset.symbol.toUpperCase(),
    rank: asset.rank,
    total_supply: view.totalSupply,
    max_supply: view.maxSupply ?? 0,
    beta_value: 1.1,
    first_data_at: iso(view.createdAt),
    last_updated: iso(view.at),
    quotes: {
      USD: {
        price: view.priceUsd,
        volume_24h: view.volumeUsd,
        volume_24h_change_24h: 1.2,
        market_cap: Math.round(view.marketCapUsd),
        market_cap_change_24h: view.change24hPct,
        percent_change_15m: 0.01,
        percent_change_30m: 0.02,
        percent_change_1h: view.change24hPct / 24,
        percent_change_6h: view.change24hPct / 4,
        percent_change_12h: view.change24hPct / 2,
        percent_change_24h: view.change24hPct,
        percent_change_7d: view.change7dPct,
        percent_change_30d: view.change30dPct,
        percent_change_1y: 0,
        ath_price: view.athUsd,
        ath_date: iso(view.athAt),
        percent_from_price_ath: 100 * (view.priceUsd / view.athUsd - 1),
      },
    },
  };
}

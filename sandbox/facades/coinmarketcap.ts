import { CHAINS } from '../../src/chains/index.ts';
import { type Facade, type FacadeReply, iso, matchPath } from '../facade.ts';
import type { AssetView, Scene } from '../scene.ts';
import type { SandboxAsset } from '../world/types.ts';

/** CoinMarketCap's keyless API: curated quotes by id, DEX data by address (short keys, strings). */
export const coinmarketcap: Facade = ({ path, query }, scene) => {
  const listed = scene.world.traded.filter((asset) => asset.traits.listed);
  if (matchPath(path, '/v1/cryptocurrency/map')) {
    const symbols = query.get('symbol')?.toUpperCase().split(',');
    const hits = listed.filter((asset) => symbols === undefined || symbols.includes(asset.symbol.toUpperCase()));
    if (symbols !== undefined && hits.length === 0) return failure(scene, 400, `Invalid value for "symbol"`);
    return envelope(scene, hits.map(mapRow));
  }
  if (matchPath(path, '/v2/cryptocurrency/info')) {
    const hits = pick(listed, query);
    if (hits.length === 0) return failure(scene, 400, 'Invalid value for "id"');
    return envelope(scene, Object.fromEntries(hits.map((asset) => [String(asset.cmcId), info(scene, asset)])));
  }
  if (matchPath(path, '/v3/cryptocurrency/quotes/latest')) {
    return envelope(
      scene,
      pick(listed, query).map((asset) => quote(scene, asset)),
    );
  }
  const chain = CHAINS.find(
    (row) => row.names.coinmarketcap === (query.get('platform') ?? query.get('platformName'))?.toLowerCase(),
  );
  const asset = chain ? scene.world.byAddress(chain.name, query.get('address') ?? '') : null;
  if (matchPath(path, '/v1/dex/search')) return envelope(scene, dexSearch(scene, query.get('q') ?? ''));
  if (!path.startsWith('/v1/dex/'))
    return { status: 404, json: { status: { error_code: 404, error_message: 'Not Found' } } };
  if (!asset) return envelope(scene, path.endsWith('/token') || path.endsWith('/price') ? null : []);
  const view = scene.see('coinmarketcap', asset);
  if (matchPath(path, '/v1/dex/token/price'))
    return envelope(scene, { p: view.priceUsd, mc: view.marketCapUsd, v24h: view.dexVolumeUsd, l: view.liquidityUsd });
  if (matchPath(path, '/v1/dex/token/pools')) return envelope(scene, pools(view));
  if (matchPath(path, '/v1/dex/holders/count')) return envelope(scene, { count: view.holders });
  if (matchPath(path, '/v1/dex/security/detail')) return envelope(scene, [security(asset)]);
  return envelope(scene, dexToken(view));
};

function envelope(scene: Scene, data: unknown): FacadeReply {
  const status = { timestamp: iso(scene.now), error_code: '0', error_message: '', elapsed: 4, credit_count: 0 };
  return { json: { status, data } };
}

function failure(scene: Scene, status: number, message: string): FacadeReply {
  return {
    status,
    json: {
      status: { timestamp: iso(scene.now), error_code: status, error_message: message, elapsed: 0, credit_count: 0 },
    },
  };
}

function pick(listed: readonly SandboxAsset[], query: URLSearchParams): readonly SandboxAsset[] {
  const ids = query.get('id')?.split(',');
  const slugs = query.get('slug')?.split(',');
  const symbols = query.get('symbol')?.toUpperCase().split(',');
  const address = query.get('address');
  return listed.filter(
    (asset) =>
      ids?.includes(String(asset.cmcId)) ||
      slugs?.includes(asset.slug) ||
      symbols?.includes(asset.symbol.toUpperCase()) ||
      (address !== null && asset.address.toLowerCase() === address.toLowerCase()),
  );
}

function platform(asset: SandboxAsset) {
  if (asset.isCoin) return null;
  const chain = CHAINS.find((row) => row.name === asset.chain);
  return {
    id: 1000 + CHAINS.findIndex((row) => row.name === asset.chain),
    name: chain?.title,
    symbol: chain?.native.symbol,
    slug: chain?.names.coinmarketcap,
    token_address: asset.address,
  };
}

function mapRow(asset: SandboxAsset) {
  return {
    id: asset.cmcId,
    rank: asset.rank,
    name: asset.name,
    symbol: asset.symbol.toUpperCase(),
    slug: asset.slug,
    is_active: 1,
    status: 1,
    first_historical_data: '2021-01-01T00:00:00.000Z',
    last_historical_data: '2026-01-01T00:00:00.000Z',
    platform: platform(asset),
  };
}

function info(scene: Scene, asset: SandboxAsset) {
  const view = scene.see('coinmarketcap', asset);
  return {
    id: asset.cmcId,
    name: asset.name,
    symbol: asset.symbol.toUpperCase(),
    category: asset.isCoin ? 'coin' : 'token',
    description: `${asset.name} as the sandbox plays it: ${asset.note}.`,
    slug: asset.slug,
    logo: `${asset.url}icon.png`,
    notice: '',
    tags: asset.words?.coinmarketcap ?? [asset.category],
    'tag-names': asset.words?.coinmarketcap ?? [asset.category],
    platform: platform(asset),
    urls: {
      website: [asset.url],
      technical_doc: asset.grade === 'bad' ? [] : [`${asset.url}whitepaper`],
      twitter: [`https://twitter.com/${asset.handle}`],
      explorer: [],
      source_code: asset.repo ? [`https://github.com/${asset.repo}`] : [],
      chat: [`https://t.me/${asset.handle}`],
      message_board: [],
      announcement: [],
      reddit: [],
      facebook: [],
    },
    date_added: iso(view.createdAt),
    date_launched: null,
    contract_address: asset.isCoin
      ? []
      : [{ contract_address: asset.address, platform: { name: view.chain.title, coin: platform(asset) } }],
    self_reported_circulating_supply: null,
    self_reported_market_cap: null,
    self_reported_tags: null,
    infinite_supply: view.maxSupply === null,
  };
}

function quote(scene: Scene, asset: SandboxAsset) {
  const view = scene.see('coinmarketcap', asset);
  return {
    ...mapRow(asset),
    num_market_pairs: view.pools.length + (asset.traits.cex ? 2 : 0),
    date_added: iso(view.createdAt),
    tags: asset.words?.coinmarketcap ?? [asset.category],
    max_supply: view.maxSupply,
    circulating_supply: view.circulatingSupply,
    total_supply: view.totalSupply,
    infinite_supply: view.maxSupply === null,
    minted_market_cap: view.fdvUsd,
    cmc_rank: asset.rank,
    self_reported_circulating_supply: null,
    self_reported_market_cap: null,
    tvl_ratio: null,
    last_updated: iso(view.at),
    quote: [
      {
        id: 2781,
        symbol: 'USD',
        price: view.priceUsd,
        volume_24h: view.volumeUsd,
        cex_volume_24h: view.cexVolumeUsd,
        dex_volume_24h: view.dexVolumeUsd,
        volume_change_24h: 1.1,
        percent_change_1h: view.change24hPct / 24,
        percent_change_24h: view.change24hPct,
        percent_change_7d: view.change7dPct,
        percent_change_30d: view.change30dPct,
        market_cap: view.marketCapUsd,
        market_cap_dominance: 0.01,
        fully_diluted_market_cap: view.fdvUsd,
        minted_market_cap: view.fdvUsd,
        tvl: view.tvlUsd,
        last_updated: iso(view.at),
      },
    ],
  };
}

function dexToken(view: AssetView) {
  const { asset } = view;
  const buys = view.pools.reduce((sum, row) => sum + row.buys, 0);
  const sells = view.pools.reduce((sum, row) => sum + row.sells, 0);
  return {
    n: asset.name,
    sym: asset.symbol,
    addr: asset.address,
    dec: asset.decimals,
    pid: platform(asset)?.id,
    plt: view.chain.title,
    web: asset.traits.site ? asset.url : '',
    p: String(view.priceUsd),
    fdv: String(view.fdvUsd),
    mcap: String(view.marketCapUsd),
    liqUsd: String(view.liquidityUsd),
    ts: String(view.totalSupply),
    cs: String(view.circulatingSupply),
    hld: view.holders,
    pubAt: view.createdAt,
    lut: view.at,
    sts: [
      {
        tp: '24h',
        vu: String(view.dexVolumeUsd),
        txs: buys + sells,
        nb: buys,
        ns: sells,
        but: Math.ceil(buys * 0.6),
        sut: Math.ceil(sells * 0.6),
        pc: String(view.change24hPct / 100),
        ut: Math.ceil((buys + sells) * 0.4 * (1 - asset.traits.washShare)),
      },
    ],
    pls: view.pools.map((row) => ({ addr: row.pool.address })),
    rl: null,
  };
}

function pools(view: AssetView) {
  const { asset } = view;
  return view.pools.map((row) => ({
    addr: row.pool.address,
    v24: String(row.volume24hUsd),
    pubAt: row.createdAt,
    t0: { addr: asset.address, sym: asset.symbol, n: asset.name },
    t1: { addr: row.pool.quote.address, sym: row.pool.quote.symbol, n: row.pool.quote.name },
    bidx: 0,
    exn: row.pool.venue,
    liqUsd: String(row.liquidityUsd),
    lr: row.pool.kind === 'constant_product' ? String(asset.traits.lpLockedShare) : null,
    br: null,
    top: true,
  }));
}

function security(asset: SandboxAsset) {
  return {
    platformName: asset.chain,
    address: asset.address,
    extra: {
      buyTax: String(asset.traits.buyTax),
      sellTax: String(asset.traits.sellTax),
      isVerified: asset.traits.verified,
      source: 'GoPlus',
    },
    securityItems: [{ code: 'is_honeypot', riskyLevel: 3, isHit: asset.traits.honeypot }],
  };
}

function dexSearch(scene: Scene, text: string) {
  const wanted = text.trim().toLowerCase();
  const hits = scene.world.tokens.filter((asset) =>
    [asset.name, asset.symbol, asset.address].some((field) => field.toLowerCase().includes(wanted)),
  );
  return { tks: hits.map((asset) => dexToken(scene.see('coinmarketcap', asset))), prs: [] };
}

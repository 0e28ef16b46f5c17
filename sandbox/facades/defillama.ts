import { CHAINS, chainCalled } from '../../src/chains/index.ts';
import { DAY_MS } from '../../src/domain/statistics.ts';
import { type Facade, matchPath } from '../facade.ts';
import { type AssetView, chainOf, type Scene } from '../scene.ts';
import { coinUsdAt, quoteUsdAt } from '../world/coins.ts';
import { auditReportUrl } from '../world/firms.ts';
import { QUOTES } from '../world/pools.ts';
import type { Coin, SandboxAsset, SandboxCategory } from '../world/types.ts';
import { chainFees, chainsOf, slugOf, stablecoinChains } from './defillama_chains.ts';

const CATEGORY: Readonly<Record<SandboxCategory, string>> = {
  l1: 'Chain',
  defi: 'Lending',
  stablecoin: 'RWA',
  lst: 'Liquid Staking',
  memecoin: 'Meme',
  rwa: 'RWA',
  gaming: 'Gaming',
};

const COIN_IDS: Readonly<Record<string, Coin>> = { ethereum: 'ETH', bitcoin: 'BTC', solana: 'SOL' };

/** DefiLlama: `main` is the protocol API, `coins` the price API, `stablecoins` the stablecoin list. */
export const defillama: Facade = ({ path, query, base }, scene) => {
  if (base === 'coins') return coins(path, scene, Number(query.get('span') ?? 1));
  if (base === 'stablecoins') {
    if (path === '/stablecoincharts/all') return { json: supplyChart(scene, query.get('stablecoin') ?? '') };
    if (path === '/stablecoinchains') return { json: stablecoinChains(scene) };
    return { json: { peggedAssets: stablecoins(scene) } };
  }
  const chains = chainsOf(scene);
  if (path === '/v2/chains') return { json: chains.map(({ feesPerDayUsd: _fees, ...row }) => row) };
  const protocols = scene.world.assets.filter((asset) => asset.tvlUsd !== undefined && asset.traits.listed);
  if (matchPath(path, '/protocols')) return { json: protocols.map((asset) => protocolRow(scene, asset)) };
  if (matchPath(path, '/hacks')) return { json: protocols.flatMap((asset) => hacks(scene, asset)) };
  if (matchPath(path, '/overview/fees')) {
    const dataType = query.get('dataType') ?? 'dailyFees';
    const withFees = protocols.filter(({ feesPerDayUsd }) => feesPerDayUsd !== undefined);
    const rows = withFees.map((asset) => {
      const { totalDataChart: _chart, totalDataChartBreakdown: _parts, ...row } = feeSummary(scene, asset, dataType);
      return { ...row, defillamaId: row.id };
    });
    return {
      json: {
        protocols: [...rows, ...chains.map((row) => ({ ...chainFees(row, dataType), slug: slugOf(row) }))],
      },
    };
  }
  const fees = matchPath(path, '/summary/fees/:slug');
  const tvl = matchPath(path, '/tvl/:slug');
  const detail = matchPath(path, '/protocol/:slug');
  const chain = fees && chains.find((row) => slugOf(row) === fees.slug);
  if (chain) return { json: chainFees(chain, query.get('dataType') ?? 'dailyFees') };
  const asset = protocols.find((row) => row.llamaSlug === (fees ?? tvl ?? detail)?.slug);
  if (!asset) return { status: 400, text: 'Protocol not found', contentType: 'text/plain' };
  if (tvl) return { json: facts(scene, asset).tvlUsd };
  if (fees) {
    if (asset.feesPerDayUsd === undefined) return { status: 404, json: { message: 'Not found' } };
    return { json: feeSummary(scene, asset, query.get('dataType') ?? 'dailyFees') };
  }
  return { json: protocolDetail(scene, asset) };
};

/** A project without a token has no market, only figures of its protocol. */
function facts(scene: Scene, asset: SandboxAsset): { tvlUsd: number; feesPerDayUsd: number; view: AssetView | null } {
  const view = asset.chain === null ? null : scene.see('defillama', asset);
  return {
    tvlUsd: view?.tvlUsd ?? asset.tvlUsd ?? 0,
    feesPerDayUsd: view?.feesPerDayUsd ?? asset.feesPerDayUsd ?? 0,
    view,
  };
}

function chainTitle(asset: SandboxAsset): string {
  const chain = CHAINS.find((row) => row.name === (asset.chain ?? 'ethereum'));
  return chain?.name === 'bsc' ? 'BSC' : (chain?.title ?? 'Ethereum');
}

function protocolRow(scene: Scene, asset: SandboxAsset) {
  const { tvlUsd, view } = facts(scene, asset);
  const chain = chainTitle(asset);
  return {
    id: String(7000 + asset.rank),
    name: asset.name,
    address: view ? `${view.chain.names.defillama}:${asset.address}` : null,
    symbol: asset.symbol || '-',
    url: asset.url,
    description: `${asset.name} is a fictional protocol of a test world.`,
    chain,
    logo: `${asset.url}icon.png`,
    audits: asset.traits.audits.length > 0 ? '2' : '0',
    audit_note: null,
    gecko_id: view ? asset.coingeckoId : null,
    cmcId: view ? String(asset.cmcId) : null,
    category: CATEGORY[asset.category],
    chains: [chain],
    oracles: [],
    forkedFrom: [],
    module: `${asset.slug}/index.js`,
    twitter: asset.handle,
    audit_links: asset.traits.audits.map((firm) => auditReportUrl(firm, asset.slug)),
    github: asset.repo ? [asset.repo.split('/')[0]] : [],
    listedAt: Math.round((scene.world.anchor - asset.ageDays * 0.9 * DAY_MS) / 1000),
    slug: asset.llamaSlug,
    tvl: tvlUsd,
    chainTvls: { [chain]: tvlUsd },
    change_1h: 0.01,
    change_1d: 0.4,
    change_7d: -1.2,
    mcap: view?.marketCapUsd ?? null,
  };
}

function protocolDetail(scene: Scene, asset: SandboxAsset) {
  const row = protocolRow(scene, asset);
  const history = dailyMoments(scene, asset).map((at) => ({
    date: Math.round(at / 1000),
    totalLiquidityUSD: asset.chain === null ? row.tvl : (scene.world.market(asset, at).tvlUsd ?? 0),
  }));
  return {
    ...row,
    tvl: history,
    currentChainTvls: row.chainTvls,
    chainTvls: { [row.chain]: { tvl: history, tokensInUsd: null, tokens: null } },
    tokensInUsd: null,
    tokens: null,
    raises: raises(scene, asset),
    hacks: hacks(scene, asset),
    hallmarks: [],
    otherProtocols: [],
    isParentProtocol: false,
    metrics: { fees: true },
  };
}

function raises(scene: Scene, asset: SandboxAsset) {
  if (asset.traits.raisedMillions === 0) return [];
  return [
    {
      date: Math.round((scene.world.anchor - asset.ageDays * 0.95 * DAY_MS) / 1000),
      name: asset.name,
      round: 'Series A',
      amount: asset.traits.raisedMillions,
      chains: [chainTitle(asset)],
      sector: 'Test world',
      category: 'DeFi & CeFi',
      categoryGroup: 'DeFi & CeFi',
      source: `${asset.url}blog/raise`,
      leadInvestors: ['Fernhollow Capital'],
      otherInvestors: ['Pebble Ventures'],
      valuation: null,
      defillamaId: String(7000 + asset.rank),
    },
  ];
}

function hacks(scene: Scene, asset: SandboxAsset) {
  const incident = asset.traits.incident;
  if (incident === null) return [];
  return [
    {
      date: Math.round((scene.world.anchor - incident.daysAgo * DAY_MS) / 1000),
      name: asset.name,
      classification: 'Protocol Logic',
      technique: 'Rounding error',
      amount: incident.lossUsd,
      chain: [chainTitle(asset)],
      bridgeHack: false,
      targetType: 'DeFi Protocol',
      source: `${asset.url}blog/post-mortem`,
      returnedFunds: incident.returnedUsd,
      defillamaId: 7000 + asset.rank,
      language: 'Solidity',
    },
  ];
}

function feeRow(scene: Scene, asset: SandboxAsset) {
  const { feesPerDayUsd } = facts(scene, asset);
  return {
    name: asset.name,
    slug: asset.llamaSlug,
    defillamaId: String(7000 + asset.rank),
    displayName: asset.name,
    category: CATEGORY[asset.category],
    chains: [chainTitle(asset)],
    total24h: feesPerDayUsd,
    total48hto24h: feesPerDayUsd,
    total7d: feesPerDayUsd * 7,
    total30d: feesPerDayUsd * 30,
    totalAllTime: feesPerDayUsd * Math.min(asset.ageDays, 900),
  };
}

function feeSummary(scene: Scene, asset: SandboxAsset, dataType: string) {
  const part = dataType === 'dailyFees' ? 1 : dataType === 'dailyRevenue' ? 0.24 : 0.1;
  const row = feeRow(scene, asset);
  const chart = dailyMoments(scene, asset).map((at) => [
    Math.round(at / 1000),
    part * (asset.chain === null ? row.total24h : (scene.world.market(asset, at).feesPerDayUsd ?? 0)),
  ]);
  return {
    id: row.defillamaId,
    name: asset.name,
    url: asset.url,
    gecko_id: asset.chain === null ? null : asset.coingeckoId,
    category: row.category,
    protocolType: 'protocol',
    chains: row.chains,
    slug: asset.llamaSlug,
    total24h: row.total24h * part,
    total48hto24h: row.total48hto24h * part,
    total7d: row.total7d * part,
    total30d: row.total30d * part,
    totalAllTime: row.totalAllTime * part,
    change_1d: 0.7,
    totalDataChart: chart,
    totalDataChartBreakdown: [],
  };
}

function dailyMoments(scene: Scene, asset: SandboxAsset): readonly number[] {
  const today = Math.floor(scene.now / DAY_MS) * DAY_MS;
  const days = Math.min(400, Math.max(1, Math.floor(asset.ageDays * 0.9)));
  return Array.from({ length: days }, (_, index) => today - (days - 1 - index) * DAY_MS);
}

function coins(path: string, scene: Scene, span: number) {
  const then = matchPath(path, '/prices/historical/:seconds/*coins');
  if (then)
    return { json: { coins: Object.fromEntries(quotePrice(scene, then.coins ?? '', Number(then.seconds) * 1000)) } };
  const current = matchPath(path, '/prices/current/*coins');
  const first = matchPath(path, '/prices/first/*coins');
  const chart = matchPath(path, '/chart/*coins');
  const wanted = ((current ?? first ?? chart)?.coins ?? '').split(',');
  const rows = wanted.flatMap((key): readonly (readonly [string, unknown])[] => {
    const asset = scene.world.tokens.find((row) => matchesCoin(row, key));
    if (!asset) return current ? quotePrice(scene, key) : chart ? coinChart(scene, key, span) : [];
    const view = scene.see('defillama', asset);
    const price = { price: view.priceUsd, timestamp: Math.round(view.at / 1000), confidence: 0.99 };
    if (first)
      return [[key, { symbol: asset.symbol, price: view.priceUsd, timestamp: Math.round(view.createdAt / 1000) }]];
    if (chart) {
      const prices = chartMoments(scene, Math.min(span, asset.ageDays)).map((at) => ({
        timestamp: Math.round(at / 1000),
        price: scene.world.price(asset, at),
      }));
      return [[key, { symbol: asset.symbol, confidence: 0.99, decimals: asset.decimals, prices }]];
    }
    return [[key, { decimals: asset.decimals, symbol: asset.symbol, ...price }]];
  });
  return { json: { coins: Object.fromEntries(rows) } };
}

/** Times of a chart without a start or an end: the last one is now, the others a day apart. */
function chartMoments(scene: Scene, span: number): readonly number[] {
  const days = Math.max(1, Math.min(400, Math.floor(span)));
  return Array.from({ length: days }, (_, index) => scene.now - (days - 1 - index) * DAY_MS);
}

/** Daily prices of a coin of the world's feeds. */
function coinChart(scene: Scene, key: string, span: number): readonly (readonly [string, unknown])[] {
  const coin = COIN_IDS[key.replace(/^coingecko:/, '')];
  if (coin === undefined) return [];
  const prices = chartMoments(scene, span).map((at) => ({
    timestamp: Math.round(at / 1000),
    price: coinUsdAt(scene.world.anchor, at, coin),
  }));
  return [[key, { symbol: coin, confidence: 0.99, prices }]];
}

/** Counter tokens of the world's pools have a price too. */
function quotePrice(scene: Scene, key: string, at = scene.now): readonly (readonly [string, unknown])[] {
  const [prefix, address = ''] = key.split(':');
  const coin = prefix === 'coingecko' ? COIN_IDS[address] : undefined;
  if (coin !== undefined) {
    const price = coinUsdAt(scene.world.anchor, at, coin);
    return [[key, { symbol: coin, price, timestamp: Math.round(at / 1000), confidence: 0.99 }]];
  }
  const chain = chainCalled('defillama', prefix);
  const quote = QUOTES[chain?.name ?? '']?.find((row) => row.address.toLowerCase() === address.toLowerCase());
  if (quote === undefined) return [];
  const price = quoteUsdAt(scene.world.anchor, at, quote);
  return [
    [
      key,
      {
        decimals: quote.decimals,
        symbol: quote.symbol,
        price,
        timestamp: Math.round(at / 1000),
        confidence: 0.99,
      },
    ],
  ];
}

function matchesCoin(asset: SandboxAsset, key: string): boolean {
  const [prefix, rest = ''] = key.split(':');
  if (prefix === 'coingecko') return asset.traits.listed && rest === asset.coingeckoId;
  if (prefix !== chainOf(asset).names.defillama) return false;
  return asset.chain === 'solana' ? rest === asset.address : rest.toLowerCase() === asset.address;
}

/** Units of a stablecoin and their value by days, seconds as text. Supplies of the sandbox are constant. */
function supplyChart(scene: Scene, id: string) {
  const asset = scene.world.tokens.find((row) => row.category === 'stablecoin' && String(row.rank) === id);
  if (asset === undefined) return [];
  const pegType = `pegged${asset.pegCurrency ?? 'USD'}`;
  return dailyMoments(scene, asset).map((at) => {
    const units = scene.world.market(asset, at).circulatingSupply;
    return {
      date: String(Math.round(at / 1000)),
      totalCirculating: { [pegType]: units },
      totalCirculatingUSD: { [pegType]: units * scene.world.price(asset, at) },
    };
  });
}

function stablecoins(scene: Scene) {
  return scene.world.tokens
    .filter((asset) => asset.category === 'stablecoin' && asset.traits.listed)
    .map((asset) => {
      const view = scene.see('defillama', asset);
      const pegType = `pegged${asset.pegCurrency ?? 'USD'}`;
      return {
        id: String(asset.rank),
        name: asset.name,
        symbol: asset.symbol,
        gecko_id: asset.coingeckoId,
        pegType,
        pegMechanism: asset.pegMechanism ?? 'fiat-backed',
        priceSource: 'defillama',
        circulating: { [pegType]: view.circulatingSupply },
        chains: [chainTitle(asset)],
        price: view.priceUsd,
      };
    });
}

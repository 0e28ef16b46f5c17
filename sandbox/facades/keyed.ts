import { type Facade, iso, matchPath } from '../facade.ts';
import type { AssetView, Scene } from '../scene.ts';

/** Jupiter tokens v2 and price v3 (off by default for its licence). */
export const jupiter: Facade = ({ path, query }, scene) => {
  if (matchPath(path, '/tokens/v2/search'))
    return { json: solanaHits(scene, 'jupiter', query.get('query') ?? '').map(jupiterRow) };
  if (matchPath(path, '/price/v3')) {
    const ids = (query.get('ids') ?? '').split(',');
    const views = ids.flatMap((mint) => solanaHits(scene, 'jupiter', mint));
    return { json: Object.fromEntries(views.map((view) => [view.asset.address, jupiterPrice(view)])) };
  }
  return { status: 404, json: { error: 'Not found' } };
};

/** Birdeye (needs a key). */
export const birdeye: Facade = ({ path, query }, scene) => {
  const address = query.get('address') ?? '';
  const asset = scene.world.tokens.find((row) => row.address === address || row.address === address.toLowerCase());
  if (!asset) return { status: 400, json: { success: false, message: 'address is invalid format' } };
  const view = scene.see('birdeye', asset);
  if (matchPath(path, '/defi/price')) {
    return {
      json: {
        success: true,
        data: { value: view.priceUsd, updateUnixTime: Math.round(view.at / 1000), liquidity: view.liquidityUsd },
      },
    };
  }
  return {
    json: {
      success: true,
      data: {
        address: asset.address,
        symbol: asset.symbol,
        name: asset.name,
        decimals: asset.decimals,
        price: view.priceUsd,
        liquidity: view.liquidityUsd,
        marketCap: view.marketCapUsd,
        fdv: view.fdvUsd,
        totalSupply: view.totalSupply,
        circulatingSupply: view.circulatingSupply,
        holder: view.holders,
        v24hUSD: view.dexVolumeUsd,
        trade24h: view.pools.reduce((sum, row) => sum + row.buys + row.sells, 0),
        uniqueWallet24h: Math.round(view.holders * 0.02),
        priceChange24hPercent: view.change24hPct,
        lastTradeUnixTime: Math.round(view.at / 1000),
        extensions: { website: asset.url, coingeckoId: asset.traits.listed ? asset.coingeckoId : null },
      },
    },
  };
};

/** Pyth Hermes (needs a key): feeds for listed majors only. */
export const pyth: Facade = ({ path, query }, scene) => {
  const majors = scene.world.tokens.filter((asset) => asset.traits.cex);
  const feedId = (rank: number) => rank.toString(16).padStart(64, '0');
  if (matchPath(path, '/v2/price_feeds')) {
    const wanted = (query.get('query') ?? '').toUpperCase();
    const hits = majors.filter((asset) => asset.symbol.toUpperCase().includes(wanted));
    return {
      json: hits.map((asset) => ({
        id: feedId(asset.rank),
        attributes: {
          asset_type: 'Crypto',
          base: asset.symbol.toUpperCase(),
          quote_currency: 'USD',
          symbol: `Crypto.${asset.symbol.toUpperCase()}/USD`,
        },
      })),
    };
  }
  if (!matchPath(path, '/v2/updates/price/latest')) return { status: 404, json: {} };
  const ids = [...query.getAll('ids[]'), ...query.getAll('ids')];
  const parsed = majors
    .filter((asset) => ids.some((id) => id.replace(/^0x/, '') === feedId(asset.rank)))
    .map((asset) => {
      const view = scene.see('pyth', asset);
      const price = {
        price: String(Math.round(view.priceUsd * 1e8)),
        conf: String(Math.round(view.priceUsd * 5e4)),
        expo: -8,
        publish_time: Math.round(view.at / 1000),
      };
      return { id: feedId(asset.rank), price, ema_price: price, metadata: { slot: 1 } };
    });
  return { json: { binary: { encoding: 'hex', data: [] }, parsed } };
};

/** Etherscan v2 (needs a key): source code only. */
export const etherscan: Facade = ({ query }, scene) => {
  const address = (query.get('address') ?? query.get('contractaddress') ?? '').toLowerCase();
  const asset = scene.world.tokens.find((row) => row.address === address);
  if (!asset) return { json: { status: '0', message: 'NOTOK', result: 'Invalid contract address' } };
  const verified = asset.traits.verified;
  const source = {
    SourceCode: verified ? 'contract Token {}' : '',
    ABI: verified ? '[]' : 'Contract source code not verified',
    ContractName: verified ? 'Token' : '',
    CompilerVersion: verified ? 'v0.8.24+commit.e11b9ed9' : '',
    Proxy: asset.traits.proxyAdmin === null ? '0' : '1',
    Implementation: '',
    LicenseType: 'MIT',
  };
  if (query.get('action') === 'getcontractcreation') {
    return {
      json: {
        status: '1',
        message: 'OK',
        result: [
          {
            contractAddress: address,
            contractCreator: asset.creator,
            txHash: `0x${'ab'.repeat(32)}`,
            timestamp: String(Math.round(scene.see('etherscan', asset).createdAt / 1000)),
          },
        ],
      },
    };
  }
  return { json: { status: '1', message: 'OK', result: [source] } };
};

function solanaHits(scene: Scene, source: string, text: string): readonly AssetView[] {
  const wanted = text.trim().toLowerCase();
  return scene.world.tokens
    .filter((asset) => asset.chain === 'solana')
    .filter(
      (asset) =>
        asset.address === text || [asset.name, asset.symbol].some((field) => field.toLowerCase().includes(wanted)),
    )
    .map((asset) => scene.see(source, asset));
}

function jupiterPrice(view: AssetView) {
  return {
    usdPrice: view.priceUsd,
    liquidity: view.liquidityUsd / 2,
    blockId: 300_000_000,
    decimals: view.asset.decimals,
    priceChange24h: view.change24hPct,
    createdAt: iso(view.createdAt),
  };
}

function jupiterRow(view: AssetView) {
  const { asset } = view;
  const organic = 1 - asset.traits.washShare;
  const trades = view.pools.reduce((sum, row) => sum + row.buys, 0);
  return {
    id: asset.address,
    name: asset.name,
    symbol: asset.symbol,
    icon: null,
    decimals: asset.decimals,
    tokenProgram: asset.traits.token2022
      ? 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'
      : 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
    createdAt: iso(view.createdAt),
    website: asset.url,
    dev: asset.creator,
    circSupply: view.circulatingSupply,
    totalSupply: view.totalSupply,
    launchpad: null,
    graduatedPool: null,
    holderCount: view.holders,
    fdv: view.fdvUsd,
    mcap: view.marketCapUsd,
    usdPrice: view.priceUsd,
    liquidity: view.liquidityUsd / 2,
    priceBlockId: 300_000_000,
    stats24h: {
      priceChange: view.change24hPct,
      buyVolume: view.dexVolumeUsd * 0.53,
      sellVolume: view.dexVolumeUsd * 0.47,
      buyOrganicVolume: view.dexVolumeUsd * 0.53 * organic,
      sellOrganicVolume: view.dexVolumeUsd * 0.47 * organic,
      numBuys: trades,
      numSells: Math.round(trades * 0.9),
      numTraders: Math.ceil(trades * 0.4 * organic),
      numOrganicBuyers: Math.ceil(trades * 0.2 * organic),
      numNetBuyers: Math.ceil(trades * 0.1 * organic),
    },
    firstPool: { id: view.pools[0]?.pool.address ?? '', createdAt: iso(view.createdAt) },
    audit: {
      mintAuthorityDisabled: asset.traits.mintAuthority === 'none',
      freezeAuthorityDisabled: asset.traits.freezeAuthority === 'none',
      topHoldersPercentage: 100 * asset.traits.topWalletShare,
      devBalancePercentage: 100 * asset.traits.creatorShare,
      devMints: asset.traits.creatorTokens,
    },
    organicScore: 100 * organic,
    organicScoreLabel: organic > 0.7 ? 'high' : 'low',
    isVerified: asset.traits.listed,
    tags: asset.traits.listed ? ['verified'] : [],
    updatedAt: iso(view.at),
  };
}

import { DAY_MS } from '../../src/domain/statistics.ts';
import { type Facade, iso, matchPath } from '../facade.ts';
import type { AssetView, PoolView, Scene } from '../scene.ts';
import { solanaAccount } from '../world/addresses.ts';
import type { SandboxHolder } from '../world/types.ts';
import { lpHolders, supplyOf, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from './solana_accounts.ts';
import { LP_SUPPLY, metadataUri } from './solana_bytes.ts';

/** RugCheck: the whole report and its summary; 400 for an unknown mint. */
export const rugcheck: Facade = ({ path }, scene) => {
  const summary = matchPath(path, '/v1/tokens/:mint/report/summary');
  const report = matchPath(path, '/v1/tokens/:mint/report');
  const asset = scene.world.byAddress('solana', (summary ?? report)?.mint ?? '');
  if (!asset) return { status: 400, json: { error: 'not found' } };
  const view = scene.see('rugcheck', asset);
  return { json: summary ? summaryOf(view) : reportOf(scene, view) };
};

function summaryOf(view: AssetView) {
  return {
    tokenProgram: view.asset.traits.token2022 ? TOKEN_2022_PROGRAM : TOKEN_PROGRAM,
    tokenType: '',
    ...scoreOf(view),
    lpLockedPct: view.asset.traits.lpLockedShare * 100,
  };
}

function scoreOf(view: AssetView) {
  const { traits } = view.asset;
  const risk = (name: string, value: string, score: number, level: string) => ({
    name,
    value,
    description: name,
    score,
    level,
  });
  const risks = [
    ...(traits.mintAuthority === 'none' ? [] : [risk('Mint Authority still enabled', '', 5000, 'danger')]),
    ...(traits.freezeAuthority === 'none' ? [] : [risk('Freeze Authority still enabled', '', 5000, 'danger')]),
    ...(traits.lpLockedShare < 0.5 ? [risk('Large Amount of LP Unlocked', '', 8000, 'danger')] : []),
    ...(traits.creatorDeadTokens > 2 ? [risk('Creator history of rugged tokens', '', 20000, 'danger')] : []),
  ];
  const score = risks.reduce((sum, row) => sum + row.score, 1);
  return { risks, score, score_normalised: Math.min(100, Math.round(score / 300)) };
}

function reportOf(scene: Scene, view: AssetView) {
  const { asset } = view;
  const { traits } = asset;
  const mintAuthority = asset.controller(traits.mintAuthority, 'mint');
  const freezeAuthority = asset.controller(traits.freezeAuthority, 'freeze');
  const supply = Number(supplyOf(scene, asset));
  const updateAuthority = traits.metadataMutable ? asset.creator : '11111111111111111111111111111111';
  const holders = scene.world.holders(asset, view.at);
  return {
    mint: asset.address,
    tokenProgram: traits.token2022 ? TOKEN_2022_PROGRAM : TOKEN_PROGRAM,
    creator: asset.creator,
    creatorBalance: Math.round(supply * traits.creatorShare),
    creatorTokens: creatorTokens(view),
    token: { mintAuthority, supply, decimals: asset.decimals, isInitialized: true, freezeAuthority },
    token_extensions: traits.token2022 ? extensions(view) : null,
    tokenMeta: {
      name: asset.name,
      symbol: asset.symbol,
      uri: metadataUri(asset),
      mutable: traits.metadataMutable,
      updateAuthority,
    },
    topHolders: holders.slice(0, 20).map((holder) => holderRow(view, holder)),
    freezeAuthority,
    mintAuthority,
    ...scoreOf(view),
    fileMeta: { description: '', name: asset.name, symbol: asset.symbol, image: `${asset.url}icon.png` },
    lockerOwners: {},
    lockers: {},
    markets: view.pools.map((row) => market(view, row)),
    totalMarketLiquidity: view.liquidityUsd,
    totalStableLiquidity: view.liquidityUsd / 2,
    totalLPProviders: 4,
    totalHolders: view.holders,
    price: view.priceUsd,
    rugged: traits.rugged,
    tokenType: '',
    transferFee: {
      pct: traits.transferFeeBps / 100,
      maxAmount: 0,
      authority: traits.transferFeeBps > 0 ? asset.creator : '11111111111111111111111111111111',
    },
    knownAccounts: knownAccounts(scene, view),
    events: [],
    verification: traits.listed
      ? {
          mint: asset.address,
          payer: '',
          name: asset.name,
          symbol: asset.symbol,
          jup_verified: true,
          jup_strict: false,
          links: [],
        }
      : null,
    graphInsidersDetected: 0,
    insiderNetworks: null,
    detectedAt: iso(view.createdAt),
    createdAt: iso(view.createdAt),
    launchpad: null,
    deployPlatform: '',
  };
}

function creatorTokens(view: AssetView) {
  const { traits } = view.asset;
  const others = Array.from({ length: traits.creatorTokens - 1 }, (_, index) => ({
    mint: solanaAccount(view.asset.creator, 'earlier', index),
    marketCap: index < traits.creatorDeadTokens ? 900 + index * 7 : 240_000,
    createdAt: iso(view.createdAt - (index + 1) * 9 * DAY_MS),
  }));
  return others.length > 0 ? others : null;
}

function extensions(view: AssetView) {
  const { asset } = view;
  const { traits } = asset;
  const fee = { epoch: 600, maximumFee: 2 ** 63, transferFeeBasisPoints: traits.transferFeeBps };
  return {
    nonTransferable: false,
    transferFeeConfig:
      traits.transferFeeBps > 0
        ? {
            transferFeeConfigAuthority: asset.creator,
            withdrawWithheldAuthority: asset.creator,
            withheldAmount: 0,
            olderTransferFee: fee,
            newerTransferFee: fee,
          }
        : null,
    defaultAccountState: null,
    permanentDelegate: traits.permanentDelegate ? { delegate: asset.creator } : null,
    metadataPointer: { authority: asset.creator, metadataAddress: asset.address },
    groupPointer: null,
    groupMemberPointer: null,
    tokenMetadata: {
      authority: asset.creator,
      mint: asset.address,
      name: asset.name,
      symbol: asset.symbol,
      uri: metadataUri(asset),
      additionalMetadata: {},
    },
  };
}

function holderRow(view: AssetView, holder: SandboxHolder) {
  const whole = Number(holder.amount) / 10 ** view.asset.decimals;
  return {
    address: holder.tokenAccount,
    amount: Number(holder.amount),
    decimals: view.asset.decimals,
    pct: holder.share * 100,
    uiAmount: whole,
    uiAmountString: String(whole),
    owner: holder.owner,
    insider: holder.kind === 'creator' && view.asset.grade === 'bad',
  };
}

function knownAccounts(scene: Scene, view: AssetView) {
  const rows = scene.world.holders(view.asset, view.at).flatMap((holder): readonly (readonly [string, unknown])[] => {
    if (holder.kind === 'pool') return [[holder.owner, { name: `${holder.label}`, type: 'AMM' }]];
    if (holder.kind === 'locker') return [[holder.owner, { name: 'Streamflow', type: 'LOCKER' }]];
    if (holder.kind === 'creator') return [[holder.owner, { name: 'Creator', type: 'CREATOR' }]];
    return [];
  });
  return Object.fromEntries(rows);
}

const MARKET_TYPES = { raydium: 'raydium', orca: 'orca', meteora: 'meteoraDlmm' } as const;

function market(view: AssetView, row: PoolView) {
  const { asset } = view;
  const { pool } = row;
  const standard = pool.kind === 'constant_product';
  const locked = standard ? asset.traits.lpLockedShare : 0;
  const supply = Number(LP_SUPPLY);
  const holders = standard
    ? lpHolders(asset, pool).map((lp) => ({
        address: lp.tokenAccount,
        amount: Number(lp.amount),
        decimals: 9,
        pct: lp.share * 100,
        uiAmount: Number(lp.amount) / 1e9,
        uiAmountString: String(Number(lp.amount) / 1e9),
        owner: lp.owner,
        insider: false,
      }))
    : null;
  return {
    pubkey: pool.address,
    marketType: pool.venue in MARKET_TYPES ? MARKET_TYPES[pool.venue as keyof typeof MARKET_TYPES] : 'unknown',
    mintA: asset.address,
    mintB: pool.quote.address,
    mintLP: standard ? pool.lpMint : '11111111111111111111111111111111',
    liquidityA: pool.baseVault,
    liquidityB: pool.quoteVault,
    liquidityAAccount: {
      mint: asset.address,
      owner: pool.authority,
      amount: Math.round(row.baseAmount * 10 ** asset.decimals),
      delegate: null,
      state: 1,
    },
    liquidityBAccount: {
      mint: pool.quote.address,
      owner: pool.authority,
      amount: Math.round(row.quoteAmount * 10 ** pool.quote.decimals),
      delegate: null,
      state: 1,
    },
    lp: {
      baseMint: asset.address,
      quoteMint: pool.quote.address,
      lpMint: standard ? pool.lpMint : '11111111111111111111111111111111',
      quotePrice: row.quoteUsd,
      basePrice: row.priceUsd,
      base: row.baseAmount,
      quote: row.quoteAmount,
      reserveSupply: supply,
      currentSupply: supply * (1 - locked),
      quoteUSD: row.liquidityUsd * (1 - pool.baseSide),
      baseUSD: row.liquidityUsd * pool.baseSide,
      pctReserve: 200,
      pctSupply: locked * 100,
      holders,
      totalTokensUnlocked: supply * (1 - locked),
      tokenSupply: supply,
      lpLocked: supply * locked,
      lpUnlocked: supply * (1 - locked),
      lpLockedPct: locked * 100,
      lpLockedUSD: row.liquidityUsd * locked,
      lpMaxSupply: 0,
      lpCurrentSupply: supply,
      lpTotalSupply: supply,
    },
  };
}

import Type, { type Static } from 'typebox';
import { addressBytes, isLaunchpadKey, isOnCurve, isTradedPair } from '../../chains/index.ts';
import { DAY_MS, type ObservationDraft, poolScope } from '../../domain/index.ts';
import { observed } from '../observations.ts';
import { amount, date, FlagOptional, fields, Maybe, positive, solanaAddress, TextOptional, text } from '../read.ts';

const NumberOptional = Maybe(Type.Number());

const HOLDER = Type.Object({
  address: TextOptional,
  owner: TextOptional,
  amount: NumberOptional,
  pct: NumberOptional,
  insider: FlagOptional,
});
const MARKET = Type.Object({
  pubkey: Type.String(),
  marketType: TextOptional,
  mintLP: TextOptional,
  lp: Maybe(
    Type.Object({
      baseMint: TextOptional,
      quoteMint: TextOptional,
      ...fields(NumberOptional, 'basePrice', 'quotePrice', 'baseUSD', 'quoteUSD', 'lpLockedPct', 'lpTotalSupply'),
      holders: Maybe(Type.Array(HOLDER)),
    }),
  ),
});

/** The fields of a report that are used. Each may be missing or null (recorded report of 2026; API description of 2024). */
export const REPORT = Type.Object({
  mint: Type.String(),
  creator: TextOptional,
  creatorBalance: NumberOptional,
  creatorTokens: Maybe(
    Type.Array(Type.Object({ mint: TextOptional, marketCap: NumberOptional, createdAt: TextOptional })),
  ),
  token: Maybe(
    Type.Object({
      mintAuthority: TextOptional,
      freezeAuthority: TextOptional,
      supply: NumberOptional,
      decimals: NumberOptional,
    }),
  ),
  token_extensions: Type.Optional(Type.Union([Type.Null(), Type.String(), Type.Record(Type.String(), Type.Unknown())])),
  tokenMeta: Maybe(
    Type.Object({
      ...fields(TextOptional, 'name', 'symbol', 'uri'),
      mutable: FlagOptional,
    }),
  ),
  topHolders: Maybe(Type.Array(HOLDER)),
  markets: Maybe(Type.Array(MARKET)),
  ...fields(NumberOptional, 'totalMarketLiquidity', 'totalHolders', 'price'),
  rugged: FlagOptional,
  transferFee: Maybe(Type.Object({ pct: NumberOptional, authority: TextOptional })),
  knownAccounts: Maybe(Type.Record(Type.String(), Type.Object({ name: TextOptional, type: TextOptional }))),
  lockers: Maybe(
    Type.Record(
      Type.String(),
      Type.Object({ type: TextOptional, unlockDate: NumberOptional, usdcLocked: NumberOptional }),
    ),
  ),
  graphInsidersDetected: NumberOptional,
  insiderNetworks: Maybe(Type.Array(Type.Object({ tokenAmount: NumberOptional }))),
  detectedAt: TextOptional,
});
export type Report = Static<typeof REPORT>;
type Market = Static<typeof MARKET>;

const NO_OWNER = '11111111111111111111111111111111';

/** A Solana address; null for "" and the system program, which mean none in these replies. */
export function address(value: string | null | undefined): string | null {
  return value === NO_OWNER ? null : solanaAddress(value);
}

const MOST_LABELS = 600;

/** Our kinds for RugCheck's account types. */
const HOLDER_KINDS: ReadonlyMap<string, string> = new Map([
  ['AMM', 'amm'],
  ['LOCKER', 'locker'],
  ['CREATOR', 'creator'],
  ['CEX', 'exchange'],
  ['EXCHANGE', 'exchange'],
]);

/** Holders summed by owner (rows are token accounts), the accounts that RugCheck names, insiders and the creator. */
export function holderDrafts(report: Report): readonly ObservationDraft[] {
  const labels = labelsOf(report);
  const rows = ownersOf(report, labels);
  return [
    ...observed(
      'top_holders',
      rows.length === 0 ? null : rows,
      'owners of the 20 largest token accounts, summed by owner, share of total supply',
    ),
    ...observed(
      'holder_labels',
      labels.size === 0
        ? null
        : [...labels].map(([account, row]) => ({ address: account, ...row })).slice(0, MOST_LABELS),
      'knownAccounts',
    ),
    ...observed('holder_count', holderCount(report), 'totalHolders; whether owners or accounts is not documented', {
      reliability: 0.7,
    }),
    ...insiderDrafts(report),
    ...creatorDrafts(report),
  ];
}

/** Null for a count below the owners that the report lists with a balance (recorded for new tokens: 1, with five owners listed). */
function holderCount({ totalHolders, topHolders }: Report): number | null {
  const count = positive(totalHolders);
  const listed = (topHolders ?? []).flatMap((row) => (positive(row.amount) === null ? [] : (address(row.owner) ?? [])));
  return count !== null && count < new Set(listed).size ? null : count;
}

interface Label {
  readonly kind: string;
  readonly label: string;
}

function labelsOf(report: Report): ReadonlyMap<string, Label> {
  const known = Object.entries(report.knownAccounts ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  const pools = poolsIn(report);
  return new Map(
    known.flatMap(([account, row]): readonly (readonly [string, Label])[] => {
      const kind = HOLDER_KINDS.get((row.type ?? '').toUpperCase());
      const curve =
        kind === 'amm' && row.name === 'Pump Fun' ? 'curve' : kind === 'locker' && pools.has(account) ? 'amm' : kind;
      return curve === undefined || address(account) === null
        ? []
        : [[account, { kind: curve, label: text(row.name, 60) ?? curve }]];
    }),
  );
}

/**
 * Addresses of pools. One with a single locked position is called a locker (recorded: the SOL pool of RAY, 34 million dollars, of which
 * 3,412 are locked); what it holds is traded, not locked.
 */
function poolsIn(report: Report): ReadonlySet<string> {
  const locked = Object.entries(report.lockers ?? {}).filter(([, row]) => row.type === 'raydium_locker');
  return new Set([...(report.markets ?? []).map(({ pubkey }) => pubkey), ...locked.map(([account]) => account)]);
}

function ownersOf(report: Report, labels: ReadonlyMap<string, Label>) {
  const supply = positive(report.token?.supply);
  const sums = new Map<
    string,
    { sharePct: number; tokenAccount: string | null; label: Label | undefined; insider: boolean }
  >();
  for (const row of (report.topHolders ?? []).slice(0, 100)) {
    const owner = address(row.owner);
    const raw = amount(row.amount);
    const pct = supply !== null && raw !== null ? (raw / supply) * 100 : amount(row.pct);
    // Solana's token programs create no units outside the supply, so such a row is an error in the reply, not a finding.
    if (owner === null || pct === null || pct > 100.001) continue;
    const known = sums.get(owner);
    sums.set(owner, {
      sharePct: Math.min(100, (known?.sharePct ?? 0) + pct),
      tokenAccount: known?.tokenAccount ?? address(row.address),
      label: known?.label ?? labels.get(owner) ?? labels.get(row.address ?? ''),
      insider: known?.insider === true || row.insider === true,
    });
  }
  return [...sums]
    .sort(([a, one], [b, other]) => other.sharePct - one.sharePct || (a < b ? -1 : 1))
    .map(([owner, row]) => ({
      owner,
      sharePct: row.sharePct,
      ...(row.tokenAccount === null ? {} : { tokenAccount: row.tokenAccount }),
      ...(row.label ? { kind: row.label.kind, label: row.label.label } : row.insider ? { kind: 'insider' } : {}),
    }));
}

/**
 * Tokens of the wallet networks that RugCheck detects by transfers among early buyers. More than the supply is not a share of it: the
 * amounts do not shrink with sales and burns (recorded: 940 million tokens of a supply of 13.5 million).
 */
function insiderDrafts(report: Report): readonly ObservationDraft[] {
  const supply = positive(report.token?.supply);
  const networks = report.insiderNetworks;
  const found = amount(report.graphInsidersDetected);
  if (supply === null || (!networks && found !== 0)) return [];
  const tokens = (networks ?? []).reduce((sum, row) => sum + (amount(row.tokenAmount) ?? 0), 0);
  return observed(
    'insider_share',
    tokens > supply ? null : tokens / supply,
    'tokenAmount of all insider networks over supply',
    { reliability: 0.5 },
  );
}

/** A token below this capitalisation more than a day after its launch counts as dead. */
const DEAD_BELOW_USD = 1_000;

/** Null where the report names a launchpad, which creates tokens for others. */
function creatorOf(report: Report): string | null {
  const creator = address(report.creator);
  return creator !== null && isLaunchpadKey(creator) ? null : creator;
}

function creatorDrafts(report: Report): readonly ObservationDraft[] {
  const creator = creatorOf(report);
  const supply = positive(report.token?.supply);
  const balance = amount(report.creatorBalance);
  const isOwn = creator !== null && supply !== null && balance !== null && balance <= supply;
  return [
    ...observed('creator_address', creator, 'creator'),
    ...observed('creator_share', isOwn ? balance / supply : null, "creatorBalance: the creator's own wallet only"),
  ];
}

/**
 * Other tokens of the creator. Null in the reply means "not looked up", not "none", and a launchpad's key is not a creator. The number
 * of dead tokens is observed only if every token has a market cap and a date. `now`: time of the reply, milliseconds.
 */
export function creatorTokenDrafts(report: Report, now: number): readonly ObservationDraft[] {
  if (!report.creatorTokens || isLaunchpadKey(address(report.creator) ?? '')) return [];
  const others = report.creatorTokens.filter((row) => row.mint !== report.mint);
  const ages = others.map((row) => now - Date.parse(date(row.createdAt) ?? ''));
  const judged = others.every((row, at) => amount(row.marketCap) !== null && !Number.isNaN(ages[at]));
  const dead = others.filter(
    (row, at) => (ages[at] ?? 0) > DAY_MS && (amount(row.marketCap) ?? Number.POSITIVE_INFINITY) < DEAD_BELOW_USD,
  );
  return [
    ...observed('creator_tokens_count', others.length, 'creatorTokens without this one'),
    ...observed(
      'creator_dead_tokens_count',
      judged ? dead.length : null,
      `creatorTokens older than a day with a market cap below ${DEAD_BELOW_USD} USD`,
    ),
  ];
}

/** Maximum number of pools. Smaller ones are negligible and would fill the archive (a report names 134). */
const MOST_POOLS = 40;
const SMALLEST_POOL_USD = 1;

/** Our pool kinds for RugCheck's market types, as seen in a report. */
const POOL_KINDS: ReadonlyMap<string, string> = new Map([
  ['raydium', 'constant_product'],
  ['raydium_cpmm', 'constant_product'],
  ['pump_fun_amm', 'constant_product'],
  ['pump_fun', 'curve'],
  ['raydium_clmm', 'concentrated'],
  ['orca', 'concentrated'],
  ['tuna_fusion_amm', 'concentrated'],
  ['meteoraDlmm', 'bins'],
  ['meteora_damm_v2', 'concentrated'],
  ['meteora', 'constant_product'],
]);

/** The largest pools with a trusted counter token, and LP locks weighted by value over those whose liquidity is a fungible token. */
export function marketDrafts(report: Report): readonly ObservationDraft[] {
  const pools = (report.markets ?? [])
    .filter((market) => isTraded(market, report.mint))
    .map((market) => poolOf(market, report.mint))
    .filter((pool) => pool !== null);
  const large = pools
    .filter((pool) => pool.liquidityUsd >= SMALLEST_POOL_USD)
    .sort((a, b) => b.liquidityUsd - a.liquidityUsd || (a.pool < b.pool ? -1 : 1))
    .slice(0, MOST_POOLS);
  return [...large.flatMap(poolDrafts), ...lockDrafts(pools, report)];
}

interface Pool {
  readonly pool: string;
  readonly type: string;
  readonly counter: string | null;
  readonly priceUsd: number | null;
  readonly liquidityUsd: number;
  readonly quoteReserveUsd: number;
  /** 0-1; null if liquidity is not a fungible token, because RugCheck's figure does not cover positions. */
  readonly lockedShare: number | null;
  readonly market: Market;
}

function poolOf(market: Market, mint: string): Pool | null {
  const { lp } = market;
  const pool = address(market.pubkey);
  const base = amount(lp?.baseUSD);
  const quote = amount(lp?.quoteUSD);
  if (!lp || pool === null || base === null || quote === null) return null;
  // The token is the base in most pools and the quote in some (recorded: 23 of 134).
  const tokenIsBase = lp.baseMint === mint;
  if (!tokenIsBase && lp.quoteMint !== mint) return null;
  const lockedPct = amount(lp.lpLockedPct);
  const paidIn = tokenIsBase ? quote : base;
  return {
    pool,
    type: text(market.marketType, 40) ?? 'unknown',
    counter: address(tokenIsBase ? lp.quoteMint : lp.baseMint),
    priceUsd: positive(tokenIsBase ? lp.basePrice : lp.quotePrice),
    // The unsold part of a curve was never paid for and cannot absorb sales.
    liquidityUsd: isCurve(market) ? paidIn : base + quote,
    quoteReserveUsd: paidIn,
    lockedShare: fungible(market) && lockedPct !== null && lockedPct <= 100 ? lockedPct / 100 : null,
    market,
  };
}

function isCurve({ marketType }: Market): boolean {
  return POOL_KINDS.get(marketType ?? '') === 'curve';
}

/** False: no side of the pool is a token whose value is hard to fake. */
function isTraded({ lp }: Market, mint: string): boolean {
  return isTradedPair('solana', mint, [lp?.baseMint, lp?.quoteMint]);
}

/**
 * Liquidity of all pools of the report in US dollars, without the unsold side of curves and without pools whose value is easy to fake;
 * null if there is none.
 */
export function liquidityOf(report: Report): number | null {
  const uncounted = (report.markets ?? []).map((market) => {
    const [base, quote] = [amount(market.lp?.baseUSD) ?? 0, amount(market.lp?.quoteUSD) ?? 0];
    if (!isTraded(market, report.mint)) return base + quote;
    return isCurve(market) ? (market.lp?.baseMint === report.mint ? base : quote) : 0;
  });
  return positive((amount(report.totalMarketLiquidity) ?? 0) - uncounted.reduce((sum, value) => sum + value, 0));
}

/** Concentrated pools have the system program as LP mint, though some state a locked percentage (recorded: raydium_clmm 85). */
function fungible(market: Market): boolean {
  return address(market.mintLP) !== null && positive(market.lp?.lpTotalSupply) !== null;
}

function poolDrafts(pool: Pool): readonly ObservationDraft[] {
  const scope = poolScope(pool.pool);
  return [
    ...observed('pool_dex', pool.type, 'marketType', { scope }),
    ...observed('pool_kind', POOL_KINDS.get(pool.type) ?? 'unknown', 'by marketType', { scope }),
    ...observed('pool_pair', pool.counter, 'mint of the other side', { scope }),
    ...observed('pool_price_usd', pool.priceUsd, 'price of the token side', { scope }),
    ...observed(
      'pool_liquidity_usd',
      pool.liquidityUsd,
      isCurve(pool.market) ? 'what was paid into the curve' : 'baseUSD + quoteUSD: both sides',
      { scope },
    ),
    ...observed('pool_quote_reserve_usd', pool.quoteReserveUsd, 'value of the other side', { scope }),
    ...observed('pool_lp_locked_share', pool.lockedShare, 'lpLockedPct: locked or burned', { scope }),
  ];
}

function lockDrafts(pools: readonly Pool[], report: Report): readonly ObservationDraft[] {
  const standard = pools.filter((pool) => pool.lockedShare !== null);
  const value = standard.reduce((sum, pool) => sum + pool.liquidityUsd, 0);
  if (value < SMALLEST_POOL_USD) return [];
  const locked = standard.reduce((sum, pool) => sum + pool.liquidityUsd * (pool.lockedShare ?? 0), 0);
  return [
    ...observed(
      'lp_locked_share',
      Math.min(1, locked / value),
      'lpLockedPct weighted by value over pools with a fungible LP token; locked or burned',
    ),
    ...observed(
      'lp_creator_share',
      creatorShare(standard, value, creatorOf(report)),
      'LP of the creator among the listed holders of those pools, by value',
    ),
    ...observed(
      'lp_second_provider_share',
      secondProvider(standard, value, report),
      'second of the listed holders of those pools that are neither creator nor locker, by value',
    ),
    ...walletDrafts(walletShares(standard, value, report)),
  ];
}

/** Tolerance between the listed LP holders and the stated locked share. */
const LIST_TOLERANCE = 0.02;

/** Null when a pool does not list its LP holders, or when its other holders have more than the unlocked share: one of them is an unnamed locker. */
function secondProvider(pools: readonly Pool[], value: number, report: Report): number | null {
  const creator = creatorOf(report);
  if (creator === null) return null;
  const named = Object.entries(report.knownAccounts ?? {}).filter(([, row]) => /lock/i.test(row.type ?? ''));
  const left = new Set([creator, ...named.map(([account]) => account), ...Object.keys(report.lockers ?? {})]);
  const held = new Map<string, number>();
  for (const pool of pools) {
    const rows = pool.market.lp?.holders;
    if (!rows) return null;
    const others = rows.filter(({ owner, address: account }) => !left.has(owner ?? '') && !left.has(account ?? ''));
    const shares = others.map((row) => (amount(row.pct) ?? 0) / 100);
    const sum = shares.reduce((total, share) => total + share, 0);
    if (sum > 1 - (pool.lockedShare ?? 0) + LIST_TOLERANCE) return null;
    for (const [at, row] of others.entries()) {
      const who = row.owner ?? row.address ?? '';
      held.set(who, (held.get(who) ?? 0) + ((shares[at] ?? 0) * pool.liquidityUsd) / value);
    }
  }
  return Math.min(1, [...held.values()].sort((a, b) => b - a)[1] ?? 0);
}

/** The largest first; null when a pool does not list its LP holders. What is locked or burned of a pool is not with a wallet. */
function walletShares(pools: readonly Pool[], value: number, report: Report): readonly number[] | null {
  const named = { ...report.knownAccounts, ...report.lockers };
  const held = new Map<string, number>();
  for (const pool of pools) {
    const rows = pool.market.lp?.holders;
    if (!rows) return null;
    for (const { owner, address: account, pct } of rows) {
      const bytes = addressBytes(owner ?? '');
      if (!owner || owner === report.creator || owner in named || (account ?? '') in named) continue;
      if (bytes === null || !isOnCurve(bytes)) continue;
      const share = Math.min((amount(pct) ?? 0) / 100, 1 - (pool.lockedShare ?? 0));
      held.set(owner, (held.get(owner) ?? 0) + (share * pool.liquidityUsd) / value);
    }
  }
  return [...held.values()].sort((a, b) => b - a);
}

function walletDrafts(shares: readonly number[] | null): readonly ObservationDraft[] {
  if (shares === null) return [];
  const of = 'of the listed holders of those pools that are plain wallets without a name, by value';
  const ofThree = shares.slice(0, 3).reduce((sum, share) => sum + share, 0);
  return [
    ...observed('lp_wallet_share', Math.min(1, shares[0] ?? 0), `largest ${of}`),
    ...observed('lp_top3_wallets_share', Math.min(1, ofThree), `three largest ${of}`),
  ];
}

/** Null when a pool with more than 1 % of the value does not list its LP holders. */
function creatorShare(pools: readonly Pool[], value: number, creator: string | null): number | null {
  if (creator === null) return null;
  let held = 0;
  for (const pool of pools) {
    const holders = pool.market.lp?.holders;
    if (!holders) {
      if (pool.liquidityUsd > value * 0.01) return null;
      continue;
    }
    const pct = holders.filter((row) => row.owner === creator).reduce((sum, row) => sum + (amount(row.pct) ?? 0), 0);
    held += pool.liquidityUsd * Math.min(1, pct / 100);
  }
  return Math.min(1, held / value);
}

import { evmAddress, solanaAccount, solanaWallet } from './addresses.ts';
import type { MarketState } from './market.ts';
import type { HolderKind, PoolSpec, SandboxAsset, SandboxHolder, Venue } from './types.ts';

export const SYSTEM_PROGRAM = '11111111111111111111111111111111';
export const STREAMFLOW_PROGRAM = 'strmRqUCoQUgGUan5YhzUZa6KqdzwX5L6FpUxfmKg5m';
export const SQUADS_PROGRAM = 'SQDS4ep65T869zMMBKyuUq6aD6EgTu8psMjkvj52pCf';
export const SOLANA_INCINERATOR = '1nc1nerator11111111111111111111111111111111';
export const EVM_DEAD = '0x000000000000000000000000000000000000dead';
/** UNCX's Uniswap V2 locker on Ethereum (its liquidity-locker repository): a locker that indexers know by name. */
export const EVM_LOCKER = '0x663a5c229c09b049e36dcc11a9b0d4a8eb9db214';

export const AMM_PROGRAMS: Readonly<Partial<Record<Venue, string>>> = {
  raydium: '675kPX9MHTjS2zt1qfr1NYHuzeLXfQM9H24wFSUt1Mp8',
  raydium_clmm: 'CAMMCzo5YL8w4VFF8KVHrK22GGUsp5VTaW7grrKgrWqK',
  orca: 'whirLbMiicVdio4qvUfM5KAg6Ct8VwpYzGff3uctyCc',
  meteora: 'LBUZKhRxPF3XUpBCjp4YzTKgLccjZhTSDM9YuVaPwxo',
};

/**
 * The largest holders, largest first: pools with their real holdings, then burn, lockers, team, exchanges and wallets.
 */
export function topHolders(seed: number, asset: SandboxAsset, market: MarketState): readonly SandboxHolder[] {
  const draw = holderMaker(seed, asset);
  const pools = market.pools.map((state) =>
    draw('pool', `${state.pool.venue} pool`, state.baseAmount / asset.totalSupply, state.pool),
  );
  const room = 1 - pools.reduce((sum, holder) => sum + holder.share, 0);
  const others = shares(asset).map(([kind, label, share], index) => draw(kind, label, share * room, undefined, index));
  return [...pools, ...others]
    .filter((holder) => holder.amount > 0n)
    .sort((left, right) => right.share - left.share || (left.owner < right.owner ? -1 : 1))
    .slice(0, Math.max(4, Math.min(24, market.holders)));
}

function shares(asset: SandboxAsset): readonly (readonly [HolderKind, string | null, number])[] {
  const { traits } = asset;
  const team =
    asset.grade === 'bad' || asset.category === 'memecoin' ? 0 : Math.min(0.16, (1 - asset.circulatingShare) * 0.5);
  const locked =
    asset.grade === 'bad' || asset.category === 'memecoin' ? 0 : Math.min(0.25, (1 - asset.circulatingShare) * 0.35);
  const rows: (readonly [HolderKind, string | null, number])[] = [
    ['burn', 'burn', asset.category === 'memecoin' && asset.grade !== 'bad' ? 0.04 : 0.001],
    ['locker', 'vesting', locked],
    ['team', 'treasury', team],
    ['creator', 'creator', traits.creatorShare],
  ];
  if (traits.cex) rows.push(['exchange', 'Northgate Exchange', 0.061], ['exchange', 'Kestrel Exchange', 0.034]);
  const concentration = asset.holders < 100 ? 0.8 : 0.87;
  let share = traits.topWalletShare;
  for (let index = 0; index < 14; index += 1) {
    rows.push(['wallet', null, share]);
    share = Math.min(share, 0.03) * concentration;
  }
  return rows.filter((row) => row[2] > 0);
}

function holderMaker(seed: number, asset: SandboxAsset) {
  const solana = asset.chain === 'solana';
  const scale = 10n ** BigInt(asset.decimals);
  return (kind: HolderKind, label: string | null, share: number, pool?: PoolSpec, index = 0): SandboxHolder => ({
    owner: pool ? (solana ? pool.authority : pool.address) : ownerOf(seed, asset, kind, index),
    tokenAccount: pool ? pool.baseVault : solanaAccount(seed, asset.slug, 'token-account', kind, index),
    kind,
    label,
    share,
    amount: (BigInt(Math.round(asset.totalSupply * share * 1000)) * scale) / 1000n,
    isContract: ['pool', 'locker', 'team', 'staking'].includes(kind),
    program: pool
      ? pool.venue === 'raydium'
        ? SYSTEM_PROGRAM
        : (AMM_PROGRAMS[pool.venue] ?? SYSTEM_PROGRAM)
      : kind === 'locker'
        ? STREAMFLOW_PROGRAM
        : kind === 'team'
          ? SQUADS_PROGRAM
          : SYSTEM_PROGRAM,
  });
}

function ownerOf(seed: number, asset: SandboxAsset, kind: HolderKind, index: number): string {
  const solana = asset.chain === 'solana';
  if (kind === 'creator') return asset.creator;
  if (kind === 'burn') return solana ? SOLANA_INCINERATOR : EVM_DEAD;
  if (kind === 'locker') return solana ? solanaAccount(seed, asset.slug, 'locker') : EVM_LOCKER;
  // Exchanges keep one wallet for all tokens: the same address across the world.
  if (kind === 'exchange') return solana ? solanaWallet(seed, 'exchange', index) : evmAddress(seed, 'exchange', index);
  if (kind === 'team' && asset.treasury !== undefined) return asset.treasury;
  if (kind === 'team') return solana ? solanaAccount(seed, asset.slug, 'team') : evmAddress(seed, asset.slug, 'team');
  return solana ? solanaWallet(seed, asset.slug, kind, index) : evmAddress(seed, asset.slug, kind, index);
}

import type { Scene } from '../scene.ts';
import type { PoolState } from '../world/market.ts';
import type { PoolSpec, Quote, SandboxAsset, Venue } from '../world/types.ts';
import { balanceOf } from './evm_logs.ts';
import { lpOwners } from './evm_world.ts';
import { rangeOf } from './pool_range.ts';

const LP_SUPPLY = 10n ** 24n;
/** Real factories, since they are constants of the chains. */
const FACTORIES: Readonly<Record<string, Readonly<Partial<Record<Venue, string>>>>> = {
  ethereum: {
    uniswap_v2: '0x5c69bee701ef814a2b6a3edd4b1652cb9cc5aa6f',
    uniswap_v3: '0x1f98431c8ad98523631ae4a59f267346ea31f984',
  },
  base: {
    uniswap_v2: '0x8909dc15e40173ff4699343b6eb8132c65e18ec6',
    aerodrome: '0x420dd381b31aef6683db6b902084cb0ffece40da',
  },
  bsc: {
    pancake_v2: '0xca143ce32fe78f1f7019d7d551a6402fc5350c73',
    uniswap_v3: '0xdb1d10011ad0ff90774d0c6bb92e5c5c8b4461f7',
  },
  arbitrum: {
    uniswap_v2: '0xf1d7cc64fb4452f05c498126312ebe29f30fbcf9',
    uniswap_v3: '0x1f98431c8ad98523631ae4a59f267346ea31f984',
  },
  optimism: {
    uniswap_v2: '0x0c3c1c532f1e39edf36be9fe0be1410313e074bf',
    uniswap_v3: '0x1f98431c8ad98523631ae4a59f267346ea31f984',
  },
  polygon: {
    uniswap_v2: '0x9e5a52f57b3038f1b8eee45f28b3c1967e22799c',
    uniswap_v3: '0x1f98431c8ad98523631ae4a59f267346ea31f984',
  },
};
const SPACING = 60;
const WORD = 256;

type Answer = (name: string, args: readonly unknown[]) => unknown;

/** Replies of a pool of the world to view calls: a pair, or a ranged pool with one position. */
export function poolAnswers(scene: Scene, asset: SandboxAsset, pool: PoolSpec): Answer {
  const [now, anchor] = [scene.now, scene.world.anchor].map((at) =>
    scene.world.chainMarket(asset, at).pools.find((state) => state.pool === pool),
  );
  const flipped = pool.quote.address < asset.address;
  const shared: Answer = (name) => {
    if (name === 'factory') return FACTORIES[asset.chain ?? '']?.[pool.venue] ?? `0x${'f'.repeat(40)}`;
    if (name === 'token0') return flipped ? pool.quote.address : asset.address;
    if (name === 'token1') return flipped ? asset.address : pool.quote.address;
    return null;
  };
  if (now === undefined || anchor === undefined) return shared;
  const own =
    pool.kind === 'constant_product'
      ? pairAnswers(scene, asset, pool, now, flipped)
      : rangedAnswers(asset, pool, anchor, now, flipped);
  return (name, args) => shared(name, args) ?? own(name, args);
}

function pairAnswers(scene: Scene, asset: SandboxAsset, pool: PoolSpec, now: PoolState, flipped: boolean): Answer {
  return (name, args) => {
    if (name === 'totalSupply') return LP_SUPPLY;
    if (name === 'balanceOf') {
      const share = lpOwners(asset).find((lp) => lp.owner === String(args[0]).toLowerCase())?.share ?? 0;
      return (LP_SUPPLY * BigInt(Math.round(share * 1e6))) / 1_000_000n;
    }
    if (name === 'stable') return pool.venue === 'aerodrome' ? false : null;
    if (name !== 'getReserves') return null;
    const [base, quote] = [balanceOf(scene, asset, pool.address), quoteRaw(now)];
    return [flipped ? quote : base, flipped ? base : quote, Math.floor(scene.now / 1000)];
  };
}

function rangedAnswers(
  asset: SandboxAsset,
  pool: PoolSpec,
  anchor: PoolState,
  now: PoolState,
  flipped: boolean,
): Answer {
  const range = rangeOf(anchor, now, asset.decimals, SPACING, flipped);
  return (name, args) => {
    const wanted = Number(args[0] ?? 0);
    switch (name) {
      case 'fee':
        return Math.round(pool.feeRate * 1e6);
      case 'slot0':
        return [BigInt(Math.round(range.root * 2 ** 48)) << 48n, range.tick, 0, 1, 1, 0, true];
      case 'liquidity':
        return range.liquidity;
      case 'tickSpacing':
        return SPACING;
      case 'tickBitmap':
        return [range.lower, range.upper]
          .map((tick) => tick / SPACING)
          .filter((index) => Math.floor(index / WORD) === wanted)
          .reduce((bits, index) => bits | (1n << BigInt(index - wanted * WORD)), 0n);
      case 'ticks':
        if (wanted !== range.lower && wanted !== range.upper) return [0n, 0n, 0n, 0n, 0n, 0n, 0, false];
        return [range.liquidity, wanted === range.upper ? -range.liquidity : range.liquidity, 0n, 0n, 0n, 0n, 0, true];
      default:
        return null;
    }
  };
}

/** A factory of the world's pools; null when the address is not one. */
export function factoryAnswers(scene: Scene, chain: string, address: string): Answer | null {
  const venue = Object.entries(FACTORIES[chain] ?? {}).find(([, factory]) => factory === address)?.[0];
  if (venue === undefined) return null;
  return (name, args) => {
    // Aerodrome's factory returns the fee of each of its pools, in hundredths of a percent.
    if (name === 'getFee') return venue === 'aerodrome' ? 30n : null;
    if (name !== 'getPair' && name !== 'getPool') return null;
    const [a, b] = args.slice(0, 2).map((one) => String(one).toLowerCase());
    const ofToken = (asset: SandboxAsset) =>
      asset.pools.find((pool) => pool.venue === venue && isPairOf(asset, pool, a, b))?.address;
    const found = scene.world.tokens
      .filter((asset) => asset.chain === chain)
      .map(ofToken)
      .find((pool) => pool !== undefined);
    return found ?? `0x${'0'.repeat(40)}`;
  };
}

/** A counter token (wrapped coin, dollar): its own fields and the balances of pools. */
export function quoteAnswers(scene: Scene, chain: string, quote: Quote): Answer {
  return (name, args) => {
    if (name === 'name') return quote.name;
    if (name === 'symbol') return quote.symbol;
    if (name === 'decimals') return quote.decimals;
    if (name === 'totalSupply') return 10n ** BigInt(quote.decimals + 9);
    if (name !== 'balanceOf') return null;
    const holder = String(args[0]).toLowerCase();
    for (const asset of scene.world.tokens) {
      if (asset.chain !== chain) continue;
      const pool = asset.pools.find((row) => row.address === holder && row.quote.address === quote.address);
      const state = pool && scene.world.chainMarket(asset, scene.now).pools.find((row) => row.pool === pool);
      if (state) return quoteRaw(state);
    }
    return 0n;
  };
}

function isPairOf(asset: SandboxAsset, pool: PoolSpec, a: string | undefined, b: string | undefined): boolean {
  const pair = [asset.address, pool.quote.address];
  return a !== undefined && b !== undefined && a !== b && pair.includes(a) && pair.includes(b);
}

function quoteRaw(state: PoolState): bigint {
  return (BigInt(Math.round(state.quoteAmount * 1e6)) * 10n ** BigInt(state.pool.quote.decimals)) / 1_000_000n;
}

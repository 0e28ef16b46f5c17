import { whirlpoolTickArrayAddress } from '../../src/chains/decoders/solana-pools/ticked-pools.ts';
import { addressBuffer, remembered } from '../world/addresses.ts';
import { AMM_PROGRAMS, SYSTEM_PROGRAM } from '../world/holders.ts';
import type { PoolState } from '../world/market.ts';
import type { PoolSpec, SandboxAsset } from '../world/types.ts';
import { rangeOf } from './pool_range.ts';
import { LP_SUPPLY, type SolanaAccount } from './solana_bytes.ts';
import { dlmmAccounts } from './solana_dlmm.ts';

const WHIRLPOOL_SPACING = 64;
const TICKS_PER_ARRAY = 88;

/** A pool's own accounts in the layouts of its program. */
export function poolAccounts(
  asset: SandboxAsset,
  pool: PoolSpec,
  anchor: PoolState,
  now: PoolState,
): readonly (readonly [address: string, account: SolanaAccount])[] {
  const owner = AMM_PROGRAMS[pool.venue] ?? SYSTEM_PROGRAM;
  if (pool.venue === 'raydium') return [[pool.address, { owner, data: raydiumBytes(asset, pool) }]];
  if (pool.venue === 'orca') return whirlpoolAccounts(asset, pool, anchor, now, owner);
  if (pool.venue === 'meteora') return dlmmAccounts(asset, pool, anchor, now, owner);
  throw new Error(`no layout for ${pool.venue}`);
}

/** Raydium AMM v4: 752 bytes; status 6 trades without an order book. */
function raydiumBytes(asset: SandboxAsset, pool: PoolSpec): Buffer {
  const data = Buffer.alloc(752);
  const number = (at: number, value: bigint) => data.writeBigUInt64LE(value, at);
  number(0, 6n);
  number(32, BigInt(asset.decimals));
  number(40, BigInt(pool.quote.decimals));
  number(176, BigInt(Math.round(pool.feeRate * 10_000)));
  number(184, 10_000n);
  number(720, LP_SUPPLY);
  for (const [at, address] of [
    [336, pool.baseVault],
    [368, pool.quoteVault],
    [400, asset.address],
    [432, pool.quote.address],
    [464, pool.lpMint],
  ] as const)
    addressBuffer(address).copy(data, at);
  return data;
}

/** An Orca Whirlpool of 653 bytes, with the tick arrays in which its one position begins and ends. */
function whirlpoolAccounts(
  asset: SandboxAsset,
  pool: PoolSpec,
  anchor: PoolState,
  now: PoolState,
  owner: string,
): readonly (readonly [string, SolanaAccount])[] {
  const range = rangeOf(anchor, now, asset.decimals, WHIRLPOOL_SPACING, false);
  const data = Buffer.alloc(653);
  Buffer.from('3f95d10ce1806309', 'hex').copy(data, 0);
  data.writeUInt16LE(WHIRLPOOL_SPACING, 41);
  data.writeUInt16LE(WHIRLPOOL_SPACING, 43);
  data.writeUInt16LE(Math.round(pool.feeRate * 1e6), 45);
  writeU128(data, 49, range.liquidity);
  writeU128(data, 65, BigInt(Math.round(range.root * 2 ** 40)) << 24n);
  data.writeInt32LE(range.tick, 81);
  for (const [at, address] of [
    [101, asset.address],
    [133, pool.baseVault],
    [181, pool.quote.address],
    [213, pool.quoteVault],
  ] as const)
    addressBuffer(address).copy(data, at);
  const arrays = new Map<number, Map<number, bigint>>();
  for (const [tick, net] of [
    [range.lower, range.liquidity],
    [range.upper, -range.liquidity],
  ] as const) {
    const start = Math.floor(tick / (WHIRLPOOL_SPACING * TICKS_PER_ARRAY)) * WHIRLPOOL_SPACING * TICKS_PER_ARRAY;
    arrays.set(start, (arrays.get(start) ?? new Map()).set(tick, net));
  }
  return [
    [pool.address, { owner, data }],
    ...[...arrays].map(([start, ticks]): readonly [string, SolanaAccount] => [
      tickArrayAddress(pool.address, start),
      { owner, data: tickArrayBytes(pool, start, ticks) },
    ]),
  ];
}

const tickArrayAddress = remembered(whirlpoolTickArrayAddress);

function tickArrayBytes(pool: PoolSpec, start: number, ticks: ReadonlyMap<number, bigint>): Buffer {
  const data = Buffer.alloc(9_988);
  Buffer.from('4561bdbe6e0742bb', 'hex').copy(data, 0);
  data.writeInt32LE(start, 8);
  for (const [tick, net] of ticks) {
    const at = 12 + 113 * ((tick - start) / WHIRLPOOL_SPACING);
    data[at] = 1;
    writeU128(data, at + 1, BigInt.asUintN(128, net));
    writeU128(data, at + 17, net < 0n ? -net : net);
  }
  addressBuffer(pool.address).copy(data, 9_956);
  return data;
}

function writeU128(data: Buffer, at: number, value: bigint): void {
  data.writeBigUInt64LE(value & ((1n << 64n) - 1n), at);
  data.writeBigUInt64LE(value >> 64n, at + 8);
}

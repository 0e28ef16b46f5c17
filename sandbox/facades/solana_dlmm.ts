import { dlmmBinArrayAddress } from '../../src/chains/decoders/solana-pools/meteora-dlmm.ts';
import { addressBuffer, remembered } from '../world/addresses.ts';
import type { PoolState } from '../world/market.ts';
import type { PoolSpec, SandboxAsset } from '../world/types.ts';
import { priceOfState, rawAmounts } from './pool_range.ts';
import type { SolanaAccount } from './solana_bytes.ts';

const BIN_STEP = 100;
const BINS_PER_ARRAY = 70;
/** A price of four times, either way. */
const REACH = Math.ceil(Math.log(4) / Math.log1p(BIN_STEP / 10_000));
const LONG_AGO = 1_700_000_000n;
const binArrayAddress = remembered(dlmmBinArrayAddress);

/**
 * A Meteora DLMM pair of 904 bytes with its bin arrays: its holdings are spread evenly over the bins from a quarter to
 * four times its price at the world's anchor.
 */
export function dlmmAccounts(
  asset: SandboxAsset,
  pool: PoolSpec,
  anchor: PoolState,
  now: PoolState,
  owner: string,
): readonly (readonly [string, SolanaAccount])[] {
  const middle = binOf(priceOfState(anchor, asset.decimals));
  const active = Math.max(middle - REACH, Math.min(middle + REACH, binOf(priceOfState(now, asset.decimals))));
  const first = Math.floor((middle - REACH) / BINS_PER_ARRAY);
  const last = Math.floor((middle + REACH) / BINS_PER_ARRAY);
  const [lowest, highest] = [first * BINS_PER_ARRAY, (last + 1) * BINS_PER_ARRAY - 1];
  const held = rawAmounts(now, asset.decimals);
  const each0 = BigInt(Math.floor(held.base / (highest - active + 1)));
  const each1 = BigInt(Math.floor(held.quote / (active - lowest + 1)));
  const arrays: (readonly [string, SolanaAccount])[] = [];
  for (let index = first; index <= last; index += 1) {
    const data = Buffer.alloc(10_136);
    Buffer.from('5c8e5cdc059446b5', 'hex').copy(data, 0);
    data.writeBigInt64LE(BigInt(index), 8);
    for (let slot = 0; slot < BINS_PER_ARRAY; slot += 1) {
      const id = index * BINS_PER_ARRAY + slot;
      const at = 56 + slot * 144;
      data.writeBigUInt64LE(id >= active ? each0 : 0n, at);
      data.writeBigUInt64LE(id <= active ? each1 : 0n, at + 8);
      const price = BigInt(Math.trunc(Math.exp(id * LN_STEP) * 2 ** 64));
      data.writeBigUInt64LE(price & ((1n << 64n) - 1n), at + 16);
      data.writeBigUInt64LE(price >> 64n, at + 24);
    }
    arrays.push([binArrayAddress(pool.address, index), { owner, data }]);
  }
  return [[pool.address, { owner, data: pairBytes(asset, pool, active) }], ...arrays];
}

const LN_STEP = Math.log1p(BIN_STEP / 10_000);

function binOf(price: number): number {
  return Math.round(Math.log(price) / LN_STEP);
}

function pairBytes(asset: SandboxAsset, pool: PoolSpec, active: number): Buffer {
  const data = Buffer.alloc(904);
  Buffer.from('210b3162b565b10d', 'hex').copy(data, 0);
  // Base factor x bin step x 10 of a thousand million.
  data.writeUInt16LE(Math.round((pool.feeRate * 1e9) / (BIN_STEP * 10)), 8);
  data.writeUInt16LE(30, 10);
  data.writeUInt16LE(600, 12);
  data.writeBigInt64LE(LONG_AGO, 56);
  data.writeInt32LE(active, 48);
  data.writeInt32LE(active, 76);
  data.writeUInt16LE(BIN_STEP, 80);
  // No limit orders.
  data[35] = 1;
  for (const [at, address] of [
    [88, asset.address],
    [120, pool.quote.address],
    [152, pool.baseVault],
    [184, pool.quoteVault],
  ] as const)
    addressBuffer(address).copy(data, at);
  return data;
}

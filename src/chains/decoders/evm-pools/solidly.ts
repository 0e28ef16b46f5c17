import type { Hex } from '../../codecs/abi.ts';
import { callData, uintAt } from '../../codecs/abi.ts';
import type { EvmCall } from '../../codecs/multicall.ts';
import { constantProduct } from '../../pool-math/constant-product.ts';
import { solidlyStable } from '../../pool-math/solidly-stable.ts';
import type { PoolReading } from '../../pool-math/types.ts';
import { liquidityTokenCalls, liquidityTokenState } from './liquidity-token.ts';
import type { PoolShape } from './pool-shape.ts';
import { inactivityOf, RESERVE_CALLS, readReserves, reserveCalls } from './uniswap-v2.ts';

const GET_FEE: Hex = '0xcc56b2c5';
const FEE_SCALE = 10_000n;

/** What has to be asked of a pool of Velodrome v2 or Aerodrome, all at one block; the factory tells the fee. */
export function solidlyCalls({ address, token0, token1, factory, stable }: PoolShape): readonly EvmCall[] {
  return [
    ...reserveCalls(address, token0, token1),
    { to: factory, data: callData(GET_FEE, address, stable ? 1n : 0n) },
    ...liquidityTokenCalls(address),
  ];
}

/** A volatile (x y = k) or stable (x^3 y + y^3 x = k) pool from the answers to `solidlyCalls`; a text says why it is none. */
export function readSolidly(shape: PoolShape, answers: readonly (Hex | null)[], block: number): PoolReading | string {
  const read = readReserves(answers);
  if (typeof read === 'string') return read;
  const fee = uintAt(answers[RESERVE_CALLS] ?? '0x', 0);
  if (fee === null || fee >= FEE_SCALE) return 'its fee cannot be read';
  const [reserve0, reserve1] = read.reserves;
  const [decimals0, decimals1] = read.decimals;
  return {
    dex: shape.dex?.dex ?? 'unknown',
    protocol: shape.dex === null ? 'solidly_like' : `${shape.dex.protocol}_${shape.stable ? 'stable' : 'volatile'}`,
    kind: shape.stable ? 'stableswap' : 'constant_product',
    address: shape.address,
    tokens: [
      { address: shape.token0, decimals: decimals0, reserve: reserve0 },
      { address: shape.token1, decimals: decimals1, reserve: reserve1 },
    ],
    feeRate: Number(fee) / Number(FEE_SCALE),
    curve: shape.stable
      ? solidlyStable({ reserve0, reserve1, decimals0, decimals1, fee })
      : constantProduct({
          reserve0,
          reserve1,
          fee: { how: 'separate', input: (amount) => (amount * fee) / FEE_SCALE, output: () => 0n },
        }),
    lp: liquidityTokenState(answers.slice(RESERVE_CALLS + 1)),
    height: block,
    inactive: inactivityOf(shape, read),
    notes: shape.notes,
  };
}

import { EVM_CHAINS } from '../../all.ts';
import { callData, ERC20, type EvmCall, type Hex, uintAt } from '../../codecs/abi.ts';
import { EVM_BURN_ADDRESSES } from '../../fixed-addresses.ts';
import { constantProduct, type PoolCurve, type PoolReading, smaller } from '../../pool-math/pool-curve.ts';
import { solidlyStable } from '../../pool-math/stableswap.ts';
import { bothTokens, decimalsOf, GET_RESERVES, type PoolShape } from './pool-shape.ts';

const UNKNOWN_FEE = 3_000;
/** Getter that only Camelot's pairs have. */
const STABLE_SWAP: Hex = '0x9e548b7f';
const CAMELOT_SCALE = 100_000n;
const MILLION = 1_000_000n;

/** Calls that read a pair, all at one block. */
export function pairCalls({ address, token0, token1 }: PoolShape): readonly EvmCall[] {
  return [
    ...reserveCalls(address, token0, token1),
    { to: address, data: STABLE_SWAP },
    ...liquidityTokenCalls(address),
  ];
}

/** Calls for the reserves, the decimals and the pool's token balances. */
function reserveCalls(address: Hex, token0: Hex, token1: Hex): readonly EvmCall[] {
  return [
    { to: address, data: GET_RESERVES },
    { to: token0, data: ERC20.decimals },
    { to: token1, data: ERC20.decimals },
    { to: token0, data: callData(ERC20.balanceOf, address) },
    { to: token1, data: callData(ERC20.balanceOf, address) },
  ];
}
const RESERVE_CALLS = 5;

interface Reserves {
  readonly reserves: readonly [bigint, bigint];
  /** The reserves, as far as the pool's balances cover them. */
  readonly held: readonly [bigint, bigint];
  readonly decimals: readonly [number, number];
  /** The pool's balances are lower than its reserves: tokens can leave it without a swap. */
  readonly short: boolean;
}

/** Reserves from the results of `reserveCalls`; an error text if they are not those of a pool. */
function readReserves(answers: readonly (Hex | null)[]): Reserves | string {
  const at = (index: number, word = 0) => uintAt(answers[index] ?? '0x', word);
  const [reserve0, reserve1] = [at(0), at(0, 1)];
  if (reserve0 === null || reserve1 === null || reserve0 >> 128n || reserve1 >> 128n)
    return 'its reserves cannot be read';
  const decimals = decimalsOf(at(1), at(2));
  if (typeof decimals === 'string') return decimals;
  const held = [smaller(reserve0, at(3) ?? 0n), smaller(reserve1, at(4) ?? 0n)] as const;
  return {
    reserves: [reserve0, reserve1],
    held,
    decimals,
    short: held[0] < reserve0 || held[1] < reserve1,
  };
}

/** The fields, price aside, that all two-reserve pools have in common. The results for the liquidity token come last in `answers`. */
function common(
  shape: PoolShape,
  { reserves, held, decimals, short }: Reserves,
  answers: readonly (Hex | null)[],
  block: number,
) {
  const doubt = short ? 'it holds less than its reserves state' : reserves.includes(0n) ? 'it is empty' : null;
  return {
    dex: shape.dex?.dex ?? 'unknown',
    address: shape.address,
    tokens: bothTokens([shape.token0, shape.token1], decimals, held),
    lp: liquidityTokenState(answers.slice(RESERVE_CALLS + 1)),
    height: block,
    inactive: shape.dex === null ? 'no known factory or registry confirms it' : doubt,
  };
}

/** A pair from the results of `pairCalls`; an error text if it is not a pair. Fee and rounding follow UniswapV2Library. */
export function readPair(shape: PoolShape, answers: readonly (Hex | null)[], block: number): PoolReading | string {
  const read = readReserves(answers);
  if (typeof read === 'string') return read;
  const [reserve0, reserve1] = read.reserves;
  if (uintAt(answers[RESERVE_CALLS] ?? '0x', 0) === 1n) return 'stable pairs of this exchange are not read';
  const fees = feesOf(shape, answers[0] ?? '0x');
  if (fees === null) return 'its fee is implausible';
  const curves = fees.map((fee) =>
    constantProduct({ reserve0, reserve1, fee: { how: 'folded', keep: MILLION - fee, of: MILLION } }),
  ) as [PoolCurve, PoolCurve];
  const [down, up] = fees;
  return {
    ...common(shape, read, answers, block),
    protocol: shape.dex?.protocol ?? 'uniswap_v2_like',
    kind: 'constant_product',
    feeRate: Math.max(Number(down), Number(up)) / 1e6,
    curve: {
      ...curves[0],
      swapExactIn: (amountIn, zeroForOne) => curves[zeroForOne ? 0 : 1].swapExactIn(amountIn, zeroForOne),
    },
    notes: [
      ...shape.notes,
      ...(shape.dex === null ? ['its fee is not known; 0.3 % is assumed'] : []),
      ...(down === up ? [] : [`its fee depends on the direction: ${down} and ${up} millionths of what goes in`]),
    ],
  };
}

/** Fee in millionths for token 0 as input, and for token 1. Camelot's pairs return their fees after the reserves. */
function feesOf(shape: PoolShape, reserves: Hex): readonly [bigint, bigint] | null {
  if (shape.dex?.protocol !== 'camelot_v2') {
    const fee = BigInt(shape.dex?.feeMillionths ?? UNKNOWN_FEE);
    return [fee, fee];
  }
  const [down, up] = [uintAt(reserves, 2), uintAt(reserves, 3)];
  if (down === null || up === null || down >= CAMELOT_SCALE || up >= CAMELOT_SCALE) return null;
  return [(down * MILLION) / CAMELOT_SCALE, (up * MILLION) / CAMELOT_SCALE];
}

const GET_FEE: Hex = '0xcc56b2c5';
const FEE_SCALE = 10_000n;

/** Calls that read a pool of Velodrome v2 or Aerodrome, all at one block; the factory returns the fee. */
export function solidlyCalls({ address, token0, token1, factory, stable }: PoolShape): readonly EvmCall[] {
  return [
    ...reserveCalls(address, token0, token1),
    { to: factory, data: callData(GET_FEE, address, stable ? 1n : 0n) },
    ...liquidityTokenCalls(address),
  ];
}

/** A volatile (x y = k) or stable (x^3 y + y^3 x = k) pool from the results of `solidlyCalls`; an error text if it is neither. */
export function readSolidly(shape: PoolShape, answers: readonly (Hex | null)[], block: number): PoolReading | string {
  const read = readReserves(answers);
  if (typeof read === 'string') return read;
  const fee = uintAt(answers[RESERVE_CALLS] ?? '0x', 0);
  if (fee === null || fee >= FEE_SCALE) return 'its fee cannot be read';
  const [reserve0, reserve1] = read.reserves;
  const [decimals0, decimals1] = read.decimals;
  return {
    ...common(shape, read, answers, block),
    protocol: shape.dex === null ? 'solidly_like' : `${shape.dex.protocol}_${shape.stable ? 'stable' : 'volatile'}`,
    kind: shape.stable ? 'stableswap' : 'constant_product',
    feeRate: Number(fee) / Number(FEE_SCALE),
    curve: shape.stable
      ? solidlyStable({ reserve0, reserve1, decimals0, decimals1, fee })
      : constantProduct({
          reserve0,
          reserve1,
          fee: { how: 'separate', input: (amount) => (amount * fee) / FEE_SCALE, output: () => 0n },
        }),
    notes: shape.notes,
  };
}

/** Lockers of liquidity tokens with their names. The same contract exists on several chains, so all are checked on every chain. */
const LOCKERS: readonly (readonly [Hex, string])[] = [
  ...new Map(
    EVM_CHAINS.flatMap((chain) =>
      chain.serviceAddresses
        .filter((row) => row.kind === 'locker')
        .map((row) => [row.address as Hex, row.name] as const),
    ),
  ),
];
/** Burn addresses; address 1 is where Solidly locks the first units of a liquidity token. */
const BURNS = [...EVM_BURN_ADDRESSES, '0x0000000000000000000000000000000000000001'] as readonly Hex[];

/** Calls that read the liquidity token of a pool whose contract is that token. */
export function liquidityTokenCalls(pool: Hex): readonly EvmCall[] {
  const owners = [...BURNS, ...LOCKERS.map(([locker]) => locker)];
  return [
    { to: pool, data: ERC20.totalSupply },
    ...owners.map((owner) => ({ to: pool, data: callData(ERC20.balanceOf, owner) })),
  ];
}

/** Burned and locked shares from the results of `liquidityTokenCalls`; null when none were issued. */
export function liquidityTokenState(answers: readonly (Hex | null)[]): PoolReading['lp'] {
  const number = (index: number) => uintAt(answers[index] ?? '0x', 0) ?? 0n;
  const total = number(0);
  if (total === 0n) return null;
  const burned = BURNS.reduce((sum, _, index) => sum + number(1 + index), 0n);
  const locks = LOCKERS.map(([, name], index) => ({ name, held: number(1 + BURNS.length + index) })).filter(
    ({ held }) => held > 0n,
  );
  return {
    burned: Number(burned) / Number(total),
    locked: Number(locks.reduce((sum, { held }) => sum + held, 0n)) / Number(total),
    locker: locks[0]?.name ?? null,
    unlocksAt: null,
    source: 'balances of the liquidity token',
  };
}

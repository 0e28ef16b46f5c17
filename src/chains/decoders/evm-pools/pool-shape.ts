import type { EvmCall } from '../../codecs/abi.ts';
import { addressAt, callData, type Hex, uintAt } from '../../codecs/abi.ts';
import type { ContractForm, Exchange } from '../../exchanges.ts';
import type { PoolToken } from '../../pool-math/pool-curve.ts';

/** What a contract at a pool's address claims to be, and the exchange whose factory confirms it. */
export interface PoolShape {
  readonly address: Hex;
  readonly form: ContractForm;
  readonly token0: Hex;
  readonly token1: Hex;
  readonly factory: Hex;
  /** Solidly only: true for a stable pool. */
  readonly stable: boolean;
  /** Set if its factory is a known one AND that factory confirms the pool. */
  readonly dex: Exchange | null;
  readonly notes: readonly string[];
}

/** Decimals of a pool's two tokens from the results; an error text when one is missing or not in 0-255. */
export function decimalsOf(
  first: bigint | null | undefined,
  second: bigint | null | undefined,
): readonly [number, number] | string {
  const isRead = first != null && second != null && first <= 255n && second <= 255n;
  return isRead ? [Number(first), Number(second)] : 'the decimals of its tokens cannot be read';
}

/** Both tokens of a pool, in the pool's order. */
export function bothTokens(
  [first, second]: readonly [string, string],
  [decimals0, decimals1]: readonly [number, number],
  [reserve0, reserve1]: readonly [bigint, bigint],
): readonly [PoolToken, PoolToken] {
  return [
    { address: first, decimals: decimals0, reserve: reserve0 },
    { address: second, decimals: decimals1, reserve: reserve1 },
  ];
}

/** Selectors of the getters that identify a pool. */
export const GET_RESERVES: Hex = '0x0902f1ac';
export const SLOT0: Hex = '0x3850c7bd';
export const FEE: Hex = '0xddca3f43';
export const GLOBAL_STATE: Hex = '0xe76c01e4';
export const TICK_SPACING: Hex = '0xd0c93a7c';

const FACTORY: Hex = '0xc45a0155';
const TOKEN0: Hex = '0x0dfe1681';
const TOKEN1: Hex = '0xd21220a7';
const GET_PAIR: Hex = '0xe6a43905';
const GET_POOL: Hex = '0x1698ee82';
const GET_POOL_BY_SPACING: Hex = '0x28af8d0b';
const POOL_BY_PAIR: Hex = '0xd9a641e1';
const STABLE: Hex = '0x22be3de1';
const GET_SOLIDLY_POOL: Hex = '0x79bc57d5';

/** Getters that identify a pool, in the order of their results. */
export const SHAPE_CALLS: readonly Hex[] = [
  FACTORY,
  TOKEN0,
  TOKEN1,
  GET_RESERVES,
  SLOT0,
  FEE,
  STABLE,
  GLOBAL_STATE,
  TICK_SPACING,
];
/** Index of `slot0` in `SHAPE_CALLS`. */
export const SLOT0_AT = SHAPE_CALLS.indexOf(SLOT0);

/** What a contract claims to be, before its factory confirms it: a fake pair can name any factory. */
export interface ShapeClaim {
  readonly shape: Omit<PoolShape, 'dex' | 'notes'>;
  /** The exchange whose factory it names; null when the factory is unknown. */
  readonly row: Exchange | null;
  /** Besides the tokens, what a factory looks up its pools by. */
  readonly fee: bigint | null;
  readonly tickSpacing: bigint | null;
}

type CallResult = Hex | null | undefined;

/** The claim from the results of `SHAPE_CALLS`; null if it is neither a two-reserve pool nor a tick-based pool. */
export function shapeClaim(
  address: Hex,
  answers: readonly (Hex | null)[],
  dexes: readonly Exchange[],
): ShapeClaim | null {
  const [factory, token0, token1, reserves, slot0, fee, stable, globalState, spacing] = answers;
  const made = factory ? addressAt(factory, 0) : null;
  const [first, second] = [token0 ? addressAt(token0, 0) : null, token1 ? addressAt(token1, 0) : null];
  const row = dexes.find((dex) => dex.factory === made) ?? null;
  const form = formOf({ reserves, slot0, stable, globalState }, row);
  if (form === null || first === null || second === null || made === null) return null;
  return {
    shape: {
      address,
      form,
      token0: first,
      token1: second,
      factory: made,
      stable: stable ? uintAt(stable, 0) === 1n : false,
    },
    row,
    fee: fee ? uintAt(fee, 0) : null,
    tickSpacing: spacing ? uintAt(spacing, 0) : null,
  };
}

function formOf(
  told: {
    readonly reserves: CallResult;
    readonly slot0: CallResult;
    readonly stable: CallResult;
    readonly globalState: CallResult;
  },
  row: Exchange | null,
): ContractForm | null {
  if (told.reserves) return told.stable ? 'solidly' : 'uniswap_v2';
  // For reading, Slipstream differs from Uniswap v3 in its factory only.
  if (told.slot0) return row?.form === 'slipstream' ? 'slipstream' : 'uniswap_v3';
  return told.globalState ? 'algebra' : null;
}

/** The call to the factory that returns the pool's address if the factory deployed the pool. */
export function voucherOf({ shape, fee, tickSpacing }: Omit<ShapeClaim, 'row'>): EvmCall {
  const { factory, form, token0, token1, stable } = shape;
  const data = {
    uniswap_v2: () => callData(GET_PAIR, token0, token1),
    uniswap_v3: () => callData(GET_POOL, token0, token1, fee ?? 0n),
    slipstream: () => callData(GET_POOL_BY_SPACING, token0, token1, tickSpacing ?? 0n),
    algebra: () => callData(POOL_BY_PAIR, token0, token1),
    solidly: () => callData(GET_SOLIDLY_POOL, token0, token1, stable ? 1n : 0n),
  }[form]();
  return { to: factory, data };
}

/** The shape with the exchange that confirms it, from the factory's result. */
export function vouchedShape({ shape, row }: Pick<ShapeClaim, 'shape' | 'row'>, answer: CallResult): PoolShape {
  const isTheirs = answer !== null && answer !== undefined && addressAt(answer, 0) === shape.address;
  if (row === null) return { ...shape, dex: null, notes: ['its factory is not a known one'] };
  if (row.form !== shape.form || !isTheirs)
    return { ...shape, dex: null, notes: [`it names the factory of ${row.protocol}, which does not list it`] };
  return { ...shape, dex: row, notes: [] };
}

import { ok } from '../../../domain/index.ts';
import {
  addressBytes,
  derivedAddress,
  i32,
  i64,
  key,
  startsWith,
  u8,
  u16,
  u32,
  u64,
  u128,
} from '../../codecs/accounts.ts';
import { fault } from '../../fault.ts';
import { type Bin, binned } from '../../pool-math/bins.ts';
import { divideUp, smaller } from '../../pool-math/pool-curve.ts';
import { CLOCK_SYSVAR, METEORA_DLMM } from '../../solana.ts';
import { type Accounts, clockOf, isUnmade, NO_SHARES, poolProgram, tokenNotes, tokensOf } from './program.ts';

const BINS_PER_ARRAY = 70;
/** Limit of bin arrays read on each side; otherwise enough are read for a move of 22 %. */
const MOST_ARRAYS_PER_SIDE = 12;
const REACH = Math.log(1.22);

/** Meteora DLMM (layout and swap: @meteora-ag/dlmm 1.9, IDL LbPair and BinArray). */
export const meteoraDlmm = poolProgram({
  address: METEORA_DLMM,
  dex: 'meteora',
  protocol: 'meteora_dlmm',
  discriminator: '210b3162b565b10d',
  length: 904,
  decode({ address, data }) {
    const binStep = u16(data, 80);
    if (binStep === 0) return fault('malformed', 'the bin step is 0');
    const functionType = u8(data, 35);
    const withoutRewards = u128(data, 264) === 0n && u128(data, 408) === 0n;
    return ok({
      address,
      activeId: i32(data, 76),
      binStep,
      fee: {
        binStep,
        baseFactor: u16(data, 8),
        powerFactor: u8(data, 34),
        filterPeriodSeconds: u16(data, 10),
        decayPeriodSeconds: u16(data, 12),
        reductionFactor: u16(data, 14),
        variableControl: u32(data, 16),
        maxAccumulator: u32(data, 20),
        accumulator: u32(data, 40),
        reference: u32(data, 44),
        referenceId: i32(data, 48),
        updatedSeconds: i64(data, 56),
      },
      /** 1: the fee is always taken in token 1, whichever token is the input. */
      feeOnlyInToken1: u8(data, 36) === 1,
      /** Whether bins may hold limit orders (function type 2, or undetermined without rewards). */
      limitOrders: functionType === 2 || (functionType === 0 && withoutRewards),
      enabled: u8(data, 82) === 0,
      activation: { bySlot: u8(data, 86) === 0, point: u64(data, 816) },
      mints: [key(data, 88), key(data, 120)] as const,
      vaults: [key(data, 152), key(data, 184)] as const,
      owed: [u64(data, 216), u64(data, 224)] as const,
    });
  },
  summary: (pool) => ({
    price: Number(priceOfBin(pool.binStep, pool.activeId)) / 2 ** 64,
    feeRate: Number(dlmmFee(pool.fee, pool.activeId, null)(pool.activeId)) / 1e9,
    liquidity: null,
  }),
  needs: (pool) => [
    ...pool.vaults,
    ...pool.mints,
    CLOCK_SYSVAR,
    ...arrayIndexes(pool).map((index) => dlmmBinArrayAddress(pool.address, index)),
  ],
  tokens: tokensOf,
  read(pool, accounts) {
    const window = binWindow(pool, accounts);
    if (window === null) return fault('not_found', 'the bin array at the present price was not read');
    const clock = clockOf(accounts);
    const fee = dlmmFee(pool.fee, pool.activeId, clock?.seconds ?? null);
    const { bySlot, point } = pool.activation;
    const isEarly = clock !== null && point > (bySlot ? clock.slot : clock.seconds);
    return ok({
      kind: 'bins',
      feeRate: Number(fee(pool.activeId)) / 1e9,
      curve: binned({
        bits: 64,
        activeId: pool.activeId,
        ...window,
        activePrice: priceOfBin(pool.binStep, pool.activeId),
        feeScale: 1_000_000_000n,
        fee,
        compare: 'net',
        feeOnInput: (zeroForOne) => !pool.feeOnlyInToken1 || !zeroForOne,
      }),
      lp: null,
      inactive: !pool.enabled ? 'the pair is disabled' : isEarly ? 'not yet activated' : null,
      notes: [NO_SHARES, ...tokenNotes(accounts, pool.mints)],
    });
  },
});

/** Address of the bin array with an index: bins `index * 70` to `index * 70 + 69`. */
export function dlmmBinArrayAddress(pair: string, index: number): string | null {
  const bytes = addressBytes(pair);
  const seed = new Uint8Array(8);
  new DataView(seed.buffer).setBigInt64(0, BigInt(index), true);
  return bytes && derivedAddress(['bin_array', bytes, seed], METEORA_DLMM);
}

interface BinnedPool {
  readonly address: string;
  readonly activeId: number;
  readonly binStep: number;
  readonly limitOrders: boolean;
}

function arrayIndexes(pool: BinnedPool): readonly number[] {
  const reach = Math.ceil(REACH / Math.log1p(pool.binStep / 10_000) / BINS_PER_ARRAY) + 1;
  const perSide = Math.min(MOST_ARRAYS_PER_SIDE, reach);
  const present = Math.floor(pool.activeId / BINS_PER_ARRAY);
  return Array.from({ length: 2 * perSide + 1 }, (_, step) => present + step - perSide);
}

function binWindow(pool: BinnedPool, accounts: Accounts) {
  const bins: Bin[] = [];
  const take = (index: number): boolean => {
    const account = accounts.get(dlmmBinArrayAddress(pool.address, index) ?? '');
    if (account === undefined) return false;
    const found = account === null || isUnmade(account) ? [] : binsOf(account.data, index, pool.limitOrders);
    if (found === null) return false;
    bins.push(...found);
    return true;
  };
  const present = Math.floor(pool.activeId / BINS_PER_ARRAY);
  if (!take(present)) return null;
  let [low, high] = [present, present];
  while (low > present - 2 * MOST_ARRAYS_PER_SIDE && take(low - 1)) low--;
  while (high < present + 2 * MOST_ARRAYS_PER_SIDE && take(high + 1)) high++;
  return { bins, lowest: low * BINS_PER_ARRAY, highest: high * BINS_PER_ARRAY + BINS_PER_ARRAY - 1 };
}

const ARRAY_DISCRIMINATOR = '5c8e5cdc059446b5';
const ARRAY_LENGTH = 10_136;
const BINS_AT = 56;
const BIN_LENGTH = 144;

function binsOf(data: Uint8Array, index: number, limitOrders: boolean): readonly Bin[] | null {
  if (!startsWith(data, ARRAY_DISCRIMINATOR) || data.length < ARRAY_LENGTH) return null;
  if (i64(data, 8) !== BigInt(index)) return null;
  return Array.from({ length: BINS_PER_ARRAY }, (_, slot) => {
    const at = BINS_AT + slot * BIN_LENGTH;
    const orders = limitOrders ? [u64(data, at + 128), u64(data, at + 112)] : [];
    const asks = u8(data, at + 140) === 1;
    return {
      id: index * BINS_PER_ARRAY + slot,
      amount0: u64(data, at),
      amount1: u64(data, at + 8),
      price: u128(data, at + 16),
      orders0: asks ? orders : [],
      orders1: asks ? [] : orders,
    };
  }).filter((bin) => bin.price > 0n);
}

/** (1 + step)^id as Q64.64, for an active bin that was never used. An approximation, not exact to the last bit. */
function priceOfBin(binStep: number, id: number): bigint {
  const price = Math.exp(id * Math.log1p(binStep / 10_000)) * 2 ** 64;
  return Number.isFinite(price) ? BigInt(Math.trunc(price)) : 0n;
}

/** Static and variable parameters of a pair's fee (LbPair.parameters and v_parameters). */
interface DlmmFee {
  readonly binStep: number;
  readonly baseFactor: number;
  readonly powerFactor: number;
  readonly filterPeriodSeconds: number;
  readonly decayPeriodSeconds: number;
  /** In basis points. */
  readonly reductionFactor: number;
  readonly variableControl: number;
  readonly maxAccumulator: number;
  readonly accumulator: number;
  readonly reference: number;
  readonly referenceId: number;
  readonly updatedSeconds: bigint;
}

/** 10 %, in units of 1e-9. */
const MAX_FEE = 100_000_000n;
const BASIS_POINTS = 10_000;

/**
 * Fee, in units of 1e-9, of a swap that starts now in `activeId`, by the bin it trades in. The fee grows with the distance
 * from the reference bin, which moves to the active bin after a filter period without swaps. Without a clock the stored
 * references are used.
 */
function dlmmFee(fee: DlmmFee, activeId: number, nowSeconds: bigint | null): (binId: number) => bigint {
  let { referenceId, reference } = fee;
  const elapsed = nowSeconds === null ? -1n : nowSeconds - fee.updatedSeconds;
  if (elapsed >= BigInt(fee.filterPeriodSeconds)) {
    referenceId = activeId;
    const decaying = elapsed < BigInt(fee.decayPeriodSeconds);
    reference = decaying ? Math.floor((fee.accumulator * fee.reductionFactor) / BASIS_POINTS) : 0;
  }
  // A power factor above the program's limit would give a number of thousands of digits.
  const power = BigInt(Math.min(fee.powerFactor, 20));
  const base = BigInt(fee.baseFactor) * BigInt(fee.binStep) * 10n * 10n ** power;
  return (binId) => {
    const moved = reference + Math.abs(referenceId - binId) * BASIS_POINTS;
    const volatility = BigInt(Math.min(moved, fee.maxAccumulator)) * BigInt(fee.binStep);
    const variable = divideUp(BigInt(fee.variableControl) * volatility * volatility, 100_000_000_000n);
    return smaller(base + variable, MAX_FEE);
  };
}

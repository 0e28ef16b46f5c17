import { divideUp, smaller } from '../../pool-math/integer.ts';

/** Static and variable parameters of a pair's fee (LbPair.parameters and v_parameters). */
export interface DlmmFee {
  readonly binStep: number;
  readonly baseFactor: number;
  readonly powerFactor: number;
  readonly filterPeriodSeconds: number;
  readonly decayPeriodSeconds: number;
  /** Of 10,000. */
  readonly reductionFactor: number;
  readonly variableControl: number;
  readonly maxAccumulator: number;
  readonly accumulator: number;
  readonly reference: number;
  readonly referenceId: number;
  readonly updatedSeconds: bigint;
}

/** 10 %, of 1e9. */
const MAX_FEE = 100_000_000n;
const BASIS_POINTS = 10_000;

/**
 * Fee, of 1e9, of a swap that begins now in `activeId`, by the bin it trades in: it grows with the distance from the
 * reference bin, which follows the price once the pair was left alone for the filter period. Without a clock the
 * references stay as they are.
 */
export function dlmmFee(fee: DlmmFee, activeId: number, nowSeconds: bigint | null): (binId: number) => bigint {
  let { referenceId, reference } = fee;
  const elapsed = nowSeconds === null ? -1n : nowSeconds - fee.updatedSeconds;
  if (elapsed >= BigInt(fee.filterPeriodSeconds)) {
    referenceId = activeId;
    const decaying = elapsed < BigInt(fee.decayPeriodSeconds);
    reference = decaying ? Math.floor((fee.accumulator * fee.reductionFactor) / BASIS_POINTS) : 0;
  }
  // A power factor above what the program admits would make a number of thousands of digits.
  const power = BigInt(Math.min(fee.powerFactor, 20));
  const base = BigInt(fee.baseFactor) * BigInt(fee.binStep) * 10n * 10n ** power;
  return (binId) => {
    const moved = reference + Math.abs(referenceId - binId) * BASIS_POINTS;
    const volatility = BigInt(Math.min(moved, fee.maxAccumulator)) * BigInt(fee.binStep);
    const variable = divideUp(BigInt(fee.variableControl) * volatility * volatility, 100_000_000_000n);
    return smaller(base + variable, MAX_FEE);
  };
}

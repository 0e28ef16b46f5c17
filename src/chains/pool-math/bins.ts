import { divideDown, divideUp, type PoolCurve, type SwapResult, smaller } from './pool-curve.ts';

export interface Bin {
  readonly id: number;
  readonly amount0: bigint;
  readonly amount1: bigint;
  /** Token 1 per token 0 in base units, fixed point with `bits` fraction bits. */
  readonly price: bigint;
  /** Limit orders of the bin, filled one after another once the bin's liquidity is used up. */
  readonly orders0?: readonly bigint[];
  readonly orders1?: readonly bigint[];
}

export interface Bins {
  /** Fraction bits of a bin's price: 64 (Meteora DLMM), 128 (Trader Joe's Liquidity Book). */
  readonly bits: number;
  readonly activeId: number;
  /** All non-empty bins of `lowest..highest`, in any order. */
  readonly bins: readonly Bin[];
  /** Bins that were read, both included. */
  readonly lowest: number;
  readonly highest: number;
  /** Price of the active bin when it is empty (and therefore not in `bins`). */
  readonly activePrice: bigint;
  readonly feeScale: bigint;
  /** Fee of a swap in this bin, as a numerator over `feeScale`. It grows with the bins crossed (volatility accumulator). */
  readonly fee: (binId: number) => bigint;
  /**
   * Which input is compared with a bin's capacity. `gross`: the input with its fee (Liquidity Book). `net`: the input without
   * the fee, which is recomputed for a bin that is emptied (Meteora DLMM).
   */
  readonly compare: 'gross' | 'net';
  /** True: the fee is taken from the input (the default). False: from the output, as in some newer Meteora pools. */
  readonly feeOnInput?: (zeroForOne: boolean) => boolean;
}

/** Constant sum inside each bin, bins traded in sequence. Bins above the active one hold token 0, bins below it token 1. */
export function binned(pool: Bins): PoolCurve {
  const bins = [...pool.bins].sort((a, b) => a.id - b.id);
  const scale = 2 ** pool.bits;
  const price = Number(bins.find((bin) => bin.id === pool.activeId)?.price ?? pool.activePrice) / scale;
  const ways: { down?: readonly Step[]; up?: readonly Step[] } = {};
  const wayTo = (down: boolean) => (ways[down ? 'down' : 'up'] ??= stepsOf(pool, bins, scale, down));
  return {
    price,
    toPrice(target) {
      if (!(price > 0) || !(target > 0) || !Number.isFinite(target)) return { amount0: 0, amount1: 0, reached: false };
      const down = target < price;
      return moveTo(wayTo(down), target, down);
    },
    swapExactIn: (amountIn, zeroForOne) => swap(pool, bins, amountIn, zeroForOne),
    state: () => ({
      shape: 'bins',
      bits: pool.bits,
      active: pool.activeId,
      activePrice: String(bins.find((bin) => bin.id === pool.activeId)?.price ?? pool.activePrice),
      lowest: pool.lowest,
      highest: pool.highest,
      bins: bins.flatMap((bin) => {
        const [held0, held1] = [sumOf(layersOf(bin, false)), sumOf(layersOf(bin, true))];
        return held0 > 0n || held1 > 0n ? [[bin.id, String(held0), String(held1), String(bin.price)] as const] : [];
      }),
    }),
  };
}

function swap(pool: Bins, bins: readonly Bin[], amountIn: bigint, zeroForOne: boolean): SwapResult | null {
  if (amountIn <= 0n) return null;
  const onInput = pool.feeOnInput?.(zeroForOne) ?? true;
  let remaining = amountIn;
  let amountOut = 0n;
  let fee = 0n;
  for (const bin of inOrder(pool, bins, zeroForOne)) {
    const layers = layersOf(bin, zeroForOne);
    if (bin.price <= 0n || layers.every((layer) => layer <= 0n)) continue;
    const rate = pool.fee(bin.id);
    if (rate < 0n || rate >= pool.feeScale) return null;
    const part =
      pool.compare === 'gross'
        ? tradeGross(pool, bin.price, layers[0] as bigint, rate, remaining, zeroForOne)
        : tradeNet(pool, bin.price, layers, rate, remaining, zeroForOne, onInput);
    remaining -= part.amountIn;
    amountOut += part.amountOut;
    fee += part.fee;
    if (remaining === 0n) return { amountIn, amountOut, fee };
  }
  return null;
}

/** What a bin can pay out in one direction: its liquidity, then its limit orders. */
function layersOf(bin: Bin, zeroForOne: boolean): readonly bigint[] {
  return zeroForOne ? [bin.amount1, ...(bin.orders1 ?? [])] : [bin.amount0, ...(bin.orders0 ?? [])];
}

function sumOf(layers: readonly bigint[]): bigint {
  return layers.reduce((total, layer) => total + layer, 0n);
}

/** Liquidity Book v2 BinHelper.getAmounts: the bin is emptied when the input covers its content plus the fee. */
function tradeGross(pool: Bins, price: bigint, reserve: bigint, rate: bigint, remaining: bigint, zeroForOne: boolean) {
  const most = toFill(pool.bits, price, reserve, zeroForOne);
  const mostFee = divideUp(most * rate, pool.feeScale - rate);
  if (remaining >= most + mostFee) return { amountIn: most + mostFee, amountOut: reserve, fee: mostFee };
  const fee = divideUp(remaining * rate, pool.feeScale);
  const amountOut = smaller(given(pool.bits, price, remaining - fee, zeroForOne), reserve);
  return { amountIn: remaining, amountOut, fee };
}

/** Meteora DLMM: the fee is taken first. If the bin cannot use the whole input, the fee is recomputed on the amount used. */
function tradeNet(
  pool: Bins,
  price: bigint,
  layers: readonly bigint[],
  rate: bigint,
  remaining: bigint,
  zeroForOne: boolean,
  onInput: boolean,
) {
  const net = onInput ? remaining - divideUp(remaining * rate, pool.feeScale) : remaining;
  let left = net;
  let out = 0n;
  for (const layer of layers) {
    const most = toFill(pool.bits, price, layer, zeroForOne);
    out += left >= most ? layer : smaller(given(pool.bits, price, left, zeroForOne), layer);
    left -= smaller(left, most);
  }
  const used = net - left;
  if (!onInput) {
    const amountIn = left === 0n ? remaining : used;
    const outFee = divideUp(out * rate, pool.feeScale);
    return { amountIn, amountOut: out - outFee, fee: divideUp(amountIn * rate, pool.feeScale) };
  }
  const amountIn = left === 0n ? remaining : divideUp(used * pool.feeScale, pool.feeScale - rate);
  return { amountIn, amountOut: out, fee: amountIn - used };
}

/** Input that buys all of `reserve`. */
function toFill(bits: number, price: bigint, reserve: bigint, zeroForOne: boolean): bigint {
  return zeroForOne ? divideUp(reserve << BigInt(bits), price) : divideUp(reserve * price, 1n << BigInt(bits));
}

/** Output for an input, before fees. */
function given(bits: number, price: bigint, amount: bigint, zeroForOne: boolean): bigint {
  return zeroForOne ? (amount * price) >> BigInt(bits) : divideDown(amount << BigInt(bits), price);
}

function* inOrder(pool: Bins, bins: readonly Bin[], zeroForOne: boolean): Generator<Bin> {
  if (zeroForOne) {
    for (let at = bins.length - 1; at >= 0; at--) if ((bins[at] as Bin).id <= pool.activeId) yield bins[at] as Bin;
  } else {
    for (const bin of bins) if (bin.id >= pool.activeId) yield bin;
  }
}

/** A bin on the path from the current price, with the amounts traded before the bin is reached. */
interface Step {
  readonly price: number;
  readonly amount0: number;
  readonly amount1: number;
}

/** The path down or up, computed once. Its last step is the end of the bins that were read. */
function stepsOf(pool: Bins, bins: readonly Bin[], scale: number, down: boolean): readonly Step[] {
  const steps: Step[] = [];
  let amount0 = 0;
  let amount1 = 0;
  for (const bin of inOrder(pool, bins, down)) {
    const price = Number(bin.price) / scale;
    const out = Number(sumOf(layersOf(bin, down)));
    if (!(price > 0) || out === 0) continue;
    steps.push({ price, amount0, amount1 });
    amount0 += down ? out / price : -out;
    amount1 += down ? -out : out * price;
  }
  return [...steps, { price: down ? 0 : Number.POSITIVE_INFINITY, amount0, amount1 }];
}

/** Empties the bins whose price lies strictly before the target. A bin at the target price is not emptied, because it quotes that price. */
function moveTo(steps: readonly Step[], target: number, down: boolean) {
  let low = 0;
  let high = steps.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const { price } = steps[middle] as Step;
    if (down ? price <= target : price >= target) high = middle;
    else low = middle + 1;
  }
  const { amount0, amount1 } = steps[low] as Step;
  return { amount0, amount1, reached: low < steps.length - 1 };
}

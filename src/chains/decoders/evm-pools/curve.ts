import type { EvmCall, Hex } from '../../codecs/abi.ts';
import { addressAt, callData, ERC20, uintAt } from '../../codecs/abi.ts';
import type { Exchange } from '../../exchanges.ts';
import type { PoolCurve, PoolReading } from '../../pool-math/pool-curve.ts';
import { stableswap } from '../../pool-math/stableswap.ts';
import { liquidityTokenCalls, liquidityTokenState } from './uniswap-v2.ts';

const COINS: Hex = '0xc6610657';
const BALANCES: Hex = '0x4903b0d1';
const A_PRECISE: Hex = '0x76a2f0f0';
const A: Hex = '0xf446c1d0';
const FEE: Hex = '0xddca3f43';
const OFFPEG_FEE_MULTIPLIER: Hex = '0x8edfdd5f';
const STORED_RATES: Hex = '0xfd0684b1';
const GET_DY: Hex = '0x5e0d443f';
const GET_COIN_COUNT: Hex = '0x940494f1';
/** The address by which Curve represents the chain's own coin. */
const COIN_ITSELF: Hex = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee';
const MOST_COINS = 4;

/** What an address claims to be when it is a plain stable pool of Curve. */
export interface CurveClaim {
  readonly address: Hex;
  readonly coins: readonly Hex[];
  readonly balances: readonly bigint[];
  readonly amplification: bigint;
  readonly amplificationPrecision: bigint;
  readonly fee: bigint;
  readonly offpegFeeMultiplier: bigint | null;
  readonly storedRates: readonly bigint[] | null;
  /** Index of the asset; the first coin if the asset is not in the pool. */
  readonly wanted: number;
}

const INDEXES = Array.from({ length: MOST_COINS }, (_, index) => BigInt(index));
export const CURVE_CALLS: readonly Hex[] = [
  ...INDEXES.map((index) => callData(COINS, index)),
  ...INDEXES.map((index) => callData(BALANCES, index)),
  A_PRECISE,
  A,
  FEE,
  OFFPEG_FEE_MULTIPLIER,
  STORED_RATES,
];

/** The claim from the results of `CURVE_CALLS`; null for another kind of contract. `asset`: the token to be priced. */
export function readCurveClaim(
  address: Hex,
  answers: readonly (Hex | null)[],
  asset: string | null,
): CurveClaim | null {
  const at = (index: number): Hex => answers[index] ?? '0x';
  const coins: Hex[] = [];
  const balances: bigint[] = [];
  for (let index = 0; index < MOST_COINS; index += 1) {
    const [coin, balance] = [addressAt(at(index), 0), uintAt(at(MOST_COINS + index), 0)];
    if (coin === null || balance === null || BigInt(coin) === 0n) break;
    coins.push(coin);
    balances.push(balance);
  }
  const [precise, plain, fee] = [0, 1, 2].map((index) => uintAt(at(2 * MOST_COINS + index), 0));
  const amplification = precise ?? plain ?? null;
  if (coins.length < 2 || amplification === null || fee === null || fee === undefined) return null;
  if (amplification < 1n || amplification > 10n ** 9n || fee > 5n * 10n ** 9n) return null;
  const wanted = Math.max(
    0,
    coins.findIndex((coin) => nameOf(coin) === asset),
  );
  return {
    address,
    coins,
    balances,
    amplification,
    amplificationPrecision: precise === null ? 1n : 100n,
    fee,
    offpegFeeMultiplier: uintAt(at(2 * MOST_COINS + 3), 0),
    storedRates: ratesOf(at(2 * MOST_COINS + 4), coins.length),
    wanted,
  };
}

/** Newer pools return a list, older ones one word for each coin. */
function ratesOf(answer: Hex, count: number): readonly bigint[] | null {
  const isList = uintAt(answer, 0) === 32n && uintAt(answer, 1) === BigInt(count);
  const rates = Array.from({ length: count }, (_, index) => uintAt(answer, index + (isList ? 2 : 0)));
  return rates.every((rate): rate is bigint => rate !== null && rate > 0n && rate < 1n << 160n) ? rates : null;
}

/** Calls for the decimals, the registries that list the pool, the pool's own quotes, and the liquidity token if the pool itself is that token. */
export function curveCalls(claim: CurveClaim, rows: readonly Exchange[]): readonly EvmCall[] {
  const { address, coins } = claim;
  return [
    ...coins.map((coin) => ({ to: coin, data: ERC20.decimals })),
    ...pairsOf(claim)
      .flatMap((pair) => probesOf(pair, claim))
      .map(({ from, to, amount }) => ({ to: address, data: callData(GET_DY, BigInt(from), BigInt(to), amount) })),
    ...rows.map(({ factory }) => ({ to: factory, data: callData(GET_COIN_COUNT, address) })),
    ...liquidityTokenCalls(address),
  ];
}

type Pair = readonly [number, number];

/** Each pair of the asset with another coin, in the pool's order. Which one is read depends on the decimals. */
function pairsOf({ coins, wanted }: CurveClaim): readonly Pair[] {
  const others = coins.map((_, index) => index).filter((index) => index !== wanted);
  return others.map((other) => [Math.min(wanted, other), Math.max(wanted, other)]);
}

/** The pair of the asset and the other coin with the largest balance, each balance in units of 18 decimals. */
function largestPair(claim: CurveClaim, rates: readonly bigint[]): Pair {
  const scaled = ([first, second]: Pair) => {
    const other = first === claim.wanted ? second : first;
    return (claim.balances[other] ?? 0n) * (rates[other] ?? 0n);
  };
  return pairsOf(claim).reduce((largest, pair) => (scaled(pair) > scaled(largest) ? pair : largest));
}

/** Two swaps that the pool itself quotes: a thousandth of the reserve in one direction, a fifth in the other. */
function probesOf([first, second]: Pair, { balances }: CurveClaim) {
  return [
    { from: first, to: second, amount: (balances[first] ?? 0n) / 1_000n },
    { from: second, to: first, amount: (balances[second] ?? 0n) / 5n },
  ];
}

/**
 * The pool from the results of `curveCalls`. The pool's own quotes decide whether it uses a formula implemented here:
 * pools of lent or staked coins and pools with other invariants have the same getters.
 */
export function readCurve(
  claim: CurveClaim,
  rows: readonly Exchange[],
  answers: readonly (Hex | null)[],
  block: number,
): PoolReading | string {
  const { coins, balances } = claim;
  const places = coins.map((coin, index) => (coin === COIN_ITSELF ? 18n : uintAt(answers[index] ?? '0x', 0)));
  if (!places.every((place): place is bigint => place !== null && place <= 36n))
    return 'the decimals of its coins cannot be read';
  const rates = claim.storedRates ?? places.map((place) => 10n ** (36n - place));
  const pair = largestPair(claim, rates);
  const all = pairsOf(claim).flatMap((one) => probesOf(one, claim));
  const quoteOf = (from: number, to: number): bigint | null => {
    const at = all.findIndex((probe) => probe.from === from && probe.to === to);
    return uintAt(answers[coins.length + at] ?? '0x', 0);
  };
  const probes = probesOf(pair, claim);
  const quotes = probes.map(({ from, to }) => quoteOf(from, to));
  const curve = [curveOf(claim, rates, pair, 'ng'), curveOf(claim, rates, pair, 'classic')].find((candidate) =>
    probes.every(({ from, amount }, index) => agrees(candidate, amount, from === pair[0], quotes[index] ?? null)),
  );
  if (curve === undefined) return 'its own quotes are not those of a plain stable pool';
  const vouched = answers.slice(coins.length + all.length);
  const dex = rows.find((_row, index) => uintAt(vouched[index] ?? '0x', 0) === BigInt(coins.length)) ?? null;
  const [first, second] = pair;
  const side = (index: number) => ({
    address: nameOf(coins[index] as Hex),
    decimals: Number(places[index]),
    reserve: balances[index] as bigint,
  });
  return {
    dex: dex?.dex ?? 'unknown',
    protocol: dex?.protocol ?? 'curve_like',
    kind: 'stableswap',
    address: claim.address,
    tokens: [side(first), side(second)],
    feeRate: Number(claim.fee) / 1e10,
    curve,
    lp: liquidityTokenState(vouched.slice(rows.length)),
    height: block,
    inactive: dex === null ? 'no known factory or registry confirms it' : null,
    notes: [
      ...(dex === null ? ['no known registry of Curve lists it'] : []),
      ...(coins.length > 2
        ? [`it holds ${coins.length} coins: depth and value are those of the two that are shown`]
        : []),
    ],
  };
}

function curveOf(claim: CurveClaim, rates: readonly bigint[], pair: Pair, rounding: 'classic' | 'ng'): PoolCurve {
  return stableswap({
    balances: claim.balances,
    rates,
    amplification: claim.amplification,
    amplificationPrecision: claim.amplificationPrecision,
    fee: claim.fee,
    ...(claim.offpegFeeMultiplier === null ? {} : { offpegFeeMultiplier: claim.offpegFeeMultiplier }),
    rounding,
    pair,
  });
}

/** True when both quotes match within one base unit, or when neither gives a quote. */
function agrees(curve: PoolCurve, amountIn: bigint, zeroForOne: boolean, quote: bigint | null): boolean {
  const ours = curve.swapExactIn(amountIn, zeroForOne)?.amountOut ?? null;
  if (ours === null || quote === null) return ours === quote;
  return ours - quote <= 1n && quote - ours <= 1n;
}

function nameOf(coin: Hex): string {
  return coin === COIN_ITSELF ? 'native' : coin;
}

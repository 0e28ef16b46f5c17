import type { EvmCall, Hex } from '../../codecs/abi.ts';
import { addressAt, callData, ERC20, uintAt } from '../../codecs/abi.ts';
import type { Exchange } from '../../exchanges.ts';
import { type Bin, binned } from '../../pool-math/bins.ts';
import type { PoolReading } from '../../pool-math/pool-curve.ts';
import { bothTokens, decimalsOf } from './pool-shape.ts';

const TOKEN_X: Hex = '0x05e8746d';
const TOKEN_Y: Hex = '0xda10610c';
const FACTORY: Hex = '0x88cc58e4';
const BIN_STEP: Hex = '0x17f11ecc';
const ACTIVE_ID: Hex = '0xdbe65edc';
const RESERVES: Hex = '0x0902f1ac';
const STATIC_FEES: Hex = '0x7ca0de30';
const VARIABLE_FEES: Hex = '0x8d7024e5';
const BIN: Hex = '0x0abe9688';
const PAIR_INFORMATION: Hex = '0x704037bd';

/** What an address claims to be when it is a pair of the Liquidity Book, version 2.1 or 2.2. */
export interface BookClaim {
  readonly address: Hex;
  readonly tokenX: Hex;
  readonly tokenY: Hex;
  readonly factory: Hex;
  readonly binStep: number;
  readonly activeId: number;
  readonly reserves: readonly [bigint, bigint];
  readonly fees: FeeParameters;
}

/** Position of each fee parameter: the index of the result in `BOOK_CALLS` and the word in it. */
const FEE_WORDS = {
  baseFactor: [6, 0],
  filterPeriod: [6, 1],
  decayPeriod: [6, 2],
  reductionFactor: [6, 3],
  variableFeeControl: [6, 4],
  maxVolatility: [6, 6],
  volatility: [7, 0],
  volatilityReference: [7, 1],
  idReference: [7, 2],
  lastUpdate: [7, 3],
} as const;
type FeeParameters = Readonly<Record<keyof typeof FEE_WORDS, bigint>>;

export const BOOK_CALLS: readonly Hex[] = [
  TOKEN_X,
  TOKEN_Y,
  FACTORY,
  BIN_STEP,
  ACTIVE_ID,
  RESERVES,
  STATIC_FEES,
  VARIABLE_FEES,
];

/** The claim from the results of `BOOK_CALLS`; null for another kind of contract. */
export function readClaim(address: Hex, answers: readonly (Hex | null)[]): BookClaim | null {
  const at = (index: number): Hex => answers[index] ?? '0x';
  const [tokenX, tokenY, factory] = [addressAt(at(0), 0), addressAt(at(1), 0), addressAt(at(2), 0)];
  const [binStep, activeId] = [uintAt(at(3), 0), uintAt(at(4), 0)];
  const [reserveX, reserveY] = [uintAt(at(5), 0), uintAt(at(5), 1)];
  if (tokenX === null || tokenY === null || factory === null || reserveX === null || reserveY === null) return null;
  if (binStep === null || binStep < 1n || binStep > 10_000n || activeId === null || activeId >> 24n) return null;
  const fees = Object.entries(FEE_WORDS).map(([name, [answer, word]]) => [name, uintAt(at(answer), word)] as const);
  if (fees.some(([, value]) => value === null || value >> 64n)) return null;
  return {
    address,
    tokenX,
    tokenY,
    factory,
    binStep: Number(binStep),
    activeId: Number(activeId),
    reserves: [reserveX, reserveY],
    fees: Object.fromEntries(fees) as FeeParameters,
  };
}

/** Calls for the factory's confirmation, the decimals, and the bins around the price. */
export function bookCalls(claim: BookClaim): readonly EvmCall[] {
  const { address, tokenX, tokenY, factory, binStep } = claim;
  const [lowest, highest] = binsRead(claim);
  const bins: EvmCall[] = [];
  for (let id = lowest; id <= highest; id += 1) bins.push({ to: address, data: callData(BIN, BigInt(id)) });
  return [
    { to: factory, data: callData(PAIR_INFORMATION, tokenX, tokenY, BigInt(binStep)) },
    { to: tokenX, data: ERC20.decimals },
    { to: tokenY, data: ERC20.decimals },
    ...bins,
  ];
}
const OTHER_CALLS = 3;

/** The pair from the results of `bookCalls`. `timestamp`: time of the block, in seconds, because fees decay with time. */
export function readBook(
  claim: BookClaim,
  row: Exchange | null,
  answers: readonly (Hex | null)[],
  block: number,
  timestamp: number,
): PoolReading | string {
  const known = answers[0] ? addressAt(answers[0], 1) === claim.address : false;
  const decimals = decimalsOf(uintAt(answers[1] ?? '0x', 0), uintAt(answers[2] ?? '0x', 0));
  if (typeof decimals === 'string') return decimals;
  const [lowest, highest] = binsRead(claim);
  const bins: Bin[] = [];
  for (let id = lowest; id <= highest; id += 1) {
    const answer = answers[OTHER_CALLS + id - lowest] ?? '0x';
    const [amount0, amount1] = [uintAt(answer, 0), uintAt(answer, 1)];
    if (amount0 === null || amount1 === null || amount0 >> 128n || amount1 >> 128n) return 'its bins cannot be read';
    if (amount0 > 0n || amount1 > 0n) bins.push({ id, amount0, amount1, price: priceOfBin(id, claim.binStep) });
  }
  const fee = feeOf(claim, BigInt(timestamp));
  const dex = row !== null && known ? row : null;
  return {
    dex: dex?.dex ?? 'unknown',
    protocol: dex?.protocol ?? 'liquidity_book_like',
    kind: 'bins',
    address: claim.address,
    tokens: bothTokens([claim.tokenX, claim.tokenY], decimals, claim.reserves),
    feeRate: Number(fee(claim.activeId)) / Number(FEE_SCALE),
    curve: binned({
      bits: PRICE_BITS,
      activeId: claim.activeId,
      bins,
      lowest,
      highest,
      activePrice: priceOfBin(claim.activeId, claim.binStep),
      feeScale: FEE_SCALE,
      fee,
      compare: 'gross',
    }),
    lp: null,
    height: block,
    inactive: dex === null ? 'no known factory or registry confirms it' : null,
    notes: [
      ...(dex === null
        ? [
            row === null
              ? 'its factory is not a known one'
              : `it names the factory of ${row.protocol}, which does not list it`,
          ]
        : []),
      'its fee moves with volatility: it may differ at the next swap',
    ],
  };
}

const PRICE_BITS = 128;
const FEE_SCALE = 10n ** 18n;
const BASIS = 10_000n;
const ONE = 1n << 128n;
const LARGEST = (1n << 256n) - 1n;
/** The bin whose price is one. */
const MIDDLE_ID = 1 << 23;
/** Logarithmic distance read on each side, about a quarter of the price, limited to `MOST_BINS` bins. */
const FARTHEST = 0.23;
const MOST_BINS = 600;

function binsRead({ activeId, binStep }: BookClaim): readonly [number, number] {
  const each = Math.min(MOST_BINS, Math.ceil(FARTHEST / Math.log1p(binStep / 10_000)));
  return [Math.max(0, activeId - each), Math.min((1 << 24) - 1, activeId + each)];
}

/** (1 + step)^(id - 2^23) in 128 fraction bits, with the truncations of the contract (joe-v2, Uint128x128Math.pow). */
export function priceOfBin(id: number, binStep: number): bigint {
  const exponent = id - MIDDLE_ID;
  if (exponent === 0) return ONE;
  // The base is above one, so the contract works with its inverse and inverts the result for positive exponents.
  let squared = LARGEST / (ONE + (BigInt(binStep) << 128n) / BASIS);
  let result = ONE;
  for (let left = Math.abs(exponent); left > 0; left >>>= 1) {
    if (left & 1) result = (result * squared) >> 128n;
    squared = (squared * squared) >> 128n;
  }
  if (result === 0n) return 0n;
  return exponent > 0 ? LARGEST / result : result;
}

/** The taker's fee in each bin: a base fee plus a part that grows with the bins crossed since a reference (joe-v2, PairParameterHelper). */
function feeOf({ fees, binStep, activeId }: BookClaim, timestamp: bigint): (binId: number) => bigint {
  const step = BigInt(binStep);
  const base = fees.baseFactor * step * 10n ** 10n;
  const since = timestamp - fees.lastUpdate;
  const isNewMove = since >= fees.filterPeriod;
  const idReference = isNewMove ? BigInt(activeId) : fees.idReference;
  const decayed = since < fees.decayPeriod ? (fees.volatility * fees.reductionFactor) / BASIS : 0n;
  const reference = isNewMove ? decayed : fees.volatilityReference;
  return (binId) => {
    const away = BigInt(binId) - idReference;
    const grown = reference + (away < 0n ? -away : away) * BASIS;
    const volatility = grown > fees.maxVolatility ? fees.maxVolatility : grown;
    return base + ((volatility * step) ** 2n * fees.variableFeeControl + 99n) / 100n;
  };
}

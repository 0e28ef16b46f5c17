import type { Json } from '../../domain/index.ts';
import type { Params } from '../source.ts';
import { COIN_OF } from './terms.ts';

interface LearnedRate {
  readonly coin: string;
  readonly rate: number;
}

/** Two nodes stand a block or two apart, and a rate may be stated anew between them. */
const MOST_APART = 0.001;

/** The fact under `key` that one token stands for so many units of its underlying, as one node read it. */
export function learnRate(key: string, params: Params, rate: number | null): Readonly<Record<string, Json>> {
  const coin = COIN_OF.get(String(params.underlying));
  return coin === undefined || rate === null ? {} : { [key]: { coin, rate } };
}

/**
 * The rate that two nodes at least have read and none contradicts; null until then. One node's word alone is not passed on:
 * a lie would speak a second time, in the name of the market.
 */
export function agreedRate(learned: Readonly<Record<string, Json>>): LearnedRate | null {
  const rates = Object.keys(learned)
    .filter((key) => /^(evm_rpc|solana_rpc)\.redemption\./.test(key))
    .sort()
    .flatMap((key) => readRate(learned[key]));
  const [first, ...others] = rates;
  const agree = others.every(
    (other) => other.coin === first?.coin && Math.abs(other.rate / first.rate - 1) <= MOST_APART,
  );
  return first !== undefined && others.length > 0 && agree ? { coin: first.coin, rate: first.rate } : null;
}

function readRate(value: Json | undefined): readonly LearnedRate[] {
  const { coin, rate } = (typeof value === 'object' && value !== null ? value : {}) as Partial<LearnedRate>;
  return typeof coin === 'string' && typeof rate === 'number' && rate > 0 ? [{ coin, rate }] : [];
}

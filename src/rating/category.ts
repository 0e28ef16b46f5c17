import { oncePer } from '../domain/index.ts';
import { rowsWith } from '../metrics/index.ts';
import { type Context, numberOf } from './context.ts';
import type { RatingInput } from './input.ts';

/** The categories under which registries list an asset, in a stable order. */
export const registryCategories = oncePer(({ consensus }: RatingInput): readonly string[] =>
  rowsWith(consensus, 'categories')
    .flatMap((row) => row.voices)
    .flatMap((voice) => (Array.isArray(voice.value) ? voice.value : []))
    .filter((word): word is string => typeof word === 'string')
    .sort(),
);

/**
 * What one token is meant to be worth, in dollars: as a registry states it, or 1 where a registry files it among dollar
 * stablecoins. Null when no source says so: a token of another currency, or one that gathers its yield in its price, is worth
 * no dollar and is not off its peg for it.
 */
export function pegTarget(context: Context): number | null {
  const { dollarWords } = context.methodology.vfr.peg;
  if (gathersYield(context)) return null;
  const words = registryCategories(context.input).map((word) => word.toLowerCase());
  const stated = numberOf(context, 'peg_target_usd')?.value;
  if (stated !== undefined) return stated > 0 ? stated : null;
  return dollarWords.some((wanted) => words.includes(wanted)) ? 1 : null;
}

/** True for a coin that registries file as one that gathers its yield in its price. */
export function gathersYield({ input, methodology }: Context): boolean {
  const { accruingWords } = methodology.vfr.peg;
  return registryCategories(input).some((word) => accruingWords.some((part) => word.toLowerCase().includes(part)));
}

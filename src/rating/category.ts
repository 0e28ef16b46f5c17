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
 * Target value of one token in US dollars: the value that a registry states, or 1 where a registry lists the asset as a
 * dollar stablecoin. Null when no source states one. A token pegged to another currency, or one whose price accrues
 * yield, has no dollar target and cannot be off a dollar peg.
 */
export function pegTarget(context: Context): number | null {
  const { dollarWords } = context.methodology.vfr.peg;
  if (gathersYield(context)) return null;
  const words = registryCategories(context.input).map((word) => word.toLowerCase());
  const stated = numberOf(context, 'peg_target_usd')?.value;
  if (stated !== undefined) return stated > 0 ? stated : null;
  return dollarWords.some((wanted) => words.includes(wanted)) ? 1 : null;
}

/** True for a coin that registries list as one whose price accrues its yield. */
export function gathersYield({ input, methodology }: Context): boolean {
  const { accruingWords } = methodology.vfr.peg;
  return registryCategories(input).some((word) => accruingWords.some((part) => word.toLowerCase().includes(part)));
}

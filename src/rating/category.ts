import { type Context, numberOf } from './context.ts';
import type { RatingInput } from './input.ts';

/** The words under which registries file an asset, in a stable order. */
export function registryWords(input: RatingInput): readonly string[] {
  return Object.values(input.consensus)
    .filter((row) => row.quantity === 'categories')
    .flatMap((row) => row.voices)
    .flatMap((voice) => (Array.isArray(voice.value) ? voice.value : []))
    .filter((word): word is string => typeof word === 'string')
    .sort();
}

/**
 * What one token is meant to be worth, in dollars: as a registry states it, or 1 where a registry files it among dollar
 * stablecoins. Null when no source says so: a token of another currency, or one that gathers its yield in its price, is worth
 * no dollar and is not off its peg for it.
 */
export function pegTarget(context: Context): number | null {
  const { dollarWords, accruingWords } = context.methodology.vfr.peg;
  const words = registryWords(context.input).map((word) => word.toLowerCase());
  if (words.some((word) => accruingWords.some((part) => word.includes(part)))) return null;
  const stated = numberOf(context, 'peg_target_usd')?.value;
  if (stated !== undefined) return stated > 0 ? stated : null;
  return dollarWords.some((wanted) => words.includes(wanted)) ? 1 : null;
}

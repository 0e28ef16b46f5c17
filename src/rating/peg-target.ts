import { type Context, numberOf } from './context.ts';
import { registryWords } from './registry-words.ts';

/**
 * What one token is meant to be worth, in dollars: as a registry states it, or 1 where a registry files it among dollar
 * stablecoins. Null when nobody says so: a token of another currency, or one that gathers its yield in its price, is worth
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

import type { Category } from '../domain/index.ts';
import type { Methodology } from '../methodology/index.ts';
import { categoryOf } from '../methodology/index.ts';
import { registryWords } from './registry-words.ts';
import type { RatingInput } from './types.ts';

/** The category an asset is rated in: a stated peg first, then registry words, then the caller's text. */
export function categorise(
  input: RatingInput,
  methodology: Methodology,
): { readonly category: Category; readonly reason: string } {
  const peg = input.consensus.peg_target_usd;
  if (peg && typeof peg.value === 'number' && peg.value > 0)
    return { category: 'stablecoin', reason: `a registry states a peg of ${peg.value} USD` };
  return categoryOf(registryWords(input), input.request.category, methodology);
}

import type { Category } from '../domain/index.ts';
import type { Methodology } from './schema.ts';

/** Where several categories fit, the more specific one wins: a stablecoin is not rated as a DeFi protocol. */
const PRECEDENCE: readonly Category[] = [
  'stablecoin',
  'lst_wrapped',
  'rwa',
  'memecoin',
  'exchange_token',
  'gaming_ai',
  'defi_protocol',
  'l1_l2',
];

/**
 * Maps free text (the caller's) and registry words to a category by the keyword table. The caller's text is looked at
 * only when the registries say nothing: it is self-declared. Unknown words give `default`. Words that say what a token
 * governs, what its protocol issues or where it lives do not say what it is (`categoryWords`).
 */
export function categoryOf(
  registryWords: readonly string[],
  callerText: string | null,
  methodology: Methodology,
): { readonly category: Category; readonly reason: string } {
  const byRegistry = match(registryWords, methodology);
  if (byRegistry) return { category: byRegistry.category, reason: `a registry files it under "${byRegistry.word}"` };
  const byCaller = match(callerText === null ? [] : [callerText], methodology);
  if (byCaller) return { category: byCaller.category, reason: `the request calls it "${byCaller.word}"` };
  return { category: 'default', reason: 'no registry word and no text of the request names a category we know' };
}

function match(
  texts: readonly string[],
  { categories, categoryWords }: Methodology,
): { readonly category: Category; readonly word: string } | null {
  const plain = texts.map(plainly);
  const governs = categoryWords.governance.find((word) => plain.some((text) => text.includes(plainly(word))));
  const telling = plain.filter(
    (text) =>
      ![...categoryWords.ignored, ...categoryWords.governance].some((word) => text.includes(plainly(word))) &&
      !categoryWords.ignoredEndings.some((word) => text.endsWith(plainly(word))),
  );
  for (const isWeak of [false, true])
    for (const category of PRECEDENCE) {
      if (governs !== undefined && categoryWords.notOfGovernance.includes(category)) continue;
      const keywords = categories[category].keywords.filter((word) => categoryWords.weak.includes(word) === isWeak);
      const word = keywords.find((keyword) => telling.some((text) => text.includes(plainly(keyword))));
      if (word !== undefined) return { category, word };
    }
  return governs === undefined ? null : { category: categoryWords.ofGovernance, word: governs };
}

/** Lower case, every other sign a space, one at each end: whole words are found by `includes`. */
function plainly(text: string): string {
  return ` ${text
    .toLowerCase()
    .replace(/[^a-z0-9.]+/g, ' ')
    .trim()} `;
}

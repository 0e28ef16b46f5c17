import type { Category } from '../domain/rating.ts';
import type { Methodology } from './types.ts';

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
 * only when the registries say nothing: it is self-declared. Unknown words give `default`.
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
  methodology: Methodology,
): { readonly category: Category; readonly word: string } | null {
  const plain = texts.map(
    (text) =>
      ` ${text
        .toLowerCase()
        .replace(/[^a-z0-9.]+/g, ' ')
        .trim()} `,
  );
  for (const category of PRECEDENCE) {
    for (const keyword of methodology.categories[category].keywords) {
      const wanted = ` ${keyword.replace(/[^a-z0-9.]+/g, ' ')} `;
      if (plain.some((text) => text.includes(wanted))) return { category, word: keyword };
    }
  }
  return null;
}

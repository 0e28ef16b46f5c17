import { type AssetClass, FACTOR_CODES, oncePer, type PostTgeFactorCode } from '../domain/index.ts';
import type { Methodology } from './schema.ts';

/** Weights of the factors of a class, 0-100, in the order of factors; factors without features are omitted. */
export function factorWeights(
  of: AssetClass,
  { classes, weightTables }: Methodology,
): readonly { readonly code: PostTgeFactorCode; readonly weight: number }[] {
  const { weights, features } = classes[of];
  return FACTOR_CODES.flatMap((code) => {
    const weight = weightTables[weights]?.[code] ?? 0;
    return features[code] === undefined || weight === 0 ? [] : [{ code, weight }];
  });
}

/**
 * Weight of each feature within its factor, 0-1, by id, for a class. `kind`: a register names the issuer of the asset,
 * or the asset is a credit vault.
 */
export function featureWeights(
  of: AssetClass,
  methodology: Methodology,
  kind: 'withIssuer' | 'asCreditVault' | null = null,
): ReadonlyMap<string, number> {
  return weightsRead(methodology).getOrInsertComputed(`${of} ${kind}`, () => {
    const { classes, featureTables } = methodology;
    const tables = Object.values({ ...classes[of].features, ...(kind === null ? {} : classes[of][kind]) });
    return new Map(tables.flatMap((name) => Object.entries(featureTables[name] ?? {})));
  });
}

const weightsRead = oncePer((_: Methodology) => new Map<string, ReadonlyMap<string, number>>());

/** The class with the lowest ceiling among the given ones. Throws for an empty list. */
export function lowestClass(among: readonly AssetClass[], { classRules }: Methodology): AssetClass {
  const lowest = classRules.ceiling.find((name) => among.includes(name));
  if (lowest === undefined) throw new Error('no class to choose from');
  return lowest;
}

/**
 * The first class of `order` with a term under which registries list the asset, together with the term; null when none
 * matches. Terms about what the asset's protocol issues, where it runs or what it governs are ignored.
 */
export function classByWords(
  words: readonly string[],
  order: readonly AssetClass[],
  { classes, classRules }: Methodology,
): { readonly class: AssetClass; readonly word: string } | null {
  const plain = words.map(wordsWithSpaces);
  const governs = holdsAny(plain, classRules.governance);
  const telling = plain.filter(
    (text) =>
      !holdsAny([text], [...classRules.ignored, ...classRules.governance]) &&
      !classRules.ignoredEndings.some((word) => text.endsWith(wordsWithSpaces(word))),
  );
  for (const isWeak of [false, true])
    for (const name of order) {
      if (governs && classRules.notOfGovernance.includes(name)) continue;
      const keywords = classes[name].keywords.filter((word) => classRules.weak.includes(word) === isWeak);
      const word = keywords.find((keyword) => holdsAny(telling, [keyword]));
      if (word !== undefined) return { class: name, word };
    }
  return null;
}

/** True when registries list the asset among stablecoins, whatever the mechanism of its peg. */
export function isFiledAsStable(words: readonly string[], { classRules }: Methodology): boolean {
  const telling = words.map(wordsWithSpaces).filter((text) => !holdsAny([text], classRules.ignored));
  return !holdsAny(words.map(wordsWithSpaces), classRules.governance) && holdsAny(telling, classRules.stable);
}

const holdsAny = (texts: readonly string[], wanted: readonly string[]) =>
  wanted.some((word) => {
    const plain = ownWords.getOrInsertComputed(word, wordsWithSpaces);
    return texts.some((text) => text.includes(plain));
  });

/** Normalised terms of the methodology, which every rating compares with. Terms of registries are not cached. */
const ownWords = new Map<string, string>();

/**
 * Lower case, with other characters replaced by spaces and a space at each end, so that `includes` finds whole words.
 */
function wordsWithSpaces(text: string): string {
  return ` ${text
    .toLowerCase()
    .replace(/[^a-z0-9.]+/g, ' ')
    .trim()} `;
}

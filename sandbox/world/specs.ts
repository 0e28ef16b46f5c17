import { BAD_PROJECTS } from './pre-tge/bad.ts';
import { GOOD_PROJECTS } from './pre-tge/good.ts';
import { MIDDLING_PROJECTS } from './pre-tge/middling.ts';
import { BAD_ASSETS } from './specs-bad.ts';
import { CURRENCY_ASSETS } from './specs-currency.ts';
import { EVENTFUL_ASSETS } from './specs-eventful.ts';
import { GOOD_ASSETS } from './specs-good.ts';
import { REDEEMABLE_ASSETS } from './specs-redeemable.ts';
import type { AssetSpec } from './types.ts';

/** Every project of the world, best known first. All names and domains are fictional, and so are the addresses but for those of `REDEEMABLE_ASSETS`. */
export const ASSET_SPECS: readonly AssetSpec[] = [
  ...GOOD_ASSETS,
  ...BAD_ASSETS,
  ...EVENTFUL_ASSETS,
  ...GOOD_PROJECTS,
  ...MIDDLING_PROJECTS,
  ...BAD_PROJECTS,
  ...REDEEMABLE_ASSETS,
  ...CURRENCY_ASSETS,
];

/**
 * Further healthy projects for measurements that need many: each is one of the good assets under a name, a symbol and a
 * domain of its own.
 */
export function copiesOf(count: number): readonly AssetSpec[] {
  return Array.from({ length: count }, (_, index) => {
    const model = GOOD_ASSETS[index % GOOD_ASSETS.length];
    if (!model) throw new Error('the world has no good assets');
    const name = nameOfCopy(index);
    const slug = name.toLowerCase();
    return { ...model, slug, name, symbol: symbolOfCopy(index), domain: `${slug}${COPY_DOMAIN}` };
  });
}

/** Ends the domains of all copies. */
export const COPY_DOMAIN = '-copy.example';

const BEGINNINGS = [
  'Bel',
  'Dor',
  'Fin',
  'Gal',
  'Hel',
  'Jor',
  'Kal',
  'Mor',
  'Nim',
  'Por',
  'Sel',
  'Tor',
  'Vor',
  'Wil',
  'Zan',
];
const MIDDLES = ['aro', 'eku', 'ibo', 'oda', 'ule', 'ymi', 'ante', 'isko', 'orva'];
const ENDINGS = ['dex', 'fold', 'gate', 'link', 'mint', 'port', 'rise', 'vault', 'ward', 'zone'];

function nameOfCopy(index: number): string {
  const pick = (words: readonly string[], at: number) => words[at % words.length] ?? '';
  return (
    pick(BEGINNINGS, index) + pick(MIDDLES, Math.floor(index / 3)) + pick(ENDINGS, index * 7 + Math.floor(index / 15))
  );
}

/** `QAAA`, `QAAB`, ...: no asset of the world has such a symbol. */
function symbolOfCopy(index: number): string {
  const letter = (part: number) => String.fromCharCode(65 + (part % 26));
  return `Q${letter(Math.floor(index / 676))}${letter(Math.floor(index / 26))}${letter(index)}`;
}

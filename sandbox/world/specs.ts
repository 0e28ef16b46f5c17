import { BAD_PROJECTS } from './pre-tge/bad.ts';
import { GOOD_PROJECTS } from './pre-tge/good.ts';
import { MIDDLING_PROJECTS } from './pre-tge/middling.ts';
import { BAD_ASSETS } from './specs-bad.ts';
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
];

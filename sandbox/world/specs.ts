import { BAD_ASSETS } from './specs-bad.ts';
import { EVENTFUL_ASSETS } from './specs-eventful.ts';
import { GOOD_ASSETS } from './specs-good.ts';
import type { AssetSpec } from './types.ts';

/** Every project of the world, best known first. All names, domains and addresses are fictional. */
export const ASSET_SPECS: readonly AssetSpec[] = [...GOOD_ASSETS, ...BAD_ASSETS, ...EVENTFUL_ASSETS];

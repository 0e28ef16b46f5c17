/** Identifies the asset that a request means, and what belongs to it. */
export { canonicalRequest, differencesOf } from './canonical.ts';
export { type IdentityResult, identify, type Likely } from './identify.ts';
export { createNamesakes } from './namesakes.ts';
export { asciiDomain } from './sites.ts';

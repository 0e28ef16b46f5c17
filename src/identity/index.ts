/** Which asset a request means, and what belongs to it. */
export { canonicalRequest, differencesOf } from './canonical.ts';
export { type IdentityResult, identify } from './identify.ts';
export { asciiDomain } from './sites.ts';

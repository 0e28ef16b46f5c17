/** Which asset a request means, and what belongs to it. */
export { canonicalRequest, differencesOf } from './canonical.ts';
export { asciiDomain, NO_WEBSITE } from './domains.ts';
export { type IdentityResult, identify } from './identify.ts';

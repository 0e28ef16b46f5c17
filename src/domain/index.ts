/** Terms of the field, their types, and mathematics that all modules share. Imports no other module. */

export * from './asset.ts';
export * from './consensus.ts';
export { counted, inNumber } from './counted.ts';
export { csvSeparator } from './csv.ts';
export * from './evidence.ts';
export { type ProvidedKinds, sourceFor, sourcesFor } from './information-kinds.ts';
export { canonicalIpRange, isAllowedFrom, readAddress, type TrustedProxies } from './ip-range.ts';
export { lostWorth } from './lost-worth.ts';
export * from './observation.ts';
export { oncePer } from './once.ts';
export * from './published.ts';
export * from './quantities.ts';
export * from './rating.ts';
export {
  DISCLOSURE_ITEMS,
  isStronger,
  type SiteFact,
  type SiteFactKind,
  siteFacts,
  type Tie,
  type TieKind,
  type TieState,
  tiesIn,
} from './site-fact.ts';
export * from './snapshot.ts';
export { withSourceTitles } from './source-titles.ts';
export {
  DAY_MS,
  dailyVolatility,
  finite,
  HOUR_MS,
  MAD_TO_SD,
  median,
  medianHigh,
  quantile,
  robustSd,
} from './statistics.ts';
export { csvCell, escapeHtml, escapeMarkdown, inertText, nearestName, whole } from './text.ts';
export {
  canonicalScope,
  isDollar,
  type Market,
  marketNamed,
  marketOf,
  marketOfScope,
  marketScope,
  poolScope,
} from './venue-scopes.ts';
export { exchangeCalled, isListedExchange } from './venues.ts';

/**
 * Checks published ratings against rules of callers, and computes common failures in a portfolio. Pure; nothing here
 * changes a rating.
 */
export { dependenciesOf } from './dependencies.ts';
export { type EvidenceFacts, evidenceFacts } from './evidence.ts';
export { type Amount, type FiredRule, judge, type Verdict } from './judge.ts';
export { breakagesOf, type Held, portfolioGraph, SHOCKS, wholeOf } from './portfolio.ts';
export { positionsOfCsv } from './positions.ts';
export { effectiveRules, type Outcome, PRESET_RULES, stricter } from './rules.ts';
export { createSimulation } from './shock.ts';

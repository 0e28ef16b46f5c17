/** Rules of callers held against published ratings, and what breaks together in a portfolio. Pure; nothing here moves a rating. */
export { type Dependency, dependenciesOf, type RowsOf } from './dependencies.ts';
export { type EvidenceFacts, evidenceFacts } from './evidence.ts';
export { type FiredRule, judge, type Subject, type Verdict } from './judge.ts';
export { breakagesOf, type Held, portfolioGraph, SHOCKS, wholeOf } from './portfolio.ts';
export { positionsOfCsv } from './positions.ts';
export { effectiveRules, type Outcome, PRESET_RULES } from './rules.ts';
export { createSimulation, type SimulationResult } from './shock.ts';

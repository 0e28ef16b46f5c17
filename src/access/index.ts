/** API keys, plans, quotas and usage metering. */
export { clientAddressReader, createAccess } from './access.ts';
export type {
  AccessService,
  ApiKey,
  AuthFailure,
  AuthOutcome,
  Scope,
} from './keys.ts';
export {
  gridPoint,
  historyStart,
  includes,
  loadPlans,
  type Need,
  type PayPerCall,
  type Plan,
  type PlanBook,
  PRICE_CLASSES,
  type PriceClass,
  planFault,
  plansThatInclude,
  secondsToNextPoint,
  servesThresholds,
} from './plans/plans.ts';
export type { Limiter, LimitState, Taken } from './plans/window.ts';
export type { ServiceLevelReader } from './service-level/measure.ts';
export { serviceLevelStatus } from './service-level/measure.ts';
export { FRESH } from './usage/meter.ts';
export { collectionQuotas, keptDaysOfJobs, openUsage, type Usage, type UsageService } from './usage/service.ts';
export { type Statement, statementCsv, sumsBy, sumsOf } from './usage/statement.ts';

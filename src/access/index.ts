/** API keys, plans, quotas and the metering of use. */
export { createAccess } from './access.ts';
export { clientAddressReader } from './client-address.ts';
export { collectionQuotas } from './plans/daily-quota.ts';
export { loadPlans } from './plans/plan-file.ts';
export type { Plan, PlanBook } from './plans/types.ts';
export { gridPoint, includes, type Need, plansThatInclude, secondsToNextPoint } from './plans/types.ts';
export type { Limiter, LimitState, Taken } from './plans/window.ts';
export type { ServiceLevelReader } from './service-level/measure.ts';
export { standingOf } from './service-level/measure.ts';
export {
  type AccessService,
  type ApiKey,
  type AuthFailure,
  type AuthOutcome,
  SCOPES,
  type Scope,
} from './types.ts';
export { FRESH } from './usage/meter.ts';
export { openUsage, type Usage } from './usage/open.ts';
export type { UsageService } from './usage/service.ts';
export { type Statement, statementCsv, sumsBy, sumsOf } from './usage/statement.ts';

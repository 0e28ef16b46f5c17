/** API keys, plans, quotas and the metering of use. */
export { createAccess } from './access.ts';
export { clientAddressReader } from './client-address.ts';
export { collectionQuotas } from './plans/daily-quota.ts';
export { includes, plansThatInclude } from './plans/entitlement.ts';
export { gridPoint, secondsToNextPoint } from './plans/grid.ts';
export type { Limiter, LimitState, Taken } from './plans/limiter.ts';
export { loadPlans } from './plans/load.ts';
export type { Plan, PlanBook } from './plans/types.ts';
export { type Standing, standingOf } from './service-level/credit.ts';
export type { ServiceLevelReader } from './service-level/measure.ts';
export {
  type AccessService,
  type ApiKey,
  type AuthFailure,
  type AuthOutcome,
  type NewApiKey,
  SCOPES,
  type Scope,
} from './types.ts';
export { FRESH } from './usage/endpoint-group.ts';
export { openUsage, type Usage } from './usage/open.ts';
export type { UsageService } from './usage/service.ts';
export type { Statement, StatementLine } from './usage/statement.ts';
export { statementCsv } from './usage/statement-csv.ts';
export { type Sums, sumsBy, sumsOf } from './usage/sums.ts';

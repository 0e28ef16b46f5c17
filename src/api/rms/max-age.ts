import type { Plan } from '../../access/index.ts';
import { secondsToNextPoint } from '../../access/index.ts';

/** A new rating may come at any moment; a reader who asks again within this would mostly hear the same. */
const NEWEST_SECONDS = 10;
/** What was known at a past moment may still be added to for a moment. */
export const PAST_SECONDS = 60;

/** Seconds a rating may be kept by its reader: until the plan's next grid point, or a little while. */
export function ratingMaxAge(plan: Plan, now: number): number {
  return plan.freshnessGridSeconds > 0 ? secondsToNextPoint(now, plan.freshnessGridSeconds) : NEWEST_SECONDS;
}

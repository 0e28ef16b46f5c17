import type { DefaultTest, PublicationState } from '../domain/index.ts';
import { DAY_MS } from '../domain/index.ts';
import type { PublicationRules } from '../methodology/index.ts';
import { daysBetween } from './days.ts';
import type { Sight } from './default-tests.ts';

type Pending = PublicationState['pendingTests'];
type Default = PublicationState['default'];

/**
 * Counts how long each test's condition has been true. What is not known neither counts nor ends a count, and the time between two
 * sights counts at most so long: nobody looked in between.
 */
export function countTests(
  sights: readonly Sight[],
  pending: Pending,
  before: string | null,
  asOf: string,
  rules: PublicationRules,
): { readonly pending: Pending; readonly met: readonly DefaultTest[] } {
  const gapDays = before === null ? 0 : daysBetween(before, asOf);
  const unseenMs = Math.max(0, gapDays - rules.default.longestGapDays) * DAY_MS;
  const counted: { code: string; since: string }[] = [];
  const met = new Map<string, DefaultTest>();
  for (const { key, code, holds, days, detail } of sights) {
    const known = pending.find((one) => one.code === key);
    if (holds === false) continue;
    if (holds === null) {
      // The count stands still: its beginning moves with the time that nobody saw.
      if (known) counted.push({ code: key, since: later(known.since, gapDays * DAY_MS, asOf) });
      continue;
    }
    const since = known === undefined ? asOf : later(known.since, unseenMs, asOf);
    counted.push({ code: key, since });
    if (daysBetween(since, asOf) >= days && !met.has(code)) met.set(code, { code, detail, since });
  }
  return { pending: counted, met: [...met.values()] };
}

/** A default begins with a test that is met, and is cured when all have been seen false for half a year. */
export function updateDefault(
  state: Default,
  sights: readonly Sight[],
  met: readonly DefaultTest[],
  before: string | null,
  asOf: string,
  rules: PublicationRules,
): { readonly state: Default; readonly cured: boolean } {
  if (state === null)
    return { state: met.length === 0 ? null : { since: asOf, clearSince: null, tests: met }, cured: false };
  if (met.length > 0) return { state: { since: state.since, clearSince: null, tests: met }, cured: false };
  const isClear = sights.every((sight) => sight.holds !== true);
  if (!isClear) return { state: { ...state, clearSince: null }, cured: false };
  // All of them unknown is no sign of life, and what it defaulted by must itself be seen to be over.
  const seen =
    sights.some((sight) => sight.holds === false && sight.code !== 'D6') &&
    state.tests.every(({ code }) => isOver(sights.filter((sight) => sight.code === code)));
  const gapDays = before === null ? 0 : daysBetween(before, asOf);
  const unseenMs = (seen ? Math.max(0, gapDays - rules.hysteresis.existingDays) : gapDays) * DAY_MS;
  const clearSince = state.clearSince === null ? (seen ? asOf : null) : later(state.clearSince, unseenMs, asOf);
  const cured = clearSince !== null && daysBetween(clearSince, asOf) >= rules.cure.days;
  return { state: cured ? null : { ...state, clearSince }, cured };
}

function isOver(sights: readonly Sight[]): boolean {
  return sights.length === 0 || sights.some((sight) => sight.holds === false);
}

function later(time: string, milliseconds: number, latest: string): string {
  return new Date(Math.min(Date.parse(time) + milliseconds, Date.parse(latest))).toISOString();
}

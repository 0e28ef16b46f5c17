import { DAY_MS } from '../../src/domain/statistics.ts';
import { ASSET_SPECS, copiesOf } from '../world/specs.ts';
import type { AssetSpec } from '../world/types.ts';

/** Seed of the world that has a past. */
export const PAST_SEED = 1;
/** Further healthy projects, so that more than seventy are rated: some of the world's own exist to be refused. */
export const PAST_COPIES = 8;
/** When the past ends, and the demo's clock begins (docs/decisions/0042-the-past-of-the-demo.md). */
export const PAST_END = Date.parse('2026-11-24T09:00:00.000Z');
export const PAST_DAYS = 31;
export const PAST_BEGIN = PAST_END - PAST_DAYS * DAY_MS;

/** Every project of the world that has a past. */
export const PAST_SPECS: readonly AssetSpec[] = [...ASSET_SPECS, ...copiesOf(PAST_COPIES)];

/** Days that are played: snapshots of all assets are taken, and due assets are rated. Between them the clock jumps. */
export const LIVED: readonly number[] = [0, 1, 3, 6, 7, 9, 10, 13, 14, 16, 17, 20, 24, 27, 30, PAST_DAYS];
const SECOND = [7, 10, 13];
const THIRD = [17, 20, 24];

/**
 * Days on which a project is rated: all on the first and the last, in turns on two between, and on every played day
 * from the first event of the project on.
 */
export function daysOf(spec: AssetSpec, place: number): readonly number[] {
  const first = spec.events?.[0]?.day;
  if (first !== undefined) return LIVED.filter((day) => day === 0 || day >= first);
  return [0, SECOND[place % SECOND.length] ?? 0, THIRD[place % THIRD.length] ?? 0, PAST_DAYS];
}

/** Watched by the desk account, whose alerts the demo shows. */
export const WATCHED: readonly string[] = [
  'TIDE',
  'HRGT',
  'HBUSD',
  'EMBR',
  'SKUSD',
  'FENX',
  'PSUSD',
  'WOBL',
  'DEED',
  'VEYR',
];

/** What the desk disputed, by day. */
export const DISPUTE = {
  day: 20,
  resolvedOn: 24,
  symbol: 'COPV',
  claim:
    'The circulating supply counts the grants programme, which is locked until 2027. Without it the unlock of December is a third of what the report says.',
  resolution:
    'The lock is stated on the project’s pages alone and no contract holds it. The rating stands; the statement is listed under what is not known.',
} as const;

import { DAY_MS } from '../../src/domain/statistics.ts';
import { ASSET_SPECS, copiesOf } from '../world/specs.ts';
import type { AssetSpec } from '../world/types.ts';

/** Seed of the world that has a past. */
export const PAST_SEED = 1;
/** Healthy projects beside those of the world, so that more than seventy are rated: some of the world's own are there to be refused. */
export const PAST_COPIES = 8;
/** When the past ends, and the demo's clock begins (docs/decisions/0040-the-past-of-the-demo.md). */
export const PAST_END = Date.parse('2026-11-24T09:00:00.000Z');
export const PAST_DAYS = 31;
export const PAST_BEGIN = PAST_END - PAST_DAYS * DAY_MS;

/** Every project of the world that has a past. */
export const PAST_SPECS: readonly AssetSpec[] = [...ASSET_SPECS, ...copiesOf(PAST_COPIES)];

/** Days on which a project is rated: all on the first and the last, by weeks between, and by days where something befalls it. */
export function daysOf(spec: AssetSpec, place: number): readonly number[] {
  const weekly = [0, 7, 14, 21, 28].map((day) => (day === 0 ? 0 : day + (place % 5) - 2));
  const eventful = (spec.events ?? []).flatMap(({ day }) => [
    day,
    day + 1,
    day + 2,
    day + 4,
    day + 7,
    day + 8,
    day + 9,
  ]);
  const known = [...weekly, ...eventful, PAST_DAYS].filter((day) => day <= PAST_DAYS);
  return [...new Set(known)].sort((a, b) => a - b);
}

/** Watched by the desk, whose alerts the demo shows. */
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
  symbol: 'COPV',
  claim:
    'The circulating supply counts the grants programme, which is locked until 2027. Without it the unlock of December is a third of what the report says.',
  resolution:
    'The lock is stated on the project’s pages alone and no contract holds it. The rating stands; the statement is listed under what is not known.',
} as const;

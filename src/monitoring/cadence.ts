import type { ConsensusSet, PublishedRating } from '../domain/index.ts';

const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 86_400;

/** Seconds between two ratings, by why. A thing that can fail within hours is looked at within hours. */
export const CADENCES = {
  /** An alert is open or a watch is on. */
  alerting: HOUR_SECONDS,
  /** Too little could be read to publish anything. */
  unread: HOUR_SECONDS,
  /** Younger than thirty days: the median time to a rug is 17 hours (methodology 4.2). */
  young: 6 * HOUR_SECONDS,
  /** Liquidity below 100,000 USD, or a band from CCC down. */
  thin: 6 * HOUR_SECONDS,
  /** Defaulted: whether it cures is counted in days. */
  defaulted: DAY_SECONDS,
  usual: DAY_SECONDS,
} as const;

const YOUNG_DAYS = 30;
const THIN_LIQUIDITY_USD = 100_000;
const WEAK: ReadonlySet<string> = new Set(['CCC', 'CC', 'C']);

export interface NextRating {
  readonly reason: keyof typeof CADENCES;
  readonly seconds: number;
}

/** When an asset is rated again, by what its newest rating says of its risk. */
export function cadenceOf(
  published: PublishedRating,
  facts: { readonly liquidityUsd: number | null; readonly ageDays: number | null; readonly openAlerts: boolean },
): NextRating {
  const reason = reasonOf(published, facts);
  return { reason, seconds: CADENCES[reason] };
}

function reasonOf(published: PublishedRating, facts: Parameters<typeof cadenceOf>[1]): NextRating['reason'] {
  if (published.watch !== null || facts.openAlerts) return 'alerting';
  if (published.band === 'D') return 'defaulted';
  if (facts.ageDays !== null && facts.ageDays < YOUNG_DAYS) return 'young';
  if (WEAK.has(published.band) || (facts.liquidityUsd !== null && facts.liquidityUsd < THIN_LIQUIDITY_USD))
    return 'thin';
  return 'usual';
}

/** A number of the consensus, or null. */
export function knownNumber(consensus: ConsensusSet, key: string): number | null {
  const value = consensus[key]?.value;
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/**
 * The same cadence, moved by up to a tenth either way by the asset's own name, so that assets that were added together do not
 * stay due together.
 */
export function spread(assetId: string, seconds: number): number {
  let hash = 2_166_136_261;
  for (let index = 0; index < assetId.length; index += 1)
    hash = Math.imul(hash ^ assetId.charCodeAt(index), 16_777_619) >>> 0;
  return Math.round(seconds * (0.9 + (0.2 * hash) / 4_294_967_296));
}

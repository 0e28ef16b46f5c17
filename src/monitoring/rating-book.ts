import { scoreRecord } from '../contract/index.ts';
import { BANDS, type ConsensusSet, DAY_MS, type PublishedRating } from '../domain/index.ts';
import { canonicalText, type RatingBook } from '../jobs/index.ts';
import type { Signature } from '../signing/index.ts';
import { lockAsset, monitorAsset, notePeg, planNext, prolongStay, storePublished, storeState } from '../store/index.ts';
import type { writeAlerts } from './alerts/alerts.ts';
import { pegOf } from './alerts/peg-alerts.ts';

export interface RatingBookOptions {
  readonly dataMode: 'live' | 'sandbox';
  readonly sign: (bytes: Uint8Array) => Signature;
  /** Writes the alerts a rating causes; true when the asset has open ones. Runs inside the rating's transaction. */
  readonly writeAlerts: typeof writeAlerts;
  /** Days that an asset somebody scored stays monitored; 0: scoring monitors nothing. */
  readonly monitorDays: number;
}

/** In the place of a key's id: jobs that the monitor itself asked for. */
export const MONITOR_KEY = 'monitor';

/** Letters that fold to two, and the sharp s, are told apart from none: symbols are compared as they are listed. */
const fold = (symbol: string) => symbol.trim().normalize('NFC').toLowerCase();

/** Where published ratings are written: the rating, the asset's head, its alerts and its next date, in one transaction. */
export function createRatingBook(options: RatingBookOptions): RatingBook {
  const wantedUntil = (at: string) => new Date(Date.parse(at) + options.monitorDays * DAY_MS).toISOString();
  return {
    lock: lockAsset,
    async keep(transaction, report, { at, keyId }) {
      const { published, state, evidence, consensus } = report;
      const { asset } = published;
      const record = Buffer.from(canonicalText(scoreRecord(published, options.dataMode)));
      const signature = JSON.stringify(options.sign(record));
      const flags = published.flags.map((flag) => flag.code);
      const liquidityUsd = knownNumber(consensus, 'liquidity_dex_usd');
      const ratingId = await storePublished(
        transaction,
        {
          asset_id: asset.id,
          as_of: published.asOf,
          stored_at: at,
          job_id: published.jobId,
          band: published.band,
          indicative_band: published.indicativeBand,
          score: published.score,
          smoothed_score: published.smoothedScore,
          trust: published.trust,
          vfr: published.vfr.value,
          vfr_zone: published.vfr.zone,
          action: published.action,
          reversal: published.reversal,
          flags,
          methodology: published.methodologyVersion,
          record,
          signature,
        },
        {
          chain: asset.chain,
          address: asset.address,
          symbol: asset.symbol,
          symbol_folded: asset.symbol === null ? null : fold(asset.symbol),
          name: asset.name,
          category: published.category,
          class: published.class ?? null,
          asset: JSON.stringify(asset),
          request: JSON.stringify(evidence.request),
          state: JSON.stringify(state),
          band: published.band,
          band_rank: BANDS.indexOf(published.band),
          score: published.score,
          trust: published.trust,
          vfr: published.vfr.value,
          market_cap_usd: published.marketCapUsd,
          liquidity_usd: liquidityUsd,
          flags,
          methodology: published.methodologyVersion,
          action: published.action,
        },
      );
      const peg = pegOf(report);
      if (peg !== null) await notePeg(transaction, peg);
      const { openAlerts } = await options.writeAlerts(transaction, { assetId: asset.id, ratingId, published, at });
      const created = consensus.token_created_at?.value;
      const ageDays = typeof created === 'string' ? (Date.parse(published.asOf) - Date.parse(created)) / DAY_MS : null;
      const next = cadenceOf(published, { liquidityUsd, ageDays, openAlerts });
      const plan = planOf(asset.id, at, next);
      if (options.monitorDays > 0 && keyId !== MONITOR_KEY)
        await monitorAsset(
          transaction,
          {
            asset_id: asset.id,
            added_by: 'scoring',
            added_at: at,
            wanted_until: wantedUntil(at),
            ...plan,
          },
          false,
        );
      await planNext(transaction, asset.id, plan);
    },
    async hold(transaction, { evidence, state }, { at }) {
      const { id } = evidence.identification.asset;
      await storeState(transaction, id, JSON.stringify(state));
      await planNext(transaction, id, planOf(id, at, { reason: 'unread', seconds: CADENCES.unread }));
    },
    async wanted(transaction, assetId, at) {
      if (options.monitorDays > 0) await prolongStay(transaction, assetId, wantedUntil(at));
    },
  };
}

function planOf(assetId: string, at: string, { reason, seconds: usual }: NextRating) {
  const seconds = spread(assetId, usual);
  return { due_at: new Date(Date.parse(at) + seconds * 1000).toISOString(), cadence_seconds: seconds, reason };
}

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

import { scoreRecord } from '../contract/index.ts';
import { BANDS, type ConsensusSet, DAY_MS, type PublishedRating, type ScoreReport } from '../domain/index.ts';
import { canonicalText, type RatingBook } from '../jobs/index.ts';
import type { Signature } from '../signing/index.ts';
import {
  extendMonitoring,
  lockAssets,
  monitorAsset,
  type NewRating,
  type NextDate,
  notePegs,
  planNext,
  storePublished,
  storeState,
} from '../store/index.ts';
import type { writeAlerts } from './alerts/alerts.ts';
import { pegOf } from './alerts/peg-alerts.ts';

export interface RatingBookOptions {
  readonly dataMode: 'live' | 'sandbox';
  readonly sign: (bytes: Uint8Array) => Signature;
  /**
   * Stores the alerts that ratings cause, and returns the assets with open ones. Runs inside the ratings' transaction.
   */
  readonly writeAlerts: typeof writeAlerts;
  /** Days that a scored asset stays monitored; 0: scoring monitors nothing. */
  readonly monitorDays: number;
}

/** Used in place of a key's id for jobs that the monitor requested. */
export const MONITOR_KEY = 'monitor';

/**
 * Folds a symbol to lower case, not to upper case: a letter whose upper case has two letters, such as the sharp s, must
 * not match these.
 */
const fold = (symbol: string) => symbol.trim().normalize('NFC').toLowerCase();

/**
 * Stores published ratings: the ratings, their assets' heads, their alerts and their next dates, in one transaction.
 */
export function createRatingBook(options: RatingBookOptions): RatingBook {
  const wantedUntil = (at: string) => new Date(Date.parse(at) + options.monitorDays * DAY_MS).toISOString();
  return {
    lock: lockAssets,
    async keep(transaction, given, { at, keyId }) {
      // In the order of the locks, in which the rows of several assets are locked too.
      const reports = [...given].sort((one, other) => (idOf(one) < idOf(other) ? -1 : 1));
      const stored = await storePublished(
        transaction,
        reports.map((report) => rowsOf(report, at)),
      );
      await notePegs(
        transaction,
        reports.map(pegOf).filter((peg) => peg !== null),
      );
      const { openAlerts } = await options.writeAlerts(
        transaction,
        reports.flatMap(({ published }) => {
          const row = stored.get(published.asset.id);
          return row === undefined ? [] : [{ ratingId: row.id, isNewest: row.isNewest, published }];
        }),
        at,
      );
      const plans = reports.map((report) => {
        const { published, consensus } = report;
        const created = consensus.token_created_at?.value;
        const ageDays =
          typeof created === 'string' ? (Date.parse(published.asOf) - Date.parse(created)) / DAY_MS : null;
        const liquidityUsd = knownNumber(consensus, 'liquidity_dex_usd');
        const facts = { liquidityUsd, ageDays, openAlerts: openAlerts.has(idOf(report)) };
        return planOf(idOf(report), at, cadenceOf(published, facts));
      });
      if (options.monitorDays > 0 && keyId !== MONITOR_KEY)
        for (const plan of plans)
          await monitorAsset(
            transaction,
            { ...plan, added_by: 'scoring', added_at: at, wanted_until: wantedUntil(at) },
            false,
          );
      await planNext(transaction, plans);
    },
    async hold(transaction, { evidence, state }, { at }) {
      const { id } = evidence.identification.asset;
      await storeState(transaction, id, JSON.stringify(state));
      await planNext(transaction, [planOf(id, at, { reason: 'unread', seconds: CADENCES.unread })]);
    },
    async wanted(transaction, assetId, at) {
      if (options.monitorDays > 0) await extendMonitoring(transaction, assetId, wantedUntil(at));
    },
  };

  /** The signed rating, and the further columns of its asset's head. */
  function rowsOf({ published, state, evidence, consensus }: ScoreReport, at: string): NewRating {
    const { asset } = published;
    const record = Buffer.from(canonicalText(scoreRecord(published, options.dataMode)));
    const shared = {
      band: published.band,
      score: published.score,
      trust: published.trust,
      vfr: published.vfr.value,
      flags: published.flags.map((flag) => flag.code),
      methodology: published.methodologyVersion,
      action: published.action,
    };
    return {
      rating: {
        ...shared,
        asset_id: asset.id,
        as_of: published.asOf,
        stored_at: at,
        job_id: published.jobId,
        indicative_band: published.indicativeBand,
        smoothed_score: published.smoothedScore,
        vfr_zone: published.vfr.zone,
        reversal: published.reversal,
        record,
        signature: JSON.stringify(options.sign(record)),
      },
      head: {
        ...shared,
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
        band_rank: BANDS.indexOf(published.band),
        market_cap_usd: published.marketCapUsd,
        liquidity_usd: knownNumber(consensus, 'liquidity_dex_usd'),
      },
    };
  }
}

const idOf = (report: ScoreReport) => report.published.asset.id;

function planOf(assetId: string, at: string, { reason, seconds: usual }: NextRating): NextDate {
  const seconds = spread(assetId, usual);
  const dueAt = new Date(Date.parse(at) + seconds * 1000).toISOString();
  return { asset_id: assetId, due_at: dueAt, cadence_seconds: seconds, reason };
}

const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 86_400;

/** Seconds between two ratings, by reason. Assets that can fail within hours are rated within hours. */
export const CADENCES = {
  /** An alert is open or a watch is active. */
  alerting: HOUR_SECONDS,
  /** Too little evidence to publish a rating. */
  unread: HOUR_SECONDS,
  /** Younger than thirty days: the median time to a rug is 17 hours (methodology 4.2). */
  young: 6 * HOUR_SECONDS,
  /** Liquidity below 100,000 USD, or a band from CCC down. */
  thin: 6 * HOUR_SECONDS,
  /** Defaulted: its cure is counted in days. */
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

/** Time of the next rating, by the risk in the newest rating. */
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
 * The same cadence, shifted by up to a tenth in either direction by a hash of the asset's id, so that assets added
 * together do not stay due together.
 */
export function spread(assetId: string, seconds: number): number {
  let hash = 2_166_136_261;
  for (let index = 0; index < assetId.length; index += 1)
    hash = Math.imul(hash ^ assetId.charCodeAt(index), 16_777_619) >>> 0;
  return Math.round(seconds * (0.9 + (0.2 * hash) / 4_294_967_296));
}

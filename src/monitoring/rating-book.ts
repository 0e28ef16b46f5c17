import canonicalize from 'canonicalize';
import type { Transaction } from 'kysely';
import { scoreRecord } from '../contract/index.ts';
import type { ScoreReport } from '../domain/index.ts';
import { BANDS, DAY_MS } from '../domain/index.ts';
import type { RatingBook } from '../jobs/index.ts';
import type { Signature } from '../signing/index.ts';
import type { Tables } from '../store/index.ts';
import { lockAsset, monitorAsset, planNext, prolongStay, storePublished, storeState } from '../store/index.ts';
import { CADENCES, cadenceOf, knownNumber, spread } from './cadence.ts';

export interface RatingBookOptions {
  readonly dataMode: 'live' | 'sandbox';
  readonly sign: (bytes: Uint8Array) => Signature;
  /** Writes the alerts a rating causes; true when the asset has open ones. Runs inside the rating's transaction. */
  readonly writeAlerts: (
    transaction: Transaction<Tables>,
    rating: {
      readonly assetId: string;
      readonly ratingId: number;
      readonly published: ScoreReport['published'];
      readonly at: string;
    },
  ) => Promise<{ readonly openAlerts: boolean }>;
  /** Days that an asset somebody scored stays monitored; 0: scoring monitors nothing. */
  readonly monitorDays: number;
}

/** In the place of a key's id: jobs that the monitor itself asked for. */
export const MONITOR_KEY = 'monitor';

/** Letters that fold to two, and the sharp s, are told apart from none: symbols are compared as they are listed. */
const fold = (symbol: string) => symbol.trim().normalize('NFC').toLowerCase();

/** Where published ratings are written: the rating, the asset's head, its alerts and its next date, in one transaction. */
export function createRatingBook(options: RatingBookOptions): RatingBook {
  return {
    lock: lockAsset,
    async keep(transaction, report, { at, keyId }) {
      const { published, state, evidence, consensus } = report;
      const { asset } = published;
      const record = Buffer.from(canonicalize(scoreRecord(published, options.dataMode)) ?? '');
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
      const { openAlerts } = await options.writeAlerts(transaction, { assetId: asset.id, ratingId, published, at });
      const created = consensus.token_created_at?.value;
      const ageDays = typeof created === 'string' ? (Date.parse(published.asOf) - Date.parse(created)) / DAY_MS : null;
      const next = cadenceOf(published, { liquidityUsd, ageDays, openAlerts });
      const seconds = spread(asset.id, next.seconds);
      const plan = {
        due_at: new Date(Date.parse(at) + seconds * 1000).toISOString(),
        cadence_seconds: seconds,
        reason: next.reason,
      };
      if (options.monitorDays > 0 && keyId !== MONITOR_KEY)
        await monitorAsset(
          transaction,
          {
            asset_id: asset.id,
            added_by: 'scoring',
            added_at: at,
            wanted_until: new Date(Date.parse(at) + options.monitorDays * DAY_MS).toISOString(),
            ...plan,
          },
          false,
        );
      await planNext(transaction, asset.id, plan);
    },
    async hold(transaction, { evidence, state }, { at }) {
      const { id } = evidence.identification.asset;
      await storeState(transaction, id, JSON.stringify(state));
      const seconds = spread(id, CADENCES.unread);
      await planNext(transaction, id, {
        due_at: new Date(Date.parse(at) + seconds * 1000).toISOString(),
        cadence_seconds: seconds,
        reason: 'unread',
      });
    },
    async wanted(transaction, assetId, at) {
      if (options.monitorDays > 0)
        await prolongStay(transaction, assetId, new Date(Date.parse(at) + options.monitorDays * DAY_MS).toISOString());
    },
  };
}

import { randomBytes } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { ApiContext, FreshRating } from '../../src/api/context.ts';
import { scoreRecord } from '../../src/contract/rating.ts';
import { openDisclosures, type RepositoryHost } from '../../src/disclosure/index.ts';
import type { Asset, Namesakes } from '../../src/domain/asset.ts';
import type { PublishedRating } from '../../src/domain/published.ts';
import { BANDS } from '../../src/domain/rating.ts';
import { createRatingReader } from '../../src/monitoring/reader.ts';
import { createSigner } from '../../src/signing/signer.ts';
import type { Store } from '../../src/store/database.ts';
import { testDatabase } from '../../src/store/fixtures/database.ts';
import { storePublished } from '../../src/store/ratings/write.ts';
import { type ApiFace, openApiFace, unused } from './api-face.ts';

export const SOLANA = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp';

export function solanaAsset(address: string, symbol: string | null): Asset {
  const id = `${SOLANA}/token:${address}`;
  return { id, chain: 'solana', address, symbol, name: symbol ?? address, category: null, website: null };
}

export function evmAsset(chainId: number, chain: string, address: string, symbol: string): Asset {
  const id = `eip155:${chainId}/erc20:${address}`;
  return { id, chain, address, symbol, name: symbol, category: null, website: null };
}

/** A published rating of BBB, as publication would make one. */
export function ratingOf(asset: Asset, asOf: string, changes: Partial<PublishedRating> = {}): PublishedRating {
  return {
    asset,
    category: 'defi_protocol',
    stage: 'post_tge',
    score: 62.5,
    smoothedScore: 62.1,
    band: 'BBB',
    indicativeBand: 'BBB',
    scoreInterval: [58.2, 66.8],
    trust: 71.4,
    flags: [
      {
        code: 'MINT_AUTHORITY_ACTIVE',
        severity: 'high',
        title: 'More can be minted',
        detail: 'a key “holds” the mint — 1 of 1',
        since: '2026-11-01T00:00:00.000Z',
      },
    ],
    outlook: 'stable',
    watch: null,
    vfr: { value: 1.04, zone: 'FAIR', interval: [0.8, 1.3] },
    previous: null,
    action: 'affirm',
    actionReason: 'nothing has changed',
    reversal: false,
    drivers: [],
    defaultTests: [],
    default: null,
    gaps: [{ feature: 'TR-03', reason: 'no source answered' }],
    conflicts: [],
    issuerControl: null,
    marketCapUsd: 1.7e7,
    methodologyVersion: '1.0.0',
    methodologyHash: 'f'.repeat(64),
    jobId: `posttge_${Date.parse(asOf)}_${randomBytes(4).toString('hex')}`,
    asOf,
    ...changes,
  };
}

export interface RatingWorld extends ApiFace {
  readonly clock: { now: number };
  readonly reader: ReturnType<typeof createRatingReader>;
  readonly store: Store;
  /** Stores and tells, as the transaction that ends a job does. */
  put(rating: PublishedRating, state?: object): Promise<void>;
  /** Accounts whose reads of an asset are noted. */
  readersOf(assetId: string): Promise<readonly string[]>;
}

/** The HTTP face on real sockets and a real database, with ratings that are put there by hand and a clock to set. */
export async function ratingWorld(
  start: string,
  changes: Partial<ApiContext> = {},
  freshRating: FreshRating = async () => null,
  options: Partial<
    Pick<Parameters<typeof openDisclosures>[0], 'readTxt' | 'callContract' | 'repositoryHost' | 'reportOf'> & {
      readonly namesakes: Namesakes;
    }
  > = {},
): Promise<RatingWorld> {
  const clock = { now: Date.parse(start) };
  const database = await testDatabase();
  const { store } = database;
  const signer = await createSigner(store.db, () => clock.now);
  const reader = createRatingReader({
    store,
    ...(options.namesakes ? { namesakes: options.namesakes } : {}),
    now: () => clock.now,
    onError: (error) => {
      throw error;
    },
  });
  const disclosures = openDisclosures({
    store,
    dataMode: 'sandbox',
    reader,
    signer,
    now: () => clock.now,
    onError: (error) => {
      throw error;
    },
    readTxt: options.readTxt ?? (async () => ({ ok: true, value: [] })),
    callContract: options.callContract ?? (async () => ({ ok: true, value: null })),
    repositoryHost: options.repositoryHost ?? (unused as RepositoryHost),
    reportOf: options.reportOf ?? (async () => null),
  });
  const face = await openApiFace(store.db, clock, 'rms:read', {
    scoring: { report: async () => null, underWay: async () => null } as unknown as ApiContext['scoring'],
    signingKeys: () => signer.keys(),
    chain: {
      reader: { ...(unused as object), onStored: () => () => undefined, onReorganised: () => () => undefined },
      exports: unused,
      index: unused,
      indexerStatus: async () => ({ lag: [], closed: [] }),
    } as unknown as ApiContext['chain'],
    ratings: { reader, freshRating },
    disclosures,
    ...changes,
  });
  return {
    ...face,
    clock,
    reader,
    store,
    async put(rating, state = {}) {
      const { asset } = rating;
      const record = Buffer.from(canonicalize(scoreRecord(rating, 'sandbox')) ?? '');
      const flags = rating.flags.map((flag) => flag.code);
      const { band, score, trust, action } = rating;
      const shared = {
        band,
        score,
        trust,
        action,
        flags,
        vfr: rating.vfr.value,
        methodology: rating.methodologyVersion,
      };
      await store.db.transaction().execute((transaction) =>
        storePublished(transaction, [
          {
            rating: {
              ...shared,
              asset_id: asset.id,
              as_of: rating.asOf,
              stored_at: new Date(clock.now).toISOString(),
              job_id: rating.jobId,
              indicative_band: rating.indicativeBand,
              smoothed_score: rating.smoothedScore,
              vfr_zone: rating.vfr.zone,
              reversal: rating.reversal,
              record,
              signature: JSON.stringify(signer.sign(record)),
            },
            head: {
              ...shared,
              chain: asset.chain,
              address: asset.address,
              symbol: asset.symbol,
              symbol_folded: asset.symbol === null ? null : asset.symbol.trim().normalize('NFC').toLowerCase(),
              name: asset.name,
              category: rating.category,
              class: rating.class ?? null,
              asset: JSON.stringify(asset),
              request: '{}',
              state: JSON.stringify(state),
              band_rank: BANDS.indexOf(band),
              market_cap_usd: rating.marketCapUsd,
              liquidity_usd: null,
            },
          },
        ]),
      );
    },
    async readersOf(assetId) {
      await disclosures.reads.flush();
      const rows = await store.db
        .selectFrom('rating_reads')
        .select('account_id')
        .where('asset_id', '=', assetId)
        .orderBy('account_id')
        .execute();
      return rows.map((row) => row.account_id);
    },
    async close() {
      await face.close();
      await reader.close();
      await disclosures.close();
      await database.close();
    },
  };
}

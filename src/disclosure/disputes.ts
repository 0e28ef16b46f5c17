import { randomBytes } from 'node:crypto';
import type { DISPUTE_STATES } from '../contract/index.ts';
import type { Band, Result } from '../domain/index.ts';
import { type RatedFound, type RatingReader, sentPlace, writeCursor } from '../monitoring/index.ts';
import type { Signature, Signer } from '../signing/index.ts';
import {
  addDispute,
  addObjection,
  assetOfRestatement,
  type Database,
  type DisputeRow,
  disputeById,
  disputedRating,
  listDisputes,
  listRestatements,
  objectionByReference,
  resolveDispute,
  type Store,
} from '../store/index.ts';
import { type AppealBook, type AppealOptions, appealBook } from './appeals.ts';
import { openReadBook, type ReadBook } from './reads.ts';
import { type ComputedTrackRecord, openTrackRecordKeeper } from './track-record-keeper.ts';

export type DisputeState = (typeof DISPUTE_STATES)[number];

/** A claim that a rating is wrong, and its resolution. */
export interface Dispute {
  readonly id: string;
  readonly accountId: string | null;
  readonly assetId: string;
  /** The rating in question; null if it no longer exists. */
  readonly rating: {
    readonly jobId: string;
    readonly asOf: string;
    readonly band: Band;
    readonly score: number | null;
  } | null;
  readonly receivedAt: string;
  readonly claim: string;
  readonly contact: string | null;
  readonly state: DisputeState;
  readonly resolution: string | null;
  readonly resolvedAt: string | null;
  readonly restatementId: number | null;
  /** `public`: submitted without a key. */
  readonly origin: 'account' | 'public';
  /** Reference for claimants without a key; null for an account. */
  readonly reference: string | null;
}

/** A permanent correction of a published day or of a rating. */
export interface Restatement {
  readonly id: number;
  /** `rms`, a chain, or `rating`. */
  readonly subject: string;
  readonly date: string | null;
  readonly revision: number | null;
  readonly assetId: string | null;
  readonly madeAt: string;
  readonly reason: string;
  /** The correction as stored. */
  readonly detail: Readonly<Record<string, unknown>>;
}

export interface DisputeBook {
  /** `jobId` null: the newest rating. `isNew` false: the account sent the same claim before. */
  add(dispute: {
    readonly accountId: string;
    readonly assetId: string;
    readonly jobId: string | null;
    readonly claim: string;
    readonly contact: string | null;
  }): Promise<
    Result<
      { readonly dispute: Dispute; readonly isNew: boolean },
      { readonly reason: 'no_such_rating' | 'too_many_open'; readonly detail: string }
    >
  >;
  /** Adds an objection without a key, about the newest rating. It can be read only by its `reference`. */
  object(objection: {
    readonly assetId: string;
    readonly claim: string;
    readonly contact: string | null;
  }): Promise<Result<Dispute, { readonly reason: 'no_such_rating' | 'too_many_open'; readonly detail: string }>>;
  findObjection(reference: string): Promise<Dispute | null>;
  /** Newest first. `cursor`: of this list (`sentPlace`). */
  list(query: {
    readonly accountId: string | null;
    readonly state: DisputeState | null;
    readonly cursor: string | null;
    readonly limit: number;
  }): Promise<{ readonly disputes: readonly Dispute[]; readonly nextCursor: string | null }>;
  find(id: string): Promise<Dispute | null>;
  resolve(
    id: string,
    end: {
      readonly state: Exclude<DisputeState, 'received'>;
      readonly resolution: string;
      readonly restatementId: number | null;
    },
  ): Promise<
    Result<
      Dispute,
      { readonly reason: 'no_such_dispute' | 'no_such_restatement' | 'already_ended'; readonly detail: string }
    >
  >;
}

/** What the installation discloses about itself: corrections, disputes, track record. */
export interface DisclosureServices {
  readonly disputes: DisputeBook;
  readonly appeals: AppealBook;
  readonly reads: Pick<ReadBook, 'note' | 'noteDay' | 'flush'>;
  /** Newest first, with ids below `before`. */
  readonly restatements: (query: {
    readonly before: number | null;
    readonly limit: number;
  }) => Promise<readonly Restatement[]>;
  /** Null if the first computation takes too long for a caller to wait. */
  readonly trackRecord: () => Promise<ComputedTrackRecord | null>;
  readonly sign: (bytes: Uint8Array) => Signature;
  /** Rated assets that match a text, best match first. */
  readonly find: (text: string) => Promise<RatedFound>;
}

/** Most open (received or accepted) disputes of one account, since people review each. */
const MOST_OPEN_DISPUTES = 20;
/** Most objections without a key that nobody has reviewed yet: about one asset, and in total. */
const MOST_OPEN_OBJECTIONS = { ofAsset: 50, ofAll: 2_000 };
/** States that each state of a dispute can follow. */
const BEFORE: Readonly<Record<Exclude<DisputeState, 'received'>, readonly DisputeState[]>> = {
  accepted: ['received'],
  rejected: ['received'],
  restated: ['received', 'accepted'],
};

/** Disputes in the store, with limits and outcomes. `now`: milliseconds. */
export function disputeBook(db: Database, now: () => number): DisputeBook {
  return {
    async add({ accountId, assetId, jobId, claim, contact }) {
      const ratingId = await disputedRating(db, assetId, jobId);
      if (ratingId === null)
        return {
          ok: false,
          reason: 'no_such_rating',
          detail: jobId === null ? 'the asset was never rated' : `no rating of the asset was made by job ${jobId}`,
        };
      const id = `dsp_${randomBytes(10).toString('hex')}`;
      const receivedAt = new Date(now()).toISOString();
      const row = { id, account_id: accountId, asset_id: assetId, rating_id: ratingId, received_at: receivedAt };
      const added = await addDispute(db, { ...row, claim, contact }, MOST_OPEN_DISPUTES);
      if (added === null)
        return {
          ok: false,
          reason: 'too_many_open',
          detail: `the account has ${MOST_OPEN_DISPUTES} disputes that are not resolved yet`,
        };
      const dispute = await disputeById(db, added.id);
      if (dispute === null) throw new Error(`dispute ${added.id} went away`);
      return { ok: true, value: { dispute: toDispute(dispute), isNew: added.isNew } };
    },
    async object({ assetId, claim, contact }) {
      const ratingId = await disputedRating(db, assetId, null);
      if (ratingId === null) return { ok: false, reason: 'no_such_rating', detail: 'the asset was never rated' };
      const row = {
        id: `dsp_${randomBytes(10).toString('hex')}`,
        reference: randomBytes(16).toString('hex'),
        asset_id: assetId,
        rating_id: ratingId,
        received_at: new Date(now()).toISOString(),
        claim,
        contact,
      };
      if (!(await addObjection(db, row, MOST_OPEN_OBJECTIONS)))
        return {
          ok: false,
          reason: 'too_many_open',
          detail: 'as many objections wait to be read as are taken without a key; a dispute with a key is still taken',
        };
      const stored = await objectionByReference(db, row.reference);
      if (stored === null) throw new Error(`dispute ${row.id} went away`);
      return { ok: true, value: toDispute(stored) };
    },
    async findObjection(reference) {
      const row = await objectionByReference(db, reference);
      return row && toDispute(row);
    },
    async list({ cursor, limit, ...query }) {
      const rows = await listDisputes(db, { ...query, after: sentPlace(cursor), limit: limit + 1 });
      const page = rows.slice(0, limit);
      const last = page.at(-1);
      return {
        disputes: page.map(toDispute),
        nextCursor: last && rows.length > limit ? writeCursor([last.received_at, last.id]) : null,
      };
    },
    async find(id) {
      const row = await disputeById(db, id);
      return row && toDispute(row);
    },
    async resolve(id, { state, resolution, restatementId }) {
      if (restatementId !== null) {
        const [dispute, about] = await Promise.all([disputeById(db, id), assetOfRestatement(db, restatementId)]);
        if (about === undefined || (dispute !== null && about !== null && about !== dispute.asset_id))
          return {
            ok: false,
            reason: 'no_such_restatement',
            detail: `there is no restatement ${restatementId} of this asset or of a day`,
          };
      }
      const resolved = await resolveDispute(db, id, BEFORE[state], {
        state,
        resolution,
        resolved_at: new Date(now()).toISOString(),
        restatement_id: restatementId,
      });
      if (resolved) return { ok: true, value: toDispute(resolved) };
      const standing = await disputeById(db, id);
      return standing === null
        ? { ok: false, reason: 'no_such_dispute', detail: 'no dispute has this id' }
        : { ok: false, reason: 'already_ended', detail: `the dispute is ${standing.state}` };
    },
  };
}

function toDispute(row: DisputeRow): Dispute {
  const { job_id: jobId, as_of: asOf, band, score } = row;
  return {
    id: row.id,
    accountId: row.account_id,
    assetId: row.asset_id,
    rating: jobId === null || asOf === null || band === null ? null : { jobId, asOf, band: band as Band, score },
    receivedAt: row.received_at,
    claim: row.claim,
    contact: row.contact,
    state: row.state as DisputeState,
    resolution: row.resolution,
    resolvedAt: row.resolved_at,
    restatementId: row.restatement_id,
    origin: row.origin as Dispute['origin'],
    reference: row.reference,
  };
}

export interface DisclosureOptions {
  readonly store: Store;
  readonly dataMode: 'live' | 'sandbox';
  readonly reader: Pick<RatingReader, 'find'>;
  readonly signer: Pick<Signer, 'sign'>;
  readonly now: () => number;
  readonly onError: (error: unknown, what: string) => void;
  readonly readTxt: AppealOptions['readTxt'];
  readonly callContract: AppealOptions['callContract'];
  readonly repositoryHost: AppealOptions['repositoryHost'];
  readonly reportOf: AppealOptions['reportOf'];
}

/** Disputes, appeals, corrections and the track record of this installation. */
export function openDisclosures(
  options: DisclosureOptions,
): DisclosureServices & { readonly close: () => Promise<void> } {
  const { store, reader, signer, now } = options;
  const keeper = openTrackRecordKeeper(options);
  const reads = openReadBook(store.db, now, options.onError);
  return {
    disputes: disputeBook(store.db, now),
    appeals: appealBook({
      db: store.db,
      now,
      readTxt: options.readTxt,
      callContract: options.callContract,
      repositoryHost: options.repositoryHost,
      reportOf: options.reportOf,
      installation: () => signer.sign(new Uint8Array()).key_id,
    }),
    async restatements(query) {
      const rows = await listRestatements(store.db, query);
      return rows.map(({ body, asset_id: assetId, made_at: madeAt, rating_id: _, ...row }) => ({
        ...row,
        assetId,
        madeAt,
        detail: JSON.parse(body) as Readonly<Record<string, unknown>>,
      }));
    },
    reads,
    trackRecord: keeper.read,
    sign: signer.sign,
    find: (text) => reader.find(text),
    async close() {
      await Promise.all([keeper.close(), reads.close()]);
    },
  };
}

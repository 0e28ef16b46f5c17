import {
  type Asset,
  type CanonicalRecord,
  type Identification,
  NO_WEBSITE,
  type ScoreRequest,
  type Stage,
} from '../domain/index.ts';
import { asciiDomain, canonicalRequest } from '../identity/index.ts';
import {
  activeJob,
  type CurrentRatingJob,
  collectionHash,
  currentRatingJob,
  type Database,
  type Holder,
  insertOrJoin,
  type JobRow,
  noteCollection,
  ratedSubject,
} from '../store/index.ts';
import { failureOf } from './failures.ts';
import type { JobFailure, ScoringOptions } from './types.ts';

/** Used in place of a key's id for collections that scores start. They belong to no caller. */
const COLLECTION_KEY = 'collection';

/** Where the result of a score comes from. */
export type Attachment =
  | { readonly kind: 'standing'; readonly current: CurrentRatingJob; readonly warnings: readonly string[] }
  | {
      readonly kind: 'collection';
      readonly row: JobRow;
      readonly isNew: boolean;
      readonly standing: CurrentRatingJob | null;
    }
  | { readonly kind: 'refused'; readonly failure: JobFailure };

/**
 * Gives a score the published rating when that is fresh, the running collection when there is one, else a new
 * collection: run by `holder`, or (null) queued. At most one runs per asset, over all processes.
 */
export async function attach(
  options: ScoringOptions,
  score: JobRow,
  identification: Identification,
  holder: Holder,
): Promise<Attachment> {
  const { db, now, freshSeconds } = options;
  const { id: assetId } = identification.asset;
  const standing = await currentRatingJob(db, assetId);
  if (standing !== null && isFresh(standing.asOf, now(), freshSeconds))
    return { kind: 'standing', current: standing, warnings: [] };
  const active = await activeJob(db, collectionHash(assetId));
  if (active !== undefined) {
    await noteCollection(db, score.id, assetId, active.id);
    return { kind: 'collection', row: active, isNew: false, standing };
  }
  const quota = await options.collectionQuota?.(score.key_id);
  const spent = (await quota?.take()) ?? null;
  if (spent !== null) {
    if (standing === null)
      return { kind: 'refused', failure: failureOf.noCollections(spent.limit, spent.resetSeconds) };
    const age = ageOf(standing.asOf, now());
    return {
      kind: 'standing',
      current: standing,
      warnings: [
        `the account has started its ${spent.limit} collections of today (UTC): this is the newest published rating, ${age} old; the quota is full again in ${spent.resetSeconds} s`,
      ],
    };
  }
  const start = async () => {
    const request = (await storedRequest(db, assetId)) ?? requestOfFound(identification);
    return startCollection(options, { assetId, request, keyId: COLLECTION_KEY }, holder);
  };
  const { row, joined } = await start().catch(async (error: unknown) => {
    // What could not be started costs nothing. Where the store is away, the unit stays taken.
    await quota?.giveBack().catch(() => undefined);
    throw error;
  });
  if (joined) await quota?.giveBack();
  await noteCollection(db, score.id, assetId, row.id);
  return { kind: 'collection', row, isNew: !joined, standing };
}

/** True when the score would start a collection of the asset now. */
export async function isCollectionDue(
  { db, now, freshSeconds, collectionQuota }: ScoringOptions,
  score: JobRow,
  assetId: string,
): Promise<boolean> {
  const standing = await currentRatingJob(db, assetId);
  if (standing !== null && isFresh(standing.asOf, now(), freshSeconds)) return false;
  if ((await activeJob(db, collectionHash(assetId))) !== undefined) return false;
  const quota = await collectionQuota?.(score.key_id);
  return (await quota?.hasCapacity()) ?? true;
}

/** Stores a collection, to be run by `holder` or (null) by any process with capacity; or returns the running one. */
export async function startCollection(
  options: Pick<ScoringOptions, 'db' | 'now' | 'random' | 'collectionSeconds'>,
  { assetId, request, keyId }: { readonly assetId: string; readonly request: ScoreRequest; readonly keyId: string },
  holder: Holder,
  db: Parameters<typeof insertOrJoin>[0] = options.db,
): Promise<{ readonly row: JobRow; readonly joined: boolean }> {
  const id = newJobId(request.type, options);
  return insertOrJoin(
    db,
    {
      id,
      kind: 'collection',
      asset_id: assetId,
      request: JSON.stringify(request),
      request_hash: collectionHash(assetId),
      deadline_seconds: Math.round(options.collectionSeconds),
      key_id: keyId,
      created_at: new Date(options.now()).toISOString(),
    },
    holder,
  );
}

/** The canonical request of an asset that was rated before; null for one that never was. */
export async function storedRequest(db: Database, assetId: string): Promise<ScoreRequest | null> {
  const subject = await ratedSubject(db, assetId);
  if (subject === null) return null;
  const { record } = subject.state;
  return record === undefined ? requestOfAsset(JSON.parse(subject.asset) as Asset) : requestOfRecord(record);
}

/** After a clock was set back, times in the future are not fresher than those in the past. */
export function isFresh(asOf: string, now: number, freshSeconds: number): boolean {
  return Math.abs(now - Date.parse(asOf)) < freshSeconds * 1_000;
}

/** Such as `5 s`, `12 min`, `3 h`, `4 days`. */
export function ageOf(asOf: string, now: number): string {
  const seconds = Math.max(0, Math.round((now - Date.parse(asOf)) / 1_000));
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.round(seconds / 3_600)} h` : `${Math.round(seconds / 86_400)} days`;
}

/** The request by which an identified asset is collected, from its canonical record. */
export function requestOfFound({ canonical, asset, stage }: Identification): ScoreRequest {
  return canonical === undefined ? requestOfAsset(asset) : canonicalRequest(canonical, stage);
}

/** The same from a stored record. */
export function requestOfRecord(record: CanonicalRecord): ScoreRequest {
  return canonicalRequest(record, stageOf(record.assetId, record.symbol.value));
}

/**
 * The same for an asset without a stored record (rated before records existed): from its id, its token and its domain.
 */
export function requestOfAsset(asset: Asset): ScoreRequest {
  const stage = stageOf(asset.id, asset.symbol);
  // The domain only: path, query and subdomain of a stored URL may come from a caller.
  const domain = stage === 'pre_tge' ? asset.id.slice('project:'.length) : asciiDomain(asset.website ?? '');
  return {
    type: stage === 'pre_tge' ? 'pretge' : 'posttge',
    project: asset.name,
    projectUrl: domain === null ? NO_WEBSITE : `https://${domain}/`,
    tokenSymbol: asset.symbol,
    category: null,
    blockchain: asset.chain,
    tokenAddress: asset.address === 'native' ? null : asset.address,
  };
}

/** Only a project without a token has an id by its domain and no symbol. */
function stageOf(assetId: string, symbol: string | null): Stage {
  return assetId.startsWith('project:') && symbol === null ? 'pre_tge' : 'post_tge';
}

/** Text that does not have the form of an id needs no query. */
export const JOB_ID = /^[a-z]{1,32}_\d{1,16}_[a-z0-9]{8}$/;

const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** An id in the form of the contract: type, milliseconds, eight random letters. */
export function newJobId(
  type: string,
  { now, random }: { readonly now: () => number; readonly random: (bytes: number) => Uint8Array },
): string {
  let text = '';
  // 252 = 7 x 36: larger bytes would make some letters more probable.
  while (text.length < 8) for (const byte of random(8)) if (byte < 252 && text.length < 8) text += LETTERS[byte % 36];
  return `${type.toLowerCase()}_${now()}_${text}`;
}

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
  collectionHash,
  type Database,
  type Holder,
  insertOrJoin,
  type JobRow,
  noteCollection,
  ratedSubject,
  type StandingJob,
  standingJob,
} from '../store/index.ts';
import { failureOf } from './failures.ts';
import type { JobFailure, ScoringOptions } from './types.ts';

/** In the place of a key's id: collections that scores start. They belong to no caller. */
const COLLECTION_KEY = 'collection';

/** Where a score gets its answer from. */
export type Attachment =
  | { readonly kind: 'standing'; readonly standing: StandingJob; readonly warnings: readonly string[] }
  | {
      readonly kind: 'collection';
      readonly row: JobRow;
      readonly isNew: boolean;
      readonly standing: StandingJob | null;
    }
  | { readonly kind: 'refused'; readonly failure: JobFailure };

/**
 * Gives a score the published rating when that is fresh, the collection under way when there is one, else one that it starts:
 * held by `holder`, who has to run it, or (null) waiting for a place. One per asset is under way, over all processes.
 */
export async function attach(
  options: ScoringOptions,
  score: JobRow,
  identification: Identification,
  holder: Holder,
): Promise<Attachment> {
  const { db, now, freshSeconds } = options;
  const { id: assetId } = identification.asset;
  const standing = await standingJob(db, assetId);
  if (standing !== null && isFresh(standing.asOf, now(), freshSeconds))
    return { kind: 'standing', standing, warnings: [] };
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
      standing,
      warnings: [
        `the account has started its ${spent.limit} collections of today (UTC): this is the newest published rating, ${age} old; the quota is full again in ${spent.resetSeconds} s`,
      ],
    };
  }
  const request = (await storedRequest(db, assetId)) ?? requestOfFound(identification);
  const { row, joined } = await startCollection(options, { assetId, request, keyId: COLLECTION_KEY }, holder);
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
  const standing = await standingJob(db, assetId);
  if (standing !== null && isFresh(standing.asOf, now(), freshSeconds)) return false;
  if ((await activeJob(db, collectionHash(assetId))) !== undefined) return false;
  const quota = await collectionQuota?.(score.key_id);
  return (await quota?.hasRoom()) ?? true;
}

/** Stores a collection, to be run by `holder` or (null) by whoever has room; or gives the one under way. */
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

/** A clock that was set back makes what lies ahead of it no fresher than what lies behind. */
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

/** The request by which an asset is collected that an identification found: of its canonical record. */
export function requestOfFound({ canonical, asset, stage }: Identification): ScoreRequest {
  return canonical === undefined ? requestOfAsset(asset) : canonicalRequest(canonical, stage);
}

/** The same by a record that was kept. */
export function requestOfRecord(record: CanonicalRecord): ScoreRequest {
  return canonicalRequest(record, stageOf(record.assetId, record.symbol.value));
}

/** The same for an asset of which no record is kept (rated before records were): of its id, its token and its domain. */
export function requestOfAsset(asset: Asset): ScoreRequest {
  const stage = stageOf(asset.id, asset.symbol);
  // The domain alone: path, query and subdomain of a stored address may be a caller's.
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

/** What is not written like an id cannot be one; the store need not see it. */
export const JOB_ID = /^[a-z]{1,32}_\d{1,16}_[a-z0-9]{8}$/;

const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** An id of the contract's form: type, milliseconds, eight random letters. */
export function newJobId(
  type: string,
  { now, random }: { readonly now: () => number; readonly random: (bytes: number) => Uint8Array },
): string {
  let text = '';
  // 252 = 7 x 36: bytes above would make some letters likelier.
  while (text.length < 8) for (const byte of random(8)) if (byte < 252 && text.length < 8) text += LETTERS[byte % 36];
  return `${type.toLowerCase()}_${now()}_${text}`;
}

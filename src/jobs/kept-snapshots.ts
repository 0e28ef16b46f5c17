import { createHash } from 'node:crypto';
import type { HoldersSnapshot, LaunchRecord, MarketSnapshot } from '../contract/index.ts';
import {
  type AssetHistory,
  canonicalScope,
  DAY_MS,
  type EvidenceRecord,
  type HistoryPoint,
  HOLDER_SCAN,
  HOUR_MS,
  LAUNCH_READ,
  marketOfScope,
  median,
  type Observation,
  QUANTITIES,
  type ResponseRecord,
  type SupplyPoint,
  sourcesFor,
} from '../domain/index.ts';
import type { Methodology } from '../methodology/index.ts';
import { type Database, lastPoints, launchOf, type StoredPrice, snapshotAsOf } from '../store/index.ts';

const HOURS = 27;
/** The longest look-back of a rule: no trade for 90 days. */
const DAYS = 92;
const DAYS_KEPT = 31;
const YEAR_DAYS = 365;
/** Longest time by which the snapshot of the day before may be older than a day. */
const DAY_SLACK_MS = 12 * HOUR_MS;
/**
 * Least age of an archive, in days, in which an old total supply is looked up; `SUPPLY_DAYS`: the ages that are tried,
 * in this order.
 */
const LEAST_SUPPLY_DAYS = 90;
const SUPPLY_DAYS = [YEAR_DAYS, 270, 180, 120, LEAST_SUPPLY_DAYS] as const;
const CHAIN_SOURCES = new Set(sourcesFor('chain'));
/** Exchanges whose own markets are requested, so that a removed one is noticed. */
const ASKED_EXCHANGES: ReadonlySet<string> = new Set(sourcesFor('own_markets'));

/** Snapshots of an asset before `asOf` (RFC 3339); null for one without any. */
export async function assetHistory(
  db: Database,
  assetId: string,
  asOf: string,
  methodology: Methodology,
): Promise<AssetHistory | null> {
  const now = Date.parse(asOf);
  const [hours, days, dayAgo] = await Promise.all([
    lastPoints(db, assetId, asOf, { step: 'hour', count: HOURS }),
    lastPoints(db, assetId, asOf, { step: 'day', count: DAYS }),
    marketAt(db, assetId, now - DAY_MS, DAY_SLACK_MS),
  ]);
  if (days.length === 0 && dayAgo === null) return null;
  const today = asOf.slice(0, 10);
  const first = new Date(now - DAYS_KEPT * DAY_MS).toISOString().slice(0, 10);
  return {
    hours: hours.map(pointOf),
    days: days.filter((row) => row.at < today && row.at >= first).map(pointOf),
    quiet: quietOf(days),
    supply: { dayAgo: supplyOf(dayAgo), oldest: isLongKept(days, now) ? await oldestSupply(db, assetId, now) : null },
    circulating: circulatingOf(
      days.filter((row) => row.at < today),
      methodology.featureRules.redeemed.steady,
    ),
    listings: dayAgo === null ? [] : listingsOf(dayAgo),
  };
}

/**
 * Empty unless the price stayed within the share `steady` of its median: only then are units that leave the supply
 * redeemed.
 */
function circulatingOf(days: readonly StoredPrice[], steady: number): NonNullable<AssetHistory['circulating']> {
  const known = days.flatMap(({ at, priceUsd, marketCapUsd }) =>
    priceUsd === null || marketCapUsd === null || priceUsd <= 0 || marketCapUsd <= 0
      ? []
      : [{ at, priceUsd, tokens: marketCapUsd / priceUsd }],
  );
  const middle = median(known.map((row) => row.priceUsd)) ?? 0;
  return known.every((row) => Math.abs(row.priceUsd / middle - 1) <= steady) ? known : [];
}

/** False for an archive without older months: looking for them would read every stored day. */
function isLongKept([first]: readonly StoredPrice[], now: number): boolean {
  return first !== undefined && Date.parse(first.at) <= now - LEAST_SUPPLY_DAYS * DAY_MS;
}

async function oldestSupply(db: Database, assetId: string, now: number) {
  for (const days of SUPPLY_DAYS) {
    const found = supplyOf(await marketAt(db, assetId, now - days * DAY_MS, 30 * DAY_MS));
    if (found !== null) return found;
  }
  return null;
}

async function marketAt(db: Database, assetId: string, at: number, slackMs: number): Promise<MarketSnapshot | null> {
  const stored = await snapshotAsOf(db, assetId, 'market', new Date(at).toISOString());
  if (stored === null || Date.parse(stored.asOf) < at - slackMs) return null;
  return JSON.parse(new TextDecoder().decode(stored.body)) as MarketSnapshot;
}

function supplyOf(snapshot: MarketSnapshot | null): SupplyPoint | null {
  const supply = snapshot?.total_supply ?? null;
  if (snapshot === null || supply === null || supply <= 0) return null;
  const sources = snapshot.provenance.total_supply?.sources ?? [];
  return { at: snapshot.as_of, totalSupply: supply, isOnChain: sources.some((name) => CHAIN_SOURCES.has(name)) };
}

/** Snapshots of earlier versions contain markets under the names of their sources, some of them twice. */
function listingsOf(snapshot: MarketSnapshot): AssetHistory['listings'] {
  const listings = new Map<string, AssetHistory['listings'][number]>();
  for (const { venue, volume_24h_usd: volume } of snapshot.venues) {
    const scope = canonicalScope(`venue:${venue}`) ?? '';
    if (volume === null || volume <= 0 || listings.has(scope)) continue;
    if (ASKED_EXCHANGES.has(marketOfScope(scope)?.exchange ?? ''))
      listings.set(scope, { at: snapshot.as_of, venue: scope.slice('venue:'.length), volume24hUsd: volume });
  }
  return [...listings.values()];
}

/** A day with unknown volume neither counts as a day without trades nor ends the series. */
function quietOf(days: readonly StoredPrice[]): AssetHistory['quiet'] {
  const known = days.filter((row) => row.volume24hUsd !== null);
  const traded = known.findLastIndex((row) => row.volume24hUsd !== 0);
  const silent = known.slice(traded + 1);
  return silent[0] === undefined ? null : { since: silent[0].at, points: silent.length };
}

function pointOf({ at, priceUsd, liquidityUsd, volume24hUsd }: StoredPrice): HistoryPoint {
  return { at, priceUsd, liquidityUsd, volume24hUsd };
}

/** A complete enumeration of the holders of an asset, as stored. */
export interface HolderScan {
  readonly snapshot: HoldersSnapshot;
  /** SHA-256 of the stored snapshot, hex. */
  readonly sha256: string;
  readonly bytes: number;
}

/** Within 48 hours after a scan no incomplete list of holders is stored, so steps below this do not miss a scan. */
const STEP_MS = 47 * HOUR_MS;

/**
 * The newest complete scan of an asset between the age limit for holders and `asOf` (RFC 3339): every owner read from
 * the chain by the indexer, with the sum checked against the supply. Null without one; lists of explorers and other
 * sources never count.
 */
export async function newestHolderScan(
  db: Database,
  assetId: string,
  asOf: string,
  methodology: Methodology,
): Promise<HolderScan | null> {
  const now = Date.parse(asOf);
  const oldest = now - maxAgeMs(methodology);
  for (let at = now; at >= oldest; at -= STEP_MS) {
    const stored = await snapshotAsOf(db, assetId, 'holders', new Date(at).toISOString());
    if (stored === null || Date.parse(stored.asOf) < oldest) return null;
    const snapshot = JSON.parse(new TextDecoder().decode(stored.body)) as HoldersSnapshot;
    if (snapshot.method !== 'full_scan' || snapshot.status !== 'complete') continue;
    return {
      snapshot,
      sha256: createHash('sha256').update(stored.body).digest('hex'),
      bytes: stored.body.byteLength,
    };
  }
  return null;
}

/** Holder lists use the age limit of `holder_count`: that of lists in general does not suit balances. */
function maxAgeMs({ consensus }: Methodology): number {
  return (consensus.classes[consensus.classOf.holder_count]?.maxAgeSeconds ?? 0) * 1000;
}

/** The launch of an asset, from the forensics. */
export interface KeptLaunch {
  readonly record: LaunchRecord;
  /** RFC 3339: when it was read. */
  readonly asOf: string;
  /** SHA-256 of the stored record, hex. */
  readonly sha256: string;
  readonly bytes: number;
}

/**
 * The stored launch of an asset at or before `asOf` (RFC 3339); null when there is none. It does not age: a launch does
 * not change.
 */
export async function keptLaunch(db: Database, assetId: string, asOf: string): Promise<KeptLaunch | null> {
  const stored = await launchOf(db, assetId, asOf);
  if (stored === null) return null;
  const { record, asOf: readAt } = JSON.parse(new TextDecoder().decode(stored.record)) as KeptLaunch;
  const sha256 = createHash('sha256').update(stored.record).digest('hex');
  return { record, asOf: readAt, sha256, bytes: stored.record.byteLength };
}

/** Share of the payers that must be known before a launch can be stated to have no bundle. */
const KNOWN_PAYERS = 0.5;
/** Confidence of "no bundle", which rests on the purchases alone, as the chain shows them. */
const SURE = 0.9;

/**
 * A launch as the observation of the share that the largest bundle bought in the first block, with its response record,
 * for the evidence of a rating of `asOf`. Null when too few payers are known to exclude a bundle. Pure.
 */
export function launchEvidence(
  { record, asOf: readAt, sha256, bytes }: KeptLaunch,
  assetId: string,
  asOf: string,
): { readonly response: ResponseRecord; readonly observation: Observation } | null {
  const [largest] = record.bundles;
  if (largest === undefined && record.payers_known < record.payers_looked_for * KNOWN_PAYERS) return null;
  const endpoint = 'launch';
  const id = `${LAUNCH_READ.source}.${endpoint}#${sha256.slice(0, 8)}`;
  const head = { source: LAUNCH_READ.source, endpoint, fetchedAt: readAt };
  const members = largest?.members.length ?? 0;
  return {
    response: {
      ...STORED,
      ...head,
      id,
      params: { assetId, pool: record.pool, height: record.first_block },
      url: `/v1/rms/${encodeURIComponent(assetId)}/forensics`,
      sha256,
      bytes,
    },
    observation: {
      ...head,
      quantity: 'bundled_launch_share',
      scope: 'asset',
      value: (largest?.share_pct ?? 0) / 100,
      unit: QUANTITIES.bundled_launch_share.unit,
      meaning:
        largest === undefined
          ? `no bundle among the ${record.buyers} buyers of the first block, share of total supply`
          : `bought in the first block by ${members} wallets that belong together (${largest.links.join(', ')}), share of total supply`,
      family: LAUNCH_READ.family,
      tier: 'chain',
      observedAt: asOf,
      reliability: largest?.confidence ?? SURE,
      binding: 1,
      responseId: id,
    },
  };
}

/** Common fields of response records from the store: no request was sent. */
const STORED = {
  outcome: 'ok',
  method: 'GET',
  status: null,
  milliseconds: 0,
  headers: {},
  detail: null,
  fromCache: true,
} as const;

/**
 * An earlier collection without the parts that are read from the store each time: a scan of the holders and the launch
 * are never carried over.
 */
export function withoutKept<Parts extends Pick<EvidenceRecord, 'observations' | 'responses'>>(parts: Parts): Parts {
  const isOther = ({ source }: { readonly source: string }) =>
    source !== HOLDER_SCAN.source && source !== LAUNCH_READ.source;
  return { ...parts, observations: parts.observations.filter(isOther), responses: parts.responses.filter(isOther) };
}

/** A scan as one observation of the holder list with its response record, for the evidence of a rating. Pure. */
export function holderScanEvidence({ snapshot, sha256, bytes }: HolderScan): {
  readonly response: ResponseRecord;
  readonly observation: Observation;
} {
  const { asset, as_of: at, scan } = snapshot;
  const endpoint = 'holders_snapshot';
  const id = `${HOLDER_SCAN.source}.${endpoint}#${sha256.slice(0, 8)}`;
  const head = { source: HOLDER_SCAN.source, endpoint, fetchedAt: at };
  return {
    response: {
      ...STORED,
      ...head,
      id,
      params: { assetId: asset.id, asOf: at, height: scan.height },
      url: `/v1/${asset.chain}/${asset.address}/holders/snapshot?as_of=${at}`,
      sha256,
      bytes,
    },
    observation: {
      ...head,
      quantity: 'top_holders',
      scope: 'asset',
      value: snapshot.top_holders.map(({ address, share_pct, labels }) => {
        const kind = labels.find((label) => label.confidence >= HOLDER_SCAN.leastLabelConfidence)?.kind;
        return { owner: address, sharePct: share_pct, ...(kind === undefined ? {} : { kind }) };
      }),
      unit: QUANTITIES.top_holders.unit,
      meaning: `the ${snapshot.top_holders.length} largest owners of a complete scan of the chain, share of total supply`,
      family: HOLDER_SCAN.family,
      tier: 'chain',
      observedAt: at,
      reliability: HOLDER_SCAN.reliability,
      binding: 1,
      responseId: id,
    },
  };
}

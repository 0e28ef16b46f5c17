import type { AssetHistory, HistoryPoint, MarketSnapshot, SupplyPoint } from '../domain/index.ts';
import { canonicalScope, DAY_MS, HOUR_MS, marketOfScope, median, tellersOf } from '../domain/index.ts';
import type { Database } from '../store/index.ts';
import { lastPoints, type StoredPoint, snapshotAsOf } from '../store/index.ts';

const HOURS = 27;
/** As far back as the longest rule looks: no trade for 90 days. */
const DAYS = 92;
const DAYS_KEPT = 31;
const YEAR_DAYS = 365;
/** A snapshot of `a day before` is at most this much older. */
const DAY_SLACK_MS = 12 * HOUR_MS;
/** Where the oldest total supply is looked for, newest wish first: a year, else what a younger archive has. */
const LEAST_SUPPLY_DAYS = 90;
const SUPPLY_DAYS = [YEAR_DAYS, 270, 180, 120, LEAST_SUPPLY_DAYS] as const;
const CHAIN_SOURCES = new Set(tellersOf('chain'));
/** Exchanges that are asked about their own markets, so that one that is gone is seen. */
const ASKED_EXCHANGES: ReadonlySet<string> = new Set(tellersOf('own_markets'));

/** What was kept of an asset before `asOf` (RFC 3339); null for one that was never looked at. */
export async function assetHistory(db: Database, assetId: string, asOf: string): Promise<AssetHistory | null> {
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
    circulating: circulatingOf(days.filter((row) => row.at < today)),
    listings: dayAgo === null ? [] : listingsOf(dayAgo),
  };
}

/** A price that stays so near its middle is kept there: only of such assets what leaves the supply is redeemed. */
const STEADY = 0.1;

function circulatingOf(days: readonly StoredPoint[]): NonNullable<AssetHistory['circulating']> {
  const known = days.flatMap(({ at, priceUsd, marketCapUsd }) =>
    priceUsd === null || marketCapUsd === null || priceUsd <= 0 || marketCapUsd <= 0
      ? []
      : [{ at, priceUsd, tokens: marketCapUsd / priceUsd }],
  );
  const middle = median(known.map((row) => row.priceUsd)) ?? 0;
  return known.every((row) => Math.abs(row.priceUsd / middle - 1) <= STEADY) ? known : [];
}

/** Looking for months that were never kept would open every day there is. */
function isLongKept([first]: readonly StoredPoint[], now: number): boolean {
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

/** Snapshots of earlier versions name markets as their sources did, and some twice. */
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

/** A day whose volume nobody knew neither counts nor ends the silence. */
function quietOf(days: readonly StoredPoint[]): AssetHistory['quiet'] {
  const known = days.filter((row) => row.volume24hUsd !== null);
  const traded = known.findLastIndex((row) => row.volume24hUsd !== 0);
  const silent = known.slice(traded + 1);
  return silent[0] === undefined ? null : { since: silent[0].at, points: silent.length };
}

function pointOf({ at, priceUsd, liquidityUsd, volume24hUsd }: StoredPoint): HistoryPoint {
  return { at, priceUsd, liquidityUsd, volume24hUsd };
}

import type { Asset, AssetClass, Band, Category, Namesakes } from '../domain/index.ts';
import type { Methodology } from '../methodology/index.ts';
import type { Signature } from '../signing/index.ts';
import {
  type AssetName,
  type ClassPeer,
  classPeers,
  correctionsOf,
  createNotificationTimestamps,
  type Database,
  findRated,
  type ListColumn,
  listenForRatings,
  listRated,
  methodologiesOf,
  newestActions,
  newestRatings,
  type PeerCount,
  peerCounts,
  peerOf,
  primaryReads,
  type RatedPeer,
  type RatingRow,
  type Reads,
  type RestatementRow,
  ratingAsOf,
  ratingByMethodology,
  ratingsBetween,
  type Store,
  withdrawnAmong,
} from '../store/index.ts';
import { listPlace, ratingPlace, writeCursor } from './cursors.ts';
import { meantBy } from './meant-by.ts';
import { type Overview, readOverview } from './overview.ts';
import { type RatedText, readRatedText, sameSymbol } from './rated-text.ts';
import type { PeerRank, RatedAsset, RatedFound, RatingCorrection, RatingReader, StoredRating } from './types.ts';

/** Most candidates of an ambiguous name. */
const MOST_CANDIDATES = 20;
const MOST_COUNTED = 10_000;

export interface StoredRatings extends RatingReader {
  /** Versions of the methodology of an asset's ratings, the newest first. */
  methodologies(assetId: string): Promise<readonly string[]>;
  /** Assets among these that have no band and had a rating withdrawn. */
  withdrawn(assetIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** All rated assets at `at` (milliseconds); `flags` are those of the methodology in force. */
  overview(at: number, flags: Methodology['flags']): Promise<Overview>;
  /** The largest rated assets of a class; cached for a minute. */
  classPeers(of: AssetClass): Promise<readonly ClassPeer[]>;
  close(): Promise<void>;
}

/** Published ratings from the store. Callers check cursors first (`ratingPlace`, `listPlace`). */
export function createRatingReader({
  store,
  namesakes = async () => null,
  reads = primaryReads(store),
  now,
  onError,
}: {
  readonly store: Store;
  /** What registries list under a name. Default: no list is available. */
  readonly namesakes?: Namesakes;
  /** Source of lists and histories, which may lag. The newest rating comes from the primary. */
  readonly reads?: Pick<Reads, 'run'>;
  readonly now: () => number;
  readonly onError: (error: unknown, what: string) => void;
}): StoredRatings {
  const { db } = store;
  const listener = listenForRatings({ url: store.url, onError: (error) => onError(error, 'listening for ratings') });
  const standing = createRanks(db, now);
  const told = createNotificationTimestamps(MOST_COUNTED, () => performance.now());
  listener.onRated((assetId) => told.note(assetId));

  /** A caller that was notified of a rating must find it: a replica that may lag is not read. */
  const readOf = <Value>(assetId: string, read: (db: Database) => Promise<Value>): Promise<Value> =>
    reads.run(read, told.of(assetId));

  const first = async (rows: readonly (RatingRow | null)[]): Promise<StoredRating | null> => {
    const [row] = rows;
    return row ? ((await withCorrections(db, [row]))[0] ?? null) : null;
  };

  return {
    async find(given) {
      const read = readRatedText(given);
      if (!read.ok) return { meant: null, candidates: [] };
      const named = await candidates(db, nameOf(read.value));
      if (read.value.kind !== 'symbol') return found(named.length === 1 ? (named[0] ?? null) : null, named);
      const { symbol: text } = read.value;
      const bySymbol = named.filter(({ asset: { symbol } }) => symbol !== null && sameSymbol(symbol, text));
      if (bySymbol.length > 0) return found(await meantBy(db, text, bySymbol, namesakes), bySymbol);
      const byName = (await candidates(db, { by: 'name', value: text })).filter(({ asset: { name } }) =>
        sameSymbol(name, text),
      );
      return found(await meantBy(db, text, byName, namesakes), byName);
    },
    latest: async (assetId) => first(await newestRatings(db, [assetId])),
    latestOf: async (assetIds) => withCorrections(db, await newestRatings(db, assetIds)),
    asOf: async (assetId, at) => first([await readOf(assetId, (late) => ratingAsOf(late, assetId, at))]),
    byMethodology: async (assetId, version, at) =>
      first([await readOf(assetId, (late) => ratingByMethodology(late, assetId, version, at))]),
    methodologies: (assetId) => readOf(assetId, (late) => methodologiesOf(late, assetId)),
    async history(assetId, { limit, cursor, ...query }) {
      const options = { ...query, after: ratingPlace(cursor), limit: limit + 1 };
      const rows = await readOf(assetId, (late) => ratingsBetween(late, assetId, options));
      return pageOf(rows, limit, (row) => writeCursor([row.asOf, row.id]));
    },
    async actions({ limit, cursor, from, to }) {
      const options = { from, to, before: ratingPlace(cursor), limit: limit + 1 };
      const rows = await reads.run((late) => newestActions(late, options));
      return pageOf(rows, limit, (row) => writeCursor([row.asOf, row.id]));
    },
    async list({ sort, bands, limit, cursor, ...filters }) {
      const column = sort.replace('-', '') as ListColumn;
      const descending = sort.startsWith('-');
      const after = listPlace(cursor, sort);
      const query = { ...filters, bands, sort: column, descending, after, limit: limit + 1 };
      const rows = await reads.run((late) => listRated(late, query));
      return pageOf(rows, limit, (row) => writeCursor([sort, row.place, row.assetId]));
    },
    standing,
    withdrawn: async (assetIds) => new Set(await reads.run((late) => withdrawnAmong(late, assetIds))),
    overview: (at, flags) => reads.run((late) => readOverview(late, at, flags)),
    classPeers: createClassPeers(db, now),
    onRated: (told) => listener.onRated(told),
    close: () => listener.close(),
  };
}

async function candidates(db: Database, name: AssetName): Promise<readonly RatedAsset[]> {
  return (await findRated(db, name)).map(({ asset, band, score, trust, as_of: asOf }) => {
    return { asset: JSON.parse(asset) as Asset, band: band as Band, score, trust, asOf };
  });
}

function found(meant: RatedAsset | null, all: readonly RatedAsset[]): RatedFound {
  return { meant, candidates: meant === null ? all.slice(0, MOST_CANDIDATES) : [meant] };
}

function nameOf(read: RatedText): AssetName {
  if (read.kind === 'id') return { by: 'asset_id', value: read.assetId };
  if (read.kind === 'address') return { by: 'address', value: read.address };
  // Folded like the stored symbols.
  return { by: 'symbol_folded', value: read.symbol.normalize('NFC').toLowerCase() };
}

function pageOf<Row extends RatingRow>(rows: readonly Row[], limit: number, cursorOf: (row: Row) => string) {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { ratings: page.map(toStored), nextCursor: rows.length > limit && last ? cursorOf(last) : null };
}

/** Ratings with their newest corrections, which the primary has: a caller that was told of one must find it. */
async function withCorrections(db: Database, rows: readonly RatingRow[]): Promise<readonly StoredRating[]> {
  const corrections = await correctionsOf(
    db,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => {
    const found = corrections.get(row.id);
    return { ...toStored(row), correction: found === undefined ? null : correctionOf(row, found) };
  });
}

/** Null if the newest correction takes earlier ones back. */
function correctionOf(
  { record }: RatingRow,
  { id, made_at, reason, body }: Pick<RestatementRow, 'id' | 'made_at' | 'reason' | 'body'>,
): RatingCorrection | null {
  type Then = Pick<RatingCorrection, 'band' | 'score'>;
  const { band, score } = (JSON.parse(body) as { readonly after: Then }).after;
  const published = JSON.parse(Buffer.from(record).toString('utf8')) as Then;
  if (published.band === band && published.score === score) return null;
  return { restatement_id: id, made_at, reason, band, score };
}

function toStored({ id, assetId, asOf, storedAt, jobId, record, signature }: RatingRow): StoredRating {
  return { id, assetId, asOf, storedAt, jobId, record, signature: JSON.parse(signature) as Signature };
}

/** Most peers of a class that are compared. */
const MOST_CLASS_PEERS = 500;

/** Peers of classes, cached for a minute. */
function createClassPeers(db: Database, now: () => number): StoredRatings['classPeers'] {
  const kept = new Map<AssetClass, { readonly peers: Promise<readonly ClassPeer[]>; readonly at: number }>();
  return (of) => {
    const known = kept.get(of);
    if (known && Math.abs(now() - known.at) < BELIEVE_MS) return known.peers;
    const peers = classPeers(db, of, MOST_CLASS_PEERS);
    kept.set(of, { peers, at: now() });
    peers.catch(() => kept.delete(of));
    return peers;
  };
}

/** Fewer peers are not representative. */
export const LEAST_PEERS = 5;
/** Milliseconds for which score counts and class peers are cached. */
const BELIEVE_MS = 60_000;

/** Percentiles of assets among their peers; the counts of a category are cached for a minute. */
export function createRanks(db: Database, now: () => number): (assetId: string) => Promise<PeerRank | null> {
  const counted = new Map<string, { readonly counts: Promise<readonly PeerCount[]>; readonly at: number }>();

  function countsOf(category: string): Promise<readonly PeerCount[]> {
    const known = counted.get(category);
    // After the clock was set back, counts that are dated in the future are not fresh.
    if (known && Math.abs(now() - known.at) < BELIEVE_MS) return known.counts;
    const counts = peerCounts(db, category);
    counted.set(category, { counts, at: now() });
    counts.catch(() => counted.delete(category));
    return counts;
  }

  return async (assetId) => {
    const asset = await peerOf(db, assetId);
    return asset && rankAmong(asset, await countsOf(asset.category));
  };
}

/**
 * Share of the peers (without the asset itself) that score lower, ties by half, 0-100 in steps of 0.1: in the category,
 * and among its assets whose market capitalisation is in the same decade.
 */
export function rankAmong(asset: RatedPeer, counts: readonly PeerCount[]): PeerRank {
  const all = among(asset.score, counts);
  const ofSize = counts.filter((one) => one.decade === asset.decade);
  const sized = asset.decade === null ? null : among(asset.score, ofSize);
  return {
    category: asset.category as Category,
    categoryPercentile: all.percentile,
    categoryPeers: all.peers,
    sizeGroup: asset.decade === null ? null : `1e${asset.decade}-1e${asset.decade + 1} USD`,
    sizePercentile: sized?.percentile ?? null,
    sizePeers: sized?.peers ?? 0,
  };
}

function among(
  score: number | null,
  counts: readonly PeerCount[],
): { readonly percentile: number | null; readonly peers: number } {
  let [lower, same, total] = [0, 0, 0];
  for (const one of counts) {
    total += one.assets;
    if (score === null) continue;
    if (one.score < score) lower += one.assets;
    else if (one.score === score) same += one.assets;
  }
  // The counts may be older than the asset's score and then do not contain it.
  const others = Math.max(0, same - 1);
  const peers = score === null || same === 0 ? total : total - 1;
  if (score === null || peers < LEAST_PEERS) return { percentile: null, peers };
  return { percentile: Math.round((1_000 * (lower + others / 2)) / peers) / 10, peers };
}

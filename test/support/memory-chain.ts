import { createHash } from 'node:crypto';
import type { AssetIndex, IndexedAsset } from '../../src/api/context.ts';
import type { ExportFormat } from '../../src/contract/export.ts';
import type { Snapshot } from '../../src/contract/index.ts';
import type { Asset } from '../../src/domain/asset.ts';
import type { SnapshotKind } from '../../src/domain/snapshot.ts';
import type { ExportService, PublishedFile } from '../../src/exports/published-days.ts';
import type { SnapshotReader, StoredSnapshot } from '../../src/indexer/index.ts';
import { solanaAsset } from './chain-snapshots.ts';

export interface MemoryReader extends SnapshotReader {
  /** Stores and tells, as another process would. */
  put(snapshot: Snapshot): StoredSnapshot;
  /** Stores without telling: a notice that got lost. */
  putSilently(snapshot: Snapshot): StoredSnapshot;
  readonly assets: Asset[];
  readonly reads: { latest: number; asOf: number; find: number };
  /** Milliseconds a read takes. */
  delayMs: number;
}

/** A reader that holds everything in memory, by the same rules as the one on PostgreSQL. */
export function memoryReader(now: () => number): MemoryReader {
  const rows: StoredSnapshot[] = [];
  const listeners = new Set<Parameters<SnapshotReader['onStored']>[0]>();
  const of = (assetId: string, kind: SnapshotKind) =>
    rows.filter((row) => row.assetId === assetId && row.kind === kind).sort((a, b) => (a.asOf < b.asOf ? -1 : 1));
  const reader: MemoryReader = {
    assets: [],
    reads: { latest: 0, asOf: 0, find: 0 },
    delayMs: 0,
    putSilently(snapshot) {
      const stored: StoredSnapshot = {
        assetId: snapshot.asset.id,
        kind: snapshot.kind,
        asOf: snapshot.as_of,
        storedAt: new Date(now()).toISOString(),
        body: Buffer.from(JSON.stringify(snapshot)),
      };
      rows.push(stored);
      return stored;
    },
    put(snapshot) {
      const stored = reader.putSilently(snapshot);
      for (const listener of listeners) listener(stored.assetId, stored.kind, stored.asOf, stored.storedAt);
      return stored;
    },
    async latest(assetId, kind) {
      reader.reads.latest += 1;
      const found = of(assetId, kind).at(-1) ?? null;
      if (reader.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, reader.delayMs));
      return found;
    },
    async asOf(assetId, kind, at) {
      reader.reads.asOf += 1;
      return of(assetId, kind).findLast((row) => row.asOf <= at) ?? null;
    },
    async history(assetId, kind, query) {
      const from = query.cursor ?? query.from;
      let found = of(assetId, kind).filter((row) => row.asOf >= from && row.asOf <= query.to);
      if (query.intervalSeconds !== null) {
        const step = query.intervalSeconds * 1000;
        found = [...new Map(found.map((row) => [Math.floor(Date.parse(row.asOf) / step), row])).values()];
      }
      return { snapshots: found.slice(0, query.limit), nextCursor: found[query.limit]?.asOf ?? null };
    },
    async find(chain, text) {
      reader.reads.find += 1;
      const wanted = text.toLowerCase();
      return reader.assets.filter(
        (asset) =>
          asset.chain === chain &&
          (asset.id === text || asset.address === text || asset.symbol?.toLowerCase() === wanted),
      );
    },
    onReorganised: () => () => undefined,
    async storedSince({ assetIds, kinds }, since, most) {
      return assetIds
        .flatMap((assetId) => kinds.flatMap((kind) => of(assetId, kind).slice(-most)))
        .filter((row) => row.storedAt > since)
        .sort((a, b) => (a.storedAt < b.storedAt ? -1 : 1));
    },
    onStored(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  return reader;
}

/** One published day of Solana, 2026-11-19, in JSON (also gzip) and CSV. */
export function memoryExports(bodies: Readonly<Record<string, Buffer>>): ExportService {
  const file = (format: ExportFormat, encoding: 'identity' | 'gzip'): PublishedFile | null => {
    const name = `solana-2026-11-19.${format}${encoding === 'gzip' ? '.gz' : ''}`;
    const bytes = bodies[name];
    if (!bytes) return null;
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    return { format, encoding, name, bytes: bytes.length, sha256, etag: `"${sha256.slice(0, 32)}"`, path: name };
  };
  return {
    async open(subject, date, format, encodings) {
      if (subject !== 'solana') return { ok: false, reason: 'not_published_yet', detail: 'nothing is published yet' };
      if (date !== null && date !== '2026-11-19') return { ok: false, reason: 'no_such_day', detail: `no ${date}` };
      const found = encodings
        .map((encoding) => (encoding === 'zstd' ? null : file(format, encoding)))
        .find((row) => row);
      if (!found) return { ok: false, reason: 'no_such_day', detail: `not published as ${format}` };
      const day = {
        subject,
        date: '2026-11-19',
        revision: 1,
        rows: 2,
        publishedAt: '2026-11-20T00:05:00.000Z',
        files: [found],
      };
      return { ok: true, value: { day, file: found } };
    },
    async *read(wanted, from, to) {
      yield bodies[wanted.name]?.subarray(from, to) ?? Buffer.alloc(0);
    },
    async manifest() {
      return [];
    },
    async unreadable() {
      return [];
    },
  };
}

export function memoryIndex(reader: MemoryReader, now: () => number): AssetIndex {
  const entryOf = (asset: Asset): IndexedAsset => ({
    asset,
    kinds: ['market', 'holders', 'pools'],
    cadence: 'newest',
    addedBy: 'api',
    addedAt: new Date(now()).toISOString(),
    wantedUntil: null,
    paused: false,
    isYours: false,
  });
  return {
    list: async (chain, { after, limit }) =>
      reader.assets
        .filter((asset) => asset.chain === chain && asset.id > after)
        .toSorted((a, b) => (a.id < b.id ? -1 : 1))
        .slice(0, limit)
        .map(entryOf),
    entry: async (assetId) => {
      const asset = reader.assets.find((one) => one.id === assetId);
      return asset ? entryOf(asset) : null;
    },
    used: async () => 0,
    async add(chain, address) {
      const known = reader.assets.find((asset) => asset.chain === chain && asset.address === address);
      if (known) return { ok: true, value: { entry: entryOf(known), created: false } };
      if (chain !== 'solana') return { ok: false, reason: 'not_a_token', detail: 'no token lives there' };
      const asset = solanaAsset(address, 'NEW');
      reader.assets.push(asset);
      return { ok: true, value: { entry: entryOf(asset), created: true } };
    },
    awaited: async () => null,
    async remove(assetId) {
      const at = reader.assets.findIndex((asset) => asset.id === assetId);
      if (at >= 0) reader.assets.splice(at, 1);
      return at >= 0;
    },
  };
}

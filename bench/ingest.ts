import { createHash } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { from as copyFrom } from 'pg-copy-streams';
import { openStore } from '../src/store/database.ts';
import { openDatabase } from '../src/store/embedded.ts';
import type { NewSnapshot } from '../src/store/snapshots/snapshot-row.ts';
import { COPY_COLUMNS, copyChunks } from '../src/store/snapshots/snapshot-row.ts';
import { createSnapshotWriter } from '../src/store/snapshots/write.ts';

/**
 * A million snapshot rows with bodies of about 400 bytes by the store's own path (encoding, partitions, heads, notices, one transaction
 * a batch), compared with COPY of the same bytes, encoded beforehand, into an unpartitioned table of the same columns and key: the
 * limit. In turns, batch by batch, so that both use the same server, and each goes first as often.
 */
const ROWS = Number(process.env.ASSAY_BENCH_ROWS ?? 1_000_000);
const BATCH = 100_000;
const ASSETS = 10_000;
const START = Date.UTC(2026, 0, 1);

const dataDir = await mkdtemp(join(tmpdir(), 'assay-bench-'));
await chmod(dataDir, 0o755);
const database = await openDatabase({ databaseUrl: null, dataDir, role: 'service', log: () => undefined });
const store = await openStore(database.url, 'sandbox');
await store.pool.query('create table raw_snapshots (like snapshots including all)');
const writer = createSnapshotWriter(store.pool);
const milliseconds = { ours: 0, raw: 0 };
let bodyBytes = 0;
for (let first = 0; first < ROWS; first += BATCH) {
  const rows = Array.from({ length: Math.min(BATCH, ROWS - first) }, (_, index) => rowAt(first + index));
  bodyBytes += rows.reduce((sum, row) => sum + row.body.byteLength, 0);
  const storedAt = Date.parse(rows.at(-1)?.asOf ?? '');
  const encoded = [...copyChunks(rows, storedAt)];
  const turns: readonly (readonly ['ours' | 'raw', () => Promise<unknown>])[] = [
    ['ours', () => writer.store(rows, storedAt)],
    ['raw', () => rawCopy(encoded)],
  ];
  for (const [name, work] of (first / BATCH) % 2 === 0 ? turns : turns.toReversed()) {
    const startedAt = performance.now();
    await work();
    milliseconds[name] += performance.now() - startedAt;
  }
}
// The worst case: a whole batch that exists already fails on the key, and takes the slow path.
const again = Array.from({ length: Math.min(BATCH, ROWS) }, (_, index) => rowAt(index));
const againAt = performance.now();
await writer.store(again, Date.parse(again.at(-1)?.asOf ?? ''));
const againSeconds = (performance.now() - againAt) / 1000;
const stored = await store.pool.query<{ rows: number }>('select count(*) as rows from snapshots');
const perSecond = (spent: number) => Math.round(ROWS / (spent / 1000));
console.log(
  JSON.stringify({
    rows: ROWS,
    stored: stored.rows[0]?.rows,
    bodyBytes: Math.round(bodyBytes / ROWS),
    batch: BATCH,
    partitions: Math.ceil(ROWS / ASSETS / 24),
    oursRowsPerSecond: perSecond(milliseconds.ours),
    rawCopyRowsPerSecond: perSecond(milliseconds.raw),
    ratio: Number((milliseconds.raw / milliseconds.ours).toFixed(3)),
    aim: 0.8,
    repeatedRowsPerSecond: Math.round(again.length / againSeconds),
  }),
);
await store.close();
await database.close();
await rm(dataDir, { recursive: true, force: true });

async function rawCopy(chunks: readonly Buffer[]): Promise<void> {
  const client = await store.pool.connect();
  try {
    const stream = client.query(copyFrom(`copy raw_snapshots (${COPY_COLUMNS}) from stdin with (format binary)`));
    await pipeline(Readable.from(chunks, { objectMode: true, highWaterMark: 2 }), stream);
  } finally {
    client.release();
  }
}

/** Hourly market snapshots of ten thousand assets, one after the other. */
function rowAt(index: number): NewSnapshot {
  const asset = index % ASSETS;
  const at = START + Math.floor(index / ASSETS) * 3_600_000 + asset * 100;
  const address = createHash('sha256').update(String(asset)).digest('hex').slice(0, 40);
  const body = Buffer.from(
    JSON.stringify({
      kind: 'market',
      asset: { id: `eip155:1/erc20:0x${address}`, chain: 'ethereum', address: `0x${address}`, symbol: `A${asset}` },
      as_of: new Date(at).toISOString(),
      price_usd: asset * 1.000_31 + index * 0.000_1,
      volume_24h_usd: asset * 1_000.5,
      market_cap_usd: asset * 1_000_000.25,
      circulating_supply: 1_000_000 + asset,
      liquidity_usd: asset * 333.33,
      sources: ['coingecko', 'dexscreener', 'geckoterminal'],
      warnings: [],
    }),
  );
  return {
    assetId: `eip155:1/erc20:0x${address}`,
    chain: 'ethereum',
    kind: 'market',
    asOf: new Date(at).toISOString(),
    method: null,
    body,
    sha256: createHash('sha256').update(body).digest(),
    price: null,
  };
}

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { LOOK_ONLY, readBackup } from '../src/operations/backup/read.ts';
import { restoreBackup } from '../src/operations/backup/restore.ts';
import { writeBackup } from '../src/operations/backup/write.ts';
import { copyOut, tablesInOrder } from '../src/store/contents.ts';
import { testDatabase } from '../src/store/fixtures/database.ts';
import { ensureDays } from '../src/store/snapshots/partitions.ts';

/**
 * Backup, check and restore of a database of prices and raw replies, compared with a plain COPY of the same tables
 * to standard output, discarded, as the limit. `node bench/backup.ts [rows of prices] [replies of 20 kB]`
 */
const [prices = 1_000_000, replies = 5_000] = process.argv.slice(2).map(Number);
const database = await testDatabase();
const folder = await mkdtemp(join(tmpdir(), 'assay-bench-'));
const out = join(folder, 'assay.backup');
const silent = () => undefined;

try {
  const { pool } = database.store;
  await ensureDays(pool, 'prices', ['2026-11-20']);
  await pool.query(
    `insert into prices (asset_id, at, chain, price_usd, volume_24h_usd, market_cap_usd, liquidity_usd)
     select 'solana:' || md5((i % 5000)::text), '2026-11-20T00:00:00Z'::timestamptz + (i / 5000) * interval '1 minute', 'solana',
       random(), random() * 1e6, random() * 1e9, random() * 1e6 from generate_series(0, $1 - 1) i`,
    [prices],
  );
  await pool.query(
    `insert into bodies (sha256, source, body, bytes, first_seen)
     select md5(i::text) || md5(i::text), 'bench', convert_to((select string_agg('{"price":' || random() || ',"address":"' || md5(random()::text) || '"}', ',')
       from generate_series(1, 300 + i % 2)), 'UTF8'), 20000, now() from generate_series(1, $1) i`,
    [replies],
  );
  const limit = await timed(plainCopy);
  const written = await timed(() =>
    writeBackup({
      databaseUrl: database.url,
      exportsRoot: folder,
      out,
      version: '0',
      now: Date.now,
      onProgress: silent,
    }),
  );
  if (!written.value.ok) throw new Error(written.value.detail);
  const { size, tables } = written.value.value;
  const content = tables.reduce((sum, table) => sum + table.bytes, 0);
  const checked = await timed(() => readBackup(out, LOOK_ONLY, silent, 'check'));
  await pool.query('create database restored');
  const databaseUrl = Object.assign(new URL(database.url), { pathname: '/restored' }).href;
  const restored = await timed(() =>
    restoreBackup({
      file: out,
      databaseUrl,
      exportsRoot: join(folder, 'exports'),
      dataMode: 'sandbox',
      force: false,
      onProgress: silent,
    }),
  );
  if (!checked.value.ok || !restored.value.ok) throw new Error('the backup does not come back');
  const rate = (seconds: number) => `${(content / 1e6 / seconds).toFixed(0)} MB/s`;
  console.log(`content ${(content / 1e6).toFixed(0)} MB, backup ${(size / 1e6).toFixed(0)} MB`);
  console.log(`plain COPY ${limit.seconds.toFixed(1)} s, ${rate(limit.seconds)}`);
  console.log(
    `backup     ${written.seconds.toFixed(1)} s, ${rate(written.seconds)}, ${(written.seconds / limit.seconds).toFixed(2)} times the plain COPY`,
  );
  console.log(`check      ${checked.seconds.toFixed(1)} s, ${rate(checked.seconds)}`);
  console.log(`restore    ${restored.seconds.toFixed(1)} s, ${rate(restored.seconds)} (with the check before it)`);
  console.log(`peak memory ${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MB`);
} finally {
  await database.close();
  await rm(folder, { recursive: true, force: true });
}

async function plainCopy(): Promise<void> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  for (const table of await tablesInOrder(client)) for await (const _ of client.query(copyTo(copyOut(table))));
  await client.end();
}

async function timed<Value>(work: () => Promise<Value>): Promise<{ readonly value: Value; readonly seconds: number }> {
  const startedAt = performance.now();
  const value = await work();
  return { value, seconds: (performance.now() - startedAt) / 1000 };
}

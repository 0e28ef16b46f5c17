import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { moveDatabase, PIECE_BYTES } from '../src/operations/migrate-to/move.ts';
import { openStore } from '../src/store/database.ts';
import { testDatabase } from '../src/store/fixtures/database.ts';
import { copyPagesIn, copyPagesOut, partsInOrder, sizesOf } from '../src/store/move.ts';
import { ensureDays } from '../src/store/snapshots/partitions.ts';

/**
 * A move of prices and raw replies to another server, with its comparison of content, compared with a plain COPY of the same
 * rows between the same two servers as the limit. `node bench/migrate-to.ts [rows of prices] [replies of 20 kB] [rounds]`
 */
const [prices = 500_000, replies = 3_000, rounds = 3] = process.argv.slice(2).map(Number);
const [here, there] = await Promise.all([testDatabase(), testDatabase()]);

try {
  await here.store.pool.query('create database source');
  const sourceUrl = at(here.url, 'source');
  await fill(sourceUrl);
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const plainUrl = await target(`plain_${round}`);
    const limit = await timed(() => plainCopy(sourceUrl, plainUrl));
    const targetUrl = await target(`moved_${round}`);
    let copying = 0;
    const moved = await timed(() =>
      moveDatabase({
        sourceUrl,
        targetUrl,
        dataMode: 'sandbox',
        pieceBytes: PIECE_BYTES,
        verifyOnly: false,
        onProgress: ({ step, seconds }) => {
          if (step === 'copy') copying = seconds;
        },
      }),
    );
    if (!moved.value.ok) throw new Error(moved.value.detail);
    const compared = await timed(() =>
      moveDatabase({
        sourceUrl,
        targetUrl,
        dataMode: 'sandbox',
        pieceBytes: PIECE_BYTES,
        verifyOnly: true,
        onProgress: () => undefined,
      }),
    );
    const { rows, bytes } = moved.value.value;
    const rate = (seconds: number) =>
      `${Math.round(rows / seconds)} rows/s, ${(bytes / 1e6 / seconds).toFixed(0)} MB/s in ${seconds.toFixed(1)} s`;
    ratios.push(moved.seconds / limit.seconds);
    console.log(`round ${round + 1}: ${rows} rows, ${(bytes / 1e6).toFixed(0)} MB`);
    console.log(`  plain COPY  ${rate(limit.seconds)}`);
    console.log(`  migrate-to  ${rate(moved.seconds)} (the last row was copied at ${copying.toFixed(1)} s)`);
    console.log(`  --verify    ${rate(compared.seconds)}`);
    for (const name of [`plain_${round}`, `moved_${round}`]) await there.store.pool.query(`drop database ${name}`);
  }
  ratios.sort((a, b) => a - b);
  console.log(
    `migrate-to takes ${ratios[Math.floor(ratios.length / 2)]?.toFixed(2)} times a plain COPY (${ratios.map((ratio) => ratio.toFixed(2)).join(', ')}), comparison included`,
  );
  console.log(`peak memory ${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MB`);
} finally {
  await Promise.all([here.close(), there.close()]);
}

async function fill(url: string): Promise<void> {
  const store = await openStore(url, 'sandbox');
  await ensureDays(store.pool, 'prices', ['2026-11-20']);
  await store.pool.query(
    `insert into prices (asset_id, at, chain, price_usd, volume_24h_usd, market_cap_usd, liquidity_usd)
     select 'solana:' || md5((i % 5000)::text), '2026-11-20T00:00:00Z'::timestamptz + (i / 5000) * interval '1 minute', 'solana',
       random(), random() * 1e6, random() * 1e9, random() * 1e6 from generate_series(0, $1 - 1) i`,
    [prices],
  );
  await store.pool.query(
    `insert into bodies (sha256, source, body, bytes, first_seen)
     select md5(i::text) || md5(i::text), 'bench', convert_to((select string_agg('{"price":' || random() || ',"address":"' || md5(random()::text) || '"}', ',')
       from generate_series(1, 300 + i % 2)), 'UTF8'), 20000, now() from generate_series(1, $1) i`,
    [replies],
  );
  await store.pool.query('vacuum analyze');
  await store.close();
}

/** The same rows into the same tables with the same keys, in one COPY each, without progress rows or a comparison. */
async function plainCopy(sourceUrl: string, targetUrl: string): Promise<void> {
  const [source, into] = [sourceUrl, targetUrl].map((url) => new pg.Client({ connectionString: url }));
  if (source === undefined || into === undefined) return;
  await Promise.all([source.connect(), into.connect()]);
  const parts = await partsInOrder(source);
  const sizes = await sizesOf(source, parts);
  for (const part of parts) {
    const pages = sizes.get(part.name)?.pages ?? 0;
    if (pages === 0 || part.name === 'installation') continue;
    await pipeline(source.query(copyTo(copyPagesOut(part, 0, pages))), into.query(copyFrom(copyPagesIn(part))));
  }
  await Promise.all([source.end(), into.end()]);
}

async function target(name: string): Promise<string> {
  await there.store.pool.query(`create database ${name}`);
  const url = at(there.url, name);
  const store = await openStore(url, 'sandbox');
  await ensureDays(store.pool, 'prices', ['2026-11-20']);
  await store.close();
  return url;
}

function at(url: string, name: string): string {
  return Object.assign(new URL(url), { pathname: `/${name}` }).href;
}

async function timed<Value>(work: () => Promise<Value>): Promise<{ readonly value: Value; readonly seconds: number }> {
  const startedAt = performance.now();
  const value = await work();
  return { value, seconds: (performance.now() - startedAt) / 1000 };
}

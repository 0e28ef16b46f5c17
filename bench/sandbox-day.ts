import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { parquetReadObjects } from 'hyparquet';
import { startSandbox } from '../sandbox/server.ts';
import { serviceOnSandbox } from '../sandbox/service-settings.ts';
import { sandboxResolver } from '../sandbox/settings.ts';
import { startService } from '../src/compose/service.ts';
import { DAY_MS } from '../src/domain/statistics.ts';

/**
 * A day of sandbox time, all assets indexed by the hour, at `SPEED` times real time: snapshots made, lag, the day closed
 * and published, and its four forms read back by other programs.
 */
const SPEED = Number(process.env.ASSAY_BENCH_SPEED ?? 400);
const midnight = Math.floor(Date.now() / DAY_MS) * DAY_MS;
const startedAt = performance.now();
// From a minute past one midnight to a quarter of an hour past the next.
const begin = midnight + 60_000;
const end = midnight + DAY_MS + 15 * 60_000;
const now = () => Math.min(end, Math.round(begin + (performance.now() - startedAt) * SPEED));

const dataDir = await mkdtemp(join(tmpdir(), 'assay-bench-'));
await chmod(dataDir, 0o755);
const world = await startSandbox({ seed: 1, port: 0, host: '127.0.0.1', now });
const config = serviceOnSandbox(world, { dataDir, logLevel: 'error' });
const service = await startService({ config, resolver: sandboxResolver(world), now });
const call = (path: string, init: RequestInit = {}) =>
  fetch(service.url + path, {
    ...init,
    headers: { 'x-api-key': service.adminKey ?? '', 'content-type': 'application/json' },
  });

const assets = world.world.tokens;
for (const asset of assets) {
  const put = await call(`/v1/${asset.chain}/index/${asset.address}`, {
    method: 'PUT',
    body: JSON.stringify({ cadence: 'hourly' }),
  });
  if (put.status >= 300) throw new Error(`${asset.name}: ${put.status} ${await put.text()}`);
}
interface Lag {
  readonly kind: string;
  readonly indexed_assets: number;
  readonly failing: number;
  readonly late_seconds_p50: number;
  readonly late_seconds_p99: number;
}
const worst = new Map<string, { p50: number; p99: number; failing: number }>();
while (now() < end) {
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  const status = (await (await call('/v1/status')).json()) as { chains: readonly { snapshots: readonly Lag[] }[] };
  for (const lag of status.chains.flatMap((chain) => chain.snapshots)) {
    const seen = worst.get(lag.kind) ?? { p50: 0, p99: 0, failing: 0 };
    worst.set(lag.kind, {
      p50: Math.max(seen.p50, lag.late_seconds_p50),
      p99: Math.max(seen.p99, lag.late_seconds_p99),
      failing: Math.max(seen.failing, lag.failing),
    });
  }
}
const date = new Date(midnight).toISOString().slice(0, 10);
const forms: Record<string, unknown> = {};
for (const chain of ['solana', 'ethereum', 'base', 'bsc']) forms[chain] = await published(chain, date);
const counts: Record<string, number> = {};
for (const asset of assets) {
  for (const kind of ['market', 'holders', 'liquidity']) {
    const path = kind === 'market' ? `market/${asset.address}` : `${asset.address}/${kind}`;
    const page = (await (
      await call(`/v1/${asset.chain}/${path}/history?from=${new Date(begin).toISOString()}&limit=500`)
    ).json()) as { data?: readonly unknown[] };
    counts[kind] = (counts[kind] ?? 0) + (page.data?.length ?? 0);
  }
}
console.log(
  JSON.stringify(
    {
      assets: assets.length,
      speed: SPEED,
      real_seconds: Math.round((performance.now() - startedAt) / 1000),
      snapshots: counts,
      worst_lag_in_sandbox_seconds: Object.fromEntries(worst),
      day: date,
      forms,
    },
    null,
    1,
  ),
);
await service.close();
await world.close();
await rm(dataDir, { recursive: true, force: true });
process.exit(0);

/** Rows of the published day in four forms, and whether their values are equal. */
async function published(chain: string, day: string) {
  const wait = Date.now() + 90_000;
  while ((await call(`/v1/${chain}/exports/daily?date=${day}`)).status !== 200) {
    if (Date.now() > wait) return 'not published';
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  const folder = join(dataDir, 'exports', 'sandbox', chain, day);
  const json = JSON.parse(await (await call(`/v1/${chain}/exports/daily?date=${day}`)).text()) as readonly Record<
    string,
    unknown
  >[];
  const lines = (await (await call(`/v1/${chain}/exports/daily?date=${day}&format=ndjson`)).text()).trim().split('\n');
  const cells = parse(await (await call(`/v1/${chain}/exports/daily?date=${day}&format=csv`)).text(), {
    columns: true,
  }) as readonly Record<string, string>[];
  const bytes = await readFile(join(folder, `${chain}-${day}.parquet`));
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
  const parquet = await parquetReadObjects({ file, compressors: { ZSTD: (input) => zstdDecompressSync(input) } });
  const same = json.every(
    (row, index) =>
      JSON.stringify(row) === lines[index] &&
      Object.entries(row).every(
        ([name, value]) =>
          (cells[index]?.[name] ?? '') === (value === null ? '' : String(value)) &&
          String(parquetText(parquet[index]?.[name])) === String(value),
      ),
  );
  return {
    rows: json.length,
    with_price: json.filter((row) => row.price_usd !== null).length,
    same_in_all_forms: same,
  };
}

function parquetText(value: unknown): unknown {
  return value instanceof Date ? value.toISOString() : (value ?? null);
}

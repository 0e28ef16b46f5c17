import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { Webhook } from 'standardwebhooks';
import { startSandbox } from '../sandbox/server.ts';
import { serviceOnSandbox } from '../sandbox/service-settings.ts';
import { sandboxResolver } from '../sandbox/settings.ts';
import { demandsOf } from '../sandbox/world/demands.ts';
import { startService } from '../src/compose/service.ts';
import { DAY_MS, HOUR_MS } from '../src/domain/statistics.ts';
import { openDatabase } from '../src/store/embedded.ts';
import { type Day, type Lag, lookAt, predicted, ratios } from './long-run/daily-look.ts';
import { demandedAlerts, type RatedOnce } from './long-run/expected-alerts.ts';
import { median } from './raw-load.ts';

/**
 * `DAYS` days of sandbox time without a break at `SPEED` times real time, under load: assets indexed by the hour, watched assets
 * monitored, a signed webhook for each alert, constant reads. At the end: memory, tables against their
 * retention, lag, each day's exports, and whether the alerts are those that the world's events and the ratings require.
 */
const DAYS = Number(process.env.ASSAY_BENCH_DAYS ?? 31);
const SPEED = Number(process.env.ASSAY_BENCH_SPEED ?? 3_600);
const INDEXED = 3;
const WATCHED = 10;
const KEPT_DAYS = 7;

const startedAt = performance.now();
// It ends about now: retention deletes nothing by a clock that is ahead of the database's.
const begin = Math.floor(Date.now() / DAY_MS - DAYS) * DAY_MS + HOUR_MS;
const end = begin + DAYS * DAY_MS;
const now = () => Math.min(end, Math.round(begin + (performance.now() - startedAt) * SPEED));

const dataDir = await mkdtemp(join(tmpdir(), 'assay-bench-'));
await chmod(dataDir, 0o755);
const world = await startSandbox({ seed: 1, port: 0, host: '127.0.0.1', now });
const database = await openDatabase({ databaseUrl: null, dataDir, role: 'service', log: () => undefined });
const service = await startService({
  config: serviceOnSandbox(world, {
    dataDir,
    databaseUrl: database.url,
    webhookLoopback: true,
    snapshotRetentionDays: KEPT_DAYS,
    bodyRetentionDays: 1,
  }),
  resolver: sandboxResolver(world),
  now,
});
const call = (path: string, init: RequestInit = {}) =>
  fetch(service.url + path, {
    ...init,
    headers: { 'x-api-key': service.adminKey ?? '', 'content-type': 'application/json', ...init.headers },
  });
const ask = async <Reply>(path: string, init: RequestInit = {}): Promise<Reply> => {
  const reply = await call(path, init);
  const text = await reply.text();
  if (!reply.ok) throw new Error(`${init.method ?? 'GET'} ${path}: ${reply.status} ${text.slice(0, 300)}`);
  return (text === '' ? null : JSON.parse(text)) as Reply;
};

let secret = '';
const heard: number[] = [];
let badSignatures = 0;
const receiver = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  try {
    const { type, data } = new Webhook(secret).verify(
      Buffer.concat(chunks).toString('utf8'),
      request.headers as Record<string, string>,
    ) as { type: string; data: { id?: number; alert_ids?: readonly number[] } };
    heard.push(...(type === 'alert.digest' ? (data.alert_ids ?? []) : [data.id ?? Number.NaN]));
  } catch {
    badSignatures += 1;
  }
  response.writeHead(204).end();
});
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
const hook = await ask<{ secret: string }>('/v1/webhooks', {
  method: 'POST',
  body: JSON.stringify({ url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/alerts` }),
});
secret = hook.secret;

const eventful = world.world.tokens.filter((asset) => (asset.events ?? []).length > 0);
const steady = world.world.tokens.filter((asset) => !asset.events && ['strong', 'healthy'].includes(asset.grade));
const watched = [...eventful, ...steady].slice(0, WATCHED);
const ids = new Map<string, string>();
for (const asset of watched) {
  const found = await ask<{ asset?: { id: string } }>('/v1/score', {
    method: 'POST',
    headers: { prefer: 'wait=60' },
    body: JSON.stringify({
      type: 'posttge',
      project: asset.name,
      project_url: `https://${asset.domain}/`,
      blockchain: asset.chain,
      token_address: asset.address,
    }),
  });
  const id = found.asset?.id ?? (await ask<{ asset: { id: string } }>(`/v1/rms/${asset.symbol}`)).asset.id;
  ids.set(asset.slug, id);
  await ask(`/v1/rms/whitelist/${encodeURIComponent(id)}`, { method: 'PUT', body: '{}' });
}
const indexed = watched.filter((asset) => asset.address !== null).slice(0, INDEXED);
for (const asset of indexed)
  await ask(`/v1/${asset.chain}/index/${asset.address}`, {
    method: 'PUT',
    body: JSON.stringify({ cadence: 'hourly' }),
  });

const client = new pg.Pool({ connectionString: database.url, max: 1 });
const days: Day[] = [];
let reads = 0;
let refused = 0;
let latest: Lag = { p50: 0, p99: 0 };
const readers = Array.from({ length: 2 }, async (_, reader) => {
  const paths = [...ids.values()].flatMap((id) => [
    `/v1/rms/${encodeURIComponent(id)}`,
    `/v1/rms/${encodeURIComponent(id)}/history?limit=20`,
  ]);
  for (let turn = reader; now() < end; turn += 1) {
    const reply = await call(paths[turn % paths.length] ?? '/v1/rms');
    await reply.arrayBuffer();
    reads += 1;
    if (reply.status !== 200) refused += 1;
    await sleep(25);
  }
});

for (let day = 0; now() < end; ) {
  await sleep(1_000);
  const { data: open } = await ask<{ data: readonly { id: number }[] }>('/v1/alerts?acknowledged=false&limit=200');
  for (const { id } of open) await ask(`/v1/alerts/${id}/acknowledge`, { method: 'POST', body: '{}' });
  const status = await ask<{
    chains: readonly { snapshots: readonly { late_seconds_p50: number; late_seconds_p99: number }[] }[];
  }>('/v1/status');
  const lags = status.chains.flatMap((chain) => chain.snapshots);
  latest = {
    p50: Math.max(latest.p50, ...lags.map((lag) => lag.late_seconds_p50)),
    p99: Math.max(latest.p99, ...lags.map((lag) => lag.late_seconds_p99)),
  };
  if (now() < begin + (day + 1) * DAY_MS) continue;
  day = Math.floor((now() - begin) / DAY_MS);
  days.push(await lookAt(client, { day, begin, keptDays: KEPT_DAYS, lag: latest }));
  latest = { p50: 0, p99: 0 };
  const last = days.at(-1);
  if (process.stderr.isTTY) process.stderr.write(`${JSON.stringify(last)}\n`);
}
await Promise.all(readers);
// Work due at the very end ends too; webhooks and the last day's files come within minutes of real time.
await sleep(20_000);
const alerts = await allAlerts();
for (const until = Date.now() + 60_000; new Set(heard).size < alerts.length && Date.now() < until; ) await sleep(500);

const verdicts = [];
for (const asset of watched) {
  const id = ids.get(asset.slug) ?? '';
  const ratings = await historyOf(id);
  const demanded = demandedAlerts(ratings).map(({ kind, as_of }) => `${kind} ${as_of}`);
  const told = alerts.filter((alert) => alert.asset_id === id);
  const given = told.map((alert) => `${alert.kind} ${alert.as_of}`);
  verdicts.push({
    asset: asset.symbol,
    ratings: ratings.length,
    demanded: demanded.length,
    given: given.length,
    missed: demanded.filter((one) => !given.includes(one)),
    unfounded: given.filter((one) => !demanded.includes(one)),
    events: demandsOf(asset)
      .filter(({ day }) => day < DAYS)
      .map((event) => ({
        ...event,
        told_after_hours: toldAfterHours(event, ratings),
      })),
  });
}
const published = [];
for (let day = 0; day < DAYS - 1; day += 1) {
  const date = new Date(begin + day * DAY_MS).toISOString().slice(0, 10);
  published.push((await call(`/v1/exports/rms/daily?date=${date}`)).status === 200);
}
const third = Math.floor(days.length / 3);
// The oldest stored day is complete, and it is deleted within a day after its time.
const retained = days.filter((row) => row.day > KEPT_DAYS + 2);
const [early, late] = [days.slice(third, 2 * third), days.slice(-third)];
console.log(
  JSON.stringify(
    {
      days: DAYS,
      speed: SPEED,
      real_minutes: Number(((performance.now() - startedAt) / 60_000).toFixed(1)),
      reads,
      refused,
      rss_mib: {
        middle_third: median(early.map((row) => row.rss_mib)),
        last_third: median(late.map((row) => row.rss_mib)),
      },
      in_use_mib: {
        middle_third: median(early.map((row) => row.in_use_mib)),
        last_third: median(late.map((row) => row.in_use_mib)),
      },
      snapshots: {
        kept_to_predicted: ratios(retained.map((row) => row.kept / predicted(days, row, KEPT_DAYS))),
        kib_each: ratios(retained.map((row) => (row.snapshots_mib * 1024) / row.kept)),
        oldest_days: ratios(retained.map((row) => row.oldest_days)),
        made_a_day: {
          middle_third: median(early.map((row) => row.made)),
          last_third: median(late.map((row) => row.made)),
        },
      },
      rating_kib_each: {
        middle_third: median(early.map((row) => row.rating_kib_each)),
        end: days.at(-1)?.rating_kib_each,
      },
      late_p50_hours: {
        middle_third: median(early.map((row) => row.late_p50_hours)),
        last_third: median(late.map((row) => row.late_p50_hours)),
      },
      late_p99_hours: {
        middle_third: median(early.map((row) => row.late_p99_hours)),
        last_third: median(late.map((row) => row.late_p99_hours)),
      },
      days_of_ratings_published: `${published.filter(Boolean).length} of ${published.length}`,
      alerts: alerts.length,
      delivered_once: new Set(heard).size,
      delivered_twice: heard.length - new Set(heard).size,
      bad_signatures: badSignatures,
      verdicts,
      by_day: days,
    },
    null,
    1,
  ),
);
await client.end();
await service.close();
await database.close();
await world.close();
receiver.closeAllConnections();
receiver.close();
await rm(dataDir, { recursive: true, force: true });
process.exit(verdicts.every((row) => row.missed.length + row.unfounded.length === 0) && badSignatures === 0 ? 0 : 1);

interface Received {
  readonly id: number;
  readonly kind: string;
  readonly asset_id: string;
  readonly as_of: string;
}

async function allAlerts(): Promise<readonly Received[]> {
  const { rows } = await client.query<{ id: number; kind: string; asset_id: string; as_of: Date | string }>(
    `select a.id, a.kind, a.asset_id, r.as_of from alerts a
       join published_ratings r on r.asset_id = a.asset_id and r.id = split_part(a.cause, ':', 1)::bigint order by a.id`,
  );
  return rows.map((row) => ({ ...row, as_of: new Date(row.as_of).toISOString() }));
}

/** All ratings from the first one watched on, oldest first. */
async function historyOf(id: string): Promise<readonly RatedOnce[]> {
  const from = new Date(begin - DAY_MS).toISOString();
  const ratings: RatedOnce[] = [];
  for (let cursor = ''; ; ) {
    const page = await ask<{ data: readonly RatedOnce[]; next_cursor: string | null }>(
      `/v1/rms/${encodeURIComponent(id)}/history?interval=all&from=${from}&limit=500${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
    );
    ratings.push(...page.data);
    if (page.next_cursor === null) return ratings;
    cursor = page.next_cursor;
  }
}

/** Hours of sandbox time from an event to the first rating that reflects it; null: none does. */
function toldAfterHours(event: ReturnType<typeof demandsOf>[number], ratings: readonly RatedOnce[]): number | null {
  const at = world.world.anchor + event.day * DAY_MS;
  const shows = ratings.find(
    (rating) =>
      Date.parse(rating.as_of) >= at &&
      rating.risk_flags.some(({ code }) => code === event.flag) === (event.change === 'raised'),
  );
  return shows ? Number(((Date.parse(shows.as_of) - at) / HOUR_MS).toFixed(1)) : null;
}

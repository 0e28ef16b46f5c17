import { createSharedLimiter } from '../src/access/plans/shared-limiter.ts';
import { openUsage } from '../src/access/usage/service.ts';
import type { ApiContext } from '../src/api/context.ts';
import { testDatabase } from '../src/store/fixtures/database.ts';
import { createMetrics } from '../src/telemetry/metrics.ts';
import { JUP, MINT, marketSnapshot } from '../test/support/chain-snapshots.ts';
import { type ChainWorld, chainWorld } from '../test/support/chain-world.ts';
import { copyOf, plansWithHighLimits, rawServer } from './load-stage.ts';
import { type Figures, median, openLoad } from './raw-load.ts';

/**
 * GET of a hot market snapshot (key check, limits on a shared store, usage, service level, ETag, metrics; the request log is
 * off) compared with raw node:http sending the same head and body, and with itself without usage and shared limits, in turns,
 * in one process; then the same read with a 304 reply. The load comes from a child process over raw keep-alive sockets, one
 * request at a time on each (no pipelining), so that its own cost is the same for all.
 */
const CONNECTIONS = 64;
const ROUND_MS = Number(process.env.ROUND_MS ?? 1_500);
const ROUNDS = 7;
/** Requests a second that each side serves below its limit. */
const EQUAL_RATE = 8_000;

await main();

async function main(): Promise<void> {
  const metrics = createMetrics();
  const database = await testDatabase();
  const usage = openUsage(
    { scoringPath: '/v1/score' },
    database.store.db,
    { access: { list: async () => [] }, plans: plansWithHighLimits('CHAIN-7500') },
    (error) => console.error(error),
  );
  const world = await hotWorld({
    limiter: usage.limiter,
    onRequest: (route, method, status, seconds, key, bytes) => {
      metrics.request(route, method, status, seconds);
      usage.onRequest(route, status, seconds, key, bytes);
    },
  });
  const bare = await hotWorld({
    limiter: createSharedLimiter({ lease: null, now: Date.now }),
    onRequest: (route, method, status, seconds) => metrics.request(route, method, status, seconds),
  });
  const key = await world.key('BENCH');
  const bareKey = await bare.key('BENCH');
  await (await fetch(`${bare.url}/v1/solana/market/${MINT}/snapshot`, { headers: { 'x-api-key': bareKey } })).text();
  const path = `/v1/solana/market/${MINT}/snapshot`;
  const one = await fetch(`${world.url}${path}`, { headers: { 'x-api-key': key, 'accept-encoding': 'identity' } });
  const copy = await copyOf(one);
  const raw = await rawServer(copy);
  const ask = (extra: string, of = key) =>
    `GET ${path} HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${of}\r\nContent-Type: application/json\r\n${extra}\r\n`;
  const ours = Number(new URL(world.url).port);
  const targets = {
    raw: { port: raw.port, request: ask('') },
    ours: { port: ours, request: ask('') },
    unmetered: { port: Number(new URL(bare.url).port), request: ask('', bareKey) },
    notModified: { port: ours, request: ask(`If-None-Match: ${one.headers.get('etag')}\r\n`) },
  };
  const load = openLoad(CONNECTIONS, ROUND_MS);
  const rounds: Record<keyof typeof targets | 'rawPaced' | 'oursPaced' | 'notModifiedPaced', Figures>[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const row = {
      raw: await load.measure(targets.raw),
      ...(round % 2 === 0
        ? { ours: await load.measure(targets.ours), unmetered: await load.measure(targets.unmetered) }
        : { unmetered: await load.measure(targets.unmetered), ours: await load.measure(targets.ours) }),
      notModified: await load.measure(targets.notModified),
      rawPaced: await load.measure(targets.raw, EQUAL_RATE),
      oursPaced: await load.measure(targets.ours, EQUAL_RATE),
      notModifiedPaced: await load.measure(targets.notModified, EQUAL_RATE),
    };
    // The first is a warm-up.
    if (round > 0) rounds.push(row);
  }
  load.close();
  raw.close();
  await Promise.all([world.close(), bare.close()]);
  await usage.close();
  await database.close();
  const rate = (row: Figures) => row.requests / row.seconds;
  const figuresOf = (name: keyof (typeof rounds)[number]) => ({
    requests_per_second: Math.round(median(rounds.map((row) => rate(row[name])))),
    server_cpu_microseconds: median(rounds.map((row) => row[name].cpu)),
    p50_ms: median(rounds.map((row) => row[name].p50)),
    p99_ms: median(rounds.map((row) => row[name].p99)),
    statuses: rounds.at(-1)?.[name].statuses,
  });
  const ratio = (name: 'ours' | 'notModified') => median(rounds.map((row) => rate(row[name]) / rate(row.raw)));
  console.log(
    JSON.stringify(
      {
        what: 'hot market snapshot with key check, limits and ETag, against raw node:http with the same head and body',
        body_bytes: copy.body.length,
        connections: CONNECTIONS,
        rounds: ROUNDS,
        raw: figuresOf('raw'),
        hot_200: figuresOf('ours'),
        hot_200_without_usage: figuresOf('unmetered'),
        hot_304: figuresOf('notModified'),
        ratio_200_to_raw: ratio('ours'),
        ratio_304_to_raw: ratio('notModified'),
        // Independent of other work on the machine and of the speed of the client.
        cpu_ratio_raw_to_200: median(rounds.map((row) => row.raw.cpu / row.ours.cpu)),
        cpu_ratio_raw_to_304: median(rounds.map((row) => row.raw.cpu / row.notModified.cpu)),
        ratio_304_to_200: median(rounds.map((row) => rate(row.notModified) / rate(row.ours))),
        // The same number of requests a second from both, below their limits.
        equal_rate: EQUAL_RATE,
        raw_at_equal_rate: figuresOf('rawPaced'),
        hot_200_at_equal_rate: figuresOf('oursPaced'),
        hot_304_at_equal_rate: figuresOf('notModifiedPaced'),
        cpu_ratio_raw_to_200_at_equal_rate: median(rounds.map((row) => row.rawPaced.cpu / row.oursPaced.cpu)),
        cpu_ratio_raw_to_304_at_equal_rate: median(rounds.map((row) => row.rawPaced.cpu / row.notModifiedPaced.cpu)),
        // Cost of usage, service level and shared limits for a read.
        ratio_200_to_unmetered: median(rounds.map((row) => rate(row.ours) / rate(row.unmetered))),
        cpu_ratio_unmetered_to_200: median(rounds.map((row) => row.unmetered.cpu / row.ours.cpu)),
        goal: 0.8,
      },
      null,
      2,
    ),
  );
}

async function hotWorld(changes: Partial<ApiContext>): Promise<ChainWorld> {
  const world = await chainWorld(new Date().toISOString(), {
    now: Date.now,
    plans: plansWithHighLimits('CHAIN-7500'),
    ...changes,
  });
  world.reader.assets.push(JUP);
  world.reader.put(marketSnapshot(JUP, new Date().toISOString()));
  return world;
}

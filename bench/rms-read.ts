import { openUsage } from '../src/access/usage/service.ts';
import { testDatabase } from '../src/store/fixtures/database.ts';
import { createMetrics } from '../src/telemetry/metrics.ts';
import { ratingOf, ratingWorld, solanaAsset } from '../test/support/rating-world.ts';
import { copyOf, plansWithHighLimits, rawServer } from './load-stage.ts';
import { type Figures, median, openLoad, type Target } from './raw-load.ts';

/**
 * GET /v1/rms/{asset} and the batch of 100, with key check, limits on a shared store, usage, service level, ETag and metrics
 * (the request log is off), compared with raw node:http sending the same head and body; and the read with a 304 reply.
 */
const CONNECTIONS = 64;
const ROUNDS = 7;
const metrics = createMetrics();
const database = await testDatabase();
const usage = openUsage(
  { scoringPath: '/v1/score' },
  database.store.db,
  { access: { list: async () => [] }, plans: plansWithHighLimits('RATING') },
  (error) => console.error(error),
);
const world = await ratingWorld(new Date().toISOString(), {
  now: Date.now,
  plans: plansWithHighLimits('RATING'),
  limiter: usage.limiter,
  onRequest: (route, method, status, seconds, key, bytes) => {
    metrics.request(route, method, status, seconds);
    usage.onRequest(route, status, seconds, key, bytes);
  },
});
const ids = Array.from({ length: 100 }, (_, index) => `Bench${String(index).padStart(39, '1')}`.replaceAll('0', 'z'));
const asOf = new Date(Date.now() - 1_000).toISOString();
for (const [index, id] of ids.entries()) await world.put(ratingOf(solanaAsset(id, `B${index}`), asOf));
const key = await world.key('BENCH');
const port = Number(new URL(world.url).port);
const keyed = `Host: localhost\r\nX-API-Key: ${key}\r\n`;
const path = `/v1/rms/${encodeURIComponent(solanaAsset(ids[0] ?? '', null).id)
  .replaceAll('%3A', ':')
  .replaceAll('%2F', '/')}`;
const body = JSON.stringify({ assets: ids.map((id) => solanaAsset(id, null).id) });
const post = `POST /v1/rms/batch HTTP/1.1\r\n${keyed}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
const headers = { 'x-api-key': key, 'accept-encoding': 'identity', 'content-type': 'application/json' };
const one = await copyOf(await fetch(world.url + path, { headers }));
const many = await copyOf(await fetch(`${world.url}/v1/rms/batch`, { method: 'POST', headers, body }));
const rawOne = await rawServer(one);
const rawMany = await rawServer(many);
const get = `GET ${path} HTTP/1.1\r\n${keyed}\r\n`;
const targets = {
  raw: { port: rawOne.port, request: get },
  rating: { port, request: get },
  not_modified: { port, request: `GET ${path} HTTP/1.1\r\n${keyed}If-None-Match: ${one.headers.etag}\r\n\r\n` },
  raw_batch: { port: rawMany.port, request: post },
  batch_of_100: { port, request: post },
} satisfies Record<string, Target>;
type Name = keyof typeof targets;

const load = openLoad(CONNECTIONS, 1_500);
const rounds: Record<Name, Figures>[] = [];
for (let round = 0; round <= ROUNDS; round += 1) {
  const row: Partial<Record<Name, Figures>> = {};
  for (const name of Object.keys(targets) as Name[]) row[name] = await load.measure(targets[name]);
  // The first is a warm-up.
  if (round > 0) rounds.push(row as Record<Name, Figures>);
}
load.close();
const rate = (row: Figures) => row.requests / row.seconds;
const ratio = (name: Name, of: Name) => median(rounds.map((row) => rate(row[name]) / rate(row[of])));
const cpuRatio = (name: Name, of: Name) => median(rounds.map((row) => row[of].cpu / row[name].cpu));
console.log(
  JSON.stringify(
    {
      bytes: { rating: one.body.length, batch_of_100: many.body.length },
      connections: CONNECTIONS,
      rounds: ROUNDS,
      ...Object.fromEntries(
        (Object.keys(targets) as Name[]).map((name) => [
          name,
          {
            requests_per_second: Math.round(median(rounds.map((row) => rate(row[name])))),
            server_cpu_microseconds: median(rounds.map((row) => row[name].cpu)),
            p50_ms: median(rounds.map((row) => row[name].p50)),
            p99_ms: median(rounds.map((row) => row[name].p99)),
            statuses: rounds.at(-1)?.[name].statuses,
          },
        ]),
      ),
      ratio_rating_to_raw: ratio('rating', 'raw'),
      ratio_304_to_raw: ratio('not_modified', 'raw'),
      ratio_304_to_rating: ratio('not_modified', 'rating'),
      ratio_batch_to_raw: ratio('batch_of_100', 'raw_batch'),
      // Independent of other work on the machine and of the speed of the client.
      cpu_ratio_raw_to_rating: cpuRatio('rating', 'raw'),
      cpu_ratio_raw_to_304: cpuRatio('not_modified', 'raw'),
      cpu_ratio_raw_to_batch: cpuRatio('batch_of_100', 'raw_batch'),
      goal: 0.8,
    },
    null,
    1,
  ),
);
for (const server of [rawOne, rawMany]) server.close();
await world.close();
await usage.close();
await database.close();

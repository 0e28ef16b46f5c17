import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serviceOnSandbox } from '../sandbox/service-settings.ts';
import { sandboxResolver } from '../sandbox/settings.ts';
import { startService } from '../src/compose/service.ts';
import { startSandboxProcess } from './sandbox-process.ts';

/**
 * A scoring request with every source at a fixed latency, against the longest chain of dependent calls in it (the limit);
 * then fifty requests at once. The sandbox is a process of its own; the service is this one.
 */
const LATENCY_MS = 200;
const ROUNDS = 7;
const AT_ONCE = 50;

const dataDir = await mkdtemp(join(tmpdir(), 'assay-bench-'));
await chmod(dataDir, 0o755);
const sandbox = await startSandboxProcess();
const concurrentJobs = Number(process.env.ASSAY_CONCURRENT_JOBS ?? 8);
const config = serviceOnSandbox(sandbox.address, { dataDir, concurrentJobs });
const service = await startService({ config, resolver: sandboxResolver(sandbox.address) });
const world = (await (await fetch(`${sandbox.address.url}/__control/world`)).json()) as readonly {
  name: string;
  url: string;
  symbol: string;
  kind: string;
}[];
const healthy = world.filter((asset) => asset.kind === 'healthy' || asset.kind === 'mediocre');

await score(0);
await fault({ source: '*', kind: 'latency', ms: LATENCY_MS });
const rounds: { total: number; path: number; calls: number }[] = [];
for (let i = 1; i <= ROUNDS; i += 1) rounds.push(await timed(i));
rounds.sort((a, b) => a.total - b.total);
const middle = rounds[Math.floor(ROUNDS / 2)];
if (middle) {
  console.log(
    `one request, every source at ${LATENCY_MS} ms, median of ${ROUNDS}: ${middle.total.toFixed(0)} ms for a chain of ${middle.calls} dependent calls of ${middle.path.toFixed(0)} ms`,
  );
  console.log(
    `over the chain: ${(middle.total / middle.path).toFixed(3)} x, goal at most ${((middle.path * 1.05 + 50) / middle.path).toFixed(3)} x (5 % + 50 ms)`,
  );
}

await fetch(`${sandbox.address.url}/__control/faults`, { method: 'DELETE' });
const startedAt = performance.now();
let peak = 0;
const watch = setInterval(() => {
  peak = Math.max(peak, process.memoryUsage.rss());
}, 20);
const times = (await Promise.all(Array.from({ length: AT_ONCE }, (_, i) => score(100 + i))))
  .map((row) => row.total)
  .sort((a, b) => a - b);
clearInterval(watch);
const seconds = (performance.now() - startedAt) / 1000;
console.log(
  `${AT_ONCE} at once (${config.concurrentJobs} places, no added latency): ${(AT_ONCE / seconds).toFixed(1)} a second, median ${times[AT_ONCE / 2]?.toFixed(0)} ms, p99 ${times[Math.floor(AT_ONCE * 0.99)]?.toFixed(0)} ms, peak memory ${(peak / 1048576).toFixed(0)} MiB`,
);

await service.close();
sandbox.child.kill('SIGTERM');
await rm(dataDir, { recursive: true, force: true });

async function score(round: number): Promise<{ total: number; jobId: string }> {
  const asset = healthy[round % healthy.length];
  const from = performance.now();
  const reply = await fetch(`${service.url}/v1/score`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': service.adminKey ?? '' },
    body: JSON.stringify({
      type: 'posttge',
      project: asset?.name,
      project_url: asset?.url,
      token_symbol: asset?.symbol,
      category: `bench ${round}`,
      output_format: 'full',
    }),
  });
  const body = (await reply.json()) as { job_id: string; rating?: unknown };
  if (reply.status !== 200) throw new Error(JSON.stringify(body).slice(0, 300));
  return { total: performance.now() - from, jobId: body.job_id };
}

/** The chain: from the last reply back to the call that ended last before it began. */
async function timed(round: number): Promise<{ total: number; path: number; calls: number }> {
  const { total, jobId } = await score(round);
  const evidence = (await (
    await fetch(`${service.url}/v1/jobs/${jobId}/evidence`, { headers: { 'x-api-key': service.adminKey ?? '' } })
  ).json()) as { responses: readonly { fetchedAt: string; milliseconds: number }[] };
  const calls = evidence.responses
    // Replies that the score read before it started the collection are part of the chain.
    .filter((row) => row.milliseconds > 0)
    .map((row) => ({ end: Date.parse(row.fetchedAt), start: Date.parse(row.fetchedAt) - row.milliseconds }));
  let at = calls.reduce((last, row) => (row.end > last.end ? row : last), { start: 0, end: 0 });
  let path = 0;
  let count = 0;
  while (at.end > 0) {
    path += at.end - at.start;
    count += 1;
    const before = calls.filter((row) => row.end <= at.start + 3).sort((a, b) => b.end - a.end)[0];
    if (!before) break;
    at = before;
  }
  return { total, path, calls: count };
}

function fault(body: unknown): Promise<Response> {
  return fetch(`${sandbox.address.url}/__control/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

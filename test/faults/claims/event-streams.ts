import { readFileSync } from 'node:fs';
import { type ClientRequest, request } from 'node:http';
import { createAlertLedger } from '../alert-ledger.ts';
import { type Claim, eventually, pause } from '../claim.ts';
import { type Call, faultWorld } from '../fault-world.ts';

/** What an open stream may cost, in kB of the process’s memory. */
const MOST_KB_EACH = 100;
/** What may come on top while streams lie open and alerts flow, in MB: garbage that was not collected yet. */
const MOST_GROWTH_MB = 60;
const STREAMS_EACH_ACCOUNT = 900;

/** Very many readers of alerts at once. */
export const eventStreams: Claim = {
  name: 'event-streams',
  fault: 'very many open event streams at once, while alerts flow',
  promise:
    'each stays open, memory is flat while they are open, others are served, and all slots are free again when they close',
  async run({ streams: count, loadSeconds }) {
    const world = await faultWorld();
    try {
      const life = await world.start({ settings: { webhookLoopback: true } });
      const pid = life.child.pid ?? 0;
      const alerts = await createAlertLedger(life.call, world.databaseUrl);
      const broken: string[] = [];
      const keys = await Promise.all(
        Array.from({ length: Math.ceil(count / STREAMS_EACH_ACCOUNT) }, () => internalKey(life.call)),
      );
      const before = residentMb(pid);
      const open = Array.from({ length: count }, (_, index) => stream(life.url, keys[index % keys.length] ?? ''));
      const all = await eventually(async () => open.every((one) => one.heard()), 30_000, 100);
      if (!all) broken.push(`${open.filter((one) => !one.heard()).length} of ${count} streams did not open`);
      const withStreams = residentMb(pid);
      const stop = new AbortController();
      alerts.keepReading(() => life.call);
      const rating = alerts.keepRating(stop.signal, 50);
      let slowestMs = 0;
      for (const until = performance.now() + loadSeconds * 1_000; performance.now() < until; await pause(250)) {
        const askedAt = performance.now();
        await (await life.call('/v1/rms/whitelist')).arrayBuffer();
        slowestMs = Math.max(slowestMs, performance.now() - askedAt);
      }
      const after = residentMb(pid);
      stop.abort();
      await rating;
      const lost = open.filter((one) => one.ended()).length;
      if (lost > 0) broken.push(`${lost} streams were ended by the service`);
      const eachKb = ((withStreams - before) * 1024) / count;
      // A few streams say nothing about the cost of one: the process grows while it warms up.
      if (count >= 500 && eachKb > MOST_KB_EACH) broken.push(`a stream costs ${Math.round(eachKb)} kB`);
      if (after - withStreams > MOST_GROWTH_MB)
        broken.push(`memory grew by ${after - withStreams} MB while streams lay open`);
      for (const one of open) one.close();
      const told = await alerts.settle();
      broken.push(...told.broken);
      const free = await eventually(async () => {
        const again = stream(life.url, keys[0] ?? '');
        const heard = await eventually(async () => again.heard(), 2_000);
        again.close();
        return heard;
      }, 20_000);
      if (!free) broken.push('no place was free after all streams had gone');
      await alerts.close();
      return {
        times: count,
        broken,
        figures: {
          memory_mb_before: before,
          memory_mb_open: withStreams,
          memory_mb_after_load: after,
          kb_each: Math.round(eachKb),
          slowest_other_ms: Math.round(slowestMs),
          alerts: told.figures.alerts ?? 0,
        },
      };
    } finally {
      await world.close();
    }
  },
};

async function internalKey(call: Call): Promise<string> {
  const made = await call('/v1/admin/keys', { json: { name: 'streams', scopes: ['rms:read'], plan: 'INTERNAL' } });
  return ((await made.json()) as { readonly secret: string }).secret;
}

interface OpenStream {
  readonly heard: () => boolean;
  readonly ended: () => boolean;
  readonly close: () => void;
}

function stream(base: string, key: string): OpenStream {
  let heard = false;
  let ended = false;
  const asked: ClientRequest = request(
    `${base}/v1/alerts/stream`,
    { headers: { 'x-api-key': key }, agent: false },
    (reply) => {
      heard = reply.statusCode === 200;
      reply.on('data', () => undefined);
      reply.on('close', () => {
        ended = true;
      });
    },
  );
  asked.on('error', () => undefined);
  asked.end();
  return { heard: () => heard, ended: () => ended, close: () => asked.destroy() };
}

/** What the process holds in memory; 0 elsewhere than on Linux. */
function residentMb(pid: number): number {
  if (process.platform !== 'linux') return 0;
  const [, kilobytes = '0'] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kilobytes) / 1024);
}

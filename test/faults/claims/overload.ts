import { type Claim, chanceOf, eventually, pause, roundedMedian } from '../claim.ts';
import { type Call, faultWorld } from '../fault-world.ts';
import { createLedger } from '../ledger.ts';

const ALIVE_MS = 2_000;
const RECOVERS_MS = 5_000;
/** Calls under way at once while the rate that the service can do is looked for. */
const CALLERS = 16;
const EASE_SECONDS = 2;

interface Load {
  readonly sent: number;
  readonly statuses: Readonly<Record<string, number>>;
  readonly withoutRetryAfter: number;
}

/** Twice as many requests as the service can answer, reads of the database and scores. */
export const overload: Claim = {
  name: 'overload',
  fault: 'requests at twice the measured capacity of the service: reads that need the database, and scores',
  promise:
    'excess requests get 429 or 503 with Retry-After, /healthz and the admin routes respond, accepted scores end, and reads are fast again within 5 s',
  async run({ seed, loadSeconds, patience }) {
    const world = await faultWorld({ sparesDatabase: true });
    try {
      const life = await world.start({ settings: { queuedJobs: 20, concurrentJobs: 4 } });
      const broken: string[] = [];
      const calm = await latencies(life.call, 20);
      const rate = await capacity(life.call);
      const ledger = createLedger(this.name, patience);
      const stop = new AbortController();
      const watching = watch(life.call, stop.signal);
      const scoring = Promise.all(
        Array.from({ length: 4 }, (_, index) =>
          ledger.keepWriting(() => life.call, chanceOf(seed, `${index}`), stop.signal, 5),
        ),
      );
      const load = await openLoop(life.call, rate * 2, loadSeconds);
      stop.abort();
      const watched = await watching;
      await scoring;
      const statuses = Object.keys(load.statuses).filter((status) => !['200', '429', '503'].includes(status));
      if (statuses.length > 0) broken.push(`replies: ${JSON.stringify(load.statuses)}`);
      if (load.withoutRetryAfter > 0) broken.push(`${load.withoutRetryAfter} refusals without Retry-After`);
      broken.push(...watched.broken);
      if (watched.slowestHealthMs > ALIVE_MS * patience) broken.push(`/healthz took ${watched.slowestHealthMs} ms`);
      const startedAt = performance.now();
      const limit = Math.max(roundedMedian(calm) * 4, 200);
      const recovered = await eventually(
        async () => roundedMedian(await latencies(life.call, 10)) <= limit,
        RECOVERS_MS * patience,
      );
      const recoveredMs = performance.now() - startedAt;
      if (!recovered)
        broken.push(`reads took longer than ${limit} ms ${(RECOVERS_MS * patience) / 1000} s after the load`);
      broken.push(...(await ledger.missing(life.call)));
      return {
        times: load.sent,
        broken,
        figures: {
          reads_a_second_it_can: Math.round(rate),
          ...Object.fromEntries(Object.entries(load.statuses).map(([status, times]) => [`reads_${status}`, times])),
          writes_acknowledged: ledger.count().acknowledged ?? 0,
          writes_refused: ledger.count().refused ?? 0,
          slowest_health_ms: watched.slowestHealthMs,
          slowest_admin_ms: watched.slowestAdminMs,
          calm_read_ms: roundedMedian(calm),
          quick_again_ms: Math.round(recoveredMs),
        },
      };
    } finally {
      await world.close();
    }
  },
};

async function read(call: Call): Promise<Response> {
  const reply = await call('/v1/rms/whitelist');
  await reply.arrayBuffer();
  return reply;
}

async function latencies(call: Call, times: number): Promise<readonly number[]> {
  const found: number[] = [];
  for (let turn = 0; turn < times; turn += 1) {
    const startedAt = performance.now();
    await read(call);
    found.push(performance.now() - startedAt);
  }
  return found;
}

/** Reads a second with a few callers that wait for their answers. */
async function capacity(call: Call): Promise<number> {
  const until = performance.now() + EASE_SECONDS * 1_000;
  let answered = 0;
  const caller = async () => {
    for (; performance.now() < until; answered += 1) await read(call);
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
  return answered / EASE_SECONDS;
}

/** Sends at a rate whether or not answers come, and waits for the last answer. */
async function openLoop(call: Call, aSecond: number, seconds: number): Promise<Load> {
  const statuses: Record<string, number> = {};
  let withoutRetryAfter = 0;
  const note = (status: string) => {
    statuses[status] = (statuses[status] ?? 0) + 1;
  };
  const flying: Promise<void>[] = [];
  const startedAt = performance.now();
  for (let sent = 0; performance.now() - startedAt < seconds * 1_000; await pause(5)) {
    const due = ((performance.now() - startedAt) / 1000) * aSecond;
    for (; sent < due; sent += 1)
      flying.push(
        read(call).then(
          (reply) => {
            note(String(reply.status));
            if ([429, 503].includes(reply.status) && !reply.headers.has('retry-after')) withoutRetryAfter += 1;
          },
          () => note('no answer'),
        ),
      );
  }
  await Promise.all(flying);
  return { sent: flying.length, statuses, withoutRetryAfter };
}

/** Asks, while the load lasts, what must always answer. */
async function watch(call: Call, stop: AbortSignal) {
  const broken: string[] = [];
  let slowestHealthMs = 0;
  let slowestAdminMs = 0;
  while (!stop.aborted) {
    const askedAt = performance.now();
    const health = await call('/healthz').catch(() => null);
    await health?.arrayBuffer();
    slowestHealthMs = Math.max(slowestHealthMs, Math.round(performance.now() - askedAt));
    if (health?.status !== 200) broken.push(`/healthz got ${health?.status ?? 'no answer'}`);
    const adminAt = performance.now();
    const admin = await call('/v1/admin/keys').catch(() => null);
    await admin?.arrayBuffer();
    slowestAdminMs = Math.max(slowestAdminMs, Math.round(performance.now() - adminAt));
    if (admin?.status !== 200) broken.push(`/v1/admin/keys got ${admin?.status ?? 'no answer'}`);
    await pause(200);
  }
  return { broken, slowestHealthMs, slowestAdminMs };
}

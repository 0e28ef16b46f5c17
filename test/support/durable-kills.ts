import { rm } from 'node:fs/promises';
import type { Store } from '../../src/store/database.ts';
import { type Durable, durable, type Life, lookInto, processesOn } from './durable-service.ts';

export interface KillCount {
  readonly kills: number;
  /** Jobs whose Location a client has seen, and jobs in the store. */
  readonly accepted: number;
  readonly stored: number;
  readonly states: Readonly<Record<string, number>>;
  /** Codes of the failed ones. */
  readonly failures: Readonly<Record<string, number>>;
  readonly lost: number;
  readonly stuck: number;
  /** Jobs that were running, and jobs that were waiting, when their process was killed. */
  readonly runningAtKill: number;
  readonly waitingAtKill: number;
  /** Jobs whose event numbers have a hole, or whose last event is not their state. */
  readonly holes: number;
  /** Collections that succeeded without evidence or rating, either of them without such a collection, and scores without an answer. */
  readonly unmatched: number;
  /** Slowest start after a kill, in milliseconds. */
  readonly slowestStartMs: number;
  /** Seconds from the last start until every job had ended. */
  readonly settledSeconds: number;
  /** Exit code of the last process after SIGTERM, and what it left behind. */
  readonly exitCode: number | null;
  readonly leftBehind: number;
}

const PROJECTS = ['Tidewell', 'Marrowstone', 'Brackwater', 'Wobblepup', 'Quillpond', 'Lumenfall'];
const PATIENCE_MS = 40_000;
const LATENCY_MS = 400;
/** Scores that a process has accepted before it is killed, at least. */
const ENOUGH = 4;

/**
 * Kills a service with SIGKILL while requests come in, `kills` times on one data folder, each time at another moment of its
 * jobs, and counts what became of them. With `patient`, every sixth process lives until jobs of a killed one run again,
 * so that some lose their second process too.
 */
export async function killService(kills: number, patient = false): Promise<KillCount> {
  const place = await durable();
  place.world.faults.add({ source: '*', kind: 'latency', ms: LATENCY_MS });
  const accepted: string[] = [];
  const atKill = { running: 0, queued: 0 };
  let slowestStartMs = 0;
  for (let round = 0; round < kills; round += 1) {
    const life = await place.start();
    if (round > 0) slowestStartMs = Math.max(slowestStartMs, life.readyMs);
    const load = requests(life, round, accepted);
    const before = accepted.length;
    await sleep(400 + ((round * 700) % 3_500));
    // On a busy machine requests come in more slowly: a kill with nothing under way would show nothing.
    for (const until = Date.now() + 20_000; accepted.length < before + ENOUGH && Date.now() < until; ) await sleep(50);
    if (patient && round % 6 === 5) await secondAttempt(place);
    const open = await lookInto(place.dataDir, openJobs);
    await life.end('SIGKILL');
    await load;
    atKill.running += open.running ?? 0;
    atKill.queued += open.queued ?? 0;
  }
  place.world.faults.clear();
  const last = await place.start();
  const startedAt = performance.now();
  let states = await statesOf(last, accepted);
  while (states.some(isOpen) && performance.now() - startedAt < PATIENCE_MS) {
    await sleep(250);
    states = await statesOf(last, accepted);
  }
  const settledSeconds = Number(((performance.now() - startedAt) / 1000).toFixed(1));
  const found = await lookInto(place.dataDir, examine);
  const { code } = await last.end('SIGTERM');
  const leftBehind = processesOn(place.dataDir).length;
  await place.world.close();
  await rm(place.dataDir, { recursive: true, force: true });
  return {
    kills,
    accepted: accepted.length,
    ...found,
    states: tally(states),
    lost: states.filter((state) => state === 'lost').length,
    stuck: found.open + states.filter(isOpen).length,
    runningAtKill: atKill.running,
    waitingAtKill: atKill.queued,
    slowestStartMs: Math.round(Math.max(slowestStartMs, last.readyMs)),
    settledSeconds,
    exitCode: code,
    leftBehind,
  };
}

/** Requests that come in one after another until the service is gone. */
async function requests(life: Life, round: number, accepted: string[]): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) {
    const location = await life.accept(PROJECTS[turn % PROJECTS.length] ?? '', `round ${round}.${turn}`);
    if (location === null) return;
    accepted.push(location);
    await sleep(60);
  }
}

async function secondAttempt(place: Durable): Promise<void> {
  for (const until = Date.now() + 20_000; Date.now() < until; await sleep(250)) {
    const again = await lookInto(place.dataDir, ({ db }) =>
      db.selectFrom('jobs').select('id').where('state', '=', 'running').where('attempts', '>', 1).execute(),
    );
    if (again.length > 0) return;
  }
}

async function openJobs({ db }: Store): Promise<Readonly<Record<string, number>>> {
  const rows = await db.selectFrom('jobs').select('state').where('state', 'in', ['running', 'queued']).execute();
  return tally(rows.map((row) => row.state));
}

function statesOf(life: Life, locations: readonly string[]): Promise<string[]> {
  return Promise.all(
    locations.map(async (location) => {
      const reply = await life.call(location);
      return ((await reply.json()) as { readonly state?: string }).state ?? 'lost';
    }),
  );
}

async function examine({ db }: Store) {
  const jobs = await db.selectFrom('jobs').select(['id', 'kind', 'state', 'failure', 'answered_by']).execute();
  const events = await db.selectFrom('job_events').selectAll().orderBy('job_id').orderBy('seq').execute();
  const evidence = new Set((await db.selectFrom('evidence').select('job_id').execute()).map((row) => row.job_id));
  const ratings = new Set(
    (await db.selectFrom('published_ratings').select('job_id').execute()).map((row) => row.job_id),
  );
  const wrong = jobs.filter((job) => {
    const own = events.filter((event) => event.job_id === job.id);
    const last = JSON.parse(own.at(-1)?.event ?? '{}') as { readonly state?: string };
    return last.state !== job.state || own.some((event, index) => event.seq !== index + 1);
  });
  const successes = jobs.filter((job) => job.state === 'succeeded');
  const collections = new Set(successes.filter((job) => job.kind === 'collection').map((job) => job.id));
  const unanswered = successes.filter((job) => job.kind === 'score' && !collections.has(job.answered_by ?? ''));
  const codes = jobs.flatMap((job) => (job.failure ? [(JSON.parse(job.failure) as { code: string }).code] : []));
  return {
    stored: jobs.length,
    failures: tally(codes),
    open: jobs.filter((job) => isOpen(job.state)).length,
    holes: wrong.length,
    unmatched: [evidence, ratings].reduce(
      (sum, ids) => sum + collections.symmetricDifference(ids).size,
      unanswered.length,
    ),
  };
}

function isOpen(state: string): boolean {
  return state === 'queued' || state === 'running';
}

function tally(values: readonly string[]): Readonly<Record<string, number>> {
  return Object.fromEntries(
    [...new Set(values)].sort().map((value) => [value, values.filter((one) => one === value).length]),
  );
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((done) => setTimeout(done, milliseconds));
}

import { type Claim, chanceOf, pause, pick, roundedMedian } from '../claim.ts';
import { faultWorld } from '../fault-world.ts';
import { createLedger } from '../ledger.ts';
import { servesAgain } from '../serving.ts';

const SERVES_WITHIN_MS = 10_000;

/** The database’s disk hangs: its processes stand still for a while, one or all. */
export const slowDatabase: Claim = {
  name: 'slow-database',
  fault:
    'processes of the database are stopped (SIGSTOP) for one to five seconds under load, one or all of them, as on a disk that hangs',
  promise: '/healthz responds meanwhile, no acknowledged write is lost, and it serves again by itself',
  async run({ seed, restarts, patience }) {
    const world = await faultWorld({ ownServer: true });
    const database = world.database;
    if (!database) throw new Error('the world has no database of its own');
    const chance = chanceOf(seed, this.name);
    const stop = new AbortController();
    try {
      const life = await world.start();
      const ledger = createLedger(this.name, patience);
      const writing = ledger.keepWriting(() => life.call, chanceOf(seed, 'writes'), stop.signal);
      const broken: string[] = [];
      const served: number[] = [];
      let slowestHealthMs = 0;
      for (let turn = 0; turn < restarts; turn += 1) {
        await pause(300 + chance() * 500);
        const all = database.processes();
        const still = turn % 2 === 0 ? all : [pick(all, chance)];
        for (const pid of still) signal(pid, 'SIGSTOP');
        const until = performance.now() + 1_000 + chance() * 4_000;
        while (performance.now() < until) {
          const askedAt = performance.now();
          const reply = await life.call('/healthz', { signal: AbortSignal.timeout(10_000) }).catch(() => null);
          if (reply?.status !== 200) broken.push(`/healthz got ${reply?.status ?? 'no answer'}`);
          slowestHealthMs = Math.max(slowestHealthMs, performance.now() - askedAt);
          await pause(100);
        }
        for (const pid of still) signal(pid, 'SIGCONT');
        served.push(await servesAgain(life.call, SERVES_WITHIN_MS * patience));
      }
      stop.abort();
      await writing;
      return {
        times: restarts,
        broken: [...broken, ...(await ledger.missing(life.call))],
        figures: {
          ...ledger.count(),
          slowest_health_ms: Math.round(slowestHealthMs),
          serves_again_ms_median: roundedMedian(served),
          serves_again_ms_longest: Math.round(Math.max(...served)),
        },
      };
    } finally {
      stop.abort();
      for (const pid of database.processes()) signal(pid, 'SIGCONT');
      await world.close();
    }
  },
};

/** A backend may have ended meanwhile. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It is gone.
  }
}

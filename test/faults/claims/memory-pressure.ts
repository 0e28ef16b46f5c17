import { type Claim, chanceOf, eventually, pause } from '../claim.ts';
import { faultWorld } from '../fault-world.ts';
import { createLedger } from '../ledger.ts';

/** MB of Node's old space: more than the service needs, then less each time until it cannot start. */
const FIRST_MB = 110;
const STEP_MB = 8;
/** Where no process has died by then: sizes between the last one that it started with and the first one that it did not. */
const FINE_MB = 2;
const LEAST_MB = 30;
const WRITERS = 24;

/** Hardly any memory, under load, with something that starts the process again. */
export const memoryPressure: Claim = {
  name: 'memory-pressure',
  fault:
    'scores and writes of 24 callers on a process that may use 110 MB of heap, then 8 MB less each time until it cannot start (and sizes between, where none has died); one that dies is started again',
  promise:
    'it keeps running, or it dies and the next start needs no manual action; no acknowledged write is lost and every accepted score ends',
  async run({ seed, loadSeconds, patience }) {
    const world = await faultWorld();
    try {
      const broken: string[] = [];
      const ledger = createLedger(this.name, patience);
      let deaths = 0;
      let times = 0;
      /** Load on a process with this much memory, which is started again when it dies; false: it does not start. */
      const press = async (megabytes: number): Promise<boolean> => {
        const birth = { flags: [`--max-old-space-size=${megabytes}`] };
        let life = await world.start(birth).catch(() => null);
        if (life === null) return false;
        times += 1;
        const stop = new AbortController();
        const writing = Promise.all(
          Array.from({ length: WRITERS }, (_, index) =>
            ledger.keepWriting(() => life?.call ?? null, chanceOf(seed, `${index}`), stop.signal, 5),
          ),
        );
        for (const until = performance.now() + loadSeconds * 1_000; performance.now() < until; await pause(100)) {
          if (life && life.child.exitCode === null && life.child.signalCode === null) continue;
          deaths += 1;
          life = null;
          await eventually(async () => {
            life = await world.start(birth);
            return true;
          }, 30_000);
        }
        stop.abort();
        await writing;
        await life?.end('SIGKILL');
        return true;
      };
      let megabytes = FIRST_MB;
      while (megabytes >= LEAST_MB && (await press(megabytes))) megabytes -= STEP_MB;
      for (let more = FINE_MB; deaths === 0 && more < STEP_MB; more += FINE_MB) await press(megabytes + more);
      if (times === 0) broken.push(`with ${FIRST_MB} MB of heap the service does not start`);
      if (deaths === 0) broken.push('no process ran out of memory');
      const last = await world.start();
      broken.push(...(await ledger.missing(last.call)));
      return {
        times,
        broken,
        figures: {
          ...ledger.count(),
          died_out_of_memory: deaths,
          does_not_start_with_mb: megabytes,
          scores_ended_after_ms: ledger.settledMs(),
        },
      };
    } finally {
      await world.close();
    }
  },
};

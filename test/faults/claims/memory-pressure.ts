import { type Claim, chanceOf, eventually, pause } from '../claim.ts';
import { faultWorld } from '../fault-world.ts';
import { createLedger } from '../ledger.ts';

/** About what the service holds when it does nothing, in MB of Node’s old space. */
const HEAP_MB = [110, 80] as const;
const WRITERS = 6;

/** Hardly any memory, under load, with something that starts the process again. */
export const memoryPressure: Claim = {
  name: 'memory-pressure',
  fault:
    'scores and writes of six callers on a process that may use 110 MB of heap, then 80 MB; one that dies is started again',
  promise:
    'it goes on, or it dies and the next start needs no hand; no acknowledged write is lost and every accepted score ends',
  async run({ seed, loadSeconds }) {
    const world = await faultWorld();
    try {
      const broken: string[] = [];
      const ledger = createLedger(this.name);
      let deaths = 0;
      for (const megabytes of HEAP_MB) {
        const birth = { flags: [`--max-old-space-size=${megabytes}`] };
        let life = await world.start(birth).catch(() => null);
        if (life === null) {
          broken.push(`with ${megabytes} MB of heap the service does not start`);
          continue;
        }
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
      }
      const last = await world.start();
      broken.push(...(await ledger.missing(last.call)));
      return { times: HEAP_MB.length, broken, figures: { ...ledger.count(), processes_out_of_memory: deaths } };
    } finally {
      await world.close();
    }
  },
};

import { type Claim, chanceOf, pause, roundedMedian } from '../claim.ts';
import { faultWorld, type Life } from '../fault-world.ts';
import { createLedger } from '../ledger.ts';

/** A process of the service is gone in the middle of anything. */
export const killService: Claim = {
  name: 'kill-service',
  fault: 'kill -9 of a process of the service, at a random moment, while requests arrive',
  promise: 'no acknowledged write is lost, every accepted score ends, and the next start needs no manual action',
  async run({ seed, kills, patience }) {
    const chance = chanceOf(seed, this.name);
    const world = await faultWorld();
    try {
      const ledger = createLedger(this.name, patience);
      const stop = new AbortController();
      let life: Life | null = await world.start();
      const writing = ledger.keepWriting(() => life?.call ?? null, chanceOf(seed, 'writes'), stop.signal);
      const starts: number[] = [];
      for (let kill = 0; kill < kills; kill += 1) {
        await pause(50 + chance() * 900);
        const dying: Life = life as Life;
        life = null;
        await dying.end('SIGKILL');
        life = await world.start();
        starts.push(life.readyMs);
      }
      await pause(200);
      stop.abort();
      await writing;
      const broken = await ledger.missing(life.call);
      const code = await life.end('SIGTERM');
      return {
        times: kills,
        broken: code === 0 ? broken : [...broken, `the last process ended with ${code}`],
        figures: {
          ...ledger.count(),
          start_ms_median: roundedMedian(starts),
          start_ms_longest: Math.round(Math.max(...starts)),
        },
      };
    } finally {
      await world.close();
    }
  },
};

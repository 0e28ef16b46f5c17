import { createAlertLedger } from '../alert-ledger.ts';
import { type Claim, chanceOf, pause, roundedMedian } from '../claim.ts';
import { faultWorld } from '../fault-world.ts';
import { createLedger } from '../ledger.ts';
import { servesAgain } from '../serving.ts';

const SERVES_WITHIN_MS = 10_000;

/** The database is restarted, or crashes and comes back. */
export const restartDatabase: Claim = {
  name: 'restart-database',
  fault: 'restart of the database under load, alternately orderly and by kill -9 of all its processes',
  promise:
    'no acknowledged write is lost, no alert is lost or duplicated, and the same process serves again without manual action',
  async run({ seed, restarts, patience }) {
    const world = await faultWorld({ ownServer: true });
    const database = world.database;
    if (!database) throw new Error('the world has no database of its own');
    const stop = new AbortController();
    const chance = chanceOf(seed, this.name);
    const life = await world.start({ settings: { webhookLoopback: true } });
    const alerts = await createAlertLedger(life.call, world.databaseUrl);
    try {
      const ledger = createLedger(this.name, patience);
      alerts.keepReading(() => life.call);
      const work = [
        ledger.keepWriting(() => life.call, chanceOf(seed, 'writes'), stop.signal),
        alerts.keepRating(stop.signal),
      ];
      const served: number[] = [];
      for (let turn = 0; turn < restarts; turn += 1) {
        await pause(300 + chance() * 1_000);
        if (turn % 2 === 0) await database.kill();
        else await database.stop();
        await pause(chance() * 1_000);
        await database.start();
        served.push(await servesAgain(life.call, SERVES_WITHIN_MS * patience));
      }
      await pause(300);
      stop.abort();
      await Promise.all(work);
      const told = await alerts.settle();
      const broken = [...(await ledger.missing(life.call)), ...told.broken];
      if (life.child.exitCode !== null || life.child.signalCode !== null) broken.push('the service’s process ended');
      return {
        times: restarts,
        broken,
        figures: {
          ...ledger.count(),
          ...told.figures,
          serves_again_ms_median: roundedMedian(served),
          serves_again_ms_longest: Math.round(Math.max(...served)),
        },
      };
    } finally {
      stop.abort();
      await alerts.close();
      await world.close();
    }
  },
};

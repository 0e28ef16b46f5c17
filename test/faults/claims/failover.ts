import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { postgresPair } from '../../support/postgres-pair.ts';
import { createAlertLedger } from '../alert-ledger.ts';
import { type Claim, chanceOf, pause, roundedMedian } from '../claim.ts';
import { faultWorld } from '../fault-world.ts';
import { createLedger } from '../ledger.ts';
import { servesAgain } from '../serving.ts';

const SERVES_WITHIN_MS = 10_000;

/** The machine of the primary database is gone; its synchronous standby takes over. */
export const failover: Claim = {
  name: 'failover',
  fault: 'kill -9 of every process of the primary database under load; the synchronous standby is promoted',
  promise:
    'no acknowledged write is lost, no alert is lost or duplicated, and the same process serves again without manual action',
  async run({ seed, failovers, patience }) {
    const folder = await mkdtemp(join(tmpdir(), 'assay-pair-'));
    await chmod(folder, 0o755);
    const pair = await postgresPair(folder);
    const world = await faultWorld({ databaseUrl: pair.url });
    const stop = new AbortController();
    const chance = chanceOf(seed, this.name);
    const life = await world.start({ settings: { webhookLoopback: true } });
    const alerts = await createAlertLedger(life.call, pair.url);
    try {
      const ledger = createLedger(this.name, patience);
      alerts.keepReading(() => life.call);
      const work = [
        ledger.keepWriting(() => life.call, chanceOf(seed, 'writes'), stop.signal),
        alerts.keepRating(stop.signal),
      ];
      const promoted: number[] = [];
      const served: number[] = [];
      for (let turn = 0; turn < failovers; turn += 1) {
        await pause(500 + chance() * 1_500);
        const killedAt = performance.now();
        promoted.push((await pair.failOver()).promotedMs);
        await servesAgain(life.call, SERVES_WITHIN_MS * patience);
        served.push(performance.now() - killedAt);
        await pair.restoreStandby();
      }
      await pause(500);
      stop.abort();
      await Promise.all(work);
      const told = await alerts.settle();
      const broken = [...(await ledger.missing(life.call)), ...told.broken];
      if (life.child.exitCode !== null || life.child.signalCode !== null) broken.push('the service’s process ended');
      return {
        times: failovers,
        broken,
        figures: {
          ...ledger.count(),
          ...told.figures,
          promoted_ms_median: roundedMedian(promoted),
          serves_again_ms_median: roundedMedian(served),
          serves_again_ms_longest: Math.round(Math.max(...served)),
        },
      };
    } finally {
      stop.abort();
      await alerts.close();
      await world.close();
      await pair.close();
    }
  },
};

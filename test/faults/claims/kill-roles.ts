import { createAlertLedger } from '../alert-ledger.ts';
import { type Claim, chanceOf, pause, pick, roundedMedian } from '../claim.ts';
import { type Call, faultWorld, type Life } from '../fault-world.ts';
import { createLedger } from '../ledger.ts';

const ROLES = ['api', 'api', 'worker', 'worker'] as const;

/** Several processes on one database, some that answer and some that work, each gone at any moment. */
export const killRoles: Claim = {
  name: 'kill-roles',
  fault:
    'kill -9 of one of two `api` and two `worker` processes on one database, at a random moment, under load; it is started again',
  promise:
    'the others keep working: no acknowledged write is lost, no alert is lost or duplicated, every accepted score ends',
  async run({ seed, roleKills, patience }) {
    const world = await faultWorld();
    const stop = new AbortController();
    try {
      const chance = chanceOf(seed, this.name);
      const settings = { webhookLoopback: true };
      const lives: Life[] = [];
      for (const role of ROLES) lives.push(await world.start({ role, settings }));
      const dead = new Set<Life>();
      // As a balancer does that looks at /readyz: whoever lives.
      const alive = (): Call | null =>
        lives.find((life, index) => ROLES[index] === 'api' && !dead.has(life))?.call ?? null;
      const first = alive();
      if (!first) throw new Error('no process answers');
      const alerts = await createAlertLedger(first, world.databaseUrl);
      const ledger = createLedger(this.name, patience);
      alerts.keepReading(alive);
      const work = [ledger.keepWriting(alive, chanceOf(seed, 'writes'), stop.signal), alerts.keepRating(stop.signal)];
      const starts: number[] = [];
      for (let kill = 0; kill < roleKills; kill += 1) {
        await pause(50 + chance() * 500);
        const victim = pick(lives, chance);
        const place = lives.indexOf(victim);
        dead.add(victim);
        await victim.end('SIGKILL');
        const next = await world.start({ role: ROLES[place] ?? 'api', settings });
        lives[place] = next;
        starts.push(next.readyMs);
      }
      await pause(200);
      stop.abort();
      await Promise.all(work);
      const told = await alerts.settle();
      const broken = [...(await ledger.missing(alive() ?? first)), ...told.broken];
      await alerts.close();
      return {
        times: roleKills,
        broken,
        figures: {
          ...ledger.count(),
          ...told.figures,
          start_ms_median: roundedMedian(starts),
          scores_ended_after_ms: ledger.settledMs(),
        },
      };
    } finally {
      stop.abort();
      await world.close();
    }
  },
};

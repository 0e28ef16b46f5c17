import { tcpProxy } from '../../support/tcp-proxy.ts';
import { type Claim, chanceOf, pause } from '../claim.ts';
import { callerOf, faultWorld } from '../fault-world.ts';

/** The caller’s own wire breaks before it has its answer. */
export const cutClient: Claim = {
  name: 'cut-client',
  fault: 'the connection between a caller and the service is cut while the caller waits for a score',
  promise: 'the same request with its Idempotency-Key finds the one job that was created, and that job ends',
  async run({ seed, cuts }) {
    const world = await faultWorld();
    const chance = chanceOf(seed, this.name);
    try {
      const life = await world.start();
      const wire = await tcpProxy(Number(new URL(life.url).port));
      const far = callerOf(`http://127.0.0.1:${wire.port}`, world.key);
      const broken: string[] = [];
      let unanswered = 0;
      const times = cuts * 4;
      for (let turn = 0; turn < times; turn += 1) {
        const request = {
          json: {
            type: 'posttge',
            project: 'Tidewell',
            project_url: 'https://tidewell.example/',
            category: `cut ${turn}`,
          },
          headers: { 'idempotency-key': `cut-${turn}`, prefer: 'wait=25' },
        };
        const asked = far('/v1/score', request).then(
          (reply) => reply.status,
          () => null,
        );
        await pause(chance() * 60);
        wire.cut();
        if ((await asked) === null) unanswered += 1;
        wire.heal();
        const again = await Promise.all([far('/v1/score', request), far('/v1/score', request)]);
        const jobs = new Set<string | undefined>();
        for (const reply of again) {
          if (reply.status !== 200) broken.push(`turn ${turn}: the repeated request got ${reply.status}`);
          jobs.add(((await reply.json()) as { readonly job_id?: string }).job_id);
        }
        if (jobs.size !== 1) broken.push(`turn ${turn}: two jobs were made, ${[...jobs].join(' and ')}`);
      }
      await wire.close();
      return { times, broken, figures: { callers_without_answer: unanswered } };
    } finally {
      await world.close();
    }
  },
};

import { connect } from '../../../src/store/database.ts';
import { marks } from '../../../src/store/health.ts';
import { type Claim, eventually } from '../claim.ts';
import { faultWorld } from '../fault-world.ts';

const POISON_HOST = 'wobblepup.example';
const ENDS_WITHIN_MS = 45_000;
/** Once, and once more. */
const MOST_DEATHS = 2;

/** A job that no process survives, with something that starts the process again, as systemd does. */
export const poisonJob: Claim = {
  name: 'poison-job',
  fault: 'a score whose work kills the process that has it, under a supervisor that starts the service again at once',
  promise:
    'the job is started twice at most, then fails visibly as `interrupted` and is counted by the doctor, and other scores end',
  async run({ poisonJobs, patience }) {
    const world = await faultWorld({ sparesDatabase: true });
    const broken: string[] = [];
    let deaths = 0;
    let slowestMs = 0;
    try {
      const birth = { poisonHost: POISON_HOST };
      let life = await world.start(birth);
      const alive = async () => {
        if (life.child.exitCode === null && life.child.signalCode === null) return;
        deaths += 1;
        life = await world.start(birth);
      };
      for (let turn = 0; turn < poisonJobs; turn += 1) {
        const deathsBefore = deaths;
        const startedAt = performance.now();
        const poison = {
          type: 'posttge',
          project: 'Wobblepup',
          project_url: `https://${POISON_HOST}/`,
          category: `poison ${turn}`,
        };
        const reply = await life.call('/v1/score', { json: poison, headers: { prefer: 'respond-async' } });
        const { job_id: id } = (await reply.json()) as { readonly job_id: string };
        let seen: {
          readonly state?: string;
          readonly attempts?: number;
          readonly error?: { readonly code: string } | null;
        } = {};
        const ended = await eventually(
          async () => {
            await alive();
            seen = (await (await life.call(`/v1/jobs/${id}`)).json()) as typeof seen;
            return seen.state === 'failed';
          },
          ENDS_WITHIN_MS * patience,
          200,
        );
        slowestMs = Math.max(slowestMs, performance.now() - startedAt);
        if (!ended) broken.push(`poison ${turn} is ${seen.state} after ${seen.attempts} attempts`);
        else if (seen.error?.code !== 'interrupted') broken.push(`poison ${turn} failed as ${seen.error?.code}`);
        if (deaths - deathsBefore > MOST_DEATHS)
          broken.push(`poison ${turn} killed ${deaths - deathsBefore} processes`);
        const json = {
          type: 'posttge',
          project: 'Tidewell',
          project_url: 'https://tidewell.example/',
          category: `beside ${turn}`,
        };
        const parked = await parkedJobs(world.databaseUrl);
        if (parked !== turn + 1) broken.push(`the doctor counts ${parked} parked scores, not ${turn + 1}`);
        const beside = await life.call('/v1/score', { json, headers: { prefer: 'wait=25' } });
        if (beside.status !== 200) broken.push(`after poison ${turn} another score got ${beside.status}`);
        await beside.arrayBuffer();
      }
      return {
        times: poisonJobs,
        broken,
        figures: { processes_killed: deaths, parked_after_ms_longest: Math.round(slowestMs) },
      };
    } finally {
      await world.close();
    }
  },
};

/** What `assay doctor` reads. */
async function parkedJobs(databaseUrl: string): Promise<number> {
  const { pool, close } = connect(databaseUrl);
  const client = await pool.connect();
  try {
    return (await marks(client, new Date().toISOString())).parkedJobs;
  } finally {
    client.release();
    await close();
  }
}

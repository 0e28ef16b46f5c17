import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { test } from 'node:test';
import { type Durable, durable, type Life } from './support/durable-service.ts';

const KILLS = 3;
const CALLERS = 4;
/** Lives this long before it is killed, each time ending at another moment of its flushes. */
const LIFE_MS = [1_700, 2_150, 2_480];
const LOST_MS = 1_000;

interface Tally {
  /** When each answer came. */
  readonly answered: number[];
  /** Asked, and never answered. */
  unanswered: number;
}

test('usage survives kill -9: a second at most is lost, and nothing counts twice', async () => {
  const place = await durable();
  try {
    let answered = 0;
    let late = 0;
    let unanswered = 0;
    for (let kill = 0; kill < KILLS; kill += 1) {
      const life = await place.start();
      const killedAt = performance.now() + (LIFE_MS[kill] ?? 0);
      const tally = await askUntilKilled(life, killedAt);
      answered += tally.answered.length;
      late += tally.answered.filter((at) => at > killedAt - LOST_MS).length;
      unanswered += tally.unanswered;
    }
    const counted = await countedAfter(place);
    assert.ok(answered > 100, `${answered} requests are too few to prove anything`);
    assert.ok(counted <= answered + unanswered, `${counted} counted of ${answered} and ${unanswered} unanswered`);
    assert.ok(counted >= answered - late, `${counted} counted of ${answered}, ${late} of them in a last second`);
  } finally {
    await place.world.close();
    await rm(place.dataDir, { recursive: true, force: true });
  }
});

async function askUntilKilled(life: Life, killedAt: number): Promise<Tally> {
  const tally: Tally = { answered: [], unanswered: 0 };
  let alive = true;
  const caller = async () => {
    while (alive) {
      try {
        await (await life.call('/v1/rms/NOBODY')).arrayBuffer();
        tally.answered.push(performance.now());
      } catch {
        tally.unanswered += 1;
        return;
      }
    }
  };
  const callers = Array.from({ length: CALLERS }, caller);
  await new Promise((resolve) => setTimeout(resolve, killedAt - performance.now()));
  await life.end('SIGKILL');
  alive = false;
  await Promise.all(callers);
  return tally;
}

/** What the next life reads, and that it ends well. */
async function countedAfter(place: Durable): Promise<number> {
  const life = await place.start();
  const reply = await life.call('/v1/usage?group_by=endpoint_group');
  const { data } = (await reply.json()) as { data: { endpoint_group: string; requests: number }[] };
  const { code } = await life.end('SIGTERM');
  assert.equal(code, 0);
  return data.find((row) => row.endpoint_group === 'rms')?.requests ?? 0;
}

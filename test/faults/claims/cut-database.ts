import type { TcpProxy } from '../../support/tcp-proxy.ts';
import { type Chance, type Claim, chanceOf, type Finding, pause, roundedMedian, type Size } from '../claim.ts';
import { type Call, faultWorld } from '../fault-world.ts';
import { createLedger } from '../ledger.ts';
import { servesAgain } from '../serving.ts';

const SERVES_WITHIN_MS = 10_000;
/** Longer than the service may leave a caller without an answer when its database says nothing. */
const ANSWER_WITHIN_MS = 15_000;
const PROMISE =
  'requests that need the database are refused with a message (503) within 15 s, /healthz responds, no acknowledged write is lost, and it serves again by itself';

/** The database can be reached no longer: connections are reset, new ones refused. */
export const cutDatabase: Claim = {
  name: 'cut-database',
  fault: 'the connection between service and database is cut: connections are reset, new ones fail',
  promise: PROMISE,
  run({ seed, cuts, patience }) {
    return cutWire(chanceOf(seed, this.name), { cuts, patience }, (wire) => wire.cut());
  },
};

/** The database’s machine is gone without a word: connections stay open and say nothing. */
export const silentDatabase: Claim = {
  name: 'silent-database',
  fault: 'the connection between service and database goes silent: connections stay open, nothing passes',
  promise: PROMISE,
  run({ seed, cuts, patience }) {
    return cutWire(chanceOf(seed, this.name), { cuts, patience }, (wire) => wire.silence());
  },
};

async function cutWire(
  chance: Chance,
  { cuts: times, patience }: Pick<Size, 'cuts' | 'patience'>,
  fault: (wire: TcpProxy) => void,
): Promise<Finding> {
  const world = await faultWorld({ sparesDatabase: true });
  try {
    const life = await world.start();
    const ledger = createLedger('cut', patience);
    const broken: string[] = [];
    const served: number[] = [];
    let slowestAnswerMs = 0;
    for (let turn = 0; turn < times; turn += 1) {
      for (let write = 0; write < 5; write += 1) await ledger.write(life.call, chance);
      fault(world.databaseWire);
      await pause(200);
      const { ms, status } = await answer(life.call);
      slowestAnswerMs = Math.max(slowestAnswerMs, ms);
      if (status !== 503) broken.push(`a write got ${status} after ${Math.round(ms)} ms, 503 was expected`);
      const health = await life.call('/healthz', { signal: AbortSignal.timeout(10_000) }).catch(() => null);
      if (health?.status !== 200) broken.push(`/healthz got ${health?.status ?? 'no answer'}`);
      const ready = await life.call('/readyz', { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) }).catch(() => null);
      if (ready?.status !== 503) broken.push(`/readyz got ${ready?.status ?? 'no answer'}`);
      world.databaseWire.heal();
      served.push(await servesAgain(life.call, SERVES_WITHIN_MS * patience));
    }
    return {
      times,
      broken: [...broken, ...(await ledger.missing(life.call))],
      figures: {
        ...ledger.count(),
        slowest_answer_ms: Math.round(slowestAnswerMs),
        serves_again_ms_median: roundedMedian(served),
        serves_again_ms_longest: Math.round(Math.max(...served)),
      },
    };
  } finally {
    await world.close();
  }
}

async function answer(call: Call): Promise<{ readonly ms: number; readonly status: number | string }> {
  const startedAt = performance.now();
  const json = { name: 'while it is away', scopes: ['rms:read'], plan: 'RATING' };
  const reply = await call('/v1/admin/keys', { json, signal: AbortSignal.timeout(ANSWER_WITHIN_MS) }).catch(() => null);
  await reply?.arrayBuffer().catch(() => undefined);
  return { ms: performance.now() - startedAt, status: reply?.status ?? 'no answer' };
}

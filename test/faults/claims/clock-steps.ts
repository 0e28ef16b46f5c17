import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Claim, chanceOf, pause } from '../claim.ts';
import { type Call, faultWorld } from '../fault-world.ts';
import { createLedger } from '../ledger.ts';

/** Debian’s package `faketime`, or a path of one’s own in `LIBFAKETIME`. */
const LIBRARIES = [
  process.env.LIBFAKETIME ?? '',
  `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu/faketime/libfaketimeMT.so.1`,
];
const STEPS = ['+1h', '+0', '-1h', '+0', '+2d', '+5m', '-5m'] as const;
const WAIT_SECONDS = 40;

/** The clock of the machine is set while scores are made. */
export const clockSteps: Claim = {
  name: 'clock-steps',
  fault: 'the service’s wall clock is set forward and back by minutes, an hour and two days while scores are running',
  promise: 'a running score ends as it would have, no accepted score is lost or left running, and reads continue',
  async run({ seed, clockSteps: steps, patience }) {
    const library = LIBRARIES.find((path) => path !== '' && existsSync(path));
    if (library === undefined)
      return { times: 0, broken: [], figures: {}, skipped: 'libfaketime is not installed (Debian: faketime)' };
    const world = await faultWorld();
    try {
      const clock = join(world.folder, 'clock');
      await writeFile(clock, '+0');
      const life = await world.start({
        env: {
          LD_PRELOAD: library,
          FAKETIME_TIMESTAMP_FILE: clock,
          FAKETIME_NO_CACHE: '1',
          FAKETIME_DONT_FAKE_MONOTONIC: '1',
        },
      });
      const chance = chanceOf(seed, this.name);
      const ledger = createLedger(this.name, patience);
      const broken: string[] = [];
      // Long enough that the clock moves in the middle of the work.
      world.sandbox.faults.add({ source: '*', kind: 'latency', ms: 400 });
      for (let turn = 0; turn < steps; turn += 1) {
        const step = STEPS[turn % STEPS.length] ?? '+0';
        for (let write = 0; write < 5; write += 1) await ledger.write(life.call, chance);
        const scored = score(life.call, `${turn}`);
        await pause(300 + chance() * 500);
        await writeFile(clock, step);
        const { status, code } = await scored;
        if (status !== 200) broken.push(`a score under way at ${step} got ${status} ${code ?? ''}`);
        const read = await life.call('/v1/rms/whitelist');
        await read.arrayBuffer();
        if (read.status !== 200) broken.push(`a read after ${step} got ${read.status}`);
      }
      await writeFile(clock, '+0');
      world.sandbox.faults.clear();
      return {
        times: steps,
        broken: [...broken, ...(await ledger.missing(life.call))],
        figures: { ...ledger.count() },
      };
    } finally {
      await world.close();
    }
  },
};

async function score(call: Call, category: string) {
  const reply = await call('/v1/score', {
    json: {
      type: 'posttge',
      project: 'Tidewell',
      project_url: 'https://tidewell.example/',
      category: `clock ${category}`,
    },
    headers: { prefer: `wait=${WAIT_SECONDS}` },
    signal: AbortSignal.timeout((WAIT_SECONDS + 10) * 1_000),
  });
  const { code = null } = (await reply.json()) as { readonly code?: string };
  return { status: reply.status, code };
}

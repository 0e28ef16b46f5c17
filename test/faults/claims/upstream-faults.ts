import { FAULT_KINDS, type FaultKind } from '../../../sandbox/faults.ts';
import { SOURCES } from '../../../src/sources/index.ts';
import { type Claim, chanceOf, shuffled } from '../claim.ts';
import { type Call, faultWorld } from '../fault-world.ts';

/** Sources that a project on Solana never asks. */
const ELSEWHERE = new Set(['evm_rpc', 'blockscout', 'honeypot_is', 'sourcify']);
const WAIT_SECONDS = 25;
/** The world moves on between two scores. */
const TRUST_NOISE = 2;
/** Circuits that earlier faults opened would leave the next fault nobody to be asked. */
const PAIRS_EACH_PROCESS = 12;

/** Each way in which a source can fail or lie, at each source alone. */
export const upstreamFaults: Claim = {
  name: 'upstream-faults',
  fault:
    'each fault of the sandbox (slow, limited, broken, lying, redirecting, flooding, silent) at each source alone, in a seeded order',
  promise: 'every score gets a response; trust falls or stays and never rises',
  async run({ seed, upstreamFaults: most, upstreamFrom: from }) {
    const world = await faultWorld();
    try {
      const sources = SOURCES.filter(({ enabledByDefault, name }) => enabledByDefault && !ELSEWHERE.has(name));
      const pairs = sources.flatMap(({ name }) => FAULT_KINDS.map((kind) => ({ source: name, kind })));
      const chosen = shuffled(pairs, chanceOf(seed, this.name)).slice(from, from + most);
      const broken: string[] = [];
      let fell = 0;
      let life = await world.start();
      let calm = await score(life.call, 'calm');
      for (const [turn, { source, kind }] of chosen.entries()) {
        if (turn > 0 && turn % PAIRS_EACH_PROCESS === 0) {
          await life.end('SIGKILL');
          life = await world.start();
          calm = await score(life.call, `calm ${turn}`);
        }
        world.sandbox.faults.add({
          source,
          kind,
          ms: kind === 'slow_drip' ? 400 : 900,
          retryAfterSeconds: 1,
          ...factorOf(kind),
        });
        const now = await score(life.call, `${kind} of ${source}`);
        world.sandbox.faults.clear();
        const what = `${kind} of ${source}`;
        if (now.status !== 200) broken.push(`${what}: a score got ${now.status} ${now.code ?? ''}`);
        if (now.trust > calm.trust + TRUST_NOISE) broken.push(`${what}: trust rose from ${calm.trust} to ${now.trust}`);
        if (now.trust < calm.trust) fell += 1;
      }
      return {
        times: chosen.length,
        broken,
        figures: {
          pairs_in_all: pairs.length,
          first_pair: from + 1,
          sources: sources.length,
          kinds: FAULT_KINDS.length,
          trust_fell: fell,
          trust_calm: calm.trust,
        },
      };
    } finally {
      await world.close();
    }
  },
};

/** A price a thousand times too high. */
function factorOf(kind: FaultKind) {
  return kind === 'scale' ? { quantity: 'price' as const, factor: 1_000 } : {};
}

async function score(call: Call, category: string) {
  const reply = await call('/v1/score', {
    json: {
      type: 'posttge',
      project: 'Tidewell',
      project_url: 'https://tidewell.example/',
      token_symbol: 'TIDE',
      category,
    },
    headers: { prefer: `wait=${WAIT_SECONDS}` },
  });
  const body = (await reply.json()) as { readonly code?: string; readonly trust_score?: { readonly score: number } };
  return { status: reply.status, code: body.code ?? null, trust: body.trust_score?.score ?? 0 };
}

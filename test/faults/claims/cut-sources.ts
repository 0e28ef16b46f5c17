import { type Claim, eventually, pause } from '../claim.ts';
import { type Call, faultWorld } from '../fault-world.ts';

/** The deadline of each score; the reply may take a little longer. */
const WAIT_SECONDS = 10;
const OVERTIME_SECONDS = 5;
/** A circuit that opened is tried again after half a minute. */
const TRUSTED_AGAIN_MS = 45_000;

interface Scored {
  readonly status: number;
  readonly seconds: number;
  readonly code: string | null;
  readonly trust: number | null;
  /** When the rating that was answered was made, milliseconds since the epoch; NaN for a refusal. */
  readonly madeAt: number;
}

/** Every source is behind a wire that is cut, or silent. */
export const cutSources: Claim = {
  name: 'cut-sources',
  fault: 'the connection between the service and all its sources is cut, then silent',
  promise:
    'the caller has a response in time: the earlier rating, less trust, or a refusal with a message; trust recovers by itself',
  async run({ cuts, patience }) {
    const world = await faultWorld();
    try {
      const life = await world.start();
      const broken: string[] = [];
      const calm = await score(life.call, 'calm');
      if (calm.trust === null) broken.push(`before the fault a score got ${calm.status} ${calm.code}`);
      let slowest = 0;
      let backMs = 0;
      for (let turn = 0; turn < cuts * 2; turn += 1) {
        const how = turn % 2 === 0 ? 'cut' : 'silent';
        const cutAt = Date.now();
        if (how === 'cut') world.sourcesWire.cut();
        else world.sourcesWire.silence();
        const now = await score(life.call, `${how} ${turn}`);
        slowest = Math.max(slowest, now.seconds);
        if (now.seconds > WAIT_SECONDS + OVERTIME_SECONDS)
          broken.push(`${how}: an answer took ${now.seconds.toFixed(1)} s`);
        // A published rating is answered as it stands, with its time; a new one must not be trusted as if nothing had happened.
        if (now.trust !== null && now.trust >= (calm.trust ?? 0) && !(now.madeAt <= cutAt))
          broken.push(`${how}: a rating made without sources has trust ${now.trust}, not less than ${calm.trust}`);
        if (now.trust === null && now.status !== 503) broken.push(`${how}: a score got ${now.status} ${now.code}`);
        world.sourcesWire.heal();
        const startedAt = performance.now();
        const trusted = await eventually(
          async () =>
            ((await score(life.call, `back ${turn} ${performance.now()}`)).trust ?? 0) >= (calm.trust ?? 0) - 2,
          TRUSTED_AGAIN_MS * patience,
          1_000,
        );
        backMs = Math.max(backMs, performance.now() - startedAt);
        if (!trusted) broken.push(`${how}: trust had not come back after ${(TRUSTED_AGAIN_MS * patience) / 1000} s`);
        await pause(100);
      }
      return {
        times: cuts * 2,
        broken,
        figures: {
          trust_before: calm.trust ?? 'none',
          slowest_answer_s: slowest.toFixed(1),
          trusted_again_ms: Math.round(backMs),
        },
      };
    } finally {
      await world.close();
    }
  },
};

async function score(call: Call, category: string): Promise<Scored> {
  const startedAt = performance.now();
  const reply = await call('/v1/score', {
    json: { type: 'posttge', project: 'Tidewell', project_url: 'https://tidewell.example/', category },
    headers: { prefer: `wait=${WAIT_SECONDS}` },
  });
  const body = (await reply.json()) as {
    readonly code?: string;
    readonly as_of?: string;
    readonly trust_score?: { readonly score: number };
  };
  return {
    status: reply.status,
    seconds: (performance.now() - startedAt) / 1000,
    code: body.code ?? null,
    trust: body.trust_score?.score ?? null,
    madeAt: Date.parse(body.as_of ?? ''),
  };
}

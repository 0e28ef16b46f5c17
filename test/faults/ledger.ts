import { type Chance, pause, pick } from './claim.ts';
import type { Call } from './fault-world.ts';

/**
 * A client’s own book of what the service has acknowledged: scores it accepted, assets it watches, keys it made. Whatever
 * dies afterwards, each of them must still be there.
 */
export interface Ledger {
  /** One write of a kind that chance decides. */
  write(call: Call, chance: Chance): Promise<WriteOutcome>;
  /** Writes one after another until told to stop; `call` gives null while there is nobody to ask. */
  keepWriting(call: () => Call | null, chance: Chance, stop: AbortSignal, pauseMs?: number): Promise<void>;
  readonly count: () => Readonly<Record<WriteOutcome, number>>;
  /** How long `missing` waited until every accepted score had ended. */
  readonly settledMs: () => number;
  /** Sentences about acknowledged writes that are gone, and scores that never end. */
  missing(call: Call): Promise<readonly string[]>;
}

/** `refused`: the service said no in words. `unknown`: no answer came, the write may have happened. */
type WriteOutcome = 'acknowledged' | 'refused' | 'unknown';

const PROJECTS = ['Tidewell', 'Marrowstone', 'Brackwater', 'Wobblepup', 'Quillpond', 'Lumenfall'];
/** After the last fault every accepted score has so long to end; a lease is ten seconds, a score's deadline forty-five. */
const END_WITHIN_MS = 60_000;
const ENDED = new Set(['succeeded', 'failed', 'cancelled']);

export function createLedger(name: string, patience: number): Ledger {
  const scores: string[] = [];
  const watched: string[] = [];
  const keys: string[] = [];
  const outcomes = { acknowledged: 0, refused: 0, unknown: 0 };
  let turn = 0;
  let settledMs = 0;

  async function score(call: Call, chance: Chance): Promise<boolean> {
    const project = pick(PROJECTS, chance);
    const reply = await call('/v1/score', {
      json: {
        type: 'posttge',
        project,
        project_url: `https://${project.toLowerCase()}.example/`,
        // Another category each time: no job is joined to an earlier one.
        category: `${name} ${turn}`,
      },
      headers: { prefer: 'respond-async' },
    });
    const { job_id: id } = (await reply.json()) as { readonly job_id?: string };
    if (reply.status === 202 && id !== undefined) scores.push(id);
    return reply.status === 202;
  }

  async function watch(call: Call, chance: Chance): Promise<boolean> {
    const address = Array.from({ length: 40 }, () => Math.floor(chance() * 16).toString(16)).join('');
    const asset = `eip155:1/erc20:0x${address}`;
    const reply = await call(`/v1/rms/whitelist/${encodeURIComponent(asset)}`, {
      method: 'PUT',
      // Long enough that a full disk is soon felt.
      body: JSON.stringify({ note: `${name} ${turn} ${'.'.repeat(400)}` }),
      headers: { 'content-type': 'application/json' },
    });
    await reply.arrayBuffer();
    if (reply.ok) watched.push(asset.toLowerCase());
    return reply.ok;
  }

  async function makeKey(call: Call): Promise<boolean> {
    const json = { name: `${name} ${turn}`, scopes: ['rms:read'], plan: 'RATING' };
    const reply = await call('/v1/admin/keys', { json });
    const { id } = (await reply.json()) as { readonly id?: string };
    if (reply.status === 201 && id !== undefined) keys.push(id);
    return reply.status === 201;
  }

  async function write(call: Call, chance: Chance): Promise<WriteOutcome> {
    turn += 1;
    const kind = chance();
    const outcome: WriteOutcome = await (kind < 0.3
      ? score(call, chance)
      : kind < 0.8
        ? watch(call, chance)
        : makeKey(call)
    ).then(
      (taken) => (taken ? 'acknowledged' : 'refused'),
      () => 'unknown',
    );
    outcomes[outcome] += 1;
    return outcome;
  }

  return {
    write,
    async keepWriting(call, chance, stop, pauseMs = 30) {
      while (!stop.aborted) {
        const open = call();
        if (open) await write(open, chance);
        await pause(pauseMs);
      }
    },
    count: () => outcomes,
    settledMs: () => settledMs,
    async missing(call) {
      const since = performance.now();
      const untilTick = since + END_WITHIN_MS * patience;
      const entries = await read<readonly { readonly asset: string }[]>(call, '/v1/rms/whitelist', untilTick);
      const known = new Set(entries.map((entry) => entry.asset.toLowerCase()));
      const listed = await read<{ readonly data: readonly { readonly id: string }[] }>(
        call,
        '/v1/admin/keys',
        untilTick,
      );
      const made = new Set(listed.data.map(({ id }) => id));
      const lost: string[] = [];
      let open: readonly string[] = scores;
      const states = new Map<string, string>();
      while (open.length > 0 && performance.now() < untilTick) {
        await Promise.all(open.map(async (id) => states.set(id, await stateOf(call, id))));
        lost.push(...open.filter((id) => states.get(id) === 'lost'));
        open = open.filter((id) => states.get(id) !== 'lost' && !ENDED.has(states.get(id) ?? ''));
        await pause(500);
      }
      settledMs = Math.round(performance.now() - since);
      return [
        ...lost.map((id) => `the accepted score ${id} is gone`),
        ...open.map((id) => `the accepted score ${id} did not end: ${states.get(id)}`),
        ...watched.filter((asset) => !known.has(asset)).map((asset) => `${asset} is on the watchlist no longer`),
        ...keys.filter((id) => !made.has(id)).map((id) => `the key ${id} is gone`),
      ];
    },
  };
}

/** A read that is sent again, until the time given, while the caller gives up waiting: a backlog is no lost write. */
async function read<T>(call: Call, path: string, untilTick: number): Promise<T> {
  for (;;) {
    try {
      return (await (await call(path)).json()) as T;
    } catch (error) {
      if (performance.now() > untilTick) throw new Error(`no response to GET ${path}`, { cause: error });
      await pause(200);
    }
  }
}

/** `lost`, a state that ends, or in words what it is waiting for. */
async function stateOf(call: Call, id: string): Promise<string> {
  try {
    const reply = await call(`/v1/jobs/${id}`);
    const { state, attempts } = (await reply.json()) as { readonly state?: string; readonly attempts?: number };
    if (reply.status === 404) return 'lost';
    if (state !== undefined && ENDED.has(state)) return state;
    return state ? `${state}, begun ${attempts} times` : `HTTP ${reply.status}`;
  } catch (error) {
    return `unknown (${error instanceof Error ? error.message : error})`;
  }
}

import { type ChildProcess, fork } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startService } from '../../src/compose/service.ts';
import { openStorage } from '../../src/compose/storage.ts';
import type { Config } from '../../src/config/types.ts';
import { DAY_MS } from '../../src/domain/statistics.ts';
import { createMonitor } from '../../src/monitoring/monitor.ts';
import { serviceOnSandbox } from '../service-settings.ts';
import { type SandboxAddress, sandboxResolver } from '../settings.ts';
import type { AssetSpec } from '../world/types.ts';
import {
  DISPUTE,
  daysOf,
  LIVED,
  PAST_BEGIN,
  PAST_COPIES,
  PAST_DAYS,
  PAST_END,
  PAST_SEED,
  PAST_SPECS,
  WATCHED,
} from './story.ts';

/** Projects rated at once, and the world's time between two groups. */
const GROUP = 4;
const PAUSE_MS = 60_000;
/** A busy machine refuses connections and lets sources miss their deadlines: number of attempts. */
const TRIES = 4;
const PATIENCE_MS = 20_000;

/** Result of making the past, for the command. */
export interface Lived {
  readonly ratings: number;
  readonly projects: number;
  readonly refused: ReadonlyMap<string, string>;
}

/**
 * Runs the service through the past on the sandbox: it rates, watches, takes snapshots and closes days as usual, by a
 * clock that is advanced when a day's work is done. `dataDir` is empty before and holds the past afterwards.
 */
export async function liveThePast(dataDir: string, told: (line: string) => void): Promise<Lived> {
  const begunAt = Date.now();
  const behindMs = begunAt - PAST_BEGIN;
  const { child, address } = await startWorld(behindMs);
  const config: Config & { sandboxClockSeconds: number } = {
    ...serviceOnSandbox(address, {
      dataDir,
      monitorJobs: 0,
      bodyRetentionDays: 0,
      concurrentJobs: GROUP,
      logLevel: 'error',
    }),
    sandboxClockSeconds: -behindMs / 1000,
  };
  const now = () => Date.now() + config.sandboxClockSeconds * 1000;
  async function moveTo(at: number): Promise<void> {
    const by = Math.max(0, Math.round(at - now()));
    const moved = await fetch(`${address.url}/__control/clock`, {
      method: 'POST',
      body: JSON.stringify({ advance_ms: by }),
    });
    if (!moved.ok) throw new Error(await moved.text());
    config.sandboxClockSeconds += by / 1000;
  }
  const start = () => startService({ config, resolver: sandboxResolver(address) });
  let service = await start();
  const storage = await openStorage(config, 'visitor', () => undefined);
  const monitor = createMonitor({
    db: storage.store.db,
    scoring: { collect: async () => null },
    now,
    mostUnderWay: 0,
    onError: (error) => told(String(error)),
  });
  const desk = callerOf(() => service.url, service.adminKey ?? '');
  const ids = new Map<string, string>();
  const refused = new Map<string, string>();
  let ratings = 0;
  let disputed: string | null = null;
  try {
    const wallet = callerOf(() => service.url, await keyOf(desk));
    for (const day of LIVED) {
      const due = PAST_SPECS.filter((spec, place) => daysOf(spec, place).includes(day));
      const groups = Math.ceil(due.length / GROUP);
      // The last group of the last day ends at the end of the past.
      await moveTo(PAST_BEGIN + day * DAY_MS - (day === PAST_DAYS ? groups * PAUSE_MS : 0));
      for (let from = 0; from < due.length; from += GROUP) {
        await Promise.all(
          due.slice(from, from + GROUP).map(async (spec) => {
            const rated = await rateAtLast(desk, spec, ids.get(spec.slug));
            if ('problem' in rated) {
              // It is requested again on its next day: evidence below the floor may be above it then.
              told(`day ${day}: ${spec.name}: ${rated.problem}`);
              if (!ids.has(spec.slug)) refused.set(spec.slug, rated.problem);
              return;
            }
            refused.delete(spec.slug);
            ratings += 1;
            ids.set(spec.slug, rated.id);
          }),
        );
        await moveTo(now() + PAUSE_MS);
      }
      if (day === 0) for (const symbol of WATCHED) await desk('PUT', `/v1/rms/whitelist/${watchedId(ids, symbol)}`, {});
      await idle(desk);
      await monitor.tick();
      await readAsAWalletDoes(wallet, ids, day);
      if (day === DISPUTE.day) {
        const { id } = await desk<{ id: string }>('POST', '/v1/disputes', {
          asset: watchedId(ids, DISPUTE.symbol, false),
          claim: DISPUTE.claim,
        });
        disputed = id;
      }
      if (day === DISPUTE.resolvedOn && disputed !== null)
        await desk('POST', `/v1/admin/disputes/${disputed}/resolve`, {
          state: 'rejected',
          resolution: DISPUTE.resolution,
        }).catch((error) => told(String(error)));
      told(
        `day ${day}: ${due.length} projects, ${ratings} ratings so far, ${Math.round((Date.now() - begunAt) / 1000)} s`,
      );
    }
    await moveTo(PAST_END);
    // A starting service closes the days that have ended.
    await service.close();
    service = await start();
    await idle(desk);
    return { ratings, projects: ids.size, refused };
  } finally {
    await monitor.close();
    await storage.close();
    await service.close();
    child.kill('SIGTERM');
  }
}

type Caller = <Reply = unknown>(method: string, path: string, body?: unknown) => Promise<Reply>;

function callerOf(url: () => string, key: string): Caller {
  return async <Reply>(method: string, path: string, body?: unknown) => {
    const reply = await fetchAtLast(url() + path, {
      method,
      headers: {
        'x-api-key': key,
        prefer: 'wait=60',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${text.slice(0, 400)}`);
    return (text === '' ? null : JSON.parse(text)) as Reply;
  };
}

async function fetchAtLast(url: string, init: RequestInit): Promise<Response> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await fetch(url, init);
    } catch (error) {
      if (attempt === TRIES) throw error;
      await setTimeout(1_000 * attempt);
    }
  }
}

async function keyOf(desk: Caller): Promise<string> {
  const made = await desk<{ secret?: string; key?: string }>('POST', '/v1/admin/keys', {
    name: 'wallet app',
    scopes: ['rms:read', 'chain:read'],
    plan: 'INTERNAL',
  });
  return made.secret ?? made.key ?? '';
}

/** A failed source may reply at the next attempt; a project that several tokens match stays ambiguous. */
async function rateAtLast(desk: Caller, spec: AssetSpec, id: string | undefined) {
  for (let attempt = 1; ; attempt += 1) {
    const rated = await rate(desk, spec, id);
    if (!('problem' in rated) || attempt === TRIES || /ambiguous|not published/.test(rated.problem)) return rated;
  }
}

interface Scored {
  readonly asset: { readonly id: string };
  readonly published: boolean;
  readonly not_published_because: readonly { readonly code: string }[] | null;
}

/** A project's first rating by name and website, later ones by its id. */
async function rate(
  desk: Caller,
  spec: AssetSpec,
  id: string | undefined,
): Promise<{ readonly id: string } | { readonly problem: string }> {
  try {
    if (id !== undefined) {
      await desk('GET', `/v1/rms/${encodeURIComponent(id)}?fresh=true`);
      return { id };
    }
    const request = {
      type: spec.chain === null && spec.kind !== 'no_token' ? 'pretge' : 'posttge',
      project: spec.name,
      project_url: `https://${spec.domain}/`,
    };
    const { asset, published, not_published_because: reasons } = await desk<Scored>('POST', '/v1/score', request);
    return published ? { id: asset.id } : { problem: `not published: ${reasons?.map(({ code }) => code).join(', ')}` };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

function watchedId(ids: ReadonlyMap<string, string>, symbol: string, encoded = true): string {
  const slug = PAST_SPECS.find((spec) => spec.symbol === symbol)?.slug ?? '';
  const id = ids.get(slug);
  if (id === undefined) throw new Error(`${symbol} was not rated`);
  return encoded ? encodeURIComponent(id) : id;
}

/** Waits until the due work is done. Watched assets are due every minute, so that a few always are. */
async function idle(desk: Caller): Promise<void> {
  interface Kind {
    readonly due: number;
    readonly running: number;
  }
  for (const until = Date.now() + PATIENCE_MS; Date.now() < until; await setTimeout(1_100)) {
    const { chains } = await desk<{ chains: readonly { snapshots: readonly Kind[] }[] }>('GET', '/v1/status');
    const waiting = chains
      .flatMap(({ snapshots }) => snapshots)
      .reduce((sum, { due, running }) => sum + due + running, 0);
    if (waiting <= WATCHED.length) return;
  }
}

/** More on working days than at weekends, and more by the week. */
async function readAsAWalletDoes(wallet: Caller, ids: ReadonlyMap<string, string>, day: number): Promise<void> {
  const weekday = new Date(PAST_BEGIN + day * DAY_MS).getUTCDay();
  const rounds = weekday === 0 || weekday === 6 ? 1 : 2 + Math.floor(day / 10);
  const all = [...ids.values()];
  for (let round = 0; round < rounds; round += 1) {
    for (const id of all.filter((_, place) => place % 7 === (day + round) % 7))
      await wallet('GET', `/v1/rms/${encodeURIComponent(id)}`);
    await wallet('POST', '/v1/rms/batch', { assets: all.slice(0, 40) });
  }
}

/** The sandbox as a process of its own, so that both have a core. */
async function startWorld(
  behindMs: number,
): Promise<{ readonly child: ChildProcess; readonly address: SandboxAddress }> {
  const options = ['--seed', PAST_SEED, '--copies', PAST_COPIES, '--behind-ms', behindMs, '--anchor', PAST_BEGIN].map(
    String,
  );
  const child = fork(fileURLToPath(new URL('../main.ts', import.meta.url)), options, {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const line = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the sandbox ended with code ${code} before it was ready`)));
    if (child.stdout) createInterface({ input: child.stdout }).once('line', resolve);
  });
  const { url, ca, http_port: httpPort, tls_port: tlsPort, registers: registersDir } = JSON.parse(line);
  return { child, address: { url, ca, httpPort, tlsPort, registersDir } };
}

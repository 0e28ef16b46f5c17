import type { Asset } from '../domain/index.ts';
import { SNAPSHOT_KINDS, type Snapshot, type SnapshotKind } from '../domain/index.ts';
import {
  createSnapshotWriter,
  handBack,
  inTransaction,
  type RunEnd,
  type StartedSnapshot,
  startRun,
  takeDueSnapshots,
} from '../store/index.ts';
import { deathPause, failurePause, nextDue } from './cadence.ts';
import { HEARTBEAT_SECONDS, type JobClass, type QueuedRun, type SnapshotQueue } from './queue.ts';
import { createResultStore } from './results.ts';
import { firstPlaces, type IndexerOptions, type IndexerSettings } from './settings.ts';

export interface SnapshotRunner {
  start(): void;
  /** Something became due. */
  wake(): void;
  /** Takes no more work, lets what runs end for `graceMs`, hands the rest back. */
  close(graceMs: number): Promise<void>;
}

interface Running {
  readonly kind: SnapshotKind;
  readonly isFirst: boolean;
  readonly abort: AbortController;
  readonly done: Promise<void>;
}

type Ending = { readonly snapshot: Snapshot } | { readonly outcome: string; readonly detail: string };

/** Offered to the queue in one transaction. */
const MOST_OFFERED = 500;
const GATHER_MS = 5;
const STORE_TRIES = 6;
const STORE_PAUSE_MS = 1_000;
/** What a collector that was told to stop gets before nobody waits for it any more. */
const STOP_PATIENCE_MS = 2_000;
const LONGEST_DETAIL = 500;

/** Offers what is due to the queue, and makes snapshots of what the queue gives, within the concurrency of each kind. */
export function createSnapshotRunner(
  options: IndexerOptions,
  settings: IndexerSettings,
  queue: SnapshotQueue,
): SnapshotRunner {
  const { store, now } = options;
  const results = createResultStore(store.pool, createSnapshotWriter(store.pool), queue, now);
  const running = new Map<string, Running>();
  const filling = new Map<SnapshotKind, Promise<void>>();
  const timers: NodeJS.Timeout[] = [];
  let ticking: Promise<void> | null = null;
  let closed = false;
  const iso = () => new Date(now()).toISOString();
  const guard = (what: string) => (error: unknown) => options.onError(error, what);

  async function offer(kind: SnapshotKind): Promise<void> {
    for (;;) {
      const offered = await inTransaction(store.pool, async (client) => {
        const due = await takeDueSnapshots(client, kind, iso(), MOST_OFFERED);
        if (due.length > 0) await queue.offer(client, kind, due);
        return due.length;
      });
      if (closed || offered < MOST_OFFERED) return;
    }
  }

  function tick(): void {
    ticking ??= (async () => {
      for (const kind of SNAPSHOT_KINDS) {
        if (closed) return;
        await offer(kind);
        // Not waited for: a kind with a long queue must not keep the others from being offered.
        void fill(kind).catch(guard('taking snapshots'));
      }
    })()
      .catch(guard('offering snapshots'))
      .finally(() => {
        ticking = null;
      });
  }

  /**
   * Takes work while there is room and the queue has some; one at a time for each kind, so that two do not see the same free
   * places. Runs end in groups: a short wait lets one query fill all their places.
   */
  function fill(kind: SnapshotKind): Promise<void> {
    const present = filling.get(kind);
    if (present) return present;
    const filled = (async () => {
      for (;;) {
        await new Promise((resolve) => setTimeout(resolve, GATHER_MS));
        const active = [...running.values()].filter((run) => run.kind === kind);
        const room = settings.concurrency[kind] - active.length;
        if (closed || room <= 0) return;
        const firsts = active.filter((run) => run.isFirst).length;
        const taken = await take(kind, room, firstPlaces(settings.concurrency[kind]) - firsts);
        if (taken < room) return;
      }
    })().finally(() => filling.delete(kind));
    filling.set(kind, filled);
    return filled;
  }

  /**
   * Fills `room` places: first snapshots before others, but in no more than `firstRoom` of them while others wait, so that a
   * crowd of new assets never keeps the known ones from being read again. Places that nobody else wants go to first ones too.
   */
  async function take(kind: SnapshotKind, room: number, firstRoom: number): Promise<number> {
    let left = room;
    const fillFrom = async (most: number, of: JobClass) => {
      const runs = most <= 0 ? [] : await queue.take(kind, most, of);
      for (const run of runs) begin(run);
      left -= runs.length;
      return runs.length === most;
    };
    // Fewer than there was room for: nobody waits at all.
    if (firstRoom > 0 && !(await fillFrom(Math.min(room, firstRoom), 'any'))) return room - left;
    if (left > 0 && !(await fillFrom(left, 'routine'))) await fillFrom(left, 'first');
    return room - left;
  }

  function begin(run: QueuedRun): void {
    const abort = new AbortController();
    if (closed) abort.abort();
    const done = work(run, abort.signal)
      .catch(guard(`snapshot ${run.due.kind} of ${run.due.assetId}`))
      .finally(() => {
        running.delete(run.id);
        if (!closed) void fill(run.due.kind).catch(guard('taking snapshots'));
      });
    running.set(run.id, { kind: run.due.kind, isFirst: run.isFirst, abort, done });
  }

  async function work(run: QueuedRun, stop: AbortSignal): Promise<void> {
    const startedAt = performance.now();
    const started = stop.aborted ? undefined : await startRun(store.pool, run.due, run.id, iso(), deathPause);
    if (started === undefined) {
      await inTransaction(store.pool, (client) => queue.complete(client, run.due.kind, [run.id]));
      return;
    }
    const ending = await make(run, JSON.parse(started.asset) as Asset, stop);
    if (ending === 'stopped') {
      await inTransaction(store.pool, (client) => queue.complete(client, run.due.kind, [run.id]));
      await handBack(store.pool, run.due, run.id, iso());
      return;
    }
    const end = endOf(run, started, ending, now());
    await stored({ end, snapshot: 'snapshot' in ending ? ending.snapshot : null }, stop);
    options.onRun?.(run.due.kind, end.outcome, (performance.now() - startedAt) / 1000);
  }

  /** The collector's answer, or why there is none; never later than the kind's limit and a little patience. */
  async function make(run: QueuedRun, asset: Asset, stop: AbortSignal): Promise<Ending | 'stopped'> {
    const seconds = settings.longestSeconds[run.due.kind];
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), seconds * 1000);
    const signal = AbortSignal.any([stop, limit.signal]);
    const late: Ending = { outcome: 'too_slow', detail: `not made within ${seconds} s` };
    try {
      const answer = await Promise.race([options.collector.collect(asset, run.due.kind, signal), afterAbort(signal)]);
      if (answer?.ok && answer.value.kind === run.due.kind && answer.value.asset.id === run.due.assetId)
        return { snapshot: answer.value };
      if (answer?.ok) return { outcome: 'failed', detail: 'the collector gave a snapshot of something else' };
      if (stop.aborted) return 'stopped';
      if (answer === null || limit.signal.aborted) return late;
      return { outcome: answer.reason, detail: answer.detail };
    } catch (error) {
      if (stop.aborted) return 'stopped';
      options.onError(error, `snapshot ${run.due.kind} of ${run.due.assetId}`);
      return { outcome: 'failed', detail: error instanceof Error ? error.message : 'failed' };
    } finally {
      clearTimeout(timer);
    }
  }

  /** A database that is away for a moment costs no snapshot; one that stays away has the run given up, and run again later. */
  async function stored(result: Parameters<typeof results.put>[0], stop: AbortSignal): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await results.put(result);
        return;
      } catch (error) {
        if (attempt >= STORE_TRIES || stop.aborted) throw error;
        await new Promise((resolve) => setTimeout(resolve, STORE_PAUSE_MS));
      }
    }
  }

  /** A run that the queue has given up (this process stood still for long) is stopped: another may have it by now. */
  async function beat(): Promise<void> {
    for (const kind of SNAPSHOT_KINDS) {
      const ids = [...running].filter(([, run]) => run.kind === kind).map(([id]) => id);
      for (const id of await queue.touch(kind, ids)) running.get(id)?.abort.abort();
    }
  }

  return {
    start() {
      timers.push(setInterval(tick, settings.tickMs));
      timers.push(
        setInterval(() => void beat().catch(guard('heartbeat of snapshots')), (HEARTBEAT_SECONDS * 1000) / 3),
      );
      for (const timer of timers) timer.unref();
      tick();
    },
    wake: tick,
    async close(graceMs) {
      closed = true;
      for (const timer of timers) clearInterval(timer);
      await ticking;
      await Promise.allSettled([...filling.values()]);
      const all = () => Promise.allSettled([...running.values()].map((run) => run.done));
      const grace = Promise.withResolvers<void>();
      const timer = setTimeout(grace.resolve, graceMs);
      await Promise.race([all(), grace.promise]);
      clearTimeout(timer);
      for (const run of running.values()) run.abort.abort();
      await all();
    },
  };
}

function endOf(run: QueuedRun, started: StartedSnapshot, ending: Ending, at: number): RunEnd {
  const key = `${run.due.assetId} ${run.due.kind}`;
  const good = 'snapshot' in ending;
  const failures = good ? 0 : started.failures + 1;
  const dueAt = good
    ? nextDue(at, key, started.cadenceSeconds)
    : at + failurePause(failures, started.cadenceSeconds, key) * 1000;
  return {
    ...run.due,
    run: run.id,
    outcome: good ? 'stored' : ending.outcome,
    detail: good ? null : ending.detail.replaceAll('\0', '').slice(0, LONGEST_DETAIL),
    failures,
    endedAt: new Date(at).toISOString(),
    dueAt: new Date(dueAt).toISOString(),
  };
}

/** Null a little after the signal: for those who do not hear it. */
function afterAbort(signal: AbortSignal): Promise<null> {
  return new Promise((resolve) => {
    const wait = () => setTimeout(() => resolve(null), STOP_PATIENCE_MS).unref();
    if (signal.aborted) wait();
    else signal.addEventListener('abort', wait, { once: true });
  });
}

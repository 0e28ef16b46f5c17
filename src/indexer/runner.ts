import type pg from 'pg';
import type { Snapshot } from '../contract/index.ts';
import { type Asset, SNAPSHOT_KINDS, type SnapshotKind } from '../domain/index.ts';
import {
  createSnapshotWriter,
  endRuns,
  inTransaction,
  learnAssets,
  prolongRuns,
  type RunEnd,
  returnRun,
  type SnapshotWriter,
  snapshotRow,
  type TakenSnapshot,
  takeDueSnapshots,
} from '../store/index.ts';
import {
  failurePause,
  firstPlaces,
  type IndexerOptions,
  type IndexerSettings,
  loopLoad,
  nextDue,
  placesAt,
} from './settings.ts';

interface Running {
  readonly taken: TakenSnapshot;
  readonly abort: AbortController;
  readonly done: Promise<void>;
}

/** A snapshot, or why there is none. */
type Made = { readonly snapshot: Snapshot } | { readonly outcome: string; readonly detail: string };

/** A run without a sign of life for this long may be taken by another process. */
const LEASE_SECONDS = 30;
const HEARTBEAT_MS = 10_000;
const GATHER_MS = 5;
const STORE_TRIES = 6;
const STORE_PAUSE_MS = 1_000;
/** Time that a collector gets to end after a stop before its result is abandoned. */
const STOP_PATIENCE_MS = 2_000;
const LONGEST_DETAIL = 500;

/** Takes due work and makes snapshots, within the concurrency of each kind; less while the thread is busy. */
export function createSnapshotRunner(options: IndexerOptions, settings: IndexerSettings) {
  const { store, now } = options;
  const put = storeInGroups(store.pool, createSnapshotWriter(store.pool), now);
  const running = new Map<string, Running>();
  const filling = new Map<SnapshotKind, Promise<void>>();
  const timers: NodeJS.Timeout[] = [];
  let closed = false;
  const load = options.load ?? loopLoad();
  const iso = () => new Date(now()).toISOString();
  const guard = (what: string) => (error: unknown) => options.onError(error, what);

  function tick(): void {
    for (const kind of SNAPSHOT_KINDS) void fill(kind).catch(guard('taking snapshots'));
  }

  /**
   * Takes due work while there are free slots; one call at a time per kind, so that two do not use the same slots. Runs
   * end in groups: a short wait lets one query fill all their slots.
   */
  function fill(kind: SnapshotKind): Promise<void> {
    const present = filling.get(kind);
    if (present) return present;
    const filled = (async () => {
      for (;;) {
        await new Promise((resolve) => setTimeout(resolve, GATHER_MS));
        const active = [...running.values()].filter(({ taken }) => taken.kind === kind);
        const places = placesAt(load(), settings.concurrency[kind]);
        const room = places - active.length;
        if (closed || room <= 0) return;
        const firsts = active.filter(({ taken }) => taken.isFirst).length;
        const taken = await take(kind, room, firstPlaces(places) - firsts);
        if (taken < room) return;
      }
    })().finally(() => filling.delete(kind));
    filling.set(kind, filled);
    return filled;
  }

  /**
   * Fills `room` slots: first snapshots before others, but at most `firstRoom` of them while others wait, so that many
   * new assets never block the known ones. Slots that no other snapshot needs go to first ones too.
   */
  async function take(kind: SnapshotKind, room: number, firstRoom: number): Promise<number> {
    let left = room;
    const fillFrom = async (which: 'first' | 'again', most: number) => {
      if (most <= 0) return 0;
      const longestSeconds = settings.longestSeconds[kind];
      const wanted = { kind, which, now: iso(), limit: most, leaseSeconds: LEASE_SECONDS, longestSeconds };
      const runs = await takeDueSnapshots(store.db, wanted);
      for (const run of runs) begin(run);
      left -= runs.length;
      return runs.length;
    };
    const most = Math.min(room, firstRoom);
    const firsts = await fillFrom('first', most);
    await fillFrom('again', left);
    if (firsts >= most) await fillFrom('first', left);
    return room - left;
  }

  function begin(taken: TakenSnapshot): void {
    const abort = new AbortController();
    if (closed) abort.abort();
    const done = work(taken, abort.signal)
      .catch(guard(`snapshot ${taken.kind} of ${taken.assetId}`))
      .finally(() => {
        running.delete(taken.run);
        if (!closed) void fill(taken.kind).catch(guard('taking snapshots'));
      });
    running.set(taken.run, { taken, abort, done });
  }

  async function work(taken: TakenSnapshot, stop: AbortSignal): Promise<void> {
    const startedAt = performance.now();
    const result = stop.aborted ? 'stopped' : await make(taken, stop);
    if (result === 'stopped') {
      await returnRun(store.db, taken, iso());
      return;
    }
    const end = endOf(taken, result, now());
    await stored({ end, snapshot: 'snapshot' in result ? result.snapshot : null }, stop);
    options.onRun?.(taken.kind, end.outcome, (performance.now() - startedAt) / 1000);
  }

  /** The collector's result, or why there is none; never later than the kind's time limit and a short grace period. */
  async function make({ kind, assetId, asset }: TakenSnapshot, stop: AbortSignal): Promise<Made | 'stopped'> {
    const seconds = settings.longestSeconds[kind];
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), seconds * 1000);
    const signal = AbortSignal.any([stop, limit.signal]);
    const late: Made = { outcome: 'too_slow', detail: `not made within ${seconds} s` };
    try {
      const answer = await Promise.race([
        options.collector.collect(JSON.parse(asset) as Asset, kind, signal),
        afterAbort(signal),
      ]);
      if (answer?.ok && answer.value.kind === kind && answer.value.asset.id === assetId)
        return { snapshot: answer.value };
      if (answer?.ok) return { outcome: 'failed', detail: 'the collector gave a snapshot of something else' };
      if (stop.aborted) return 'stopped';
      if (answer === null || limit.signal.aborted) return late;
      return { outcome: answer.reason, detail: answer.detail };
    } catch (error) {
      if (stop.aborted) return 'stopped';
      options.onError(error, `snapshot ${kind} of ${assetId}`);
      return { outcome: 'failed', detail: error instanceof Error ? error.message : 'failed' };
    } finally {
      clearTimeout(timer);
    }
  }

  /** A short outage of the database costs no snapshot; after a long one the run is abandoned and repeated later. */
  async function stored(ended: Ended, stop: AbortSignal): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await put(ended);
        return;
      } catch (error) {
        if (attempt >= STORE_TRIES || stop.aborted) throw error;
        await new Promise((resolve) => setTimeout(resolve, STORE_PAUSE_MS));
      }
    }
  }

  /** A run whose lease expired (this process was suspended) is stopped: another process may run it by now. */
  async function beat(): Promise<void> {
    const runs = [...running.values()].map(({ taken }) => taken);
    for (const run of await prolongRuns(store.db, runs, LEASE_SECONDS)) running.get(run)?.abort.abort();
  }

  return {
    start(): void {
      timers.push(setInterval(tick, settings.tickMs));
      timers.push(setInterval(() => void beat().catch(guard('heartbeat of snapshots')), HEARTBEAT_MS));
      for (const timer of timers) timer.unref();
      tick();
    },
    /** A snapshot became due. */
    wake: tick,
    /** Takes no more work, lets running work end for `graceMs`, returns the rest. */
    async close(graceMs: number): Promise<void> {
      closed = true;
      for (const timer of timers) clearInterval(timer);
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

function endOf(
  { assetId, kind, run, cadenceSeconds, failures: before }: TakenSnapshot,
  result: Made,
  at: number,
): RunEnd {
  const key = `${assetId} ${kind}`;
  const good = 'snapshot' in result;
  const failures = good ? 0 : before + 1;
  const dueAt = good ? nextDue(at, key, cadenceSeconds) : at + failurePause(failures, cadenceSeconds, key) * 1000;
  return {
    assetId,
    kind,
    run,
    outcome: good ? 'stored' : result.outcome,
    detail: good ? null : result.detail.replaceAll('\0', '').slice(0, LONGEST_DETAIL),
    failures,
    endedAt: new Date(at).toISOString(),
    dueAt: new Date(dueAt).toISOString(),
  };
}

/** Resolves with null shortly after the signal, for collectors that ignore it. */
function afterAbort(signal: AbortSignal): Promise<null> {
  return new Promise((resolve) => {
    const wait = () => setTimeout(() => resolve(null), STOP_PATIENCE_MS).unref();
    if (signal.aborted) wait();
    else signal.addEventListener('abort', wait, { once: true });
  });
}

/** The result of a run to be stored. */
interface Ended {
  readonly end: RunEnd;
  readonly snapshot: Snapshot | null;
}

/** Runs that end within this time share a transaction: one flush to disk for all of them. */
const SHARE_MS = 20;
const MOST_AT_ONCE = 200;

/**
 * Stores results of runs in groups; those of a group that cannot be stored are retried one by one, so that one bad row
 * harms no other. The promise resolves when the snapshot, its price and the plan of the next run are stored, all
 * together.
 */
function storeInGroups(pool: pg.Pool, writer: SnapshotWriter, now: () => number): (ended: Ended) => Promise<void> {
  const waiting: { ended: Ended; done: () => void; failed: (error: unknown) => void }[] = [];
  let gathering = false;

  function flush(): void {
    const group = waiting.splice(0, MOST_AT_ONCE);
    gathering = waiting.length > 0;
    if (gathering) setTimeout(flush, 0);
    write(group.map((one) => one.ended)).then(
      () => {
        for (const one of group) one.done();
      },
      (error: unknown) => {
        if (group.length === 1) group[0]?.failed(error);
        else for (const one of group) write([one.ended]).then(one.done, one.failed);
      },
    );
  }

  async function write(group: readonly Ended[]): Promise<void> {
    const snapshots = group.flatMap(({ snapshot }) => snapshot ?? []);
    const finish = async (client: pg.PoolClient) => {
      const assets = snapshots.map((snapshot) => snapshot.asset);
      const ends = group.map(({ end }) => end);
      await learnAssets(client, assets);
      await endRuns(client, ends);
    };
    if (snapshots.length === 0) await inTransaction(pool, finish);
    else await writer.store(snapshots.map(snapshotRow), now(), finish);
  }

  return (ended) =>
    new Promise((done, failed) => {
      waiting.push({ ended, done, failed });
      if (gathering) return;
      gathering = true;
      setTimeout(flush, SHARE_MS);
    });
}

import type { SnapshotKind } from '../../domain/index.ts';
import type { ReorganisedNotice, SnapshotReader } from '../../indexer/index.ts';
import type { HotSnapshot } from '../hot/hot-snapshot.ts';

/** An asset and kind that a subscriber follows. */
export interface Subject {
  readonly assetId: string;
  readonly kind: SnapshotKind;
}

/** A subject whose newest snapshot is waiting to be sent. */
export interface Waiting extends Subject {
  /**
   * Time of the newest notified snapshot, milliseconds. Null: none was notified; the subscriber starts with the newest
   * stored one.
   */
  asOf: number | null;
  /** When the first waiting snapshot was stored, milliseconds. */
  readonly storedAt: number;
  /** Number of snapshots that were replaced by a newer one before they were sent. */
  skipped: number;
}

export interface Subscriber {
  /**
   * The next snapshot to send, round-robin over all subscribers. Null after `timeoutMs`, when `signal` aborts, or after
   * a reorganisation.
   */
  next(timeoutMs: number, signal: AbortSignal): Promise<Waiting | null>;
  /** Reorganisations notified since the last call; the newest for each asset. */
  reorganisations(): readonly ReorganisedNotice[];
  /** Queues the newest snapshot of every subject, whatever was notified; `now` in milliseconds. */
  begin(now: number): void;
  /**
   * Records a snapshot of the subject as sent: it and older ones are not sent again. `entry` is the queue entry that it
   * served. Returns the number of snapshots that it replaced; null when it or a newer one was already sent.
   */
  sent(subject: Subject, snapshot: Pick<HotSnapshot, 'asOfMs' | 'storedAtMs'>, entry?: Waiting): number | null;
  /** Declares that no notification about snapshots stored up to this time (milliseconds) is still to come. */
  passed(at: number): void;
  /** Everything stored before this time (milliseconds) was sent; null until the initial snapshots are complete. */
  readonly sentUntil: number | null;
  close(): void;
}

/** Maximum number of streams in this process. More would take memory and time from its other callers. */
export const MOST_SUBSCRIBERS = 2_500;
/** Number of subscribers served before the process handles other work. */
const AT_ONCE = 50;

export type SnapshotFeed = ReturnType<typeof createSnapshotFeed>;

/**
 * Notifies subscribers of stored snapshots, with one listener for the process. The queue of a subscriber holds names,
 * never bodies: a newer snapshot replaces an older one of the same asset and kind, so a slow reader costs no memory.
 * Subscribers are served round-robin, one snapshot at a time; the assets of a subscriber are served in the order in
 * which they became due.
 */
export function createSnapshotFeed(reader: Pick<SnapshotReader, 'onStored' | 'onReorganised'>) {
  const following = new Map<string, Set<(subject: Subject, asOf: number, storedAt: number) => void>>();
  const turns = new Set<() => void>();
  let subscribers = 0;
  let pumping = false;

  const stop = reader.onStored((assetId, kind, asOf, storedAt) => {
    const subject = { assetId, kind };
    for (const tell of following.get(nameOf(subject)) ?? []) tell(subject, Date.parse(asOf), Date.parse(storedAt));
  });

  const warned = new Map<string, Set<(notice: ReorganisedNotice) => void>>();
  const stopWarning = reader.onReorganised((notice) => {
    for (const warn of warned.get(notice.assetId) ?? []) warn(notice);
  });

  function pump(): void {
    pumping = false;
    let left = AT_ONCE;
    for (const turn of turns) {
      if (left === 0) break;
      left -= 1;
      turns.delete(turn);
      turn();
    }
    schedule();
  }

  function schedule(): void {
    if (pumping || turns.size === 0) return;
    pumping = true;
    setImmediate(pump);
  }

  /**
   * Null if the process has reached its maximum. `since`: the subscriber has everything stored until then
   * (milliseconds).
   */
  function subscribe(subjects: readonly Subject[], since: number): Subscriber | null {
    if (subscribers >= MOST_SUBSCRIBERS) return null;
    subscribers += 1;
    const waiting = new Map<string, Waiting>();
    const sentAsOf = new Map<string, number>();
    let reorganised = new Map<string, ReorganisedNotice>();
    let until = since;
    let give: ((entry: Waiting | null) => void) | null = null;

    function tell(subject: Subject, asOf: number, storedAt: number): void {
      const name = nameOf(subject);
      const present = waiting.get(name);
      if (present === undefined) {
        if (asOf > (sentAsOf.get(name) ?? Number.NEGATIVE_INFINITY))
          waiting.set(name, { ...subject, asOf, storedAt, skipped: 0 });
      } else if (present.asOf === null) present.asOf = asOf;
      else if (asOf > present.asOf) {
        present.asOf = asOf;
        present.skipped += 1;
      }
      requestTurn();
    }

    function requestTurn(): void {
      if (give === null || waiting.size + reorganised.size === 0) return;
      turns.add(turn);
      schedule();
    }

    function turn(): void {
      const [first] = waiting;
      if (give === null) return;
      // Reorganisations are reported before anything else, because they invalidate earlier data.
      if (first === undefined || reorganised.size > 0) give(null);
      else {
        waiting.delete(first[0]);
        give(first[1]);
      }
    }

    function warn(notice: ReorganisedNotice): void {
      reorganised.set(notice.assetId, notice);
      requestTurn();
    }

    for (const subject of subjects) {
      const name = nameOf(subject);
      const tellers = following.get(name) ?? new Set();
      following.set(name, tellers.add(tell));
    }
    const assetIds = new Set(subjects.map(({ assetId }) => assetId));
    for (const assetId of assetIds) warned.set(assetId, (warned.get(assetId) ?? new Set()).add(warn));
    let open = true;

    return {
      next: (timeoutMs, signal) =>
        new Promise((resolve) => {
          const done = (entry: Waiting | null) => {
            clearTimeout(timer);
            signal.removeEventListener('abort', nothing);
            give = null;
            turns.delete(turn);
            resolve(entry);
          };
          const nothing = () => done(null);
          const timer = setTimeout(nothing, timeoutMs);
          give = done;
          signal.addEventListener('abort', nothing, { once: true });
          if (signal.aborted) nothing();
          else requestTurn();
        }),
      reorganisations() {
        if (reorganised.size === 0) return [];
        const all = [...reorganised.values()];
        reorganised = new Map();
        return all;
      },
      begin(now) {
        until = now;
        for (const subject of subjects)
          waiting.set(nameOf(subject), { ...subject, asOf: null, storedAt: until, skipped: 0 });
      },
      sent(subject, { asOfMs, storedAtMs }, entry) {
        const name = nameOf(subject);
        if (asOfMs <= (sentAsOf.get(name) ?? Number.NEGATIVE_INFINITY)) return null;
        sentAsOf.set(name, asOfMs);
        until = Math.max(until, storedAtMs);
        let skipped = entry?.skipped ?? 0;
        if (entry && entry.asOf !== null && entry.asOf < asOfMs) skipped += 1;
        // Notified while this snapshot was being read: it may be the same one.
        const present = waiting.get(name);
        if (present && present.asOf !== null && present.asOf <= asOfMs) {
          skipped += present.skipped;
          waiting.delete(name);
        }
        return skipped;
      },
      passed(at) {
        until = Math.max(until, at);
      },
      get sentUntil() {
        let oldest = Number.POSITIVE_INFINITY;
        for (const { asOf, storedAt } of waiting.values()) {
          if (asOf === null) return null;
          oldest = Math.min(oldest, storedAt);
        }
        return Math.min(oldest, until);
      },
      close() {
        if (!open) return;
        open = false;
        subscribers -= 1;
        turns.delete(turn);
        for (const assetId of assetIds) {
          warned.get(assetId)?.delete(warn);
          if (warned.get(assetId)?.size === 0) warned.delete(assetId);
        }
        for (const subject of subjects) {
          const tellers = following.get(nameOf(subject));
          tellers?.delete(tell);
          if (tellers?.size === 0) following.delete(nameOf(subject));
        }
      },
    };
  }

  return {
    subscribe,
    get subscribers() {
      return subscribers;
    },
    close() {
      stop();
      stopWarning();
    },
  };
}

function nameOf({ assetId, kind }: Subject): string {
  return `${kind} ${assetId}`;
}

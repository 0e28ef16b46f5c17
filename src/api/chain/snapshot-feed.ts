import type { SnapshotKind } from '../../domain/index.ts';
import type { ReorganisedNotice, SnapshotReader } from '../../indexer/index.ts';
import type { HotSnapshot } from '../hot/hot-snapshot.ts';

/** An asset and kind that a subscriber follows. */
export interface Subject {
  readonly assetId: string;
  readonly kind: SnapshotKind;
}

/** The newest snapshot of a subject is to be sent. */
export interface Waiting extends Subject {
  /** Newest that was notified, milliseconds; null: none was, the subscriber begins with what there is. */
  asOf: number | null;
  /** When the first one that waits was stored, milliseconds. */
  readonly storedAt: number;
  /** Snapshots whose place it took. */
  skipped: number;
}

export interface Subscriber {
  /** The next snapshot to send, in turns over all subscribers; null after `timeoutMs`, by the signal, or after a reorganisation. */
  next(timeoutMs: number, signal: AbortSignal): Promise<Waiting | null>;
  /** Reorganisations notified since the last call, the newest of each asset. */
  reorganisations(): readonly ReorganisedNotice[];
  /** The newest of every subject is to be sent, whatever was notified; `now` in milliseconds. */
  begin(now: number): void;
  /**
   * Notes a snapshot of the subject as sent: it and older ones are not sent again. `entry` is what was waiting for it. The
   * snapshots whose place it took; null when it, or a newer one, was sent before.
   */
  sent(subject: Subject, snapshot: Pick<HotSnapshot, 'asOfMs' | 'storedAtMs'>, entry?: Waiting): number | null;
  /** Nothing that was stored until then (milliseconds) is still to be notified. */
  passed(at: number): void;
  /** Everything stored before this, in milliseconds, was sent; null while the beginning is not whole. */
  readonly sentUntil: number | null;
  close(): void;
}

/** Streams of this process. More would take the memory and the time of its other callers. */
export const MOST_SUBSCRIBERS = 2_500;
/** Subscribers that have their turn before others of the process do something. */
const AT_ONCE = 50;

export type SnapshotFeed = ReturnType<typeof createSnapshotFeed>;

/**
 * Notifies subscribers of stored snapshots, by one listener of the process. What waits for a subscriber are names, never bodies: a
 * newer snapshot takes the place of an older one of the same asset and kind, so that a slow reader costs no memory. Subscribers
 * come to their turn one after the other, each with one snapshot, and each one's assets in the order in which they became due.
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

  /** Null if the process has its maximum of subscribers. `since`: the caller has what was stored until then (milliseconds). */
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
      // What a reorganisation makes doubtful is said before anything else.
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
        // Notified while this one was read: it may be the same one.
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

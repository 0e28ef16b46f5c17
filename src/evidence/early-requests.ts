import type { Facts } from '../sources/index.ts';
import { type BoundSource, budgetOf, type SourceBook } from './book.ts';
import { collect } from './collect.ts';
import type { RecordedReply } from './request-once.ts';
import { createJobRequester, type JobRequesterOptions, type PendingRequests, SCARCE_PER_MINUTE } from './requester.ts';

/**
 * Requests of a collection that is likely to follow. Nothing of them is evidence: a collection takes a reply only where it makes the
 * same request itself, planned from the asset that was identified, and what it does not request is dropped.
 */
export interface EarlyRequests extends PendingRequests {
  /**
   * Requests what the sources have of a likely asset, and returns at once. Facts that name the same asset as before add the requests that they
   * lead to; those of another asset end what is under way. `isGuess`: the asset is not proven by anything yet, and no turn of a source with few of them is spent.
   */
  request(assetId: string, facts: Facts, isGuess: boolean): void;
  /** Cancels pending requests. */
  stop(): void;
}

export interface EarlyRequestOptions
  extends Pick<JobRequesterOptions, 'upstream' | 'bulk' | 'now' | 'ticks' | 'traceparent'> {
  readonly book: SourceBook;
  /** Milliseconds that a request may take until, counted from the first. */
  readonly mostMs: number;
  /** The requester that identifies the asset: its requests are not sent again. */
  readonly beside: PendingRequests;
  /** A request of these was sent and has ended. */
  readonly onReply: JobRequesterOptions['onReply'];
}

/** Maximum of assets with early requests: the likely one, and the other one that the proof names. */
const MOST_ASSETS = 2;

/** Builds what requests the evidence of a likely asset while it is still being identified. */
export function createEarlyRequests(options: EarlyRequestOptions): EarlyRequests {
  const plenty = withoutScarce(options.book);
  let current: Current | null = null;
  let assets = 0;
  let isStopped = false;

  interface Current {
    readonly assetId: string;
    readonly requester: ReturnType<typeof createJobRequester>;
    readonly requested: Set<string>;
    readonly abort: AbortController;
  }

  function begin(assetId: string): Current {
    const abort = new AbortController();
    const requester = createJobRequester({
      ...options,
      deadlineAt: options.ticks() + options.mostMs,
      signal: abort.signal,
      beside: [options.beside],
    });
    return { assetId, requester, requested: new Set(), abort };
  }

  return {
    request(assetId, facts, isGuess) {
      if (isStopped) return;
      if (current?.assetId !== assetId) {
        if (assets >= MOST_ASSETS) return;
        assets += 1;
        current?.abort.abort();
        current = begin(assetId);
      }
      const key = JSON.stringify([facts, isGuess]);
      if (current.requested.has(key)) return;
      current.requested.add(key);
      // What fails here is requested by the collection again.
      void collect(current.requester, isGuess ? plenty : options.book, facts).catch(() => undefined);
    },
    pending: (id): Promise<RecordedReply> | null => current?.requester.pending(id) ?? null,
    endedAt: (id) => current?.requester.endedAt(id) ?? null,
    stop() {
      isStopped = true;
      current?.abort.abort();
    },
  };
}

function withoutScarce(book: SourceBook): SourceBook {
  const hasTurns = (bound: BoundSource) => budgetOf(bound).perMinute > SCARCE_PER_MINUTE;
  return new Map([...book].filter(([, bound]) => hasTurns(bound)));
}

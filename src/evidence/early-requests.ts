import type { Facts } from '../sources/index.ts';
import { type BoundSource, budgetOf, type SourceBook } from './book.ts';
import { collect } from './collect.ts';
import type { RecordedReply } from './request-once.ts';
import { createJobRequester, type JobRequesterOptions, type PendingRequests, SCARCE_PER_MINUTE } from './requester.ts';

/**
 * Requests sent before a collection that is likely to follow. Their replies are not evidence by themselves: the
 * collection uses a reply only if it makes the same request for the identified asset; other replies are dropped.
 */
export interface EarlyRequests extends PendingRequests {
  /**
   * Requests data of the sources about a likely asset, and returns at once. Facts about the same asset as before add
   * requests; facts about another asset cancel the pending ones. `isGuess`: nothing proves the asset yet, so sources
   * with a small budget are not requested.
   */
  request(assetId: string, facts: Facts, isGuess: boolean): void;
  /** Cancels pending requests. */
  stop(): void;
}

export interface EarlyRequestOptions
  extends Pick<JobRequesterOptions, 'upstream' | 'bulk' | 'now' | 'ticks' | 'traceparent'> {
  readonly book: SourceBook;
  /** Time limit of the requests for one asset, milliseconds from the first of them. */
  readonly mostMs: number;
  /** The requester that identifies the asset; its requests are not sent again. */
  readonly beside: PendingRequests;
  /** Called when one of these requests has ended. */
  readonly onReply: JobRequesterOptions['onReply'];
}

/** Most assets with early requests: the likely one, and the one that identity finds instead. */
const MOST_ASSETS = 2;

/** Requests the evidence of a likely asset while the asset is still being identified. */
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
      // The collection repeats requests that fail here.
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

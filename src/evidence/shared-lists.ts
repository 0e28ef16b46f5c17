import type { ResponseRecord } from '../domain/index.ts';

/** A list as another process fetched it. */
export interface HeldList {
  readonly record: ResponseRecord;
  /** The checked body, decoded. */
  readonly body: Uint8Array;
}

/** What a process that wants a list is told: another one's copy, that another one is fetching it, or to fetch it itself. */
export type ListTurn = ({ readonly kind: 'held' } & HeldList) | { readonly kind: 'busy' } | { readonly kind: 'mine' };

/** Lists of all processes on one database, so that each is fetched once for all of them. No method rejects. */
export interface SharedLists {
  /** `freshMs`: a copy that is at most so old is good enough. Of `mine` nobody else is told until the list is put or a minute has passed. */
  take(name: string, freshMs: number): Promise<ListTurn>;
  put(name: string, record: ResponseRecord, body: Uint8Array): Promise<void>;
  /** The list could not be fetched: another process may try. */
  release(name: string): Promise<void>;
}

/** What one process wants of a window that all processes share. */
export interface LeaseWish {
  /** Account and plan. */
  readonly owner: string;
  readonly kind: 'minute' | 'day';
  /** RFC 3339 UTC. */
  readonly startsAt: string;
  /** Requests the window holds. */
  readonly limit: number;
  /** Requests to set aside for this process; below zero gives back. */
  readonly wanted: number;
  /** Requests let through without a lease, while the store was away: counted whatever is left. */
  readonly debt: number;
}

export interface Lease {
  /** Set aside now: at most what was wanted, and what was left. */
  readonly granted: number;
  /** Set aside for all processes together. */
  readonly used: number;
}

/** Asks the shared store; answers in the order of the wishes. Rejects while the store is away. */
export type LeaseRequests = (wishes: readonly LeaseWish[]) => Promise<readonly Lease[]>;

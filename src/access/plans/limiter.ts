import type { Plan } from './types.ts';

/** What is left of one limit after this request. */
export interface LimitState {
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds until it is full again. */
  readonly resetSeconds: number;
}

export interface Taken {
  /** Null where the plan has no such limit. */
  readonly minute: LimitState | null;
  readonly day: LimitState | null;
  /** The limit that refuses this request; null when it may pass. */
  readonly refusedBy: 'minute' | 'day' | null;
}

/** Counts the requests of accounts against their plans. Keys of one account and plan share its limits. */
export interface Limiter {
  /** Counts one request from memory. Null when the store must be asked first: nothing is counted then. */
  takeNow(accountId: string, plan: Plan): Taken | null;
  /** Counts one request; asks the store when it must. A refused one costs no daily quota. */
  take(accountId: string, plan: Plan): Taken | Promise<Taken>;
  /** Gives one request of the daily quota back (304, 429, 5xx). The rate a minute stays counted: it guards the machine. */
  giveBack(accountId: string, plan: Plan): void;
}

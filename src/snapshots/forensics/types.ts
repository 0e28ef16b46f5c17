/** Change of an account's balance of one asset by a transaction. Amounts in base units. */
export interface BalanceChange {
  /** Solana: the token account. Elsewhere, and for a chain's own coin: the owner itself. */
  readonly account: string;
  readonly owner: string;
  /** Mint, contract (lower-case) or `native`. */
  readonly asset: string;
  /** Null: not in the chain's reply. */
  readonly before: bigint | null;
  /** After less before. */
  readonly amount: bigint;
}

/** A transaction that took effect, with the changes of balances. */
export interface ChainTransaction {
  readonly id: string;
  /** Slot or block number. */
  readonly height: number;
  /** RFC 3339 UTC; null where the chain's reply has none. */
  readonly at: string | null;
  /** Its signers, the payer of its fee first. */
  readonly signers: readonly string[];
  readonly changes: readonly BalanceChange[];
}

/** A pool whose history is searched. */
export interface WatchedPool {
  readonly address: string;
  readonly dex: string;
  /** The rated asset, and the token that it trades against. */
  readonly base: string;
  readonly quote: string;
  /** Null: not known. */
  readonly baseDecimals: number | null;
  readonly quoteDecimals: number | null;
  /** Accounts that hold the pool's reserves. */
  readonly accounts: ReadonlySet<string>;
  /** Addresses that can sign for them; never recipients. */
  readonly owners: ReadonlySet<string>;
}

/** One transaction that took a large part of a pool's money. */
export interface Drain {
  readonly pool: string;
  readonly dex: string;
  /** `removal`: liquidity was taken out. `sale`: the asset was sold into the pool. */
  readonly kind: 'removal' | 'sale';
  /** Basis of `kind`: the pool's own events, or only its balances. */
  readonly basis: 'events' | 'balances';
  readonly transaction: string;
  readonly height: number;
  readonly at: string | null;
  /** Signer and fee payer. */
  readonly actor: string | null;
  /** Owner of the returned liquidity tokens; null when not visible (positions, locked pools). */
  readonly liquidityOwner: string | null;
  readonly base: string;
  readonly quote: string;
  /** Out of the pool (positive) or into it (negative). */
  readonly baseAmount: bigint;
  readonly quoteAmount: bigint;
  /** The pool's quote balance just before. */
  readonly quoteBefore: bigint;
  /** Share of the pool's quote tokens that left, 0-1. */
  readonly shareTaken: number;
  readonly recipients: readonly Recipient[];
}

export interface Recipient {
  readonly address: string;
  readonly asset: string;
  readonly amount: bigint;
  /** True when the chain does not show the last step and the sender is assumed. */
  readonly presumed: boolean;
}

/** Money that left a wallet. */
export interface Hop {
  /** 1: from a wallet that received it from the pool. */
  readonly depth: number;
  readonly from: string;
  /** Null: exchanged for something else. */
  readonly to: string | null;
  readonly kind: 'transfer' | 'exchange';
  readonly asset: string;
  readonly amount: bigint;
  readonly transaction: string;
  readonly at: string | null;
}

/** The first payment that a wallet received. */
export interface Funding {
  readonly wallet: string;
  readonly funder: string;
  readonly transaction: string;
  readonly at: string | null;
  /** Of the chain's own coin, base units. */
  readonly amount: bigint;
}

/** What the history of one pool shows. */
export interface PoolFinding {
  readonly pool: WatchedPool;
  /** Quote tokens, base units: the observed maximum, and the present holdings. */
  readonly peak: bigint;
  readonly now: bigint;
  /** The largest first; at most as many as requested. */
  readonly drains: readonly Drain[];
  /** Transactions that were listed; `examined`: those that were read one by one. */
  readonly listed: number;
  readonly examined: number;
  /** RFC 3339: the oldest that was listed; null when none was. */
  readonly since: string | null;
}

/** Subjects of a search about an asset. */
export interface Question {
  readonly base: string;
  readonly creator: string | null;
  /** The most relevant first. */
  readonly pools: readonly {
    readonly address: string;
    readonly dex: string;
    /** RFC 3339; null: not known. */
    readonly createdAt: string | null;
  }[];
  /** True for addresses that handle the money of many people: exchanges, bridges, programs. */
  readonly isService: (address: string) => boolean;
}

export interface Findings {
  readonly pools: readonly PoolFinding[];
  readonly hops: readonly Hop[];
  readonly fundings: ReadonlyMap<string, Funding>;
  /** Wallets with very many payments, besides those with a label of a service. */
  readonly services: ReadonlySet<string>;
  readonly limits: readonly Limit[];
}

/** What could not be read, and why. */
export interface Limit {
  readonly code:
    | 'no_creator'
    | 'no_pools'
    | 'no_holders'
    | 'pool_not_read'
    | 'history_cut'
    | 'transaction_not_kept'
    | 'budget_spent'
    | 'busy_wallet'
    | 'not_followed'
    | 'no_traces'
    | 'no_indexer'
    | 'node_failed'
    | 'no_historical_price'
    | 'method';
  readonly detail: string;
}

/** A block's time in seconds as RFC 3339; null when it is invalid. */
export function timeOf(seconds: unknown): string | null {
  if (typeof seconds !== 'number' || !Number.isSafeInteger(seconds) || seconds <= 0 || seconds > 1e11) return null;
  return new Date(seconds * 1000).toISOString();
}

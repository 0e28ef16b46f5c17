import type { ChainFault, SolanaAccount } from '../../chains/index.ts';
import type { Result } from '../../domain/index.ts';

export interface AccountFilter {
  readonly dataSize?: number;
  /** `bytes` in base58. */
  readonly memcmp?: { readonly offset: number; readonly bytes: string };
}

/** Reads of one Solana RPC. Nothing throws for what a host can do. */
export interface SolanaReader {
  /** Any number of addresses (asked 100 at a time); a missing account is null. All replies are of at least `minSlot`. */
  accounts(
    addresses: readonly string[],
    signal?: AbortSignal,
  ): Promise<Result<{ readonly slot: number; readonly accounts: readonly (SolanaAccount | null)[] }, ChainFault>>;
  supply(
    mint: string,
    signal?: AbortSignal,
  ): Promise<Result<{ readonly slot: number; readonly amount: bigint; readonly decimals: number }, ChainFault>>;
  /** The twenty largest token accounts, owners not told. */
  largest(
    mint: string,
    signal?: AbortSignal,
  ): Promise<
    Result<
      { readonly slot: number; readonly accounts: readonly { readonly address: string; readonly amount: bigint }[] },
      ChainFault
    >
  >;
  /** For small sets only (tick arrays, bin arrays, lock accounts): parsed whole under a size cap. */
  programAccounts(
    program: string,
    filters: readonly AccountFilter[],
    signal?: AbortSignal,
  ): Promise<Result<{ readonly slot: number; readonly accounts: readonly SolanaAccount[] }, ChainFault>>;
}

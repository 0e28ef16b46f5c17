import type { ChainFault } from '../../chains/index.ts';
import type { Result } from '../../domain/index.ts';

/** An address's balance of one asset. */
export interface Holding {
  /** CAIP-19 id. */
  readonly assetId: string;
  /** Whole tokens; null when the token states no decimals, or the balance exceeds its own supply. */
  readonly quantity: number | null;
}

/** Holdings of an address, as its chain shows them. */
export interface Holdings {
  /** Slot or number of the block that was read. */
  readonly height: number;
  /** The coin first, then tokens; nothing with a balance of zero. */
  readonly held: readonly Holding[];
  /** True: all assets that the address itself owns are listed. */
  readonly complete: boolean;
  /** What may be missing; empty when complete. */
  readonly gaps: readonly HoldingsGap[];
  /** Number of tokens whose balance was read. */
  readonly looked: number;
}

/**
 * Why holdings may be missing. `known_assets_only`: the chain has no list and no explorer was requested, so that only
 * assets rated or indexed here were read. `explorer_list`: these and an explorer's list were read. `explorer_silent`:
 * the explorer gave no usable reply. `cut`: there are more tokens than are read. `unread`: the contract or the node gave no
 * balance of some tokens.
 */
export type HoldingsGap = 'known_assets_only' | 'explorer_list' | 'explorer_silent' | 'cut' | 'unread';

/**
 * Reads the holdings of an address on one chain. `known`: addresses of assets that are known here, the most important
 * first.
 */
export type ReadHoldings = (
  owner: string,
  known: readonly string[],
  signal: AbortSignal,
) => Promise<Result<Holdings, ChainFault>>;

/** Largest number of tokens that are read. */
export const MOST_TOKENS = 2_000;

/** Base units as whole tokens. */
export function wholeOf(units: bigint, decimals: number): number {
  return Number(units) / 10 ** decimals;
}

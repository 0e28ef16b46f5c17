import type { ChainFault } from '../../chains/index.ts';
import type { Result } from '../../domain/index.ts';

/** What an address holds of one asset. */
export interface Holding {
  /** CAIP-19 id. */
  readonly assetId: string;
  /** Whole tokens; null where the token states no decimals, or a balance above its own supply. */
  readonly quantity: number | null;
}

/** What a chain shows of an address. */
export interface Holdings {
  /** Slot or number of the block that was read. */
  readonly height: number;
  /** The coin first, then tokens; nothing with a balance of zero. */
  readonly held: readonly Holding[];
  /** True: everything that the address owns by itself is here. */
  readonly complete: boolean;
  /** What may be missing; empty when complete. */
  readonly gaps: readonly HoldingsGap[];
  /** Tokens that were looked at. */
  readonly looked: number;
}

/**
 * Why holdings may be missing. `known_assets_only`: the chain has no list, and no explorer was requested: only assets rated or indexed
 * here were looked at. `explorer_list`: those and what an explorer lists. `explorer_silent`: it gave no usable reply. `cut`: there
 * are more tokens than are looked at.
 */
export type HoldingsGap = 'known_assets_only' | 'explorer_list' | 'explorer_silent' | 'cut';

/** Reads what an address holds on one chain. `known`: addresses of assets that are known here, the most important first. */
export type ReadHoldings = (
  owner: string,
  known: readonly string[],
  signal: AbortSignal,
) => Promise<Result<Holdings, ChainFault>>;

/** Tokens that are looked at, at most. */
export const MOST_TOKENS = 2_000;

/** Base units as whole tokens. */
export function wholeOf(units: bigint, decimals: number): number {
  return Number(units) / 10 ** decimals;
}

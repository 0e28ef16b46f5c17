import type { ChainFault, EvmCall, Hex } from '../../chains/index.ts';
import type { Result } from '../../domain/index.ts';

export interface EvmBlock {
  readonly number: number;
  readonly hash: Hex;
  readonly parentHash: Hex;
  /** Seconds since the epoch. */
  readonly timestamp: number;
}
export interface EvmLog {
  readonly address: Hex;
  readonly topics: readonly Hex[];
  readonly data: Hex;
  readonly blockNumber: number;
  readonly blockHash: Hex;
  readonly logIndex: number;
}

/** Reads of one EVM node. Nothing throws for what a host can do. */
export interface EvmReader {
  /** By number, or the newest / finalised one. */
  block(which: number | 'latest' | 'finalized', signal?: AbortSignal): Promise<Result<EvmBlock, ChainFault>>;
  /**
   * Many view calls at ONE block (Multicall3 aggregate3, or one by one where it is not deployed). A call that reverts
   * or returns nothing is null.
   */
  calls(
    calls: readonly EvmCall[],
    block: number | 'latest',
    signal?: AbortSignal,
  ): Promise<Result<{ readonly block: number; readonly results: readonly (Hex | null)[] }, ChainFault>>;
  code(address: Hex, block: number | 'latest', signal?: AbortSignal): Promise<Result<Hex, ChainFault>>;
  storage(address: Hex, slot: Hex, block: number | 'latest', signal?: AbortSignal): Promise<Result<Hex, ChainFault>>;
  /** Logs of a closed block range; a range the node finds too large is a fault `too_large`. */
  logs(
    query: {
      readonly address: Hex | null;
      readonly topics: readonly (Hex | null)[];
      readonly fromBlock: number;
      readonly toBlock: number;
    },
    signal?: AbortSignal,
  ): Promise<Result<readonly EvmLog[], ChainFault>>;
}

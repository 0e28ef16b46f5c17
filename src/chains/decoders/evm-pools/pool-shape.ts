import type { Hex } from '../../codecs/abi.ts';
import type { ContractForm, Exchange } from '../../exchanges.ts';

/** What a contract at a pool's address says it is, and who vouches for that. */
export interface PoolShape {
  readonly address: Hex;
  readonly form: ContractForm;
  readonly token0: Hex;
  readonly token1: Hex;
  readonly factory: Hex;
  /** Of a Solidly pool: whether it is a stable one. */
  readonly stable: boolean;
  /** Set when its factory is a known one AND that factory knows the pool. */
  readonly dex: Exchange | null;
  readonly notes: readonly string[];
}

/** Selectors of the getters that tell what a pool is. */
export const GET_RESERVES: Hex = '0x0902f1ac';
export const SLOT0: Hex = '0x3850c7bd';
export const FEE: Hex = '0xddca3f43';
export const GLOBAL_STATE: Hex = '0xe76c01e4';
export const TICK_SPACING: Hex = '0xd0c93a7c';

import type { Result } from '../../../domain/index.ts';
import type { SolanaAccount } from '../../codecs/accounts.ts';
import { type ChainFault, fault } from '../../fault.ts';
import { meteoraDammV2 } from './meteora-damm-v2.ts';
import { meteoraDlmm } from './meteora-dlmm.ts';
import type { OpenedPool, PoolProgram } from './program.ts';
import { pumpCurve, pumpSwap } from './pump.ts';
import { raydiumAmmV4, raydiumCpmm } from './raydium-amm.ts';
import { orcaWhirlpool, raydiumClmm } from './ticked-pools.ts';

/** Every supported DEX program of Solana by address. Some share a discriminator, so the account's owner selects the decoder. */
export const POOL_PROGRAMS: ReadonlyMap<string, PoolProgram> = new Map(
  [raydiumAmmV4, raydiumCpmm, raydiumClmm, orcaWhirlpool, meteoraDlmm, meteoraDammV2, pumpCurve, pumpSwap].map(
    (program) => [program.address, program],
  ),
);

/** Decodes a pool account of any supported program; `refused` for any other program. */
export function openPool(account: SolanaAccount, mints: readonly string[] = []): Result<OpenedPool, ChainFault> {
  const program = POOL_PROGRAMS.get(account.owner);
  return program ? program.open(account, mints) : fault('refused', `${account.owner} is not a known DEX program`);
}

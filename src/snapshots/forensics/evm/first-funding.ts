import type { ChainFault, Hex } from '../../../chains/index.ts';
import type { Result } from '../../../domain/index.ts';
import type { EvmReader } from '../../evm/types.ts';
import { timeOf } from '../time.ts';
import type { Funding } from '../types.ts';
import type { Explorer } from './explorer.ts';
import type { EvmHistory } from './history.ts';

export interface EvmFundingTools {
  readonly reader: Pick<EvmReader, 'block'>;
  readonly history: Pick<EvmHistory, 'coinsOf'>;
  readonly explorer: Explorer | null;
  readonly newest: number;
}

/** Who first sent a wallet coins: by an explorer, else by the node's traces; null when nobody did. */
export async function firstEvmFunding(
  { reader, history, explorer, newest }: EvmFundingTools,
  wallet: Hex,
  signal?: AbortSignal,
): Promise<Result<Funding | null, ChainFault>> {
  const told = explorer === null ? null : await explorer.coinsAround(wallet, 0, signal);
  const first = told?.ok ? told.value.find((move) => move.to === wallet && move.from !== wallet) : undefined;
  if (first !== undefined)
    return {
      ok: true,
      value: { wallet, funder: first.from, transaction: first.transaction, at: first.at, amount: first.amount },
    };
  const traced = await history.coinsOf({ to: wallet, fromBlock: 0, toBlock: newest, most: 1 }, signal);
  if (!traced.ok) return told?.ok ? { ok: true, value: null } : traced;
  const [move] = traced.value;
  if (move === undefined) return { ok: true, value: null };
  const block = await reader.block(move.block, signal);
  const at = block.ok ? timeOf(block.value.timestamp) : null;
  return { ok: true, value: { wallet, funder: move.from, transaction: move.transaction, at, amount: move.amount } };
}

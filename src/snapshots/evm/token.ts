import type { ChainFault, Hex } from '../../chains/index.ts';
import { abiText, callData, ERC20, uintAt } from '../../chains/index.ts';
import type { Result } from '../../domain/index.ts';
import type { EvmReader } from './types.ts';

export interface Erc20 {
  readonly block: number;
  /** Base units. */
  readonly supply: bigint;
  /** 0-255. */
  readonly decimals: number;
  /** Outside text, at most 10 kB. */
  readonly name: string | null;
  readonly symbol: string | null;
}

const LONGEST_TEXT = 10_240;
/** An ERC-20's own words at one block. `not_found` when the address holds no such contract. */
export async function readErc20(
  reader: EvmReader,
  token: Hex,
  block: number | 'latest',
  signal?: AbortSignal,
): Promise<Result<Erc20, ChainFault>> {
  const getters = [ERC20.totalSupply, ERC20.decimals, ERC20.name, ERC20.symbol];
  const reply = await reader.calls(
    getters.map((data) => ({ to: token, data })),
    block,
    signal,
  );
  if (!reply.ok) return reply;
  const [supply, decimals, name, symbol] = reply.value.results;
  const total = supply ? uintAt(supply, 0) : null;
  if (total === null) return { ok: false, reason: 'not_found', detail: 'there is no ERC-20 token at this address' };
  const places = decimals ? uintAt(decimals, 0) : 0n;
  if (places === null || places > 255n)
    return { ok: false, reason: 'malformed', detail: 'the token has absurd decimals' };
  return {
    ok: true,
    value: {
      block: reply.value.block,
      supply: total,
      decimals: Number(places),
      name: name ? abiText(name, LONGEST_TEXT) : null,
      symbol: symbol ? abiText(symbol, LONGEST_TEXT) : null,
    },
  };
}

/** Balances of owners at one block; null where the token did not answer. */
export async function readBalances(
  reader: EvmReader,
  token: Hex,
  owners: readonly Hex[],
  block: number,
  signal?: AbortSignal,
): Promise<Result<readonly (bigint | null)[], ChainFault>> {
  const calls = owners.map((owner) => ({ to: token, data: callData(ERC20.balanceOf, owner) }));
  const reply = await reader.calls(calls, block, signal);
  if (!reply.ok) return reply;
  return { ok: true, value: reply.value.results.map((result) => (result === null ? null : uintAt(result, 0))) };
}

import type { Result } from '../../domain/result.ts';
import type { ChainFault } from '../fault.ts';
import { callData, textOf, uintAt } from './abi.ts';
import type { EvmReader, Hex } from './types.ts';

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
export const SELECTORS = {
  name: '0x06fdde03',
  symbol: '0x95d89b41',
  decimals: '0x313ce567',
  totalSupply: '0x18160ddd',
  balanceOf: '0x70a08231',
} as const satisfies Record<string, Hex>;

/** An ERC-20's own words at one block. `not_found` when the address holds no such contract. */
export async function readErc20(
  reader: EvmReader,
  token: Hex,
  block: number | 'latest',
  signal?: AbortSignal,
): Promise<Result<Erc20, ChainFault>> {
  const getters = [SELECTORS.totalSupply, SELECTORS.decimals, SELECTORS.name, SELECTORS.symbol];
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
      name: name ? textOf(name, LONGEST_TEXT) : null,
      symbol: symbol ? textOf(symbol, LONGEST_TEXT) : null,
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
  const calls = owners.map((owner) => ({ to: token, data: callData(SELECTORS.balanceOf, owner) }));
  const reply = await reader.calls(calls, block, signal);
  if (!reply.ok) return reply;
  return { ok: true, value: reply.value.results.map((result) => (result === null ? null : uintAt(result, 0))) };
}

import { abiText, addressAt, type ChainFault, callData, ERC20, fault, type Hex, uintAt } from '../../chains/index.ts';
import type { Result } from '../../domain/index.ts';
import type { EvmLog, EvmReader } from './reader.ts';

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
/** What an ERC-20 states at one block. `not_found` when the address holds no such contract. */
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
  if (total === null) return fault('not_found', 'there is no ERC-20 token at this address');
  const places = decimals ? uintAt(decimals, 0) : 0n;
  if (places === null || places > 255n) return fault('malformed', 'the token has absurd decimals');
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

/** Balances of owners at one block; null where the call failed. */
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

/** keccak256("Transfer(address,address,uint256)"). */
export const TRANSFER: Hex = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

export interface Transfer {
  readonly from: Hex;
  readonly to: Hex;
  /** Base units. */
  readonly amount: bigint;
}

/** The ERC-20 transfer of a log, in the indexed form or the old one without indexes; null for any other log (ERC-721 indexes the id). */
export function transferOf({ topics, data }: EvmLog): Transfer | null {
  if (topics[0] !== TRANSFER) return null;
  const indexed = topics.slice(1).map((topic) => topic.slice(2));
  const words: Hex = `0x${indexed.join('')}${data.slice(2)}`;
  if ((topics.length !== 3 && topics.length !== 1) || words.length !== 2 + 3 * 64) return null;
  const [from, to, amount] = [addressAt(words, 0), addressAt(words, 1), uintAt(words, 2)];
  return from === null || to === null || amount === null ? null : { from, to, amount };
}

/** Transfers in the order of the chain. A log that comes twice, or one block under two hashes, is the fault `malformed`. */
export function transfersOf(logs: readonly EvmLog[]): Result<readonly Transfer[], ChainFault> {
  const transfers: Transfer[] = [];
  let last: EvmLog | null = null;
  for (const log of logs) {
    const transfer = transferOf(log);
    if (transfer === null) return fault('refused', 'its Transfer events are not those of an ERC-20 token');
    if (last?.block === log.block) {
      if (last.blockHash !== log.blockHash) return fault('malformed', 'one block under two hashes');
      if (last.index >= log.index) return fault('malformed', 'a log came twice');
    }
    transfers.push(transfer);
    last = log;
  }
  return { ok: true, value: transfers };
}

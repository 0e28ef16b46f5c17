import type { ChainFault, Hex } from '../../../chains/index.ts';
import { addressAt, uintAt } from '../../../chains/index.ts';
import type { Result } from '../../../domain/index.ts';
import type { EvmLog } from '../types.ts';

/** keccak256("Transfer(address,address,uint256)"). */
export const TRANSFER: Hex = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

export interface Transfer {
  readonly from: Hex;
  readonly to: Hex;
  readonly value: bigint;
}

/** An ERC-20 transfer out of its log; the indexed form, or the old one without indexes. Null for anything else (ERC-721 indexes the id). */
function transferOf({ topics, data }: EvmLog): Transfer | null {
  if (topics[0] !== TRANSFER) return null;
  const words: Hex =
    topics.length === 3
      ? `0x${topics
          .slice(1)
          .map((topic) => topic.slice(2))
          .join('')}${data.slice(2)}`
      : data;
  if ((topics.length !== 3 && topics.length !== 1) || words.length !== 2 + 3 * 64) return null;
  const [from, to, value] = [addressAt(words, 0), addressAt(words, 1), uintAt(words, 2)];
  return from === null || to === null || value === null ? null : { from, to, value };
}

/** Transfers in the order of the chain. A log that comes twice, or one block under two hashes, is a lie. */
export function transfersOf(logs: readonly EvmLog[]): Result<readonly Transfer[], ChainFault> {
  const transfers: Transfer[] = [];
  let last: EvmLog | null = null;
  for (const log of logs) {
    const transfer = transferOf(log);
    if (transfer === null)
      return { ok: false, reason: 'refused', detail: 'its Transfer events are not those of an ERC-20 token' };
    if (last?.blockNumber === log.blockNumber) {
      if (last.blockHash !== log.blockHash) return malformed('one block under two hashes');
      if (last.logIndex >= log.logIndex) return malformed('a log came twice');
    }
    transfers.push(transfer);
    last = log;
  }
  return { ok: true, value: transfers };
}

function malformed(detail: string): { readonly ok: false } & ChainFault {
  return { ok: false, reason: 'malformed', detail };
}

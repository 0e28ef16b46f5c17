import { addressAt, uintAt } from '../abi.ts';
import type { EvmLog, Hex } from '../types.ts';

/** keccak256("Transfer(address,address,uint256)"). */
export const TRANSFER: Hex = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
export const ZERO: Hex = '0x0000000000000000000000000000000000000000';

export interface Transfer {
  readonly from: Hex;
  readonly to: Hex;
  readonly value: bigint;
}

/** An ERC-20 transfer out of its log; the indexed form, or the old one without indexes. Null for anything else (ERC-721 indexes the id). */
export function transferOf({ topics, data }: EvmLog): Transfer | null {
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

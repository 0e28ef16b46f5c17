import type { Hex } from 'viem';
import { TRANSFER } from '../../src/snapshots/evm/ledger.ts';
import type { EvmBlock, EvmLog, EvmReader } from '../../src/snapshots/evm/reader.ts';

export const TOKEN: Hex = `0x${'11'.repeat(20)}`;
export const ownerOf = (index: number): Hex => `0x${index.toString(16).padStart(40, '0')}`;

/** A chain in memory whose newest blocks can be replaced. */
export function toyChain() {
  const blocks: (EvmBlock & { readonly logs: readonly EvmLog[] })[] = [];
  let serial = 0;
  let before = (): void => undefined;
  const add = (transfers: readonly (readonly [number, number, number])[]) => {
    const number = blocks.length;
    serial += 1;
    const hash: Hex = `0x${serial.toString(16).padStart(64, '0')}`;
    const logs = transfers.map(([from, to, value], index) => ({
      address: TOKEN,
      topics: [TRANSFER, ...[from, to].map((owner): Hex => `0x${ownerOf(owner).slice(2).padStart(64, '0')}`)],
      data: `0x${value.toString(16).padStart(64, '0')}` as Hex,
      block: number,
      blockHash: hash,
      index,
      transaction: hash,
    }));
    blocks.push({ number, hash, parentHash: blocks.at(-1)?.hash ?? hash, timestamp: number, logs });
  };
  add([]);
  const reader: EvmReader = {
    block: async (which) => {
      before();
      const found = typeof which === 'number' ? blocks[which] : blocks.at(-1);
      return found ? { ok: true, value: found } : { ok: false, reason: 'not_found', detail: '' };
    },
    logs: async ({ fromBlock, toBlock }) => {
      before();
      return { ok: true, value: blocks.slice(fromBlock, toBlock + 1).flatMap((block) => block.logs) };
    },
    calls: () => Promise.reject(new Error('no calls here')),
    code: () => Promise.reject(new Error('no code here')),
    storage: () => Promise.reject(new Error('no storage here')),
  };
  return {
    reader,
    add,
    cut: (count: number) => void blocks.splice(Math.max(1, blocks.length - count)),
    beforeCall: (listener: () => void) => {
      before = listener;
    },
    hashAt: (number: number) => blocks[number]?.hash,
    /** Balances after the blocks up to `number`, those of the zero address left out. */
    truth(number: number): ReadonlyMap<Hex, bigint> {
      const balances = new Map<Hex, bigint>();
      for (const { topics, data } of blocks.slice(0, number + 1).flatMap((block) => block.logs)) {
        const [from, to] = [topics[1], topics[2]].map((topic): Hex => `0x${topic?.slice(26)}`) as [Hex, Hex];
        balances.set(from, (balances.get(from) ?? 0n) - BigInt(data));
        balances.set(to, (balances.get(to) ?? 0n) + BigInt(data));
      }
      balances.delete(ownerOf(0));
      return balances;
    },
  };
}

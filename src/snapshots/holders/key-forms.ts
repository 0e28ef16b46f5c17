import { addressBytes, toBase58 } from '../../chains/index.ts';
import type { KeyForm } from './balance-table.ts';

/** Owners of a Solana token: 32 bytes, u64 balances. */
export const SOLANA_KEYS: KeyForm = {
  keyBytes: 32,
  words: 2,
  addressOf: toBase58,
  keyOf: addressBytes,
  compare: Buffer.compare,
};

/** Holders of an ERC-20: 20 bytes in lower-case hex, u256 balances. */
export const EVM_KEYS: KeyForm = {
  keyBytes: 20,
  words: 8,
  addressOf: (key) => `0x${Buffer.from(key).toString('hex')}`,
  keyOf: (address) =>
    /^0x[0-9a-f]{40}$/i.test(address) ? Uint8Array.from(Buffer.from(address.slice(2), 'hex')) : null,
  compare: Buffer.compare,
};

/** Holders under names of any form (a file of somebody's): the names are kept beside the table. */
export function textKeys(): KeyForm {
  const names: string[] = [];
  const numbers = new Map<string, number>();
  const addressOf = (key: Uint8Array) => names[new DataView(key.buffer, key.byteOffset).getUint32(0)] ?? '';
  return {
    keyBytes: 4,
    words: 8,
    addressOf,
    keyOf(address) {
      const number = numbers.get(address) ?? names.push(address) - 1;
      numbers.set(address, number);
      const key = new Uint8Array(4);
      new DataView(key.buffer).setUint32(0, number);
      return key;
    },
    compare: (a, b) => (addressOf(a) < addressOf(b) ? -1 : 1),
  };
}

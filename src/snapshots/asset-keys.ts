import type { Hex } from '../chains/index.ts';
import { decodeMint } from '../chains/index.ts';
import type { EvmReader } from './evm/reader.ts';
import type { createSolanaReader } from './solana/reader.ts';

/**
 * One text per address, which changes only when the holder of a key changes; null for an address that cannot be read,
 * or for all.
 */
type KeysOf = (addresses: readonly string[]) => Promise<readonly (string | null)[] | null>;

const OWNER: Hex = '0x8da5cb5b';
/** EIP-1967: keccak256('eip1967.proxy.implementation') - 1, and the same of admin. */
const SLOTS: readonly Hex[] = [
  '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc',
  '0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103',
];

/** Reads the mint and freeze authorities of Solana mints. */
export function mintKeys(reader: ReturnType<typeof createSolanaReader>): KeysOf {
  return async (addresses) => {
    const read = await reader.accounts(addresses);
    if (!read.ok) return null;
    return read.value.accounts.map((account) => {
      const mint = account && decodeMint(account.owner, account.data);
      return mint && `mint ${mint.mintAuthority ?? 'none'} freeze ${mint.freezeAuthority ?? 'none'}`;
    });
  };
}

/** Reads owner, implementation and proxy admin of EVM contracts. */
export function contractKeys(reader: EvmReader): KeysOf {
  return async (addresses) => {
    const owners = await reader.calls(
      addresses.map((to) => ({ to: to as Hex, data: OWNER })),
      'latest',
    );
    if (!owners.ok) return null;
    return Promise.all(
      addresses.map(async (address, index) => {
        const words = await Promise.all(SLOTS.map((slot) => reader.storage(address as Hex, slot, 'latest')));
        if (words.some((word) => !word.ok)) return null;
        const [implementation, admin] = words.map((word) => (word.ok ? lastTwenty(word.value) : ''));
        return `owner ${lastTwenty(owners.value.results[index] ?? '0x')} implementation ${implementation} admin ${admin}`;
      }),
    );
  };
}

function lastTwenty(word: string): string {
  return /^0x[0-9a-fA-F]{64}$/.test(word) ? word.slice(-40).toLowerCase() : 'none';
}

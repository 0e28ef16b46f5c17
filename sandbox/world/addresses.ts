import { getAddress, type Hex, pad } from 'viem';
import { addressBytes, isOnCurve, toBase58 } from '../../src/chains/codecs/accounts.ts';
import { metadataAddress as derivedMetadataAddress } from '../../src/chains/decoders/token-programs.ts';
import { seededBytes } from './random.ts';

/** A wallet: a point on the ed25519 curve, as real keys are. */
export function solanaWallet(...keys: readonly (string | number)[]): string {
  const name = keys.join('\u0000');
  const known = wallets.get(name);
  if (known !== undefined) return known;
  for (let attempt = 0; ; attempt += 1) {
    const bytes = seededBytes('solana', ...keys, attempt);
    if (!isOnCurve(bytes)) continue;
    const address = toBase58(bytes);
    wallets.set(name, address);
    return address;
  }
}

// Checking a curve point takes half a millisecond, and every list of holders needs the same wallets.
const wallets = new Map<string, string>();

/** An address that no key can sign for, as program accounts are; also used for mints and vaults. */
export function solanaAccount(...keys: readonly (string | number)[]): string {
  return toBase58(seededBytes('solana-account', ...keys));
}

export function evmAddress(...keys: readonly (string | number)[]): string {
  return `0x${seededBytes('evm', ...keys)
    .toString('hex')
    .slice(0, 40)}`;
}

/** An address as a word of 32 bytes, as topics and storage hold it. */
export function addressWord(address: string): Hex {
  return pad(address.toLowerCase() as Hex);
}

/** The mixed-case spelling that some indexers return (EIP-55). */
export function checksummed(address: string): string {
  return /^0x[0-9a-f]{40}$/.test(address) ? getAddress(address) : address;
}

/** A derivation whose results are kept: one costs milliseconds, and an address never changes. */
export function remembered<Keys extends readonly (string | number)[]>(derive: (...keys: Keys) => string | null) {
  const known = new Map<string, string>();
  return (...keys: Keys): string => {
    const name = keys.join(' ');
    const address = known.get(name) ?? derive(...keys);
    if (address === null) throw new Error(`no program address of ${name}`);
    known.set(name, address);
    return address;
  };
}

/** Where Metaplex keeps a mint's name. */
export const metadataAddress = remembered(derivedMetadataAddress);

/** The 32 bytes of a Solana address; zeros for any other text. */
export function addressBuffer(address: string): Buffer {
  return Buffer.from(addressBytes(address) ?? new Uint8Array(32));
}

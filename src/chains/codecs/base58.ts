import { base58 } from '@scure/base';

/** Base58 (Bitcoin alphabet) of bytes, as Solana writes addresses. */
export function toBase58(bytes: Uint8Array): string {
  return base58.encode(bytes);
}

/** The 32 bytes of a Solana address; null for anything that is not one. */
export function addressBytes(address: string): Uint8Array | null {
  if (!/^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(address)) return null;
  const bytes = base58.decode(address);
  return bytes.length === 32 ? bytes : null;
}

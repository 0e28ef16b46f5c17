const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const VALUES = new Map([...ALPHABET].map((character, value) => [character, BigInt(value)]));

/** A Solana address in base58 from its 32 bytes (any length works). */
export function toBase58(bytes: Uint8Array): string {
  let value = 0n;
  for (const byte of bytes) value = (value << 8n) | BigInt(byte);
  let text = '';
  for (; value > 0n; value /= 58n) text = ALPHABET.charAt(Number(value % 58n)) + text;
  const zeros = bytes.findIndex((byte) => byte !== 0);
  return '1'.repeat(zeros === -1 ? bytes.length : zeros) + text;
}

/** The 32 bytes of an address; null for anything that is not one. */
export function addressBytes(address: string): Uint8Array | null {
  if (address.length < 32 || address.length > 44) return null;
  let value = 0n;
  for (const character of address) {
    const digit = VALUES.get(character);
    if (digit === undefined) return null;
    value = value * 58n + digit;
  }
  const ones = /^1*/.exec(address)?.[0].length ?? 0;
  const bytes = new Uint8Array(32);
  let used = 0;
  for (; value > 0n; value >>= 8n) {
    if (used === 32) return null;
    used += 1;
    bytes[32 - used] = Number(value & 255n);
  }
  return used + ones === 32 ? bytes : null;
}

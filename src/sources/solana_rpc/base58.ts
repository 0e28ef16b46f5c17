const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const VALUES = new Map([...ALPHABET].map((character, value) => [character, value]));

/** Base58 (Bitcoin alphabet) of bytes, as Solana writes addresses. */
export function toBase58(bytes: Uint8Array): string {
  const digits: number[] = [];
  for (const byte of bytes) {
    let carry = byte;
    for (let at = 0; at < digits.length; at += 1) {
      carry += (digits[at] ?? 0) * 256;
      digits[at] = carry % 58;
      carry = Math.floor(carry / 58);
    }
    while (carry > 0) {
      digits.push(carry % 58);
      carry = Math.floor(carry / 58);
    }
  }
  const zeros = leading(bytes, (byte) => byte === 0);
  return (
    '1'.repeat(zeros) +
    digits
      .reverse()
      .map((digit) => ALPHABET[digit])
      .join('')
  );
}

/** The 32 bytes of a Solana address; null for anything that is not one. */
export function addressBytes(address: string): Uint8Array | null {
  if (address.length < 32 || address.length > 44) return null;
  const bytes: number[] = [];
  for (const character of address) {
    const value = VALUES.get(character);
    if (value === undefined) return null;
    let carry = value;
    for (let at = 0; at < bytes.length; at += 1) {
      carry += (bytes[at] ?? 0) * 58;
      bytes[at] = carry & 255;
      carry >>= 8;
    }
    while (carry > 0) {
      bytes.push(carry & 255);
      carry >>= 8;
    }
  }
  const zeros = leading([...address], (character) => character === '1');
  const whole = Uint8Array.from([...new Array<number>(zeros).fill(0), ...bytes.reverse()]);
  return whole.length === 32 ? whole : null;
}

function leading<Item>(items: Iterable<Item>, wanted: (item: Item) => boolean): number {
  let count = 0;
  for (const item of items) {
    if (!wanted(item)) break;
    count += 1;
  }
  return count;
}

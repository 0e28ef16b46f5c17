import { createHash } from 'node:crypto';
import { getAddress } from 'viem';
import { seededBytes } from './random.ts';

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

export function base58Encode(bytes: Uint8Array): string {
  let value = 0n;
  for (const byte of bytes) value = value * 256n + BigInt(byte);
  let text = '';
  while (value > 0n) {
    text = `${ALPHABET[Number(value % 58n)]}${text}`;
    value /= 58n;
  }
  for (const byte of bytes) {
    if (byte !== 0) break;
    text = `1${text}`;
  }
  return text;
}

/** 32 bytes of a Solana address; null when the text is none. */
export function base58Decode(text: string): Buffer | null {
  let value = 0n;
  for (const letter of text) {
    const digit = ALPHABET.indexOf(letter);
    if (digit < 0) return null;
    value = value * 58n + BigInt(digit);
  }
  const hex = value.toString(16).padStart(64, '0');
  return hex.length === 64 ? Buffer.from(hex, 'hex') : null;
}

/** A wallet: a point on the ed25519 curve, as real keys are. */
export function solanaWallet(...keys: readonly (string | number)[]): string {
  const name = keys.join('\u0000');
  const known = wallets.get(name);
  if (known !== undefined) return known;
  for (let attempt = 0; ; attempt += 1) {
    const bytes = seededBytes('solana', ...keys, attempt);
    if (!isOnCurve(bytes)) continue;
    const address = base58Encode(bytes);
    wallets.set(name, address);
    return address;
  }
}

// Every list of holders needs the same wallets.
const wallets = new Map<string, string>();

/** An address that no key can sign for, as program accounts are; also used for mints and vaults. */
export function solanaAccount(...keys: readonly (string | number)[]): string {
  return base58Encode(seededBytes('solana-account', ...keys));
}

export function evmAddress(...keys: readonly (string | number)[]): string {
  return `0x${seededBytes('evm', ...keys)
    .toString('hex')
    .slice(0, 40)}`;
}

/** The mixed-case spelling that some indexers return (EIP-55). */
export function checksummed(address: string): string {
  return /^0x[0-9a-f]{40}$/.test(address) ? getAddress(address) : address;
}

export const METAPLEX_PROGRAM = 'metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s';

/** Where Metaplex keeps a mint's name: the program address of ["metadata", program, mint]. */
export function metadataAddress(mint: string): string {
  const known = metadataAddresses.get(mint);
  if (known !== undefined) return known;
  const address = findMetadataAddress(mint);
  metadataAddresses.set(mint, address);
  return address;
}

// The search costs milliseconds and depends on the mint only.
const metadataAddresses = new Map<string, string>();

function findMetadataAddress(mint: string): string {
  const program = base58Decode(METAPLEX_PROGRAM) ?? Buffer.alloc(32);
  const mintBytes = base58Decode(mint) ?? Buffer.alloc(32);
  for (let bump = 255; bump >= 0; bump -= 1) {
    const hash = createHash('sha256')
      .update('metadata')
      .update(program)
      .update(mintBytes)
      .update(Buffer.from([bump]))
      .update(program)
      .update('ProgramDerivedAddress')
      .digest();
    if (!isOnCurve(hash)) return base58Encode(hash);
  }
  throw new Error(`no program address for mint ${mint}`);
}

const PRIME = 2n ** 255n - 19n;
const EDWARDS_D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n;

/** RFC 8032 5.1.3: the bytes decode to a curve point when (y^2 - 1) / (d y^2 + 1) is a square. */
function isOnCurve(bytes: Uint8Array): boolean {
  const reversed = Buffer.from(bytes).reverse();
  reversed[0] = (reversed[0] ?? 0) & 0x7f;
  const y = BigInt(`0x${reversed.toString('hex')}`);
  const squared = (y * y) % PRIME;
  const numerator = (squared + PRIME - 1n) % PRIME;
  const denominator = (EDWARDS_D * squared + 1n) % PRIME;
  // u/v is a square exactly when u v is one.
  return isSquare((numerator * denominator) % PRIME);
}

/** Whether the number is 0 or a square modulo the prime: its Jacobi symbol, by reciprocity, is not -1. */
function isSquare(number: bigint): boolean {
  let [upper, lower] = [number, PRIME];
  let isNegative = false;
  while (upper !== 0n) {
    while ((upper & 1n) === 0n) {
      upper >>= 1n;
      const rest = lower & 7n;
      if (rest === 3n || rest === 5n) isNegative = !isNegative;
    }
    if ((upper & lower & 3n) === 3n) isNegative = !isNegative;
    [upper, lower] = [lower % upper, upper];
  }
  return !isNegative || lower !== 1n;
}

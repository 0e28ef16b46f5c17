import { addressBytes, derivedAddress, f64, key, keyOrNull, textAt, u8, u16, u32, u64 } from '../codecs/accounts.ts';
import { METADATA_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../solana.ts';

export interface Mint {
  readonly standard: 'spl-token' | 'token-2022';
  /** Null when renounced. */
  readonly mintAuthority: string | null;
  readonly freezeAuthority: string | null;
  /** Base units. */
  readonly supply: bigint;
  /** 0-255: malicious mints use the whole range. */
  readonly decimals: number;
  readonly extensions: MintExtensions;
}

const MINT_LENGTH = 82;
/** A Token-2022 mint with extensions is padded to a token account's length, then one byte states its type. */
const ACCOUNT_TYPE_AT = 165;
const ACCOUNT_TYPE_MINT = 1;
const MULTISIG_LENGTH = 355;

/**
 * Decodes an SPL Token or Token-2022 mint account (spl-token `Mint`). Null when the owner is not a token program or the
 * bytes are not an initialised mint, for example a token account, a multisig or a buffer of another length.
 */
export function decodeMint(ownerProgram: string, data: Uint8Array): Mint | null {
  const classic = ownerProgram === TOKEN_PROGRAM;
  if (!classic && ownerProgram !== TOKEN_2022_PROGRAM) return null;
  const extended =
    !classic &&
    data.length > ACCOUNT_TYPE_AT &&
    data.length !== MULTISIG_LENGTH &&
    data[ACCOUNT_TYPE_AT] === ACCOUNT_TYPE_MINT;
  if (data.length !== MINT_LENGTH && !extended) return null;
  if (u8(data, 45) !== 1 || u32(data, 0) > 1 || u32(data, 46) > 1) return null;
  return {
    standard: classic ? 'spl-token' : 'token-2022',
    mintAuthority: u32(data, 0) === 1 ? key(data, 4) : null,
    freezeAuthority: u32(data, 46) === 1 ? key(data, 50) : null,
    supply: u64(data, 36),
    decimals: u8(data, 44),
    extensions: readExtensions(data, ACCOUNT_TYPE_AT + 1),
  };
}

export interface TokenAccount {
  readonly mint: string;
  readonly owner: string;
  /** Base units. */
  readonly amount: bigint;
  readonly frozen: boolean;
  readonly delegate: string | null;
  readonly delegatedAmount: bigint;
  readonly closeAuthority: string | null;
}

const LENGTH = 165;

/** Decodes an SPL Token or Token-2022 token account; null if it is another kind of account or not initialised. */
export function decodeTokenAccount(owner: string, data: Uint8Array): TokenAccount | null {
  if (owner !== TOKEN_PROGRAM && owner !== TOKEN_2022_PROGRAM) return null;
  if (data.length < LENGTH) return null;
  // A Token-2022 account with extensions states its type after its first 165 bytes: 2 is a token account.
  if (data.length > LENGTH && (owner === TOKEN_PROGRAM || u8(data, LENGTH) !== 2)) return null;
  // The program never makes a token account of a multisig's length, whose keys could otherwise state any balance.
  if (data.length === MULTISIG_LENGTH) return null;
  const state = u8(data, 108);
  if (state !== 1 && state !== 2) return null;
  return {
    mint: key(data, 0),
    owner: key(data, 32),
    amount: u64(data, 64),
    frozen: state === 2,
    delegate: u32(data, 72) === 1 ? key(data, 76) : null,
    delegatedAmount: u64(data, 121),
    closeAuthority: u32(data, 129) === 1 ? key(data, 133) : null,
  };
}

export interface TransferFee {
  /** First epoch in which it applies. */
  readonly epoch: bigint;
  /** Most that one transfer pays, base units. */
  readonly maximum: bigint;
  readonly basisPoints: number;
}

/**
 * Most that a transfer can pay, as a fraction: the program withholds the lower of the rate and `maximum` (spl-token-2022
 * `calculate_fee`). A maximum above zero makes the fee smaller for large transfers only. How large a usual transfer is the
 * mint does not show, and the measure of it, its supply, is the issuer's to choose: so the maximum earns nothing, unless it is 0.
 */
export function highestFee({ maximum, basisPoints }: TransferFee): number {
  return maximum === 0n ? 0 : Math.min(1, basisPoints / 10_000);
}

/** What a Token-2022 mint's extensions allow. Null or false without the extension. */
export interface MintExtensions {
  readonly transferFee: {
    readonly authority: string | null;
    /** Base units of fees that were collected from accounts into the mint and not withdrawn yet. */
    readonly withheld: bigint;
    readonly older: TransferFee;
    readonly newer: TransferFee;
  } | null;
  readonly closeAuthority: string | null;
  readonly defaultState: number | null;
  readonly nonTransferable: boolean;
  readonly interestRate: number | null;
  readonly permanentDelegate: string | null;
  readonly transferHook: { readonly authority: string | null; readonly program: string | null } | null;
  readonly metadataAddress: string | null;
  readonly metadata: TokenMetadata | null;
  readonly scaledAmount: {
    readonly multiplier: number;
    readonly newMultiplier: number;
    readonly effectiveAt: number;
  } | null;
  readonly pausable: { readonly authority: string | null; readonly paused: boolean } | null;
  /** Types that are not assessed, or whose bytes do not match their layout. */
  readonly unassessed: readonly number[];
  /** All extensions in stored order, known or not. */
  readonly entries: readonly ExtensionEntry[];
}

export interface TokenMetadata {
  readonly updateAuthority: string | null;
  readonly mint: string;
  readonly name: string;
  readonly symbol: string;
  readonly uri: string;
}

/** One extension as stored in the account; `value` is shorter than its length if the account ends before it. */
export interface ExtensionEntry {
  readonly type: number;
  readonly name: string;
  readonly value: Uint8Array;
  readonly truncated: boolean;
}

/**
 * Token-2022 extension types that a mint may have, with the length of each value. null: any length; `unassessed`: the
 * effect of the extension cannot be assessed (layouts: spl-token-2022 `ExtensionType`).
 */
const TYPES: ReadonlyMap<number, readonly [name: string, length: number | null | 'unassessed']> = new Map([
  [1, ['transfer_fee', 108]],
  [3, ['close_authority', 32]],
  // Amounts may be hidden; this gives no power over a holder.
  [4, ['confidential_transfer', 65]],
  [6, ['default_account_state', 1]],
  [9, ['non_transferable', 0]],
  // Display only.
  [10, ['interest_bearing', 52]],
  [12, ['permanent_delegate', 32]],
  [14, ['transfer_hook', 64]],
  [16, ['confidential_transfer_fee', 129]],
  [18, ['metadata_pointer', 64]],
  [19, ['metadata', null]],
  [20, ['group_pointer', 64]],
  [21, ['group', 80]],
  [22, ['group_member_pointer', 64]],
  [23, ['group_member', 72]],
  [24, ['confidential_mint_burn', 'unassessed']],
  // Display only.
  [25, ['scaled_amount', 56]],
  [26, ['pausable', 33]],
  [28, ['permissioned_burn', 32]],
]);

/**
 * Reads the type-length-value part of a Token-2022 mint (from byte 166). A type is listed in `unassessed` when its length
 * runs past the end, its value has the wrong size, or the type is unknown.
 */
export function readExtensions(data: Uint8Array, start: number): MintExtensions {
  const entries = extensionEntries(data, start);
  const { values, unassessed } = assessed(entries);
  const fee = values.get(1);
  const hook = values.get(14);
  const scaled = values.get(25);
  const pausable = values.get(26);
  const metadataBytes = values.get(19);
  const metadata = metadataBytes ? readMetadata(metadataBytes) : null;
  return {
    transferFee: fee
      ? { authority: keyOrNull(fee, 0), withheld: u64(fee, 64), older: feeAt(fee, 72), newer: feeAt(fee, 90) }
      : null,
    closeAuthority: addressOf(values.get(3), 0),
    defaultState: values.get(6)?.[0] ?? null,
    nonTransferable: values.has(9),
    interestRate: values.has(10) ? signed16(u16(values.get(10) ?? new Uint8Array(52), 50)) : null,
    permanentDelegate: addressOf(values.get(12), 0),
    transferHook: hook ? { authority: keyOrNull(hook, 0), program: keyOrNull(hook, 32) } : null,
    metadataAddress: addressOf(values.get(18), 32),
    metadata,
    scaledAmount: scaled
      ? {
          multiplier: f64(scaled, 32),
          effectiveAt: Number(BigInt.asIntN(64, u64(scaled, 40))),
          newMultiplier: f64(scaled, 48),
        }
      : null,
    pausable: pausable ? { authority: keyOrNull(pausable, 0), paused: pausable[32] === 1 } : null,
    unassessed: metadataBytes && metadata === null ? [...unassessed, 19] : unassessed,
    entries,
  };
}

function extensionEntries(data: Uint8Array, start: number): readonly ExtensionEntry[] {
  const entries: ExtensionEntry[] = [];
  for (let at = start; at + 4 <= data.length; ) {
    const type = u16(data, at);
    // Type 0: the zeroed remainder of an account that was allocated larger than needed.
    if (type === 0) break;
    const length = u16(data, at + 2);
    const value = data.subarray(at + 4, at + 4 + length);
    const truncated = value.length < length;
    entries.push({ type, name: TYPES.get(type)?.[0] ?? `unknown_${type}`, value, truncated });
    if (truncated) break;
    at += 4 + length;
  }
  return entries;
}

/** Values by type. Truncated values, values of the wrong size, duplicates and unknown types cannot be assessed. */
function assessed(entries: readonly ExtensionEntry[]): {
  readonly values: ReadonlyMap<number, Uint8Array>;
  readonly unassessed: readonly number[];
} {
  const values = new Map<number, Uint8Array>();
  const unassessed: number[] = [];
  for (const { type, value, truncated } of entries) {
    const expected = TYPES.get(type)?.[1];
    if (truncated || expected === undefined || (expected !== null && expected !== value.length) || values.has(type))
      unassessed.push(type);
    else values.set(type, value);
  }
  return { values, unassessed };
}

function feeAt(value: Uint8Array, at: number): TransferFee {
  return { epoch: u64(value, at), maximum: u64(value, at + 8), basisPoints: u16(value, at + 16) };
}

function addressOf(value: Uint8Array | undefined, at: number): string | null {
  return value ? keyOrNull(value, at) : null;
}

function signed16(value: number): number {
  return value > 32_767 ? value - 65_536 : value;
}

/** TokenMetadata interface: update authority, mint, name, symbol, uri, then key-value pairs that are not read. */
function readMetadata(value: Uint8Array): TokenMetadata | null {
  if (value.length < 64) return null;
  const texts = textsAt(value, 64, { name: 4_096, symbol: 4_096, uri: 8_192 });
  return texts && { updateAuthority: keyOrNull(value, 0), mint: key(value, 32), ...texts.values };
}

/** Name, symbol and uri, in sequence, and the offset after them; null if a length is invalid. */
function textsAt(data: Uint8Array, at: number, longest: Readonly<Record<'name' | 'symbol' | 'uri', number>>) {
  const name = textAt(data, at, longest.name);
  const symbol = name && textAt(data, name.next, longest.symbol);
  const uri = symbol && textAt(data, symbol.next, longest.uri);
  if (!name || !symbol || !uri) return null;
  return { values: { name: name.value, symbol: symbol.value, uri: uri.value }, next: uri.next };
}

interface Metadata extends TokenMetadata {
  readonly updateAuthority: string;
  readonly isMutable: boolean;
}

const KEY_METADATA_V1 = 4;
/** Limits of the program in bytes; it cannot have written longer text. */
const LONGEST = { name: 32, symbol: 10, uri: 200 } as const;
const CREATOR_LENGTH = 34;
const MOST_CREATORS = 5;

/** The address of a mint's Metaplex metadata: seeds "metadata", program, mint; null if `mint` is not an address. */
export function metadataAddress(mint: string): string | null {
  const [program, bytes] = [addressBytes(METADATA_PROGRAM), addressBytes(mint)];
  return program && bytes && derivedAddress(['metadata', program, bytes], METADATA_PROGRAM);
}

/**
 * Decodes a Metaplex metadata account (mpl-token-metadata `Metadata`). Fields are read in sequence because texts vary in
 * length. Null if another program owns the account, it is of another kind, or a length is invalid.
 */
export function decodeMetadata(ownerProgram: string, data: Uint8Array): Metadata | null {
  if (ownerProgram !== METADATA_PROGRAM || data.length < 65 || data[0] !== KEY_METADATA_V1) return null;
  const texts = textsAt(data, 65, LONGEST);
  const mutableAt = texts && afterCreators(data, texts.next + 2);
  const mutable = mutableAt === null ? undefined : data[mutableAt];
  if (texts === null || (mutable !== 0 && mutable !== 1)) return null;
  return { updateAuthority: key(data, 1), mint: key(data, 33), ...texts.values, isMutable: mutable === 1 };
}

/** Offset of `isMutable`, after the optional list of creators and the flag of the first sale. */
function afterCreators(data: Uint8Array, at: number): number | null {
  const option = data[at];
  if (option === 0) return at + 2;
  if (option !== 1 || at + 5 > data.length) return null;
  const count = u32(data, at + 1);
  return count > MOST_CREATORS ? null : at + 5 + count * CREATOR_LENGTH + 1;
}

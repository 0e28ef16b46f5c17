import { address, f64, optionalAddress, text, u16, u64 } from './bytes.ts';

export interface TransferFee {
  /** Epoch from which it holds. */
  readonly epoch: bigint;
  readonly basisPoints: number;
}

/** What a Token-2022 mint's extensions allow. Null or false where the extension is not there. */
export interface MintExtensions {
  readonly transferFee: {
    readonly authority: string | null;
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
  /** Types nobody here can judge, or whose bytes do not fit their layout. */
  readonly unassessed: readonly number[];
}

export interface TokenMetadata {
  readonly updateAuthority: string | null;
  readonly mint: string;
  readonly name: string;
  readonly symbol: string;
  readonly uri: string;
}

/** Token-2022 extension types and the length of each value; null: any (layouts: spl-token-2022 `ExtensionType`, sources-chain A2). */
const ASSESSED: ReadonlyMap<number, number | null> = new Map<number, number | null>([
  [1, 108], // transfer fee
  [3, 32], // close authority
  [4, 65], // confidential transfers: amounts may be hidden, nobody gains power over a holder
  [6, 1], // default account state
  [9, 0], // non-transferable
  [10, 52], // interest bearing (display only)
  [12, 32], // permanent delegate
  [14, 64], // transfer hook
  [16, 129], // fee of confidential transfers
  [18, 64], // metadata pointer
  [19, null], // metadata
  [20, 64], // group pointer
  [21, 80], // group
  [22, 64], // group member pointer
  [23, 72], // group member
  [25, 56], // scaled display amount
  [26, 33], // pausable
  [28, 32], // permissioned burn
]);

const NOTHING: ReadonlyMap<number, Uint8Array> = new Map();

/**
 * Reads the type-length-value part of a Token-2022 mint (from byte 166). A length that runs past the end, a value of the
 * wrong size and an unknown type all end in `unassessed`, never in silence.
 */
export function readExtensions(data: Uint8Array, start: number): MintExtensions {
  const { values, unassessed } = start >= data.length ? { values: NOTHING, unassessed: [] } : tlv(data, start);
  const fee = values.get(1);
  const hook = values.get(14);
  const scaled = values.get(25);
  const pausable = values.get(26);
  const metadataBytes = values.get(19);
  const metadata = metadataBytes ? readMetadata(metadataBytes) : null;
  return {
    transferFee: fee ? { authority: optionalAddress(fee, 0), older: feeAt(fee, 72), newer: feeAt(fee, 90) } : null,
    closeAuthority: addressOf(values.get(3), 0),
    defaultState: values.get(6)?.[0] ?? null,
    nonTransferable: values.has(9),
    interestRate: values.has(10) ? signed16(u16(values.get(10) ?? new Uint8Array(52), 50)) : null,
    permanentDelegate: addressOf(values.get(12), 0),
    transferHook: hook ? { authority: optionalAddress(hook, 0), program: optionalAddress(hook, 32) } : null,
    metadataAddress: addressOf(values.get(18), 32),
    metadata,
    scaledAmount: scaled
      ? {
          multiplier: f64(scaled, 32),
          effectiveAt: Number(BigInt.asIntN(64, u64(scaled, 40))),
          newMultiplier: f64(scaled, 48),
        }
      : null,
    pausable: pausable ? { authority: optionalAddress(pausable, 0), paused: pausable[32] === 1 } : null,
    unassessed: metadataBytes && metadata === null ? [...unassessed, 19] : unassessed,
  };
}

function tlv(
  data: Uint8Array,
  start: number,
): { values: ReadonlyMap<number, Uint8Array>; unassessed: readonly number[] } {
  const values = new Map<number, Uint8Array>();
  const unassessed: number[] = [];
  let at = start;
  while (at + 4 <= data.length) {
    const type = u16(data, at);
    // Type 0 is the zeroed rest of an account that was allocated larger than it needed.
    if (type === 0) break;
    const length = u16(data, at + 2);
    const expected = ASSESSED.get(type);
    const fits = at + 4 + length <= data.length;
    if (!fits || expected === undefined || (expected !== null && expected !== length) || values.has(type))
      unassessed.push(type);
    else values.set(type, data.subarray(at + 4, at + 4 + length));
    if (!fits) break;
    at += 4 + length;
  }
  return { values, unassessed };
}

function feeAt(value: Uint8Array, at: number): TransferFee {
  return { epoch: u64(value, at), basisPoints: u16(value, at + 16) };
}

function addressOf(value: Uint8Array | undefined, at: number): string | null {
  return value ? optionalAddress(value, at) : null;
}

function signed16(value: number): number {
  return value > 32_767 ? value - 65_536 : value;
}

/** TokenMetadata interface: update authority, mint, name, symbol, uri, then pairs nobody here needs. */
function readMetadata(value: Uint8Array): TokenMetadata | null {
  if (value.length < 64) return null;
  const name = text(value, 64, 4_096);
  const symbol = name && text(value, name.next, 4_096);
  const uri = symbol && text(value, symbol.next, 8_192);
  if (!name || !symbol || !uri) return null;
  return {
    updateAuthority: optionalAddress(value, 0),
    mint: address(value, 32),
    name: name.value,
    symbol: symbol.value,
    uri: uri.value,
  };
}

import { decodeFunctionResult, encodeFunctionData, parseAbi } from 'viem/utils';

/** Lower-case 0x hex. */
export type Hex = `0x${string}`;

/** Getters of ERC-20. */
export const ERC20 = {
  name: '0x06fdde03',
  symbol: '0x95d89b41',
  decimals: '0x313ce567',
  totalSupply: '0x18160ddd',
  balanceOf: '0x70a08231',
} as const satisfies Record<string, Hex>;

/**
 * A hand-written decoder for the few ABI types that chain reads need: words of 32 bytes (Solidity ABI specification).
 * Replies are untrusted: anything that does not match the expected form gives null.
 */
const WORD = 64;

/** Word `index` of a reply, as an unsigned integer; null when the reply is too short. */
export function uintAt(data: Hex, index: number): bigint | null {
  const start = 2 + index * WORD;
  const text = data.slice(start, start + WORD);
  return text.length === WORD && /^[0-9a-f]+$/i.test(text) ? BigInt(`0x${text}`) : null;
}

/** Word `index` as a signed integer of `bits` bits; null when it does not fit. */
export function intAt(data: Hex, index: number, bits: number): bigint | null {
  const value = uintAt(data, index);
  if (value === null) return null;
  const signed = BigInt.asIntN(256, value);
  return BigInt.asIntN(bits, signed) === signed ? signed : null;
}

/** Word `index` as an address in lower case; null when its upper bytes are not zero. */
export function addressAt(data: Hex, index: number): Hex | null {
  const value = uintAt(data, index);
  return value === null || value >> 160n !== 0n ? null : `0x${value.toString(16).padStart(40, '0')}`;
}

/** Bytes that are exactly one word, as an integer; null for anything else (an account without code returns no bytes). */
export function uintOf(data: string | null | undefined): bigint | null {
  return typeof data === 'string' && /^0x[0-9a-fA-F]{64}$/.test(data) ? BigInt(data) : null;
}

/** Bytes that are exactly one word, as an address in lower case; null when its upper bytes are not zero. */
export function addressOf(data: string | null | undefined): string | null {
  return typeof data === 'string' && /^0x0{24}[0-9a-fA-F]{40}$/.test(data) ? `0x${data.slice(26).toLowerCase()}` : null;
}

/** A word that is 1 or 0 as a boolean; null for anything else. */
export function flagOf(data: string | null | undefined): boolean | null {
  const word = uintOf(data);
  return word === 0n ? false : word === 1n ? true : null;
}

/**
 * Text as ABI `string`, or as the `bytes32` that early tokens (MKR, SAI) return, up to its first zero. Null when it is
 * neither, empty, not UTF-8, or longer than `most` bytes.
 */
export function abiText(data: string | null | undefined, most: number): string | null {
  if (typeof data !== 'string' || !/^0x(?:[0-9a-fA-F]{2})+$/.test(data)) return null;
  const bytes = Uint8Array.fromHex(data.slice(2));
  const text = bytes.length === WORD / 2 ? upToZero(bytes) : dynamicBytes(data as Hex, bytes);
  if (text === null || text.length === 0 || text.length > most) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(text);
  } catch {
    return null;
  }
}

/** Calldata: a selector and words. */
export function callData(selector: Hex, ...words: readonly (bigint | Hex)[]): Hex {
  return `${selector}${words.map(wordOf).join('')}` as Hex;
}

/** One word of calldata. */
export function wordOf(value: bigint | Hex): string {
  if (typeof value === 'bigint') return BigInt.asUintN(256, value).toString(16).padStart(WORD, '0');
  return value.slice(2).toLowerCase().padStart(WORD, '0');
}

function upToZero(bytes: Uint8Array): Uint8Array {
  const end = bytes.indexOf(0);
  return bytes.subarray(0, end === -1 ? bytes.length : end);
}

/** Content of an ABI `string` or `bytes`; null if its offset or length is invalid. */
function dynamicBytes(data: Hex, bytes: Uint8Array): Uint8Array | null {
  const length = uintAt(data, 0) === 32n ? uintAt(data, 1) : null;
  if (length === null || length > BigInt(bytes.length - 64)) return null;
  return bytes.subarray(64, 64 + Number(length));
}

/** A view call: a contract and its calldata. */
export interface EvmCall {
  readonly to: Hex;
  readonly data: Hex;
}

/** Multicall3 (https://www.multicall3.com): the same address on every supported chain. */
export const MULTICALL3: Hex = '0xca11bde05977b3631167028862be2a173976ca11';
const ABI = parseAbi([
  'struct Call3 { address target; bool allowFailure; bytes callData; }',
  'struct Result { bool success; bytes returnData; }',
  'function aggregate3(Call3[] calls) payable returns (Result[] returnData)',
]);

/** Calldata of one `aggregate3` with all calls, each of which may fail. */
export function aggregateData(calls: readonly EvmCall[]): Hex {
  const args = calls.map(({ to, data }) => ({ target: to, allowFailure: true, callData: data }));
  return encodeFunctionData({ abi: ABI, functionName: 'aggregate3', args: [args] });
}

/** Result of each call; null for a call that failed or returned nothing. Returns null if the reply is not such a list. */
export function aggregateResults(data: string, count: number): readonly (Hex | null)[] | null {
  try {
    const results = decodeFunctionResult({ abi: ABI, functionName: 'aggregate3', data: data as Hex });
    if (results.length !== count) return null;
    return results.map(({ success, returnData }) => (success && returnData.length > 2 ? returnData : null));
  } catch {
    return null;
  }
}

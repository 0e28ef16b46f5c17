import { createHash } from 'node:crypto';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import first from './dictionaries/state-1.json' with { type: 'json' };

/**
 * Publication's state of an asset, packed: the number of a dictionary in one byte, then a zstd frame that uses it. A
 * dictionary is the state of a fictional asset, so that common names and texts are stored once for all assets. It is
 * never changed: another one gets the next number.
 */
const DICTIONARIES: ReadonlyMap<number, Buffer> = new Map([[1, Buffer.from(JSON.stringify(first))]]);
const NEWEST = 1;
/** Upper limit of the size of a state. */
const LARGEST_STATE = 4 * 1024 * 1024;

/** Hash of each dictionary by number, for the test that they do not change. */
export function dictionaryHashes(): Readonly<Record<number, string>> {
  return Object.fromEntries(
    [...DICTIONARIES].map(([number, bytes]) => [number, createHash('sha256').update(bytes).digest('hex')]),
  );
}

/** Packs a state, JSON. */
export function packState(state: string): Buffer {
  const bytes = Buffer.from(state);
  const dictionary = DICTIONARIES.get(NEWEST);
  if (dictionary === undefined) throw new Error('the newest dictionary is missing');
  return Buffer.concat([Buffer.of(NEWEST), zstdCompressSync(bytes, { dictionary, pledgedSrcSize: bytes.byteLength })]);
}

/** The state of a row, JSON: packed, or unpacked as written by earlier versions. */
export function stateOfRow(row: { readonly state: string | null; readonly state_packed: Buffer | null }): string {
  if (row.state_packed === null) {
    if (row.state === null) throw new Error('an asset has no state');
    return row.state;
  }
  const number = row.state_packed[0] ?? 0;
  const dictionary = DICTIONARIES.get(number);
  if (dictionary === undefined) throw new Error(`this version does not have dictionary ${number} of states`);
  return zstdDecompressSync(row.state_packed.subarray(1), { dictionary, maxOutputLength: LARGEST_STATE }).toString();
}

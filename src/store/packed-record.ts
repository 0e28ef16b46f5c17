import first from './dictionaries/record-1.json' with { type: 'json' };
import { packingOf } from './dictionary-packing.ts';

/** Records of published ratings; the dictionary is the records of fictional assets. */
export const RECORDS = packingOf({ of: 'records', dictionaries: [first], largest: 4 * 1024 * 1024 });

/** Code of `{`, with which every unpacked record begins and no packed one does. */
const OBJECT = 0x7b;

/**
 * Packs a score record, canonical JSON. Throws for anything but a JSON object, which `recordOf` could not distinguish.
 */
export function packRecord(record: Buffer): Buffer {
  if (record[0] !== OBJECT) throw new Error('a score record is a JSON object');
  return RECORDS.pack(record);
}

/** The score record of a row, canonical JSON to the byte: packed, or as written by earlier versions. */
export function recordOf(stored: Buffer): Buffer {
  return stored[0] === OBJECT ? stored : RECORDS.unpack(stored);
}

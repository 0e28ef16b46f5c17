import { createHash } from 'node:crypto';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/** JSON packed with dictionaries: the number of a dictionary in one byte, then a zstd frame that uses it. */
export interface Packing {
  readonly pack: (bytes: Buffer) => Buffer;
  /** Throws when this version does not have the dictionary, or the bytes are not a frame of at most `largest` bytes. */
  readonly unpack: (packed: Buffer) => Buffer;
  /** Hash of each dictionary by number, for the test that they do not change. */
  readonly hashes: () => Readonly<Record<number, string>>;
}

/**
 * A packing of texts of one kind. A dictionary is an example of these texts, so that common names and texts are stored
 * once for all rows. A dictionary is never changed: a new one gets the next number, below 123, the code of `{`.
 */
export function packingOf({
  of,
  dictionaries,
  largest,
}: {
  /** Plural noun for the packed texts, for errors. */
  readonly of: string;
  /** In the order of their numbers, from 1; new texts are packed with the last. */
  readonly dictionaries: readonly unknown[];
  /** Upper limit of unpacked bytes. */
  readonly largest: number;
}): Packing {
  const known = dictionaries.map((one) => Buffer.from(JSON.stringify(one)));
  const newest = known.length;
  return {
    pack(bytes) {
      const dictionary = known[newest - 1];
      if (dictionary === undefined) throw new Error(`there is no dictionary of ${of}`);
      return Buffer.concat([
        Buffer.of(newest),
        zstdCompressSync(bytes, { dictionary, pledgedSrcSize: bytes.byteLength }),
      ]);
    },
    unpack(packed) {
      const number = packed[0] ?? 0;
      const dictionary = known[number - 1];
      if (dictionary === undefined) throw new Error(`this version does not have dictionary ${number} of ${of}`);
      return zstdDecompressSync(packed.subarray(1), { dictionary, maxOutputLength: largest });
    },
    hashes: () =>
      Object.fromEntries(known.map((bytes, at) => [at + 1, createHash('sha256').update(bytes).digest('hex')])),
  };
}

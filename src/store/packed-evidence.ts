import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/**
 * Level 5: a tenth smaller than at the default level, for about 1 ms more per score, in a thread. Higher levels gain 2
 * % in twice the time (docs/decisions/0051-object-store.md).
 */
const LEVEL = 5;
/**
 * First byte of a result packed with its record; results of earlier versions begin with 0x28 as every zstd frame does.
 */
const BY_RECORD = 1;
/** Position of the record when the result does not contain it verbatim. */
const NOWHERE = 0xffff_ffff;
const HEAD_BYTES = 5;

/** Record and result of a job, packed or unpacked. */
export interface EvidenceBytes {
  readonly record: Uint8Array;
  readonly result: Uint8Array;
}

/**
 * Packs the archive of a job. A result contains its record verbatim, and repeats most of its content: the record is cut
 * out, and the rest is compressed with the record as its dictionary. `level` is that of zstd, 1 to 22.
 */
export async function packEvidence(
  { record, result }: EvidenceBytes,
  level = LEVEL,
): Promise<{ record: Buffer; result: Buffer }> {
  const params = { [constants.ZSTD_c_compressionLevel]: level };
  const whole = bufferOf(result);
  const found = record.byteLength === 0 ? -1 : whole.indexOf(record);
  const rest = found < 0 ? whole : Buffer.concat([whole.subarray(0, found), whole.subarray(found + record.byteLength)]);
  const head = Buffer.alloc(HEAD_BYTES);
  head[0] = BY_RECORD;
  head.writeUInt32BE(found < 0 ? NOWHERE : found, 1);
  const [packedRecord, packedRest] = await Promise.all([
    compress(record, { params, pledgedSrcSize: record.byteLength }),
    compress(rest, { params, pledgedSrcSize: rest.byteLength, ...dictionaryOf(record) }),
  ]);
  return { record: packedRecord, result: Buffer.concat([head, packedRest]) };
}

/** The unpacked bytes, of this version's format or an earlier one. */
export async function unpackEvidence(packed: EvidenceBytes): Promise<{ record: Buffer; result: Buffer }> {
  const record = await decompress(packed.record);
  const bytes = bufferOf(packed.result);
  if (bytes[0] !== BY_RECORD) return { record, result: await decompress(bytes) };
  const at = bytes.readUInt32BE(1);
  const rest = await decompress(bytes.subarray(HEAD_BYTES), dictionaryOf(record));
  return {
    record,
    result: at === NOWHERE ? rest : Buffer.concat([rest.subarray(0, at), record, rest.subarray(at)]),
  };
}

/** The record alone. */
export function unpackRecord(packed: Uint8Array): Promise<Buffer> {
  return decompress(packed);
}

/** zstd does not accept an empty dictionary. */
function dictionaryOf(record: Uint8Array): { readonly dictionary?: Uint8Array } {
  return record.byteLength === 0 ? {} : { dictionary: record };
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Magic bytes of an object with evidence; a number with the length of the record follows, then the result. */
const OBJECT_MARK = Buffer.from('assay-evidence/1\n');

/** Packed record and result of a job as one object. */
export function boundEvidence({ record, result }: EvidenceBytes): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(record.byteLength);
  return Buffer.concat([OBJECT_MARK, length, record, result]);
}

/** The packed record and result of an object; null for other objects. */
export function unboundEvidence(object: Uint8Array): EvidenceBytes | null {
  const bytes = bufferOf(object);
  const start = OBJECT_MARK.length + 4;
  if (bytes.length < start || !bytes.subarray(0, OBJECT_MARK.length).equals(OBJECT_MARK)) return null;
  const end = start + bytes.readUInt32BE(OBJECT_MARK.length);
  return end > bytes.length ? null : { record: bytes.subarray(start, end), result: bytes.subarray(end) };
}

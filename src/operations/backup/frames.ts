import { createHash } from 'node:crypto';
import { Transform } from 'node:stream';
import Type from 'typebox';
import { Compile } from 'typebox/compile';

/**
 * The uncompressed format of a backup: frames of a kind (one byte), a length (four bytes, big endian) and a payload.
 * Tables and files of any size are streamed; their length need not be known beforehand.
 */
export interface Frame {
  readonly kind: FrameKind;
  readonly payload: Uint8Array;
}

/** Start of the backup, start of a table, start of a file, data of the part, end of the part, end of the backup. */
export type FrameKind = 'h' | 't' | 'f' | 'd' | 'e' | 'z';

const KINDS: ReadonlySet<string> = new Set(['h', 't', 'f', 'd', 'e', 'z']);
const HEAD_BYTES = 5;
/** Largest frame that is written; a larger one is damage and is refused at once. */
export const LARGEST_FRAME_BYTES = 4 * 1024 * 1024;

/** The bytes of a frame. The payload is at most `LARGEST_FRAME_BYTES`. */
export function encodeFrame({ kind, payload }: Frame): Uint8Array {
  const bytes = Buffer.allocUnsafe(HEAD_BYTES + payload.length);
  bytes.writeUInt8(kind.charCodeAt(0), 0);
  bytes.writeUInt32BE(payload.length, 1);
  bytes.set(payload, HEAD_BYTES);
  return bytes;
}

/** A frame whose payload is JSON. */
export function jsonFrame(kind: FrameKind, value: unknown): Frame {
  return { kind, payload: new TextEncoder().encode(JSON.stringify(value)) };
}

/** Thrown when the bytes are not valid frames: truncated or damaged. Callers convert it into their own failure. */
export class BrokenFrames extends Error {}

/** The frames of a stream of bytes, in whatever chunks. Throws `BrokenFrames` at the first invalid one. */
export async function* decodeFrames(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Frame> {
  let held: Uint8Array[] = [];
  let bytes = 0;
  let wanted = HEAD_BYTES;
  let kind: FrameKind | null = null;
  for await (const chunk of chunks) {
    held.push(chunk);
    bytes += chunk.length;
    while (bytes >= wanted) {
      const whole = held.length === 1 ? (held[0] as Uint8Array) : Buffer.concat(held, bytes);
      const taken = whole.subarray(0, wanted);
      held = [whole.subarray(wanted)];
      bytes -= wanted;
      if (kind === null) {
        ({ kind, length: wanted } = readHead(taken));
      } else {
        yield { kind, payload: taken };
        kind = null;
        wanted = HEAD_BYTES;
      }
    }
  }
  if (bytes > 0 || kind !== null) throw new BrokenFrames('the backup is cut off in the middle');
}

function readHead(bytes: Uint8Array): { readonly kind: FrameKind; readonly length: number } {
  const kind = String.fromCharCode(bytes[0] ?? 0);
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(1);
  if (!KINDS.has(kind) || length > LARGEST_FRAME_BYTES) throw new BrokenFrames('the backup is damaged');
  return { kind: kind as FrameKind, length };
}

/** A backup is untrusted: its names become SQL or paths only when they have this form. */
const Name = Type.String({ pattern: '^[a-z_][a-z0-9_]{0,62}$' });
const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

/** First frame of a backup: its origin. */
const Head = Type.Object({
  format: Type.Literal(1),
  /** Version of Assay that wrote it. */
  version: Type.String({ maxLength: 100 }),
  dataMode: Type.Union([Type.Literal('live'), Type.Literal('sandbox')]),
  /** RFC 3339 UTC: everything committed before this moment is included, nothing after. */
  createdAt: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}T[0-9:.]{8,16}Z$' }),
  /** Newest migration of the tables. */
  migration: Type.String({ pattern: '^\\d{4}-[a-z0-9-]{1,80}$' }),
  /** UTC days (YYYY-MM-DD) of the tables that are partitioned by day. */
  days: Type.Record(Name, Type.Array(Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' }), { maxItems: 100_000 })),
  /** Last values of the sequences, by `table.column`. */
  sequences: Type.Record(
    Type.String({ pattern: '^[a-z_][a-z0-9_]{0,62}\\.[a-z_][a-z0-9_]{0,62}$' }),
    Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  ),
});
/** Start of a table's rows: PostgreSQL's COPY text format follows. */
const Table = Type.Object({ name: Name, columns: Type.Array(Name, { minItems: 1, maxItems: 1_600 }) });
/** Path of a published file below the folder of the exports, with `/`; the writer leaves out files with other names. */
const EXPORT_PATH = '^[a-z0-9-]+/\\d{4}-\\d{2}-\\d{2}(\\.r\\d+)?/[A-Za-z0-9_-][A-Za-z0-9._-]{0,200}$';
/** Start of a published export file. `path`: below the folder of the exports of the data mode, with `/`. */
const File = Type.Object({ path: Type.String({ pattern: EXPORT_PATH }) });
/** End of a part. `rows`: of a table; null for a file. */
const End = Type.Object({
  bytes: Count,
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  rows: Type.Union([Count, Type.Null()]),
});
const Last = Type.Object({ tables: Count, files: Count });

export type BackupHead = Type.Static<typeof Head>;
export type PartEnd = Type.Static<typeof End>;

function reader<Schema extends Type.TSchema>(schema: Schema): (payload: Uint8Array) => Type.Static<Schema> | null {
  const validator = Compile(schema);
  return (payload) => {
    try {
      const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload));
      return validator.Check(value) ? value : null;
    } catch {
      return null;
    }
  };
}

/** Each null when the payload does not have the form of the frame's kind. */
export const readHeadFrame = reader(Head);
export const readTableFrame = reader(Table);
export const readFileFrame = reader(File);
export const readEndFrame = reader(End);
export const readLastFrame = reader(Last);

const files = Compile(File);
/** True for a path that `readFileFrame` accepts. */
export const isExportPath = (path: string): boolean => files.Check({ path });

/** Passes bytes on and hashes them: the backup file as it is on disk. */
export function createMeasure() {
  const hash = createHash('sha256');
  let size = 0;
  const stream = new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      hash.update(chunk);
      size += chunk.length;
      done(null, chunk);
    },
  });
  return { stream, result: () => ({ size, sha256: hash.digest('hex') }) };
}

/** Content of a backup, counted while it was written or read. */
export interface BackupSummary {
  readonly head: BackupHead;
  readonly tables: readonly { readonly name: string; readonly rows: number; readonly bytes: number }[];
  readonly files: number;
  readonly fileBytes: number;
  /** SHA-256 of the backup file. */
  readonly sha256: string;
  /** Bytes of the backup file. */
  readonly size: number;
}

/** Progress for display. */
export interface Progress {
  readonly step: 'read' | 'check' | 'write';
  /** Current table or file. */
  readonly part: string;
  /** Bytes of content so far, uncompressed. */
  readonly bytes: number;
}

export type OnProgress = (progress: Progress) => void;

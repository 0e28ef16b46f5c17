/**
 * The inside of a backup, before compression: frames of a kind (one byte), a length (four bytes, big endian) and a payload.
 * Tables and files of any size pass through as they are read; nobody has to know their length beforehand.
 */
export interface Frame {
  readonly kind: FrameKind;
  readonly payload: Uint8Array;
}

/** head of the backup, table begins, file begins, data of the part, part ends, end of the backup */
export type FrameKind = 'h' | 't' | 'f' | 'd' | 'e' | 'z';

const KINDS: ReadonlySet<string> = new Set(['h', 't', 'f', 'd', 'e', 'z']);
const HEAD_BYTES = 5;
/** No frame of ours is larger; a larger one is damage, and is not waited for. */
export const LARGEST_FRAME_BYTES = 4 * 1024 * 1024;

/** What a frame is on disk. The payload is at most `LARGEST_FRAME_BYTES`. */
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

/** Thrown when the bytes are no frames: cut off, or damaged. Callers turn it into their own failure. */
export class BrokenFrames extends Error {}

/** The frames in a stream of bytes, however the stream cuts them. Throws `BrokenFrames` on the first that cannot be one. */
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

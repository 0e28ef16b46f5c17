import { createHash } from 'node:crypto';
import { Duplex, type Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw, createZstdDecompress } from 'node:zlib';
import { Fault, toFault } from './fault.ts';

export interface DecodedBody {
  readonly body: Uint8Array;
  /** Hex, of the decoded bytes. */
  readonly sha256: string;
}

/** What we can decode, most wanted first. */
export const ACCEPT_ENCODING = 'gzip, br, zstd, deflate';

/**
 * Reads a body to its end, decoded. Stops at `maxBytes` DECODED bytes: a gzip bomb costs one zlib window, not its size.
 * Throws `Fault` (`too_large`, `truncated`, `timeout`, `wrong_content_type` for an encoding we did not ask for).
 */
export async function readDecoded(
  stream: Readable,
  headers: Readonly<Record<string, string>>,
  maxBytes: number,
  bodyMs: number,
): Promise<DecodedBody> {
  const chunks: Buffer[] = [];
  const hash = createHash('sha256');
  const timer = setTimeout(() => stream.destroy(new Fault('timeout', 'the body did not end in time')), bodyMs);
  try {
    await passDecoded(stream, headers, maxBytes, (chunk) => {
      hash.update(chunk);
      chunks.push(chunk);
    });
    return { body: Buffer.concat(chunks), sha256: hash.digest('hex') };
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Hands a body on piece by piece, decoded, and keeps nothing: for bodies of gigabytes. A piece is only good until `take`
 * returns. Throws as `readDecoded` does; `idleMs` is the longest silence between two pieces.
 */
export async function streamDecoded(
  stream: Readable,
  headers: Readonly<Record<string, string>>,
  maxBytes: number,
  idleMs: number,
  take: (chunk: Uint8Array) => void,
): Promise<number> {
  const timer = setTimeout(() => stream.destroy(new Fault('timeout', 'the body stopped coming')), idleMs);
  try {
    return await passDecoded(stream, headers, maxBytes, (chunk) => {
      timer.refresh();
      take(chunk);
    });
  } finally {
    clearTimeout(timer);
  }
}

async function passDecoded(
  stream: Readable,
  headers: Readonly<Record<string, string>>,
  maxBytes: number,
  take: (chunk: Buffer) => void,
): Promise<number> {
  let size = 0;
  try {
    const encodings = encodingsOf(headers);
    if (encodings.length === 0 && Number(headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
    const decoders = [...encodings].reverse().map(decoderOf);
    await pipeline([
      stream,
      ...decoders,
      async (decoded: AsyncIterable<Buffer>) => {
        for await (const chunk of decoded) {
          size += chunk.byteLength;
          if (size > maxBytes) throw tooLarge(maxBytes);
          take(chunk);
        }
      },
    ]);
    return size;
  } catch (error) {
    stream.destroy();
    throw toFault(error, 'body');
  }
}

function tooLarge(maxBytes: number): Fault {
  return new Fault('too_large', `the body is larger than ${maxBytes} bytes`);
}

function encodingsOf(headers: Readonly<Record<string, string>>): readonly string[] {
  const names = (headers['content-encoding'] ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
  // Each further layer multiplies what one byte can become; nobody honest uses more than one.
  if (names.length > 1) throw new Fault('wrong_content_type', 'the body was compressed more than once');
  return names;
}

function decoderOf(encoding: string): Duplex {
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'br':
      return createBrotliDecompress();
    case 'zstd':
      return createZstdDecompress();
    case 'deflate':
      return createAnyInflate();
    default:
      throw new Fault('wrong_content_type', 'the body was compressed in a way we did not ask for');
  }
}

/** `deflate` means the zlib format (RFC 9110, 8.4.1.2), but some servers send the raw one; the first byte tells. */
function createAnyInflate(): Duplex {
  let inner: Transform | null = null;
  const outer = new Duplex({
    read: () => void inner?.resume(),
    write(chunk: Buffer, _encoding, done) {
      inner ??= open(chunk[0] ?? 0);
      inner.write(chunk, () => done());
    },
    final(done) {
      if (inner === null) outer.push(null);
      else inner.end();
      done();
    },
    destroy(error, done) {
      inner?.destroy();
      done(error);
    },
  });
  const open = (first: number): Transform => {
    const made = (first & 0x0f) === 8 ? createInflate() : createInflateRaw();
    made.on('data', (chunk: Buffer) => {
      if (!outer.push(chunk)) made.pause();
    });
    made.on('end', () => outer.push(null));
    made.on('error', (error) => outer.destroy(error));
    return made;
  };
  return outer;
}

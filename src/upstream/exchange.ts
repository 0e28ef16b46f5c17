import { createHash } from 'node:crypto';
import { Duplex, Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw, createZstdDecompress } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { Fault, toFault } from './fault.ts';
import type { Method, TakeChunk } from './types.ts';

export interface Exchange {
  readonly url: URL;
  readonly method: Method;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | null;
  readonly connectMs: number;
  readonly headersMs: number;
  /** Aborted with a `Fault` as its reason. */
  readonly signal: AbortSignal;
}

export interface Head {
  readonly status: number;
  /** Lower-case names; repeated headers are joined with commas. */
  readonly headers: Readonly<Record<string, string>>;
  /** Raw bytes as received. Destroying the stream ends the connection. */
  readonly stream: Readable;
}

/**
 * Sends one request to one address and waits for the head of the reply. Redirects are returned as they are. The body
 * flows only as fast as it is read. Throws `Fault`.
 */
export function exchange(dispatcher: Dispatcher, wanted: Exchange): Promise<Head> {
  return new Promise((resolve, reject) => {
    let control: Dispatcher.DispatchController | null = null;
    let stream: Readable | null = null;
    let over: Fault | null = null;
    let sent = false;
    let timer = setTimeout(() => stop(new Fault('timeout', 'no connection in time')), wanted.connectMs);

    function stop(fault: Fault): void {
      if (over) return;
      over = fault;
      clearTimeout(timer);
      wanted.signal.removeEventListener('abort', onAbort);
      if (stream) stream.destroy(fault);
      else reject(new Fault(fault.reason, fault.message, sent));
      control?.abort(fault);
    }
    const onAbort = () => stop(toFault(wanted.signal.reason, 'headers'));

    if (wanted.signal.aborted) return onAbort();
    wanted.signal.addEventListener('abort', onAbort, { once: true });
    try {
      dispatcher.dispatch(
        {
          origin: wanted.url.origin,
          path: wanted.url.pathname + wanted.url.search,
          method: wanted.method,
          headers: { ...wanted.headers },
          body: wanted.body,
        },
        {
          onRequestStart(controller) {
            control = controller;
            if (over) return controller.abort(over);
            sent = true;
            clearTimeout(timer);
            timer = setTimeout(() => stop(new Fault('timeout', 'no headers in time')), wanted.headersMs);
          },
          onResponseStart(controller, status, headers) {
            if (status < 200) return;
            clearTimeout(timer);
            stream = new Readable({
              read: () => controller.resume(),
              destroy(error, done) {
                wanted.signal.removeEventListener('abort', onAbort);
                if (!controller.aborted && !this.readableEnded) controller.abort(error ?? new Error('not wanted'));
                done(error);
              },
            });
            // Readers of the stream receive errors there. An error before they attach must not end the process.
            stream.on('error', () => {});
            resolve({ status, headers: flatten(headers), stream });
          },
          onResponseData(controller, chunk) {
            if (stream?.push(chunk) === false) controller.pause();
          },
          onResponseEnd() {
            wanted.signal.removeEventListener('abort', onAbort);
            stream?.push(null);
          },
          onResponseError(_controller, error) {
            if (stream) stream.destroy(toFault(error, 'body'));
            stop(toFault(error, 'headers'));
          },
        },
      );
    } catch (error) {
      // The client is closed, or a header cannot be sent.
      stop(toFault(error, 'headers'));
    }
  });
}

function flatten(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) flat[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value;
  return flat;
}

export interface DecodedBody {
  readonly body: Uint8Array;
  /** SHA-256 of the decoded bytes, hex. */
  readonly sha256: string;
}

/** Supported encodings, most preferred first. */
export const ACCEPT_ENCODING = 'gzip, br, zstd, deflate';

/**
 * Reads a body to its end and decodes it. Stops after `maxBytes` DECODED bytes: a gzip bomb costs one zlib window, not
 * its size. Throws `Fault` (`too_large`, `truncated`, `timeout`, `wrong_content_type` for an encoding that was not
 * requested).
 */
export async function readDecoded(
  stream: Readable,
  headers: Readonly<Record<string, string>>,
  maxBytes: number,
  bodyMs: number,
): Promise<DecodedBody> {
  const chunks: Uint8Array[] = [];
  const hash = createHash('sha256');
  const timer = setTimeout(() => stream.destroy(new Fault('timeout', 'the body did not end in time')), bodyMs);
  try {
    await passDecoded(stream, headers, maxBytes, (chunk) => {
      hash.update(chunk);
      chunks.push(chunk);
      return undefined;
    });
    return { body: Buffer.concat(chunks), sha256: hash.digest('hex') };
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Passes on a decoded body in chunks and stores nothing: for bodies of gigabytes. A chunk is valid only until `take`
 * has ended. Throws like `readDecoded`; `idleMs` is the maximum pause between two chunks.
 */
export async function streamDecoded(
  stream: Readable,
  headers: Readonly<Record<string, string>>,
  maxBytes: number,
  idleMs: number,
  take: TakeChunk,
): Promise<number> {
  const timer = setTimeout(() => stream.destroy(new Fault('timeout', 'the body stopped coming')), idleMs);
  try {
    return await passDecoded(stream, headers, maxBytes, (chunk) => {
      timer.refresh();
      return take(chunk);
    });
  } finally {
    clearTimeout(timer);
  }
}

async function passDecoded(
  stream: Readable,
  headers: Readonly<Record<string, string>>,
  maxBytes: number,
  take: TakeChunk,
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
          const taken = take(chunk);
          if (taken !== undefined) await taken;
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
  // Each further layer multiplies the decoded size; legitimate servers use at most one.
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

/**
 * `deflate` means the zlib format (RFC 9110, 8.4.1.2), but some servers send raw deflate data; the first byte tells
 * them apart.
 */
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

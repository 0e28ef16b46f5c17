import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import type { Transform } from 'node:stream';
import { createGzip, createZstdCompress } from 'node:zlib';
import type { ExportEncoding } from '../contract/index.ts';

export interface Sink {
  /** Resolves when the bytes have been taken: their memory may be used again then. */
  write(bytes: Uint8Array): Promise<void>;
  /** Everything is on the disk (fsync) when this resolves. */
  end(): Promise<{ readonly bytes: number; readonly sha256: string }>;
  /** Closes the file whatever state it is in. */
  abandon(): Promise<void>;
}

/** A new file that is hashed while it is written, packed on the way when `encoding` says so. Throws when it exists or the disk is full. */
export async function fileSink(path: string, encoding: ExportEncoding): Promise<Sink> {
  const plain = await plainSink(path);
  if (encoding === 'identity') return plain;
  return packedSink(plain, encoding === 'gzip' ? createGzip({ level: 5 }) : createZstdCompress());
}

async function plainSink(path: string): Promise<Sink> {
  const file: FileHandle = await open(path, 'wx', 0o640);
  const hash = createHash('sha256');
  let bytes = 0;
  return {
    async write(chunk) {
      hash.update(chunk);
      bytes += chunk.byteLength;
      for (let offset = 0; offset < chunk.byteLength; ) {
        const { bytesWritten } = await file.write(chunk, offset);
        offset += bytesWritten;
      }
    },
    async end() {
      await file.sync();
      await file.close();
      return { bytes, sha256: hash.digest('hex') };
    },
    abandon: () => file.close().catch(() => undefined),
  };
}

function packedSink(target: Sink, packer: Transform): Sink {
  // Reads as fast as the disk takes it; a failure of the disk ends the packer, and with it the next write.
  const drained = (async () => {
    for await (const chunk of packer) await target.write(chunk as Buffer);
  })();
  drained.catch((error: Error) => packer.destroy(error));
  return {
    async write(chunk) {
      if (packer.destroyed) await drained;
      const taken = new Promise<void>((resolve, reject) =>
        packer.write(chunk, (error) => (error ? reject(error) : resolve())),
      );
      await Promise.race([taken, drained]);
    },
    async end() {
      packer.end();
      await drained;
      return target.end();
    },
    async abandon() {
      packer.destroy();
      await drained.catch(() => undefined);
      await target.abandon();
    },
  };
}

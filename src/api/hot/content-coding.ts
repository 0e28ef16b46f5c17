import { promisify } from 'node:util';
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib';

export type Coding = 'identity' | 'zstd' | 'br' | 'gzip';

/** Codings in our order of preference. */
const PREFERRED: readonly Exclude<Coding, 'identity'>[] = ['zstd', 'br', 'gzip'];

/** Bodies up to this many bytes are not compressed (contract.md). */
export const LEAST_BYTES = 1_024;

/** Chooses the coding of the reply: the one with the highest quality in `Accept-Encoding`; ties by our preference. */
export function chooseCoding(acceptEncoding: string | undefined): Coding {
  if (acceptEncoding === undefined || acceptEncoding === '' || acceptEncoding === 'identity') return 'identity';
  const qualities = acceptedCodings(acceptEncoding);
  let best: Coding = 'identity';
  let most = 0;
  for (const coding of PREFERRED) {
    const quality = qualities.get(coding) ?? qualities.get('*') ?? 0;
    if (quality > most) {
      best = coding;
      most = quality;
    }
  }
  return (qualities.get('identity') ?? 0) > most ? 'identity' : best;
}

/** Codings and their qualities from the header; `x-gzip` counts as gzip. */
export function acceptedCodings(header: string): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const part of header.slice(0, 500).split(',')) {
    const [name = '', ...parameters] = part
      .trim()
      .toLowerCase()
      .split(/\s*;\s*/);
    const given = parameters.find((parameter) => parameter.startsWith('q='));
    const quality = given === undefined ? 1 : Number(given.slice(2));
    if (name !== '') found.set(name === 'x-gzip' ? 'gzip' : name, Number.isFinite(quality) ? quality : 0);
  }
  return found;
}

const packers = {
  zstd: promisify(zstdCompress),
  br: promisify(brotliCompress),
  gzip: promisify(gzip),
};

/** Compresses bytes at a speed suitable for a reply that a caller waits for. */
export async function pack(bytes: Buffer, coding: Exclude<Coding, 'identity'>): Promise<Buffer> {
  if (coding === 'zstd') return packers.zstd(bytes);
  if (coding === 'br') return packers.br(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } });
  return packers.gzip(bytes, { level: 5 });
}

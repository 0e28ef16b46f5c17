import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import file from './methodology.json' with { type: 'json' };
import { complaints } from './schema.ts';
import type { Methodology } from './types.ts';

let loaded: Methodology | null = null;

/** The methodology in force, checked and with its hash. Throws when the file does not hold together: a bug, not an input. */
export function loadMethodology(): Methodology {
  if (loaded) return loaded;
  const found = complaints(file);
  if (found.length > 0) throw new Error(`methodology.json: ${found.slice(0, 5).join('; ')}`);
  loaded = {
    ...(file as unknown as Omit<Methodology, 'hash'>),
    hash: createHash('sha256').update(methodologyJson()).digest('hex'),
  };
  return loaded;
}

/** The file's canonical JSON (RFC 8785): what is hashed and served. */
export function methodologyJson(): string {
  return canonicalize(file) ?? '';
}

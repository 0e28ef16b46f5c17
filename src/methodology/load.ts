import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import canonicalize from 'canonicalize';
import { loadCalibration } from './calibration.ts';
import { checked } from './complaints.ts';
import type { Methodology } from './schema.ts';

/** Folder of the methodology in force and of the versions before it. */
const FOLDER = new URL('../../methodology/', import.meta.url);

/** A version of the methodology with its hash. */
export interface MethodologyFile {
  /** Canonical JSON (RFC 8785). */
  readonly json: string;
  /** SHA-256 of `json`, hex: ratings name their methodology by it. */
  readonly hash: string;
  /** In the order of the file, so that floating-point sums over it are equal to the last bit. */
  readonly content: unknown;
}

/** Reads `methodology/NAME`. Throws when it is missing: every version that a rating names is shipped. */
export function methodologyFile(name: string): MethodologyFile {
  const content: unknown = JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8'));
  const json = canonicalize(content) ?? '';
  return { json, hash: createHash('sha256').update(json).digest('hex'), content };
}

let file: MethodologyFile | null = null;
let loaded: Methodology | null = null;

/** The methodology in force, in the form that is hashed and served. */
export function inForce(): MethodologyFile {
  file ??= methodologyFile('methodology.json');
  return file;
}

/**
 * The methodology in force, checked and with its hash. Throws when the file is inconsistent, which is a bug and not an
 * input error.
 */
export function loadMethodology(): Methodology {
  if (loaded) return loaded;
  const { content, hash } = inForce();
  const found = checked(content);
  if (!found.ok) throw new Error(`methodology.json: ${found.complaints.slice(0, 5).join('; ')}`);
  loaded = { ...found.value, hash, calibration: loadCalibration() };
  return loaded;
}

/** The canonical JSON of the methodology in force. */
export function methodologyJson(): string {
  return inForce().json;
}

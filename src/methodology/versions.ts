import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import first from './kept/0.1.0.json' with { type: 'json' };
import second from './kept/0.2.0.json' with { type: 'json' };
import third from './kept/0.3.0.json' with { type: 'json' };
import fourth from './kept/0.4.0.json' with { type: 'json' };
import fifth from './kept/0.4.1.json' with { type: 'json' };
import { methodologyJson } from './load.ts';

/** A version of the methodology that ratings were made with. */
export interface MethodologyVersion {
  readonly version: string;
  readonly date: string;
  readonly inForce: boolean;
  /** SHA-256 of `json`, hex: what ratings name as their methodology's. */
  readonly hash: string;
  /** Canonical JSON (RFC 8785). */
  readonly json: string;
}

/** One line of the log of changes. */
export interface MethodologyChange {
  readonly version: string;
  readonly date: string;
  readonly kind: 'MAJOR' | 'MINOR' | 'PATCH';
  readonly reason: string;
  readonly effect: string;
}

/** Files of the versions before the one in force, newest first: a version that is replaced moves here, as it was. */
const KEPT: readonly object[] = [fifth, fourth, third, second, first];

/** Every version there ever was, the one in force first. */
export function methodologyVersions(): readonly MethodologyVersion[] {
  return [methodologyJson(), ...KEPT.map((file) => canonicalize(file) ?? '')].map((json, index) => {
    const { version, date } = JSON.parse(json) as { readonly version: string; readonly date: string };
    return { version, date, inForce: index === 0, hash: createHash('sha256').update(json).digest('hex'), json };
  });
}

/** The log of changes, newest first. */
export function methodologyChanges(): readonly MethodologyChange[] {
  return (JSON.parse(methodologyJson()) as { readonly changes: readonly MethodologyChange[] }).changes;
}

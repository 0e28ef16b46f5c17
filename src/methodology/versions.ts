import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import first from './kept/0.1.0.json' with { type: 'json' };
import second from './kept/0.2.0.json' with { type: 'json' };
import third from './kept/0.3.0.json' with { type: 'json' };
import fourth from './kept/0.4.0.json' with { type: 'json' };
import fifth from './kept/0.4.1.json' with { type: 'json' };
import sixth from './kept/0.5.0.json' with { type: 'json' };
import seventh from './kept/0.5.1.json' with { type: 'json' };
import { loadMethodology, methodologyJson } from './load.ts';
import type { Methodology } from './types.ts';

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
const KEPT: readonly object[] = [seventh, sixth, fifth, fourth, third, second, first];

/** Every version there ever was, the one in force first. */
export function methodologyVersions(): readonly MethodologyVersion[] {
  return [methodologyJson(), ...KEPT.map((file) => canonicalize(file) ?? '')].map((json, index) => {
    const { version, date } = JSON.parse(json) as { readonly version: string; readonly date: string };
    return { version, date, inForce: index === 0, hash: createHash('sha256').update(json).digest('hex'), json };
  });
}

/** What 0.5.0 did with the supply under locks, which its file does not say. */
const HOLDERS_OF_0_5_0: Methodology['holders'] = {
  outsideSupply: ['burn'],
  notHolders: ['pool', 'exchange', 'staking', 'lending', 'bridge', 'locker', 'vesting'],
  namesPools: false,
};

/** Earlier versions that this code computes, with what their files do not say. Evidence of 0.5.1 and before holds no pool states. */
const COMPUTABLE: Readonly<Record<string, Partial<Methodology>>> = {
  '0.5.1': {},
  '0.5.0': { holders: HOLDERS_OF_0_5_0 },
};

/**
 * The methodology of that hash where this code still computes it: the one in force, and those that differ from it in data
 * alone. Null for any other.
 */
export function computableMethodology(hash: string): Methodology | null {
  const inForce = loadMethodology();
  if (hash === inForce.hash) return inForce;
  const kept = methodologyVersions().find((row) => row.hash === hash);
  const added = kept === undefined ? undefined : COMPUTABLE[kept.version];
  return kept && added ? { ...(JSON.parse(kept.json) as Methodology), ...added, hash } : null;
}

/** The log of changes, newest first. */
export function methodologyChanges(): readonly MethodologyChange[] {
  return (JSON.parse(methodologyJson()) as { readonly changes: readonly MethodologyChange[] }).changes;
}

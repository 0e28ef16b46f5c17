import { createHash } from 'node:crypto';
import { BANDS, type Band } from '../domain/index.ts';

/**
 * The claim that a signed record makes about a published rating. Contracts compare these numbers, so each has a fixed
 * width.
 */
export interface RatingClaim {
  /** `assetHash` of the CAIP-19 id, 32 bytes. */
  readonly asset: Uint8Array;
  /** Index of the band, best first: AAA is 0 and D is 9. */
  readonly band: number;
  /** Tenths of a point, 0 to 1000. */
  readonly score: number;
  /** Tenths of a point, 0 to 1000. */
  readonly trust: number;
  /** Milliseconds since the epoch. */
  readonly asOf: number;
  /** Seconds since the epoch; the record is refused from this time on. */
  readonly expiresAt: number;
  /** SHA-256 of the published record, as in its leaf of the log. */
  readonly record: Uint8Array;
}

/** A published rating, as far as a claim uses it. */
export interface PublishedFacts {
  readonly assetId: string;
  /** RFC 3339 UTC. */
  readonly asOf: string;
  /** UTF-8 of the published record. */
  readonly record: Uint8Array;
}

export const sha256 = (bytes: Uint8Array | string): Buffer => createHash('sha256').update(bytes).digest();

/** `sandbox`: fictional ratings. */
export type Mode = 'live' | 'sandbox';

/**
 * Names an asset in 32 bytes, for contracts without space for its id: SHA-256 of the CAIP-19 id. In a sandbox, of
 * `sandbox:` and the id, so that no record of a sandbox matches a real asset, whichever keys are trusted.
 */
export const assetHash = (assetId: string, mode: Mode): Buffer =>
  sha256(mode === 'sandbox' ? `sandbox:${assetId}` : assetId);

/** The claim about a rating that is valid for this number of hours; null without a band or a score. */
export function claimOf({ assetId, asOf, record }: PublishedFacts, validHours: number, mode: Mode): RatingClaim | null {
  const {
    band,
    score,
    trust_score: trust,
  } = JSON.parse(Buffer.from(record).toString('utf8')) as {
    readonly band?: unknown;
    readonly score?: unknown;
    readonly trust_score?: unknown;
  };
  const place = BANDS.indexOf(band as Band);
  if (place < 0 || band === 'NR' || !isPoints(score) || !isPoints(trust)) return null;
  const at = Date.parse(asOf);
  return {
    asset: assetHash(assetId, mode),
    band: place,
    score: Math.round(score * 10),
    trust: Math.round(trust * 10),
    asOf: at,
    expiresAt: Math.floor(at / 1000) + validHours * 3_600,
    record: sha256(record),
  };
}

function isPoints(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 100;
}

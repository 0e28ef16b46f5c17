import { randomUUID } from 'node:crypto';
import Negotiator from 'negotiator';

/** The preferences of a `Prefer` header (RFC 7240) for a scoring request. */
export interface Preferences {
  readonly respondAsync: boolean;
  /** Seconds; null when the header does not state them. */
  readonly waitSeconds: number | null;
}

/** Reads one or more `Prefer` headers; unknown preferences are ignored, as the RFC requires. */
export function readPreferences(header: string | readonly string[] | undefined): Preferences {
  const parts = [header ?? []]
    .flat()
    .join(',')
    .toLowerCase()
    .split(/[,;]/)
    .map((part) => part.trim());
  const wait = parts.map((part) => /^wait\s*=\s*"?(\d{1,6})"?$/.exec(part)).find((match) => match !== null);
  return { respondAsync: parts.includes('respond-async'), waitSeconds: wait ? Number(wait[1]) : null };
}

/** Longer headers are truncated before they are parsed. */
const MOST_CHARACTERS = 1_000;

/**
 * Media types in `Accept`, in lower case, most preferred first, without those of quality 0. Ranges such as `text/*` are
 * kept.
 */
export function acceptedTypes(accept: string | undefined): readonly string[] {
  if (accept === undefined) return [];
  return new Negotiator({ headers: { accept: accept.slice(0, MOST_CHARACTERS).toLowerCase() } }).mediaTypes();
}

/** Uses the caller's request id if it is harmless. */
export function cleanRequestId(given: string | string[] | undefined): string {
  return typeof given === 'string' && /^[A-Za-z0-9._:-]{1,128}$/.test(given) ? given : randomUUID();
}

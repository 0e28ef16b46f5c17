import Negotiator from 'negotiator';

/** Longer headers are cut before they are read. */
const MOST_CHARACTERS = 1_000;

/** Media types that `Accept` names, in lower case, the preferred first; without those of quality 0. Ranges such as `text/*` stay as they are. */
export function acceptedTypes(accept: string | undefined): readonly string[] {
  if (accept === undefined) return [];
  return new Negotiator({ headers: { accept: accept.slice(0, MOST_CHARACTERS).toLowerCase() } }).mediaTypes();
}

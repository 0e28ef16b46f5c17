/**
 * Tag of a snapshot reply: `"<hash of the snapshot>.<age at the time of writing>[.<coding>]"`. Two replies with the
 * same tag have the same bytes, including the age, so the tag is strong. Replies of any age count as current while
 * their snapshot is the one to serve, so a reader gets 304 until there is a new one
 * (docs/decisions/0007-entity-tags-of-snapshots.md).
 */
export function entityTag(hash: string, ageSeconds: number, coding: string): string {
  return coding === 'identity' ? `"${hash}.${ageSeconds}"` : `"${hash}.${ageSeconds}.${coding}"`;
}

/** The tag in `If-None-Match` that names this snapshot at any age; null when none does. `*` matches any snapshot. */
export function namedTag(ifNoneMatch: string | undefined, hash: string): string | null {
  if (ifNoneMatch === undefined) return null;
  const at = ifNoneMatch.indexOf(`"${hash}.`);
  if (at >= 0) {
    const end = ifNoneMatch.indexOf('"', at + 1);
    if (end > 0 && /^"[A-Za-z0-9_-]+\.\d{1,12}(\.[a-z]{2,8})?"$/.test(ifNoneMatch.slice(at, end + 1)))
      return ifNoneMatch.slice(at, end + 1);
  }
  return ifNoneMatch.trim() === '*' ? '*' : null;
}

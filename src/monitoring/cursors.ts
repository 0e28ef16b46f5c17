type Part = string | number | null;

const LONGEST = 1_000;

/** A cursor: opaque text that callers return unchanged. */
export function writeCursor(parts: readonly Part[]): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/** The place after which a page of ratings or rating actions begins; null: not a cursor of such a list. */
export function ratingPlace(cursor: string | null): { readonly asOf: string; readonly id: number } | null {
  const [asOf, id, ...more] = readCursor(cursor);
  return isTime(asOf) && Number.isSafeInteger(id) && more.length === 0 ? { asOf, id: id as number } : null;
}

/** The place in the list of rated assets by `sort`; null: not a cursor of that list in that order. */
export function listPlace(
  cursor: string | null,
  sort: string,
): { readonly value: number | string | null; readonly assetId: string } | null {
  const [of, value = null, assetId] = readCursor(cursor);
  if (of !== sort || typeof assetId !== 'string') return null;
  const column = sort.replace('-', '');
  const fits =
    value === null ||
    (column === 'score' || column === 'trust'
      ? typeof value === 'number' && Number.isFinite(value)
      : typeof value === 'string' && (column === 'symbol' || isTime(value)));
  return fits ? { value, assetId } : null;
}

/** The place in a list of what people sent, by time and id; null: not a cursor of such a list. */
export function sentPlace(cursor: string | null): { readonly at: string; readonly id: string } | null {
  const [at, id, ...more] = readCursor(cursor);
  return isTime(at) && typeof id === 'string' && more.length === 0 ? { at, id } : null;
}

/** The parts of a cursor; empty without one, and for malformed text. Each part is untrusted. */
function readCursor(cursor: string | null): readonly Part[] {
  if (cursor === null || cursor.length > LONGEST || !/^[A-Za-z0-9_-]+$/.test(cursor)) return [];
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (!Array.isArray(parts)) return [];
    const fits = parts.every(
      (part) => part === null || typeof part === 'number' || (typeof part === 'string' && !part.includes('\0')),
    );
    return fits ? (parts as Part[]) : [];
  } catch {
    return [];
  }
}

/** PostgreSQL has no year 0, and no 30 February, which Date takes for a day in March. */
function isTime(text: unknown): text is string {
  if (typeof text !== 'string' || !/^\d{4}-\d\d-\d\dT[\d:.]{8,12}Z$/.test(text) || text.startsWith('0000'))
    return false;
  const at = Date.parse(text);
  return Number.isFinite(at) && new Date(at).toISOString().startsWith(text.slice(0, 19));
}

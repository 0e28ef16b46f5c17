type Part = string | number | null;

const LONGEST = 1_000;

/** A page's place as text that callers hand back as it is. */
export function writeCursor(parts: readonly Part[]): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/** The parts of a cursor; null for none, and for text that is no cursor. Each part is still a stranger's. */
export function readCursor(cursor: string | null): readonly Part[] | null {
  if (cursor === null || cursor.length > LONGEST || !/^[A-Za-z0-9_-]+$/.test(cursor)) return null;
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (!Array.isArray(parts)) return null;
    const fits = parts.every(
      (part) => part === null || typeof part === 'number' || (typeof part === 'string' && !part.includes('\0')),
    );
    return fits ? (parts as Part[]) : null;
  } catch {
    return null;
  }
}

/** What a `Prefer` header (RFC 7240) asks of a scoring request. */
export interface Preferences {
  readonly respondAsync: boolean;
  /** Seconds, or null when the caller did not say. */
  readonly waitSeconds: number | null;
}

/** Reads one or more `Prefer` headers; what is not understood is ignored, as the RFC asks. */
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

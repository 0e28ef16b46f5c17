/**
 * Readers of search parameters. An invalid value is left out, so that an old link still opens its page. They read the
 * address, and the values that a page sets in it: the router checks both with them.
 */
type Raw = Record<string, unknown>;

export function text(raw: Raw, name: string): string | undefined {
  const value = raw[name];
  return typeof value === 'string' && value !== '' ? value.slice(0, 500) : undefined;
}

export function oneOf<const Word extends string>(raw: Raw, name: string, words: readonly Word[]): Word | undefined {
  return words.find((word) => word === raw[name]);
}

export function number(raw: Raw, name: string): number | undefined {
  const given = raw[name];
  const value = typeof given === 'number' ? given : text(raw, name);
  return value !== undefined && Number.isFinite(Number(value)) ? Number(value) : undefined;
}

/** Comma-separated values. */
export function list(raw: Raw, name: string): readonly string[] | undefined {
  const given = raw[name];
  const written = Array.isArray(given) ? { [name]: given.join(',') } : raw;
  const values = text(written, name)?.split(',').filter(Boolean);
  return values?.length ? values : undefined;
}

/** `?band=A,AA&q=uni`: plain text, not JSON, so that people can read and write the address. */
export function parseSearch(query: string): Raw {
  return Object.fromEntries(new URLSearchParams(query));
}

export function writeSearch(search: Raw): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    const written = Array.isArray(value) ? value.join(',') : value;
    if (written !== undefined && written !== null && written !== '') query.set(name, String(written));
  }
  return query.size > 0 ? `?${query.toString().replaceAll('%2C', ',')}` : '';
}

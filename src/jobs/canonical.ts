import canonicalize from 'canonicalize';

/**
 * Canonical JSON (RFC 8785), the same text as the canonicalize package gives, in about half its time on a report. What is
 * not plain data (a toJSON, a number that is not finite, a lone surrogate) is left to the package, which writes or throws.
 * Nothing may contain itself.
 */
export function canonicalText(value: unknown): string {
  return write(value, new Map());
}

function write(value: unknown, names: Map<string, string>): string {
  if (value === null) return 'null';
  switch (typeof value) {
    case 'string':
      return value.isWellFormed() ? JSON.stringify(value) : byPackage(value);
    case 'number':
      return Number.isFinite(value) ? `${value}` : byPackage(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      if ('toJSON' in value) return byPackage(value);
      return Array.isArray(value) ? writeList(value, names) : writeRecord(value as Record<string, unknown>, names);
    default:
      return byPackage(value);
  }
}

function writeList(list: readonly unknown[], names: Map<string, string>): string {
  let text = '[';
  for (let i = 0; i < list.length; i += 1) {
    if (i > 0) text += ',';
    text += list[i] === undefined ? 'null' : write(list[i], names);
  }
  return `${text}]`;
}

function writeRecord(record: Record<string, unknown>, names: Map<string, string>): string {
  let text = '{';
  for (const key of sortedKeys(record)) {
    const value = record[key];
    if (value === undefined) continue;
    if (text !== '{') text += ',';
    text += nameOf(key, names);
    text += write(value, names);
  }
  return `${text}}`;
}

/** What was read from canonical text is in order already, so it is looked at before it is sorted. */
function sortedKeys(record: Record<string, unknown>): readonly string[] {
  const keys = Object.keys(record);
  for (let i = 1; i < keys.length; i += 1) if ((keys[i] as string) < (keys[i - 1] as string)) return keys.sort();
  return keys;
}

/** A report has a few hundred names, each many times. They are kept for one text only: sources choose some of them. */
function nameOf(key: string, names: Map<string, string>): string {
  const known = names.get(key);
  if (known !== undefined) return known;
  const name = `${write(key, names)}:`;
  names.set(key, name);
  return name;
}

function byPackage(value: unknown): string {
  return canonicalize(value) ?? '';
}

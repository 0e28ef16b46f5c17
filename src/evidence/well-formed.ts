import type { Json } from '../domain/index.ts';

/**
 * The same value in text that is Unicode: half of a surrogate pair, which JSON can carry ("\ud800") and a cut can leave, becomes
 * U+FFFD. Canonical JSON (RFC 8785) has no form for it, so that evidence with it in could be neither hashed nor signed.
 */
export function wellFormed<Value extends Json>(value: Value): Value {
  return isWellFormed(value) ? value : (mended(value) as Value);
}

function isWellFormed(value: Json): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(isWellFormed);
  return Object.entries(value).every(([key, row]) => key.isWellFormed() && (row === undefined || isWellFormed(row)));
}

function mended(value: Json): Json {
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(mended);
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, row]) => (row === undefined ? [] : [[key.toWellFormed(), mended(row)]])),
  );
}

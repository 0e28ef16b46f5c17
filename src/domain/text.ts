import { distance } from 'fastest-levenshtein';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes untrusted text for HTML: no markup, no control characters, no change of direction. */
export function escapeHtml(text: string): string {
  return plainText(text).replaceAll(/[&<>"']/g, (letter) => ENTITIES[letter] ?? '');
}

/**
 * Escapes untrusted text for a Markdown paragraph, heading or table cell: a renderer (CommonMark, or GitHub's with its
 * tables, automatic links, mentions and formulas) shows exactly this text.
 */
export function escapeMarkdown(text: string): string {
  return plainText(text)
    .trimStart()
    .replaceAll(/[\\`*_[\]{}|~#!$@]/g, (letter) => `\\${letter}`)
    .replaceAll(/[&<>]/g, (letter) => ENTITIES[letter] ?? '')
    .replaceAll('://', ':\\//')
    .replaceAll(/(?<=www)\./gi, '\\.')
    .replace(/^([-+=]|\d+[.)])(?=\s)|^([-=])(?=\2)/, (mark) => `${mark.slice(0, -1)}\\${mark.slice(-1)}`);
}

/** Replaces line ends, control characters and marks that change the direction of text by spaces. */
export function plainText(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ');
}

/**
 * The known name with the smallest edit distance (Levenshtein) to a mistyped one; null when none is close or shares a
 * letter.
 */
export function nearestName(given: string, known: readonly string[]): string | null {
  let best: string | null = null;
  let least = Math.min(Math.max(3, Math.floor(given.length / 3)) + 1, given.length);
  for (const name of known) {
    const edits = distance(given, name);
    if (edits < Math.min(least, name.length)) {
      least = edits;
      best = name;
    }
  }
  return best;
}

const LARGEST_PLAIN = 1e15;

/** Rounds and formats like `toLocaleString('en-US')`, whose first call takes longer than a rating. */
export function whole(value: number): string {
  const rounded = Math.round(value);
  if (!(Math.abs(rounded) < LARGEST_PLAIN) || Object.is(rounded, -0)) return rounded.toLocaleString('en-US');
  let text = String(rounded);
  for (let at = text.length - 3; at > (rounded < 0 ? 1 : 0); at -= 3) text = `${text.slice(0, at)},${text.slice(at)}`;
  return text;
}

/** Spreadsheets ignore blanks before a formula, and some accept full-width signs (OWASP, CSV injection). */
const FORMULA = /^(?:\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n])/;

/** Escapes untrusted text for spreadsheets: text that they would run as a formula gets a leading apostrophe. */
export function inertText(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** A cell of CSV (RFC 4180). */
export function csvCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

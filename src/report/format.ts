import type { Feature } from '../domain/index.ts';

const SCALES = [
  [1e12, 'T'],
  [1e9, 'B'],
  [1e6, 'M'],
  [1e3, 'k'],
] as const;

/** A number for readers: `1.24 B`, `12.3`, `0.00042`; with a typographic minus sign. */
export function short(value: number): string {
  const size = Math.abs(value);
  // What is rounded up to the next unit is stated in it: 999,999 is 1.00 M.
  const rounded = Number(size.toPrecision(3));
  const scale = SCALES.find(([from]) => rounded >= from && (from > 1e3 || size >= 1e4));
  const text =
    scale !== undefined
      ? `${rounded >= 1e3 * scale[0] ? Math.round(rounded / scale[0]).toLocaleString('en-US') : (rounded / scale[0]).toPrecision(3)} ${scale[1]}`
      : Number.isInteger(size) && size < 1e4
        ? String(size)
        : // Without an exponent, in which JavaScript writes numbers below a millionth.
          rounded.toLocaleString('en-US', { maximumSignificantDigits: 3, useGrouping: false });
  return value < 0 ? `−${text}` : text;
}

export function percent(fraction: number): string {
  const value = fraction * 100;
  const digits = Math.abs(value) >= 10 || value === 0 ? 1 : 2;
  return `${Number(value.toFixed(digits))} %`;
}

/** Points with their sign. */
export function signed(points: number): string {
  return `${points < 0 ? '−' : '+'}${Math.abs(points).toFixed(1)}`;
}

/** `2026-11-24 16:04 UTC`. */
export function moment(at: string): string {
  return `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`;
}

export const day = (at: string) => at.slice(0, 10);

/** Shortens a text to at most this number of characters, at a word boundary. */
export function cut(text: string, most: number): string {
  const letters = [...text];
  if (letters.length <= most) return text;
  const head = letters.slice(0, most - 1).join('');
  const space = head.lastIndexOf(' ');
  return `${space > most / 2 ? head.slice(0, space) : head}…`;
}

/** A hash, an address or an id shortened in the middle. */
export function abbreviated(text: string, ends = 6): string {
  return text.length <= 2 * ends + 3 ? text : `${text.slice(0, ends)}…${text.slice(-ends)}`;
}

/** A raw value of a feature with its unit. Null where it is not known. */
export function rawText({ raw, unit }: Pick<Feature, 'raw' | 'unit'>): string | null {
  if (raw === null) return null;
  if (typeof raw === 'string') return raw.replaceAll('_', ' ');
  if (unit === 'fraction_per_day') return `${percent(raw)} a day`;
  if (unit === 'fraction_per_year') return `${percent(raw)} a year`;
  if (unit.startsWith('fraction')) return percent(raw);
  if (unit === 'usd') return `${short(raw)} USD`;
  if (unit === 'days') return raw === 1 ? '1 day' : `${short(Math.round(raw))} days`;
  if (unit === 'count' || unit === 'ratio') return short(raw);
  return `${short(raw)} ${unit.replaceAll('_', ' ')}`;
}

export function sentence(text: string): string {
  const trimmed = text.trim();
  if (trimmed === '') return '';
  const first = `${trimmed.charAt(0).toUpperCase()}${trimmed.slice(1)}`;
  return /[.!?…]$/.test(first) ? first : `${first}.`;
}

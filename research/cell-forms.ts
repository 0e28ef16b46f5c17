import { QUANTITIES, type QuantityId } from '../src/domain/index.ts';

/** Number format of a file; a plain JavaScript number by default. */
export interface NumberForm {
  /** Decimal separator. */
  readonly decimal?: '.' | ',' | undefined;
  /** Thousands separator, ignored. */
  readonly thousands?: string | undefined;
  /** Ignored texts around the number, such as signs of units. */
  readonly strip?: readonly string[] | undefined;
}

/** A cell's number in the file's format; NaN when it is not a number. */
export function plainNumber(cell: string, { decimal = '.', thousands = '', strip = [] }: NumberForm): number {
  let text = cell;
  for (const sign of strip) text = text.replaceAll(sign, '');
  if (thousands !== '') text = text.replaceAll(thousands, '');
  if (decimal === ',') text = text.replace(',', '.');
  text = text.trim();
  return text === '' ? Number.NaN : Number(text);
}

const NOT_KNOWN = /^(-+|—|n\/?a|nan|null|none|nil|unknown|undefined|\?)$/i;

/** Suggestion for the mapping so that such a cell is read as a number; empty when there is none. */
export function numberHint(cell: string): string {
  if (NOT_KNOWN.test(cell)) return `; if it means "not known", add "missing": [${JSON.stringify(cell)}] to the mapping`;
  if (/^[-+]?[\d.,\s]+%$/.test(cell))
    return '; add "number": { "strip": ["%"] } to the mapping, and "scale": 0.01 to the rule where a fraction is wanted';
  const currency = /^[-+]?([$€£¥])\s?\d|\d\s?([$€£¥]|USD|usd)$/.exec(cell);
  if (currency !== null)
    return `; add "number": { "strip": [${JSON.stringify(currency[1] ?? currency[2])}] } to the mapping`;
  if (/^[-+]?\d{1,3}(,\d{3})+(\.\d+)?$/.test(cell))
    return '; if the comma parts thousands, add "number": { "thousands": "," } to the mapping, if it is a decimal comma, "number": { "decimal": "," }';
  if (/^[-+]?\d{1,3}(\.\d{3})+,\d+$/.test(cell))
    return '; add "number": { "decimal": ",", "thousands": "." } to the mapping';
  if (/^[-+]?\d*,\d+$/.test(cell)) return '; a decimal comma? Add "number": { "decimal": "," } to the mapping';
  return '';
}

export const DATES_READ = 'expected 2025-03-01, 2025-03-01T08:30:00Z, or seconds or milliseconds since 1970';
export const BOOLEANS_READ = 'expected yes or no, y or n, true or false, 1 or 0';

/** Possible states of a quantity, as listed in its meaning; none for quantities without states. */
export function statesOf(id: QuantityId): readonly string[] {
  const { kind, meaning } = QUANTITIES[id];
  if (kind !== 'enum') return [];
  const lists = meaning.split(': ').map((part) => part.split(/, | or /));
  return lists.find((words) => words.length > 1 && words.every((word) => /^[A-Za-z0-9_]+$/.test(word))) ?? [];
}

const SEPARATORS = [',', ';', '\t', '|'] as const;

/** The separator of a file: the most frequent one outside quotes in its first line; a comma if there is none. */
export function separatorOf(firstLine: string): string {
  const bare = firstLine.replaceAll(/"[^"]*"/g, '');
  const counts = SEPARATORS.map((mark) => bare.split(mark).length);
  return SEPARATORS[counts.indexOf(Math.max(...counts))] ?? ',';
}

/** Addresses of EVM chains are compared without case. */
export function isEvmAddress(id: string): boolean {
  return /^0x[0-9a-f]{40}$/i.test(id);
}

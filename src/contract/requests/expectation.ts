import { NO_NUL, SOME_TEXT } from './fields.ts';

/** Characters of a value that an error message repeats. */
const MOST_SHOWN = 60;

/** The members of JSON Schema that request schemas use. */
export interface Described {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly Described[];
  readonly properties?: Readonly<Record<string, Described>>;
  readonly additionalProperties?: unknown;
  readonly required?: readonly string[];
  readonly items?: Described;
  readonly description?: string;
  readonly default?: unknown;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly minProperties?: number;
  readonly exclusiveMinimum?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  /** Checks that JSON Schema cannot express (TypeBox). */
  readonly '~refine'?: readonly { readonly error: (value: unknown) => string }[];
}

/** What a schema expects, as it follows the word `expected`. */
export function expectation(described: Described): string {
  const { type, anyOf, items, minProperties, uniqueItems } = described;
  const values = described.enum ?? anyOf?.map((member) => member.const);
  if (values?.every((value) => typeof value === 'string')) return `one of ${values.join(', ')}`;
  if (anyOf) return anyOf.map((member) => (member.type === 'null' ? 'null' : expectation(member))).join(', or ');
  if (type === 'string') return textExpectation(described);
  if (type === 'boolean') return 'true or false';
  if (type === 'array')
    return `a list${sizeOf(described)}${items ? `, each ${expectation(items)}` : ''}${uniqueItems ? ', none twice' : ''}`;
  if (type === 'object') return `a JSON object${minProperties ? ' with at least one field' : ''}`;
  return `${type === 'integer' ? 'a whole number' : 'a number'}${rangeOf(described)}`;
}

function textExpectation({ pattern, minLength = 0, maxLength, description }: Described): string {
  if (pattern !== undefined && pattern !== NO_NUL && pattern !== SOME_TEXT)
    return inSentence(description ?? 'another value');
  const length =
    maxLength === undefined
      ? ''
      : minLength > 0
        ? ` of ${minLength} to ${maxLength} characters`
        : ` of at most ${maxLength} characters`;
  return `a string${length}${pattern === undefined ? '' : ', without U+0000'}`;
}

/** The first part of a description, as it follows the word `expected`. */
function inSentence(description: string): string {
  const first = description.split(/[.;](?: |$)/, 1)[0] ?? '';
  return first.replace(/^[A-Z](?=[a-z]| )/, (letter) => letter.toLowerCase());
}

function sizeOf({ minItems, maxItems }: Described): string {
  if (maxItems !== undefined) return ` of ${minItems ?? 0} to ${maxItems}`;
  return minItems === undefined ? '' : ` of at least ${minItems}`;
}

function rangeOf({ minimum, exclusiveMinimum, maximum }: Described): string {
  const low =
    minimum !== undefined ? `from ${minimum}` : exclusiveMinimum !== undefined ? `above ${exclusiveMinimum}` : '';
  const high = maximum === undefined ? '' : `${minimum === undefined ? 'and at most' : 'to'} ${maximum}`;
  return [low, high].map((part) => (part === '' ? '' : ` ${part}`)).join('');
}

/** The caller's value, shortened and without invisible characters. */
export function shown(value: unknown): string {
  if (typeof value === 'object' && value !== null) {
    const size = Object.keys(value).length === 0 ? 'empty ' : '';
    return Array.isArray(value) ? `a${size && 'n'} ${size}list` : `an ${size}object`;
  }
  if (typeof value !== 'string') return String(value);
  const text = JSON.stringify(value.slice(0, MOST_SHOWN)).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, escapedCharacter);
  return value.length > MOST_SHOWN ? `${text} and ${value.length - MOST_SHOWN} more characters` : text;
}

function escapedCharacter(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

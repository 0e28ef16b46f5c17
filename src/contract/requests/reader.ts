import type { Static, TObject, TProperties, TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { nearestName } from '../../domain/index.ts';
import { type Defaulted, NO_NUL, SOME_TEXT } from './fields.ts';

/** An error in one field of a request. */
export interface FieldError {
  /** JSON pointer (RFC 6901). */
  readonly pointer: string;
  readonly code: string;
  readonly detail: string;
}

/** The result of reading by a schema: fields with a default always have a value. */
export type Input<Schema extends TObject> = Static<Schema> & {
  [Name in keyof Schema['properties'] as Schema['properties'][Name] extends Defaulted ? Name : never]: Filled<
    Schema['properties'][Name]
  >;
};
type Filled<Schema extends TSchema> = Schema extends { readonly properties: infer Fields extends TProperties }
  ? Input<TObject<Fields>>
  : Static<Schema>;

/** `ignored` lists unknown members that were left out, with the most similar known name. */
export type ReadInput<Schema extends TObject> =
  | { readonly ok: true; readonly value: Input<Schema>; readonly ignored: readonly string[] }
  | { readonly ok: false; readonly errors: readonly FieldError[]; readonly ignored: readonly string[] };

export interface ReaderOptions {
  /** Values are text, as in a query string: they are converted to numbers, and a repeated name is refused. */
  readonly fromText?: boolean;
  /** Error codes by violated rule; `malformed` for other rules. */
  readonly codes?: Readonly<Record<string, string>>;
}

const MOST_ERRORS = 10;
const MOST_IGNORED = 20;
/** Characters of a value that an error message repeats. */
const MOST_SHOWN = 60;
const CODES: Readonly<Record<string, string>> = {
  missing: 'missing',
  unknown: 'unknown_field',
  given_twice: 'given_twice',
};
const PLAIN_NUMBER = /^\d{1,15}(\.\d{1,9})?$/;

/**
 * Creates the reader of all input: it reads a JSON body or a query string by its schema. It reports all errors at once
 * (at most ten), one per field, each with the expected and the actual value. Unknown members are refused where the
 * schema forbids them (`additionalProperties: false`) and ignored elsewhere. A missing body counts as an empty object.
 */
export function createReader<Schema extends TObject>(
  schema: Schema,
  { fromText = false, codes = {} }: ReaderOptions = {},
): (given: unknown) => ReadInput<Schema> {
  const described = schema as unknown as Described;
  const properties = described.properties ?? {};
  const known = Object.keys(properties);
  const isOpen = described.additionalProperties !== false;
  const codeOf = (rule: string) => codes[rule] ?? CODES[rule] ?? 'malformed';
  return (given) => {
    const errors: Fault[] = [];
    const ignored: string[] = [];
    let fields: unknown = given ?? {};
    if (isOpen && isObject(fields)) {
      const values: Record<string, unknown> = {};
      for (const [name, value] of Object.entries(fields)) {
        const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
        if (property === undefined) {
          if (ignored.length < MOST_IGNORED) ignored.push(ignoredMember(name, known, fromText));
        } else if (!fromText) values[name] = value;
        else if (typeof value === 'string') values[name] = ofText(property, value);
        else errors.push({ pointer: `/${name}`, rule: 'given_twice', detail: 'expected the parameter once' });
      }
      fields = values;
    }
    if (!fits(schema, fields)) judge(described, fields, '', errors);
    if (errors.length === 0) return { ok: true, value: filled(described, fields) as Input<Schema>, ignored };
    const shown = errors.slice(0, MOST_ERRORS);
    return {
      ok: false,
      errors: shown.map(({ pointer, rule, detail }) => ({ pointer, code: codeOf(rule), detail })),
      ignored,
    };
  };
}

interface Fault {
  readonly pointer: string;
  /** Schema keyword that the value violates. */
  readonly rule: string;
  readonly detail: string;
}

/** The members of JSON Schema that request schemas use. */
interface Described {
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

/** Converts text: to a number where one is expected, and to the spelling of a closed list whatever its case. */
function ofText({ type, enum: values }: Described, text: string): string | number {
  if (type === 'number' || type === 'integer') return PLAIN_NUMBER.test(text) ? Number(text) : text;
  const lower = text.toLowerCase();
  return values?.includes(lower) ? lower : text;
}

function judge(described: Described, value: unknown, pointer: string, errors: Fault[]): void {
  if (errors.length >= MOST_ERRORS || fits(described, value)) return;
  const inner = described.anyOf?.find(({ properties, items }) => properties ?? items) ?? described;
  const before = errors.length;
  if (inner.properties && isObject(value)) judgeFields(inner, inner.properties, value, pointer, errors);
  if (inner.items && Array.isArray(value))
    for (const [index, item] of value.entries()) judge(inner.items, item, `${pointer}/${index}`, errors);
  if (errors.length > before) return;
  errors.push({
    pointer,
    rule: ruleOf(described, value),
    detail: `${expected(described, value)}${meant(described, value)}`,
  });
}

function judgeFields(
  { required = [], additionalProperties }: Described,
  properties: Readonly<Record<string, Described>>,
  value: Readonly<Record<string, unknown>>,
  pointer: string,
  errors: Fault[],
): void {
  const known = Object.keys(properties);
  for (const name of required)
    if (!Object.hasOwn(value, name))
      errors.push({ pointer: `${pointer}/${name}`, rule: 'missing', detail: `${name} is required` });
  for (const [name, field] of Object.entries(value)) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (property) judge(property, field, `${pointer}/${name}`, errors);
    else if (additionalProperties === false) {
      const near = nearestName(name.slice(0, 40).toLowerCase(), known);
      const detail = near === null ? `known fields are ${known.join(', ')}` : `did you mean ${near}?`;
      errors.push({ pointer: `${pointer}/${escaped(name)}`, rule: 'unknown', detail });
    }
    if (errors.length >= MOST_ERRORS) return;
  }
}

function ruleOf({ type, minLength = 0, maxLength = Number.POSITIVE_INFINITY }: Described, value: unknown): string {
  if (typeof value !== 'string') return type === 'string' ? 'type' : 'other';
  const length = charactersOf(value);
  return length > maxLength ? 'maxLength' : length < minLength ? 'minLength' : 'other';
}

/** Expected values of a field, and the actual value. */
function expected(described: Described, value: unknown): string {
  const { maxLength, pattern } = described;
  const refined = described['~refine']?.at(-1)?.error(value);
  if (typeof value === 'string' && pattern === undefined && charactersOf(value) > (maxLength ?? value.length))
    return `expected at most ${maxLength} characters, got ${charactersOf(value)}`;
  return `${refined ?? `expected ${expectation(described)}`}, got ${shown(value)}`;
}

/** Length as JSON Schema counts it, in code points. */
function charactersOf(text: string): number {
  return [...text].length;
}

function expectation(described: Described): string {
  const { type, anyOf, items, minProperties, uniqueItems } = described;
  const values = described.enum ?? anyOf?.map((member) => member.const);
  if (values?.every((value) => typeof value === 'string')) return `one of ${values.join(', ')}`;
  if (anyOf) return anyOf.map((member) => (member.type === 'null' ? 'null' : expectation(member))).join(' or ');
  if (type === 'string') return textExpectation(described);
  if (type === 'boolean') return 'true or false';
  if (type === 'array')
    return `a list${sizeOf(described)}${items ? `, each ${expectation(items)}` : ''}${uniqueItems ? ', none twice' : ''}`;
  if (type === 'object') return `a JSON object${minProperties ? ' with at least one field' : ''}`;
  return `${type === 'integer' ? 'a whole number' : 'a number'}${rangeOf(described)}`;
}

function textExpectation({ pattern, minLength = 0, maxLength, description }: Described): string {
  if (pattern !== undefined && pattern !== NO_NUL && pattern !== SOME_TEXT)
    return (description?.split('. Default: ')[0] ?? 'another value').replace(/\.$/, '');
  const length =
    maxLength === undefined
      ? ''
      : minLength > 0
        ? ` of ${minLength} to ${maxLength} characters`
        : ` of at most ${maxLength} characters`;
  return `a string${length}${pattern === undefined ? '' : ', without U+0000'}`;
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

/** Suggests the most similar value of a closed list. */
function meant({ enum: values }: Described, value: unknown): string {
  if (values === undefined || typeof value !== 'string') return '';
  const near = nearestName(value.slice(0, 40), values);
  return near === null ? '' : `; did you mean ${near}?`;
}

/** The caller's value, shortened and without invisible characters. */
function shown(value: unknown): string {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object';
  if (typeof value !== 'string') return String(value);
  const text = JSON.stringify(value.slice(0, MOST_SHOWN)).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, escapedCharacter);
  return value.length > MOST_SHOWN ? `${text} and ${value.length - MOST_SHOWN} more characters` : text;
}

function escapedCharacter(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

/** Names that other services use for `search`. */
const isSearch = (name: string) => /^(q|query|name|filter)$/i.test(name);

/** The caller's name goes into a list in a header, so characters other than letters, digits and `_.-` are replaced. */
function ignoredMember(name: string, known: readonly string[], isParameter: boolean): string {
  const clean = name.replace(/[^A-Za-z0-9_.-]/g, '?').slice(0, 40);
  const near =
    isSearch(name) && known.includes('search') ? 'search' : nearestName(name.slice(0, 40).toLowerCase(), known);
  return `unknown ${isParameter ? 'parameter' : 'field'} ${clean} was ignored${near === null ? '' : `; did you mean ${near}?`}`;
}

/** The name as a segment of a JSON pointer (RFC 6901, 3), shortened. */
function escaped(name: string): string {
  return name.slice(0, 60).replaceAll('~', '~0').replaceAll('/', '~1');
}

/** The value with the defaults of its schema; the same object where there is nothing to fill in. */
function filled({ properties = {} }: Described, value: unknown): unknown {
  if (!isObject(value)) return value;
  let whole: Record<string, unknown> | null = null;
  for (const [name, property] of Object.entries(properties)) {
    const given = value[name] === undefined ? property.default : value[name];
    const made = property.properties ? filled(property, given) : given;
    if (made === value[name]) continue;
    whole ??= { ...value };
    whole[name] = made;
  }
  return whole ?? value;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Compiled at first use, because a command or a test needs few of them. */
const validators = new WeakMap<object, Validator>();

function fits(schema: object, value: unknown): boolean {
  let validator = validators.get(schema);
  if (!validator) {
    validator = Compile(schema as TSchema) as unknown as Validator;
    validators.set(schema, validator);
  }
  return validator.Check(value);
}

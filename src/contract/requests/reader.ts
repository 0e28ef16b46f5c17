import type { Static, TObject, TProperties, TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { nearestName } from '../../domain/index.ts';
import { type Described, expectation, shown } from './expectation.ts';
import type { Defaulted } from './fields.ts';

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
const CODES: Readonly<Record<string, string>> = {
  missing: 'missing',
  unknown: 'unknown_field',
  unknown_parameter: 'unknown_parameter',
  given_twice: 'given_twice',
};
const PLAIN_NUMBER = /^\d{1,15}(\.\d{1,9})?$/;

/**
 * Creates the reader of all input: it reads a JSON body or a query string by its schema. It reports all errors at once
 * (at most ten), one per field, each with the expected and the actual value. Unknown members of a body are refused where
 * the schema forbids them (`additionalProperties: false`) and ignored elsewhere; unknown parameters are refused, because
 * a filter that is left out gives another list, except where the query is open (`OPEN_QUERY`) and they are like none that
 * is known. A missing body counts as an empty object.
 */
export function createReader<Schema extends TObject>(
  schema: Schema,
  { fromText = false, codes = {} }: ReaderOptions = {},
): (given: unknown) => ReadInput<Schema> {
  const described = schema as unknown as Described;
  const properties = described.properties ?? {};
  const known = Object.keys(properties);
  const isOpen = described.additionalProperties !== false;
  const isClosed = described.additionalProperties !== true;
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
          const near = nearestMember(name, known);
          if (fromText && (isClosed || near !== null)) errors.push(unknownParameter(name, known, near));
          else if (ignored.length < MOST_IGNORED) ignored.push(ignoredMember(name, near, fromText));
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

/** Suggests the most similar value of a closed list. */
function meant({ enum: values }: Described, value: unknown): string {
  if (values === undefined || typeof value !== 'string') return '';
  const near = nearestName(value.slice(0, 40), values);
  return near === null ? '' : `; did you mean ${near}?`;
}

/** Names that other services use for `search`. */
const isSearch = (name: string) => /^(q|query|name|filter)$/i.test(name);

function unknownParameter(name: string, known: readonly string[], near: string | null): Fault {
  const meant = near === null ? '' : `; did you mean ${near}?`;
  const others = known.length === 0 ? 'this address takes no parameters' : `the parameters are ${known.join(', ')}`;
  return { pointer: `/${escaped(name)}`, rule: 'unknown_parameter', detail: `${others}, got ${shown(name)}${meant}` };
}

function nearestMember(name: string, known: readonly string[]): string | null {
  if (isSearch(name) && known.includes('search')) return 'search';
  return nearestName(name.slice(0, 40).toLowerCase(), known);
}

/** The caller's name goes into a list in a header, so characters other than letters, digits and `_.-` are replaced. */
function ignoredMember(name: string, near: string | null, isParameter: boolean): string {
  const clean = name.replace(/[^A-Za-z0-9_.-]/g, '?').slice(0, 40);
  const what = `unknown ${isParameter ? 'parameter' : 'field'} ${clean} was ignored`;
  return near === null ? what : `${what}; did you mean ${near}?`;
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

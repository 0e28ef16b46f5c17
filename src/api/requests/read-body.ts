import type { Static, TObject, TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { nearestName } from '../../config/index.ts';
import type { Result } from '../../domain/index.ts';
import type { FieldError } from '../../jobs/index.ts';
import { isTimeText } from './time-text.ts';

const MOST_SHOWN = 10;

/**
 * Reads a JSON body by its documented schema. All complaints at once (ten at most), one per field, each with what was
 * expected there; fields that are not known are refused. No body counts as an empty object.
 */
export function readBody<Schema extends TObject>(
  schema: Schema,
  body: unknown,
): Result<Static<Schema>, { readonly errors: readonly FieldError[] }> {
  const errors: FieldError[] = [];
  const given = body ?? {};
  judge(schema, given, '', errors);
  if (errors.length === 0 && !validatorOf(schema).Check(given))
    errors.push({ pointer: '', code: 'malformed', detail: `expected ${expectation(schema)}` });
  return errors.length > 0
    ? { ok: false, errors: errors.slice(0, MOST_SHOWN) }
    : { ok: true, value: given as Static<Schema> };
}

/** The members of JSON Schema that our bodies use. */
interface Described {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly Described[];
  readonly properties?: Readonly<Record<string, Described>>;
  readonly required?: readonly string[];
  readonly items?: Described;
  readonly format?: string;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly minProperties?: number;
  readonly exclusiveMinimum?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

function judge(described: Described, value: unknown, pointer: string, errors: FieldError[]): void {
  const isTime = described.format === 'date-time' && typeof value === 'string';
  const fits: boolean = validatorOf(described).Check(value) && (!isTime || isTimeText(value));
  if (fits) return;
  const inner = described.anyOf?.find(({ properties, items }) => properties ?? items) ?? described;
  const before = errors.length;
  if (inner.properties && isObject(value)) judgeFields(inner.properties, inner.required ?? [], value, pointer, errors);
  if (inner.items && Array.isArray(value))
    for (const [index, item] of value.entries()) judge(inner.items, item, `${pointer}/${index}`, errors);
  if (errors.length === before)
    errors.push({ pointer, code: 'malformed', detail: `expected ${expectation(described)}` });
}

function judgeFields(
  properties: Readonly<Record<string, Described>>,
  required: readonly string[],
  value: Readonly<Record<string, unknown>>,
  pointer: string,
  errors: FieldError[],
): void {
  const known = Object.keys(properties);
  for (const name of required)
    if (!Object.hasOwn(value, name))
      errors.push({ pointer: `${pointer}/${name}`, code: 'missing', detail: `${name} is required` });
  for (const [name, field] of Object.entries(value)) {
    const property = known.includes(name) ? properties[name] : undefined;
    if (property) judge(property, field, `${pointer}/${name}`, errors);
    else
      errors.push({ pointer: `${pointer}/${escaped(name)}`, code: 'unknown_field', detail: unknownField(name, known) });
    if (errors.length >= MOST_SHOWN) return;
  }
}

function expectation(described: Described): string {
  const { type, anyOf, maxLength, items, format, minProperties } = described;
  if (anyOf) {
    const words = anyOf.map((member) => member.const);
    return words.every((word) => typeof word === 'string')
      ? `one of ${words.join(', ')}`
      : anyOf.map((member) => (member.type === 'null' ? 'null' : expectation(member))).join(' or ');
  }
  if (described.enum) return `one of ${described.enum.join(', ')}`;
  if (format === 'date-time') return 'an RFC 3339 time';
  if (type === 'string')
    return `a string${maxLength === undefined ? '' : ` of at most ${maxLength} characters, without U+0000`}`;
  if (type === 'boolean') return 'true or false';
  if (type === 'array') return `a list${items ? `, each ${expectation(items)}, none twice` : ''}`;
  if (type === 'object') return `a JSON object${minProperties ? ' with at least one field' : ''}`;
  return `${type === 'integer' ? 'a whole number' : 'a number'}${range(described)}`;
}

function range({ minimum, exclusiveMinimum, maximum }: Described): string {
  const low =
    minimum !== undefined ? `from ${minimum}` : exclusiveMinimum !== undefined ? `above ${exclusiveMinimum}` : '';
  const high = maximum === undefined ? '' : `${minimum === undefined ? 'and at most' : 'to'} ${maximum}`;
  return [low, high].map((part) => (part === '' ? '' : ` ${part}`)).join('');
}

function unknownField(name: string, known: readonly string[]): string {
  const near = nearestName(name.slice(0, 40).toLowerCase(), known);
  return near === null ? `known fields are ${known.join(', ')}` : `did you mean ${near}?`;
}

/** As a part of a JSON pointer (RFC 6901, 3), of a bounded length. */
function escaped(name: string): string {
  return name.slice(0, 60).replaceAll('~', '~0').replaceAll('/', '~1');
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const validators = new WeakMap<object, Validator>();

function validatorOf(schema: object): Validator {
  let validator = validators.get(schema);
  if (!validator) {
    validator = Compile(schema as TSchema) as unknown as Validator;
    validators.set(schema, validator);
  }
  return validator;
}

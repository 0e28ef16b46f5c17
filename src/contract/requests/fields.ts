import Type, { type Static, type TEnum, type TOptional, type TSchema, type TString } from 'typebox';
import { CHAINS } from '../../chains/index.ts';
import { nearestName } from '../../domain/index.ts';

/** Marks a field with a default. */
export interface Defaulted {
  readonly default: unknown;
}

/**
 * The reader fills in the default, so routes always have a value. A default that is a string or a number is added to
 * the description.
 */
export function withDefault<Schema extends TSchema>(
  schema: Schema,
  value: Static<Schema>,
): TOptional<Schema> & Defaulted {
  const { description = '' } = schema as { readonly description?: string };
  const described = typeof value === 'object' ? description : `${description} Default: ${String(value)}.`;
  return Type.Optional(Type.With(schema, { default: value, description: described })) as unknown as TOptional<Schema> &
    Defaulted;
}

/** One of a closed list of strings. */
export function choice<const Values extends readonly string[]>(
  values: Values,
  description: string,
): TEnum<[...Values]> {
  return Type.Enum([...values], { type: 'string', description }) as unknown as TEnum<[...Values]>;
}

/** Members of a closed list, separated by commas, as a parameter. */
export function someOf(values: readonly string[], description: string): TString {
  const member = `(${values.join('|')})`;
  const text = Type.String({
    pattern: `^${member}(,${member}){0,${values.length - 1}}$`,
    description: `${description}, separated by commas: ${values.join(', ')}.`,
    examples: [values.slice(0, 2).join(',')],
  });
  return Type.Refine(
    text,
    () => true,
    (given) => {
      const near = String(given)
        .split(',', values.length)
        .filter((one) => !values.includes(one))
        .map((one) => nearestName(one.slice(0, 40), values));
      const meant = near.length === 1 && near[0] ? ` (did you mean ${near[0]}?)` : '';
      return `expected one or more of ${values.join(', ')}, separated by commas${meant}`;
    },
  );
}

/**
 * Options of the query of a path of the interface document, which leaves its parameters open: a parameter that is not
 * known, and like none that is, is named in `Assay-Warnings` in place of a refusal.
 */
export const OPEN_QUERY = { additionalProperties: true } as const;

export const NO_NUL = '^[^\\u0000]*$';
export const SOME_TEXT = '^(?=[^]*\\S)[^\\u0000]*$';

/** Text that PostgreSQL can store, with at least one visible character. */
export function plainText(maxLength: number, description: string): TString {
  return Type.String({ minLength: 1, maxLength, pattern: SOME_TEXT, description });
}

// A default period is subtracted from the time, and must not lead before the year 1.
const EARLIEST = Date.parse('1000-01-01T00:00:00.000Z');
const LATEST = Date.parse('9999-12-31T23:59:59.999Z');

/** The format alone also allows leap seconds and year 0, which neither Date nor PostgreSQL accepts. */
function isStorable(text: string): boolean {
  const at = Date.parse(text);
  return at >= EARLIEST && at <= LATEST;
}

/** RFC 3339 time that this service can compute with and store. */
export function moment(description: string): TString {
  const time = Type.String({ format: 'date-time', description });
  return Type.Refine(time, isStorable, () => 'expected an RFC 3339 time such as 2026-11-01T00:00:00Z');
}

/** UTC day as YYYY-MM-DD. */
export function day(description: string): TString {
  const date = Type.String({ format: 'date', description, examples: ['2026-11-01'] });
  return Type.Refine(date, isStorable, () => 'expected a day that exists, as YYYY-MM-DD');
}

/** Size of a page. */
export function pageSize(maximum: number, usual: number) {
  return withDefault(
    Type.Integer({ minimum: 1, maximum, description: `Most entries of a page, 1 to ${maximum}.` }),
    usual,
  );
}

/** `next_cursor` of the previous page. */
export function cursor(pattern: string, maxLength?: number) {
  return Type.Optional(
    Type.String({
      ...(maxLength === undefined ? {} : { maxLength }),
      pattern,
      description: '`next_cursor` of the page before.',
    }),
  );
}

export const asOf = Type.Optional(moment('RFC 3339 time, not in the future: returns what was known then.'));

export const chainText = choice(
  CHAINS.map((chain) => chain.name),
  'Name of a chain, see GET /v1/chains.',
);

/** `Prefer` is parsed leniently, as RFC 7240 requires. */
export const WaitHeaders = Type.Object({
  Prefer: Type.Optional(
    Type.String({
      description: '`wait=N`: seconds to wait for the result; `respond-async`: return 202 at once (RFC 7240).',
      examples: ['wait=30'],
    }),
  ),
});
export const EventHeaders = Type.Object({
  'Last-Event-ID': Type.Optional(
    Type.String({
      pattern: '^[0-9]{0,15}$',
      description: 'Number of the last event that was read: the stream continues after it.',
      examples: ['3'],
    }),
  ),
});

/** Format of a page of a list that is also available as CSV. */
export const pageForm = Type.Optional(
  choice(['json', 'csv'], 'Form of the page; without it `Accept` decides, else JSON.'),
);

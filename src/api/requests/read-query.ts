import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TObject, TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { nearestName } from '../../config/index.ts';
import type { FieldError } from '../../jobs/index.ts';
import { isTimeText } from './time-text.ts';

export type QueryValues = Readonly<Record<string, string | number | undefined>>;

const MOST_SHOWN = 5;

/**
 * Reads a query string by its documented schema: numbers become numbers, every complaint comes at once, and parameters that
 * are not known are only named in the header `Assay-Warnings`.
 */
export function readQuery(
  schema: TObject,
  request: FastifyRequest,
  reply: FastifyReply,
): { readonly ok: true; readonly value: QueryValues } | { readonly ok: false; readonly errors: readonly FieldError[] } {
  const given = request.query as Readonly<Record<string, unknown>>;
  const known = Object.keys(schema.properties);
  const values: Record<string, string | number> = {};
  const errors: FieldError[] = [];
  const warnings: string[] = [];
  for (const [name, value] of Object.entries(given)) {
    if (!known.includes(name)) warnings.push(unknownParameter(name, known));
    else if (typeof value !== 'string')
      errors.push({ pointer: `/${name}`, code: 'given_twice', detail: 'expected the parameter once' });
    else values[name] = numeric(schema, name) && PLAIN_NUMBER.test(value) ? Number(value) : value;
  }
  if (warnings.length > 0) reply.header('assay-warnings', warnings.slice(0, MOST_SHOWN).join(', ').slice(0, 1_000));
  const checker = checkerOf(schema);
  if (!checker.Check(values)) {
    for (const name of known) {
      const property = schema.properties[name];
      if (property && name in values && !checkerOf(property as TObject).Check(values[name]))
        errors.push({ pointer: `/${name}`, code: 'malformed', detail: `expected ${expectation(property)}` });
    }
  }
  for (const [name, value] of Object.entries(values)) {
    const property = schema.properties[name] as TSchema;
    if (isTime(property) && !isTimeText(String(value)) && !errors.some((error) => error.pointer === `/${name}`))
      errors.push({ pointer: `/${name}`, code: 'malformed', detail: `expected ${expectation(property)}` });
  }
  return errors.length > 0 ? { ok: false, errors } : { ok: true, value: values };
}

const PLAIN_NUMBER = /^\d{1,15}(\.\d{1,9})?$/;
const checkers = new WeakMap<object, Validator>();

function checkerOf(schema: TObject): Validator {
  let checker = checkers.get(schema);
  if (!checker) {
    checker = Compile(schema) as unknown as Validator;
    checkers.set(schema, checker);
  }
  return checker;
}

function numeric(schema: TObject, name: string): boolean {
  const { type } = schema.properties[name] as { readonly type?: string };
  return type === 'number' || type === 'integer';
}

function isTime(property: unknown): boolean {
  const { format } = property as { readonly format?: string };
  return format === 'date-time' || format === 'date';
}

function expectation(property: unknown): string {
  const { enum: words, description } = property as { readonly enum?: readonly string[]; readonly description?: string };
  return words ? `one of ${words.join(', ')}` : (description ?? 'another value').replace(/\.$/, '');
}

/** The name is a caller's text in a header: anything but plain letters is left out. */
function unknownParameter(name: string, known: readonly string[]): string {
  const shown = name.replace(/[^A-Za-z0-9_.-]/g, '?').slice(0, 40);
  const near = nearestName(name.slice(0, 40).toLowerCase(), known);
  return `unknown parameter ${shown} was ignored${near === null ? '' : `; did you mean ${near}?`}`;
}

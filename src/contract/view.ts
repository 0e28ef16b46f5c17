import type { TSchema } from 'typebox';
import type { Reply } from './vocabulary.ts';

/**
 * Input of a view of `T`: the same fields with names in camel case; additional fields are allowed. A union of objects
 * (`details` of an alert) is given in its reply form, since a value does not show which member of the union it is.
 */
type Source<T> = true extends IsUnion<Extract<T, object>> ? T : SourceOf<T>;
type IsUnion<T, All = T> = T extends unknown ? ([All] extends [T] ? false : true) : never;
type SourceOf<T> = T extends readonly unknown[]
  ? { readonly [Place in keyof T]: Source<T[Place]> }
  : T extends object
    ? { readonly [Name in keyof T as Name extends string ? Camel<Name> : Name]: Source<T[Name]> }
    : T;
type Camel<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Name;

interface Part {
  readonly properties?: Readonly<Record<string, Part>>;
  readonly items?: Part;
  readonly anyOf?: readonly Part[];
  readonly allOf?: readonly Part[];
}

/**
 * Builds the reply that a schema describes from a value with camel-case fields. Only fields of the schema are copied,
 * in its order, so no other field can appear in a reply.
 */
export function viewOf<T extends TSchema>(schema: T, source: Source<Reply<T>>): Reply<T> {
  return shown(schema as Part, source) as Reply<T>;
}

function shown(part: Part, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const shapes = [part, ...(part.allOf ?? []), ...(part.anyOf ?? [])].filter((one) => one.properties ?? one.items);
  const [shape, ...others] = shapes;
  if (others.length > 0) return value;
  if (shape?.items && Array.isArray(value)) {
    const { items } = shape;
    return value.map((one) => shown(items, one));
  }
  if (!shape?.properties) return value;
  const fields = value as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    Object.entries(shape.properties).flatMap(([name, inner]) => {
      const field = fields[name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())];
      return field === undefined ? [] : [[name, shown(inner, field)]];
    }),
  );
}

/** Rounds for display; the archive keeps every digit. */
export function round(value: number, digits: number): number {
  const power = 10 ** digits;
  return Math.round(value * power) / power;
}

import type { TSchema } from 'typebox';
import type { Reply } from './vocabulary.ts';

/** What a view of `T` is made from: the same fields with names in camel case; others may stand beside them. */
type Source<T> = T extends readonly unknown[]
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
 * The reply that a schema describes, out of a value that has its fields in camel case. Only fields of the schema are taken, in
 * its order, so nothing that it does not name can leave by a reply.
 */
export function viewOf<T extends TSchema>(schema: T, source: Source<Reply<T>>): Reply<T> {
  return shown(schema as Part, source) as Reply<T>;
}

function shown(part: Part, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const shape = [part, ...(part.allOf ?? []), ...(part.anyOf ?? [])].find((one) => one.properties ?? one.items);
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

/** Rounds for print; the archive keeps every digit. */
export function round(value: number, digits: number): number {
  const power = 10 ** digits;
  return Math.round(value * power) / power;
}

/** The members of JSON Schema that our schemas are made of. */
export interface Schema {
  readonly $ref?: string;
  readonly title?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema | readonly Schema[] | false;
  readonly prefixItems?: readonly Schema[];
  readonly additionalItems?: boolean;
  readonly contentSchema?: Schema;
  readonly additionalProperties?: boolean | Schema;
}

const PLACE = '#/components/schemas/';
const NAME = /^[A-Z][A-Za-z0-9]*$/;

/**
 * Takes the schemas whose title is a name out of larger ones: `replaced` gives the schema with references in their place,
 * `schemas` holds what they refer to. Throws when two different schemas have one name.
 */
export function createNamedSchemas() {
  const named = new Map<string, string>();

  function replaced(schema: Schema): Schema {
    const [only, ...others] = schema.allOf ?? [];
    // A named schema in a place that says something of its own: JSON Schema 2020-12 allows both side by side.
    if (only && others.length === 0 && schema.description !== undefined)
      return { ...replaced(only), description: schema.description };
    const inner = shorter(withInner(schema, replaced));
    const { title } = schema;
    if (title === undefined || !NAME.test(title)) return inner;
    const text = JSON.stringify(inner);
    const known = named.get(title);
    if (known !== undefined && known !== text) throw new Error(`two schemas have the name ${title}`);
    named.set(title, text);
    return { $ref: `${PLACE}${title}` };
  }

  return {
    replaced,
    schemas: (): Record<string, Schema> =>
      Object.fromEntries(
        [...named].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, text]) => [name, JSON.parse(text) as Schema]),
      ),
  };
}

function withInner(schema: Schema, each: (schema: Schema) => Schema): Schema {
  const { properties, items, anyOf, additionalProperties, contentSchema } = schema;
  return {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, each(one)])),
    }),
    ...(items && (isList(items) ? tuple(items.map(each)) : { items: each(items) })),
    ...(anyOf && { anyOf: anyOf.map(each) }),
    ...(contentSchema && { contentSchema: each(contentSchema) }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: each(additionalProperties) }),
  };
}

function isList(items: Schema | readonly Schema[]): items is readonly Schema[] {
  return Array.isArray(items);
}

/** As JSON Schema 2020-12, and with it OpenAPI 3.1, writes a list of fixed places. */
function tuple(places: readonly Schema[]): Schema {
  return { prefixItems: places, items: false, additionalItems: undefined } as Schema;
}

/** The same in fewer bytes: alternative strings are one enumeration, a plain type that may be null is one type list. */
function shorter(schema: Schema): Schema {
  const { anyOf, ...rest } = schema;
  if (!anyOf) return schema;
  if (anyOf.every((one) => typeof one.const === 'string' && Object.keys(one).length === 2))
    return { ...rest, type: 'string', enum: anyOf.map((one) => one.const) };
  const [plain, nothing, ...more] = anyOf;
  const isPlain = typeof plain?.type === 'string' && plain.const === undefined && plain.enum === undefined;
  if (!isPlain || nothing?.type !== 'null' || more.length > 0) return schema;
  return { ...plain, ...rest, type: [plain.type as string, 'null'] };
}

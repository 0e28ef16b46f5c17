/** The members of an OpenAPI 3.1 document that the tests look at. */
export interface Schema {
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema | false;
  readonly prefixItems?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly additionalProperties?: Schema | boolean;
}
export interface Media {
  readonly schema?: Schema;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}
export interface Reply {
  readonly $ref?: string;
  readonly description?: string;
  readonly content?: Readonly<Record<string, Media>>;
}
interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly description?: string;
  readonly schema: Schema;
}
export interface Operation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly security?: readonly unknown[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, Reply>>;
}
export interface OpenApi {
  readonly openapi: string;
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  /** What the service sends: the receiver answers. */
  readonly webhooks: OpenApi['paths'];
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, Reply>>;
  };
}

/** Every operation with its name, as in `GET /v1/rms`. */
export function operationsOf({
  paths,
}: Pick<OpenApi, 'paths'>): { readonly name: string; readonly operation: Operation }[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
  );
}

/** Places of a document that say nothing of themselves, each with what is missing there. */
export function silentPlaces(document: OpenApi): string[] {
  const { schemas, responses } = document.components;
  return [
    ...operationsOf(document).flatMap(({ name, operation }) => [
      ...ofOperation(name, operation, schemas),
      ...problemsOf(operation).flatMap((status) => (status in operation.responses ? [] : [`${name}: reply ${status}`])),
    ]),
    ...operationsOf({ paths: document.webhooks }).flatMap(({ name, operation }) =>
      ofOperation(name, operation, schemas),
    ),
    ...Object.entries(responses).flatMap(([name, reply]) => ofReply(name, reply, schemas)),
    ...Object.entries(schemas).flatMap(([name, schema]) => [
      ...(says(schema.description, name) ? [] : [`${name}: description`]),
      ...ofMembers(name, schema, schemas),
    ]),
  ];
}

type Schemas = OpenApi['components']['schemas'];

function ofOperation(name: string, operation: Operation, schemas: Schemas): string[] {
  const { operationId, summary, description, tags = [], parameters = [] } = operation;
  const { requestBody, responses } = operation;
  const good = Object.keys(responses).filter((status) => status.startsWith('2'));
  const shown = (media: Media | undefined) => Object.keys(media?.examples ?? {}).length > 0;
  const media = (content: Reply['content'] = {}) => Object.values(content);
  const hasBody = good.some((status) => responses[status]?.content !== undefined);
  const missing = {
    operationId: operationId !== undefined,
    summary: summary !== undefined,
    description: says(description, summary ?? ''),
    tags: tags.length > 0,
    'success reply': good.length > 0,
    'example of the request': requestBody === undefined || media(requestBody.content).some(shown),
    'example of the reply': !hasBody || good.some((status) => media(responses[status]?.content).some(shown)),
  };
  return [
    ...Object.entries(missing).flatMap(([what, isThere]) => (isThere ? [] : [`${name}: ${what}`])),
    ...parameters.flatMap((one) => (says(one.description, one.name) ? [] : [`${name}: parameter ${one.name}`])),
    ...media(requestBody?.content).flatMap((one) => ofMembers(`${name} request`, one.schema ?? {}, schemas)),
    ...Object.entries(responses).flatMap(([status, reply]) => ofReply(`${name} ${status}`, reply, schemas)),
  ];
}

/** Statuses that an operation of its kind can always end in. */
function problemsOf({ security, parameters = [], requestBody }: Operation): string[] {
  const takes = (place: string) => parameters.some((one) => one.in === place);
  return [
    ...(security === undefined ? [] : ['401', '403', '429']),
    ...(requestBody === undefined ? [] : ['400', '413', '415']),
    ...(takes('query') ? ['400'] : []),
    ...(takes('path') ? ['404'] : []),
  ];
}

function ofReply(name: string, reply: Reply, schemas: Schemas): string[] {
  if (reply.$ref !== undefined) return [];
  return [
    ...(says(reply.description, 'Default Response') ? [] : [`${name}: description`]),
    ...Object.values(reply.content ?? {}).flatMap(({ schema }) => ofMembers(name, schema ?? {}, schemas)),
  ];
}

/** A reference is described where it stands, or by what it refers to; that is looked at in its own place. */
function ofMembers(place: string, schema: Schema, schemas: Schemas): string[] {
  if (schema.$ref !== undefined) return [];
  const { properties = {}, items, prefixItems = [], anyOf = [], allOf = [], additionalProperties } = schema;
  const inner = [
    ...(items ? [items] : []),
    ...prefixItems,
    ...anyOf,
    ...allOf,
    ...(typeof additionalProperties === 'object' ? [additionalProperties] : []),
  ];
  return [
    ...Object.entries(properties).flatMap(([name, member]) => [
      ...(says(member.description ?? referred(member, schemas)?.description, name) ? [] : [`${place}.${name}`]),
      ...ofMembers(`${place}.${name}`, member, schemas),
    ]),
    ...inner.flatMap((one) => ofMembers(place, one, schemas)),
  ];
}

/** Members of a value that its schema does not know, each with its place. */
export function unknownMembers(schema: Schema, value: unknown, schemas: Schemas, place = ''): string[] {
  const meant = referred(schema, schemas);
  if (meant) return unknownMembers(meant, value, schemas, place);
  if (schema.anyOf && value !== null) {
    const found = schema.anyOf.map((one) => unknownMembers(one, value, schemas, place));
    return found.reduce((best, other) => (other.length < best.length ? other : best));
  }
  if (Array.isArray(value)) {
    const { items } = schema;
    return items ? value.flatMap((one, index) => unknownMembers(items, one, schemas, `${place}/${index}`)) : [];
  }
  const { properties, additionalProperties: others } = schema;
  if (typeof value !== 'object' || value === null) return [];
  // A schema of scalars beside one of objects: what has members is meant by the other.
  if (!properties && schema.type !== undefined && schema.type !== 'object') return [`${place} is no ${schema.type}`];
  return Object.entries(value).flatMap(([name, member]) => {
    const known = properties?.[name] ?? (typeof others === 'object' ? others : undefined);
    if (known) return unknownMembers(known, member, schemas, `${place}/${name}`);
    return properties && others !== true ? [`${place}/${name}`] : [];
  });
}

function referred({ $ref }: Schema, schemas: Schemas): Schema | undefined {
  return $ref === undefined ? undefined : schemas[$ref.slice($ref.lastIndexOf('/') + 1)];
}

/** Something other than the name again. */
function says(description: string | undefined, name: string): boolean {
  const plain = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  return description !== undefined && plain(description) !== '' && plain(description) !== plain(name);
}

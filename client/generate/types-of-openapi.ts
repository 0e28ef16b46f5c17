/** The part of JSON Schema that our OpenAPI document uses. */
export interface Schema {
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema | false;
  readonly prefixItems?: readonly Schema[];
  readonly additionalProperties?: boolean | Schema;
  readonly contentSchema?: Schema;
}
export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}
interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}
export interface Operation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content & { readonly required?: boolean };
  readonly responses: Readonly<Record<string, Content>>;
}
export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks?: OpenApiDocument['paths'];
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> };
}

const METHODS = ['get', 'post', 'put', 'delete', 'patch'];

/** TypeScript types of every operation and webhook of an OpenAPI 3.1 document: requests and replies. The same document gives the same bytes. */
export function typesOfOpenApi(document: OpenApiDocument): string {
  const named = new Names(document.components?.schemas ?? {});
  const operations: [name: string, text: string][] = [];
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const name = `${method.toUpperCase()} ${path}`;
      if (METHODS.includes(method)) operations.push([name, operationText(name, operation, named)]);
    }
  }
  const messages = Object.entries(document.webhooks ?? {}).map(([type, { post }]) => {
    const schema = post?.requestBody?.content?.['application/json']?.schema ?? {};
    return `  ${quoted(type)}: ${typeOf(schema, named, '  ', true)};`;
  });
  return [
    '// Made from /openapi.json by `npm run client:types`; a test fails when it is stale.',
    '',
    '/** What each operation takes and answers, by method and path. */',
    'export interface Operations {',
    ...operations.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text),
    '}',
    '',
    '/** What each webhook is sent, by the type of the message. */',
    'export interface WebhookMessages {',
    ...messages.sort(),
    '}',
    '',
    ...named.declarations(),
  ].join('\n');
}

function operationText(name: string, operation: Operation, named: Names): string {
  const bodySchema = operation.requestBody?.content?.['application/json']?.schema;
  const body = bodySchema ? typeOf(bodySchema, named, '    ', false) : 'undefined';
  const bodyText = bodySchema && operation.requestBody?.required === false ? `${body} | undefined` : body;
  return [
    ...(operation.summary ? [`  /** ${comment(operation.summary)} */`] : []),
    `  ${quoted(name)}: {`,
    `    path: ${parametersText(operation, 'path', named)};`,
    `    query: ${parametersText(operation, 'query', named)};`,
    `    body: ${bodyText};`,
    `    reply: ${replyText(operation, named)};`,
    '  };',
  ].join('\n');
}

function parametersText(operation: Operation, place: string, named: Names): string {
  const parameters = (operation.parameters ?? []).filter((parameter) => parameter.in === place);
  if (parameters.length === 0) return 'undefined';
  const lines = parameters.map(({ name, required, description, schema }) => {
    const mark = required ? '' : '?';
    return [
      ...documentation(description ?? schema.description, '      '),
      `      ${key(name)}${mark}: ${typeOf(schema, named, '      ', false)};`,
    ].join('\n');
  });
  const type = `{\n${lines.join('\n')}\n    }`;
  return parameters.some((parameter) => parameter.required) ? type : `${type} | undefined`;
}

/** JSON of the 2xx replies; `undefined` if there is none, `string` for an event stream or a file in several formats. */
function replyText(operation: Operation, named: Names): string {
  const types = Object.entries(operation.responses)
    .filter(([status]) => /^2\d\d$/.test(status))
    // The client waits for a pending result, or throws: no call returns this reply.
    .filter(([, { content }]) => !content?.['application/json']?.schema?.$ref?.endsWith('/AwaitedSnapshot'))
    .map(([, { content }]) => {
      if (!content) return 'undefined';
      const json = content['application/json'];
      // The events of a stream become types, although the reply itself is a text.
      for (const { schema } of Object.values(content))
        if (schema?.contentSchema) typeOf(schema.contentSchema, named, '', true);
      // A list is available as CSV too, for spreadsheets; the client requests JSON, and downloads files by `fetch`.
      const onlyJson =
        json !== undefined && Object.keys(content).every((type) => type === 'text/csv' || type === 'application/json');
      return onlyJson && json.schema ? typeOf(json.schema, named, '    ', true) : 'string';
    });
  return [...new Set(types)].join(' | ') || 'undefined';
}

function typeOf(schema: Schema, named: Names, indent: string, reply: boolean): string {
  if (schema.$ref) return named.nameOf(schema.$ref);
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum) return schema.enum.map(literal).join(' | ');
  if (schema.anyOf) return unionText(schema.anyOf.map((one) => typeOf(one, named, indent, reply)));
  if (schema.allOf) return schema.allOf.map((one) => typeOf(one, named, indent, reply)).join(' & ');
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  return unionText(types.map((type) => plainText(type, schema, named, indent, reply)));
}

function plainText(type: string | undefined, schema: Schema, named: Names, indent: string, reply: boolean): string {
  if (type === 'string') return 'string';
  if (type === 'number' || type === 'integer') return 'number';
  if (type === 'boolean') return 'boolean';
  if (type === 'null') return 'null';
  if (type === 'array') return arrayText(schema, named, indent, reply);
  if (type === 'object') return objectText(schema, named, indent, reply);
  return 'unknown';
}

function arrayText({ items, prefixItems }: Schema, named: Names, indent: string, reply: boolean): string {
  if (prefixItems) return `[${prefixItems.map((one) => typeOf(one, named, indent, reply)).join(', ')}]`;
  if (!items) return 'unknown[]';
  const item = typeOf(items, named, indent, reply);
  return item.startsWith('{') || !/[|&]/.test(item) ? `${item}[]` : `(${item})[]`;
}

function objectText(schema: Schema, named: Names, indent: string, reply: boolean): string {
  const inner = `${indent}  `;
  const lines = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const mark = schema.required?.includes(name) ? '' : '?';
    return [
      ...documentation(property.description, inner),
      `${inner}${key(name)}${mark}: ${typeOf(property, named, inner, reply)};`,
    ].join('\n');
  });
  const others = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : null;
  if (others) lines.push(`${inner}[name: string]: ${typeOf(others, named, inner, reply)};`);
  // In a request, additional properties would accept every typing error.
  else if (reply && schema.additionalProperties === true) lines.push(`${inner}[name: string]: unknown;`);
  if (lines.length === 0) return '{ [name: string]: unknown }';
  return `{\n${lines.join('\n')}\n${indent}}`;
}

function unionText(types: readonly string[]): string {
  return types.includes('unknown') ? 'unknown' : [...new Set(types)].join(' | ');
}

/** The schemas under `components` that are referred to; each becomes a type of its name. */
class Names {
  readonly #schemas: Readonly<Record<string, Schema>>;
  readonly #made = new Map<string, string>();

  constructor(schemas: Readonly<Record<string, Schema>>) {
    this.#schemas = schemas;
  }

  nameOf(reference: string): string {
    const name = reference.slice(reference.lastIndexOf('/') + 1);
    const schema = this.#schemas[name];
    if (!schema) throw new Error(`the document has no schema ${name}`);
    if (!this.#made.has(name)) {
      this.#made.set(name, '');
      this.#made.set(name, declaration(name, schema, this));
    }
    return name;
  }

  declarations(): string[] {
    return [...this.#made].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text);
  }
}

function declaration(name: string, schema: Schema, named: Names): string {
  const says = documentation(schema.description, '').map((line) => `${line}\n`);
  const text = schema.properties
    ? `export interface ${name} ${objectText(schema, named, '', true)}\n`
    : `export type ${name} = ${typeOf(schema, named, '', true)};\n`;
  return `${says.join('')}${text}`;
}

function documentation(text: string | undefined, indent: string): string[] {
  return text ? [`${indent}/** ${comment(text)} */`] : [];
}

function comment(text: string): string {
  return text.replaceAll('*/', '* /').replace(/\s+/g, ' ');
}

function key(name: string): string {
  return /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(name) ? name : quoted(name);
}

function literal(value: unknown): string {
  return typeof value === 'string' ? quoted(value) : JSON.stringify(value);
}

function quoted(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

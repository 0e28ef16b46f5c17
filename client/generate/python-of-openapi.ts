import type { OpenApiDocument, Operation, Parameter, Schema } from './types-of-openapi.ts';

const METHODS = ['get', 'post', 'put', 'delete', 'patch'];
/** Keywords and built-in names that a Python name must not have. */
const KEYWORDS = new Set(
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
);
const UNKNOWN = 'Any';

/**
 * A Python module (3.11 and later) of an OpenAPI 3.1 document: a TypedDict for each object, and the class `Operations` with one method
 * for each operation that replies with JSON or a file. Event streams are left out. The same document gives the same bytes.
 */
export function pythonOfOpenApi(document: OpenApiDocument): string {
  const types = new Types(document.components?.schemas ?? {});
  const operations: { readonly name: string; readonly text: string }[] = [];
  for (const [path, methods] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(methods)) {
      if (!METHODS.includes(method) || isStream(operation)) continue;
      const name = snake(operation.operationId ?? `${method}${path.replace(/\W+/g, '_')}`);
      operations.push({ name, text: methodText(name, method, path, operation, types) });
    }
  operations.sort((a, b) => (a.name < b.name ? -1 : 1));
  return [
    '"""What the service takes and answers. Made from /openapi.json by `npm run client:types`; a test fails when it is stale."""',
    '',
    'from __future__ import annotations',
    '',
    'from typing import Any, Literal, NotRequired, TypeAlias, TypedDict',
    '',
    'from .http import Sender, new_key',
    '',
    ...types.declarations(),
    '',
    'class Operations:',
    '    """One method for each operation of the service."""',
    '',
    '    _sender: Sender',
    '',
    operations.map(({ text }) => text).join('\n\n'),
    '',
  ].join('\n');
}

function isStream(operation: Operation): boolean {
  return successes(operation).some(({ content }) => content?.['text/event-stream'] !== undefined);
}

function successes(operation: Operation) {
  return Object.entries(operation.responses)
    .filter(([status]) => /^2\d\d$/.test(status))
    .map(([, response]) => response);
}

function methodText(name: string, method: string, path: string, operation: Operation, types: Types): string {
  const parameters = operation.parameters ?? [];
  const inPath = parameters.filter((one) => one.in === 'path');
  const query = parameters.filter((one) => one.in === 'query');
  const headers = parameters.filter((one) => one.in === 'header');
  const title = pascal(name);
  const json = operation.requestBody?.content?.['application/json']?.schema;
  const typed = (one: Parameter) => types.typeOf(one.schema, `${title}${pascal(one.name)}`);
  const optional = (one: Parameter) => `${argument(one.name)}: ${typed(one)}${one.required ? '' : ' | None = None'}`;
  const keywords = [...query, ...headers].sort((a, b) => Number(b.required ?? false) - Number(a.required ?? false));
  const signature = [
    'self',
    ...inPath.map((one) => `${argument(one.name)}: ${typed(one)}`),
    ...(json
      ? [`body: ${types.typeOf(json, `${title}Body`)}${operation.requestBody?.required ? '' : ' | None = None'}`]
      : []),
    ...(keywords.length > 0 ? ['*', ...keywords.map(optional)] : []),
  ];
  const says = [
    operation.summary ?? name,
    ...[...inPath, ...keywords].flatMap((one) => {
      const text = one.description ?? one.schema.description;
      return text ? [`${argument(one.name)}: ${text}`] : [];
    }),
  ].map(documentation);
  return [
    `    def ${name}(`,
    ...signature.map((one) => `        ${one},`),
    `    ) -> ${replyType(operation, title, types)}:`,
    `        """${says.join('.\n        ')}.${says.length > 1 ? '\n        ' : ''}"""`,
    '        return self._sender.call(',
    `            ${quoted(method.toUpperCase())},`,
    `            ${quoted(path)},`,
    ...(inPath.length > 0 ? [`            path=${dictOf(inPath, String)},`] : []),
    ...(query.length > 0 ? [`            query=${dictOf(query, String)},`] : []),
    ...(headers.length > 0 ? [`            headers=${dictOf(headers, keyed)},`] : []),
    ...(json ? ['            body=body,'] : []),
    '        )',
  ].join('\n');
}

/** A POST under a key of its own may be sent again when its reply is lost. */
function keyed(name: string): string {
  return name === 'idempotency_key' ? 'idempotency_key or new_key()' : name;
}

function dictOf(parameters: readonly Parameter[], value: (name: string) => string): string {
  return `{${parameters.map(({ name }) => `${quoted(name)}: ${value(argument(name))}`).join(', ')}}`;
}

function replyType(operation: Operation, title: string, types: Types): string {
  const found = successes(operation).flatMap(({ content }) => {
    if (!content) return ['None'];
    return Object.entries(content).flatMap(([media, { schema }]) => {
      if (media === 'application/json') {
        // The client waits for a pending result, or raises: no call returns this reply.
        return schema?.$ref?.endsWith('/AwaitedSnapshot') ? [] : [types.typeOf(schema ?? {}, `${title}Reply`)];
      }
      return [media.startsWith('text/') || media === 'application/x-ndjson' ? 'str' : 'bytes'];
    });
  });
  return union(found);
}

/** The named types that operations refer to. A nested object is named after its path; equal ones share a name. */
class Types {
  readonly #schemas: Readonly<Record<string, Schema>>;
  readonly #aliases = new Map<string, string>();
  readonly #objects = new Map<string, string>();
  readonly #namesOfObjects = new Map<string, string>();

  constructor(schemas: Readonly<Record<string, Schema>>) {
    this.#schemas = schemas;
  }

  typeOf(schema: Schema, place: string): string {
    if (schema.$ref) return this.#named(schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1));
    if (schema.const !== undefined) return literals([schema.const]);
    if (schema.enum) return literals(schema.enum);
    if (schema.anyOf) return union(schema.anyOf.map((one) => this.typeOf(one, place)));
    const types = Array.isArray(schema.type) ? schema.type : [schema.type];
    return union(types.map((type: string | undefined) => this.#plain(type, schema, place)));
  }

  declarations(): readonly string[] {
    const objects = [...this.#objects].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text);
    // Members of objects are resolved late, the target of an alias at once: an alias comes after its parts.
    return [...objects, ...this.#aliases.values()];
  }

  #plain(type: string | undefined, schema: Schema, place: string): string {
    if (type === 'string') return 'str';
    if (type === 'integer') return 'int';
    if (type === 'number') return 'float';
    if (type === 'boolean') return 'bool';
    if (type === 'null') return 'None';
    if (type === 'array') {
      if (schema.prefixItems)
        return `list[${union(schema.prefixItems.map((one, index) => this.typeOf(one, `${place}${index + 1}`)))}]`;
      return `list[${schema.items ? this.typeOf(schema.items, `${place}Item`) : UNKNOWN}]`;
    }
    if (type !== 'object') return UNKNOWN;
    if (Object.keys(schema.properties ?? {}).length > 0) return this.#object(schema, place);
    const others = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : null;
    return `dict[str, ${others ? this.typeOf(others, `${place}Value`) : UNKNOWN}]`;
  }

  #named(name: string): string {
    const schema = this.#schemas[name];
    if (!schema) throw new Error(`the document has no schema ${name}`);
    if (this.#objects.has(name) || this.#aliases.has(name)) return name;
    if (schema.properties) {
      this.#objects.set(name, '');
      this.#objects.set(name, this.#declaration(name, schema));
    } else {
      const text = this.typeOf(schema, name);
      this.#aliases.set(name, `${remark(schema.description, '')}${name}: TypeAlias = ${text}\n`);
    }
    return name;
  }

  #object(schema: Schema, place: string): string {
    const form = JSON.stringify(schema);
    const known = this.#namesOfObjects.get(form);
    if (known) return known;
    let name = place;
    for (let number = 2; this.#objects.has(name) || this.#schemas[name]; number += 1) name = `${place}${number}`;
    this.#namesOfObjects.set(form, name);
    this.#objects.set(name, '');
    this.#objects.set(name, this.#declaration(name, schema));
    return name;
  }

  #declaration(name: string, schema: Schema): string {
    const members = Object.entries(schema.properties ?? {}).map(([key, property]) => {
      const type = this.typeOf(property, `${name}${pascal(key)}`);
      return { key, says: property.description, type: schema.required?.includes(key) ? type : `NotRequired[${type}]` };
    });
    const head = remark(schema.description, '');
    if (members.every(({ key }) => isName(key)))
      return `${head}class ${name}(TypedDict):\n${members.map(({ key, says, type }) => `${remark(says, '    ')}    ${key}: ${type}\n`).join('')}\n`;
    const lines = members.map(
      ({ key, says, type }) => `${remark(says, '        ')}        ${quoted(key)}: ${JSON.stringify(type)},\n`,
    );
    return `${head}${name} = TypedDict(\n    ${quoted(name)},\n    {\n${lines.join('')}    },\n)\n`;
  }
}

function union(types: readonly string[]): string {
  if (types.length === 0) return 'None';
  return types.includes(UNKNOWN) ? UNKNOWN : [...new Set(types)].join(' | ');
}

function literals(values: readonly unknown[]): string {
  const text = (value: unknown) => {
    if (value === null) return 'None';
    if (typeof value === 'boolean') return value ? 'True' : 'False';
    return typeof value === 'string' ? quoted(value) : null;
  };
  const shown = values.map(text);
  // Literal takes no fractions.
  if (shown.includes(null))
    return values.every((value) => Number.isInteger(value)) ? `Literal[${values.join(', ')}]` : 'float';
  return `Literal[${shown.join(', ')}]`;
}

function remark(text: string | undefined, indent: string): string {
  return text ? `${indent}# ${text.replace(/\s+/g, ' ')}\n` : '';
}

function documentation(text: string): string {
  return text.replace(/\s+/g, ' ').replaceAll('\\', '\\\\').replaceAll('"', '\\"').replace(/\.$/, '');
}

function isName(text: string): boolean {
  return /^[A-Za-z_]\w*$/.test(text) && !KEYWORDS.has(text);
}

function argument(name: string): string {
  const text = snake(name);
  return isName(text) ? text : `${text}_`;
}

function snake(text: string): string {
  return text
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/\W+/g, '_')
    .toLowerCase();
}

function pascal(text: string): string {
  return text
    .split(/[\W_]+/)
    .map((part) => part.slice(0, 1).toUpperCase() + part.slice(1))
    .join('');
}

/** A Python string is written as a JSON string, as long as it is ASCII or printable. */
function quoted(text: string): string {
  return JSON.stringify(text);
}

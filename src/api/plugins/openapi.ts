import swagger from '@fastify/swagger';
import type { FastifyPluginAsync } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import examples from './openapi-examples.json' with { type: 'json' };
import { WEBHOOKS } from './openapi-webhooks.ts';
import { referencePage } from './reference-page.ts';

const plugin: FastifyPluginAsync<{ version: string }> = async (server, { version }) => {
  await server.register(swagger, {
    convertConstToEnum: false,
    transformObject: (made) =>
      'openapiObject' in made
        ? (finishedDocument(
            { ...(made.openapiObject as Document), webhooks: WEBHOOKS as unknown as Document['paths'] },
            examples as Readonly<Record<string, Example>>,
          ) as never)
        : made.swaggerObject,
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Assay',
        version,
        description:
          'Rates crypto assets from cross-validated public data. Ratings are unsolicited opinions about risk, not credit ratings and not investment advice. A request that cannot be read, arrives too late, is too large (its URL and headers, or its body), is not JSON, or names a path or method that is not here is answered by a problem (400, 404, 405, 408, 413, 415, 431) on any path.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      components: {
        securitySchemes: {
          apiKey: {
            type: 'apiKey',
            name: 'X-API-Key',
            in: 'header',
            description: 'A key such as ak_live_...; never in a query string.',
          },
          bearer: { type: 'http', scheme: 'bearer', description: 'The same key as a bearer token.' },
        },
      },
      tags: [
        { name: 'scoring', description: 'Score a project now' },
        { name: 'jobs', description: 'Scoring jobs and their evidence' },
        {
          name: 'ratings',
          description: 'Published ratings, signed, and what they are made of; watchlists and disputes',
        },
        { name: 'policy', description: 'Rules of callers applied to published ratings; portfolios' },
        {
          name: 'transparency',
          description: 'The append-only log of published ratings: what was changed, dropped or dated back is found',
        },
        {
          name: 'public',
          description:
            'Objections of everybody and appeals of rated parties, without a key, where they are switched on',
        },
        { name: 'payments', description: 'Receipts of requests that were paid for one by one' },
        { name: 'alerts', description: 'What happened to watched assets' },
        { name: 'webhooks', description: 'Alerts sent to an address of yours' },
        { name: 'chain data', description: 'Market, holder and liquidity snapshots read from the chains' },
        { name: 'exports', description: 'The files of a day' },
        { name: 'usage', description: 'What an account has used, and its monthly statement' },
        { name: 'account', description: 'The account of a key, and its keys' },
        { name: 'admin', description: 'API keys of all accounts, disputes and appeals' },
        { name: 'service', description: 'Health and methodology' },
      ],
    },
  });
  server.get('/openapi.json', { schema: { hide: true } }, async () => server.swagger());
  referencePage(server);
};

/**
 * OpenAPI 3.1 from the route schemas at /openapi.json, and a page for people at /docs that loads nothing from other
 * hosts.
 */
export const openApi = fastifyPlugin(plugin, { name: 'openapi' });

interface Media {
  readonly schema?: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;
}
interface Content {
  readonly $ref?: string;
  readonly description?: string | undefined;
  readonly content?: Readonly<Record<string, Media>>;
}
interface Operation {
  readonly operationId?: string;
  readonly parameters?: readonly { readonly schema?: Schema }[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}
export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Document['paths'];
  readonly components?: Readonly<Record<string, unknown>>;
}

/** A request that was sent to the sandbox, and the reply of the service. */
export interface Example {
  /** Body of the request, when it has one. */
  readonly request?: unknown;
  readonly status: number;
  /** JSON, or the text of the reply; absent when it has no body. */
  readonly reply?: unknown;
  /** True when lists were cut to their first entries. */
  readonly shortened?: true;
}

const PROBLEM = 'application/problem+json';
const WHOLE = 'As the service replies in its sandbox.';
const SHORTENED = 'As the service replies in its sandbox; long lists are cut to their first entries.';

/**
 * The document as served: named schemas and problem replies appear once, under components, and operations have their
 * examples, found by operationId.
 */
export function finishedDocument(document: Document, examples: Readonly<Record<string, Example>>): Document {
  const { replaced, schemas } = createNamedSchemas();
  const replies = new Map<string, Content>();

  function media(content: Content, example: unknown, summary: string): Content {
    if (!content.content) return content;
    const types = Object.entries(content.content).map(([type, one]) => {
      const fits =
        example !== undefined && (typeof example === 'string') !== /^application\/(json|.+\+json)$/.test(type);
      return [
        type,
        {
          ...one,
          ...(one.schema && { schema: replaced(one.schema) }),
          ...(fits && { examples: { sandbox: { summary, value: example } } }),
        },
      ];
    });
    return { ...content, content: Object.fromEntries(types) };
  }

  function response(status: string, content: Content, example: Example | undefined): Content {
    const isProblem = content.content !== undefined && PROBLEM in content.content;
    const shown = example && String(example.status) === status ? example : undefined;
    const made = media(content, shown?.reply, shown?.shortened ? SHORTENED : WHOLE);
    if (!isProblem) return made;
    const name = `Problem${status}`;
    const known = replies.get(name);
    if (known && JSON.stringify(known) !== JSON.stringify(made)) return made;
    replies.set(name, made);
    return { $ref: `#/components/responses/${name}` };
  }

  function operation(one: Operation): Operation {
    const example = examples[one.operationId ?? ''];
    return {
      ...one,
      ...(one.parameters && {
        parameters: one.parameters.map((parameter) => ({
          ...parameter,
          ...(parameter.schema && { schema: replaced(parameter.schema) }),
        })),
      }),
      // The description is that of the schema, which is part of the document.
      ...(one.requestBody && {
        requestBody: media({ ...one.requestBody, description: undefined }, example?.request, WHOLE),
      }),
      responses: Object.fromEntries(
        Object.entries(one.responses).map(([status, content]) => [status, response(status, content, example)]),
      ),
    };
  }

  const operations = (places: Document['paths']): Document['paths'] =>
    Object.fromEntries(
      Object.entries(places).map(([place, methods]) => [
        place,
        Object.fromEntries(Object.entries(methods).map(([method, one]) => [method, operation(one)])),
      ]),
    );
  const [paths, webhooks] = [operations(document.paths), operations(document.webhooks)];
  const responses = Object.fromEntries([...replies].sort(([a], [b]) => (a < b ? -1 : 1)));
  return { ...document, paths, webhooks, components: { ...document.components, responses, schemas: schemas() } };
}

/** The JSON Schema keywords that our schemas use. */
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
  readonly patternProperties?: Readonly<Record<string, Schema>>;
}

const PLACE = '#/components/schemas/';
const NAME = /^[A-Z][A-Za-z0-9]*$/;

/**
 * Extracts the schemas that have a name as title from larger ones: `replaced` returns the schema with references in
 * their place, and `schemas` holds the referenced schemas. Throws when two different schemas have the same name.
 */
export function createNamedSchemas() {
  const named = new Map<string, string>();

  function replaced(schema: Schema): Schema {
    const [only, ...others] = schema.allOf ?? [];
    // A named schema that is used with a description of its own: JSON Schema 2020-12 allows `$ref` with siblings.
    if (only && others.length === 0 && schema.description !== undefined)
      return { ...replaced(only), description: schema.description };
    const inner = shorter(withInner(withAnyName(schema), replaced));
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

/**
 * `Type.Record` gives members of any name the pattern `^.*$`. @fastify/swagger rewrites the schemas of replies to
 * `additionalProperties`, but not those of webhooks, so one name would have two schemas.
 */
function withAnyName(schema: Schema): Schema {
  const { patternProperties, ...rest } = schema;
  const [only, ...others] = Object.values(patternProperties ?? {});
  return only === undefined || others.length > 0 ? schema : { ...rest, additionalProperties: only };
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

/** A tuple as JSON Schema 2020-12, and therefore OpenAPI 3.1, writes it. */
function tuple(places: readonly Schema[]): Schema {
  return { prefixItems: places, items: false, additionalItems: undefined } as Schema;
}

/**
 * The same schema in fewer bytes: alternative strings become one enumeration, and a nullable plain type becomes a list
 * of types.
 */
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

import type { IncomingMessage, ServerResponse } from 'node:http';
import type {
  FastifyBaseLogger,
  FastifyError,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifySchema,
  FastifySchemaCompiler,
  FastifyTypeProvider,
  RawServerDefault,
} from 'fastify';
import Type, { type TObject } from 'typebox';
import { createReader, type FieldError, type Input, problems, type ReadInput } from '../../contract/index.ts';
import { EvidenceUnavailable, type Result } from '../../domain/index.ts';
import {
  evidenceUnavailable,
  isStoreAway,
  PROBLEMS,
  type Problem,
  Refusal,
  STORE_AWAY,
  validationFailed,
} from '../replies/problems.ts';
import { readStrictBodies } from './strict-json.ts';

/** Routes receive query and body as described by their schemas, with defaults filled in. */
interface ReadBySchema extends FastifyTypeProvider {
  readonly validator: this['schema'] extends TObject ? Input<this['schema']> : unknown;
  readonly serializer: unknown;
}
export type Routes = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  ReadBySchema
>;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The reply when a part of the path does not match its schema: the resource does not exist. */
    readonly notFound?: Problem;
    /** True when a query means nothing here and is allowed: a path of the interface document without parameters. */
    readonly anyQuery?: boolean;
  }
}

const API_PATH = /^\/v1\//;
const NO_PARAMETERS = Type.Object({});

/**
 * Makes the server parse every request by the schemas of its route: strict JSON, one reader for query and body (errors
 * are RFC 9457 problems that name the fields), and what was ignored in the header `Assay-Warnings`. A route of
 * the API that describes no query refuses all parameters; pages take any, because other sites decorate links.
 */
export function readRequests(server: FastifyInstance): void {
  server.setValidatorCompiler<TObject>(readerOf);
  server.addHook('onRoute', (route) => {
    const { schema = {} } = route;
    if (schema.querystring || route.config?.anyQuery || !API_PATH.test(route.url)) return;
    const { response } = schema as { readonly response?: object };
    const documented = response && { response: { ...problems(400), ...response } };
    route.schema = { ...schema, querystring: NO_PARAMETERS, ...documented };
  });
  server.addHook('preHandler', (request, reply, done) => {
    warnOfIgnored(reply, ignoredOf(request.query), ignoredOf(request.body));
    done();
  });
  readStrictBodies(server);
}

/** Unknown names in a query or a body, which were ignored. */
const ignored = new WeakMap<object, readonly string[]>();

function ignoredOf(value: unknown): readonly string[] {
  return typeof value === 'object' && value !== null ? (ignored.get(value) ?? []) : [];
}

const MOST_WARNINGS = 5;

/** Lists the ignored fields in the header `Assay-Warnings`. */
export function warnOfIgnored(reply: FastifyReply, ...lists: readonly (readonly string[])[]): void {
  const warnings = lists.flat();
  if (warnings.length > 0) reply.header('assay-warnings', warnings.slice(0, MOST_WARNINGS).join(', ').slice(0, 1_000));
}

type Outcome = { readonly value: unknown } | { readonly error: Error } | true;

/** Converts a reader's result to the result type of a Fastify validator. */
function outcomeOf(read: ReadInput<TObject>): Outcome {
  if (!read.ok) return { error: new Refusal(validationFailed(read.errors), read.ignored) };
  if (read.ignored.length > 0) ignored.set(read.value, read.ignored);
  return { value: read.value };
}

const readerOf: FastifySchemaCompiler<TObject> = ({ schema, httpPart }) =>
  READERS[httpPart as keyof typeof READERS](schema);

/** For a route that parses the bytes of its body itself. */
export const unread: FastifySchemaCompiler<FastifySchema> = (part) =>
  part.httpPart === 'querystring' ? readerOf(part as Parameters<typeof readerOf>[0]) : () => true;

/** For a route whose body needs more than its schema to be read. The handler receives the result of `read`. */
export function withBodyReader(
  read: (body: unknown) => Result<object, { readonly errors: readonly FieldError[] }>,
): FastifySchemaCompiler<FastifySchema> {
  return (part) => {
    if (part.httpPart !== 'body') return readerOf(part as Parameters<typeof readerOf>[0]);
    return (body: unknown): Outcome => {
      const found = read(body);
      return found.ok ? found : { error: new Refusal(validationFailed(found.errors)) };
    };
  };
}

const READERS = {
  body(schema: TObject) {
    const read = createReader(schema);
    return (body: unknown) => outcomeOf(read(body));
  },
  querystring(schema: TObject) {
    const read = createReader(schema, { fromText: true });
    return (query: unknown) => outcomeOf(read(query));
  },
  params(schema: TObject) {
    // A chain that is not served has its own problem, which names the served ones: routes check closed lists
    // themselves.
    if (!Object.values(schema.properties).some((property) => 'pattern' in property)) return () => true as const;
    const read = createReader(schema, { fromText: true });
    return (params: unknown): Outcome => read(params).ok || { error: new Refusal(PROBLEMS.notFound) };
  },
  headers(schema: TObject) {
    const read = createReader(schema);
    return (headers: unknown): Outcome => {
      for (const name of Object.keys(schema.properties)) {
        const value = (headers as IncomingMessage['headers'])[name.toLowerCase()];
        if (value === undefined) continue;
        const found = read({ [name]: value });
        if (!found.ok) return { error: new Refusal(malformedHeader(name, found.errors)) };
      }
      return true;
    };
  },
};

function malformedHeader(name: string, [error]: readonly FieldError[]): Problem {
  return {
    status: 400,
    code: `malformed_${name.toLowerCase().replaceAll('-', '_')}`,
    title: `${name} could not be read`,
    detail: error?.detail ?? 'expected another value',
    retry: 'corrected',
  };
}

/** The problem for an error in reading or handling a request. `bodyLimit` in bytes. */
export function problemOfError(
  error: FastifyError | Refusal,
  request: FastifyRequest,
  reply: FastifyReply,
  bodyLimit: number,
): Problem {
  if (error instanceof Refusal) {
    warnOfIgnored(reply, error.ignored);
    const isPath = (error as unknown as FastifyError).validationContext === 'params';
    return (isPath ? request.routeOptions.config.notFound : undefined) ?? error.problem;
  }
  const known = BODY_ERRORS[error.code]?.(bodyLimit);
  if (known) return known;
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500)
    return badRequest(
      error.statusCode,
      'bad_request',
      'The request could not be read',
      'The request is not well formed.',
    );
  if (error instanceof EvidenceUnavailable) return evidenceUnavailable(error.message);
  return isStoreAway(error) ? STORE_AWAY : PROBLEMS.internal;
}

/** Problems for bodies that Fastify itself refuses, by its error code. */
const BODY_ERRORS: Readonly<Record<string, (limit: number) => Problem>> = {
  FST_ERR_CTP_EMPTY_JSON_BODY: () =>
    badRequest(400, 'empty_body', 'The body is empty', 'expected a JSON object in the body'),
  FST_ERR_CTP_BODY_TOO_LARGE: (limit) =>
    badRequest(413, 'body_too_large', 'The body is too large', `expected at most ${limit} bytes`),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () =>
    badRequest(415, 'unsupported_media_type', 'The body is not JSON', 'expected Content-Type: application/json'),
  FST_CP_ERR_INVALID_CONTENT_ENCODING: () =>
    badRequest(
      415,
      'unsupported_content_encoding',
      'The encoding of the body is not supported',
      'expected Content-Encoding: zstd, br, gzip or deflate, or none',
    ),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    badRequest(
      400,
      'wrong_content_length',
      'The body does not have the announced length',
      'Content-Length and the body differ',
    ),
};

function badRequest(status: number, code: string, title: string, detail: string): Problem {
  return { status, code, title, detail, retry: 'corrected' };
}

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
}

interface Reply {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}

interface Described {
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: Schema }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<Record<string, Reply | { readonly $ref: string }>>;
  readonly security?: readonly unknown[];
}

export interface Operation extends Described {
  readonly method: string;
  /** With `{name}` for parameters. */
  readonly path: string;
}

export interface OpenApi {
  readonly operations: readonly Operation[];
  /** What a `$ref` of the document points to; others as they are. */
  resolve(schema: Schema): Schema;
  /** Why a body is no problem (RFC 9457) as the document describes one; null when it is. */
  problemComplaint(body: Buffer): string | null;
  /** Why a reply is not one the document allows; null when it is. */
  complaint(operation: Operation, status: number, contentType: string, body: Buffer): string | null;
}

/** Reads an OpenAPI 3.1 document. */
export function readOpenApi(document: Readonly<Record<string, unknown>>): OpenApi {
  const ajv = new Ajv2020({ strict: false, allErrors: false, validateFormats: true });
  // The module is CommonJS: its function is the default export of the default export.
  (addFormatsModule as unknown as { default: (ajv: Ajv2020) => void }).default(ajv);
  ajv.addSchema({ $id: 'openapi', ...document });
  const validators = new Map<string, ValidateFunction>();
  const paths = document.paths as Readonly<Record<string, Readonly<Record<string, Described>>>>;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({ ...described, method: method.toUpperCase(), path })),
  );

  const validatorAt = (pointer: string): ValidateFunction => {
    let found = validators.get(pointer);
    if (!found) {
      found = ajv.compile({ $ref: `openapi#${pointer}` });
      validators.set(pointer, found);
    }
    return found;
  };

  const pointedTo = (reference: string): unknown =>
    reference
      .slice(2)
      .split('/')
      .reduce<unknown>((at, part) => (at as Record<string, unknown>)[unescaped(part)], document);

  return {
    operations,
    resolve: (schema) => (schema.$ref === undefined ? schema : (pointedTo(schema.$ref) as Schema)),
    problemComplaint: (body) => misfit(validatorAt('/components/schemas/Problem'), body),
    complaint({ method, path, responses }, status, contentType, body) {
      const given = responses[String(status)];
      if (given === undefined) return `status ${status} is not documented`;
      const isShared = '$ref' in given;
      const response = isShared ? (pointedTo(given.$ref) as Reply) : given;
      if (method === 'HEAD' || status === 204 || status === 304)
        return body.length === 0 ? null : 'a body where none may be';
      const type = contentType.split(';')[0]?.trim().toLowerCase() ?? '';
      const content = response.content ?? {};
      if (content[type] === undefined) return `${type || 'no content type'} is not documented for ${status}`;
      if (!/json$/.test(type) || content[type].schema === undefined) return null;
      const place = isShared
        ? given.$ref.slice(1)
        : pointerOf(['', 'paths', path, method.toLowerCase(), 'responses', String(status)]);
      return misfit(validatorAt(place + pointerOf(['', 'content', type, 'schema'])), body);
    },
  };
}

function misfit(validate: ValidateFunction, body: Buffer): string | null {
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8'));
  } catch {
    return 'the body is not JSON';
  }
  if (validate(value)) return null;
  const errors = (validate.errors ?? []).slice(0, 2);
  return errors.map((error) => `${error.instancePath} ${error.message}`).join('; ');
}

const pointerOf = (parts: readonly string[]) => parts.map((part) => encodeURIComponent(escaped(part))).join('/');
const escaped = (part: string) => part.replaceAll('~', '~0').replaceAll('/', '~1');
const unescaped = (part: string) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');

import type { Operations } from './api-types.ts';

export type OperationName = keyof Operations;
export type Reply<Name extends OperationName> = Operations[Name]['reply'];

/** Options of every call besides the operation’s own input. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Milliseconds for one attempt. */
  readonly timeoutMs?: number;
  /** Makes a POST safe to repeat. */
  readonly idempotencyKey?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

type Part<Key extends string, Value> = [Value] extends [undefined]
  ? { readonly [key in Key]?: undefined }
  : undefined extends Value
    ? { readonly [key in Key]?: Value }
    : { readonly [key in Key]: Value };

/** Input of an operation: its `path`, `query` and `body`, each only if the operation has one. */
export type Input<Name extends OperationName> = Part<'path', Operations[Name]['path']> &
  Part<'query', Operations[Name]['query']> &
  Part<'body', Operations[Name]['body']> &
  CallOptions;

interface AnyInput {
  readonly path?: object | undefined;
  readonly query?: object | undefined;
}

/** Method and address of a call. Throws a TypeError for a part that is not allowed in an address. */
export function addressOf(name: string, input: AnyInput): { readonly method: string; readonly path: string } {
  const [method = 'GET', template = '/'] = name.split(' ');
  const given = new Map<string, unknown>(Object.entries(input.path ?? {}));
  const path = template.replace(/\{([^}]+)\}/g, (_whole, part: string) => pathPart(part, given.get(part)));
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(input.query ?? {})) {
    if (value !== undefined && value !== null) query.set(key, String(value));
  }
  return { method, path: query.size > 0 ? `${path}?${query}` : path };
}

function pathPart(name: string, value: unknown): string {
  const text = typeof value === 'number' ? String(value) : value;
  // URL parsers resolve `.` and `..`, which would address another resource.
  if (typeof text !== 'string' || text === '' || text === '.' || text === '..')
    throw new TypeError(`path.${name}: expected a text that is not empty, . or ..`);
  return encodeURIComponent(text);
}

import type { Json } from '../domain/index.ts';
import type { HttpRequestSpec, Params } from './source.ts';

type Query = Readonly<Record<string, string | number | boolean>>;

/**
 * A GET request from templates similar to RFC 6570: `{id}` inserts the percent-encoded parameter, `{+repo}` inserts it unchanged.
 * In the query and the base both forms insert it unchanged, because the client encodes these.
 */
export function get(
  path: string,
  query?: Query,
  more: Pick<HttpRequestSpec, 'base' | 'headers'> = {},
): (params: Params) => HttpRequestSpec {
  return (params) => ({
    ...more,
    ...(more.base !== undefined && { base: raw(more.base, params) }),
    path: path.replace(PLACEHOLDER, (_, plus, name) => (plus ? String(params[name]) : encoded(params[name]))),
    ...(query && {
      query: Object.fromEntries(
        Object.entries(query).map(([name, value]) => [name, typeof value === 'string' ? raw(value, params) : value]),
      ),
    }),
  });
}

const PLACEHOLDER = /\{(\+?)(\w+)\}/g;

function raw(template: string, params: Params): string {
  return template.replace(PLACEHOLDER, (_, _plus, name) => String(params[name]));
}

/** A parameter as one segment of a path. */
export function encoded(value: Json | undefined): string {
  return encodeURIComponent(String(value));
}

/** A POST request with a JSON body. */
export function post(path: string, body: Json, more: Pick<HttpRequestSpec, 'base'> = {}): HttpRequestSpec {
  return { ...more, path, method: 'POST', body };
}

/** The page at the parameter `url`. */
export function atUrl({ url }: Params): HttpRequestSpec {
  return { url: String(url) };
}

/** A JSON-RPC 2.0 call. */
export function rpcCall(base: string, method: string, params: Json, path?: string): HttpRequestSpec {
  return { base, method: 'POST', ...(path && { path }), body: { jsonrpc: '2.0', id: 1, method, params } };
}

import type { Scene } from './scene.ts';

export interface FacadeRequest {
  readonly source: string;
  readonly base: string;
  readonly method: string;
  /** Begins with `/`; without the source's and base's prefix. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Parsed JSON of a POST; null otherwise. */
  readonly body: unknown;
  readonly host: string;
}

export interface FacadeReply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON unless `text` is given. */
  readonly json?: unknown;
  readonly text?: string;
  readonly contentType?: string;
}

/** A replica of one public source: requests and replies have the shapes of the source. */
export type Facade = (request: FacadeRequest, scene: Scene) => FacadeReply;

/** Facades match patterns in order. */
const expressions = new Map<string, { readonly names: readonly string[]; readonly expression: RegExp }>();

/** Parameters of a path like `/coins/:id`, or null when it is another path. The last `*name` takes the rest. */
export function matchPath(path: string, pattern: string): Readonly<Record<string, string>> | null {
  const known = expressions.get(pattern) ?? expressionOf(pattern);
  expressions.set(pattern, known);
  const { names, expression } = known;
  const match = expression.exec(path);
  if (!match) return null;
  return Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(match[index + 1] ?? '')]));
}

function expressionOf(pattern: string) {
  const names: string[] = [];
  const source = pattern.replaceAll(/[:*](\w+)/g, (whole, name: string) => {
    names.push(name);
    return whole.startsWith('*') ? '(.+)' : '([^/]+)';
  });
  return { names, expression: new RegExp(`^${source}/?$`) };
}

export function iso(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

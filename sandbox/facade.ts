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

/** One public source, played from the world: a request in its shape gives a reply in its shape. */
export type Facade = (request: FacadeRequest, scene: Scene) => FacadeReply;

/** Parameters of a path like `/coins/:id`, or null when it is another path. The last `*name` takes the rest. */
export function matchPath(path: string, pattern: string): Readonly<Record<string, string>> | null {
  const names: string[] = [];
  const source = pattern.replaceAll(/[:*](\w+)/g, (whole, name: string) => {
    names.push(name);
    return whole.startsWith('*') ? '(.+)' : '([^/]+)';
  });
  const match = new RegExp(`^${source}/?$`).exec(path);
  if (!match) return null;
  return Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(match[index + 1] ?? '')]));
}

export function iso(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

import type { UpstreamRequest } from './types.ts';

/** Cuts keys out of texts that are recorded: named query parameters, user names, and the key values themselves wherever a host echoes them. */
export interface Redactor {
  url(url: URL | string): string;
  text(text: string): string;
  headers(headers: Readonly<Record<string, string>>): Record<string, string>;
}

/** Builds the redactor of one request. */
export function createRedactor(request: UpstreamRequest): Redactor {
  const secrets = secretValues(request);
  const text = (plain: string) => secrets.reduce((cut, secret) => cut.replaceAll(secret, CUT), plain);
  return {
    text,
    headers: (headers) => Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, text(value)])),
    url(address) {
      const href = typeof address === 'string' ? address : address.href;
      if (!URL.canParse(href)) return '';
      const url = new URL(href);
      url.username = '';
      url.password = '';
      url.hash = '';
      for (const name of request.secretQuery) if (url.searchParams.has(name)) url.searchParams.set(name, CUT);
      return text(url.href);
    },
  };
}

const CUT = 'cut';
/** Shorter values would cut innocent words. */
const SHORTEST_SECRET = 6;

function secretValues(request: UpstreamRequest): readonly string[] {
  const url = URL.canParse(request.url) ? new URL(request.url) : null;
  const query = request.secretQuery.flatMap((name) => url?.searchParams.getAll(name) ?? []);
  const plain = [
    ...query,
    url?.password ?? '',
    ...Object.values(request.secretHeaders).flatMap((value) => [value, value.replace(/^\S+ /, '')]),
  ];
  return [...new Set(plain.flatMap((value) => [value, encodeURIComponent(value)]))]
    .filter((value) => value.length >= SHORTEST_SECRET)
    .sort((a, b) => b.length - a.length);
}

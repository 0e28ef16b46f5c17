import { HOSTILE_TEXTS } from './hostile-texts.ts';
import type { Sent } from './http-request.ts';
import { madeValue } from './made-values.ts';
import type { OpenApi, Operation } from './open-api.ts';
import type { Chance } from './seeded.ts';

/** Names by parameter that lead somewhere, so that not every request ends at the first door. */
export type Known = Readonly<Record<string, readonly string[]>>;

export interface Credentials {
  readonly good: string;
  readonly others: readonly string[];
}

const TEXTS = Object.values(HOSTILE_TEXTS);
const TYPES = [
  'application/json',
  'application/json; charset=utf-16',
  'text/plain',
  'application/xml',
  'multipart/form-data; boundary=x',
  'application/json;;',
  'APPLICATION/JSON',
];
const HEADERS: Readonly<Record<string, readonly string[]>> = {
  accept: ['*/*', 'application/json', 'text/html', 'text/markdown', 'text/csv', 'image/png', ',;q=', 'x'.repeat(2_000)],
  'accept-encoding': ['identity', 'gzip', 'br', 'zstd', 'gzip;q=0, *;q=0', '*', 'gzip;q=nan', ','.repeat(500)],
  'if-none-match': ['*', '"x"', 'W/"x"', '"', ','.repeat(500), '"a", "b", *'],
  'if-modified-since': ['Sat, 21 Nov 2026 10:00:00 GMT', 'yesterday'],
  prefer: ['respond-async', 'wait=0', 'wait=-1', 'wait=1e9', 'respond-async, wait=1', 'wait="1', ';;,='],
  range: ['bytes=0-1', 'bytes=5-1', 'bytes=-', 'bytes=0-0,2-3', 'bytes=999999999999999999999-', 'lines=1-2'],
  'last-event-id': ['0', '-1', '1e99', 'x', '9007199254740993'],
  'idempotency-key': ['a', 'é', ' ', 'k'.repeat(300)],
  'x-request-id': ['abc', 'a b', '<script>', 'x'.repeat(500), '../..'],
  origin: ['https://evil.example', 'null'],
  'x-forwarded-for': ['127.0.0.1', '::1, 8.8.8.8', 'x'.repeat(1_000)],
  'x-forwarded-host': ['evil.example'],
  'x-http-method-override': ['DELETE'],
  'content-encoding': ['gzip', 'br', 'identity', 'x'],
  'payment-signature': ['', 'x', 'e30=', 'bnVsbA==', 'eyJ4NDAyVmVyc2lvbiI6Mn0=', 'A'.repeat(2_000)],
  cookie: ['a=b; __proto__=c'],
};
const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS', 'TRACE'];

/** One request to an operation: mostly near what it takes, hostile in places. */
export function fuzzedRequest(
  api: OpenApi,
  operation: Operation,
  { known, keys, chance }: { readonly known: Known; readonly keys: Credentials; readonly chance: Chance },
): Sent {
  const spoil = chance.pick([0, 0.05, 0.2, 0.5]);
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) =>
    chance.once(spoil) ? hostilePart(chance) : encodeURIComponent(chance.pick(namesOf(known, operation.path, name))),
  );
  const headers: Record<string, string> = {};
  const key = chance.once(0.85) ? keys.good : chance.pick([...keys.others, '']);
  if (key !== '') Object.assign(headers, chance.once(0.8) ? { 'x-api-key': key } : { authorization: `Bearer ${key}` });
  for (const [name, values] of Object.entries(HEADERS))
    if (chance.once(name === 'x-http-method-override' ? 0.02 : 0.08)) headers[name] = chance.pick(values);
  const schema = operation.requestBody?.content['application/json']?.schema;
  const body = schema ? bodyText(madeValue(api, schema, chance, spoil), chance, spoil) : strayBody(chance);
  if (body !== null) headers['content-type'] = chance.once(0.93) ? 'application/json' : chance.pick(TYPES);
  const method = chance.once(0.97) ? operation.method : chance.pick(METHODS);
  return { method, path: path + queryOf(api, operation, chance, spoil, known), headers, body };
}

/** What a part of a path may be: under one resource (`/v1/bulk/id`), else wherever it has this name. */
function namesOf(known: Known, path: string, name: string): readonly string[] {
  return known[`${path.split('{')[0]}${name}`] ?? known[name] ?? ['x'];
}

function hostilePart(chance: Chance): string {
  const text = chance.pick(TEXTS).slice(0, 3_000);
  if (chance.once(0.15))
    return chance.pick(['%', '%zz', '%c0%af', '%ff', '%00', '..', '%2e%2e', '%2F', '%25', ';a=b', '*', '~']);
  return encodeURIComponent(text.toWellFormed());
}

function queryOf(api: OpenApi, { parameters = [] }: Operation, chance: Chance, spoil: number, known: Known): string {
  const pairs: string[] = [];
  for (const { name, in: place, schema } of parameters) {
    if (place !== 'query' || !chance.once(0.35)) continue;
    const value = chance.once(0.2) && known[name] ? chance.pick(known[name]) : madeValue(api, schema, chance, spoil);
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    pairs.push(`${encodeURIComponent(name)}=${encodeURIComponent(String(text).slice(0, 2_000).toWellFormed())}`);
    if (chance.once(0.03)) pairs.push(`${encodeURIComponent(name)}=again`);
  }
  if (chance.once(spoil / 2))
    pairs.push(
      chance.pick([
        '__proto__=1',
        'constructor[prototype][x]=1',
        'a[]=1',
        '=',
        '&&',
        '%',
        '%ff=%ff',
        'cursor=%00',
        'x'.repeat(3_000),
      ]),
    );
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

function bodyText(value: unknown, chance: Chance, spoil: number): string | Buffer {
  const text = JSON.stringify(value) ?? '';
  if (!chance.once(spoil / 3)) return text;
  return chance.pick<string | Buffer>([
    text.slice(0, Math.floor(text.length / 2)),
    `${text}${text}`,
    `${String.fromCharCode(0xfeff)}${text}`,
    Buffer.from(text, 'utf16le'),
    Buffer.from([0xff, 0xfe, 0x00]),
    `{"__proto__":{"x":1},"constructor":{"prototype":{"x":1}}}`,
    `[${'['.repeat(2_000)}`,
    '{"a":1,"a":2}',
    '',
    'null',
    '"text"',
    '1e999',
  ]);
}

function strayBody(chance: Chance): string | null {
  return chance.once(0.04) ? chance.pick(['{}', '[]', 'x', '']) : null;
}

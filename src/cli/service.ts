import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config/index.ts';
import { ok, type Result } from '../domain/index.ts';
import { readJson, textOverHttp } from '../mcp/index.ts';
import type { Terminal } from './context.ts';

/** A running service that a command uses instead of the data folder. */
export interface Service {
  readonly url: string;
  /** JSON of a reply with a status below 400; otherwise the problem as text, and what to do. */
  json(given: ServiceRequest): Promise<Result<ServiceReply, ServiceRefusal>>;
  /** The same for a reply of another type. */
  text(given: ServiceRequest & { readonly accept: string }): Promise<Result<string, ServiceRefusal>>;
}

interface ServiceRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  /** A raw body, instead of `body`. */
  readonly raw?: { readonly type: string; readonly bytes: Uint8Array<ArrayBuffer> };
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
}
export interface ServiceReply {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}
export interface ServiceRefusal {
  /** 0 without a reply. */
  readonly status: number;
  readonly detail: string;
  /** The problem object; empty where there was none. */
  readonly problem: Readonly<Record<string, unknown>>;
}

const USUAL_MS = 30_000;
const MOST_TRIED = 12;
const MOST_WAITS = 5;
const LONGEST_WAIT_SECONDS = 30;
const NOT_A_SERVICE =
  'replied, but not as a service of Assay: ASSAY_URL is the address that its start prints, without a path';

/**
 * The service of ASSAY_URL; null without one. A URL without a key is refused, since the command would otherwise use the
 * data folder instead.
 */
export function serviceOf(
  { serviceUrl: url, serviceKey: key }: Pick<Config, 'serviceUrl' | 'serviceKey'>,
  terminal: Pick<Terminal, 'progress'>,
): Result<Service | null, { readonly detail: string }> {
  if (url === null) return ok(null);
  if (key === null)
    return {
      ok: false,
      detail: `ASSAY_URL is set to ${url}, and ASSAY_API_KEY is not: set it to a key of that service (assay keys create makes one there), or unset ASSAY_URL to work on the data folder`,
    };
  const request = textOverHttp(url, key);
  const send = async ({
    method = 'GET',
    path,
    body,
    raw,
    headers,
    timeoutMs = USUAL_MS,
    accept,
  }: ServiceRequest & { readonly accept: string }) => {
    const sent =
      raw !== undefined
        ? { body: raw.bytes, type: raw.type }
        : body === undefined
          ? {}
          : { body: JSON.stringify(body), type: 'application/json' };
    for (let tries = 1; ; tries += 1) {
      const result = await request(
        { method, path, accept, timeoutMs, ...(headers === undefined ? {} : { headers }), ...sent },
        new AbortController().signal,
      );
      if (!result.ok)
        return {
          ok: false,
          status: 0,
          detail: `${result.detail}\nASSAY_URL names the service; assay doctor on its machine reports what is wrong there; without ASSAY_URL the command works on the data folder`,
          problem: {},
        } as const;
      const { status, retryAfter, text } = result.value;
      if (status < 400) return ok({ status, text });
      const problem = members(readJson(text));
      const wait = Number(retryAfter ?? Number.NaN);
      // A limit of the plan resets after a while; no work was started.
      if (status === 429 && tries < MOST_WAITS && wait <= LONGEST_WAIT_SECONDS) {
        terminal.progress(`${url} refuses more requests now (${String(problem.code)}); retrying in ${wait} s`);
        await sleep(wait * 1000);
        continue;
      }
      return { ok: false, status, detail: problemText(status, problem, url), problem } as const;
    }
  };
  return ok({
    url,
    async json(given) {
      const result = await send({ ...given, accept: 'application/json' });
      if (!result.ok) return result;
      const body = readJson(result.value.text);
      if (result.value.text !== '' && (typeof body !== 'object' || body === null))
        return { ok: false, status: result.value.status, detail: `${url} ${NOT_A_SERVICE}`, problem: {} };
      return ok({ status: result.value.status, body: members(body) });
    },
    async text(given) {
      const result = await send(given);
      return result.ok ? ok(result.value.text) : result;
    },
  });
}

/** A problem of the API as lines for a terminal: the problem, each error, candidates, attempts, remedy. */
export function problemText(status: number, problem: Readonly<Record<string, unknown>>, url: string): string {
  const { code, detail } = problem;
  if (typeof code !== 'string') return `${url} ${NOT_A_SERVICE} (status ${status})`;
  const { asset: toRate } = members(members(problem.how_to_rate).body);
  const rows = (name: string) => (Array.isArray(problem[name]) ? problem[name] : []);
  const candidates = rows('candidates').map((row) => {
    const { why } = members(row);
    const { id, name, symbol } = members(members(row).asset ?? row);
    return `  ${plain(id)}  ${plain(name)}${symbol ? ` (${plain(symbol)})` : ''}${why ? `: ${plain(why)}` : ''}`;
  });
  const errors = rows('errors').map((row) => {
    const { pointer, detail: why } = members(row);
    return `  ${String(pointer ?? '').replace(/^\//, '') || 'request'}: ${plain(why)}`;
  });
  // The detail mentions members of a reply that a terminal does not show.
  const said = code === 'asset_not_rated' ? 'there is no rating under this name' : plain(detail);
  return [
    `${code}: ${said}`,
    ...errors,
    ...candidates,
    ...(typeof toRate === 'string' ? [`assay score ${plain(toRate)} has it rated`] : []),
    ...(candidates.length > 0 ? ['give one of these ids in place of the name'] : []),
    ...rows('tried')
      .slice(0, MOST_TRIED)
      .map((row) => `  tried: ${plain(row)}`),
    ...(status === 401 ? [`ASSAY_API_KEY is not a key of ${url}: assay keys create makes one there`] : []),
    ...(status >= 500 || status === 422
      ? ['assay doctor, on the machine of the service, lists the sources that respond']
      : []),
  ].join('\n');
}

export function members(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** Names are untrusted text, which may contain control sequences of a terminal. */
export function plain(text: unknown): string {
  return String(text ?? '').replace(/\p{C}/gu, '?');
}

/** Rows under a header as aligned columns; numeric columns are right-aligned. */
export function tableText(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const wide = head.map((title, at) => Math.max(title.length, ...rows.map((row) => (row[at] ?? '').length)));
  const right = head.map((_, at) => rows.length > 0 && rows.every((row) => /^[-+\u2212]?[\d.,]*$/.test(row[at] ?? '')));
  return [head, ...rows]
    .map((row) =>
      row
        .map((cell, at) => (right[at] ? cell.padStart(wide[at] ?? 0) : cell.padEnd(wide[at] ?? 0)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

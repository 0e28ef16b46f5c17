import { readReply } from '../../src/evidence/index.ts';
import type { ServedReplies, ServedRow } from './served.ts';

/** Mistakes that a source may begin to make; each finds its place in a reply by a value that a check reads there. */
export const PLANTS = {
  unit: leaf((value) => (typeof value === 'number' ? value * 1e6 : null)),
  side: leaf((value) => (typeof value === 'number' ? value / 2 : null)),
  sign: leaf((value) => (typeof value === 'number' && value !== 0 ? -value : null)),
  'changed enumeration': leaf((value) => (typeof value === 'string' && /^[a-z_]+$/i.test(value) ? 'NEW_NAME' : null)),
  'renamed field': rename,
  'other asset': otherAsset,
  stale: leaf((value) => (isTime(value) ? new Date(Date.parse(String(value)) - 3 * 86_400_000).toISOString() : null)),
  'HTML instead of JSON': () => ({
    body: Buffer.from('<!doctype html><title>Just a moment</title>'),
    contentType: 'text/html',
  }),
} satisfies Record<string, Mistake>;

export type PlantName = keyof typeof PLANTS;
type Mistake = (
  served: ServedRow,
  all: readonly ServedRow[],
) => { readonly body: Buffer; readonly contentType?: string } | null;

export interface PlantCount {
  readonly planted: number;
  readonly found: number;
  /** Files of recordings in which it was not found. */
  readonly missed: readonly string[];
  /** Findings about recordings that nothing was planted into. */
  readonly falseAlarms: number;
}

/** Plants one mistake into every recording that has a place for it, and counts where it is found. */
export async function plantEverywhere(replies: ServedReplies, name: PlantName): Promise<PlantCount> {
  const bodies = new Map<ServedRow, { readonly body: Buffer; readonly contentType?: string }>();
  for (const row of replies.rows) {
    const body = row.row.checks.length === 0 ? null : PLANTS[name](row, replies.rows);
    if (body !== null && !body.body.equals(row.body)) bodies.set(row, body);
  }
  const findings = await replies.prove(replies.rows, (row) => bodies.get(row) ?? null);
  const blamed = new Set(findings.map((row) => row.asset));
  const planted = new Set([...bodies.keys()].map(({ row }) => row.file));
  const missed = [...planted].filter((file) => !blamed.has(file));
  return {
    planted: planted.size,
    found: planted.size - missed.length,
    missed,
    falseAlarms: [...blamed].filter((file) => !planted.has(file)).length,
  };
}

type Path = readonly (string | number)[];

/** Changes the first leaf that holds the value of a check, and from which the adapter reads it. */
function leaf(change: (value: unknown) => unknown): Mistake {
  return (served) => {
    const json = parsed(served);
    if (json === undefined) return null;
    for (const { value } of served.row.checks) {
      const changed = change(value);
      if (changed === null) continue;
      for (const path of find(json, (found) => isSame(found, value)).slice(0, MOST_PLACES)) {
        const isText = typeof at(json, path) === 'string' && typeof changed === 'number';
        const body = bodyOf(put(json, path, isText ? String(changed) : changed));
        if (isRead(served, body.body)) return body;
      }
    }
    return null;
  };
}

const MOST_PLACES = 20;

/** The field that holds the value of a check gets another name, in all rows of a list. */
function rename(served: ServedRow): ReturnType<Mistake> {
  const json = parsed(served);
  for (const { value } of json === undefined ? [] : served.row.checks) {
    for (const path of find(json, (found) => isSame(found, value)).slice(0, MOST_PLACES)) {
      const field = path.findLast((step) => typeof step === 'string');
      if (field === undefined) continue;
      const renamed = JSON.parse(JSON.stringify(json), (_name, held: unknown) =>
        typeof held === 'object' && held !== null && !Array.isArray(held) && Object.hasOwn(held, field)
          ? Object.fromEntries(Object.entries(held).map(([name, one]) => [name === field ? `${name}_v2` : name, one]))
          : held,
      );
      const body = bodyOf(renamed);
      if (isRead(served, body.body)) return body;
    }
  }
  return null;
}

/** True when the adapter reads something else of this body about what the checks are about: a mistake in a field that nobody reads is none. */
function isRead({ source, endpoint, params, row, body }: ServedRow, other: Buffer): boolean {
  const meta = { status: row.status ?? 200, headers: row.headers ?? {}, fetchedAt: new Date(0).toISOString(), url: '' };
  const checked = new Set(row.checks.map((check) => check.quantity));
  const [before, after] = [body, other].map((bytes) => {
    const { observations } = readReply(source, endpoint, params, bytes, meta, 'planted');
    return JSON.stringify(observations.filter(({ quantity }) => checked.has(quantity)).map(({ value }) => value));
  });
  return before !== after;
}

/** The reply that the same endpoint gave about something else. */
function otherAsset(served: ServedRow, all: readonly ServedRow[]): ReturnType<Mistake> {
  const stated = JSON.stringify(served.row.checks);
  const other = all.find(
    ({ row, endpoint }) =>
      endpoint === served.endpoint &&
      row.asset !== served.row.asset &&
      row.status === served.row.status &&
      JSON.stringify(row.checks) !== stated,
  );
  return other === undefined || !isRead(served, other.body) ? null : { body: other.body };
}

function parsed({ body, endpoint }: ServedRow): unknown {
  if (endpoint.format !== undefined && endpoint.format !== 'json') return undefined;
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

function bodyOf(json: unknown): { readonly body: Buffer } {
  return { body: Buffer.from(JSON.stringify(json)) };
}

function isSame(found: unknown, value: unknown): boolean {
  if (typeof value === 'number' && (typeof found === 'number' || (typeof found === 'string' && found !== '')))
    return Math.abs(Number(found) - value) <= 1e-9 * Math.abs(value) && value !== 0;
  if (isTime(value) && typeof found === 'string') return Date.parse(found) === Date.parse(String(value));
  return typeof value === 'string' && value.length > 2 && found === value;
}

function isTime(value: unknown): boolean {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) && !Number.isNaN(Date.parse(value));
}

function find(json: unknown, wanted: (value: unknown) => boolean, path: Path = []): readonly Path[] {
  if (typeof json !== 'object' || json === null) return wanted(json) ? [path] : [];
  return Object.entries(json).flatMap(([name, value]) =>
    find(value, wanted, [...path, Array.isArray(json) ? Number(name) : name]),
  );
}

function at(json: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, step) => (value as Readonly<Record<string, unknown>>)[step as string], json);
}

function put(json: unknown, path: Path, value: unknown): unknown {
  const copy = structuredClone(json) as Record<string, unknown>;
  const [last] = path.slice(-1);
  (at(copy, path.slice(0, -1)) as Record<string, unknown>)[last as string] = value;
  return copy;
}

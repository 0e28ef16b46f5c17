import { readFile } from 'node:fs/promises';
import { join, normalize, sep } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { parseSavedReply } from '../../src/evidence/index.ts';
import { SOURCES } from '../../src/sources/index.ts';
import { type Check, difference, type Wrong } from './compare.ts';
import { type ListReading, type ListRow, oursOf, readList } from './lists.ts';

const Index = Type.Array(
  Type.Object({
    file: Type.String(),
    source: Type.String(),
    endpoint: Type.String(),
    asset: Type.Optional(Type.Union([Type.Null(), Type.String()])),
    url: Type.Optional(Type.Union([Type.Null(), Type.String()])),
    params: Type.Optional(Type.Union([Type.Null(), Type.Record(Type.String(), Type.Unknown())])),
    headers: Type.Optional(Type.Union([Type.Null(), Type.Record(Type.String(), Type.String())])),
    status: Type.Optional(Type.Union([Type.Null(), Type.Integer()])),
    fetched_at: Type.Optional(Type.Union([Type.Null(), Type.String()])),
    recorded: Type.Optional(Type.Union([Type.Null(), Type.String()])),
    checks: Type.Array(
      Type.Object({
        quantity: Type.String(),
        value: Type.Unknown(),
        unit: Type.Optional(Type.String()),
        scope: Type.String(),
        lower_bound: Type.Optional(Type.Boolean()),
      }),
    ),
  }),
);
/** One row of `index.json`. */
export type Row = Static<typeof Index>[number];
const validator = Compile(Index);
const LARGEST_REPLY = 256 * 1024 * 1024;

export interface Result {
  readonly replies: number;
  readonly readings: number;
  readonly right: number;
  readonly wrong: readonly Wrong[];
  /** Checks of what no adapter reads: they are no readings. */
  readonly unread: number;
  /** By `<source>.<endpoint>`: replies tried, observations checked, observations wrong. */
  readonly endpoints: Readonly<
    Record<
      string,
      { readonly replies: number; readonly readings: number; readonly wrong: number; readonly unread: number }
    >
  >;
}

/** Gives each recorded reply of `folder/index.json` to its adapter, as the service would, and compares every check. Throws when the index cannot be read. */
export async function checkReplies(folder: string): Promise<Result> {
  const rows = await readIndex(folder);
  const wrong: Wrong[] = [];
  const endpoints: Record<string, { replies: number; readings: number; wrong: number; unread: number }> = {};
  for (const row of rows) {
    const found = await checkReply(folder, row);
    wrong.push(...found.wrong);
    const name = nameOf(row);
    endpoints[name] ??= { replies: 0, readings: 0, wrong: 0, unread: 0 };
    const sum = endpoints[name];
    if (!sum) continue;
    sum.replies += 1;
    sum.readings += row.checks.length - found.unread;
    sum.wrong += found.wrong.length;
    sum.unread += found.unread;
  }
  const total = (of: 'readings' | 'unread') => Object.values(endpoints).reduce((sum, one) => sum + one[of], 0);
  const readings = total('readings');
  return { replies: rows.length, readings, right: readings - wrong.length, wrong, unread: total('unread'), endpoints };
}

/** `<source>.<endpoint>` in our words where an endpoint of ours reads the reply, else in the provider's. */
function nameOf(row: Row): string {
  const ours = isOfList(row) ? oursOf(row as ListRow) : null;
  return ours === null ? `${row.source}.${row.endpoint}` : `${ours.source}.${ours.endpoint}`;
}

/** Rows of the first index are about one asset, in our own words; those of the other one are about whole lists, in the provider's. */
const isOfList = (row: Row) => row.url !== undefined || typeof row.asset !== 'string';

/** The rows of `folder/index.json`. Throws when it cannot be read. */
export async function readIndex(folder: string): Promise<readonly Row[]> {
  const rows: unknown = JSON.parse(await readFile(join(folder, 'index.json'), 'utf8'));
  if (validator.Check(rows)) return rows;
  const first = validator.Errors(rows)[0];
  throw new Error(`index.json: ${first?.instancePath ?? ''} ${first?.message ?? 'is not a list of replies'}`);
}

async function checkReply(folder: string, row: Row): Promise<ListReading> {
  const path = normalize(join(folder, row.file));
  if (!path.startsWith(normalize(folder + sep))) throw new Error(`${row.file} lies outside the folder`);
  const saved = await readFile(path);
  const body = saved[0] === 0x1f && saved[1] === 0x8b ? gunzipSync(saved, { maxOutputLength: LARGEST_REPLY }) : saved;
  const { asset } = row;
  if (isOfList(row) || typeof asset !== 'string') {
    const ours = oursOf(row as ListRow);
    return ours === null ? { wrong: [], unread: row.checks.length } : readList(row as ListRow, ours, body);
  }
  const read = parseSavedReply(
    SOURCES,
    {
      source: row.source,
      endpoint: row.endpoint,
      asset,
      given: (row.params ?? {}) as Parameters<typeof parseSavedReply>[1]['given'],
      status: row.status ?? 200,
      headers: row.headers ?? {},
      fetchedAt: row.fetched_at ?? row.recorded ?? new Date(0).toISOString(),
    },
    body,
  );
  const outcome = read.ok ? (read.detail ? `${read.outcome}: ${read.detail}` : read.outcome) : read.detail;
  const observations = read.ok ? read.observations : [];
  return {
    wrong: row.checks.flatMap((check) => difference(row.file, check as Check, outcome, observations) ?? []),
    unread: 0,
  };
}

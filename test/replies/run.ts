import { readFile } from 'node:fs/promises';
import { join, normalize, sep } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { parseSavedReply } from '../../src/evidence/index.ts';
import { SOURCES } from '../../src/sources/index.ts';
import { type Check, difference, type Wrong } from './compare.ts';

const Index = Type.Array(
  Type.Object({
    file: Type.String(),
    source: Type.String(),
    endpoint: Type.String(),
    asset: Type.String(),
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
  /** By `<source>.<endpoint>`: replies tried, observations checked, observations wrong. */
  readonly endpoints: Readonly<
    Record<string, { readonly replies: number; readonly readings: number; readonly wrong: number }>
  >;
}

/** Gives each recorded reply of `folder/index.json` to its adapter, as the service would, and compares every check. Throws when the index cannot be read. */
export async function checkReplies(folder: string): Promise<Result> {
  const rows = await readIndex(folder);
  const wrong: Wrong[] = [];
  const endpoints: Record<string, { replies: number; readings: number; wrong: number }> = {};
  for (const row of rows) {
    const missed = await checkReply(folder, row);
    wrong.push(...missed);
    endpoints[`${row.source}.${row.endpoint}`] ??= { replies: 0, readings: 0, wrong: 0 };
    const sum = endpoints[`${row.source}.${row.endpoint}`];
    if (!sum) continue;
    sum.replies += 1;
    sum.readings += row.checks.length;
    sum.wrong += missed.length;
  }
  const readings = rows.reduce((sum, row) => sum + row.checks.length, 0);
  return { replies: rows.length, readings, right: readings - wrong.length, wrong, endpoints };
}

/** The rows of `folder/index.json`. Throws when it cannot be read. */
export async function readIndex(folder: string): Promise<readonly Row[]> {
  const rows: unknown = JSON.parse(await readFile(join(folder, 'index.json'), 'utf8'));
  if (validator.Check(rows)) return rows;
  const first = validator.Errors(rows)[0];
  throw new Error(`index.json: ${first?.instancePath ?? ''} ${first?.message ?? 'is not a list of replies'}`);
}

async function checkReply(folder: string, row: Row): Promise<readonly Wrong[]> {
  const path = normalize(join(folder, row.file));
  if (!path.startsWith(normalize(folder + sep))) throw new Error(`${row.file} lies outside the folder`);
  const saved = await readFile(path);
  const body = saved[0] === 0x1f && saved[1] === 0x8b ? gunzipSync(saved, { maxOutputLength: LARGEST_REPLY }) : saved;
  const read = parseSavedReply(
    SOURCES,
    {
      source: row.source,
      endpoint: row.endpoint,
      asset: row.asset,
      given: (row.params ?? {}) as Parameters<typeof parseSavedReply>[1]['given'],
      status: row.status ?? 200,
      headers: row.headers ?? {},
      fetchedAt: row.fetched_at ?? row.recorded ?? new Date(0).toISOString(),
    },
    body,
  );
  const outcome = read.ok ? (read.detail ? `${read.outcome}: ${read.detail}` : read.outcome) : read.detail;
  const observations = read.ok ? read.observations : [];
  return row.checks.flatMap((check) => difference(row.file, check as Check, outcome, observations) ?? []);
}

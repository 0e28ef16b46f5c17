import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, normalize, sep } from 'node:path';
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Observation } from '../domain/index.ts';
import { parseSavedReply, readReply } from '../evidence/index.ts';
import type { Params, Source } from '../sources/index.ts';
import type { Finding } from './finding.ts';
import type { Panel } from './panel.ts';
import type { Reading } from './request-panel.ts';

const Row = Type.Object({
  file: Type.String({ maxLength: 300 }),
  source: Type.String(),
  endpoint: Type.String(),
  asset: Type.String(),
  params: Type.Record(Type.String(), Type.Unknown()),
  headers: Type.Record(Type.String(), Type.String()),
  status: Type.Integer(),
  fetched_at: Type.String(),
  verdict: Type.Union([Type.Literal('right'), Type.Literal('suspect'), Type.Literal('failed')]),
  /** False: the terms of the source forbid redistribution of its replies. */
  redistribute: Type.Boolean(),
  checks: Type.Array(
    Type.Object({ quantity: Type.String(), value: Type.Unknown(), unit: Type.String(), scope: Type.String() }),
  ),
});
/** One recorded reply, in the format of the reply runner (`npm run replies`). */
export type BundleRow = Static<typeof Row>;
const validator = Compile(Type.Array(Row, { maxItems: 20_000 }));

/** Largest recorded body, and largest sum of all, bytes. */
const MOST_BODY_BYTES = 1024 * 1024;
const MOST_BUNDLE_BYTES = 128 * 1024 * 1024;
/** Observations of one reply that become checks. */
const MOST_CHECKS = 60;

/** Recorded replies of a run, and the omitted ones with the reason. */
export interface Recorded {
  readonly replies: number;
  readonly bytes: number;
  readonly left: Readonly<Record<string, number>>;
}

/**
 * Writes the replies of a run into `folder`: `index.json` and the bodies. Left out: sources whose terms allow no copy,
 * and bodies that are too large. `secrets` (keys of this installation) are never written: a reply that contains one is
 * left out.
 */
export async function writeBundle(
  folder: string,
  readings: readonly Reading[],
  findings: readonly Finding[],
  secrets: readonly string[],
): Promise<Recorded> {
  const rows: BundleRow[] = [];
  const left: Record<string, number> = {};
  let bytes = 0;
  const leave = (why: string) => {
    left[why] = (left[why] ?? 0) + 1;
  };
  const isSecret = (text: string) => secrets.some((secret) => secret !== '' && text.includes(secret));
  for (const { asset, source, endpoint, answer } of readings) {
    const { record, body } = answer;
    if (body === null || record.status === null) continue;
    const text = new TextDecoder().decode(body);
    if (source.terms.keepBodyDays === 0) leave('the terms of the source allow no copy');
    else if (isSecret(text) || isSecret(JSON.stringify([record.params, record.headers]))) leave('it holds a key');
    else if (body.byteLength > MOST_BODY_BYTES) leave('it is too large');
    else if (bytes + body.byteLength > MOST_BUNDLE_BYTES) leave('the bundle is full');
    else {
      const digest = createHash('sha256')
        .update(`${asset.id} ${JSON.stringify(record.params)}`)
        .digest('hex');
      const extension = endpoint.format === undefined || endpoint.format === 'json' ? 'json' : 'txt';
      const file = `${source.name}/${endpoint.name}/${digest.slice(0, 16)}.${extension}`;
      if (rows.some((row) => row.file === file)) continue;
      await mkdir(dirname(join(folder, file)), { recursive: true });
      await writeFile(join(folder, file), body);
      bytes += body.byteLength;
      const own = findings.filter(
        (row) => row.source === source.name && row.endpoint === endpoint.name && row.asset === asset.name,
      );
      rows.push({
        file,
        source: source.name,
        endpoint: endpoint.name,
        asset: asset.id,
        params: record.params as Readonly<Record<string, unknown>>,
        headers: record.headers,
        status: record.status,
        fetched_at: record.fetchedAt,
        verdict: own.some((row) => row.verdict === 'failed') ? 'failed' : own.length > 0 ? 'suspect' : 'right',
        redistribute: source.terms.redistribute,
        checks: [],
      });
    }
  }
  await mkdir(folder, { recursive: true });
  await writeIndex(folder, rows);
  return { replies: rows.length, bytes, left };
}

export interface Adopted extends Recorded {
  readonly checks: number;
  /** Replies of sources whose terms forbid redistribution: they stay out of public repositories. */
  readonly notRedistributable: number;
}

/**
 * Makes test files from a bundle: the adapter reads each correct reply again, and its observations become the checks of
 * its row. Replies that need more than the file to be read (such as their own URL) and give no observation are left
 * out.
 */
export async function adoptBundle(
  sources: readonly Source[],
  bundle: string,
  folder: string,
  secrets: readonly string[],
): Promise<Adopted> {
  const rows = await readIndex(bundle);
  const kept: BundleRow[] = [];
  const left: Record<string, number> = {};
  let bytes = 0;
  for (const row of rows) {
    const leave = (why: string) => {
      left[why] = (left[why] ?? 0) + 1;
    };
    if (row.verdict !== 'right') {
      leave(`it was ${row.verdict}`);
      continue;
    }
    const body = await readFile(inside(bundle, row.file));
    const text = body.toString('utf8');
    const observations = readAgain(sources, row, body).slice(0, MOST_CHECKS);
    if (observations.length === 0) leave('it states nothing by itself');
    else if (body.byteLength > MOST_BODY_BYTES) leave('it is too large');
    else if (bytes + body.byteLength > MOST_BUNDLE_BYTES) leave('the bundle is full');
    else if (secrets.some((secret) => secret !== '' && text.includes(secret))) leave('it holds a key');
    else {
      // A check names a quantity and a scope once; where a reply states two values of them, there is no check.
      const once = observations.filter(
        (one) =>
          observations.filter((other) => other.quantity === one.quantity && other.scope === one.scope).length === 1,
      );
      const checks = once.map(({ quantity, value, unit, scope }) => ({ quantity, value, unit, scope }));
      await mkdir(dirname(inside(folder, row.file)), { recursive: true });
      await writeFile(inside(folder, row.file), body);
      bytes += body.byteLength;
      kept.push({ ...row, checks });
    }
  }
  await mkdir(folder, { recursive: true });
  await writeIndex(folder, kept);
  return {
    replies: kept.length,
    bytes,
    left,
    checks: kept.reduce((sum, row) => sum + row.checks.length, 0),
    notRedistributable: kept.filter((row) => !row.redistribute).length,
  };
}

/**
 * Observations that the adapter makes both with the reply's own parameters and from the file alone: the reply runner
 * has only the file.
 */
function readAgain(sources: readonly Source[], row: BundleRow, body: Uint8Array): readonly Observation[] {
  const source = sources.find((one) => one.name === row.source);
  const endpoint = source?.endpoints.find((one) => one.name === row.endpoint);
  if (source === undefined || endpoint === undefined) return [];
  const params = row.params as Params;
  const meta = { status: row.status, headers: row.headers, fetchedAt: row.fetched_at, url: '' };
  const own = readReply(source, endpoint, params, body, meta, 'adopted').observations;
  const question = { ...row, given: params, fetchedAt: row.fetched_at };
  const saved = parseSavedReply(sources, question, body);
  const placed = (one: Observation) => JSON.stringify([one.quantity, one.scope, one.value]);
  const known = new Set(saved.ok ? saved.observations.map(placed) : []);
  return own.length === (saved.ok ? saved.observations.length : 0) ? own.filter((one) => known.has(placed(one))) : [];
}

/**
 * The panel with the observations of the correct replies of a bundle or of adopted files, so that the next run detects
 * missing ones.
 */
export async function withStated(panel: Panel, folder: string): Promise<Panel> {
  const rows = (await readIndex(folder)).filter((row) => row.checks.length > 0);
  return {
    ...panel,
    assets: panel.assets.map((asset) => {
      const mine = rows.filter((row) => row.asset === asset.id);
      if (mine.length === 0) return asset;
      const byEndpoint = Map.groupBy(mine, (row) => `${row.source}.${row.endpoint}`);
      const states = [...byEndpoint].map(([name, replies]) => [name, stated(replies)] as const);
      return { ...asset, states: { ...asset.states, ...Object.fromEntries(states) } };
    }),
  };
}

function stated(replies: readonly BundleRow[]): string[] {
  return [...new Set(replies.flatMap((row) => row.checks.map((check) => check.quantity)))].sort();
}

async function readIndex(folder: string): Promise<readonly BundleRow[]> {
  const value: unknown = JSON.parse(await readFile(join(folder, 'index.json'), 'utf8'));
  if (validator.Check(value)) return value;
  const first = validator.Errors(value)[0];
  throw new Error(`${folder}/index.json is not a bundle: ${first?.instancePath || '/'} ${first?.message ?? ''}`);
}

async function writeIndex(folder: string, rows: readonly BundleRow[]): Promise<void> {
  const sorted = [...rows].sort((a, b) => (a.file < b.file ? -1 : 1));
  await writeFile(join(folder, 'index.json'), `${JSON.stringify(sorted, null, 1)}\n`);
}

function inside(folder: string, file: string): string {
  const path = normalize(join(folder, file));
  if (!path.startsWith(normalize(folder + sep))) throw new Error(`${file} lies outside of ${folder}`);
  return path;
}

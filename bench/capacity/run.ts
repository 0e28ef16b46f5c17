import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Sandbox, startSandbox } from '../../sandbox/server.ts';
import { serviceOnSandbox } from '../../sandbox/service-settings.ts';
import { sandboxResolver } from '../../sandbox/settings.ts';
import { type RunningService, startService } from '../../src/compose/service.ts';
import { median } from '../../src/domain/statistics.ts';

export interface CapacityOptions {
  readonly assets: number;
  /** Speed relative to live mode. */
  readonly pace: number;
  readonly onAsset?: (line: string) => void;
}

export interface CapacityResult {
  readonly assets: number;
  readonly pace: number;
  /** Seconds for all, as long as they would take at pace 1. */
  readonly seconds: number;
  readonly secondsPerAsset: { readonly median: number; readonly most: number };
  /** Replies other than 200, by problem code. */
  readonly refused: Readonly<Record<string, number>>;
  readonly unrated: readonly string[];
  readonly otherBands: readonly string[];
  readonly lostFlags: readonly string[];
  /** Requests that a source refused with 429. */
  readonly tooMany: Readonly<Record<string, number>>;
  /** Requests that no budget was left for, by source. */
  readonly notAsked: Readonly<Record<string, number>>;
  /** Seconds that scores waited for a source's budget at pace 1: in how many scores, median and longest. */
  readonly waited: Readonly<
    Record<string, { readonly scores: number; readonly median: number; readonly most: number }>
  >;
  /** Requests per asset, by source, including those of the shared lists. */
  readonly callsPerAsset: Readonly<Record<string, number>>;
}

/** Default deadline of a score in seconds, and the part of it that processing needs at any pace. */
const DEADLINE_SECONDS = 60;
const OWN_WORK_SECONDS = 4;

interface Side {
  readonly sandbox: Sandbox;
  readonly service: RunningService;
  readonly close: () => Promise<void>;
}

/** Scores this number of listed assets, one after the other, with budgets and without. */
export async function capacityRun({ assets, pace, onAsset }: CapacityOptions): Promise<CapacityResult> {
  const begin = Date.now();
  const bounded = await open(pace, assets, begin);
  const free = await open(0, assets, begin);
  const wanted = bounded.sandbox.world.tokens
    .filter((asset) => asset.traits.listed && asset.traits.site && !asset.traits.unitError && !asset.traits.stale)
    .slice(0, assets);
  const seconds: number[] = [];
  const refused: Record<string, number> = {};
  const unrated: string[] = [];
  const otherBands: string[] = [];
  const lostFlags: string[] = [];
  const notAsked: Record<string, number> = {};
  const waits = new Map<string, number[]>();
  for (const asset of wanted) {
    const from = performance.now();
    const got = await score(bounded, asset);
    const took = ((performance.now() - from) / 1000) * pace;
    seconds.push(took);
    const like = await score(free, asset);
    onAsset?.(`${asset.name}: ${got.status} ${got.band ?? got.code} (${like.band ?? like.code}) ${took.toFixed(0)} s`);
    if (got.status !== 200) {
      refused[got.code ?? String(got.status)] = (refused[got.code ?? String(got.status)] ?? 0) + 1;
      continue;
    }
    if (got.band === 'NR' && like.band !== 'NR') unrated.push(asset.name);
    if (got.band !== like.band) otherBands.push(`${asset.name}: ${got.band} instead of ${like.band}`);
    for (const flag of like.flags) if (!got.flags.includes(flag)) lostFlags.push(`${asset.name}: ${flag}`);
    const longest = new Map<string, number>();
    for (const row of got.responses) {
      if (row.outcome === 'budget_spent') notAsked[row.source] = (notAsked[row.source] ?? 0) + 1;
      if (row.waitedMs !== undefined)
        longest.set(row.source, Math.max(longest.get(row.source) ?? 0, (row.waitedMs / 1000) * pace));
    }
    for (const [source, waited] of longest) waits.set(source, [...(waits.get(source) ?? []), waited]);
  }
  const sum = seconds.reduce((total, one) => total + one, 0);
  const result = {
    assets: wanted.length,
    pace,
    seconds: Math.round(sum),
    secondsPerAsset: { median: round(median(seconds) ?? 0), most: round(Math.max(...seconds)) },
    refused,
    unrated,
    otherBands,
    lostFlags,
    tooMany: Object.fromEntries(bounded.sandbox.refused),
    notAsked,
    waited: Object.fromEntries(
      [...waits]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([source, all]) => [
          source,
          { scores: all.length, median: round(median(all) ?? 0), most: round(Math.max(...all)) },
        ]),
    ),
    callsPerAsset: Object.fromEntries(
      [...bounded.sandbox.requests]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([source, count]) => [source, round(count / wanted.length)]),
    ),
  };
  await bounded.close();
  await free.close();
  return result;
}

async function open(pace: number, copies: number, begin: number): Promise<Side> {
  const dataDir = await mkdtemp(join(tmpdir(), 'assay-capacity-'));
  // As root the database server runs as another user, who needs access to the folder.
  await chmod(dataDir, 0o755);
  const startedAt = performance.now();
  // Both sides have the same world: their clocks start at one moment and advance together.
  const now = () => Math.round(begin + (performance.now() - startedAt));
  const sandbox = await startSandbox({ seed: 1, port: 0, host: '127.0.0.1', now, copies, limits: pace });
  const deadline = pace === 0 ? DEADLINE_SECONDS : Math.ceil(DEADLINE_SECONDS / pace) + OWN_WORK_SECONDS;
  const config = serviceOnSandbox(sandbox, {
    dataDir,
    sandboxBudgets: pace,
    scoreDeadlineSeconds: deadline,
    monitorJobs: 0,
  });
  const service = await startService({ config, resolver: sandboxResolver(sandbox), now });
  return {
    sandbox,
    service,
    async close() {
      await service.close();
      await sandbox.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

interface Scored {
  readonly status: number;
  readonly code: string | null;
  readonly band: string | null;
  readonly flags: readonly string[];
  readonly responses: readonly { readonly source: string; readonly outcome: string; readonly waitedMs?: number }[];
}

/** One score, until its end. */
async function score(
  { service }: Side,
  asset: { readonly name: string; readonly url: string; readonly symbol: string },
): Promise<Scored> {
  const headers = { 'content-type': 'application/json', 'x-api-key': service.adminKey ?? '', prefer: 'wait=120' };
  const reply = await fetch(`${service.url}/v1/score`, {
    method: 'POST',
    headers,
    body: JSON.stringify({
      type: 'posttge',
      project: asset.name,
      project_url: asset.url,
      token_symbol: asset.symbol,
      output_format: 'full',
    }),
  });
  const body = (await reply.json()) as {
    readonly code?: string;
    readonly job_id?: string;
    readonly rating?: { readonly band?: string };
    readonly band?: string;
    readonly flags?: readonly { readonly code: string }[];
  };
  if (reply.status !== 200)
    return { status: reply.status, code: body.code ?? null, band: null, flags: [], responses: [] };
  const evidence = (await (await fetch(`${service.url}/v1/jobs/${body.job_id}/evidence`, { headers })).json()) as Pick<
    Scored,
    'responses'
  >;
  return {
    status: 200,
    code: null,
    band: body.rating?.band ?? body.band ?? null,
    flags: (body.flags ?? []).map((flag) => flag.code).sort(),
    responses: evidence.responses,
  };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { serviceOnSandbox } from '../sandbox/service-settings.ts';
import { sandboxResolver } from '../sandbox/settings.ts';
import { startSandboxProcess } from './sandbox-process.ts';

/**
 * The longest chain of dependent calls in a score, call by call, for each form of request, with every source at one latency.
 * `--beside DIR` measures another checkout in turns in the same run, with its own database, on the same assets; `--way id` one form alone.
 */
const { values } = parseArgs({
  options: {
    beside: { type: 'string' },
    rounds: { type: 'string', default: '3' },
    latency: { type: 'string', default: '200' },
    print: { type: 'boolean', default: false },
    way: { type: 'string' },
  },
});
const rounds = Number(values.rounds);
const WAYS = ['project and url', 'id', 'address', 'name', 'ticker', 'fresh=true'] as const;
type Way = (typeof WAYS)[number];

interface WorldAsset {
  readonly name: string;
  readonly url: string;
  readonly symbol: string;
  readonly kind: string;
  readonly chain: string;
  readonly address: string | null;
}
interface Call {
  readonly label: string;
  readonly start: number;
  readonly end: number;
}
interface Timed {
  readonly total: number;
  readonly path: number;
  readonly chain: readonly Call[];
  readonly calls: number;
}

const folder = await mkdtemp(join(tmpdir(), 'assay-bench-'));
await chmod(folder, 0o755);
const sandbox = await startSandboxProcess();
const roots = [...(values.beside ? [values.beside] : []), join(import.meta.dirname, '..')];
const trees = await Promise.all(
  roots.map(async (root, index) => {
    const { startService } = (await import(join(root, 'src/compose/service.ts'))) as {
      startService: typeof import('../src/compose/service.ts')['startService'];
    };
    const config = serviceOnSandbox(sandbox.address, {
      dataDir: join(folder, String(index)),
      concurrentJobs: 8,
      freshSeconds: 0,
    });
    const service = await startService({ config, resolver: sandboxResolver(sandbox.address) });
    return { name: root === values.beside ? 'beside' : 'here', service };
  }),
);
type Tree = (typeof trees)[number];
const world = (await (await fetch(`${sandbox.address.url}/__control/world`)).json()) as readonly WorldAsset[];
const assets = world.filter(({ kind, address }) => (kind === 'healthy' || kind === 'mediocre') && address !== null);

try {
  for (const tree of trees) await score(tree, assets.at(-1), 'project and url');
  await fault();
  for (const [at, way] of WAYS.entries()) {
    if (values.way !== undefined && values.way !== way) continue;
    const rows = new Map<Tree, Timed[]>(trees.map((tree) => [tree, []]));
    for (let round = 0; round < rounds; round += 1) {
      const asset = assets[(at * rounds + round) % assets.length];
      for (const tree of round % 2 === 0 ? trees : trees.toReversed())
        rows.get(tree)?.push(await timed(tree, asset, way));
    }
    for (const tree of trees) {
      const sorted = (rows.get(tree) ?? []).sort((a, b) => a.path - b.path);
      const middle = sorted[Math.floor(sorted.length / 2)];
      if (middle === undefined) continue;
      const totals = sorted.map(({ total }) => total).sort((a, b) => a - b);
      const paths = `${sorted[0]?.path} - ${sorted.at(-1)?.path}`;
      console.log(
        `${way}, ${tree.name}: ${middle.path} ms (${paths}) in ${middle.chain.length} calls; whole score ${Math.round(totals[Math.floor(totals.length / 2)] ?? 0)} ms; ${middle.calls} calls in all`,
      );
      if (!values.print) continue;
      const [first] = middle.chain;
      for (const { label, start, end } of middle.chain)
        console.log(`    ${start - (first?.start ?? 0)} to ${end - (first?.start ?? 0)}: ${label}`);
    }
  }
} finally {
  for (const { service } of trees) await service.close();
  sandbox.child.kill('SIGTERM');
  await rm(folder, { recursive: true, force: true });
}

async function timed(tree: Tree, asset: WorldAsset | undefined, way: Way): Promise<Timed> {
  const { total, jobId } = await score(tree, asset, way);
  const { service } = tree;
  const headers = { 'x-api-key': service.adminKey ?? '' };
  const evidence = (await (await fetch(`${service.url}/v1/jobs/${jobId}/evidence`, { headers })).json()) as {
    responses: readonly {
      source: string;
      endpoint: string;
      params: unknown;
      fetchedAt: string;
      milliseconds: number;
      fromCache: boolean;
    }[];
  };
  const calls = evidence.responses
    .filter((row) => row.milliseconds > 0 && !row.fromCache)
    .map((row) => ({
      label: `${row.source}.${row.endpoint} ${JSON.stringify(row.params).slice(0, 90)}`,
      start: Date.parse(row.fetchedAt) - row.milliseconds,
      end: Date.parse(row.fetchedAt),
    }));
  const chain: Call[] = [];
  // From the last reply back to the call that ended last before it began.
  let at = calls.toSorted((a, b) => b.end - a.end)[0];
  while (at !== undefined) {
    const { start } = at;
    chain.unshift(at);
    at = calls.filter(({ end }) => end <= start + 3).sort((a, b) => b.end - a.end)[0];
  }
  return { total, path: chain.reduce((sum, { start, end }) => sum + end - start, 0), chain, calls: calls.length };
}

async function score(tree: Tree, asset: WorldAsset | undefined, way: Way) {
  if (asset === undefined) throw new Error('the world has no such asset');
  const { service } = tree;
  if (way === 'fresh=true') return scoreAgain(tree, asset);
  const from = performance.now();
  const reply = await fetch(`${service.url}/v1/score`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': service.adminKey ?? '' },
    body: JSON.stringify({ ...wordsOf(asset, way), output_format: 'full' }),
  });
  const body = (await reply.json()) as { job_id: string };
  if (reply.status !== 200) throw new Error(`${asset.name} by ${way}: ${JSON.stringify(body).slice(0, 300)}`);
  return { total: performance.now() - from, jobId: body.job_id };
}

/** A new rating of an asset that has one. */
async function scoreAgain(tree: Tree, asset: WorldAsset) {
  const { service } = tree;
  const headers = { 'x-api-key': service.adminKey ?? '', prefer: 'wait=60' };
  const path = `${service.url}/v1/rms/${asset.chain}:${asset.address}`;
  if ((await fetch(path, { headers })).status === 404) await score(tree, asset, 'id');
  const from = performance.now();
  const reply = await fetch(`${path}?fresh=true`, { headers });
  const body = (await reply.json()) as { job_id: string };
  if (reply.status !== 200) throw new Error(`${asset.name} again: ${JSON.stringify(body).slice(0, 300)}`);
  return { total: performance.now() - from, jobId: body.job_id };
}

function wordsOf({ name, url, symbol, chain, address }: WorldAsset, way: Exclude<Way, 'fresh=true'>) {
  switch (way) {
    case 'project and url':
      return { type: 'posttge', project: name, project_url: url, token_symbol: symbol };
    case 'id':
      return { asset: `${chain}:${address}` };
    case 'address':
      return { asset: address, blockchain: chain };
    case 'name':
      return { asset: name };
    case 'ticker':
      return { asset: `$${symbol}` };
  }
}

async function fault(): Promise<void> {
  await fetch(`${sandbox.address.url}/__control/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ source: '*', kind: 'latency', ms: Number(values.latency) }),
  });
}

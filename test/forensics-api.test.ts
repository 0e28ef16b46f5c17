import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import type { SandboxAsset } from '../sandbox/world/types.ts';
import { ClustersView, ForensicsView, SearchingView } from '../src/contract/forensics.ts';
import { type TestService, testService } from './support/service.ts';

let world: TestService;
before(async () => {
  world = await testService({ freshSeconds: 1 });
  for (const slug of ['gonedoor', 'whalepond', 'greyharbor']) await rate(assetOf(slug));
});
after(() => world.close());

function assetOf(slug: string): SandboxAsset {
  const asset = world.sandbox.world.assets.find((one) => one.slug === slug);
  assert.ok(asset, slug);
  return asset;
}
async function rate(asset: SandboxAsset): Promise<void> {
  const known = asset.address === '' ? {} : { token_address: asset.address, blockchain: asset.chain };
  const type = asset.address === '' ? 'pretge' : 'posttge';
  const json = { type, project: asset.name, project_url: asset.url, ...known };
  const reply = await world.call('/v1/score', { json });
  assert.equal(reply.status, 200, await reply.text());
}
async function fitting<Body>(reply: Response, schema: TSchema, status = 200): Promise<Body> {
  const body = (await reply.json()) as Body;
  assert.equal(reply.status, status, JSON.stringify(body).slice(0, 400));
  const validator = Compile(schema);
  assert.ok(validator.Check(body), JSON.stringify([...validator.Errors(body)].slice(0, 3)));
  return body;
}
interface Drained {
  readonly verdict: string;
  readonly summary: string;
  readonly events: readonly {
    readonly kind: string;
    readonly actor: string;
    readonly quote_amount: number;
    readonly quote_usd: number;
    readonly transaction: string;
  }[];
  readonly flows: readonly { readonly to: string; readonly to_is_service: boolean; readonly usd: number }[];
  readonly links: readonly { readonly how: string }[];
  readonly limits: readonly { readonly code: string }[];
  readonly receipts: readonly { readonly source: string; readonly sha256: string }[];
  readonly pools: readonly unknown[];
}
interface Clustered {
  readonly clusters: readonly { readonly members: readonly unknown[]; readonly share_pct: number }[];
  readonly clustered_share_pct: number;
  readonly owners: { readonly looked_at: number; readonly first_payment_known: number };
  readonly limits: readonly { readonly code: string }[];
}

test('an executed rug: recipients, dollars at that time, destinations, and links to the creator', async () => {
  const rugged = assetOf('gonedoor');
  const reply = await world.call(`/v1/rms/${rugged.address}/forensics`);
  const body = await fitting<Drained>(reply, ForensicsView);
  assert.equal(body.verdict, 'drained_by_linked_wallets');
  const [removal] = body.events;
  assert.equal(removal?.kind, 'removal');
  assert.equal(removal?.actor, rugged.creator);
  assert.ok(
    Math.abs((removal?.quote_usd ?? 0) / (removal?.quote_amount ?? 1) - 150) < 10,
    'coins at about 150 dollars',
  );
  assert.ok(body.flows.some((flow) => flow.to_is_service && flow.usd > 0));
  assert.equal(body.links[0]?.how, 'is_creator');
  assert.ok(body.receipts.every((receipt) => /^[0-9a-f]{64}$/.test(receipt.sha256)));
  assert.deepEqual(
    body.limits.map((limit) => limit.code),
    ['method'],
  );
});

test('findings are kept: a repeated request sends no calls, and its ETag gives 304', async () => {
  const path = `/v1/rms/${assetOf('gonedoor').address}/forensics`;
  const first = await world.call(path);
  const before = world.sandbox.requests.get('solana_rpc');
  const again = await world.call(path, { headers: { 'if-none-match': first.headers.get('etag') ?? '' } });
  assert.equal(again.status, 304);
  assert.equal(world.sandbox.requests.get('solana_rpc'), before);
  assert.match(first.headers.get('cache-control') ?? '', /max-age=2\d{4}/);
});

test('largest holders whom one wallet paid first are one cluster; those paid by an exchange are none', async () => {
  for (const slug of ['gonedoor', 'whalepond']) {
    const body = await fitting<Clustered>(await world.call(`/v1/rms/${assetOf(slug).address}/clusters`), ClustersView);
    assert.equal(body.clusters.length, 1, slug);
    assert.equal(body.clusters[0]?.members.length, 4);
    assert.ok(body.owners.first_payment_known >= 10);
    assert.equal(body.clustered_share_pct, body.clusters[0]?.share_pct);
  }
});

test('a pool without a drain is reported as such', async () => {
  const body = await fitting<Drained>(
    await world.call(`/v1/rms/${assetOf('whalepond').address}/forensics`),
    ForensicsView,
  );
  assert.equal(body.verdict, 'no_drain_seen');
  assert.deepEqual(body.events, []);
  assert.ok(body.pools.length > 0);
});

test('a caller that does not wait gets 202 and when to retry; the search continues', async () => {
  await rate(assetOf('freshpaint'));
  const path = `/v1/rms/${assetOf('freshpaint').address}/clusters`;
  world.sandbox.faults.add({ source: 'solana_rpc', kind: 'latency', ms: 40 });
  const reply = await world.call(path, { headers: { prefer: 'wait=0' } });
  await fitting(reply, SearchingView, 202);
  assert.equal(reply.headers.get('retry-after'), '10');
  world.sandbox.faults.clear();
  await fitting<Clustered>(await world.call(path), ClustersView);
});

interface Launched {
  readonly launch: {
    readonly bundled_pct: number;
    readonly buyers: number;
    readonly bundles: readonly { readonly links: readonly string[]; readonly members: readonly unknown[] }[];
    readonly insiders: readonly unknown[];
  } | null;
  readonly limits: readonly { readonly code: string; readonly detail: string }[];
}
async function flagsOf(asset: SandboxAsset): Promise<readonly string[]> {
  const reply = await world.call(`/v1/rms/${asset.address}?fresh=true`, { headers: { prefer: 'wait=30' } });
  const body = (await reply.json()) as { risk_flags: readonly { code: string }[] };
  assert.equal(reply.status, 200, JSON.stringify(body).slice(0, 300));
  return body.risk_flags.map((flag) => flag.code);
}

test('a launch that was read raises BUNDLED_LAUNCH in the next rating, and an honest one beside it does not', async () => {
  const [bundled, honest] = [assetOf('ninth-try'), assetOf('frostbyte-frog')];
  for (const asset of [bundled, honest]) await rate(asset);
  for (const asset of [bundled, honest]) {
    const body = await fitting<Launched>(await world.call(`/v1/rms/${asset.address}/forensics`), ForensicsView);
    assert.ok(body.launch !== null, JSON.stringify(body.limits));
    if (asset === honest) assert.deepEqual(body.launch.bundles, []);
    else {
      assert.ok(Math.abs(body.launch.bundled_pct - 25) < 0.01, String(body.launch.bundled_pct));
      assert.deepEqual(body.launch.bundles[0]?.members.length, 4);
      assert.ok(body.launch.bundles[0]?.links.includes('funded_by_creator'));
      assert.equal(body.launch.insiders.length, 4);
    }
  }
  // A rating younger than the fresh interval would be shown again.
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  assert.ok((await flagsOf(bundled)).includes('BUNDLED_LAUNCH'));
  assert.ok(!(await flagsOf(honest)).includes('BUNDLED_LAUNCH'));
});

test('a node that refuses leaves findings out and the limits state so', async () => {
  await rate(assetOf('levypaw'));
  world.sandbox.faults.add({ source: 'solana_rpc', kind: 'server_error' });
  const reply = await world.call(`/v1/rms/${assetOf('levypaw').address}/forensics`);
  world.sandbox.faults.clear();
  const body = await fitting<Drained>(reply, ForensicsView);
  assert.equal(body.verdict, 'not_seen');
  assert.ok(body.limits.some((limit) => limit.code === 'node_failed'));
  assert.match(reply.headers.get('cache-control') ?? '', /max-age=\d{1,3}$/);
});

test('no token, no rating, no key and the wrong scope are refused with explanations', async () => {
  const of = async (reply: Response) => [reply.status, ((await reply.json()) as { code: string }).code];
  assert.deepEqual(await of(await world.call('/v1/rms/project:greyharbor.example/forensics')), [
    404,
    'no_chain_history',
  ]);
  assert.deepEqual(await of(await world.call('/v1/rms/NOSUCHTOKEN/forensics')), [404, 'asset_not_rated']);
  assert.deepEqual(await of(await world.call('/v1/rms/NOSUCHTOKEN/clusters')), [404, 'asset_not_rated']);
  const then = '/v1/rms/GDOR/clusters?as_of=2026-01-01T00:00:00Z';
  assert.deepEqual(await of(await world.call(then)), [400, 'validation_failed']);
  assert.deepEqual(await of(await world.call('/v1/rms/GDOR/forensics', { key: null })), [401, 'missing_api_key']);
  const made = await world.call('/v1/admin/keys', {
    json: { name: 'other', scopes: ['chain:read'], plan: 'INTERNAL' },
  });
  const { secret } = (await made.json()) as { secret: string };
  assert.equal((await world.call('/v1/rms/GDOR/clusters', { key: secret })).status, 403);
});

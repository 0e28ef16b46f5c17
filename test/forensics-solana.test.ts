import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Sandbox, startSandbox } from '../sandbox/server.ts';
import { solanaWallet } from '../sandbox/world/addresses.ts';
import type { SandboxAsset } from '../sandbox/world/types.ts';
import { boundUpstream } from '../src/snapshots/forensics/bounded-upstream.ts';
import { creatorLinks } from '../src/snapshots/forensics/pool-effect.ts';
import { createSolanaHistory } from '../src/snapshots/forensics/solana/history.ts';
import { investigateSolana } from '../src/snapshots/forensics/solana/investigate.ts';
import { createSolanaReader } from '../src/snapshots/solana/reader.ts';
import { systemResolver } from '../src/upstream/agents.ts';
import { createUpstream } from '../src/upstream/client.ts';

const upstream = createUpstream({ resolver: systemResolver(), userAgent: 'test' });
let sandbox: Sandbox;
before(async () => {
  sandbox = await startSandbox({ seed: 1, port: 0, host: '127.0.0.1', now: Date.now });
  upstream.setBudget('solana_rpc', { perMinute: 1e6, burst: 1e6, concurrency: 16, shareSeconds: 0 });
});
after(async () => {
  await upstream.close();
  await sandbox.close();
});

function bounded(calls = 500) {
  const limits = { calls, bytes: 64 * 1024 * 1024, deadlineAt: Date.now() + 30_000, everyMs: 0 };
  const bound = boundUpstream(upstream, limits, Date.now);
  const node = { label: 'solana_rpc', url: `${sandbox.url}/solana_rpc/main/`, secretHeaders: {}, secretQuery: [] };
  return {
    bound,
    reader: createSolanaReader(bound.upstream, [node]),
    history: createSolanaHistory(bound.upstream, [node]),
  };
}
function assetOf(slug: string): SandboxAsset {
  const asset = sandbox.world.assets.find((one) => one.slug === slug);
  assert.ok(asset);
  return asset;
}
function question(asset: SandboxAsset) {
  return {
    base: asset.address,
    creator: asset.creator,
    pools: asset.pools.map((pool) => ({ address: pool.address, dex: pool.venue, createdAt: null })),
    isService: () => false,
  };
}

test('who removed the liquidity, how much, and the coins’ path, two steps far', async () => {
  const asset = assetOf('gonedoor');
  const { bound, ...tools } = bounded();
  const found = await investigateSolana(tools, question(asset));
  const drains = found.pools.flatMap((row) => row.drains.filter((drain) => drain.kind === 'removal'));
  assert.equal(found.pools.length, asset.pools.length, JSON.stringify(found.limits));
  for (const {
    pool,
    drains: [largest],
    peak,
    now,
  } of found.pools) {
    assert.equal(largest?.kind, 'removal', pool.address);
    assert.equal(largest?.actor, asset.creator);
    assert.ok((largest?.shareTaken ?? 0) > 0.85);
    assert.deepEqual(
      largest?.recipients.map((one) => one.address),
      [asset.creator],
    );
    assert.ok(now * 5n < peak);
  }
  const [raydium] = drains.filter((drain) => drain.dex === 'raydium');
  assert.equal(raydium?.liquidityOwner, asset.creator);
  const fresh = solanaWallet(sandbox.world.seed, asset.slug, 'runaway', 0);
  const exchange = solanaWallet(sandbox.world.seed, 'exchange', 1);
  const first = found.hops.filter((hop) => hop.depth === 1 && hop.to === fresh);
  assert.ok(first.length > 0);
  assert.ok(found.hops.some((hop) => hop.depth === 2 && hop.from === fresh && hop.to === exchange));
  assert.ok(found.services.has(exchange), 'an exchange is known by its many payments');
  const links = creatorLinks(asset.creator, drains, found.hops, found.fundings, found.services);
  assert.equal(links[0]?.how, 'is_creator');
  assert.ok(bound.receipts().every((receipt) => /^[0-9a-f]{64}$/.test(receipt.sha256)));
  assert.ok(bound.receipts().length < 300, String(bound.receipts().length));
});

test('a healthy token shows openings and trades, and no drain', async () => {
  const asset = sandbox.world.tokens.find((one) => one.chain === 'solana' && one.grade === 'healthy');
  assert.ok(asset);
  const found = await investigateSolana(bounded(), question(asset));
  assert.ok(found.pools.every((row) => row.listed > 50 && row.drains.length === 0));
  assert.deepEqual(found.hops, []);
});

test('with few calls the search ends early, states so, and throws nothing', async () => {
  const { bound, ...tools } = bounded(12);
  const found = await investigateSolana(tools, question(assetOf('gonedoor')));
  assert.equal(bound.spent(), 'calls');
  assert.ok(found.limits.length > 0);
  assert.ok(bound.receipts().length <= 12);
});

test('on any failure of the node, the search ends, throws nothing and states what is missing', async () => {
  const asset = assetOf('gonedoor');
  for (const kind of [
    'server_error',
    'rate_limited',
    'error_body',
    'truncated_json',
    'empty',
    'wrong_content_type',
  ] as const)
    for (const times of [1, 5, 1_000]) {
      sandbox.faults.add({ source: 'solana_rpc', kind, times, retryAfterSeconds: 0 });
      const found = await investigateSolana(bounded(), question(asset));
      sandbox.faults.clear();
      const told = found.limits.length > 0 || found.pools.some((pool) => pool.drains.length > 0);
      assert.ok(told, `${kind} ${times}`);
    }
});

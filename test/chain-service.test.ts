import assert from 'node:assert/strict';
import { createPublicKey, verify } from 'node:crypto';
import { after, before, test } from 'node:test';
import canonicalize from 'canonicalize';
import { parse } from 'csv-parse/sync';
import type { HoldersSnapshot, MarketSnapshot, PoolsSnapshot } from '../src/contract/index.ts';
import { type TestService, testService } from './support/service.ts';

/** The whole way of chain data: sandbox chains and indexers, collector, store, HTTP. */
let world: TestService;
interface Listed {
  readonly name: string;
  readonly symbol: string;
  readonly chain: string;
  readonly address: string;
}
const assets = new Map<string, Listed>();

before(async () => {
  world = await testService();
  const listed = (await (await fetch(`${world.sandbox.url}/__control/world`)).json()) as readonly Listed[];
  for (const name of ['Tidewell', 'Moonbadger', 'Ashgrove Yield', 'Hivecoin', 'Bullionbridge', 'Kilofault']) {
    const asset = listed.find((row) => row.name === name);
    assert.ok(asset, name);
    assets.set(name, asset);
    const put = await world.call(`/v1/${asset.chain}/index/${asset.address}`, {
      method: 'PUT',
      json: { cadence: 'newest' },
    });
    assert.equal(put.status, 201);
  }
});
after(() => world.close());

/** Asks until the first snapshot is there. */
async function get<Snapshot>(
  name: string,
  kind: 'market' | 'holders' | 'pools',
): Promise<Snapshot & { readonly data_mode: string; readonly age_seconds: number }> {
  const { chain, address } = assets.get(name) as Listed;
  const path = {
    market: `market/${address}/snapshot`,
    holders: `${address}/holders/snapshot`,
    pools: `${address}/liquidity/pools`,
  }[kind];
  for (const until = Date.now() + 20_000; ; ) {
    const reply = await world.call(`/v1/${chain}/${path}`);
    const body = (await reply.json()) as { code?: string };
    if (reply.status === 200) return body as never;
    assert.equal(body.code, 'no_snapshot_yet');
    assert.ok(Date.now() < until, `${name} ${kind}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

test('every owner of a mint is found on its chain, and all together hold the supply', async () => {
  const holders = await get<HoldersSnapshot>('Moonbadger', 'holders');
  assert.deepEqual(
    [holders.method, holders.status, holders.supply.coverage, holders.data_mode],
    ['full_scan', 'complete', 1, 'sandbox'],
  );
  assert.equal(
    holders.tiers_supply?.reduce((sum, tier) => sum + tier.holders, 0),
    holders.holder_count,
  );
  assert.ok(
    holders.top_holders.some((holder) =>
      holder.labels.some((label) => label.kind === 'pool' && label.source === 'program_owner'),
    ),
  );
  assert.ok(holders.set_aside.some((row) => row.kind === 'burn'));
  assert.ok((holders.adjusted.top_10_pct ?? 100) < (holders.raw.top_10_pct ?? 0));
});

test('holders of an ERC-20 come from its transfers, checked against its own balances', async () => {
  const holders = await get<HoldersSnapshot>('Ashgrove Yield', 'holders');
  assert.deepEqual([holders.method, holders.status, holders.supply.coverage], ['full_scan', 'complete', 1]);
  assert.deepEqual(holders.warnings, []);
});

test('an incomplete list is marked, and what it cannot show is null', async () => {
  const holders = await get<HoldersSnapshot>('Tidewell', 'holders');
  assert.equal(holders.method, 'top20_only');
  assert.deepEqual([holders.raw.gini, holders.tiers_supply, holders.histogram], [null, null, null]);
  assert.ok((holders.holder_count ?? 0) > 100_000 && (holders.raw.top_10_pct ?? 0) > 10);
  assert.ok(holders.warnings.some((warning) => warning.includes('no whole list')));
});

test('pools are read from the chain and agree with the indexers; depth is theirs', async () => {
  for (const name of ['Tidewell', 'Moonbadger', 'Ashgrove Yield']) {
    const pools = await get<PoolsSnapshot>(name, 'pools');
    const market = await get<MarketSnapshot>(name, 'market');
    assert.ok(pools.totals.verified_pools >= 2, name);
    assert.ok(Math.abs((pools.totals.tvl_usd ?? 0) / (market.liquidity_usd ?? 1) - 1) < 0.1, name);
    for (const pool of pools.pools.filter((row) => row.verified)) {
      assert.deepEqual(pool.conflicts, [], pool.address);
      assert.ok(Math.abs((pool.price_usd ?? 0) / (market.price_usd ?? 1) - 1) < 0.05, pool.address);
      assert.equal(pool.depth_method, 'exact');
    }
    const up = pools.depth.map((row) => row.up_usd ?? 0);
    assert.deepEqual(
      [...up].sort((a, b) => a - b),
      up,
    );
    assert.ok(pools.height !== null);
  }
});

test('a Meteora pair is read bin by bin, and its reserves equal its vaults', async () => {
  const pools = await get<PoolsSnapshot>('Tidewell', 'pools');
  const pair = pools.pools.find((pool) => pool.protocol === 'meteora_dlmm');
  assert.ok(pair?.verified && pair.kind === 'bins');
  assert.deepEqual([pair.conflicts, pair.depth_method], [[], 'exact']);
  assert.ok((pair.depth.find((row) => row.move_pct === 5)?.up_usd ?? 0) > 0);
});

interface Bare {
  readonly slug: string;
  readonly chain: string;
  readonly address: string;
  readonly decimals: number;
  readonly supply: string;
}

test('odd tokens are read as they are: endless supplies and decimals, one holder, none, names that are code', async () => {
  const bare = (await (await fetch(`${world.sandbox.url}/__control/bare`)).json()) as readonly Bare[];
  for (const token of bare) {
    const put = await world.call(`/v1/${token.chain}/index/${token.address}`, {
      method: 'PUT',
      json: { cadence: 'newest', kinds: ['holders'] },
    });
    assert.equal(put.status, 201, token.slug);
    assets.set(token.slug, { name: token.slug, symbol: '', chain: token.chain, address: token.address });
  }
  const expected: Readonly<Record<string, readonly [string, number]>> = {
    formula: ['complete', 3],
    alone: ['complete', 1],
    nothing: ['zero_supply', 0],
    endless: ['complete', 3],
    whole: ['complete', 2],
    precise: ['complete', 2],
  };
  for (const token of bare) {
    const holders = await get<HoldersSnapshot>(token.slug, 'holders');
    assert.deepEqual([holders.status, holders.holder_count], expected[token.slug], token.slug);
    assert.equal(holders.supply.total_raw, token.supply);
    assert.equal(holders.decimals, token.decimals);
    const sum = holders.top_holders.reduce((total, holder) => total + BigInt(holder.amount_raw), 0n);
    assert.equal(String(sum), token.supply);
    // A name is cut, never obeyed.
    assert.ok([...holders.asset.name].length <= 120);
    for (const holder of holders.top_holders) assert.ok(holder.amount === null || Number.isFinite(holder.amount));
  }
  const alone = await get<HoldersSnapshot>('alone', 'holders');
  assert.deepEqual([alone.raw.gini, alone.raw.nakamoto_50, alone.raw.top_1_pct], [null, 1, 100]);
  // Nobody but their chain knows them: the tests that follow ask for markets too.
  for (const token of bare) assets.delete(token.slug);
});

test('each exchange of a chain is computed by its own mathematics', async () => {
  const pools = await get<PoolsSnapshot>('Bullionbridge', 'pools');
  assert.deepEqual(pools.pools.map((pool) => pool.protocol).sort(), ['aerodrome_volatile', 'uniswap_v2']);
  for (const pool of pools.pools)
    assert.deepEqual([pool.verified, pool.depth_method, pool.notes.length], [true, 'exact', 0]);
});

test('an indexer that is a thousand times wrong is named beside the chain, and moves nothing', async () => {
  const pools = await get<PoolsSnapshot>('Kilofault', 'pools');
  const conflicts = pools.pools.flatMap((pool) => pool.conflicts);
  assert.ok(
    conflicts.length > 0 &&
      conflicts.every((conflict) => conflict.value / conflict.chain > 2 || conflict.chain / conflict.value > 2),
  );
  const market = await get<MarketSnapshot>('Kilofault', 'market');
  const verified = pools.pools.filter((pool) => pool.verified);
  for (const pool of verified) assert.ok(Math.abs((pool.price_usd ?? 0) / (market.price_usd ?? 1) - 1) < 0.05);
});

test('a snapshot is read again by symbol, by CAIP-19 and as it was; a newer one does not change the older', async () => {
  const { address } = assets.get('Tidewell') as Listed;
  const first = await get<MarketSnapshot>('Tidewell', 'market');
  const caip = encodeURIComponent(first.asset.id);
  for (const text of ['tide', caip, address]) {
    const reply = (await (
      await world.call(`/v1/solana/market/${text}/snapshot?as_of=${first.as_of}`)
    ).json()) as MarketSnapshot;
    assert.deepEqual([reply.as_of, reply.price_usd], [first.as_of, first.price_usd]);
  }
  const before = await world.call(`/v1/solana/market/${address}/snapshot?as_of=2020-01-01T00:00:00Z`);
  assert.equal(before.status, 404);
});

test('nothing of ours leaves in a snapshot: no loopback address, no key', async () => {
  for (const name of assets.keys())
    for (const kind of ['market', 'holders', 'pools'] as const) {
      const text = JSON.stringify(await get(name, kind));
      assert.doesNotMatch(text, /127\.0\.0\.1|localhost|ak_live/, `${name} ${kind}`);
    }
});

test('what is rated is indexed too', async () => {
  const scored = await world.call('/v1/score', {
    json: { type: 'posttge', project: 'Marrowstone', project_url: 'https://marrowstone.example/' },
  });
  const { asset } = (await scored.json()) as { asset?: { id: string } };
  if (scored.status !== 200) return assert.fail(String(scored.status));
  const listed = (await (await world.call('/v1/solana/index')).json()) as {
    data: readonly { asset: { id: string }; added_by: string }[];
  };
  const row = listed.data.find((entry) => entry.asset.id === asset?.id);
  assert.equal(row?.added_by, 'rated');
});

test('a manifest is signed by a published key, and there is no day before one is closed', async () => {
  const keys = (await (await world.call('/.well-known/assay-keys.json', { key: null })).json()) as {
    keys: readonly { kid: string; x: string; kty: string; crv: string }[];
  };
  assert.equal(keys.keys.length, 1);
  const manifest = (await (await world.call('/v1/solana/exports/daily/manifest')).json()) as {
    data?: readonly Record<string, unknown>[];
  };
  for (const { signature, ...entry } of manifest.data ?? []) {
    const { key_id, value } = signature as { key_id: string; value: string };
    const key = keys.keys.find((row) => row.kid === key_id);
    const jwk = createPublicKey({ key: { kty: key?.kty, crv: key?.crv, x: key?.x } as never, format: 'jwk' });
    assert.ok(verify(null, Buffer.from(canonicalize(entry) ?? ''), jwk, Buffer.from(value, 'base64')));
  }
  const none = await world.call('/v1/solana/exports/daily?format=csv');
  if (none.status === 200) assert.ok(parse(await none.text(), { columns: true }).length > 0);
  else assert.equal(none.status, 404);
});

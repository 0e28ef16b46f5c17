import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { agree } from '../src/consensus/agree.ts';
import type { HoldersSnapshot, MarketSnapshot, PoolsSnapshot } from '../src/contract/index.ts';
import type { EvidenceRecord } from '../src/domain/evidence.ts';
import { loadMethodology } from '../src/methodology/load.ts';
import { archivedEvidence } from './support/archived-evidence.ts';
import { lookInto } from './support/durable-service.ts';
import { type TestService, testService } from './support/service.ts';

/** What chain data says right after a rating: the rating's own evidence, before the indexer has looked at the asset. */
let world: TestService;
interface Listed {
  readonly name: string;
  readonly chain: string;
  readonly address: string;
}
let listed: readonly Listed[];

before(async () => {
  world = await testService();
  listed = (await (await fetch(`${world.sandbox.url}/__control/world`)).json()) as readonly Listed[];
});
after(() => world.close());

const KINDS = ['market', 'holders', 'pools'] as const;
const pathsOf = ({ chain, address }: Listed) => ({
  market: `/v1/${chain}/market/${address}/snapshot`,
  holders: `/v1/${chain}/${address}/holders/snapshot`,
  pools: `/v1/${chain}/${address}/liquidity/pools`,
});
const named = (name: string): Listed => listed.find((row) => row.name === name) ?? assert.fail(name);

async function rate(name: string) {
  const site = `https://${name.toLowerCase().replaceAll(' ', '-')}.example/`;
  const scored = await world.call('/v1/score', {
    json: { type: 'posttge', project: name, project_url: site, output_format: 'full' },
  });
  const report = (await scored.json()) as { readonly as_of: string; readonly collection_id: string };
  assert.equal(scored.status, 200, JSON.stringify(report));
  return report;
}

interface Read {
  readonly market: MarketSnapshot;
  readonly holders: HoldersSnapshot;
  readonly pools: PoolsSnapshot;
}

/** All snapshots of the asset as they were at that moment. */
async function readAll(asset: Listed, asOf: string): Promise<Read> {
  const bodies = await Promise.all(
    KINDS.map(async (kind) => {
      const reply = await world.call(`${pathsOf(asset)[kind]}?as_of=${asOf}`);
      const body = await reply.json();
      assert.equal(reply.status, 200, `${kind} of ${asset.name}: ${JSON.stringify(body)}`);
      return [kind, body] as const;
    }),
  );
  return Object.fromEntries(bodies) as unknown as Read;
}

/** The consensus that the rating was made of, worked out again from its archived evidence. */
async function evidenceOf(job: string) {
  const [evidence] = (await archivedEvidence(world.dataDir, [job])) as [EvidenceRecord];
  return { evidence, consensus: agree(evidence.observations, loadMethodology(), evidence.asOf) };
}

for (const name of ['Marrowstone', 'Ashgrove Yield'])
  test(`the rating of ${name} stores its market, holders and pools at once, with its own figures`, async () => {
    const asset = named(name);
    for (const path of Object.values(pathsOf(asset))) assert.equal((await world.call(path)).status, 404, path);
    const report = await rate(name);
    const at = await Promise.all(Object.values(pathsOf(asset)).map((path) => world.call(path)));
    assert.deepEqual(
      at.map(({ status }) => status),
      [200, 200, 200],
    );
    const { market, holders, pools } = await readAll(asset, report.as_of);
    const { evidence, consensus } = await evidenceOf(report.collection_id);
    for (const snapshot of [market, holders, pools]) assert.equal(snapshot.as_of, evidence.asOf);

    const agreed = (key: string) => consensus[key]?.value;
    assert.ok(typeof market.price_usd === 'number' && (market.liquidity_usd ?? 0) > 0);
    assert.deepEqual(
      [market.price_usd, market.liquidity_usd, market.volume_24h_usd, market.circulating_supply],
      [agreed('price_usd'), agreed('liquidity_dex_usd'), agreed('volume_24h_usd'), agreed('circulating_supply')],
    );
    const voices = consensus.price_usd?.voices.filter((voice) => voice.accepted).map((voice) => voice.source) ?? [];
    assert.deepEqual(market.provenance.price_usd?.sources, [...new Set(voices)].sort());
    assert.equal(market.provenance.price_usd?.confidence, consensus.price_usd?.confidence);

    const lists = (consensus.top_holders?.voices ?? []).filter((voice) => voice.accepted);
    const list = lists.find((voice) => holders.sources.includes(voice.source))?.value as { sharePct: number }[];
    const tops = list.map((row) => row.sharePct).sort((a, b) => b - a);
    const top10 = tops.slice(0, 10).reduce((sum, share) => sum + share, 0);
    assert.ok(Math.abs((holders.raw.top_10_pct ?? 0) - top10) < 1e-6, `${holders.raw.top_10_pct} and ${top10}`);
    assert.notEqual(holders.method, 'full_scan');
    assert.notEqual(holders.status, 'complete');
    assert.deepEqual([holders.raw.gini, holders.tiers_supply, holders.histogram], [null, null, null]);
    assert.ok(holders.warnings.some((warning) => warning.includes('they are not exact')));

    const told = new Set(
      Object.values(consensus).flatMap((row) => (row.quantity === 'pool_liquidity_usd' ? [row.scope] : [])),
    );
    assert.equal(pools.totals.pools, told.size);
    // The rating read them from the chain itself, and the snapshot shows that.
    assert.deepEqual([pools.totals.verified_pools, pools.depth_method], [told.size, 'exact']);
    assert.ok(pools.warnings.some((warning) => warning.includes('were read from the chain')));
    assert.ok((pools.height ?? 0) > 0);
    for (const pool of pools.pools) {
      const row = consensus[`pool_liquidity_usd@pool:${pool.address}`];
      assert.ok(Math.abs((pool.tvl_usd ?? 0) / Number(row?.value) - 1) < 0.2, pool.address);
      assert.ok(pool.sources.length > 0);
    }
  });

test('the indexer reads a rated asset next, and its exact snapshots are not replaced by a later rating', async () => {
  const asset = named('Moonbadger');
  await rate('Moonbadger');
  await lookInto(world.dataDir, ({ pool }) =>
    pool.query(`update index_schedule set due_at = now() where due_at < now() + interval '1 minute'`),
  );
  const exact = async (): Promise<{ holders: HoldersSnapshot; pools: PoolsSnapshot }> => {
    const [holders, pools] = await Promise.all([
      world.call(pathsOf(asset).holders).then((reply) => reply.json()),
      world.call(pathsOf(asset).pools).then((reply) => reply.json()),
    ]);
    return { holders, pools } as { holders: HoldersSnapshot; pools: PoolsSnapshot };
  };
  for (const until = Date.now() + 20_000; ; ) {
    const { holders, pools } = await exact();
    if (holders.status === 'complete' && pools.depth_method === 'exact') break;
    assert.ok(Date.now() < until, `${holders.method} ${pools.depth_method}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const before = await exact();
  const again = await world.call(`/v1/rms/${encodeURIComponent(before.holders.asset.id)}?fresh=true`);
  assert.equal(again.status, 200, await again.clone().text());
  const { holders, pools } = await exact();
  assert.equal(holders.method, 'full_scan');
  assert.equal(pools.depth_method, 'exact');
  assert.ok(pools.as_of > before.pools.as_of, 'pools that the newer rating read are not kept out by older ones');
  const market = (await (await world.call(pathsOf(asset).market)).json()) as MarketSnapshot;
  assert.ok(market.as_of > before.holders.as_of, 'the market is the one of the newer rating');
});

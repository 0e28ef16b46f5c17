import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { BulkLists } from '../evidence/index.ts';
import { loadMethodology } from '../methodology/load.ts';
import { AS_OF, consensusOf, soundProtocol } from '../rating/fixtures/asset.ts';
import { rate } from '../rating/rate.ts';
import { createListedPeers, withListed } from './peers.ts';

const methodology = loadMethodology();

type Replies = Readonly<Record<string, unknown>>;

function listsOf(replies: Replies) {
  const asked: string[] = [];
  const lists = new Map(
    Object.entries(replies).map(([name, reply]) => [name, { reply, record: { fetchedAt: AS_OF }, find: () => null }]),
  );
  const bulk = {
    async get(_: string, endpoint: string) {
      asked.push(endpoint);
      return lists.get(endpoint) ?? { failed: 'timeout', detail: '' };
    },
  } as unknown as Pick<BulkLists, 'get'>;
  return { read: createListedPeers(bulk, methodology), asked, lists };
}

const dex = (index: number) => ({ id: `dex-${index}`, market_cap: 1e8 * (1 + index), total_volume: 1e6 });
const protocol = (index: number) => ({
  id: String(index),
  slug: `dex-${index}`,
  gecko_id: `dex-${index}`,
  category: 'Dexs',
  tvl: 4e7 * (1 + index) * (index % 3 === 0 ? 0.9 : 1.1),
});
const fee = (index: number) => ({
  defillamaId: String(index),
  total30d: 4e5 * (1 + index) * (index % 2 === 0 ? 0.8 : 1.2),
});
const many = <Row>(count: number, row: (index: number) => Row) =>
  Array.from({ length: count }, (_, index) => row(index));
const WORLD: Replies = {
  markets: [
    ...many(20, dex),
    { id: 'bitcoin', market_cap: 2e12, total_volume: 4e10 },
    { id: 'ethereum', market_cap: 4e11, total_volume: 2e10 },
    { id: 'usd-coin', market_cap: 7e10, total_volume: 1e10 },
    { id: 'staked-ether', market_cap: 3e10, total_volume: 1e8 },
    { id: 'dai', market_cap: 5e9, total_volume: 1e8 },
    { id: 'nobody-files-it', market_cap: 1e9, total_volume: 1e6 },
  ],
  protocols: [
    ...many(20, protocol),
    { id: '900', slug: 'lido', gecko_id: 'staked-ether', category: 'Liquid Staking', tvl: 3e10 },
    { id: '901', slug: 'sky', gecko_id: 'dai', category: 'CDP', tvl: 6e9 },
  ],
  all_fees: { protocols: [...many(20, fee), { defillamaId: 'chain#ethereum', name: 'Ethereum', total30d: 3e7 }] },
  all_chains: [{ gecko_id: 'ethereum', name: 'Ethereum', tvl: 6e10 }],
  all_stablecoin_chains: [{ name: 'Ethereum', totalCirculatingUSD: { peggedUSD: 1e11, peggedEUR: 1e9 } }],
};

test('lists give peers by class: protocols by what they are filed as, coins of chains with what is on them, no stablecoin', async () => {
  const rows = await listsOf(WORLD).read(0);
  const byId = new Map(rows.map((row) => [row.assetId, row]));
  assert.equal(rows.filter((row) => row.class === 'defi_gov').length, 20);
  assert.deepEqual(byId.get('coingecko:ethereum')?.drivers, { fees_30d_usd: 3e7, tvl_usd: 1.61e11 });
  assert.equal(byId.get('coingecko:ethereum')?.class, 'native_l1');
  assert.equal(byId.has('coingecko:bitcoin'), false, 'no list has a driver of its class');
  for (const none of ['usd-coin', 'staked-ether', 'dai', 'nobody-files-it'])
    assert.equal(byId.has(`coingecko:${none}`), false, none);
});

test('the very first rating of a protocol is valued by them', async () => {
  const peers = withListed([], await listsOf(WORLD).read(0));
  const { vfr } = rate(
    soundProtocol({
      set: [
        consensusOf('categories', ['Dexs']),
        consensusOf('protocol_category', 'Dexs'),
        consensusOf('fees_30d_usd', 3e6),
        consensusOf('tvl_usd', 3e8),
      ],
      peers,
    }),
    methodology,
  );
  assert.equal(vfr.peers, 20, `${vfr.reason}`);
  assert.ok(vfr.value !== null);
});

test('memecoins are peers by their list and its volume, unless a protocol or a register states what they are', async () => {
  const meme = (index: number) => ({
    id: `meme-${index}`,
    market_cap: 1e7 * (1 + index),
    total_volume: 4e5 * (1 + index) * (index % 3 === 0 ? 0.7 : 1.2),
  });
  const memes = [...many(30, meme), dex(1), { id: 'dogecoin', market_cap: 3e10, total_volume: 1e9 }];
  const world = { ...WORLD, markets: [...(WORLD.markets as []), ...many(5, meme)], meme_markets: memes };
  const rows = await listsOf(world).read(0);
  const found = rows.filter((row) => row.class === 'memecoin');
  assert.equal(found.length, 30);
  assert.deepEqual(found.find(({ assetId }) => assetId === 'coingecko:meme-0')?.drivers, { volume_24h_usd: 2.8e5 });
  assert.equal(rows.find(({ assetId }) => assetId === 'coingecko:dex-1')?.class, 'defi_gov');
  const of = (peers: typeof rows) =>
    rate(
      soundProtocol({ set: [consensusOf('categories', ['Meme']), consensusOf('volume_24h_usd', 4e6)], peers }),
      methodology,
    );
  const { vfr, ...rating } = of(rows);
  assert.equal(rating.class, 'memecoin');
  assert.equal(vfr.peers, 30, `${vfr.reason}`);
  assert.ok(vfr.value !== null, `${vfr.reason}`);
  const alone = of(await listsOf(WORLD).read(0)).vfr;
  assert.deepEqual([alone.value, alone.reason], [null, '0 peers with the driver, 8 are needed']);
});

test('a missing list loses its drivers, a missing list of markets all peers; a malformed list causes no error', async () => {
  const { all_fees: _, ...noFees } = WORLD;
  const rows = await listsOf(noFees).read(0);
  assert.deepEqual(Object.keys(rows.find((row) => row.class === 'defi_gov')?.drivers ?? {}), ['tvl_usd']);
  const { markets: __, ...noMarkets } = WORLD;
  assert.deepEqual(await listsOf(noMarkets).read(0), []);
  await fc.assert(
    fc.asyncProperty(fc.anything(), fc.anything(), async (one, other) => {
      for (const row of await listsOf({
        ...WORLD,
        protocols: [one, protocol(1)],
        all_fees: { protocols: [other] },
        all_chains: other,
      }).read(0))
        for (const value of [row.marketValueUsd, ...Object.values(row.drivers)])
          assert.ok(typeof value === 'number' && value > 0 && Number.isFinite(value));
    }),
    { numRuns: 100 },
  );
});

test('of a class with too many peers the same are chosen in any order of the list, assets rated here first', async () => {
  const count = methodology.vfr.listed.mostOfClass + 20;
  const world = { ...WORLD, markets: many(count, dex), protocols: many(count, protocol) };
  const rows = await listsOf(world).read(0);
  assert.equal(rows.length, methodology.vfr.listed.mostOfClass);
  assert.deepEqual(await listsOf({ ...world, markets: [...world.markets].reverse() }).read(0), rows);
  const [first] = rows;
  assert.ok(first);
  const rated = { ...first, assetId: 'eip155:1/erc20:0x1' };
  assert.deepEqual(withListed([rated], rows), [rated, ...rows.slice(1)]);
});

test('peers are made once of the same lists, and again when one of them is fetched again', async () => {
  const { read, lists } = listsOf(WORLD);
  const rows = await read(0);
  assert.equal(await read(0), rows);
  lists.set('protocols', { reply: [protocol(1)], record: { fetchedAt: AS_OF }, find: () => null });
  assert.equal((await read(0)).filter((row) => row.class === 'defi_gov').length, 1);
});

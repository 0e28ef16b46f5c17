import assert from 'node:assert/strict';
import { test } from 'node:test';
import { coingecko } from './coingecko/index.ts';
import { coinmarketcap } from './coinmarketcap.ts';
import { endpointOf } from './fixtures/project-drive.ts';
import { read } from './fixtures/read-reply.ts';
import { listedAssets } from './listed-assets.ts';

const TOKEN = '0x00000000000000000000000000000000000000aa';
const OTHER = '0x00000000000000000000000000000000000000bb';
const MINT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';

test('coingecko: a change over a period that is longer than the coin exists is unknown, not 0', () => {
  const coin = (change: object) => ({ id: 'tide', symbol: 'tide', name: 'Tide', market_data: change });
  const seen = (change: object) => {
    const heard = read('coingecko', 'coin', { id: 'tide' }, coin(change));
    return ['price_change_24h_pct', 'price_change_7d_pct', 'price_change_30d_pct'].map((name) => heard.say(name));
  };
  // The form of a coin of two days: the number is 0, and no currency has one.
  const young = {
    price_change_percentage_24h: -13.82133,
    price_change_percentage_7d: 0,
    price_change_percentage_30d: 0,
    price_change_percentage_24h_in_currency: { btc: -15.47725, usd: -13.82133 },
    price_change_percentage_7d_in_currency: {},
    price_change_percentage_30d_in_currency: {},
  };
  assert.deepEqual(seen(young), [-13.82133, undefined, undefined]);
  const { price_change_percentage_7d_in_currency: _, ...bare } = young;
  assert.deepEqual(seen({ ...bare, price_change_percentage_30d_in_currency: { usd: 0 } }), [-13.82133, 0, 0]);
});

test('coingecko: a wrapped or staked token is in the list of markets, and has the rank among all', () => {
  const { query } = endpointOf(coingecko, 'markets').request({ page: 2 });
  assert.equal(query?.include_rehypothecated, true);
  // Since February 2026 such a token has no rank of the first kind.
  const ranked = {
    id: 'weth',
    symbol: 'weth',
    name: 'WETH',
    market_cap_rank: null,
    market_cap_rank_with_rehypothecated: 30,
  };
  for (const [name, reply] of [
    ['coin', ranked],
    ['markets', [ranked]],
  ] as const) {
    const rank = (body: unknown) => read('coingecko', name, { id: 'weth' }, body).say('registry_rank');
    const [record] = endpointOf(coingecko, name).records?.(reply as never, { id: 'weth' }) ?? [];
    assert.deepEqual([rank(reply), record?.rank], [30, 30], name);
  }
  const both = { ...ranked, market_cap_rank: 28 };
  assert.equal(read('coingecko', 'coin', { id: 'weth' }, both).say('registry_rank'), 28);
});

test('a wrapped or staked token of the list of markets is no peer of a protocol', () => {
  const row = (id: string, ranks: object) => ({ id, market_cap: 9e9, total_volume: 1e6, ...ranks });
  const assets = listedAssets([
    [
      row('wbtc', { market_cap_rank: null, market_cap_rank_with_rehypothecated: 14 }),
      row('tide', { market_cap_rank: 40, market_cap_rank_with_rehypothecated: 52 }),
      // A recording from before 2026-02-04, and a coin that nobody ranks.
      row('old', { market_cap_rank: 41 }),
      row('new', { market_cap_rank: null }),
    ],
  ]);
  assert.deepEqual(
    assets.map(({ registryId }) => registryId),
    ['tide', 'old', 'new'],
  );
});

test('CoinMarketCap: the chain of an address is the platform’s, not the one whose coin pays for it', () => {
  const on = (name: string, slug: string, address: string) => ({
    contract_address: address,
    platform: { name, coin: { id: '1', name: slug, symbol: 'X', slug } },
  });
  const seen = (rows: readonly object[], platform: object | null = null) => {
    const reply = { status: { error_code: 0 }, data: { 7: { id: 7, name: 'Tide', contract_address: rows, platform } } };
    const listed = read('coinmarketcap', 'info', { id: '7' }, reply).say('registry_addresses') as { chain: string }[];
    const [record] = endpointOf(coinmarketcap, 'info').records?.(reply as never, { id: '7' }) ?? [];
    return [listed.map(({ chain }) => chain), record?.addresses?.map((place) => place.split(':')[0]), record?.home];
  };
  const all = [
    on('BNB Smart Chain (BEP20)', 'bnb', TOKEN),
    on('Optimism', 'optimism-ethereum', TOKEN),
    on('Polygon', 'polygon-ecosystem-token', TOKEN),
    on('Avalanche C-Chain', 'avalanche', TOKEN),
    on('Solana', 'solana', MINT),
  ];
  const names = ['bsc', 'optimism', 'polygon', 'avalanche', 'solana'];
  assert.deepEqual(seen(all), [names, names.toSorted(), null]);
  // Chains that have the coin of another: what is on them is not on that other chain.
  for (const row of [
    on('Polygon zkEVM', 'polygon', OTHER),
    on('opBNB', 'bnb', OTHER),
    on('EthereumPoW', 'ethereum', OTHER),
  ])
    assert.deepEqual(seen([row]), [[], [], null], JSON.stringify(row));
  const home = (platform: object) => seen([], { token_address: TOKEN, ...platform })[2];
  assert.equal(home({ name: 'BNB', slug: 'bnb' }), 'bsc');
  assert.equal(home({ name: 'POL (prev. MATIC)', slug: 'polygon-ecosystem-token' }), 'polygon');
  assert.equal(home({ slug: 'ethereum' }), 'ethereum');
  assert.equal(home({ name: 'opBNB', slug: 'bnb' }), null);
});

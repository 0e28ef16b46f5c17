import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_KEYS } from '../domain/asset.ts';
import { coingecko } from './coingecko/index.ts';
import { defillama } from './defillama.ts';
import { factsOf, parseBody } from './fixtures/drive.ts';
import type { Facts, Params } from './source.ts';

const endpointOf = (name: string, source = defillama) => {
  const found = source.endpoints.find((row) => row.name === name);
  assert.ok(found, name);
  return found;
};
const said = (name: string, params: Params, reply: unknown) => {
  const { outcome, drafts } = parseBody(endpointOf(name), params, reply);
  assert.equal(outcome, 'ok');
  return Object.fromEntries(drafts.map(({ quantity, value }) => [quantity, value]));
};
const coin = (coingeckoId: string, learned: Facts['learned'] = {}): Facts => ({
  ...factsOf('none', '', learned),
  address: null,
  keys: { ...NO_KEYS, coingeckoId },
});

const CHAIN_FEES = {
  name: 'Ethereum',
  defillamaId: 'chain#ethereum',
  category: 'Chain',
  protocolType: 'chain',
  total24h: 307_227,
  total30d: 11_323_758,
};

test('a chain’s fees are those of its own adapter, found by the id of its coin', () => {
  const rows = [
    { gecko_id: null, name: 'Base', tvl: 4e9 },
    { gecko_id: 'binancecoin', name: 'BSC', tvl: 7e9 },
    { gecko_id: 'the-open-network', name: 'TON Chain', tvl: '100000000' },
  ];
  const { learned } = parseBody(endpointOf('chain'), { id: 'the-open-network' }, rows);
  assert.deepEqual(learned, { 'defillama.chain': { name: 'TON Chain', tvl: 1e8 } });
  assert.deepEqual(parseBody(endpointOf('chain'), { id: 'usd-coin' }, rows).learned, {});
  const [first] = endpointOf('fees').plan(coin('the-open-network', learned));
  assert.deepEqual(first, { slug: 'ton-chain', dataType: 'dailyFees', of: 'chain' });
});

test('a protocol and a chain of one name do not lend each other their fees', () => {
  const params = { slug: 'ethereum', dataType: 'dailyFees' };
  assert.deepEqual(said('fees', { ...params, of: 'chain' }, CHAIN_FEES), {
    fees_30d_usd: 11_323_758,
    protocol_category: 'Chain',
  });
  assert.deepEqual(said('fees', params, CHAIN_FEES), {});
  assert.deepEqual(said('fees', { ...params, of: 'chain' }, { ...CHAIN_FEES, protocolType: 'protocol' }), {});
  assert.deepEqual(said('fees', { ...params, of: 'chain' }, { ...CHAIN_FEES, defillamaId: 'parent#ethereum' }), {});
  assert.deepEqual(said('fees', { slug: 'uniswap', dataType: 'dailyHoldersRevenue' }, { total30d: 5 }), {
    holders_revenue_30d_usd: 5,
  });
});

test('the value on a chain is what is locked there and its stablecoins', () => {
  const rows = [{ name: 'Ethereum', totalCirculatingUSD: { peggedUSD: 120, peggedEUR: '4' } }];
  assert.deepEqual(said('chain_value', { name: 'Ethereum', tvl: 60 }, rows), { tvl_usd: 184 });
  assert.deepEqual(said('chain_value', { name: 'Bitcoin', tvl: 6 }, rows), { tvl_usd: 6 });
});

test('figures of a protocol that is no longer read are dated by its newest value', () => {
  const DAY = 86_400;
  const fetchedAt = '2026-11-20T12:00:00.000Z';
  const now = Math.floor(Date.parse(fetchedAt) / 1_000 / DAY) * DAY;
  const datesOf = (name: string, params: Params, reply: unknown) =>
    parseBody(endpointOf(name), params, reply, fetchedAt).drafts.flatMap(({ quantity, observedAt }) =>
      ['fees_30d_usd', 'growth_90d_log', 'tvl_usd'].includes(quantity) ? [[quantity, observedAt]] : [],
    );
  const fees = (last: number) => ({
    protocolType: 'protocol',
    totalDataChart: Array.from({ length: 130 }, (_, day) => [last - (129 - day) * DAY, 100 + day]),
  });
  const tvl = (last: number) => ({
    name: 'Harbourline',
    currentChainTvls: { Ethereum: 50 },
    tvl: Array.from({ length: 130 }, (_, day) => ({ date: last - (129 - day) * DAY, totalLiquidityUSD: 100 + day })),
  });
  const slug = { slug: 'harbourline', dataType: 'dailyFees' };
  // A chart ends with the last whole day.
  for (const last of [now, now - DAY]) {
    assert.deepEqual(datesOf('fees', slug, fees(last)), [
      ['fees_30d_usd', undefined],
      ['growth_90d_log', undefined],
    ]);
    assert.deepEqual(datesOf('protocol', slug, tvl(last)), [
      ['tvl_usd', undefined],
      ['growth_90d_log', undefined],
    ]);
  }
  const old = now - 200 * DAY;
  const at = new Date(old * 1_000).toISOString();
  assert.deepEqual(datesOf('fees', slug, fees(old)), [
    ['fees_30d_usd', at],
    ['growth_90d_log', at],
  ]);
  assert.deepEqual(datesOf('protocol', slug, tvl(old)), [
    ['tvl_usd', at],
    ['growth_90d_log', at],
  ]);
});

test('a part of the value locked that is listed a second time is not added to it', () => {
  const reply = (currentChainTvls: object) => ({ name: 'Harbourline', currentChainTvls, tvl: [] });
  const tvl = (parts: object) => said('protocol', { slug: 'harbourline' }, reply(parts)).tvl_usd;
  // Headline value of two chains; the other keys are subsets of it, or are not part of it.
  const chains = { Ethereum: 100, 'Polygon zkEVM': 40 };
  assert.equal(tvl(chains), 140);
  for (const key of ['doublecounted', 'liquidstaking', 'dcAndLsOverlap', 'OwnTokens', 'staking', 'borrowed'])
    assert.equal(tvl({ ...chains, [key]: 30, [`Ethereum-${key}`]: 30 }), 140, key);
});

test('a protocol of several versions is filed as its largest one', () => {
  const rows = [
    { slug: 'aave-v3', name: 'Aave V3', category: 'Lending', parentProtocol: 'parent#aave', gecko_id: null },
    { slug: 'lido', name: 'Lido', category: 'Liquid Staking', gecko_id: 'lido-dao' },
  ];
  assert.deepEqual(said('protocols', { slug: 'aave' }, rows), { protocol_category: 'Lending' });
  assert.deepEqual(said('protocols', { id: 'lido-dao' }, rows), { protocol_category: 'Liquid Staking' });
  assert.deepEqual(said('protocols', { id: 'aave' }, rows), {});
  const { list } = endpointOf('protocols');
  const keys = rows.flatMap((row) => list?.keysOf(row) ?? []);
  assert.deepEqual(keys, ['aave-v3', 'aave', 'lido', 'gecko:lido-dao']);
  assert.equal(list?.keyOf({ id: 'lido-dao' }), 'gecko:lido-dao');
});

const STABLE: readonly (readonly [pegType: string, mechanism: string, want: Readonly<Record<string, unknown>>])[] = [
  ['peggedUSD', 'fiat-backed', { peg_target_usd: 1, peg_currency: 'USD', peg_mechanism: 'fiat_backed' }],
  ['peggedEUR', 'crypto-backed', { peg_currency: 'EUR', peg_mechanism: 'crypto_backed' }],
  ['peggedREAL', 'fiat-backed', { peg_currency: 'BRL', peg_mechanism: 'fiat_backed' }],
  ['peggedVAR', 'algorithmic', { peg_mechanism: 'algorithmic' }],
  ['peggedUSD', 'hope', { peg_target_usd: 1, peg_currency: 'USD' }],
];
for (const [pegType, pegMechanism, want] of STABLE)
  test(`${pegType}, ${pegMechanism}: ${Object.values(want).join(', ')}`, () => {
    const reply = { peggedAssets: [{ gecko_id: 'other' }, { gecko_id: 'it', pegType, pegMechanism }] };
    assert.deepEqual(said('stablecoins', { id: 'it' }, reply), want);
  });

test('a coin whose price accrues its yield is filed as such, and its chart is not held against its peg', () => {
  const row = { id: '7', gecko_id: 'it', pegType: 'peggedUSD', pegMechanism: 'fiat-backed', price: 1.1072 };
  const seen = (change: object) => {
    const reply = { peggedAssets: [{ ...row, ...change }] };
    const { learned } = parseBody(endpointOf('stablecoins'), { id: 'it' }, reply);
    return [said('stablecoins', { id: 'it' }, reply).categories, learned['defillama.pegCurrency']];
  };
  assert.deepEqual(seen({ yieldBearing: true }), [['Yield-Bearing'], undefined]);
  for (const change of [{}, { yieldBearing: false }, { yieldBearing: 'no' }])
    assert.deepEqual(seen(change), [undefined, 'USD'], JSON.stringify(change));
});

test('the chart of a coin is read in the currency that it is filed under', () => {
  const chart = endpointOf('peg_chart', coingecko);
  assert.deepEqual(chart.plan(coin('euro-coin', { 'defillama.pegCurrency': 'EUR', 'coingecko.atOneDollar': true })), [
    { id: 'euro-coin', currency: 'eur' },
  ]);
  assert.deepEqual(chart.plan(coin('new-dollar', { 'coingecko.atOneDollar': true })), [
    { id: 'new-dollar', currency: 'usd' },
  ]);
  assert.deepEqual(chart.plan(coin('pepe')), []);
  assert.deepEqual(chart.plan(coin('odd', { 'defillama.pegCurrency': 'XYZ' })), []);
});

test('euros are not dollars that have left their peg, and a coin that fell is read as one that did', () => {
  const day = 86_400_000;
  const start = Date.UTC(2026, 0, 1);
  const prices = (price: number, count: number, step: number) =>
    Array.from({ length: count }, (_, index) => [start + index * step, price]);
  const dollars = parseBody(endpointOf('market_chart', coingecko), { id: 'x' }, { prices: prices(1.15, 366, day) });
  assert.ok(!dollars.drafts.some(({ quantity }) => quantity.startsWith('peg_')));
  const euros = parseBody(
    endpointOf('peg_chart', coingecko),
    { id: 'x', currency: 'eur' },
    { prices: prices(0.5, 2_160, day / 24) },
  );
  const days = euros.drafts.find(({ quantity }) => quantity === 'peg_days_below_80');
  assert.deepEqual([days?.value, days?.scope], [90, 'currency:EUR']);
  const hourly = { prices: prices(0.02, 90 * 24, day / 24) };
  const fallen = parseBody(endpointOf('peg_chart', coingecko), { id: 'terrausd', currency: 'usd' }, hourly);
  assert.deepEqual(
    fallen.drafts.map(({ quantity, value }) => [quantity, value]),
    [
      ['peg_deviation_90d_max', 0.98],
      ['peg_deviation_24h_held', 0.98],
    ],
  );
});

test('metals and currencies are priced by the price of one bitcoin in them, and requested only where a coin may be pegged to one', () => {
  const rates = endpointOf('exchange_rates', coingecko);
  const reply = { rates: { usd: { value: 100_000 }, xau: { value: 25 }, eur: { value: 'many' } } };
  const [ounce] = parseBody(rates, { currency: 'XAU' }, reply).drafts;
  assert.deepEqual([ounce?.value, ounce?.scope], [4_000, 'currency:XAU']);
  for (const currency of ['EUR', 'JPY', 'constructor'])
    assert.deepEqual(parseBody(rates, { currency }, reply).drafts, []);
  const plan = (symbol: string, learned = {}) => rates.plan({ ...coin('it', learned), symbol });
  assert.deepEqual(
    [plan('PAXG')[0]?.currency, plan('XAUt')[0]?.currency, plan('XAGX')[0]?.currency],
    ['XAU', 'XAU', 'XAG'],
  );
  assert.deepEqual(plan('TOKEN', { 'defillama.pegCurrency': 'EUR' })[0]?.currency, 'EUR');
  // A token of gold whose symbol does not say so is known by the row of its issuer.
  assert.deepEqual(plan('TOKEN', { 'registers.pegCurrency': 'XAU' })[0]?.currency, 'XAU');
  assert.deepEqual(plan('TOKEN', { 'registers.pegCurrency': 'USD' }), []);
  assert.deepEqual([...plan('USDC', { 'defillama.pegCurrency': 'USD' }), ...plan('PEPE')], []);
});

test('an incident carries the highest value locked before it and the median of the week after it', () => {
  const [year, day] = [1_750_000_000 - (1_750_000_000 % 86_400), 86_400];
  const on = (days: number, value: number) => ({ date: year + days * day, totalLiquidityUSD: value });
  const reply = (tvl: object[]) => ({
    name: 'Harbourline',
    hacks: [{ date: year, name: 'drain', amount: 90, returnedFunds: null, classification: 'Protocol Logic' }],
    tvl,
  });
  const incident = (tvl: object[]) => (said('protocol', { slug: 'harbourline' }, reply(tvl)).incidents as object[])[0];
  const series = [
    on(-30, 140),
    on(0, 120),
    on(1, 30),
    on(2, 28),
    on(3, 500),
    on(4, 25),
    on(7, 27),
    on(9, 400),
    on(60, 900),
  ];
  assert.deepEqual(incident(series), {
    date: new Date(year * 1_000).toISOString(),
    name: 'drain',
    lossUsd: 90,
    returnedUsd: null,
    classification: 'Protocol Logic',
    lockedBeforeUsd: 140,
    lockedAfterUsd: 28,
  });
  const { lockedBeforeUsd, lockedAfterUsd } = incident([on(20, 50)]) as Record<string, unknown>;
  assert.deepEqual([lockedBeforeUsd, lockedAfterUsd], [null, null]);
});

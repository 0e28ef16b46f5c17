import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import {
  assetNamed,
  canonicalDeployment,
  issuerOf,
  namesBearing,
  readRegister,
  rowsOf,
  SHIPPED_FOLDER,
  shippedRegisters,
} from './load.ts';
import { observeRegisters } from './observe.ts';
import { complaintsOf } from './schema.ts';
import { registerTerms } from './terms.ts';

const contentOf = (name: string): unknown => JSON.parse(readFileSync(`${SHIPPED_FOLDER}${name}.json`, 'utf8'));

test('every shipped register fits its schema and cites its sources', () => {
  assert.ok(shippedRegisters().length >= 7, shippedRegisters().join(' '));
  for (const name of shippedRegisters()) assert.deepEqual(complaintsOf(name, contentOf(name)), [], name);
});

test('only a licence that was read in a register is supervised: a tier without such a source is unconfirmed', () => {
  for (const row of readRegister(SHIPPED_FOLDER, 'issuers')?.rows ?? []) {
    if (row.tier !== 'supervised' || row.unconfirmed.includes('tier')) continue;
    assert.ok(
      row.regulators.some(({ source, seen }) => source !== undefined && seen !== undefined),
      `${row.id} is supervised by no register that was read`,
    );
  }
});

test('a row from general knowledge confirms only what another source of it states', () => {
  for (const name of ['natives', 'protocols', 'allocations', 'outages'] as const)
    for (const row of readRegister(SHIPPED_FOLDER, name)?.rows ?? [])
      if (row.sources.every((source) => source === 'general-knowledge'))
        assert.ok(
          row.unconfirmed.length > 0,
          `${name} ${row.id} rests on general knowledge and calls nothing unconfirmed`,
        );
});

test('no shipped row is reviewed yet, and each has a review interval within that of licences', () => {
  const days = registerTerms().licence_days;
  for (const name of shippedRegisters())
    for (const row of (readRegister(SHIPPED_FOLDER, name)?.rows ?? []) as readonly Readonly<
      Record<string, unknown>
    >[]) {
      if (name === 'labels') continue;
      assert.deepEqual(row.reviewed_by, [], String(row.id));
      const kept = (Date.parse(String(row.expires)) - Date.parse(String(row.seen))) / 86_400_000;
      assert.ok(kept <= days, `${name} ${String(row.id)} is kept for ${kept} days`);
    }
});

test('tokens and coins find their rows: by address without case, by chain, and natives of unknown chains by their CoinGecko id', () => {
  const usdc = rowsOf(['eip155:1/0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48']).shipped;
  const stated = Object.fromEntries(
    observeRegisters(usdc, '2026-03-01T00:00:00Z').map((row) => [row.quantity, row.value]),
  );
  assert.equal(stated.issuer_tier, 'supervised');
  const later = observeRegisters(usdc, '2026-11-24T00:00:00Z').find(({ quantity }) => quantity === 'issuer_tier');
  assert.equal(later?.value, 'disclosed', 'the file of ESMA that was read is of 2026-02-09');
  assert.equal(stated.peg_currency, 'USD');
  assert.equal(rowsOf(['registry:ripple']).shipped.natives?.symbol, 'XRP');
  assert.equal(rowsOf(['eip155:1/native']).shipped.natives?.id, 'ethereum');
  assert.deepEqual(
    issuerOf('eip155:1', '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48')?.powers.includes('upgrade'),
    true,
  );
  assert.equal(
    issuerOf('eip155:1', '0x50d1c9771902476076ecfc8b2a83ad6b9355a4c9'),
    null,
    'an insolvent issuer has no tier',
  );
  assert.deepEqual(rowsOf(['eip155:1/0x0000000000000000000000000000000000000bad']).shipped, {});
});

test('a licence that no register was read for needs two reviewers, or is unconfirmed', () => {
  const file = readRegister(SHIPPED_FOLDER, 'issuers');
  const [row] = file?.rows.filter(({ tier }) => tier === 'supervised') ?? [];
  assert.ok(file && row);
  const refused = (change: object) => complaintsOf('issuers', { ...file, rows: [{ ...row, ...change }] });
  const unread = { regulators: [{ authority: 'ACPR', permission: 'licence' }], unconfirmed: [] };
  assert.match(refused({ ...unread, reviewed_by: ['ada'] })[0] ?? '', /two people did not review it/);
  assert.equal(refused({ ...unread, reviewed_by: ['ada', 'ada'] }).length, 1);
  assert.deepEqual(refused({ ...unread, reviewed_by: ['ada', 'grace'] }), []);
  assert.deepEqual(refused({ ...unread, unconfirmed: ['tier'] }), []);
});

test('a licence that was not read counts as disclosed', () => {
  const rows = rowsOf(['eip155:1/0x6c3ea9036406852006290770bedfcaba0e23a0e8']).shipped;
  assert.equal(rows.issuer?.tier, 'supervised');
  const tier = observeRegisters(rows, '2026-11-24T00:00:00Z').find((row) => row.quantity === 'issuer_tier');
  assert.deepEqual([tier?.value, tier?.reliability], ['disclosed', 0.5]);
});

const partsOf = (mix: unknown) => Object.entries((mix ?? {}) as Readonly<Record<string, number>>);

test('the parts of a token with several underlying assets add up to one', () => {
  const mixed = (readRegister(SHIPPED_FOLDER, 'protocols')?.rows ?? []).filter((row) => row.underlyings !== undefined);
  assert.ok(mixed.length > 0);
  for (const row of mixed) {
    const whole = partsOf(row.underlyings).reduce((sum, [, share]) => sum + share, 0);
    assert.ok(Math.abs(whole - 1) < 0.005, `${row.id} ${whole}`);
  }
});

test('the underlying of a receipt is a coin or token in a register, so that its rating is found', () => {
  const named = (['issuers', 'protocols'] as const).flatMap((name) =>
    ((readRegister(SHIPPED_FOLDER, name)?.rows ?? []) as readonly Readonly<Record<string, unknown>>[]).flatMap((row) =>
      [row.underlying, ...partsOf(row.underlyings).map(([part]) => part)].flatMap((underlying) =>
        typeof underlying === 'string' ? [{ id: String(row.id), underlying }] : [],
      ),
    ),
  );
  assert.ok(named.length > 40, `${named.length}`);
  assert.equal(named.filter(({ id }) => id === 'jupiter-perpetuals-liquidity-provider-token').length, 5);
  assert.deepEqual(
    named.filter(({ underlying }) => assetNamed(underlying) === null),
    [],
  );
});

test('no token and no id of the registry of coins is in two rows of a register', () => {
  for (const name of ['natives', 'issuers', 'protocols', 'allocations', 'venues'] as const) {
    const names = (
      (readRegister(SHIPPED_FOLDER, name)?.rows ?? []) as readonly Readonly<Record<string, unknown>>[]
    ).flatMap(({ tokens, coingecko }) => [
      ...((tokens ?? []) as readonly { chain: string; address: string }[]).map(
        ({ chain, address }) => `${chain}/${address}`,
      ),
      ...(typeof coingecko === 'string' ? [coingecko] : []),
    ]);
    assert.deepEqual(
      names.filter((one, index) => names.indexOf(one) !== index),
      [],
      name,
    );
    for (const one of names) if (one.startsWith('eip155:')) assert.match(one, /\/(0x[0-9a-f]{40}|native)$/, name);
  }
});

test('a token whose end its issuer announced is marked', () => {
  const rows = rowsOf(['eip155:1/0x4fabb145d64652a948d72533023f6e7a623c7c53']).shipped;
  assert.equal(rows.issuer?.wind_down, '2023-02-13');
});

test('a token that another party makes of a coin is no token of its issuer', () => {
  const busd = '0x9c9e5fd8bbc25984b178fdce6117defa39d2db39';
  const gold = {
    'eip155:43114': '0x2775d5105276781b4b85ba6ea6a6653beed1dd32',
    'eip155:42161': '0x40461291347e1ecbb09499f3371d3f17f10d7159',
    'eip155:137': '0xf1815bd50389c46847f0bda824ec8da914045d14',
    'eip155:143': '0x01bff41798a0bcf287b996046ca68b395dbc1071',
  };
  for (const chain of ['eip155:43114', 'eip155:137', 'eip155:10']) {
    const { issuer, protocol } = rowsOf([`${chain}/${busd}`]).shipped;
    assert.deepEqual([issuer?.id, protocol?.id], [undefined, 'binance-peg-busd'], chain);
  }
  for (const [chain, address] of Object.entries(gold)) {
    const { issuer, protocol } = rowsOf([`${chain}/${address}`]).shipped;
    assert.deepEqual([issuer?.id, protocol?.id, protocol?.underlying], [undefined, 'xaut0', 'tether-gold'], chain);
  }
});

test('a coin through a bridge has a row of its own, and its word still means the coin itself', () => {
  const stands = (name: string) => {
    const { issuer, protocol } = rowsOf([name]).shipped;
    return (protocol ?? issuer)?.underlying;
  };
  const weth = '0x4200000000000000000000000000000000000006';
  for (const chain of [8453, 10, 130, 480, 57073]) assert.equal(stands(`eip155:${chain}/${weth}`), 'ethereum');
  for (const [name, underlying] of Object.entries({
    'eip155:42161/0x82af49447d8a07e3bd95bd0d56f35241523fbab1': 'ethereum',
    'eip155:42161/0x2f2a2543b76a4166549f7aab2e75bef0aefc5b0f': 'wrapped-bitcoin',
    'eip155:8453/0xc1cba3fcea344f92d9239c08c0568f6f2f0ee452': 'wrapped-steth',
    'eip155:137/0x8f3cf7ad23cd3cadbd9735aff958023239c6a063': 'dai',
    'eip155:137/0xc2132d05d31c914a87c6611c10748aeb04b58e8f': 'tether',
    'eip155:10/0x94b008aa00579c1307b0ef2c499ad98a8ce58e58': 'tether',
    'eip155:56/0x8ac76a51cc950d9822d68b83fe1ad97b32cd580d': 'usd-coin',
    'eip155:43114/0xb31f66aa3c1e785363f0875a1b74e27b85fd66c7': 'avalanche-2',
  }))
    assert.equal(stands(name), underlying, name);
  for (const [word, id] of Object.entries({ WETH: 'weth', DAI: 'dai', USDT: 'usdt', USDC: 'usdc', WBTC: 'wbtc' }))
    for (const name of namesBearing(word)) {
      const { issuer, protocol } = rowsOf([name]).shipped;
      assert.equal((protocol ?? issuer)?.id, id, `${word} ${name}`);
    }
});

test('the deployments of an issuer that several lists have are in its row, the home of the coin first', () => {
  const issuerAt = (name: string) => rowsOf([name]).shipped.issuer?.id;
  const usd1 = '0x8d0d000ee44948fc98c9b98a4fa4921476f08b0d';
  assert.deepEqual([issuerAt(`eip155:1/${usd1}`), issuerAt(`eip155:56/${usd1}`)], ['usd1', 'usd1']);
  assert.equal(issuerAt('eip155:1/0x39b8b6385416f4ca36a20319f70d28621895279d'), 'eure');
  const dollar = '0xe343167631d89b6ffc58b88d6b7fb0228795491d';
  assert.equal(canonicalDeployment([`eip155:57073/${dollar}`]), `eip155:1/${dollar}`);
});

/** Rows with an address that no second source was found for. */
const ONE_SOURCE = [
  'swaprum',
  'staked-stream-usd',
  'zebec-network',
  'mode',
  'standx-dusd',
  'qcad',
  'wtgxx',
  'usdkg',
  'susd-solayer',
  'gusd-gate',
];

test('the addresses of a row were read in two sources, but for those that are named', () => {
  const found = (['protocols', 'issuers'] as const).flatMap((name) => {
    const file = readRegister(SHIPPED_FOLDER, name);
    const isRead = (key: string) => file?.sources[key]?.seen !== null && file?.sources[key]?.licence !== 'own';
    return (file?.rows ?? []).flatMap((row) =>
      row.tokens.length > 0 && row.sources.filter(isRead).length < 2 ? [row.id] : [],
    );
  });
  assert.deepEqual(found.sort(), [...ONE_SOURCE].sort());
});

test('an address that one list has and the others contradict is in no row', () => {
  const rowAt = (address: string) => rowsOf([`eip155:1/${address}`]).shipped.protocol?.id;
  assert.equal(rowAt('0xa0c56a8c0692bd10b3fa8f8ba79cf5332b7107f9'), 'merlin-chain');
  assert.equal(rowAt('0x0f3a12b78fee11ee088e454a0547bdbc5a253a6d'), undefined);
});

test('a row of positions with collateral of a kind that has no haircut is refused', () => {
  const file = structuredClone(readRegister(SHIPPED_FOLDER, 'positions'));
  assert.deepEqual(complaintsOf('positions', file), []);
  const [held] = file?.rows[0]?.markets[0]?.held ?? [];
  assert.ok(held);
  held.kind = 'moonstone';
  assert.deepEqual(complaintsOf('positions', file), ['/rows/0 liquity-usd has no haircut for moonstone']);
});

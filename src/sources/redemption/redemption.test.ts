import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseAbiItem } from 'viem/utils';
import { addressBytes } from '../../chains/codecs/accounts.ts';
import { EVM_CHAINS } from '../../chains/index.ts';
import type { Json } from '../../domain/observation.ts';
import { factsOf, parseBody } from '../fixtures/drive.ts';
import { EVM_REDEMPTIONS, evmRedemption } from './evm-issuers.ts';
import { navDays } from './nav-days.ts';
import { SOLANA_REDEMPTIONS } from './solana-issuers.ts';
import { implausibleRate, learnRate, priceFeedOf, redemptionAtMarketPrice } from './terms.ts';

const ADDRESS = /^0x[0-9a-f]{40}$/;

test('each row of the EVM list is requested on a chain of ours, once, at a real address, and its underlying has a feed there, if its chain has any', () => {
  for (const row of EVM_REDEMPTIONS) {
    const chain = EVM_CHAINS.find(({ name }) => name === row.chain);
    assert.ok(chain, row.name);
    assert.match(row.token, ADDRESS);
    if (Object.keys(chain.priceFeeds).length > 0)
      assert.match(priceFeedOf(row.chain, row.underlying)?.address ?? '', ADDRESS, row.name);
    assert.match(row.source, /^https:\/\//);
    if (row.rate === null) continue;
    assert.match(row.rate.contract, ADDRESS);
    parseAbiItem(`function ${row.rate.call} view returns (uint256)`);
  }
  assert.equal(new Set(EVM_REDEMPTIONS.map((row) => `${row.chain}:${row.token}`)).size, EVM_REDEMPTIONS.length);
});

test('each row of the Solana list has well-formed addresses and a pool of its own', () => {
  for (const { token, pool } of SOLANA_REDEMPTIONS)
    for (const key of [token, ...(pool ? [pool.account, pool.program] : [])]) assert.ok(addressBytes(key), key);
  for (const keys of [SOLANA_REDEMPTIONS.map((row) => row.token), SOLANA_REDEMPTIONS.map((row) => row.pool?.account)])
    assert.equal(new Set(keys).size, SOLANA_REDEMPTIONS.length);
});

test("every chain's own wrapped coin is one for one", () => {
  for (const { name, wrappedNative } of EVM_CHAINS) {
    const terms = evmRedemption(name, wrappedNative.address);
    assert.ok(terms && terms.rate === null && terms.basis === 'contract', name);
  }
});

test('the market is requested for the underlying once two nodes agree on the rate: a false node has no influence', () => {
  const read = (rate: number) => ({ rate: BigInt(rate * 1e6) * 10n ** 12n, price: null, at: null, why: '' });
  const learned = (...rates: readonly number[]) =>
    Object.assign(
      { 'website.redemption.ethereum': { coin: 'ethereum', rate: 2 }, 'evm_rpc.redemption.odd': null },
      ...rates.map((rate, node) => learnRate(`evm_rpc.redemption.${node}`, { underlying: 'ETH' }, read(rate))),
    );
  const plan = (...rates: readonly number[]) =>
    redemptionAtMarketPrice.plan(factsOf('ethereum', '0x1', learned(...rates)));
  assert.deepEqual(plan(1.1425, 1.1426), [{ coin: 'ethereum', rate: 1.1425 }]);
  assert.deepEqual(
    [plan(), plan(1.1425), plan(1.1425, 1.5), plan(1.5, 1.1425), plan(1.1425, 1.1425, 1.3)],
    [[], [], [], [], []],
  );
  assert.deepEqual(learnRate('x', { underlying: 'DOGE' }, read(1)), {});
});

test('the market price of the underlying times the rate is an observation of its own, unless the price is unsure or of another coin', () => {
  const say = (coins: unknown) => parseBody(redemptionAtMarketPrice, { coin: 'ethereum', rate: 1.1 }, { coins });
  const [draft] = say({ 'coingecko:ethereum': { price: 3_000, timestamp: 1_795_000_000, confidence: 0.99 } }).drafts;
  assert.ok(Math.abs(Number(draft?.value) - 3_300) < 1e-9);
  assert.equal(draft?.family, 'coingecko');
  assert.equal(draft?.observedAt, '2026-11-18T11:06:40.000Z');
  assert.deepEqual(say({ 'coingecko:ethereum': { price: 3_000, confidence: 0.8 } }).drafts, []);
  assert.deepEqual(say({ 'coingecko:ethereum': { price: -1, confidence: 1 } }).drafts, []);
  assert.deepEqual(say({ 'coingecko:bitcoin': { price: 3_000, confidence: 1 } }).drafts, []);
  assert.equal(say({}).outcome, 'empty');
});

test('only a rate between 0.8 and 2.5 can be true', () => {
  fc.assert(
    fc.property(fc.double(), (rate) => {
      assert.equal(implausibleRate(rate) === null, rate >= 0.8 && rate <= 2.5);
    }),
  );
  assert.notEqual(implausibleRate(Number.NaN), null);
});

test('the largest discount of a month is that of prices taken together, at the rate that two nodes read', () => {
  const day = 86_400;
  const chart = (prices: readonly number[], apart = 0, confidence = 0.99) => ({
    confidence,
    prices: prices.map((price, at) => ({ timestamp: at * day + apart, price })),
  });
  const say = (own: unknown, other: unknown = chart(Array(30).fill(3_000))) =>
    parseBody(
      navDays,
      { token: 'ethereum:0x1', coin: 'ethereum', rate: 1.1 },
      { coins: { 'ethereum:0x1': own, 'coingecko:ethereum': other } },
    )
      .drafts.filter(({ quantity }) => quantity === 'nav_discount_30d_max')
      .map(({ value }) => Number(value).toFixed(6));
  const fair = Array(30).fill(3_300);
  assert.deepEqual(say(chart(fair)), ['0.000000']);
  assert.deepEqual(say(chart(fair.with(12, 3_135))), ['0.050000']);
  assert.deepEqual(say(chart(fair.with(12, 4_000))), ['0.000000'], 'a premium is no discount');
  assert.deepEqual(say(chart(fair, 700)), [], 'prices of other minutes');
  assert.deepEqual(say(chart(fair.slice(0, 19))), [], 'too few days');
  assert.deepEqual(say(chart(fair, 0, 0.5)), []);
  const plan = (learned: Record<string, Json>) => navDays.plan(factsOf('ethereum', '0x1', learned));
  const read = { coin: 'ethereum', rate: 1.1 };
  assert.deepEqual(plan({ 'evm_rpc.redemption.ethereum': read }), []);
  assert.deepEqual(plan({ 'evm_rpc.redemption.ethereum': read, 'evm_rpc.redemption.ethereum_2': read }), [
    { token: 'ethereum:0x1', ...read },
  ]);
});

test('days far below are counted by what a token stood for at least: growth of its rate makes none, and a fall within the month counts whole', () => {
  const day = 86_400;
  const run = (units: readonly number[], rate: number) => {
    const chart = (prices: readonly number[]) => ({
      confidence: 0.99,
      prices: prices.map((price, at) => ({ timestamp: at * day, price })),
    });
    return parseBody(
      navDays,
      { token: 'ethereum:0x1', coin: 'ethereum', rate },
      {
        coins: {
          'ethereum:0x1': chart(units.map((unit) => unit * 3_000)),
          'coingecko:ethereum': chart(units.map(() => 3_000)),
        },
      },
    ).drafts.find(({ quantity }) => quantity === 'redemption_days_below_80')?.value;
  };
  const month = (before: number, days: number, after: number) =>
    Array.from({ length: 30 }, (_, at) => (at < 30 - days ? before : after));
  assert.equal(run(month(1, 30, 0.45), 1), 30, 'all month');
  assert.equal(run(month(1, 9, 0.45), 1), 9);
  assert.equal(run(month(1.2, 9, 0.9), 1.2), 9, 'a staked coin at three quarters of its rate');
  assert.equal(run(month(1.2, 30, 0.9), 1.2), 0, 'what its rate was then is not known');
  assert.equal(run(month(1.1, 0, 0), 1.6), 0, 'its rate rose yesterday, and the price has not followed');
  assert.equal(run(month(1, 0, 0), 1), 0);
  fc.assert(
    fc.property(
      fc.double({ min: 0.8, max: 2.5, noNaN: true }),
      fc.array(fc.double({ min: 0.81, max: 1.12, noNaN: true }), { minLength: 1, maxLength: 30 }),
      fc.double({ min: 1, max: 2.5, noNaN: true }),
      (rate, shares, growth) => {
        // A token near its rate through the month, of which the rate grows at the end by any amount that can be true.
        // Its lowest price, nine tenths of the rate, is more than 80 % of its highest.
        const paid = shares.map((share) => share * Math.max(1, rate));
        assert.equal(
          run(
            paid.map((unit) => Math.max(unit, 0.9 * Math.max(1, rate))),
            Math.min(2.5, rate * growth),
          ),
          0,
        );
      },
    ),
  );
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defillama } from './defillama.ts';
import { overviewRows, revenueLists } from './defillama-overviews.ts';

const META = { status: 200, headers: {}, fetchedAt: '2026-01-01T00:00:00.000Z', url: '' };
const REPLY = {
  protocols: [
    { slug: 'swap-v2', protocolType: 'protocol', total30d: 30, parentProtocol: 'parent#swap' },
    { slug: 'swap-v3', protocolType: 'protocol', total30d: '70', parentProtocol: 'parent#swap' },
    { slug: 'lend', total30d: 5 },
    { slug: 'tide', protocolType: 'chain', defillamaId: 'chain#tide', category: 'Chain', total30d: 900 },
    { slug: 'tide', protocolType: 'protocol', total30d: 1 },
    { slug: 'silent', protocolType: 'protocol', total30d: null },
    { slug: 'below', protocolType: 'protocol', total30d: -5 },
    'nothing',
  ],
};

/** What the endpoint reads of the row that a list has for its question; null where it would be requested. */
function said(dataType: string, slug: string, of?: 'chain'): unknown {
  const params = { slug, dataType, ...(of ? { of } : {}) };
  const list = revenueLists.find((row) => row.list?.keyOf(params) !== null)?.list;
  const key = list?.keyOf(params);
  const row = overviewRows(REPLY).find((one) => list?.keysOf(one).includes(String(key)));
  const fees = defillama.endpoints.find(({ name }) => name === 'fees');
  return row === undefined
    ? null
    : fees?.observe(row as never, params, META).map(({ quantity, value }) => [quantity, value]);
}

test('a month of revenue comes from the list of its kind: a parent is the sum of its children, a chain is no protocol', () => {
  assert.deepEqual(said('dailyRevenue', 'swap'), [['revenue_30d_usd', 100]]);
  assert.deepEqual(said('dailyHoldersRevenue', 'swap-v3'), [['holders_revenue_30d_usd', 70]]);
  assert.deepEqual(said('dailyRevenue', 'lend'), [['revenue_30d_usd', 5]]);
  assert.deepEqual(said('dailyRevenue', 'tide', 'chain'), [['revenue_30d_usd', 900]]);
  assert.deepEqual(said('dailyRevenue', 'tide'), [['revenue_30d_usd', 1]]);
});

test('what a list does not state is requested, and fees with their chart always', () => {
  for (const slug of ['silent', 'below', 'unknown']) assert.equal(said('dailyRevenue', slug), null, slug);
  assert.equal(
    revenueLists.some(({ list }) => list?.keyOf({ slug: 'swap', dataType: 'dailyFees' }) !== null),
    false,
  );
});

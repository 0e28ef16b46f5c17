import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defillama } from './defillama.ts';
import { parseBody } from './fixtures/drive.ts';
import type { Params } from './source.ts';

/** What the list of protocols states about an end, and the value that was locked before it. */
const FETCHED_AT = '2026-11-20T12:00:00.000Z';
const DAY = 86_400;
const said = (name: string, params: Params, reply: unknown) => {
  const found = defillama.endpoints.find((row) => row.name === name);
  assert.ok(found);
  const { outcome, drafts } = parseBody(found, params, reply, FETCHED_AT);
  assert.equal(outcome, 'ok');
  return new Map<string, unknown>(drafts.map(({ quantity, value }) => [quantity, value]));
};
const row = (slug: string, change: object = {}) => ({
  slug,
  name: slug,
  category: 'Lending',
  gecko_id: null,
  ...change,
});
const endOf = (rows: readonly object[], params: Params = { slug: 'brackwater' }) =>
  said('protocols', params, rows).get('protocol_ended_at');
const END = '2025-05-13T00:00:00.000Z';

test('a protocol that the list calls dead has ended on the date it names', () => {
  assert.equal(endOf([row('brackwater', { deadFrom: '2025-05-13' })]), END);
  assert.equal(endOf([row('brackwater', { deadFrom: Date.parse(END) / 1_000 })]), END);
  assert.equal(endOf([row('brackwater', { deadFrom: String(Date.parse(END) / 1_000) })]), END);
  const listed = [row('brackwater', { gecko_id: 'brackwater-token', deadFrom: '2025-05-13' })];
  assert.equal(endOf(listed, { id: 'brackwater-token' }), END);
});

test('no end is read from a site that is gone, a date to come or one that can be read in two ways', () => {
  for (const change of [
    {},
    { deadUrl: true },
    { deprecated: true },
    { rugged: true },
    { deadFrom: '2026-11-21' },
    { deadFrom: '2324-02-10' },
    { deadFrom: '04-06-2023' },
    { deadFrom: '2022-02-31T' },
    { deadFrom: true },
    { deadFrom: null },
  ])
    assert.equal(endOf([row('brackwater', change)]), undefined, JSON.stringify(change));
});

test('of several products all must have ended, the last one dates the end', () => {
  const product = (slug: string, change: object) => row(slug, { parentProtocol: 'parent#brackwater', ...change });
  const [v1, v2] = [product('v1', { deadFrom: '2023-01-01' }), product('v2', { deadFrom: '2025-05-13' })];
  assert.equal(endOf([v1, v2]), END);
  assert.equal(endOf([v1, v2, product('v0', { deprecated: true })]), END);
  assert.equal(endOf([v1, v2, product('v3', {})]), undefined);
  assert.equal(endOf([v1, v2, product('v3', { deadFrom: '2026-12-01' })]), undefined);
  // A row of the token's own that lives, beside products that do not.
  assert.equal(endOf([v1, v2, row('brackwater')]), undefined);
  // Found by its own name or its token, a product says nothing about its sisters, which are not in the excerpt.
  assert.equal(endOf([v1], { slug: 'v1' }), undefined);
  assert.equal(endOf([{ ...v1, gecko_id: 'token' }], { id: 'token' }), undefined);
});

test('the last value locked is the median of a quarter, which a deposit of a few weeks does not move', () => {
  const start = Date.parse('2024-01-01T00:00:00Z') / 1_000;
  const series = (values: readonly number[]) => ({
    name: 'Brackwater',
    tvl: values.map((totalLiquidityUSD, day) => ({ date: start + day * DAY, totalLiquidityUSD })),
  });
  const last = (values: readonly number[]) =>
    said('protocol', { slug: 'brackwater' }, series(values)).get('tvl_last_quarter_usd');
  const full = Array<number>(100).fill(5e6);
  const low = Array<number>(120).fill(2_000);
  assert.equal(last([...full, ...low]), 2_000);
  assert.equal(last([...full, ...low, ...Array<number>(40).fill(4e6)]), 2_000);
  assert.equal(last([...full, ...low, ...Array<number>(50).fill(4e6)]), 4e6);
  assert.equal(last(full.slice(0, 44)), undefined);
});

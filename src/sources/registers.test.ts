import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findChain } from '../chains/index.ts';
import { readReply } from '../evidence/read-reply.ts';
import { registers } from './registers.ts';
import type { Facts } from './source.ts';

const USDC = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48';
const BINANCE = '0x28c6c06298d514db089934071355e5743bf21d60';
const factsOf = (change: Partial<Facts>): Facts =>
  ({
    project: 'USDC',
    symbol: 'USDC',
    chain: findChain('ethereum'),
    address: USDC,
    websiteUrl: null,
    registrableDomain: null,
    keys: { coingeckoId: null },
    learned: {},
    ...change,
  }) as Facts;
const AT = '2026-03-01T00:00:00.000Z';

/** What the source states, read from the archived bytes as a replay reads them. */
function stated(name: string, facts: Facts) {
  const endpoint = registers.endpoints.find((row) => row.name === name);
  assert.ok(endpoint?.made);
  return endpoint.plan(facts).flatMap((params) => {
    const body = Buffer.from(JSON.stringify(endpoint.made?.(params)));
    const read = readReply(
      registers,
      endpoint,
      params,
      body,
      { status: 200, headers: {}, fetchedAt: AT, url: 'file:///registers' },
      'registers#1',
    );
    assert.equal(read.outcome, 'ok', read.detail ?? '');
    return read.observations;
  });
}

test('a token with a row has its tier, powers and the row itself as evidence, dated by the collection', () => {
  const rows = new Map(stated('rows', factsOf({})).map((row) => [`${row.quantity} ${row.scope}`, row]));
  const tier = rows.get('issuer_tier asset');
  assert.deepEqual(
    [tier?.value, tier?.family, tier?.tier, tier?.reliability, tier?.observedAt],
    ['supervised', 'register', 'registry', 0.9, AT],
  );
  const row = rows.get('register_row register:issuers')?.value as {
    readonly sources: readonly { readonly url: string }[];
  };
  assert.match(row.sources[0]?.url ?? '', /esma/);
});

test('a coin of a chain that we do not read is found by its id in a registry, and a token never is', () => {
  const keys = { coingeckoId: 'ripple' } as Facts['keys'];
  const found = (facts: Partial<Facts>) => stated('rows', factsOf({ keys, ...facts })).map((row) => row.quantity);
  assert.ok(found({ chain: null, address: null }).includes('consensus_entry_state'));
  assert.deepEqual(found({ address: '0x00000000000000000000000000000000000000aa' }), []);
});

test('an asset without a row is not requested', () => {
  assert.deepEqual(stated('rows', factsOf({ address: '0x00000000000000000000000000000000000000aa' })), []);
});

test('largest holders in the register are named by it, as one lineage group of its own', () => {
  const learned = { 'goplus.holders': [BINANCE, '0x00000000000000000000000000000000000000aa'] };
  const [labels] = stated('labels', factsOf({ learned }));
  assert.ok(labels);
  assert.deepEqual([labels.quantity, labels.family], ['holder_labels', 'kept_labels']);
  assert.deepEqual(
    (labels.value as readonly { readonly address: string; readonly kind: string }[]).map(({ address, kind }) => [
      address,
      kind,
    ]),
    [[BINANCE, 'exchange']],
  );
  assert.deepEqual(stated('labels', factsOf({ learned: { 'goplus.holders': [USDC] } })), []);
});

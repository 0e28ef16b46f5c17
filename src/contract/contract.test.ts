import assert from 'node:assert/strict';
import { test } from 'node:test';
import Type from 'typebox';
import type { HoldersSnapshot, MarketSnapshot, PoolsSnapshot } from '../domain/index.ts';
import type { HoldersReply } from './holders.ts';
import type { MarketReply } from './market.ts';
import type { PoolsReply } from './pools.ts';
import { viewOf } from './view.ts';
import type { Reply } from './vocabulary.ts';

/** True only while both types have the same fields of the same types. */
type Equal<A, B> = (<T>() => T extends Flat<A> ? 1 : 2) extends <T>() => T extends Flat<B> ? 1 : 2 ? true : false;
type Flat<T> = T extends object ? { [Name in keyof T]: Flat<T[Name]> } : T;
type Served<Snapshot> = Snapshot & { readonly age_seconds: number; readonly data_mode: 'live' | 'sandbox' };

test('stored snapshots, which are served as they stand, have the fields of their schemas: else this does not compile', () => {
  const market: Equal<Reply<typeof MarketReply>, Served<MarketSnapshot>> = true;
  const holders: Equal<Reply<typeof HoldersReply>, Served<HoldersSnapshot>> = true;
  // `scope` is added when only some of the pools were asked for.
  const pools: Equal<Omit<Reply<typeof PoolsReply>, 'scope'>, Served<PoolsSnapshot>> = true;
  assert.ok(market && holders && pools);
});

const Row = Type.Object({
  row_id: Type.Integer(),
  price_24h_usd: Type.Union([Type.Number(), Type.Null()]),
  parts: Type.Array(Type.Object({ first_part: Type.String() })),
  near_by: Type.Union([Type.Object({ at_hand: Type.Boolean() }), Type.Null()]),
  left_out: Type.Optional(Type.String()),
});

test('a view takes the fields of the schema in its order, and nothing else leaves', () => {
  const source = {
    secret: 'kept',
    parts: [{ firstPart: 'a', secret: 'kept' }],
    nearBy: { atHand: true, secret: 'kept' },
    price24hUsd: null,
    rowId: 1,
  };
  assert.equal(
    JSON.stringify(viewOf(Row, source)),
    '{"row_id":1,"price_24h_usd":null,"parts":[{"first_part":"a"}],"near_by":{"at_hand":true}}',
  );
  assert.equal(viewOf(Row, { ...source, nearBy: null }).near_by, null);
});

test('a view whose source lacks a field, or has another type there, does not compile', () => {
  const { parts, ...rest } = { rowId: 1, price24hUsd: 2, parts: [], nearBy: null };
  // @ts-expect-error: `parts` is forgotten
  viewOf(Row, rest);
  // @ts-expect-error: a text where a number is expected
  viewOf(Row, { ...rest, parts, rowId: '1' });
});

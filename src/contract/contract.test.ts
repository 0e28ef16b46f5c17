import assert from 'node:assert/strict';
import { test } from 'node:test';
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import type {
  Asset,
  Concentration,
  HolderLabel,
  HolderMethod,
  PoolDepth,
  PoolKind,
  PoolSlippage,
} from '../domain/index.ts';
import { AlertView } from './alert.ts';
import type { HoldersSnapshot } from './holders.ts';
import type { MarketSnapshot } from './market.ts';
import type { PoolsSnapshot } from './pools.ts';
import { viewOf } from './view.ts';
import { WEBHOOK_EXAMPLES } from './webhook-message.ts';

/** True only while both types have the same fields of the same types. */
type Equal<A, B> = (<T>() => T extends Flat<A> ? 1 : 2) extends <T>() => T extends Flat<B> ? 1 : 2 ? true : false;
type Flat<T> = T extends object ? { [Name in keyof T]: Flat<T[Name]> } : T;

test('values computed for a snapshot have the fields of its schema: otherwise this does not compile', () => {
  const asset: Equal<MarketSnapshot['asset'], Asset> = true;
  const method: Equal<HoldersSnapshot['method'], HolderMethod> = true;
  const concentration: Equal<HoldersSnapshot['raw'], Concentration> = true;
  const label: Equal<HoldersSnapshot['top_holders'][number]['labels'][number], HolderLabel> = true;
  const depth: Equal<PoolsSnapshot['depth'][number], PoolDepth> = true;
  const slippage: Equal<PoolsSnapshot['slippage'][number], PoolSlippage> = true;
  const kind: Equal<NonNullable<PoolsSnapshot['pools'][number]['kind']>, PoolKind> = true;
  assert.ok(asset && method && concentration && label && depth && slippage && kind);
});

const Row = Type.Object({
  row_id: Type.Integer(),
  price_24h_usd: Type.Union([Type.Number(), Type.Null()]),
  parts: Type.Array(Type.Object({ first_part: Type.String() })),
  near_by: Type.Union([Type.Object({ at_hand: Type.Boolean() }), Type.Null()]),
  left_out: Type.Optional(Type.String()),
});

test('a view has the fields of the schema in its order, and no others', () => {
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

test('details of each kind of alert leave as they are stored', () => {
  const { score_change, risk_flag_change, band_transition, source_drift } = WEBHOOK_EXAMPLES;
  for (const { data } of [score_change, risk_flag_change, band_transition, source_drift]) {
    const { details, ...alert } = data;
    assert.ok(details !== null);
    const shown = viewOf(AlertView, {
      ...alert,
      assetId: alert.asset_id,
      trustScore: alert.trust_score,
      ratingAsOf: alert.rating_as_of,
      createdAt: alert.created_at,
      acknowledgedAt: null,
      details,
    });
    assert.deepEqual(shown, { ...alert, details, acknowledged_at: null });
    assert.equal(AlertDetailsSchema.Check(details), true);
  }
});

const AlertDetailsSchema = Compile(AlertView.properties.details);

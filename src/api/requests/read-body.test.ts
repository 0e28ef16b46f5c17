import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { WebhookChangeWish, WebhookWish } from '../../contract/webhook.ts';
import { WhitelistWish } from '../../contract/whitelist.ts';
import { readBody } from './read-body.ts';

const complaintsOf = (body: unknown, schema: Parameters<typeof readBody>[0] = WhitelistWish) => {
  const read = readBody(schema, body);
  return read.ok ? [] : read.errors.map(({ pointer, code, detail }) => `${pointer} ${code}: ${detail}`);
};

test('each field that is wrong is named once, with what was expected there', () => {
  assert.deepEqual(complaintsOf({ note: 5, thresholds: { min_score_change: -1, bands: ['Z', 'A'] } }), [
    '/note malformed: expected a string of at most 500 characters, without U+0000 or null',
    '/thresholds/min_score_change malformed: expected a number above 0 and at most 100',
    '/thresholds/bands/0 malformed: expected one of AAA, AA, A, BBB, BB, B, CCC, CC, C, D, NR',
  ]);
  assert.deepEqual(complaintsOf({ thresholds: { min_score_chnge: 3 } }), [
    '/thresholds/min_score_chnge unknown_field: did you mean min_score_change?',
  ]);
  assert.deepEqual(complaintsOf([]), [' malformed: expected a JSON object']);
  assert.deepEqual(complaintsOf({ kinds: ['x'] }, WebhookWish), [
    '/url missing: url is required',
    '/kinds/0 malformed: expected one of score_change, risk_flag_change, band_transition',
  ]);
  assert.deepEqual(complaintsOf({}, WebhookChangeWish), [' malformed: expected a JSON object with at least one field']);
});

test('a body that is right, or none, is read as it is', () => {
  const body = { note: null, thresholds: { bands: null, flag_severities: [] } };
  assert.deepEqual(readBody(WhitelistWish, body), { ok: true, value: body });
  assert.deepEqual(readBody(WhitelistWish, undefined), { ok: true, value: {} });
});

test('whatever is sent, there are at most ten complaints, each of a bounded length, and never an exception', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (body) => {
      const complaints = complaintsOf({ thresholds: body, extra: body });
      assert.ok(complaints.length >= 1 && complaints.length <= 10);
      for (const one of complaints) assert.ok(one.length < 400);
    }),
  );
});

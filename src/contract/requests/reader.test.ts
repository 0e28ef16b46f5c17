import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { TObject } from 'typebox';
import {
  ExportQuery,
  HistoryQuery,
  KeyBody,
  PoolsQuery,
  RatingListQuery,
  RatingQuery,
  StreamQuery,
  WebhookBody,
  WebhookChangeBody,
  WhitelistBody,
} from '../index.ts';
import { createReader } from './reader.ts';

const errorsOf = (given: unknown, schema: TObject = WhitelistBody, fromText = false) => {
  const read = createReader(schema, { fromText })(given);
  return read.ok ? [] : read.errors.map(({ pointer, code, detail }) => `${pointer} ${code}: ${detail}`);
};

test('each field that is wrong is named once, with what was expected and what was given', () => {
  assert.deepEqual(errorsOf({ note: 5, thresholds: { min_score_change: -1, bands: ['Z', 'BBBB'] } }), [
    '/note malformed: expected a string of at most 500 characters, without U+0000, or null, got 5',
    '/thresholds/min_score_change malformed: expected a number above 0 and at most 100, got -1',
    '/thresholds/bands/0 malformed: expected one of AAA, AA, A, BBB, BB, B, CCC, CC, C, D, NR, got "Z"',
    '/thresholds/bands/1 malformed: expected one of AAA, AA, A, BBB, BB, B, CCC, CC, C, D, NR, got "BBBB"; did you mean BBB?',
  ]);
  assert.deepEqual(errorsOf({ thresholds: { min_score_chnge: 3 } }), [
    '/thresholds/min_score_chnge unknown_field: did you mean min_score_change?',
  ]);
  assert.deepEqual(errorsOf([]), [' malformed: expected a JSON object, got an empty list']);
  assert.deepEqual(errorsOf({ kinds: ['x'] }, WebhookBody), [
    '/url missing: url is required',
    '/kinds/0 malformed: expected one of score_change, risk_flag_change, band_transition, source_drift, peg_stress, correction, snapshot_threshold, got "x"',
  ]);
  assert.deepEqual(errorsOf({}, WebhookChangeBody), [
    ' malformed: expected a JSON object with at least one field, got an empty object',
  ]);
});

test('a body that is right, or none, is read with its defaults, and is not changed itself', () => {
  const defaults = { min_score_change: 5, flag_severities: ['high', 'critical'], bands: null };
  const read = createReader(WhitelistBody);
  const body = Object.freeze({ thresholds: Object.freeze({ min_score_change: 7 }) });
  assert.deepEqual(read(body), {
    ok: true,
    value: { note: null, thresholds: { ...defaults, min_score_change: 7 } },
    ignored: [],
  });
  assert.deepEqual(read(undefined), { ok: true, value: { note: null, thresholds: defaults }, ignored: [] });
});

test('a query string is read by its schema: numbers, closed lists in any case, defaults', () => {
  const read = createReader(PoolsQuery, { fromText: true });
  assert.deepEqual(read({ scope: 'TOP', min_tvl_usd: '5000.5' }), {
    ok: true,
    value: { scope: 'top', min_tvl_usd: 5000.5 },
    ignored: [],
  });
  assert.deepEqual(read({}), { ok: true, value: { scope: 'all', min_tvl_usd: 0 }, ignored: [] });
});

test('a query that is wrong names every parameter, nearest value included', () => {
  assert.deepEqual(errorsOf({ scope: 'verifed', min_tvl_usd: '1e400', as_of: ['a', 'b'] }, PoolsQuery, true), [
    '/as_of given_twice: expected the parameter once',
    '/scope malformed: expected one of all, verified, top, got "verifed"; did you mean verified?',
    '/min_tvl_usd malformed: expected a number from 0, got "1e400"',
  ]);
  assert.deepEqual(errorsOf({ limit: '501', cursor: ' ' }, HistoryQuery, true), [
    '/limit malformed: expected a whole number from 1 to 500, got 501',
    '/cursor malformed: expected `next_cursor` of the page before, got " "',
  ]);
});

test('a parameter that is not known is refused: the list would be another one', () => {
  const known = 'the parameters are from, to, interval, limit, cursor';
  assert.deepEqual(errorsOf({ form: 'x', 'zz\u202e\n, x': ['1', '2'], interval: '1h' }, HistoryQuery, true), [
    `/form unknown_parameter: ${known}, got "form"; did you mean from?`,
    `/zz\u202e\n, x unknown_parameter: ${known}, got "zz\\u{202e}\\n, x"`,
  ]);
  assert.match(errorsOf({ q: 'tide' }, RatingListQuery, true).join(), /got "q"; did you mean search\?$/);
  // The interface document leaves the parameters of its paths open: only what is like a known one is refused there.
  const read = createReader(PoolsQuery, { fromText: true })({ 'zz\u202e\n, x': ['1', '2'], _: '1', scope: 'top' });
  assert.ok(read.ok);
  assert.deepEqual(read.ignored, ['unknown parameter zz????x was ignored', 'unknown parameter _ was ignored']);
  assert.match(errorsOf({ as_off: '2026-11-20T12:00:00Z' }, PoolsQuery, true).join(), /did you mean as_of\?$/);
});

test('messages are sentences about what the caller wrote, not about our types', () => {
  assert.deepEqual(errorsOf({ band: 'A,BBBB', chain: 'mars', methodology: '' }, RatingListQuery, true).slice(0, 2), [
    '/methodology unknown_parameter: the parameters are chain, band, category, class, flag, min_trust, search, sort, format, limit, cursor, got "methodology"',
    '/band malformed: expected one or more of AAA, AA, A, BBB, BB, B, CCC, CC, C, D, NR, separated by commas (did you mean BBB?), got "A,BBBB"',
  ]);
  assert.deepEqual(errorsOf({ band: ',', chain: 'etherum' }, RatingListQuery, true), [
    '/band malformed: expected one or more of AAA, AA, A, BBB, BB, B, CCC, CC, C, D, NR, separated by commas, got ","',
    '/chain malformed: expected one of solana, ethereum, base, bsc, arbitrum, polygon, optimism, avalanche, monad, got "etherum"; did you mean ethereum?',
  ]);
  assert.deepEqual(errorsOf({ kinds: 'market,pool' }, StreamQuery, true), [
    '/kinds malformed: expected one or more of market, holders, pools, separated by commas (did you mean pools?), got "market,pool"',
  ]);
  assert.deepEqual(errorsOf({ methodology: 'a b' }, RatingQuery, true), [
    '/methodology malformed: expected version of the methodology: the newest rating made with it, got "a b"',
  ]);
  assert.deepEqual(errorsOf({ name: 'a', scopes: ['rms:read'], account_id: 'me', plan: 'rating' }, KeyBody), [
    '/account_id malformed: expected id of an account, acc_ and letters or digits, or null, got "me"',
    '/plan malformed: expected name of the plan whose limits it has (GET /v1/plans), got "rating"',
  ]);
});

test('times are those that can be computed with and stored', () => {
  for (const as_of of ['2026-11-20T12:00:00Z', '1999-12-31t23:00:00+01:00'])
    assert.deepEqual(errorsOf({ as_of }, PoolsQuery, true), []);
  for (const as_of of ['2026-11-20', '2026-02-30T00:00:00Z', '0000-01-01T00:00:00Z', '2016-12-31T23:59:60Z', '1e9'])
    assert.match(
      errorsOf({ as_of }, PoolsQuery, true).join(),
      /^\/as_of malformed: expected an RFC 3339 time such as 2026-11-01T00:00:00Z, got "/,
    );
  assert.match(errorsOf({ date: '2026-02-30' }, ExportQuery, true).join(), /^\/date malformed: expected a day that/);
});

test('an invalid value is shown shortened and without invisible characters', () => {
  const [error = ''] = errorsOf({ kinds: [`\u202e\ud800${'x'.repeat(5_000)}`] }, WebhookBody).slice(1);
  assert.match(error, /got "\\u\{202e\}\\ud800x{58}" and 4942 more characters$/);
});

test('names of the prototype are names like others', () => {
  const hostile = JSON.parse('{"__proto__":{"url":"https://a.example"},"constructor":1,"toString":2}');
  assert.deepEqual(
    errorsOf(hostile, WebhookBody).map((error) => error.split(':')[0]),
    ['/url missing', '/__proto__ unknown_field', '/constructor unknown_field', '/toString unknown_field'],
  );
  assert.deepEqual(
    errorsOf({ ['__proto__']: 'x', constructor: 'y' }, HistoryQuery, true).map((error) => error.split(':')[0]),
    ['/__proto__ unknown_parameter', '/constructor unknown_parameter'],
  );
});

test('whatever is sent, there are at most ten errors, each of a bounded length, and never an exception', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (body) => {
      const errors = errorsOf({ thresholds: body, extra: body });
      assert.ok(errors.length >= 1 && errors.length <= 10);
      for (const one of errors) assert.ok(one.length < 500);
      createReader(PoolsQuery, { fromText: true })(body);
    }),
  );
});

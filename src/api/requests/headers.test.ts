import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ownTime } from '../../upstream/fixtures/own-time.ts';
import { acceptedTypes, readPreferences } from './headers.ts';

test('respond-async and wait are read in any order, case and spelling the RFC allows', () => {
  assert.deepEqual(readPreferences('respond-async, wait=10'), { respondAsync: true, waitSeconds: 10 });
  assert.deepEqual(readPreferences('Wait="5"; foo'), { respondAsync: false, waitSeconds: 5 });
  assert.deepEqual(readPreferences(['respond-async', 'wait=3']), { respondAsync: true, waitSeconds: 3 });
});

test('what is not understood is ignored', () => {
  for (const header of [undefined, '', 'wait=-1', 'wait=abc', 'handling=lenient', 'respond-asynchronously'])
    assert.deepEqual(readPreferences(header), { respondAsync: false, waitSeconds: null }, String(header));
});

test('types come by quality, then in their order; those of quality 0 are not accepted', () => {
  assert.deepEqual(acceptedTypes('application/json;q=0.5, TEXT/HTML, text/csv ; q=0.9, text/markdown;q=0'), [
    'text/html',
    'text/csv',
    'application/json',
  ]);
  assert.deepEqual(acceptedTypes('text/html;charset=utf-8;q=0.2, text/csv;q=0.3'), ['text/csv', 'text/html']);
  assert.deepEqual(acceptedTypes(undefined), []);
});

test('ranges match themselves, and entries that are not media types are ignored', () => {
  assert.deepEqual(acceptedTypes('bad, */*;q=0.8, text/*;q=0.9'), ['text/*', '*/*']);
});

test('a header made to be slow to read costs little', () => {
  const hostile = ['"'.repeat(16_000), ','.repeat(16_000), `a/b;c="${'\\'.repeat(15_000)}`, ';q=0.5'.repeat(2_500)];
  for (const header of hostile) {
    const passed = ownTime();
    acceptedTypes(header);
    const ms = passed();
    assert.ok(ms < 20, `${ms} ms for ${header.slice(0, 10)}`);
  }
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SOURCES } from '../sources/index.ts';
import type { BoundSource } from './book.ts';
import { requestOf } from './request-once.ts';

const TOKEN = '0x00000000000000000000000000000000000000aa';

/** Whether the request of an endpoint takes this body, sent with status 200, for its source's limit. */
function isLimit(name: string, endpointName: string, body: string): boolean | undefined {
  const source = SOURCES.find((row) => row.name === name);
  const endpoint = source?.endpoints.find((row) => row.name === endpointName);
  assert.ok(source && endpoint, `${name}.${endpointName}`);
  const bound = { source, enabled: true, bases: source.bases, key: null } as unknown as BoundSource;
  const params = { chain: 'ethereum', chainId: 1, id: 'x', address: TOKEN, symbol: 'AAA-USDT' };
  const tools = { now: () => 0, ticks: () => 0, deadlineAt: 10_000, traceparent: null } as unknown as Parameters<
    typeof requestOf
  >[6];
  const request = requestOf(bound, endpoint, params, endpoint.request(params), 'https://x.example/', 1_000, tools);
  return request.isLimit?.(Buffer.from(body));
}

test('the limit that a source states inside a reply is found by its own reader', () => {
  assert.equal(isLimit('goplus', 'token_security', '{"code":4029,"message":"too many requests"}'), true);
  assert.equal(isLimit('coingecko', 'markets', '{"status":{"error_code":429,"error_message":"Rate Limit"}}'), true);
  const ETHERSCAN = '{"status":"0","message":"NOTOK","result":"Max calls per sec rate limit reached (5/sec)"}';
  const [first] = SOURCES.find(({ name }) => name === 'etherscan')?.endpoints ?? [];
  assert.equal(isLimit('etherscan', first?.name ?? '', ETHERSCAN), true);
});

test('other errors, replies that speak of limits and long bodies are no limit', () => {
  assert.equal(isLimit('goplus', 'token_security', '{"code":4012,"message":"wrong signature"}'), false);
  assert.equal(isLimit('goplus', 'token_security', '{"code":1,"message":"OK","result":{}}'), false);
  const token = { token_name: 'Rate limit', total_supply: '1000', is_open_source: '1' };
  const spoken = JSON.stringify({ code: 1, message: 'OK', result: { [TOKEN]: token } });
  assert.equal(isLimit('goplus', 'token_security', spoken), false);
  const long = JSON.stringify({ code: 4029, message: 'too many requests', pad: 'x'.repeat(5_000) });
  assert.equal(isLimit('goplus', 'token_security', long), false);
});

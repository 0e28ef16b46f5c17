import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '../domain/index.ts';
import { parseBody, valuesOf } from './fixtures/drive.ts';
import { SOURCES } from './index.ts';

const TOKEN = '0x00000000000000000000000000000000000000aa';
const OTHER = '0x00000000000000000000000000000000000000bb';
const DEAD = '0x000000000000000000000000000000000000dead';
const WETH = '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2';

/** Values that a reply of this source states of the token, by quantity. */
function saidBy(source: string, name: string, body: unknown) {
  const endpoint = SOURCES.find((row) => row.name === source)?.endpoints.find((row) => row.name === name);
  assert.ok(endpoint, `${source}.${name}`);
  const heard = parseBody(endpoint, { chain: 'ethereum', address: TOKEN }, body);
  return (quantity: string): Json | undefined => valuesOf([heard], quantity)[0];
}

test('dexscreener: the late share covers the pools of the day’s sales, from the side of the token', () => {
  const pair = (txns: object, turned = false, counter = WETH) => ({
    chainId: 'ethereum',
    dexId: 'uniswap',
    pairAddress: OTHER,
    baseToken: { address: turned ? counter : TOKEN },
    quoteToken: { address: turned ? TOKEN : counter },
    priceUsd: '2',
    priceNative: '1',
    txns,
  });
  // Two pairs, and one without a sale.
  const [first, second, idle] = [
    { m5: { buys: 9, sells: 2 }, h6: { buys: 410, sells: 520 }, h24: { buys: 3200, sells: 3500 } },
    { h6: { buys: 250, sells: 640 }, h24: { buys: 4100, sells: 4800 } },
    { h24: { buys: 25, sells: 0 } },
  ];
  const share = (...rows: object[]) => saidBy('dexscreener', 'token_pairs', rows)('sells_6h_share');
  assert.equal(share(pair(first)), 520 / 3500);
  assert.equal(share(pair(first), pair(second), pair(idle)), (520 + 640) / (3500 + 4800));
  assert.equal(share(pair(first, true)), 410 / 3200);
  // A pool with an untrusted counter token counts in neither sum.
  assert.equal(share(pair(first), pair(second, false, DEAD)), 520 / 3500);
  // The day's sales of a pool without those of six hours: the two sums would cover different pools.
  assert.equal(share(pair(first), pair({ h24: { buys: 40, sells: 30 } })), undefined);
  assert.equal(share(pair(idle)), undefined);
  assert.equal(share(pair({ h6: { buys: 1, sells: 0 }, h24: { buys: 20, sells: 9 } })), 0);
  // Windows are counted at different moments: a share never exceeds one.
  assert.equal(share(pair({ h6: { buys: 5, sells: 12 }, h24: { buys: 5, sells: 11 } })), 1);
});

test('geckoterminal: the late share covers the pools listed; a reply without six hours states none', () => {
  const pool = (transactions: object, turned = false) => ({
    attributes: { address: OTHER, transactions },
    relationships: {
      [turned ? 'quote_token' : 'base_token']: { data: { id: `eth_${TOKEN}` } },
      [turned ? 'base_token' : 'quote_token']: { data: { id: `eth_${WETH}` } },
    },
  });
  const heard = (...data: object[]) => saidBy('geckoterminal', 'token_pools', { data });
  // A reply with all windows, and one in the older form, without the six hours.
  const stated = {
    h1: { buys: 40, sells: 48, buyers: 38, sellers: 44 },
    h6: { buys: 300, sells: 360, buyers: 230, sellers: 290 },
    h24: { buys: 1000, sells: 1200, buyers: 640, sellers: 790 },
  };
  const older = { h1: { buys: 120, sells: 130 }, h24: { buys: 2800, sells: 3900 } };
  const one = heard(pool(stated));
  assert.deepEqual([one('sells_24h'), one('sells_6h_share')], [1200, 360 / 1200]);
  assert.equal(heard(pool(stated, true))('sells_6h_share'), 300 / 1000);
  for (const rows of [[pool(older)], [pool(stated), pool(older)]]) {
    assert.equal(heard(...rows)('sells_6h_share'), undefined);
    assert.ok(heard(...rows)('sells_24h'));
  }
});

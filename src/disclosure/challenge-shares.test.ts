import assert from 'node:assert/strict';
import { test } from 'node:test';
import { subscriberOf } from '../api/public/address-limit.ts';
import { surplusChallenges } from './challenge-shares.ts';

const MOST = 1_000;
const CROWDS = [
  { what: 'three addresses', near: '203.0.113.9', addressOf: (place: number) => `203.0.113.${1 + (place % 3)}` },
  {
    what: 'three thousand subscribers of one network of IPv6',
    near: '2001:db8:ffff:1::1',
    addressOf: (place: number) => `2001:db8:${(place >> 4).toString(16)}:${(place % 16).toString(16)}::1`,
  },
  {
    what: 'three thousand addresses of one network of IPv4',
    near: '203.0.200.1',
    addressOf: (place: number) => `203.0.${place >> 7}.${place & 127}`,
  },
];

for (const { what, near, addressOf } of CROWDS)
  test(`${what} end only their own challenges, the oldest first`, () => {
    const from = (id: string, address: string) => ({ id, openedFrom: subscriberOf(address) });
    let open = [from('afar', '198.51.100.7'), from('near', near)];
    for (let place = 0; place < 3 * MOST; place += 1) {
      const all = [...open, from(String(place), addressOf(place))];
      const ended = new Set(surplusChallenges(all, MOST));
      open = all.filter(({ id }) => !ended.has(id));
    }
    const left = open.map(({ id }) => id);
    assert.equal(left.length, MOST);
    assert.deepEqual([left[0], left[1], left.at(-1)], ['afar', 'near', String(3 * MOST - 1)]);
  });

test('of subscribers with one challenge each the oldest ends, and never the newest', () => {
  const open = Array.from({ length: 4 }, (_, place) => ({ id: String(place), openedFrom: `${place + 1}.0.0.1` }));
  assert.deepEqual(surplusChallenges(open, 2), ['0', '1']);
  assert.deepEqual(surplusChallenges(open, 4), []);
});

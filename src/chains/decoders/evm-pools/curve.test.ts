import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type EvmCall, type Hex, wordOf } from '../../codecs/abi.ts';
import { stableswap } from '../../pool-math/stableswap.ts';
import { CURVE_CALLS, curveCalls, readCurve, readCurveClaim } from './curve.ts';

const POOL: Hex = '0x00000000000000000000000000000000000000aa';
const REGISTRY = { dex: 'curve', protocol: 'curve', form: 'curve', factory: POOL, feeMillionths: null } as const;
const GET_DY = '0x5e0d443f';
const DECIMALS = '0x313ce567';

interface Coin {
  readonly address: Hex;
  readonly decimals: number;
  /** Base units. */
  readonly balance: bigint;
}

const coin = (digit: string, decimals: number, balance: bigint): Coin => ({
  address: `0x${digit.repeat(40)}`,
  decimals,
  balance,
});
const word = (value: bigint): Hex => `0x${wordOf(value)}`;

/** A pool of the older kind, without stored rates, as its own contract answers. */
function readOf(coins: readonly Coin[], asset: string) {
  const amplification = 200n;
  const fee = 4_000_000n;
  const rates = coins.map(({ decimals }) => 10n ** BigInt(36 - decimals));
  const none = (list: readonly Hex[]) => [...list, ...Array.from({ length: 4 - list.length }, () => null)];
  const answers = [
    ...none(coins.map(({ address }) => word(BigInt(address)))),
    ...none(coins.map(({ balance }) => word(balance))),
    null,
    word(amplification),
    word(fee),
    null,
    null,
  ];
  assert.equal(answers.length, CURVE_CALLS.length);
  const claim = readCurveClaim(POOL, answers, asset);
  assert.ok(claim);
  const answer = ({ to, data }: EvmCall): Hex | null => {
    const argument = (index: number) => BigInt(`0x${data.slice(10 + index * 64, 74 + index * 64)}`);
    if (data === DECIMALS) return word(BigInt(coins.find(({ address }) => address === to)?.decimals ?? 0));
    if (!data.startsWith(GET_DY)) return null;
    const pair = [Number(argument(0)), Number(argument(1))] as const;
    const pool = { balances: coins.map(({ balance }) => balance), rates, amplification, fee, pair } as const;
    const curve = stableswap({ ...pool, amplificationPrecision: 1n, rounding: 'classic' });
    const out = curve.swapExactIn(argument(2), true)?.amountOut;
    return out === undefined ? null : word(out);
  };
  return readCurve(claim, [REGISTRY], curveCalls(claim, [REGISTRY]).map(answer), 7);
}

test('the other coin of a pair is the one of which the pool holds the most, whatever the decimals', () => {
  const asset = coin('a', 8, 1_000_000n * 10n ** 8n);
  // A few thousand of 18 decimals are more base units than a million of 6.
  const dust = coin('b', 18, 2_000n * 10n ** 18n);
  const largest = coin('c', 6, 1_500_000n * 10n ** 6n);
  for (const coins of [
    [asset, dust, largest],
    [largest, asset, dust],
    [dust, largest, coin('d', 18, 3_000n * 10n ** 18n), asset],
  ]) {
    const reading = readOf(coins, asset.address);
    assert.ok(typeof reading !== 'string', String(reading));
    const order = coins.filter((one) => one === asset || one === largest).map(({ address }) => address);
    assert.deepEqual(
      reading.tokens.map(({ address }) => address),
      order,
    );
    const [first, second] = reading.tokens;
    const price = reading.curve.price * 10 ** (first.decimals - second.decimals);
    assert.ok(price > 0.8 && price < 1.25, `${price}`);
  }
});

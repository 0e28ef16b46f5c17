import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Hex } from '../../chains/codecs/abi.ts';
import { priceOfBin } from '../../chains/decoders/evm-pools/liquidity-book.ts';
import type { PoolShape } from '../../chains/decoders/evm-pools/pool-shape.ts';
import { readPair } from '../../chains/decoders/evm-pools/uniswap-v2.ts';
import type { Exchange } from '../../chains/exchanges.ts';
import type { PoolReading } from '../../chains/pool-math/pool-curve.ts';
import { readEvmPools } from './pools.ts';
import { type EvmReader, type EvmRecording, recordedReader } from './reader.ts';

/** What the contracts themselves answered on a local chain, and what they quoted for swaps at the same block. */
interface State {
  readonly recording: EvmRecording;
  readonly factory: Hex;
  readonly pair: Hex;
  readonly pool: Hex;
  readonly protocol: string;
  readonly asset: string | null;
  readonly what: string;
  readonly prices: readonly [number, number, string][];
  readonly swaps: readonly { amountIn: string; zeroForOne: boolean; amountOut: string | null }[];
}
const statesOf = (name: string): readonly State[] =>
  (JSON.parse(readFileSync(new URL(`./fixtures/${name}.json`, import.meta.url), 'utf8')) as { states: State[] }).states;

const GET_BIN = '0x0abe9688';
const EMPTY: Hex = `0x${'00'.repeat(64)}`;
/** Empty bins are not in the recording. */
function withEmptyBins(reader: EvmReader): EvmReader {
  return {
    ...reader,
    async calls(calls, block, signal) {
      const reply = await reader.calls(calls, block, signal);
      if (!reply.ok) return reply;
      const results = reply.value.results.map((result, index) =>
        result === null && calls[index]?.data.startsWith(GET_BIN) ? EMPTY : result,
      );
      return { ok: true, value: { ...reply.value, results } };
    },
  };
}

async function read(
  reader: EvmReader,
  row: Exchange,
  pool: string,
  asset: string | null,
): Promise<PoolReading | string> {
  const found = await readEvmPools(reader, [row], [pool], asset);
  assert.ok(found.ok);
  return found.value.readings[0] ?? found.value.failures[0]?.detail ?? 'nothing';
}
function quoteOf(reading: PoolReading, { amountIn, zeroForOne }: State['swaps'][number]): string | null {
  return reading.curve.swapExactIn(BigInt(amountIn), zeroForOne)?.amountOut.toString() ?? null;
}
const rowOf = (form: Exchange['form'], { factory, protocol }: State): Exchange => ({
  dex: 'test',
  protocol: protocol ?? 'liquidity_book_v2_2',
  form,
  factory,
  feeMillionths: null,
});

test('pairs of the Liquidity Book give what their contract gives, to the base unit, fees moving with volatility', async () => {
  let compared = 0;
  const fees = new Set<number>();
  for (const state of statesOf('liquidity-book')) {
    const reading = await read(
      withEmptyBins(recordedReader(state.recording)),
      rowOf('liquidity_book', state),
      state.pair,
      null,
    );
    assert.ok(typeof reading !== 'string', String(reading));
    assert.equal(reading.inactive, null);
    fees.add(reading.feeRate);
    for (const [id, step, price] of state.prices) assert.equal(String(priceOfBin(id, step)), price);
    for (const swap of state.swaps) {
      assert.equal(quoteOf(reading, swap), swap.amountOut, `${swap.amountIn} ${swap.zeroForOne}`);
      if (swap.amountOut !== null) compared += 1;
    }
  }
  assert.ok(compared >= 50, `${compared} compared`);
  assert.ok(fees.size >= 3, 'fees that moved');
});

test('stable pools of Curve, old and new, of two to four coins, give what their contracts quote, to the base unit', async () => {
  let compared = 0;
  for (const state of statesOf('curve')) {
    const reading = await read(recordedReader(state.recording), rowOf('curve', state), state.pool, state.asset);
    assert.ok(typeof reading !== 'string', `${state.what}: ${String(reading)}`);
    assert.equal(reading.inactive, null);
    assert.ok(reading.tokens.some((token) => token.address === state.asset));
    for (const swap of state.swaps) {
      assert.equal(quoteOf(reading, swap), swap.amountOut, `${state.what} ${swap.amountIn} ${swap.zeroForOne}`);
      compared += 1;
    }
  }
  assert.ok(compared >= 100, `${compared} compared`);
});

test('a stable pool whose own quotes differ, and a pair unknown to its factory, are rejected', async () => {
  const [curve] = statesOf('curve');
  assert.ok(curve);
  const lying = recordedReader({
    ...curve.recording,
    calls: curve.recording.calls.map((call) =>
      call.data.startsWith('0x5e0d443f') && call.result ? { ...call, result: `0x${'00'.repeat(31)}05` } : call,
    ),
  });
  assert.match(String(await read(lying, rowOf('curve', curve), curve.pool, null)), /its own quotes/);
  const stranger = await read(
    recordedReader(curve.recording),
    { ...rowOf('curve', curve), factory: '0x00000000000000000000000000000000000000aa' },
    curve.pool,
    null,
  );
  assert.ok(typeof stranger !== 'string' && stranger.inactive === 'no known factory or registry confirms it');
  const [book] = statesOf('liquidity-book');
  assert.ok(book);
  const unknown = recordedReader({
    ...book.recording,
    calls: book.recording.calls.filter((call) => !call.data.startsWith('0x704037bd')),
  });
  const pair = await read(withEmptyBins(unknown), rowOf('liquidity_book', book), book.pair, null);
  assert.ok(typeof pair !== 'string' && pair.inactive === 'no known factory or registry confirms it');
  assert.match(pair.notes.join(), /does not list it/);
});

test('a Camelot pair takes its own fee in each direction, and its stable kind is not read', () => {
  const word = (value: bigint) => value.toString(16).padStart(64, '0');
  const shape: PoolShape = {
    address: '0x0000000000000000000000000000000000000001',
    form: 'uniswap_v2',
    token0: '0x0000000000000000000000000000000000000002',
    token1: '0x0000000000000000000000000000000000000003',
    factory: '0x6eccab422d763ac031210895c81787e87b43a652',
    stable: false,
    dex: {
      dex: 'camelot',
      protocol: 'camelot_v2',
      form: 'uniswap_v2',
      factory: '0x6eccab422d763ac031210895c81787e87b43a652',
      feeMillionths: 3_000,
    },
    notes: [],
  };
  const [x, y, fee0, fee1] = [10n ** 20n, 3n * 10n ** 11n, 300n, 1_000n];
  const answers = (stable: bigint): readonly Hex[] => [
    `0x${[x, y, fee0, fee1].map(word).join('')}`,
    `0x${word(18n)}`,
    `0x${word(6n)}`,
    `0x${word(x)}`,
    `0x${word(y)}`,
    `0x${word(stable)}`,
  ];
  const pair = readPair(shape, answers(0n), 7);
  assert.ok(typeof pair !== 'string');
  for (const amount of [1n, 12_345_678n, 10n ** 17n, 10n ** 21n])
    for (const down of [true, false]) {
      const kept = amount * (100_000n - (down ? fee0 : fee1));
      const [reserveIn, reserveOut] = down ? [x, y] : [y, x];
      const expected = (kept * reserveOut) / (reserveIn * 100_000n + kept);
      assert.equal(pair.curve.swapExactIn(amount, down)?.amountOut, expected);
    }
  assert.match(pair.notes.join(), /depends on the direction: 3000 and 10000/);
  assert.equal(readPair(shape, answers(1n), 7), 'stable pairs of this exchange are not read');
});

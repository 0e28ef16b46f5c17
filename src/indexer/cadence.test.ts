import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { assetFromText } from './registry.ts';
import { failurePause, nextDue } from './settings.ts';

const SIX_HOURS = 21_600;

test('the next snapshot is due within one cadence, always at the same place of the grid', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 4e12 }),
      fc.string(),
      fc.integer({ min: 1, max: 86_400 }),
      (now, key, seconds) => {
        const due = nextDue(now, key, seconds);
        assert.ok(due > now && due <= now + seconds * 1000);
        assert.equal(nextDue(due, key, seconds), due + seconds * 1000);
      },
    ),
  );
});

test('ten thousand assets are spread over the minute: no second has much more than its share', () => {
  const seconds = new Array<number>(60).fill(0);
  for (let index = 0; index < 10_000; index += 1) {
    const due = nextDue(0, `eip155:1/erc20:0x${index.toString(16).padStart(40, '0')} market`, 60);
    const second = Math.floor(due / 1000) % 60;
    seconds[second] = (seconds[second] ?? 0) + 1;
  }
  assert.ok(
    Math.max(...seconds) < 230 && Math.min(...seconds) > 110,
    `${Math.min(...seconds)}-${Math.max(...seconds)}`,
  );
});

test('pauses grow with each failure, and never beyond six hours and a quarter', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1_000 }),
      fc.integer({ min: 1, max: SIX_HOURS }),
      fc.string(),
      (count, cadence, key) => {
        const pause = failurePause(count, cadence, key);
        assert.ok(pause >= Math.max(30, cadence) && pause <= SIX_HOURS * 1.25);
        assert.ok(failurePause(count + 1, cadence, key) >= pause);
      },
    ),
  );
});

test('an asset is named by its id or by chain and address, and by nothing else', () => {
  const address = `0x${'aB'.repeat(20)}`;
  const id = `eip155:1/erc20:${address.toLowerCase()}`;
  for (const text of [id, `eip155:1/erc20:${address}`, `ethereum:${address}`, `eth:${address}`, `eip155:1:${address}`])
    assert.equal(assetFromText(text)?.id, id, text);
  assert.equal(assetFromText('solana:native')?.symbol, 'SOL');
  for (const text of ['', ':', address, 'nowhere:native', `solana:${address}`, `eip155:1/erc20:${address}00`])
    assert.equal(assetFromText(text), null, text);
});

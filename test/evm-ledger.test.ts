import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  emptyLedger,
  type Holdings,
  type Ledger,
  loadLedger,
  saveLedger,
  tableOf,
} from '../src/snapshots/evm/ledger.ts';
import { scanTransfers } from '../src/snapshots/evm/scan-transfers.ts';
import { balanceOf, EVM_KEYS } from '../src/snapshots/holders/balance-table.ts';
import { TOKEN, toyChain } from './support/toy-chain.ts';

// A reorganisation takes at most three blocks and the chain grows longer by it, as chains do.
const transfersArb = fc.array(fc.tuple(fc.nat({ max: 4 }), fc.nat({ max: 4 }), fc.nat({ max: 50 })), { maxLength: 3 });

const change = fc.record({ cut: fc.nat({ max: 3 }), blocks: fc.array(transfersArb, { minLength: 4, maxLength: 6 }) });
type Change = { cut: number; blocks: [number, number, number][][] };

test('whatever the chain does between any two calls of a scan, the balances are those of the block it names', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(change, { minLength: 2, maxLength: 6 }),
      fc.array(fc.option(change, { freq: 3 }), { maxLength: 40 }),
      async (first, between) => {
        const chain = toyChain();
        const apply = ({ cut, blocks }: Change) => {
          chain.cut(cut);
          for (const transfers of blocks) chain.add(transfers);
        };
        let ledger: Ledger | null = emptyLedger(TOKEN, 0);
        const waiting = [...between];
        chain.beforeCall(() => {
          const next = waiting.shift();
          if (next) apply(next);
        });
        for (const step of first) {
          apply(step);
          const found = await scanTransfers({ reader: chain.reader, token: TOKEN, ledger, from: 0, reorgDepth: 8 });
          if (!found.ok) {
            // Changing at every look, it may never hold still; then there is no list, and nothing wrong is kept.
            assert.match(found.detail, /kept changing/);
            ledger = null;
            continue;
          }
          assert.equal(chain.hashAt(found.value.at.number), found.value.at.hash);
          const { table, hasHoles } = tableOf(found.value);
          const truth = chain.truth(found.value.at.number);
          const held = [...truth].filter(([, balance]) => balance > 0n);
          assert.equal(table.count, held.length);
          for (const [owner, balance] of held)
            assert.equal(balanceOf(table, EVM_KEYS.keyOf(owner) ?? new Uint8Array()), balance);
          assert.equal(
            hasHoles,
            [...truth.values()].some((balance) => balance < 0n),
          );
          ledger = loadLedger([...saveLedger(found.value.ledger, 256)], TOKEN);
          assert.ok(ledger);
        }
      },
    ),
    { numRuns: 150 },
  );
});

test('a node that is behind an earlier read changes nothing and is no reorganisation', async () => {
  const chain = toyChain();
  for (let index = 0; index < 30; index += 1) chain.add([[1, 2, 5]]);
  const first = await scanTransfers({ reader: chain.reader, token: TOKEN, ledger: null, from: 0, reorgDepth: 8 });
  assert.ok(first.ok);
  const saved = [...saveLedger(first.value.ledger)];
  chain.cut(20);
  const lagging = await scanTransfers({
    reader: chain.reader,
    token: TOKEN,
    ledger: first.value.ledger,
    from: 0,
    reorgDepth: 8,
  });
  assert.equal(lagging.ok ? '' : lagging.reason, 'unreachable');
  assert.deepEqual([...saveLedger(first.value.ledger)], saved);
});

test('a scan killed between any two ranges and continued from its saved state equals an uninterrupted one', async () => {
  const chain = toyChain();
  for (let index = 0; index < 200; index += 1) chain.add([[index % 5, (index * 3) % 5, index]]);
  const scanFrom = (ledger: Ledger | null, onProgress?: (one: Ledger) => Promise<void>) =>
    scanTransfers({
      reader: chain.reader,
      token: TOKEN,
      ledger: ledger ?? { ...emptyLedger(TOKEN, 0), range: 3 },
      from: 0,
      reorgDepth: 8,
      ...(onProgress ? { onProgress } : {}),
    });
  const whole = await scanFrom(null);
  assert.ok(whole.ok);
  for (let kill = 1; kill <= 6; kill += 1) {
    let saved: Uint8Array[] = [];
    let ranges = 0;
    const killed = scanFrom(null, async (ledger) => {
      saved = [...saveLedger(ledger)];
      ranges += 1;
      if (ranges === kill) throw new Error('killed');
    });
    await assert.rejects(killed, /killed/);
    const resumed = await scanFrom(loadLedger(saved, TOKEN));
    assert.ok(resumed.ok);
    const sorted = ({ ledger }: Holdings) => [...ledger.balances].sort();
    assert.deepEqual(sorted(resumed.value), sorted(whole.value));
    assert.deepEqual([...resumed.value.tail].sort(), [...whole.value.tail].sort());
  }
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Asset } from '../domain/asset.ts';
import type { IndexRequest, Registry } from '../indexer/registry.ts';
import { snapshotCommand } from './holders.ts';
import { indexCommand } from './index-command.ts';

const MINT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';

function scene() {
  const out: string[] = [];
  const err: string[] = [];
  const kept = new Map<string, { asset: Asset; options: IndexRequest }>();
  const indexed = (asset: Asset, options: IndexRequest) => ({
    asset,
    kinds: options.kinds ?? [],
    cadence: options.cadence,
    addedBy: options.addedBy,
    addedAt: '2026-05-01T00:00:00.000Z',
    wantedUntil: null,
    paused: false,
  });
  const registry: Pick<Registry, 'add' | 'remove' | 'list'> = {
    async add(assets, options) {
      for (const asset of assets) kept.set(asset.id, { asset, options });
      return assets.map((asset) => indexed(asset, options));
    },
    remove: async (assetId) => kept.delete(assetId),
    list: async () => [...kept.values()].map(({ asset, options }) => indexed(asset, options)),
  };
  const terminal = {
    out: (line: string) => out.push(line),
    err: (line: string) => err.push(line),
    progress: () => undefined,
  };
  const asked: string[] = [];
  return {
    out,
    err,
    asked,
    context: {
      terminal,
      openIndex: async () => registry,
      takeSnapshot: async (asset: Asset, kind: string) => {
        asked.push(`${asset.id} ${kind}`);
        return { ok: false as const, reason: 'not_a_token' as const, detail: 'the account is no mint' };
      },
    },
  };
}

test('assets are added, listed and removed by the names a person writes', async () => {
  const { out, err, context } = scene();
  const run = (...args: string[]) => indexCommand.run(args, context);
  assert.equal(await run('add', `solana:${MINT}`, 'eth:native', '--cadence', 'five-minutes', '--kinds', 'market'), 0);
  assert.equal(await run('list'), 0);
  assert.equal(out.length, 4);
  assert.match(out[2] ?? '', new RegExp(`token:${MINT}  -  five_minutes  \\[market\\]  by cli$`));
  assert.equal(await run('remove', `solana:${MINT}`), 0);
  assert.equal(await run('remove', `solana:${MINT}`), 1);
  assert.match(err[0] ?? '', /is not indexed/);
});

test('what cannot be understood is refused with what was expected, and nothing is changed', async () => {
  for (const args of [
    [],
    ['add'],
    ['forget', 'eth:native'],
    ['add', 'eth:nothing'],
    ['add', 'eth:native', '--cadence', 'daily'],
    ['add', 'eth:native', '--kinds', 'market,moods'],
    ['list', 'eth:native'],
  ]) {
    const { out, err, context } = scene();
    assert.equal(await indexCommand.run(args, context), 64, args.join(' '));
    assert.ok(err.length > 0 && out.length === 0);
  }
});

test('a snapshot that cannot be made states why; one that cannot be requested sends no request', async () => {
  const { err, asked, context } = scene();
  assert.equal(await snapshotCommand.run([`solana:${MINT}`, '--kind', 'holders'], context), 1);
  assert.deepEqual(err, ['not_a_token: the account is no mint']);
  for (const args of [
    [],
    [MINT, MINT],
    ['eth:native', '--kind', 'moods'],
    ['eth:native', '--timeout', '0'],
    ['nothing'],
  ])
    assert.equal(await snapshotCommand.run(args, context), 64, args.join(' '));
  assert.equal(asked.length, 1);
});

test('a symbol that a contract states reaches the terminal without its control characters', async () => {
  const { out, context } = scene();
  const registry = await context.openIndex();
  const asset = { symbol: 'X\u001b]0;owned\u0007\n', name: 'X', category: null, website: null };
  const id = `solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp/token:${MINT}`;
  await registry.add([{ ...asset, id, chain: 'solana', address: MINT }], { cadence: 'hourly', addedBy: 'rated' });
  assert.equal(await indexCommand.run(['list'], context), 0);
  assert.match(out[0] ?? '', / {2}X\?\]0;owned\?\? {2}hourly/);
});

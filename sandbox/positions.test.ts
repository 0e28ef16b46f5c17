import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readRegister, SHIPPED_FOLDER } from '../src/registers/index.ts';
import { positionsEndpoint } from '../src/sources/evm-rpc/positions.ts';
import { factsOf, parseBody, valuesOf } from '../src/sources/fixtures/drive.ts';
import { evm_rpc } from './facades/evm_rpc.ts';
import { createScene, type Scene } from './scene.ts';
import { createWorld } from './world/world.ts';

const ANCHOR = Date.parse('2026-11-20T00:00:00Z');
const earth = createWorld({ seed: 1, anchor: ANCHOR, name: 'earth' });

/** What both operators of a scene say of a coin. */
function said(scene: Scene, address: string) {
  const heard = positionsEndpoint.plan(factsOf('ethereum', address)).map((params) => {
    const { base = '', body = null } = positionsEndpoint.request(params);
    const reply = evm_rpc(
      { source: 'evm_rpc', base, method: 'POST', path: '/', query: new URLSearchParams(), body, host: 'localhost' },
      scene,
    );
    return parseBody(positionsEndpoint, params, reply.json, new Date(scene.now).toISOString());
  });
  return valuesOf(heard, 'backing_risk_adjusted').map((value) => Math.round(Number(value) * 1_000) / 1_000);
}

test('coins of the earth world that are issued against collateral are covered as the panel says, at any hour', () => {
  for (const hours of [0, 7.3, 50]) {
    const scene = createScene(earth, ANCHOR + hours * 3_600_000, () => 1);
    for (const [id, cover] of [
      ['liquity-usd', 2],
      ['dai', 0.967],
    ] as const) {
      const asset = earth.tokens.find(({ slug }) => slug === id) ?? assert.fail(id);
      assert.equal(asset.cover, cover);
      assert.deepEqual(said(scene, asset.address), [cover, cover], `${id} after ${hours} hours`);
    }
    const gho = earth.tokens.find(({ slug }) => slug === 'gho') ?? assert.fail('no GHO');
    assert.deepEqual(said(scene, gho.address), [], 'no row names where its collateral lies');
  }
});

test('the contracts of every row of the register reply for a coin of the world with any cover', () => {
  const model = earth.tokens.find(({ slug }) => slug === 'liquity-usd') ?? assert.fail('no LUSD');
  for (const row of readRegister(SHIPPED_FOLDER, 'positions')?.rows ?? [])
    for (const cover of [0.7, 1, 1.6]) {
      const coin = { ...model, slug: row.id, address: row.tokens[0]?.address ?? '', cover };
      const others = earth.tokens.filter((one) => one.cover === undefined && one.address !== coin.address);
      const byAddress = (chain: string, address: string) =>
        chain === 'ethereum' && address.toLowerCase() === coin.address ? coin : earth.byAddress(chain, address);
      const made = createScene(earth, ANCHOR, () => 1);
      const scene = { ...made, world: { ...made.world, tokens: [...others, coin], byAddress } };
      assert.deepEqual(said(scene, coin.address), [cover, cover], `${row.id} ${cover}`);
    }
});

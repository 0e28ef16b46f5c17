import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { type Sandbox, startSandbox } from '../sandbox/server.ts';
import { serviceOnSandbox } from '../sandbox/service-settings.ts';
import { sandboxResolver } from '../sandbox/settings.ts';
import { keyChains } from '../src/compose/chain-reads.ts';
import { createEngine, type Engine } from '../src/compose/engine.ts';
import { DAY_MS } from '../src/domain/statistics.ts';
import { listedExploits } from '../src/evidence/listed-exploits.ts';
import { createExploitWatch, createLaunchWatch, watchKeys } from '../src/monitoring/events.ts';
import { createRegister, type Register } from '../src/monitoring/monitor.ts';
import { keepLaunch } from '../src/store/snapshots/launches.ts';
import { evmAsset, type RatingWorld, ratingOf, ratingWorld, solanaAsset } from './support/rating-world.ts';

const START = Math.floor(Date.now() / DAY_MS) * DAY_MS + 3_600_000;
let sandbox: Sandbox;
let engine: Engine;
let world: RatingWorld;
let register: Register;
const now = () => world.clock.now;

before(async () => {
  world = await ratingWorld(new Date(START).toISOString());
  sandbox = await startSandbox({ seed: 1, port: 0, host: '127.0.0.1', now });
  engine = createEngine(serviceOnSandbox(sandbox, {}), sandboxResolver(sandbox), now);
  register = createRegister(world.store.db, now);
});
after(async () => {
  await engine.close();
  await sandbox.close();
  await world.close();
});

function tokenOf(slug: string) {
  const token = sandbox.world.tokens.find((one) => one.slug === slug);
  assert.ok(token);
  return token;
}

/** Rates an asset by hand and has it monitored, not due before tomorrow. */
async function monitored(asset: Parameters<typeof ratingOf>[0]) {
  await world.put(ratingOf(asset, new Date(now()).toISOString()));
  assert.ok(await register.add(asset.id, 'test'));
  await putOff(asset.id);
}

async function putOff(assetId: string) {
  const due = new Date(now() + DAY_MS).toISOString();
  await world.store.db
    .updateTable('monitored_assets')
    .set({ due_at: due, reason: 'usual' })
    .where('asset_id', '=', assetId)
    .execute();
}

async function dueNow() {
  const page = await register.list({ after: '', limit: 100 });
  return page.filter((row) => Date.parse(row.dueAt) <= now()).map(({ asset, reason }) => `${asset.symbol} ${reason}`);
}

test('a key that changes on the chain has its asset rated at once; others keep their schedule', async () => {
  const embers = tokenOf('emberlight');
  const others = sandbox.world.tokens.filter((one) => one.chain === 'solana' && one !== embers).slice(0, 3);
  const evm = sandbox.world.tokens.filter((one) => one.chain === 'ethereum').slice(0, 3);
  for (const token of [embers, ...others]) await monitored(solanaAsset(token.address, token.symbol));
  for (const token of evm) await monitored(evmAsset(1, 'ethereum', token.address, token.symbol));
  const chains = keyChains(engine);

  assert.deepEqual(await watchKeys(world.store.db, chains, now), [], 'the first look shows no change');
  const seen = await world.store.db.selectFrom('monitored_assets').select(['asset_id', 'keys_seen']).execute();
  assert.ok(seen.length === 7 && seen.every((row) => row.keys_seen !== null), JSON.stringify(seen));
  assert.match(seen.find((row) => row.asset_id.endsWith(embers.address))?.keys_seen ?? '', /^mint none /);

  world.clock.now += 5 * DAY_MS + 1;
  assert.deepEqual(await watchKeys(world.store.db, chains, now), []);
  // On its sixth day a plain key may mint.
  world.clock.now += DAY_MS;
  for (const { asset } of await register.list({ after: '', limit: 100 })) await putOff(asset.id);
  const changed = await watchKeys(world.store.db, chains, now);
  assert.deepEqual(changed, [solanaAsset(embers.address, embers.symbol).id]);
  assert.deepEqual(await dueNow(), [`${embers.symbol} authority_change`]);
  await putOff(changed[0] ?? '');
  world.clock.now += 600_001;
  assert.deepEqual(await watchKeys(world.store.db, chains, now), [], 'once is enough');
});

test('a chain that does not reply shows no change, and is read again', async () => {
  const silent = [{ chain: 'solana', atOnce: 10, read: async () => null }];
  world.clock.now += 600_001;
  assert.deepEqual(await watchKeys(world.store.db, silent, now), []);
  const blind = [
    { chain: 'solana', atOnce: 10, read: async (addresses: readonly string[]) => addresses.map(() => null) },
  ];
  assert.deepEqual(await watchKeys(world.store.db, blind, now), [], 'what cannot be read is no change');
  world.clock.now += 600_001;
  assert.deepEqual(await watchKeys(world.store.db, keyChains(engine), now), [], 'what was known before is still known');
});

test('an exploit on a public list has the asset of that name rated at once, and once', async () => {
  const protocol = tokenOf('thornmere-finance');
  await monitored({ ...evmAsset(1, 'ethereum', protocol.address, protocol.symbol), name: protocol.name });
  const listed = await listedExploits(engine);
  assert.ok(listed?.some((one) => one.name === protocol.name));
  const old = createExploitWatch(world.store.db, () => listedExploits(engine), now);
  world.clock.now += 1_000;
  assert.deepEqual(await old(), [], 'what happened more than a year ago is no news');

  const fresh = createExploitWatch(
    world.store.db,
    async () => [
      { name: protocol.name.toUpperCase(), at: now() - DAY_MS },
      { name: '%', at: now() },
    ],
    now,
  );
  const [hastened] = await fresh();
  assert.ok(hastened?.endsWith(protocol.address));
  assert.ok((await dueNow()).includes(`${protocol.symbol} exploit_listed`));
  await putOff(hastened ?? '');
  assert.deepEqual(await fresh(), []);
  const away = createExploitWatch(world.store.db, async () => null, now);
  assert.deepEqual(await away(), []);
});

test('unread launches are read one a turn, the last monitored first; a bundle has its asset rated at once', async () => {
  const [honest, bundled] = ['frostbyte-frog', 'ninth-try'].map(tokenOf);
  assert.ok(honest && bundled);
  await world.store.db.deleteFrom('monitored_assets').execute();
  for (const token of [honest, bundled]) {
    world.clock.now += 1_000;
    await monitored(solanaAsset(token.address, token.symbol));
  }
  const read: string[] = [];
  let free = false;
  const turn = createLaunchWatch(
    world.store.db,
    ['solana'],
    async ({ assetId, jobId }) => {
      if (!free) return null;
      assert.ok(jobId.length > 0);
      read.push(assetId);
      if (assetId.endsWith(honest.address)) return false;
      await keepLaunch(world.store.db, assetId, Buffer.from('{}'), new Date(now()).toISOString());
      return true;
    },
    now,
  );
  assert.equal(await turn(), null, 'no room');
  free = true;
  assert.ok((await turn())?.endsWith(bundled.address));
  assert.deepEqual(await dueNow(), [`${bundled.symbol} launch_read`]);
  assert.ok((await turn())?.endsWith(honest.address));
  assert.equal(await turn(), null, 'what was tried is left alone for some hours');
  world.clock.now += DAY_MS / 4 + 1;
  assert.ok((await turn())?.endsWith(honest.address), 'what is kept is not read again');
  assert.equal(read.length, 3);
});

test('launches that cannot be read do not keep older assets from being read', async () => {
  const [first] = ['frostbyte-frog'].map(tokenOf);
  assert.ok(first);
  const { db } = world.store;
  await db.deleteFrom('monitored_assets').execute();
  const { id } = solanaAsset(first.address, first.symbol);
  await sql`delete from launches`.execute(db);
  await monitored(solanaAsset(first.address, first.symbol));
  for (const table of ['rated_assets', 'published_ratings', 'monitored_assets'])
    await sql`insert into ${sql.table(table)} ${sql.raw(table === 'published_ratings' ? 'overriding system value' : '')}
      select (jsonb_populate_record(t, jsonb_build_object('asset_id', t.asset_id || n))).* from ${sql.table(table)} t, generate_series(1, 250) n
      where t.asset_id = ${id}`.execute(db);
  await sql`update monitored_assets set added_at = added_at - interval '1 day' where asset_id = ${id}`.execute(db);
  const read = new Set<string>();
  const turn = createLaunchWatch(db, ['solana'], async ({ assetId }) => read.add(assetId).size < 0, now);
  for (let count = 0; count < 251; count += 1) await turn();
  assert.equal(read.size, 251);
  assert.ok(read.has(id), 'the oldest is read too');
});

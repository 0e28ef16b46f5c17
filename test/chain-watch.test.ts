import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Address } from 'viem';
import type { RunningService } from '../src/compose/service.ts';
import type { Asset } from '../src/domain/asset.ts';
import { openChainWatch } from '../src/indexer/chain-watch.ts';
import { type Indexer, startIndexer } from '../src/indexer/indexer.ts';
import { createSnapshotReader } from '../src/indexer/reader.ts';
import { readEvmPools } from '../src/snapshots/evm/pools.ts';
import { createEvmReader } from '../src/snapshots/evm/reader.ts';
import { EVM_WATCH, watchNode } from '../src/snapshots/node-watch.ts';
import { openStore, type Store } from '../src/store/database.ts';
import { systemResolver } from '../src/upstream/agents.ts';
import { createUpstream } from '../src/upstream/client.ts';
import { createNodeSockets } from '../src/upstream/node-socket.ts';
import { type Anvil, startAnvil } from './support/anvil.ts';
import { marketSnapshot, pool, poolsSnapshot, UNI } from './support/chain-snapshots.ts';
import { type EventReader, readEvents } from './support/event-reader.ts';
import { openRoles, type Roles } from './support/roles.ts';
import { type TcpProxy, tcpProxy } from './support/tcp-proxy.ts';
import { deployUniswap, type Uniswap } from './support/uniswap.ts';

const RESERVE = 10n ** 24n;
const AMOUNT = 10n ** 21n;
const upstream = createUpstream({ resolver: systemResolver(), userAgent: 'test' });
const sockets = createNodeSockets(systemResolver());
let anvil: Anvil;
let uniswap: Uniswap;
let wire: TcpProxy;
let roles: Roles;
let api: RunningService;
let store: Store;
let indexer: Indexer;
let reader: ReturnType<typeof createSnapshotReader>;
let watch: ReturnType<typeof openChainWatch>;
let events: EventReader;
let pair: Address;
let tokens: readonly [Address, Address];
let asset: Asset;
let made = 0;
const failures: string[] = [];

before(async () => {
  upstream.setBudget('node', { perMinute: 1e6, burst: 1e6, concurrency: 16, shareSeconds: 0 });
  [anvil, roles] = await Promise.all([startAnvil(), openRoles()]);
  uniswap = await deployUniswap(anvil);
  tokens = [await uniswap.token('ONE', 18), await uniswap.token('TWO', 18)];
  pair = await uniswap.pair(...tokens, RESERVE, RESERVE);
  wire = await tcpProxy(Number(new URL(anvil.url).port));
  const address = tokens[0].toLowerCase();
  asset = { ...UNI, id: `eip155:1/erc20:${address}`, address };
  api = await roles.api();
  store = await openStore(roles.databaseUrl, 'sandbox');
  const onError = (error: unknown) => failures.push(String(error));
  reader = createSnapshotReader({ store, onError });
  const node = createEvmReader(upstream, [{ label: 'node', url: anvil.url, secretHeaders: {}, secretQuery: [] }]);
  indexer = await startIndexer({
    store,
    now: Date.now,
    onError,
    collector: {
      async collect(wanted, kind) {
        made += 1;
        const asOf = new Date().toISOString();
        if (kind !== 'pools') return { ok: true, value: marketSnapshot(wanted, asOf) };
        const found = await readEvmPools(node, uniswap.dexes, [pair]);
        assert.ok(found.ok);
        const [reading] = found.value.readings;
        assert.ok(reading);
        const own = reading.tokens.find((token) => token.address.toLowerCase() === address);
        const record = pool(pair, 1_000, true);
        const [token] = record.tokens;
        assert.ok(token);
        const read = { ...record, tokens: [{ ...token, address, reserve_raw: String(own?.reserve) }] };
        return { ok: true, value: poolsSnapshot(wanted, asOf, [read]) };
      },
    },
  });
  await indexer.add([asset], { cadence: 'newest', kinds: ['market', 'pools'], addedBy: 'test' });
  watch = openChainWatch({
    store,
    reader,
    now: Date.now,
    wake: indexer.wake,
    onError,
    chains: [
      {
        chain: 'ethereum',
        watch: (seen) =>
          watchNode({
            sockets,
            url: `ws://127.0.0.1:${wire.port}`,
            protocol: EVM_WATCH,
            seen,
            onError,
            firstPauseMs: 100,
          }),
      },
    ],
  });
  events = await readEvents(`${api.url}/v1/ethereum/stream?assets=${address}&kinds=pools`, {
    'x-api-key': api.adminKey ?? '',
  });
  await events.until(() => reserves().length > 0, 20_000);
  // The subscription follows the snapshot that names the pool.
  await new Promise((resolve) => setTimeout(resolve, 1_000));
});
after(async () => {
  events?.close();
  await watch?.close();
  await indexer?.close(1_000);
  await reader?.close();
  await store?.close();
  await roles?.close();
  await sockets.close();
  await upstream.close();
  await wire?.close();
  await anvil?.stop();
});

/** What the pair holds of the asset, in each snapshot that was sent. */
const reserves = () =>
  events.events
    .filter(({ type }) => type === 'snapshot')
    .map(({ data }) => /"reserve_raw":"(\d+)"/.exec(data)?.[1] ?? '');
const held = async () => String(await uniswap.balance(tokens[0], pair));
async function swap(): Promise<string> {
  const zeroForOne = tokens[0].toLowerCase() < tokens[1].toLowerCase();
  await uniswap.swapPair(pair, tokens[0], AMOUNT, zeroForOne, AMOUNT / 4n);
  return held();
}

test('a swap on a chain is a snapshot of its reserves at the subscriber, long before the cadence', async () => {
  const before = reserves().at(-1);
  const after = await swap();
  assert.notEqual(after, before);
  await events.until(() => reserves().includes(after), 15_000);
});

test('a pool that is traded in each block has its asset read at most every five seconds', async () => {
  const [begun, madeBefore] = [Date.now(), made];
  let last = '';
  while (Date.now() - begun < 11_000) last = await swap();
  const count = made - madeBefore;
  assert.ok(count >= 1 && count <= 5, `${count} snapshots in 11 seconds`);
  // The last change is not lost by the pause.
  await events.until(() => reserves().at(-1) === last, 15_000);
});

test('replaced blocks are reported, and their successors follow', async () => {
  const before = await held();
  const snapshot = await anvil.client.snapshot();
  const gone = await swap();
  await events.until(() => reserves().includes(gone), 15_000);
  await anvil.client.revert({ id: snapshot });
  await anvil.mine(1);
  await events.until((all) => all.some(({ type }) => type === 'reorganised'), 15_000);
  await events.until(() => reserves().at(-1) === before, 15_000);
  const told = JSON.parse(events.events.find(({ type }) => type === 'reorganised')?.data ?? '{}');
  assert.equal(told.asset_id, asset.id);
  assert.ok(Number.isSafeInteger(told.block));
});

test('a connection to the node that is lost is opened again, and what happened meanwhile is read', async () => {
  wire.cut();
  const missed = await swap();
  await new Promise((resolve) => setTimeout(resolve, 500));
  wire.heal();
  await events.until(() => reserves().includes(missed), 20_000);
  const later = await swap();
  await events.until(() => reserves().includes(later), 15_000);
});

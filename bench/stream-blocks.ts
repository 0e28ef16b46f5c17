import { fork } from 'node:child_process';
import { once } from 'node:events';
import { get } from 'node:http';
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { createEventParser } from '../client/src/event-parser.ts';
import type { Asset } from '../src/domain/asset.ts';
import { openChainWatch } from '../src/indexer/chain-watch.ts';
import { startIndexer } from '../src/indexer/indexer.ts';
import { createSnapshotReader } from '../src/indexer/reader.ts';
import { readEvmPools } from '../src/snapshots/evm/pools.ts';
import { createEvmReader } from '../src/snapshots/evm/reader.ts';
import { EVM_WATCH, watchNode } from '../src/snapshots/node-watch.ts';
import { openStore } from '../src/store/database.ts';
import { systemResolver } from '../src/upstream/agents.ts';
import { createUpstream } from '../src/upstream/client.ts';
import { createNodeSockets } from '../src/upstream/node-socket.ts';
import { startAnvil } from '../test/support/anvil.ts';
import { pool, poolsSnapshot, UNI } from '../test/support/chain-snapshots.ts';
import { openRoles } from '../test/support/roles.ts';
import { deployUniswap } from '../test/support/uniswap.ts';

/**
 * How late subscribers of GET /v1/{chain}/stream are after a block: from its head at a subscriber of the node (anvil, one swap in a
 * block) to the first snapshot with the reserves of after the swap at the reader, which is in a process of its own. On the way are the
 * node's notice of the log, the read of the pool from the node, the transaction, the notice to the API and the event. Swaps are
 * `--every` milliseconds apart: below 5,000 the least distance of two snapshots of an asset adds to the lag. For `--readers a,b`; with
 * one that reads nothing beside them; with readers that come back with Last-Event-ID just after the block; and from a reorganisation to
 * the event and to the new snapshot.
 */
const { values } = parseArgs({
  options: {
    readers: { type: 'string', default: '100,1000' },
    blocks: { type: 'string', default: '12' },
    every: { type: 'string', default: '11000' },
    rounds: { type: 'string', default: 'plain,unread,back,often,gone' },
    load: { type: 'string' },
  },
});

interface Wanted {
  readonly url: string;
  readonly key: string;
  readonly readers: number;
}
/** A snapshot or a reorganisation that a reader was sent, and when. */
type Received = readonly [what: string, at: number];
type Report = { readonly ready: true } | { readonly heard: readonly Received[] };

if (values.load === undefined) await main();
else readers(JSON.parse(values.load) as Wanted);

async function main(): Promise<void> {
  const onError = (error: unknown) => console.error(String(error));
  const upstream = createUpstream({ resolver: systemResolver(), userAgent: 'bench' });
  upstream.setBudget('node', { perMinute: 1e6, burst: 1e6, concurrency: 16, shareSeconds: 0 });
  const sockets = createNodeSockets(systemResolver());
  const [anvil, roles] = await Promise.all([startAnvil(), openRoles()]);
  const uniswap = await deployUniswap(anvil);
  const tokens = [await uniswap.token('ONE', 18), await uniswap.token('TWO', 18)] as const;
  const pair = await uniswap.pair(...tokens, 10n ** 24n, 10n ** 24n);
  const address = tokens[0].toLowerCase();
  const asset: Asset = { ...UNI, id: `eip155:1/erc20:${address}`, address };
  const api = await roles.api();
  const key = api.adminKey ?? '';
  const store = await openStore(roles.databaseUrl, 'sandbox');
  const reader = createSnapshotReader({ store, onError });
  const node = createEvmReader(upstream, [{ label: 'node', url: anvil.url, secretHeaders: {}, secretQuery: [] }]);
  const indexer = await startIndexer({
    store,
    now: Date.now,
    onError,
    collector: {
      async collect(wanted) {
        const asOf = new Date().toISOString();
        const found = await readEvmPools(node, uniswap.dexes, [pair]);
        const reading = found.ok ? found.value.readings[0] : undefined;
        const record = pool(pair, 1_000, true);
        const [token] = record.tokens;
        if (reading === undefined || token === undefined) throw new Error('the pair was not read');
        const own = reading.tokens.find((one) => one.address.toLowerCase() === address);
        const read = { ...record, tokens: [{ ...token, address, reserve_raw: String(own?.reserve) }] };
        return { ok: true, value: poolsSnapshot(wanted, asOf, [read]) };
      },
    },
  });
  await indexer.add([asset], { cadence: 'newest', kinds: ['pools'], addedBy: 'bench' });
  const url = anvil.url.replace('http', 'ws');
  const watch = openChainWatch({
    store,
    reader,
    now: Date.now,
    wake: indexer.wake,
    onError,
    chains: [
      {
        chain: 'ethereum',
        watch: (seen) => watchNode({ sockets, url, protocol: EVM_WATCH, seen, onError, firstPauseMs: 100 }),
      },
    ],
  });
  /** When heads came to a subscriber of the node, by number: the last one of each. */
  const heads = new Map<number, number>();
  const socket = new WebSocket(url);
  socket.onopen = () => socket.send('{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newHeads"]}');
  socket.onmessage = ({ data }) => {
    const number = /"number":"(0x[0-9a-f]+)"/.exec(String(data))?.[1];
    if (number !== undefined) heads.set(Number(number), Date.now());
  };
  const path = `${api.url}/v1/ethereum/stream?assets=${address}&kinds=pools`;
  const zeroForOne = address < tokens[1].toLowerCase();
  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  const until = async (isDone: () => boolean) => {
    for (const end = Date.now() + 20_000; !isDone() && Date.now() < end; ) await pause(5);
  };

  /** A block with a swap: what the pair holds after it, and when its head came. */
  async function block(): Promise<Received> {
    await uniswap.swapPair(pair, tokens[0], 10n ** 21n, zeroForOne, 10n ** 19n);
    const number = Number(await anvil.client.getBlockNumber());
    await until(() => heads.has(number));
    return [String(await uniswap.balance(tokens[0], pair)), heads.get(number) ?? Number.NaN];
  }

  async function open(count: number) {
    const child = fork(import.meta.filename, ['--load', JSON.stringify({ url: path, key, readers: count })]);
    await once(child, 'message');
    return {
      send: (what: string) => child.send(what),
      async heard(): Promise<readonly Received[]> {
        child.send('end');
        const [told] = (await once(child, 'message')) as [Report];
        return 'heard' in told ? told.heard : [];
      },
    };
  }

  async function round(count: number, { unread = 0, comeBack = false, every = Number(values.every) } = {}) {
    const silent = Array.from({ length: unread }, () =>
      get(path, { headers: { 'x-api-key': key }, agent: false }, (reply) => reply.pause()).on('error', () => undefined),
    );
    const child = await open(count);
    await pause(6_000);
    const blocks: Received[] = [];
    for (let step = 0; step < Number(values.blocks); step += 1) {
      const begun = Date.now();
      blocks.push(await block());
      if (comeBack) child.send('again');
      await pause(Math.max(0, every - (Date.now() - begun)));
    }
    await pause(6_000);
    const heard = await child.heard();
    for (const one of silent) one.destroy();
    // A reader that comes back is sent past snapshots again: of each block the first that each heard.
    const lags = blocks.flatMap(([reserve, at]) =>
      heard
        .filter(([what]) => what === reserve)
        .slice(0, count)
        .map(([, when]) => when - at),
    );
    // Of blocks that follow each other within the least distance, the snapshot of the last one is sent.
    const told = blocks.filter(([reserve]) => heard.some(([what]) => what === reserve)).length;
    const [load] = loadavg();
    print({
      readers: count,
      unread,
      come_back: comeBack,
      every_ms: every,
      blocks: blocks.length,
      told,
      ...spread(lags),
      load,
    });
  }

  async function reorganisation(count: number) {
    const child = await open(count);
    const turns: { event: number; at: number }[] = [];
    for (let step = 0; step < Number(values.blocks); step += 1) {
      const point = await anvil.client.snapshot();
      await block();
      await pause(Number(values.every));
      await anvil.client.revert({ id: point });
      turns.push({ event: step, at: Date.now() });
      await anvil.mine(2);
      await pause(Number(values.every));
    }
    const heard = await child.heard();
    const [load] = loadavg();
    const between = (at: number, end: number, isWanted: (what: string) => boolean) => {
      const first = heard.filter(([what, when]) => isWanted(what) && when >= at && when < end);
      return first.slice(0, count).map(([, when]) => when - at);
    };
    const ends = turns.map((_, index) => turns[index + 1]?.at ?? Number.POSITIVE_INFINITY);
    const lagsOf = (isWanted: (what: string) => boolean) =>
      spread(turns.flatMap(({ at }, index) => between(at, ends[index] ?? at, isWanted)));
    print({
      reorganisations: turns.length,
      readers: count,
      to: 'event',
      ...lagsOf((what) => what === 'reorganised'),
      load,
    });
    print({
      reorganisations: turns.length,
      readers: count,
      to: 'snapshot',
      ...lagsOf((what) => what !== 'reorganised'),
    });
  }

  const wanted = values.rounds.split(',');
  if (wanted.includes('plain')) for (const count of values.readers.split(',').map(Number)) await round(count);
  if (wanted.includes('unread')) await round(100, { unread: 1 });
  if (wanted.includes('back')) await round(100, { comeBack: true });
  if (wanted.includes('often')) await round(100, { every: 1_000 });
  if (wanted.includes('gone')) await reorganisation(100);
  socket.close();
  await watch.close();
  await indexer.close(1_000);
  await reader.close();
  await store.close();
  await roles.close();
  await sockets.close();
  await upstream.close();
  await anvil.stop();
}

function spread(lags: readonly number[]) {
  const sorted = lags.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? null;
  return { events: sorted.length, p50_ms: at(0.5), p99_ms: at(0.99), most_ms: sorted.at(-1) ?? null };
}

function print(line: object): void {
  console.log(JSON.stringify(line));
}

/** Opens the readers, says when each has its first snapshot, has them come back at `again`, and tells at `end` what was heard. */
function readers({ url, key, readers: count }: Wanted): void {
  const heard: Received[] = [];
  const begun = new Set<number>();
  const again = Array.from({ length: count }, (_, index) => follow(index));

  /** One reader; the returned function cuts it off and comes back after the last event. */
  function follow(index: number): () => void {
    let last = '';
    let seen = '';
    let request = open();
    function open() {
      const parser = createEventParser();
      const headers = { 'x-api-key': key, ...(last === '' ? {} : { 'last-event-id': last }) };
      return get(url, { headers, agent: false }, (reply) => {
        reply.on('error', () => undefined);
        reply.setEncoding('utf8').on('data', (piece: string) => {
          for (const { type, data, id } of parser.feed(piece)) {
            if (id !== '') last = id;
            if (type === 'reorganised') heard.push([type, Date.now()]);
            if (type !== 'snapshot') continue;
            const reserve = /"reserve_raw":"(\d+)"/.exec(data)?.[1] ?? '';
            // The same reserves once: snapshots may come twice over two connections.
            if (reserve !== seen && begun.has(index)) heard.push([reserve, Date.now()]);
            seen = reserve;
            if (begun.has(index)) continue;
            begun.add(index);
            if (begun.size === count) process.send?.({ ready: true } satisfies Report);
          }
        });
      }).on('error', () => undefined);
    }
    return () => {
      request.destroy();
      request = open();
    };
  }
  process.on('message', (what) => {
    if (what === 'again') for (const one of again) one();
    else process.send?.({ heard } satisfies Report, () => process.exit());
  });
}

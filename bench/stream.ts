import { fork } from 'node:child_process';
import { once } from 'node:events';
import { get } from 'node:http';
import { parseArgs } from 'node:util';
import { createEventParser } from '../client/src/event-parser.ts';
import { startIndexer } from '../src/indexer/indexer.ts';
import { openStore } from '../src/store/database.ts';
import { assetAt } from '../src/store/snapshots/fixtures/snapshots.ts';
import { snapshotRow } from '../src/store/snapshots/snapshot-row.ts';
import { createSnapshotWriter } from '../src/store/snapshots/write.ts';
import { marketSnapshot } from '../test/support/chain-snapshots.ts';
import { openRoles } from '../test/support/roles.ts';

/**
 * Delay of subscribers of GET /v1/{chain}/stream: from the moment another process of the service begins to store a market
 * snapshot (its transaction, the notice, the read of it, and the event) to the reader, which is in a process of its own. For
 * `--readers a,b` of one asset each, of ten assets; with one more that reads nothing; and the first event of a reader
 * that reconnects with Last-Event-ID. `--seconds` for each number of readers.
 */
const ASSETS = 10;
const EVERY_MS = 200;
const { values } = parseArgs({
  options: {
    readers: { type: 'string', default: '1,100,1000' },
    seconds: { type: 'string', default: '20' },
    load: { type: 'string' },
  },
});

/** Messages to and from the process with the readers. */
interface Wanted {
  readonly url: string;
  readonly key: string;
  readonly readers: number;
  readonly addresses: readonly string[];
  readonly after: string | null;
}
type Report = { readonly openAfterMs: number } | { readonly lags: readonly number[]; readonly last: string };

if (values.load === undefined) await main();
else readers(JSON.parse(values.load) as Wanted);

async function main(): Promise<void> {
  const roles = await openRoles();
  const api = await roles.api();
  const key = api.adminKey ?? '';
  const store = await openStore(roles.databaseUrl, 'sandbox');
  const writer = createSnapshotWriter(store.pool);
  const assets = Array.from({ length: ASSETS }, (_, index) => assetAt(index + 1));
  const collector = { collect: () => Promise.reject(new Error('nothing is read here')) };
  const indexer = await startIndexer({ store, works: false, now: Date.now, onError: console.error, collector });
  await indexer.add(assets, { cadence: 'newest', kinds: ['market'], addedBy: 'bench' });
  const put = async (index: number) => {
    const asset = assets[index % ASSETS];
    if (asset) await writer.store([snapshotRow(marketSnapshot(asset, new Date().toISOString()))], Date.now());
  };
  for (let index = 0; index < ASSETS; index += 1) await put(index);
  const addresses = assets.map(({ address }) => address ?? '');

  async function round(readersOpen: number, slow: number): Promise<void> {
    const silent = Array.from({ length: slow }, () =>
      get(`${api.url}/v1/ethereum/stream?assets=${addresses.join(',')}`, { headers: { 'x-api-key': key } }, (reply) =>
        reply.pause(),
      ).on('error', () => undefined),
    );
    const wanted: Wanted = { url: api.url, key, readers: readersOpen, addresses, after: null };
    const child = fork(import.meta.filename, ['--load', JSON.stringify(wanted)]);
    await once(child, 'message');
    const before = process.cpuUsage();
    const begun = performance.now();
    for (let step = 0; performance.now() - begun < Number(values.seconds) * 1_000; step += 1) {
      await put(step);
      await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
    }
    const cpu = process.cpuUsage(before);
    child.send('end');
    const [told] = (await once(child, 'message')) as [Report];
    for (const one of silent) one.destroy();
    if ('lags' in told)
      print({
        readers: readersOpen,
        unread: slow,
        ...spread(told.lags),
        cpu_ms_per_event: round3((cpu.user + cpu.system) / 1_000 / told.lags.length),
      });
  }

  for (const count of values.readers.split(',').map(Number)) await round(count, 0);
  await round(100, 1);
  await comeBack();
  await store.close();
  await roles.close();

  /** A hundred readers that reconnect at once, each after the snapshots of a second. */
  async function comeBack(): Promise<void> {
    const after = String(Date.now());
    for (let step = 0; step < ASSETS; step += 1) await put(step);
    const child = fork(import.meta.filename, [
      '--load',
      JSON.stringify({ url: api.url, key, readers: 100, addresses, after } satisfies Wanted),
    ]);
    const [told] = (await once(child, 'message')) as [Report];
    if ('openAfterMs' in told) print({ readers: 100, came_back_ms: told.openAfterMs });
    child.send('end');
    await once(child, 'exit');
  }
}

function spread(lags: readonly number[]) {
  const sorted = lags.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? null;
  return { events: sorted.length, p50_ms: at(0.5), p99_ms: at(0.99), most_ms: sorted.at(-1) ?? null };
}

function round3(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}

function print(line: object): void {
  console.log(JSON.stringify(line));
}

/** Opens the readers, reports when each has its first snapshot, and after `end` the delay of the later ones. */
function readers({ url, key, readers: count, addresses, after }: Wanted): void {
  const lags: number[] = [];
  const asked = performance.now();
  let begun = 0;
  let last = '';
  for (let index = 0; index < count; index += 1) {
    const headers = { 'x-api-key': key, ...(after === null ? {} : { 'last-event-id': after }) };
    const parser = createEventParser();
    let isFirst = true;
    get(
      `${url}/v1/ethereum/stream?assets=${addresses[index % addresses.length]}`,
      { headers, agent: false },
      (reply) => {
        reply.setEncoding('utf8').on('data', (piece: string) => {
          for (const { type, data, id } of parser.feed(piece)) {
            if (type !== 'snapshot') continue;
            last = id;
            if (isFirst) {
              begun += 1;
              if (begun === count)
                process.send?.({ openAfterMs: Math.round(performance.now() - asked) } satisfies Report);
            } else lags.push(Date.now() - Date.parse(/"as_of":"([^"]+)"/.exec(data)?.[1] ?? ''));
            isFirst = false;
          }
        });
      },
    );
  }
  process.once('message', () => {
    process.send?.({ lags, last } satisfies Report, () => process.exit());
  });
}

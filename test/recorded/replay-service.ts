import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ReplayEntry, readRecording } from '../../sandbox/recordings.ts';
import { startReplayer } from '../../sandbox/replayer.ts';
import { startService } from '../../src/compose/service.ts';
import { loadConfig } from '../../src/config/load.ts';
import type { Config } from '../../src/config/types.ts';
import { SOURCES } from '../../src/sources/index.ts';
import { databaseOf } from '../../src/store/fixtures/database.ts';
import type { Resolver } from '../../src/upstream/types.ts';

/** Bodies recorded by others; they are not part of this project. */
export const RECORDED = join(
  process.env.ASSAY_REFERENCE_DATA ?? join(import.meta.dirname, '../../../shared/data'),
  'recorded',
);
/** A question that nobody recorded has failed; it is no statement that the asset is unknown. */
const UNRECORDED = 410;

/** No name has an address: nothing that a recording mentions can make the machine ask the world. */
export const nowhere: Resolver = { resolve: async () => [], vouch: () => null };

export interface Replaying {
  readonly config: Config;
  readonly dataDir: string;
  readonly close: () => Promise<void>;
}

/** Replayers on the recordings, and the configuration of a service that asks them alone. Sources without a recording are off. */
export async function startReplaying(): Promise<Replaying> {
  const temporary = await mkdtemp(join(tmpdir(), 'assay-recorded-'));
  // As root the database server runs as another user, who has to walk there.
  await chmod(temporary, 0o755);
  const index = JSON.parse(await readFile(join(import.meta.dirname, 'index.json'), 'utf8')) as readonly ReplayEntry[];
  const plain = await startReplayer({ folder: RECORDED, index, unrecordedStatus: UNRECORDED });
  const folder = join(temporary, 'coingecko');
  const coingecko = await startReplayer({
    folder,
    index: await withSearch(index, folder),
    unrecordedStatus: UNRECORDED,
  });
  const defaults = loadConfig(
    {},
    SOURCES.map((source) => ({ name: source.name, bases: Object.keys(source.bases) })),
  );
  if (!defaults.ok) throw new Error(defaults.errors.join('\n'));
  const sources = SOURCES.map(({ name, bases }) => {
    const recorded = index.filter((entry) => entry.source === name);
    const url = name === 'coingecko' ? coingecko.url : plain.url;
    const own = Object.keys(bases).map((base) => [base, `${url}/${name}/${base}`] as const);
    return [name, { bases: Object.fromEntries(own), key: null, enabled: recorded.length > 0 }] as const;
  });
  return {
    config: {
      ...defaults.value,
      dataMode: 'sandbox',
      port: 0,
      databaseUrl: null,
      logLevel: 'warn',
      sources: Object.fromEntries(sources),
    },
    dataDir: temporary,
    async close() {
      await plain.close();
      await coingecko.close();
      await rm(temporary, { recursive: true, force: true });
    },
  };
}

/**
 * CoinGecko's recordings as plain bodies, and one reply that was not recorded: the search that leads from the name to
 * the id, put together from the recorded coin (id, name, symbol, rank) in the shape of `/search`.
 */
async function withSearch(index: readonly ReplayEntry[], folder: string): Promise<readonly ReplayEntry[]> {
  await mkdir(folder, { recursive: true });
  const entries = index.filter((entry) => entry.source === 'coingecko');
  const plain: ReplayEntry[] = [];
  for (const [at, entry] of entries.entries()) {
    const { bytes } = await readRecording(RECORDED, entry);
    await writeFile(join(folder, `${at}.json`), bytes);
    plain.push({ source: entry.source, method: entry.method, path: entry.path, file: `${at}.json` });
  }
  const coin = JSON.parse(await readFile(join(folder, '0.json'), 'utf8')) as Readonly<Record<string, unknown>>;
  const { id, name, symbol, market_cap_rank } = coin;
  await writeFile(join(folder, 'search.json'), JSON.stringify({ coins: [{ id, name, symbol, market_cap_rank }] }));
  const search: ReplayEntry = {
    source: 'coingecko',
    method: 'GET',
    path: '/search',
    query: { query: String(name) },
    file: 'search.json',
  };
  return [search, ...plain];
}

export interface DatedService {
  /** Sets the clock: null is the machine's own. */
  readonly setClock: (at: string | null) => void;
  readonly score: (
    body: Readonly<Record<string, string>>,
  ) => Promise<{ readonly status: number; readonly body: unknown }>;
  readonly close: () => Promise<void>;
}

/** A whole service with a database of its own, on a clock that can be set. */
export async function startDatedService({ config, dataDir }: Replaying, name: string): Promise<DatedService> {
  let shift = 0;
  const now = () => Date.now() + shift;
  const own = join(dataDir, name);
  await mkdir(own, { mode: 0o755 });
  const database = await databaseOf(own, 'service');
  const service = await startService({
    config: { ...config, dataDir: own, databaseUrl: database.url },
    resolver: nowhere,
    quiet: true,
    now,
  });
  return {
    setClock: (at) => {
      shift = at === null ? 0 : Date.parse(at) - Date.now();
    },
    async score(body) {
      const reply = await fetch(`${service.url}/v1/score`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': service.adminKey ?? '' },
        body: JSON.stringify({ type: 'posttge', output_format: 'full', ...body }),
      });
      return { status: reply.status, body: await reply.json() };
    },
    async close() {
      await service.close();
      await database.close();
    },
  };
}

import { createHash, randomBytes } from 'node:crypto';
import { createAccess } from '../../src/access/access.ts';
import { loadPlans } from '../../src/access/plans/load.ts';
import { createSharedLimiter } from '../../src/access/plans/shared-limiter.ts';
import type { Scope } from '../../src/access/types.ts';
import type { ApiContext, AssetIndex, ChainServices, IndexedAsset } from '../../src/api/context.ts';
import { buildServer } from '../../src/api/server.ts';
import type { Asset } from '../../src/domain/asset.ts';
import type {
  Concentration,
  HoldersSnapshot,
  MarketSnapshot,
  PoolRecord,
  PoolsSnapshot,
  Snapshot,
  SnapshotKind,
} from '../../src/domain/snapshot.ts';
import type { ExportFormat, ExportService, PublishedFile } from '../../src/exports/types.ts';
import type { SnapshotReader, StoredSnapshot } from '../../src/indexer/types.ts';
import { testDatabase } from '../../src/store/fixtures/database.ts';

export const MINT = 'JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN';
export const SOLANA = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp';
export const CONTRACT = '0x1f9840a85d5af5bf1d1762f925bdaddc4201f984';

export function solanaAsset(address: string, symbol: string, name = symbol): Asset {
  return { id: `${SOLANA}/token:${address}`, chain: 'solana', address, symbol, name, category: null, website: null };
}
export const JUP = solanaAsset(MINT, 'JUP', 'Jupiter');
export const UNI: Asset = {
  ...JUP,
  id: `eip155:1/erc20:${CONTRACT}`,
  chain: 'ethereum',
  address: CONTRACT,
  symbol: 'UNI',
  name: 'Uniswap',
};

export interface MemoryReader extends SnapshotReader {
  /** Stores and tells, as another process would. */
  put(snapshot: Snapshot): StoredSnapshot;
  /** Stores without telling: a notice that got lost. */
  putSilently(snapshot: Snapshot): StoredSnapshot;
  readonly assets: Asset[];
  readonly reads: { latest: number; asOf: number; find: number };
  /** Milliseconds a read takes. */
  delayMs: number;
}

/** A reader that holds everything in memory, by the same rules as the one on PostgreSQL. */
export function memoryReader(now: () => number): MemoryReader {
  const rows: StoredSnapshot[] = [];
  const listeners = new Set<(assetId: string, kind: SnapshotKind, asOf: string) => void>();
  const of = (assetId: string, kind: SnapshotKind) =>
    rows.filter((row) => row.assetId === assetId && row.kind === kind).sort((a, b) => (a.asOf < b.asOf ? -1 : 1));
  const reader: MemoryReader = {
    assets: [],
    reads: { latest: 0, asOf: 0, find: 0 },
    delayMs: 0,
    putSilently(snapshot) {
      const stored: StoredSnapshot = {
        assetId: snapshot.asset.id,
        kind: snapshot.kind,
        asOf: snapshot.as_of,
        storedAt: new Date(now()).toISOString(),
        body: Buffer.from(JSON.stringify(snapshot)),
      };
      rows.push(stored);
      return stored;
    },
    put(snapshot) {
      const stored = reader.putSilently(snapshot);
      for (const listener of listeners) listener(stored.assetId, stored.kind, stored.asOf);
      return stored;
    },
    async latest(assetId, kind) {
      reader.reads.latest += 1;
      const found = of(assetId, kind).at(-1) ?? null;
      if (reader.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, reader.delayMs));
      return found;
    },
    async asOf(assetId, kind, at) {
      reader.reads.asOf += 1;
      return of(assetId, kind).findLast((row) => row.asOf <= at) ?? null;
    },
    async history(assetId, kind, query) {
      const from = query.cursor ?? query.from;
      let found = of(assetId, kind).filter((row) => row.asOf >= from && row.asOf <= query.to);
      if (query.intervalSeconds !== null) {
        const step = query.intervalSeconds * 1000;
        found = [...new Map(found.map((row) => [Math.floor(Date.parse(row.asOf) / step), row])).values()];
      }
      return { snapshots: found.slice(0, query.limit), nextCursor: found[query.limit]?.asOf ?? null };
    },
    async find(chain, text) {
      reader.reads.find += 1;
      const wanted = text.toLowerCase();
      return reader.assets.filter(
        (asset) =>
          asset.chain === chain &&
          (asset.id === text || asset.address === text || asset.symbol?.toLowerCase() === wanted),
      );
    },
    onStored(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  return reader;
}

const head = (asset: Asset, asOf: string) => ({
  asset,
  as_of: asOf,
  sources: ['coingecko', 'dexscreener'],
  attributions: [{ source: 'coingecko', text: 'Data by CoinGecko', url: 'https://www.coingecko.com/' }],
  warnings: [],
});

export function marketSnapshot(asset: Asset, asOf: string, priceUsd = 1.25): MarketSnapshot {
  return {
    ...head(asset, asOf),
    kind: 'market',
    price_usd: priceUsd,
    change_1h_pct: 0.1,
    change_24h_pct: -2.5,
    change_7d_pct: null,
    change_30d_pct: null,
    volume_24h_usd: 1_000_000,
    market_cap_usd: 1.7e9,
    fully_diluted_value_usd: 8.7e9,
    circulating_supply: 1.35e9,
    total_supply: 7e9,
    max_supply: null,
    liquidity_usd: 2e7,
    turnover_pct: 0.06,
    volume_to_liquidity: 0.05,
    volatility_30d_pct: 4.2,
    ath_usd: 2.04,
    drawdown_pct: 38.7,
    price_dispersion_pct: 0.2,
    ath_at: '2024-01-31T00:00:00.000Z',
    venues: [{ venue: 'raydium', price_usd: priceUsd, volume_24h_usd: 5e5, sources: ['dexscreener'] }],
    provenance: {
      price_usd: {
        sources: ['coingecko', 'dexscreener'],
        outvoted: [{ source: 'rugcheck', value: 1250, reason: 'a thousand times too high' }],
        confidence: 0.97,
        interval: [1.24, 1.26],
        method: 'consensus',
      },
    },
  };
}

const concentration: Concentration = {
  holder_count: 3,
  top_1_pct: 50,
  top_5_pct: 100,
  top_10_pct: 100,
  top_20_pct: 100,
  top_50_pct: 100,
  top_100_pct: 100,
  gini: 0.2,
  gini_min: null,
  hhi: 3_800,
  effective_holders: 2.63,
  entropy: 1.03,
  entropy_holders: 2.8,
  entropy_normalised: 0.94,
  nakamoto_50: 2,
  nakamoto_33: 1,
  notes: ['n_lt_k'],
};

export function holdersSnapshot(asset: Asset, asOf: string): HoldersSnapshot {
  return {
    ...head(asset, asOf),
    kind: 'holders',
    method: 'full_scan',
    status: 'complete',
    holder_count: 3,
    decimals: 6,
    supply: { total_raw: '10000000', burned_raw: '0', locked_raw: '0', adjusted_raw: '10000000', coverage: 1 },
    raw: concentration,
    adjusted: concentration,
    tiers_usd: null,
    tiers_supply: [{ tier: '>1%', holders: 3, share_pct: 100 }],
    top_holders: [
      {
        rank: 1,
        address: MINT,
        amount_raw: '5000000',
        amount: 5,
        share_pct: 50,
        labels: [{ kind: 'exchange', name: 'Binance 14', source: 'labels', confidence: 0.9 }],
        set_aside: null,
      },
    ],
    unlabelled_top20_share_pct: 50,
    set_aside: [],
    change: null,
    scan: { accounts: 3, height: 1, bytes: 900, milliseconds: 2 },
    histogram: { base: 2, buckets: [[22, 3, 10_000_000]] },
  };
}

export function pool(address: string, tvlUsd: number | null, verified: boolean): PoolRecord {
  return {
    dex: 'raydium',
    address,
    kind: 'constant_product',
    protocol: 'raydium_amm_v4',
    tokens: [{ address: MINT, symbol: 'JUP', decimals: 6, reserve_raw: '1000', reserve: 0.001 }],
    price_quote: 0.01,
    price_usd: 1.25,
    tvl_usd: tvlUsd,
    volume_24h_usd: 100,
    fees_24h_usd: null,
    fee_rate_pct: 0.25,
    created_at: null,
    lp: { burned_pct: 100, locked_pct: 0, locker: null, unlocks_at: null, source: 'chain' },
    verified,
    depth: [{ move_pct: 1, down_usd: 10, up_usd: 11 }],
    slippage: [{ size_usd: 1_000, buy_pct: 0.3, sell_pct: 0.3 }],
    depth_method: 'exact',
    sources: ['dexscreener'],
    conflicts: [],
    notes: [],
  };
}

export function poolsSnapshot(asset: Asset, asOf: string, pools: readonly PoolRecord[]): PoolsSnapshot {
  return {
    ...head(asset, asOf),
    kind: 'pools',
    pools,
    totals: { pools: pools.length, verified_pools: 1, tvl_usd: 1, volume_24h_usd: 1, fees_24h_usd: null },
    depth: [{ move_pct: 1, down_usd: 10, up_usd: 11 }],
    slippage: [],
    depth_method: 'mixed',
    height: 300,
  };
}

/** One published day of Solana, 2026-11-19, in JSON (also gzip) and CSV. */
export function memoryExports(bodies: Readonly<Record<string, Buffer>>): ExportService {
  const file = (format: ExportFormat, encoding: 'identity' | 'gzip'): PublishedFile | null => {
    const name = `solana-2026-11-19.${format}${encoding === 'gzip' ? '.gz' : ''}`;
    const bytes = bodies[name];
    if (!bytes) return null;
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    return { format, encoding, name, bytes: bytes.length, sha256, etag: `"${sha256.slice(0, 32)}"`, path: name };
  };
  return {
    async open(subject, date, format, encodings) {
      if (subject !== 'solana') return { ok: false, reason: 'not_published_yet', detail: 'nothing is published yet' };
      if (date !== null && date !== '2026-11-19') return { ok: false, reason: 'no_such_day', detail: `no ${date}` };
      const found = encodings
        .map((encoding) => (encoding === 'zstd' ? null : file(format, encoding)))
        .find((row) => row);
      if (!found) return { ok: false, reason: 'no_such_day', detail: `not published as ${format}` };
      const day = {
        subject,
        date: '2026-11-19',
        revision: 1,
        rows: 2,
        publishedAt: '2026-11-20T00:05:00.000Z',
        files: [found],
      };
      return { ok: true, value: { day, file: found } };
    },
    async *read(wanted, from, to) {
      yield bodies[wanted.name]?.subarray(from, to) ?? Buffer.alloc(0);
    },
    async manifest() {
      return [];
    },
  };
}

export function memoryIndex(reader: MemoryReader, now: () => number): AssetIndex {
  const entryOf = (asset: Asset): IndexedAsset => ({
    asset,
    kinds: ['market', 'holders', 'pools'],
    cadence: 'newest',
    addedBy: 'api',
    addedAt: new Date(now()).toISOString(),
    wantedUntil: null,
    paused: false,
  });
  return {
    list: async (chain) => reader.assets.filter((asset) => asset.chain === chain).map(entryOf),
    async add(chain, address) {
      const known = reader.assets.find((asset) => asset.chain === chain && asset.address === address);
      if (known) return { ok: true, value: { entry: entryOf(known), created: false } };
      if (chain !== 'solana') return { ok: false, reason: 'not_a_token', detail: 'no token lives there' };
      const asset = solanaAsset(address, 'NEW');
      reader.assets.push(asset);
      return { ok: true, value: { entry: entryOf(asset), created: true } };
    },
    async remove(assetId) {
      const at = reader.assets.findIndex((asset) => asset.id === assetId);
      if (at >= 0) reader.assets.splice(at, 1);
      return at >= 0;
    },
  };
}

export interface ChainWorld {
  readonly url: string;
  readonly reader: MemoryReader;
  readonly clock: { now: number };
  key(plan: string, scopes?: readonly Scope[]): Promise<string>;
  get(
    path: string,
    options?: { key?: string; headers?: Record<string, string>; method?: string; body?: unknown },
  ): Promise<Response>;
  readonly close: () => Promise<void>;
}

/** The HTTP face on real sockets, with real keys, over chain data in memory and a clock that is set by hand. */
export async function chainWorld(
  start: string,
  changes: Partial<ApiContext> = {},
  services: Partial<ChainServices> = {},
): Promise<ChainWorld> {
  const clock = { now: Date.parse(start) };
  const database = await testDatabase();
  const access = createAccess(database.store.db, Date.now, randomBytes);
  const reader = memoryReader(() => clock.now);
  const unused = new Proxy({}, { get: () => () => Promise.reject(new Error('not here')) });
  const server = await buildServer(
    {
      dataMode: 'sandbox',
      version: '0.0.0',
      scoringPath: '/v1/score',
      scoreDeadlineSeconds: 60,
      scoreDeadlineMaxSeconds: 300,
      bodyLimitBytes: 65_536,
      corsOrigins: [],
      trustProxy: false,
      scoring: unused as ApiContext['scoring'],
      access,
      judgeUrl: () => ({ ok: true }) as never,
      methodologyJson: '{}',
      methodologyHash: 'none',
      now: () => clock.now,
      ready: async () => ({ ok: true, checks: {} }),
      onRequest: () => undefined,
      plans: loadPlans(null),
      limiter: createSharedLimiter({ lease: null, now: () => 0, elapsed: () => 0 }),
      signingKeys: async () => [],
      chain: {
        reader,
        exports: memoryExports({}),
        index: memoryIndex(reader, () => clock.now),
        indexerStatus: async () => ({ lag: [], closed: [] }),
        ...services,
      },
      ...changes,
    },
    false,
  );
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  const key = async (plan: string, scopes: readonly Scope[] = ['chain:read']) =>
    (await access.create({ name: plan, scopes, plan, expiresAt: null, accountId: null, allowedIps: [] })).secret;
  const usual = await key('INTERNAL');
  return {
    url,
    reader,
    clock,
    key,
    get: (path, { key: other, headers = {}, method = 'GET', body } = {}) =>
      fetch(`${url}${path}`, {
        method,
        headers: {
          'x-api-key': other ?? usual,
          'accept-encoding': 'identity',
          'content-type': 'application/json',
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    async close() {
      await server.close();
      await database.close();
    },
  };
}

import type { PoolsSnapshot } from '../contract/index.ts';
import type { SnapshotKind } from '../domain/index.ts';
import type { Head, NodeWatch, Sighting } from '../snapshots/index.ts';
import { announceReorganised, hastenSnapshots, listIndexedAssets, type Store } from '../store/index.ts';
import type { SnapshotReader } from './reader.ts';

/** A chain whose node tells what happens. */
export interface WatchedChain {
  readonly chain: string;
  readonly watch: (seen: (sighting: Sighting) => void) => NodeWatch;
}

export interface ChainWatchOptions {
  readonly store: Pick<Store, 'db' | 'pool'>;
  readonly reader: Pick<SnapshotReader, 'latest' | 'onStored'>;
  readonly chains: readonly WatchedChain[];
  readonly now: () => number;
  /** Told when something is due. */
  readonly wake: () => void;
  readonly onError: (error: unknown, what: string) => void;
}

/**
 * Seconds between two snapshots of an asset, at least, whatever happens at its pools: one that is traded in each block must not
 * take the places, and the budgets of sources, of all others. Markets ask public sources.
 */
const LEAST_SECONDS = { pools: 5, market: 30 } as const satisfies Partial<Record<SnapshotKind, number>>;
const KINDS = ['pools', 'market'] as const;
const TURN_MS = 500;
/** A change whose snapshot does not come (the asset is paused, its source is away) is left to the cadence. */
const PATIENCE_MS = 120_000;
const RELIST_MS = 300_000;
const PAGE = 500;
/** Pools of an asset that are followed, the largest by value; assets of a chain. */
const MOST_POOLS = 20;
const MOST_ASSETS = 1_000;
/** Blocks that are remembered: deeper reorganisations are found by the cadence. */
const MOST_BLOCKS = 256;

/**
 * Has snapshots of indexed assets made as soon as a node tells that something happened at their pools, and made anew when the
 * blocks it happened in are gone. Each process that makes snapshots watches by itself; that two see the same changes nothing.
 */
export function openChainWatch(options: ChainWatchOptions): { readonly close: () => Promise<void> } {
  const { store, reader, chains, now, wake, onError } = options;
  const followed = chains.map(({ chain, watch }) => follow(chain, watch));
  /** By asset and kind, since when a snapshot is missing. */
  const changed = new Map<string, { readonly assetId: string; readonly kind: (typeof KINDS)[number]; at: number }>();
  const stop = reader.onStored((assetId, kind, asOf) => {
    const name = `${kind} ${assetId}`;
    if (Date.parse(asOf) >= (changed.get(name)?.at ?? Number.POSITIVE_INFINITY)) changed.delete(name);
    if (kind === 'pools') for (const one of followed) void one.learn(assetId);
  });
  let working: Promise<void> = list();
  let turning = false;
  const timers = [setInterval(turn, TURN_MS).unref(), setInterval(() => void list(), RELIST_MS).unref()];

  async function list(): Promise<void> {
    try {
      for (let after = ''; ; ) {
        const page = await listIndexedAssets(store.db, { after, limit: PAGE });
        for (const { asset } of page)
          for (const one of followed) if (asset.chain === one.chain) await one.learn(asset.id);
        const last = page.at(-1);
        if (last === undefined || page.length < PAGE) return;
        after = last.asset.id;
      }
    } catch (error) {
      onError(error, 'listing what nodes are watched for');
    }
  }

  function note(assetIds: Iterable<string>): void {
    for (const assetId of assetIds)
      for (const kind of KINDS) changed.set(`${kind} ${assetId}`, { assetId, kind, at: now() });
    turn();
  }

  function turn(): void {
    if (turning || changed.size === 0) return;
    turning = true;
    working = hasten()
      .catch((error: unknown) => onError(error, 'snapshots that a node asks for'))
      .finally(() => {
        turning = false;
      });
  }

  /** Again until the snapshot is there: one that was being made when the change came may not hold it. */
  async function hasten(): Promise<void> {
    for (const [name, { at }] of changed) if (now() - at > PATIENCE_MS) changed.delete(name);
    let due = 0;
    for (const kind of KINDS) {
      const assetIds = [...changed.values()].filter((one) => one.kind === kind).map(({ assetId }) => assetId);
      due += await hastenSnapshots(store.db, { kind, assetIds }, new Date(now()).toISOString(), LEAST_SECONDS[kind]);
    }
    if (due > 0) wake();
  }

  function follow(chain: string, watch: WatchedChain['watch']) {
    const poolsOf = new Map<string, readonly string[]>();
    const assetsOf = new Map<string, Set<string>>();
    const trail = createTrail();
    const own = (pools: Iterable<string>) => new Set([...pools].flatMap((pool) => [...(assetsOf.get(pool) ?? [])]));
    const node = watch((sighting) => {
      const gone = 'pool' in sighting ? trail.happened(sighting) : trail.head(sighting);
      if ('pool' in sighting) note(own([sighting.pool]));
      if (gone === null) return;
      const assetIds = [...own(gone.pools)];
      note(assetIds);
      const noticedAt = new Date(now()).toISOString();
      const notices = assetIds.map((assetId) => ({ assetId, block: gone.block, noticedAt }));
      working = announceReorganised(store.pool, notices).catch((error: unknown) => onError(error, 'reorganisation'));
    });

    return {
      chain,
      close: () => node.close(),
      /** Reads which pools an asset has; nothing of an asset of another chain. */
      async learn(assetId: string): Promise<void> {
        if (!poolsOf.has(assetId) && poolsOf.size >= MOST_ASSETS) return;
        const stored = await reader.latest(assetId, 'pools').catch(() => null);
        if (stored === null) return;
        const snapshot = JSON.parse(Buffer.from(stored.body).toString('utf8')) as PoolsSnapshot;
        if (snapshot.asset.chain !== chain) return;
        const pools = [...snapshot.pools]
          .sort((a, b) => (b.tvl_usd ?? -1) - (a.tvl_usd ?? -1))
          .slice(0, MOST_POOLS)
          .map(({ address }) => (chain === 'solana' ? address : address.toLowerCase()))
          .filter((address) => chain === 'solana' || /^0x[0-9a-f]{40}$/.test(address));
        if (pools.join() === poolsOf.get(assetId)?.join()) return;
        for (const pool of poolsOf.get(assetId) ?? []) assetsOf.get(pool)?.delete(assetId);
        poolsOf.set(assetId, pools);
        for (const pool of pools) assetsOf.set(pool, (assetsOf.get(pool) ?? new Set()).add(assetId));
        node.follow([...assetsOf].filter(([, assets]) => assets.size > 0).map(([pool]) => pool));
      },
    };
  }

  return {
    async close() {
      stop();
      for (const timer of timers) clearInterval(timer);
      for (const one of followed) one.close();
      await working;
    },
  };
}

interface Gone {
  /** First block that is gone. */
  readonly block: number;
  readonly pools: ReadonlySet<string>;
}

/** The newest blocks of a chain and the pools that something happened at in each: enough to see that some of them are gone. */
export function createTrail() {
  const hashes = new Map<number, string>();
  const happened = new Map<number, Set<string>>();
  let newest = -1;

  function dropFrom(block: number): Gone | null {
    const pools = new Set<string>();
    for (const [number, own] of happened)
      if (number >= block) {
        for (const pool of own) pools.add(pool);
        happened.delete(number);
      }
    for (const number of hashes.keys()) if (number >= block) hashes.delete(number);
    return pools.size === 0 ? null : { block, pools };
  }

  return {
    /** A further head; gives what happened in blocks that it takes the place of. */
    head({ number, hash, parentHash }: Head): Gone | null {
      if (hashes.get(number) === hash) return null;
      const before = hashes.get(number - 1);
      let gone: Gone | null = null;
      if (before !== undefined && before !== parentHash) gone = dropFrom(number - 1);
      else if (hashes.has(number) || number < newest) gone = dropFrom(number);
      newest = number;
      hashes.set(number, hash);
      for (const old of [...hashes.keys(), ...happened.keys()])
        if (old < number - MOST_BLOCKS) {
          hashes.delete(old);
          happened.delete(old);
        }
      return gone;
    },
    /** Something happened at a pool; gives it back as gone when its block is. */
    happened({ pool, block, removed }: Extract<Sighting, { pool: string }>): Gone | null {
      if (block === null) return null;
      if (removed) {
        happened.get(block)?.delete(pool);
        return { block, pools: new Set([pool]) };
      }
      happened.set(block, (happened.get(block) ?? new Set()).add(pool));
      return null;
    },
  };
}

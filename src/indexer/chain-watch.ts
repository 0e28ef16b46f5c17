import type { PoolsSnapshot } from '../contract/index.ts';
import type { SnapshotKind } from '../domain/index.ts';
import type { Head, NodeNotification, NodeWatch } from '../snapshots/index.ts';
import {
  advanceSnapshots,
  announceReorganised,
  type IndexedAsset,
  listIndexedAssets,
  type Store,
} from '../store/index.ts';
import type { SnapshotReader } from './reader.ts';

/** A chain with a node that reports events. */
export interface WatchedChain {
  readonly chain: string;
  readonly watch: (seen: (sighting: NodeNotification) => void) => NodeWatch;
}

export interface ChainWatchOptions {
  readonly store: Pick<Store, 'db' | 'pool'>;
  readonly reader: Pick<SnapshotReader, 'latest' | 'onStored'>;
  readonly chains: readonly WatchedChain[];
  readonly now: () => number;
  /** Called when a snapshot is due. */
  readonly wake: () => void;
  readonly onError: (error: unknown, what: string) => void;
}

/**
 * Shortest interval between two snapshots of an asset, seconds. An asset that is traded in every block must not use up
 * the slots, and the budgets of sources, of all others; market snapshots send requests to public sources.
 */
const LEAST_SECONDS = { pools: 5, market: 30 } as const satisfies Partial<Record<SnapshotKind, number>>;
const KINDS = ['pools', 'market'] as const;
const TURN_MS = 500;
/**
 * Time after which a change whose snapshot fails (the asset is paused, or its source unavailable) is left to the
 * cadence.
 */
const PATIENCE_MS = 120_000;
const RELIST_MS = 300_000;
const PAGE = 500;
/** Limits: followed pools of an asset, the largest by value; assets of a chain. */
const MOST_POOLS = 20;
const MOST_ASSETS = 1_000;
/** Blocks kept in memory; deeper reorganisations are covered by the cadence. */
const MOST_BLOCKS = 256;

/**
 * Makes snapshots of indexed assets as soon as a node reports an event at their pools, and again when the blocks of the
 * event are replaced. Each process that makes snapshots watches independently; two that see the same event do no harm.
 */
export function openChainWatch(options: ChainWatchOptions): { readonly close: () => Promise<void> } {
  const { store, reader, chains, now, wake, onError } = options;
  const followed = chains.map(({ chain, watch }) => follow(chain, watch));
  /** By asset and kind, the time since which a snapshot is missing. */
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
      // Once more where an asset was left out and one that is no longer indexed gave up its place.
      while (await listOnce());
    } catch (error) {
      onError(error, 'listing what nodes are watched for');
    }
  }

  /** Learns the pools of all indexed assets. Returns true when places became free for assets that found none. */
  async function listOnce(): Promise<boolean> {
    const turns = followed.map((one) => one.beginList());
    for (let after = ''; ; ) {
      const page = await listIndexedAssets(store.db, { after, limit: PAGE });
      for (const entry of page) {
        const isWanted = entry.wantedUntil === null || Date.parse(entry.wantedUntil) > now();
        if (isWanted) for (const turn of turns) await turn.take(entry);
      }
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE) break;
      after = last.asset.id;
    }
    return turns.map((turn) => turn.end()).includes(true);
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

  /** Repeated until the snapshot exists: one that was in progress at the time of the change may not include it. */
  async function hasten(): Promise<void> {
    for (const [name, { at }] of changed) if (now() - at > PATIENCE_MS) changed.delete(name);
    let due = 0;
    for (const kind of KINDS) {
      const assetIds = [...changed.values()].filter((one) => one.kind === kind).map(({ assetId }) => assetId);
      due += await advanceSnapshots(store.db, { kind, assetIds }, new Date(now()).toISOString(), LEAST_SECONDS[kind]);
    }
    if (due > 0) wake();
  }

  function follow(chain: string, watch: WatchedChain['watch']) {
    const poolsOf = new Map<string, readonly string[]>();
    /** Followed assets whose snapshots are never made sooner: they give up their places to others. */
    const slow = new Set<string>();
    const assetsOf = new Map<string, Set<string>>();
    const trail = createBlockTrail();
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

    const follow = () => node.follow([...assetsOf].filter(([, assets]) => assets.size > 0).map(([pool]) => pool));

    function forget(assetId: string): void {
      for (const pool of poolsOf.get(assetId) ?? []) {
        const assets = assetsOf.get(pool);
        assets?.delete(assetId);
        if (assets?.size === 0) assetsOf.delete(pool);
      }
      poolsOf.delete(assetId);
      slow.delete(assetId);
    }

    /** Reads the pools of an asset; none for an asset of another chain. */
    async function learn(assetId: string, displaced: string | null = null): Promise<void> {
      if (!poolsOf.has(assetId) && poolsOf.size >= MOST_ASSETS && displaced === null) return;
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
      const isSlow = slow.has(assetId);
      forget(assetId);
      if (displaced !== null) forget(displaced);
      poolsOf.set(assetId, pools);
      if (isSlow) slow.add(assetId);
      for (const pool of pools) assetsOf.set(pool, (assetsOf.get(pool) ?? new Set()).add(assetId));
      follow();
    }

    return {
      chain,
      close: () => node.close(),
      learn: (assetId: string) => learn(assetId),
      /** Takes all indexed assets one by one; those followed before that it was not given are dropped by `end`. */
      beginList() {
        const unseen = new Set(poolsOf.keys());
        let isLeftOut = false;
        return {
          async take({ asset, cadence }: IndexedAsset): Promise<void> {
            if (asset.chain !== chain) return;
            const isSlow = cadence === 'hourly';
            const isFull = !poolsOf.has(asset.id) && poolsOf.size >= MOST_ASSETS;
            const [displaced = null] = isFull && !isSlow ? slow : [];
            if (isFull && displaced === null) isLeftOut = true;
            await learn(asset.id, displaced);
            if (!poolsOf.has(asset.id)) return;
            unseen.delete(asset.id);
            if (isSlow) slow.add(asset.id);
            else slow.delete(asset.id);
          },
          end(): boolean {
            for (const assetId of unseen) forget(assetId);
            if (unseen.size > 0) follow();
            return unseen.size > 0 && isLeftOut;
          },
        };
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

interface ReplacedBlocks {
  /** First replaced block. */
  readonly block: number;
  readonly pools: ReadonlySet<string>;
}

/** The newest blocks of a chain with the pools of their events: enough to detect that some of them were replaced. */
export function createBlockTrail() {
  const hashes = new Map<number, string>();
  const parents = new Map<number, string>();
  const happened = new Map<number, Set<string>>();

  function dropFrom(block: number): ReplacedBlocks | null {
    const pools = new Set<string>();
    for (const [number, own] of happened)
      if (number >= block) {
        for (const pool of own) pools.add(pool);
        happened.delete(number);
      }
    for (const number of hashes.keys())
      if (number >= block) {
        hashes.delete(number);
        parents.delete(number);
      }
    return pools.size === 0 ? null : { block, pools };
  }

  return {
    /**
     * Adds a head; returns the events in blocks that it replaces. A head below the newest that contradicts no block seen is that of a
     * node which is late, and replaces nothing.
     */
    head({ number, hash, parentHash }: Head): ReplacedBlocks | null {
      if (hashes.get(number) === hash) return null;
      const before = hashes.get(number - 1);
      let gone: ReplacedBlocks | null = null;
      if (before !== undefined && before !== parentHash) gone = dropFrom(number - 1);
      else if (hashes.has(number) || (parents.get(number + 1) ?? hash) !== hash) gone = dropFrom(number);
      hashes.set(number, hash);
      parents.set(number, parentHash);
      for (const old of [...hashes.keys(), ...happened.keys()])
        if (Math.abs(old - number) > MOST_BLOCKS) {
          hashes.delete(old);
          parents.delete(old);
          happened.delete(old);
        }
      return gone;
    },
    /** Adds an event at a pool; returns it as replaced when its block is. */
    happened({ pool, block, removed }: Extract<NodeNotification, { pool: string }>): ReplacedBlocks | null {
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

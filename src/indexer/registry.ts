import type { Transaction } from 'kysely';
import { LRUCache } from 'lru-cache';
import { assetId, findChain, isAddressOn, parseAssetId } from '../chains/index.ts';
import { type Asset, type Cadence, DAY_MS, type SnapshotKind } from '../domain/index.ts';
import {
  type AwaitedSnapshot,
  awaitSnapshot,
  type Database,
  type IndexedAsset,
  listIndexedAssets,
  type Planned,
  pauseIndexedAsset,
  planRuns,
  putIndexedAsset,
  ratedNotIndexed,
  removeIndexedAsset,
  type Tables,
} from '../store/index.ts';
import { type CadenceTable, type IndexerSettings, kindsOf, nextDue, phaseOf } from './settings.ts';

export interface IndexRequest {
  readonly cadence: Cadence;
  /** Left out: every kind that can be made of the asset. */
  readonly kinds?: readonly SnapshotKind[];
  readonly addedBy: string;
  /** RFC 3339; left out: until it is removed. */
  readonly wantedUntil?: string;
}

/** What is indexed. */
export interface Registry {
  /** Gives those that are indexed now; an asset that is on no chain is left out. */
  add(assets: readonly Asset[], options: IndexRequest): Promise<readonly IndexedAsset[]>;
  /** False when it was not indexed. */
  remove(assetId: string): Promise<boolean>;
  pause(assetId: string, paused: boolean): Promise<boolean>;
  /** In the order of their ids, after `after` (empty: from the first). */
  list(page: { readonly after: string; readonly limit: number }): Promise<readonly IndexedAsset[]>;
  /** Assets of the configuration are indexed from now on; gives those texts that name no asset. */
  configured(texts: readonly string[]): Promise<readonly string[]>;
  /**
   * Within the transaction that publishes a rating of this asset: it is indexed for a while, hourly. What was never read is
   * due at once; of the kinds that the rating itself `made`, holders and pools within a minute, the market with its cadence.
   * Nothing when it was noted lately.
   */
  rated(transaction: Transaction<Tables>, asset: Asset, made: ReadonlySet<SnapshotKind>): Promise<void>;
  /** Somebody asked for a snapshot that is not there: its first one is due at once. Null for an asset that is not indexed. */
  awaited(assetId: string, kind: SnapshotKind): Promise<AwaitedSnapshot | null>;
  /** The rating is published: for an hour it need not be said again. */
  noteRated(assetId: string): void;
  /** Has assets indexed that were rated and are not: their ratings were published by somebody who could not have them indexed. */
  mend(): Promise<void>;
}

export interface RegistryOptions {
  readonly db: Database;
  readonly settings: Pick<IndexerSettings, 'cadence' | 'ratedDays'>;
  readonly now: () => number;
  /** Told when something new is planned. */
  readonly changed: () => void;
}

/** First snapshots of many assets added together are this far apart, so that they do not all fall due at once. */
const APART_MS = 50;

/** Within this the indexer reads whole what a rating could only tell in part. */
const RATED_SPREAD_MS = 60_000;

const MOST_NOTED = 20_000;
/** A request is renewed no more often: it lasts for days. */
const NOTED_MS = 3_600_000;
/** Rated assets that are not indexed, read at once. */
const MOST_MENDED = 200;
/** Many turns of housekeeping. */
const MENDED_SECONDS = 900;

/** What is indexed, on the store: needs no worker in this process. */
export function createRegistry({ db, settings, now, changed }: RegistryOptions): Registry {
  const noted = new LRUCache<string, number>({ max: MOST_NOTED });
  let isMended = false;
  const registry: Registry = {
    async add(assets, options) {
      const at = now();
      const added: IndexedAsset[] = [];
      for (const asset of assets) {
        const possible = kindsOf(asset);
        const kinds = possible.filter((kind) => options.kinds === undefined || options.kinds.includes(kind));
        if (kinds.length === 0) continue;
        const indexed = await putIndexedAsset(db, {
          asset,
          kinds,
          cadence: options.cadence,
          addedBy: options.addedBy,
          addedAt: new Date(at).toISOString(),
          wantedUntil: options.wantedUntil ?? null,
        });
        await planRuns(db, plansOf(indexed, settings.cadence, at, assets.length));
        added.push(indexed);
      }
      if (added.length > 0) changed();
      return added;
    },
    remove: (assetId) => removeIndexedAsset(db, assetId, new Date(now()).toISOString()),
    pause: (assetId, paused) => pauseIndexedAsset(db, assetId, paused),
    list: (page) => listIndexedAssets(db, page),
    async configured(texts) {
      const named = texts.map((text) => ({ text, asset: assetFromText(text) }));
      const assets = named.flatMap(({ asset }) => (asset === null ? [] : [asset]));
      await registry.add(assets, { cadence: 'newest', addedBy: 'configuration' });
      return named.filter(({ asset }) => asset === null).map(({ text }) => text);
    },
    async rated(transaction, asset, made) {
      const at = now();
      const kinds = kindsOf(asset);
      const last = noted.get(asset.id);
      if (kinds.length === 0 || (last !== undefined && Math.abs(at - last) < NOTED_MS)) return;
      const addedAt = new Date(at).toISOString();
      const indexed = await putIndexedAsset(transaction, { asset, kinds, addedAt, ...requestOfRated(at) });
      const plans = plansOf(indexed, settings.cadence, at, 1);
      await planRuns(
        transaction,
        plans.map((plan) => (made.has(plan.kind) ? afterRating(plan, at) : plan)),
      );
    },
    async awaited(assetId, kind) {
      const found = await awaitSnapshot(db, { assetId, kind }, new Date(now()).toISOString());
      changed();
      return found;
    },
    noteRated(assetId) {
      noted.set(assetId, now());
      changed();
    },
    async mend() {
      const at = now();
      const since = new Date(at - settings.ratedDays * DAY_MS).toISOString();
      // All of them once, since nobody knows how long there was no process; after that those of the last minutes.
      const changedSeconds = isMended ? MENDED_SECONDS : null;
      for (let after = ''; ; ) {
        const found = await ratedNotIndexed(db, { since, changedSeconds, after, limit: MOST_MENDED });
        if (found.length > 0) await registry.add(found, requestOfRated(at));
        const last = found.at(-1);
        if (last === undefined || found.length < MOST_MENDED) break;
        after = last.id;
      }
      isMended = true;
    },
  };

  function requestOfRated(at: number) {
    const wantedUntil = new Date(at + settings.ratedDays * DAY_MS).toISOString();
    return { cadence: 'hourly', addedBy: 'rated', wantedUntil } as const;
  }
  return registry;
}

/**
 * When a kind is read that the rating has made itself. The market is the same that a read of its own would give: with the
 * cadence. Holders and pools are read whole within a minute; that minute keeps a burst of ratings from being slowed by the
 * scans of the assets just rated.
 */
function afterRating(plan: Planned, at: number): Planned {
  const key = `${plan.assetId} ${plan.kind}`;
  const dueAt =
    plan.kind === 'market' ? nextDue(at, key, plan.cadenceSeconds) : at + Math.floor(phaseOf(key) * RATED_SPREAD_MS);
  return { ...plan, dueAt: new Date(dueAt).toISOString() };
}

function plansOf(indexed: IndexedAsset, cadences: CadenceTable, at: number, together: number): readonly Planned[] {
  const { id, chain } = indexed.asset;
  return indexed.kinds.map((kind) => {
    const cadenceSeconds = cadences[indexed.cadence][kind];
    const spread = together === 1 ? 0 : Math.min(cadenceSeconds * 1000, together * APART_MS);
    return {
      assetId: id,
      kind,
      chain: chain ?? 'none',
      cadenceSeconds,
      dueAt: new Date(at + Math.floor(phaseOf(`${id} ${kind}`) * spread)).toISOString(),
      plannedAt: new Date(at).toISOString(),
    };
  });
}

/** The asset that a CAIP-19 id or `chain:address` names (address `native`: the chain's own coin); null when it names none. */
export function assetFromText(text: string): Asset | null {
  const known = parseAssetId(text) ?? fromPair(text);
  if (known === null) return null;
  const { chain } = known;
  const address = chain.kind === 'evm' ? known.address.toLowerCase() : known.address;
  const native = address === 'native';
  return {
    id: assetId(chain, address),
    chain: chain.name,
    address,
    symbol: native ? chain.native.symbol : null,
    name: native ? chain.title : address,
    category: null,
    website: null,
  };
}

function fromPair(text: string): ReturnType<typeof parseAssetId> {
  const cut = text.lastIndexOf(':');
  const chain = cut < 1 ? null : findChain(text.slice(0, cut));
  const address = text.slice(cut + 1);
  return chain && (address === 'native' || isAddressOn(chain, address)) ? { chain, address } : null;
}

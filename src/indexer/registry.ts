import type { Transaction } from 'kysely';
import { LRUCache } from 'lru-cache';
import { assetId, findChain, isAddressOn, parseAssetId } from '../chains/index.ts';
import {
  type Asset,
  type AwaitedSnapshot,
  CADENCES,
  type Cadence,
  DAY_MS,
  type SnapshotKind,
} from '../domain/index.ts';
import {
  type AccountIndexed,
  awaitSnapshot,
  countDemands,
  type Database,
  demandsOf,
  dropDemand,
  type IndexedAsset,
  indexEntry,
  listIndexedAssets,
  listIndexOfChain,
  OPERATOR,
  type Planned,
  pauseIndexedAsset,
  planRuns,
  putAccountDemand,
  putIndexedAsset,
  putOperatorDemand,
  ratedNotIndexed,
  removeIndexedAsset,
  setCadence,
  setIndexedAsset,
  type Tables,
} from '../store/index.ts';
import { type CadenceTable, type IndexerSettings, kindsOf, nextDue, phaseOf } from './settings.ts';

export interface IndexRequest {
  readonly cadence: Cadence;
  /** Absent: every kind that the asset supports. */
  readonly kinds?: readonly SnapshotKind[];
  readonly addedBy: string;
  /** RFC 3339; absent: until it is removed. */
  readonly wantedUntil?: string;
}

/** An account's request for indexing. */
export interface AccountDemand {
  readonly accountId: string;
  readonly kinds: readonly SnapshotKind[];
  readonly cadence: Cadence;
  readonly most: number;
}

export interface WantedAsset {
  readonly entry: AccountIndexed;
  /** It was not indexed before. */
  readonly created: boolean;
  /** Number of assets that the account requested, including this one. */
  readonly used: number;
}

/** The indexed assets. */
export interface Registry {
  /** Returns those that are indexed now; an asset on no chain is left out. */
  add(assets: readonly Asset[], options: IndexRequest): Promise<readonly IndexedAsset[]>;
  /** For all that requested it. False when it was not indexed. */
  remove(assetId: string): Promise<boolean>;
  /**
   * Indexes an asset for an account, within its limit `most`; replaces the account's earlier request for it. Null when
   * the asset supports no requested kind. `full`: the account has requested `most` others already.
   */
  want(asset: Asset, wish: AccountDemand): Promise<WantedAsset | 'full' | null>;
  /** Withdraws an account's request; those of others, the operator or a rating remain. False when it had none. */
  unwant(assetId: string, accountId: string): Promise<boolean>;
  /** Number of assets that an account requested. */
  wanted(accountId: string): Promise<number>;
  /** Entries of a chain for an account, by id. */
  listOf(page: Parameters<typeof listIndexOfChain>[1]): Promise<readonly AccountIndexed[]>;
  entry(assetId: string, accountId: string): Promise<AccountIndexed | null>;
  pause(assetId: string, paused: boolean): Promise<boolean>;
  /** By id, after `after` (empty: from the first). */
  list(page: { readonly after: string; readonly limit: number }): Promise<readonly IndexedAsset[]>;
  /** Indexes assets of the configuration; returns those texts that name no asset. */
  configured(texts: readonly string[]): Promise<readonly string[]>;
  /**
   * Within the transaction that publishes a rating of this asset: indexes it for a while, hourly. Kinds never read are
   * due at once; of the kinds that the rating itself `made`, holders and pools are due within a minute, the market with
   * its cadence. Does nothing when this was recorded recently.
   */
  rated(transaction: Transaction<Tables>, asset: Asset, made: ReadonlySet<SnapshotKind>): Promise<void>;
  /** A missing snapshot was requested: its first one is due at once. Null for an asset that is not indexed. */
  awaited(assetId: string, kind: SnapshotKind): Promise<AwaitedSnapshot | null>;
  /** Called after the publication of a rating: its indexing request is stored and not renewed for an hour. */
  noteRated(assetId: string): void;
  /** Indexes rated assets that are not indexed: their ratings were published by a process that could not index them. */
  repair(): Promise<void>;
}

export interface RegistryOptions {
  readonly db: Database;
  readonly settings: Pick<IndexerSettings, 'cadence' | 'ratedDays'>;
  readonly now: () => number;
  /** Called when something new is planned. */
  readonly changed: () => void;
}

/** Interval between the first snapshots of assets added together, so that they are not all due at once. */
const APART_MS = 50;

/** Period over which the indexer spreads complete reads of what a rating read in part. */
const RATED_SPREAD_MS = 60_000;

/** Owner of the request to index a recently rated asset. */
const RATED = 'rated';
const MOST_NOTED = 20_000;
/** Shortest interval between renewals of a request, which lasts for days. */
const NOTED_MS = 3_600_000;
/** Rated assets without indexing that are read per query. */
const MOST_MENDED = 200;
/** Ratings as of this period are read by a repair: several turns of maintenance, and what a job takes to store its rating. */
const MENDED_MS = 3_600_000;

/** Management of indexed assets on the store; needs no worker in this process. */
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
        const { cadence, addedBy, wantedUntil } = options;
        if (wantedUntil === undefined)
          await putOperatorDemand(db, asset.id, { kinds, cadence, addedBy, at: new Date(at).toISOString() });
        added.push(indexed);
      }
      if (added.length > 0) changed();
      return added;
    },
    remove: (assetId) => removeIndexedAsset(db, assetId, new Date(now()).toISOString()),
    async want(asset, { accountId, kinds: wanted, cadence, most }) {
      const kinds = kindsOf(asset).filter((kind) => wanted.includes(kind));
      if (kinds.length === 0) return null;
      const at = now();
      const addedAt = new Date(at).toISOString();
      const before = await indexEntry(db, asset.id, accountId);
      const entry = await db.transaction().execute(async (transaction) => {
        const demand = { holder: accountId, kinds, cadence };
        if (!(await putAccountDemand(transaction, asset.id, demand, { at: addedAt, most }))) return null;
        const put = { asset, kinds, cadence, addedBy: 'account', addedAt, wantedUntil: null };
        const widened = await putIndexedAsset(transaction, put);
        await planRuns(transaction, plansOf(widened, settings.cadence, at, 1));
        return (await settle(transaction, asset, at)) ?? widened;
      });
      if (entry === null) return 'full';
      changed();
      return { entry: { ...entry, isYours: true }, created: before === null, used: await countDemands(db, accountId) };
    },
    async unwant(assetId, accountId) {
      const at = now();
      return db.transaction().execute(async (transaction) => {
        if (!(await dropDemand(transaction, { holder: accountId, assetId }))) return false;
        const entry = await indexEntry(transaction, assetId, accountId);
        if (entry !== null) await settle(transaction, entry.asset, at);
        return true;
      });
    },
    wanted: (accountId) => countDemands(db, accountId),
    listOf: (page) => listIndexOfChain(db, page),
    entry: (assetId, accountId) => indexEntry(db, assetId, accountId),
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
    async repair() {
      const at = now();
      const since = new Date(at - settings.ratedDays * DAY_MS).toISOString();
      // The first time it reads all of them, since the length of the last downtime is unknown; after that those of the
      // last hour.
      const ratedAfter = isMended ? new Date(at - MENDED_MS).toISOString() : null;
      for (let after = ''; ; ) {
        const found = await ratedNotIndexed(db, { since, ratedAfter, after, limit: MOST_MENDED });
        if (found.length > 0) await registry.add(found, requestOfRated(at));
        const last = found.at(-1);
        if (last === undefined || found.length < MOST_MENDED) break;
        after = last.id;
      }
      isMended = true;
    },
  };

  /** Sets an entry to the sum of its current requests; ends it if there is none. */
  async function settle(transaction: Transaction<Tables>, asset: Asset, at: number): Promise<IndexedAsset | null> {
    const ratedSince = new Date(at - settings.ratedDays * DAY_MS).toISOString();
    const { demands, ratedAt } = await demandsOf(transaction, asset.id, ratedSince);
    const rated = ratedAt === null ? [] : [{ holder: RATED, kinds: kindsOf(asset), cadence: 'hourly' as const }];
    const all = [...demands, ...rated];
    if (all.length === 0) {
      await removeIndexedAsset(transaction, asset.id, new Date(at).toISOString());
      return null;
    }
    const cadence = CADENCES.findLast((one) => all.some((demand) => demand.cadence === one)) ?? 'hourly';
    const kinds = kindsOf(asset).filter((kind) => all.some((demand) => demand.kinds.includes(kind)));
    const isOperators = demands.some((demand) => demand.holder === OPERATOR);
    const wantedUntil =
      demands.length > 0 || ratedAt === null
        ? null
        : new Date(Date.parse(ratedAt) + settings.ratedDays * DAY_MS).toISOString();
    const addedBy = isOperators ? null : demands.length > 0 ? 'account' : RATED;
    const entry = await setIndexedAsset(transaction, asset.id, { kinds, cadence, wantedUntil, addedBy });
    await setCadence(
      transaction,
      asset.id,
      kinds.map((kind) => ({ kind, cadenceSeconds: settings.cadence[cadence][kind] })),
    );
    return entry;
  }

  function requestOfRated(at: number) {
    const wantedUntil = new Date(at + settings.ratedDays * DAY_MS).toISOString();
    return { cadence: 'hourly', addedBy: RATED, wantedUntil } as const;
  }
  return registry;
}

/**
 * Due time of a kind that the rating itself made. The rating's market snapshot equals one by the indexer, so it follows
 * the cadence. Holders and pools are read completely at a time spread over a minute, so that scans of newly rated
 * assets do not slow a burst of ratings.
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

/**
 * The asset of a CAIP-19 id or `chain:address` (address `native`: the chain's native coin); null when the text names
 * none.
 */
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

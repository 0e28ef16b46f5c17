import type { Asset } from '../domain/asset.ts';
import type { SnapshotKind } from '../domain/snapshot.ts';
import { DAY_MS } from '../domain/time.ts';
import type { Database } from '../store/database.ts';
import {
  type Cadence,
  type IndexedAsset,
  listIndexedAssets,
  pauseIndexedAsset,
  putIndexedAsset,
  removeIndexedAsset,
} from '../store/snapshots/indexed-assets.ts';
import { type Planned, planRuns } from '../store/snapshots/schedule.ts';
import { assetFromText } from './asset-text.ts';
import { type CadenceTable, kindsOf, phaseOf } from './cadence.ts';
import type { IndexerSettings } from './settings.ts';

export interface IndexWish {
  readonly cadence: Cadence;
  /** Left out: every kind that can be made of the asset. */
  readonly kinds?: readonly SnapshotKind[];
  readonly addedBy: string;
  /** RFC 3339; left out: until it is removed. */
  readonly wantedUntil?: string;
  /** The first snapshots may come any time within a cadence; left out: they come at once. */
  readonly unhurried?: boolean;
}

/** What is indexed. */
export interface Registry {
  /** Gives those that are indexed now; an asset that is on no chain is left out. */
  add(assets: readonly Asset[], wish: IndexWish): Promise<readonly IndexedAsset[]>;
  /** False when it was not indexed. */
  remove(assetId: string): Promise<boolean>;
  pause(assetId: string, paused: boolean): Promise<boolean>;
  /** In the order of their ids, after `after` (empty: from the first). */
  list(page: { readonly after: string; readonly limit: number }): Promise<readonly IndexedAsset[]>;
  /** Assets of the configuration are indexed from now on; gives those texts that name no asset. */
  configured(texts: readonly string[]): Promise<readonly string[]>;
  /** Somebody rated or watches this asset: it is indexed for a while, hourly. Cheap when it was noted lately. */
  noteRated(asset: Asset): Promise<void>;
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

const MOST_NOTED = 20_000;
/** A wish is renewed no more often: it lasts for days. */
const NOTED_MS = 3_600_000;

/** What is indexed, on the store: needs no worker in this process. */
export function createRegistry({ db, settings, now, changed }: RegistryOptions): Registry {
  const noted = new Map<string, number>();
  const registry: Registry = {
    async add(assets, wish) {
      const at = now();
      const added: IndexedAsset[] = [];
      for (const asset of assets) {
        const possible = kindsOf(asset);
        const kinds = possible.filter((kind) => wish.kinds === undefined || wish.kinds.includes(kind));
        if (kinds.length === 0) continue;
        const indexed = await putIndexedAsset(db, {
          asset,
          kinds,
          cadence: wish.cadence,
          addedBy: wish.addedBy,
          addedAt: new Date(at).toISOString(),
          wantedUntil: wish.wantedUntil ?? null,
        });
        await planRuns(
          db,
          plansOf(indexed, settings.cadence, at, wish.unhurried ? Number.POSITIVE_INFINITY : assets.length),
        );
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
    async noteRated(asset) {
      const at = now();
      const last = noted.get(asset.id);
      if (last !== undefined && Math.abs(at - last) < NOTED_MS) return;
      if (noted.size >= MOST_NOTED) noted.clear();
      noted.set(asset.id, at);
      const wantedUntil = new Date(at + settings.ratedDays * DAY_MS).toISOString();
      await registry.add([asset], {
        cadence: 'hourly',
        addedBy: 'rated',
        wantedUntil,
        unhurried: true,
      });
    },
  };
  return registry;
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

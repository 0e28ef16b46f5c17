import type { Asset, CanonicalRecord } from '../domain/index.ts';
import { nameOfId, namesBearing } from '../registers/index.ts';
import { type Database, statesOf } from '../store/index.ts';
import type { RatedAsset } from './types.ts';

/**
 * The rated asset that a symbol or name identifies; null when it identifies none of them. Anybody can give a token any
 * name and have it rated, so that being the only rated asset of a name proves nothing. Where the registers have the
 * word, only the assets of their rows bear it; otherwise those that a curated registry of coins lists. One such asset
 * is meant; none or several are not.
 */
export async function meantBy(db: Database, word: string, called: readonly RatedAsset[]): Promise<RatedAsset | null> {
  if (called.length === 0) return null;
  const registered = new Set(namesBearing(word));
  const known = await recordsOf(db, called);
  const bears = ({ asset }: RatedAsset) => {
    const record = known.get(asset.id);
    return registered.size > 0 ? namesOf(asset, record).some((name) => registered.has(name)) : isListed(asset, record);
  };
  const [meant, ...others] = called.filter(bears);
  return others.length === 0 ? (meant ?? null) : null;
}

async function recordsOf(
  db: Database,
  called: readonly RatedAsset[],
): Promise<ReadonlyMap<string, CanonicalRecord | undefined>> {
  const states = await statesOf(
    db,
    called.map(({ asset }) => asset.id),
  );
  return new Map([...states].map(([id, { record }]) => [id, record]));
}

/**
 * True for a chain's own coin, a token or coin that a curated registry lists, and a project without a token that the
 * registry of projects lists. Also for a state from before records were stored, which the next rating replaces.
 */
function isListed({ id, address }: Asset, record: CanonicalRecord | undefined): boolean {
  if (record === undefined || address === 'native') return true;
  const { coingeckoId, cmcId, coinpaprikaId, defillamaSlug } = record.keys;
  const ofProject = id.startsWith('project:') ? [defillamaSlug] : [];
  return [coingeckoId, cmcId, coinpaprikaId, ...ofProject].some((key) => key !== null);
}

/** The names under which registers may have the asset. */
function namesOf({ id }: Asset, record: CanonicalRecord | undefined): readonly string[] {
  const registryId = record?.keys.coingeckoId ?? null;
  return [nameOfId(id) ?? [], registryId === null ? [] : `registry:${registryId}`].flat();
}

import type { Asset, CanonicalRecord, Namesakes } from '../domain/index.ts';
import { nameOfId, namesBearing } from '../registers/index.ts';
import { type Database, statesOf } from '../store/index.ts';
import type { RatedAsset } from './types.ts';

/**
 * The rated asset that a symbol or name identifies; null when it identifies none of them. Anybody can give a token any
 * name and have it rated, so that being the only rated asset of a name proves nothing. Where the registers have the
 * word, only the assets of their rows bear it; otherwise those that a curated registry of coins lists. One such asset
 * is meant; none or several are not. Outside the registers it is meant only if the registries' lists have no other
 * asset of this name that is not far smaller, rated here or not; without the lists, if several registries have it.
 */
export async function meantBy(
  db: Database,
  word: string,
  called: readonly RatedAsset[],
  namesakes: Namesakes,
): Promise<RatedAsset | null> {
  if (called.length === 0) return null;
  const registered = new Set(namesBearing(word));
  const known = await recordsOf(db, called);
  const bears = ({ asset }: RatedAsset) => {
    const record = known.get(asset.id);
    return registered.size > 0 ? namesOf(asset, record).some((name) => registered.has(name)) : isListed(asset, record);
  };
  const [meant, ...others] = called.filter(bears);
  if (meant === undefined || others.length > 0) return null;
  if (registered.size > 0) return meant;
  const record = known.get(meant.asset.id);
  const standing = await namesakes(word, meant.asset, { registryId: record?.keys.coingeckoId ?? null });
  const isSole = standing === null ? isWellListed(meant.asset, record) : standing.rivals.length === 0;
  return isSole ? meant : null;
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

/** Number of registries that must have an asset where it is not known what else they list under its name. */
const REGISTRIES = 2;

/** As `isListed`, by more than one registry of coins: one registry has many tokens of one name. */
function isWellListed({ id, address }: Asset, record: CanonicalRecord | undefined): boolean {
  if (record === undefined || address === 'native' || id.startsWith('project:')) return true;
  const { coingeckoId, cmcId, coinpaprikaId } = record.keys;
  return [coingeckoId, cmcId, coinpaprikaId].filter((key) => key !== null).length >= REGISTRIES;
}

/** The names under which registers may have the asset. */
function namesOf({ id }: Asset, record: CanonicalRecord | undefined): readonly string[] {
  const registryId = record?.keys.coingeckoId ?? null;
  return [nameOfId(id) ?? [], registryId === null ? [] : `registry:${registryId}`].flat();
}

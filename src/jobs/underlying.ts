import type { EvidenceRecord, Observation, QuantityId, Underlying } from '../domain/index.ts';
import { assetNamed, nameOfId, rowsOf } from '../registers/index.ts';

/** The last score that an asset was published with, by its CAIP-19 id; null for an asset that was never published. */
type LastScoreOf = (assetId: string) => Promise<Pick<Underlying, 'score'> | null>;

/**
 * The asset that the token represents by registers or the chain, with its last published score, which stands while its
 * rating is withheld. Score null: it was never rated, and no register has it. Null where none is named, or one of a
 * register was not rated here yet.
 */
export async function underlyingOf(
  observations: readonly Observation[],
  lastScore: LastScoreOf,
): Promise<EvidenceRecord['underlying']> {
  const stated = (wanted: QuantityId) =>
    observations.find(({ quantity, scope }) => quantity === wanted && scope === 'asset')?.value;
  const named = stated('underlying_asset') ?? stated('vault_asset');
  return typeof named === 'string' ? standing(named, lastScore) : null;
}

/** The same for the parts of a token that represents several assets; those for which it is null are left out. */
export async function underlyingsOf(
  observations: readonly Observation[],
  lastScore: LastScoreOf,
): Promise<Pick<EvidenceRecord, 'underlyings'>> {
  const mix = observations.find(({ quantity, scope }) => quantity === 'underlying_assets' && scope === 'asset')?.value;
  if (typeof mix !== 'object' || mix === null || Array.isArray(mix)) return {};
  const parts = await Promise.all(
    Object.entries(mix).map(async ([name, share]) => {
      const found = typeof share === 'number' ? await standing(name, lastScore) : null;
      return found === null || typeof share !== 'number' ? [] : [{ name, share, score: found.score }];
    }),
  );
  return { underlyings: parts.flat() };
}

async function standing(name: string, lastScore: LastScoreOf): Promise<Omit<Underlying, 'share'> | null> {
  const assetId = assetNamed(name);
  const last = assetId === null ? null : await lastScore(assetId);
  if (last !== null) return { name, score: last.score };
  return assetId === null || isInRegister(assetId) ? null : { name, score: null };
}

/** True for an asset that is in a register, so that nothing is hidden by its not having been rated here yet. */
function isInRegister(assetId: string): boolean {
  const name = nameOfId(assetId);
  if (name === null) return false;
  const { shipped, own } = rowsOf([name]);
  return [shipped, own].some(({ natives, issuer, protocol }) => (natives ?? issuer ?? protocol) !== undefined);
}

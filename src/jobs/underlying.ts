import type { EvidenceRecord, Observation, PreviousRating, QuantityId } from '../domain/index.ts';
import { assetNamed } from '../registers/index.ts';

/** The current published rating of an asset by its CAIP-19 id; null without one. */
type CurrentRatingOf = (assetId: string) => Promise<PreviousRating | null>;

/**
 * The published score of the asset that the token represents by registers or the chain; null where none is named, or it
 * is not rated.
 */
export async function underlyingOf(
  observations: readonly Observation[],
  previous: CurrentRatingOf,
): Promise<EvidenceRecord['underlying']> {
  const stated = (wanted: QuantityId) =>
    observations.find(({ quantity, scope }) => quantity === wanted && scope === 'asset')?.value;
  const named = stated('underlying_asset') ?? stated('vault_asset');
  const assetId = typeof named === 'string' ? assetNamed(named) : null;
  const standing = assetId === null ? null : await previous(assetId);
  return standing?.score == null ? null : { name: String(named), score: standing.score };
}

/** The published scores of the parts of a token that represents several assets, as far as they are rated. */
export async function underlyingsOf(
  observations: readonly Observation[],
  previous: CurrentRatingOf,
): Promise<Pick<EvidenceRecord, 'underlyings'>> {
  const mix = observations.find(({ quantity, scope }) => quantity === 'underlying_assets' && scope === 'asset')?.value;
  if (typeof mix !== 'object' || mix === null || Array.isArray(mix)) return {};
  const parts = await Promise.all(
    Object.entries(mix).map(async ([name, share]) => {
      const assetId = assetNamed(name);
      const score = (assetId === null ? null : await previous(assetId))?.score ?? null;
      return score === null || typeof share !== 'number' ? [] : [{ name, share, score }];
    }),
  );
  return { underlyings: parts.flat() };
}

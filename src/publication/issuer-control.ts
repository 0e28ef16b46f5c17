import type { Band, Category, PublishedRating, Rating } from '../domain/index.ts';

/** The rating with an issuer's powers counted as anybody's. */
export interface TechnicalView {
  readonly score: number | null;
  readonly band: Band;
}

const KINDS: Partial<Record<Category, NonNullable<PublishedRating['issuerControl']>['kind']>> = {
  stablecoin: 'stablecoin',
  lst_wrapped: 'wrapped',
  rwa: 'tokenised_asset',
};

/** Assets whose issuer may mint, freeze or take back by design: marked so, with the technical view beside; null for others. */
export function issuerControlOf(rating: Rating, technical: TechnicalView | null): PublishedRating['issuerControl'] {
  const kind = KINDS[rating.category];
  if (kind === undefined || technical === null) return null;
  return { kind, technicalScore: technical.score, technicalBand: technical.band };
}

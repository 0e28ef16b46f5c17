import { parseAssetId } from '../../chains/index.ts';
import type { RatedText } from '../../monitoring/index.ts';
import { malformedAsset } from '../chain/chain-problems.ts';
import type { Problem } from '../replies/problems.ts';
import type { RatedOutcome } from './rated-lookup.ts';

/** Why a caller's text led to no rating. */
export function ratedProblem(outcome: RatedOutcome & { readonly ok: false }, scoringPath: string): Problem {
  if (outcome.code === 'malformed') return malformedAsset(outcome.detail);
  if (outcome.code === 'ambiguous')
    return {
      status: 409,
      code: 'ambiguous_asset',
      title: 'Several rated assets have this name',
      detail: `${outcome.candidates.length} rated assets carry it; ask by id. The best match comes first.`,
      retry: 'corrected',
      more: {
        candidates: outcome.candidates.map(({ asset, band, score, trust, asOf }) => ({
          id: asset.id,
          chain: asset.chain,
          address: asset.address,
          symbol: asset.symbol,
          name: asset.name,
          band,
          score,
          trust_score: trust,
          as_of: asOf,
        })),
      },
    };
  return notRated(outcome.read, scoringPath);
}

/** 404 with the request that would have the asset rated. */
export function notRated(read: RatedText, scoringPath: string): Problem {
  return {
    status: 404,
    code: 'asset_not_rated',
    title: 'The asset is not rated',
    detail: `No rating is kept under this name. POST ${scoringPath} with the project's name and site has it rated now; its rating is then read here.`,
    retry: 'no',
    more: { how_to_rate: howToRate(read, scoringPath) },
  };
}

/** The request that has an asset rated, with what its name says already. */
export function howToRate(read: RatedText, scoringPath: string) {
  return {
    method: 'POST',
    path: scoringPath,
    body: { type: 'posttge', project: '<name>', project_url: 'https://<its site>/', ...knownOf(read) },
  };
}

/** What of the scoring request the name says already. */
function knownOf(read: RatedText): Readonly<Record<string, string>> {
  if (read.kind === 'symbol') return { token_symbol: read.symbol };
  if (read.kind === 'address') return { token_address: read.address };
  const id = parseAssetId(read.assetId);
  if (!id) return {};
  return { blockchain: id.chain.name, ...(id.address === 'native' ? {} : { token_address: id.address }) };
}

/** `as_of` lies before the first rating. */
export function noRatingThen(asOf: string): Problem {
  return {
    status: 404,
    code: 'no_rating_then',
    title: 'Nothing was known then',
    detail: `There is no rating of the asset at or before ${asOf}.`,
    retry: 'no',
  };
}

/** The plan's grid has no rating of the asset yet. */
export function noRatingYet(retryAfterSeconds: number): Problem {
  return {
    status: 404,
    code: 'no_rating_yet',
    title: 'There is no rating to be served yet',
    detail: 'The asset is rated; this plan is served its first rating with the next full point of its grid.',
    retry: 'after',
    headers: { 'retry-after': String(retryAfterSeconds) },
  };
}

/** No rating of the asset was made with that version, or none is kept. */
export function methodologyNotKept(version: string, kept: readonly string[]): Problem {
  return {
    status: 404,
    code: 'methodology_not_kept',
    title: 'No rating by that methodology is kept',
    detail: `The asset has no rating by methodology ${version.slice(0, 40)}; there are ratings by ${kept.join(', ') || 'none'}.`,
    retry: 'corrected',
    more: { kept },
  };
}

import { findChain } from '../chains/index.ts';
import { type Asset, NO_WEBSITE, type ScoreRequest } from '../domain/index.ts';
import type { IdentityResult } from '../identity/index.ts';

type NotIdentified = Extract<IdentityResult, { ok: false }>;

/**
 * What a request may mean of the assets that have a published rating here, where no source that answered knows its words: one by
 * the same name or ticker, and on the same host where the request names a website. The one asset is asked for by its address and
 * website, so that it is identified by what sources say of it now, as any other; several are candidates. Null where there is none.
 */
export function meantOf(
  request: ScoreRequest,
  rated: readonly Asset[],
): { readonly asset: Asset; readonly request: ScoreRequest } | { readonly failure: NotIdentified } | null {
  if (request.tokenAddress !== null || request.type.toLowerCase() === 'pretge') return null;
  const chain = request.blockchain === null ? null : findChain(request.blockchain);
  const host = hostOf(request.projectUrl);
  const fits = rated.filter(
    (asset) =>
      asset.address !== null &&
      asset.address !== 'native' &&
      (chain === null || asset.chain === chain.name) &&
      (request.projectUrl === NO_WEBSITE || (asset.website !== null && hostOf(asset.website) === host)),
  );
  const [asset] = fits;
  if (asset === undefined) return null;
  if (fits.length > 1) {
    const candidates = fits.map((one) => ({
      asset: one,
      match: 0,
      why: 'rated here under this name; no source that answered lists it',
    }));
    return { failure: { ok: false, kind: 'ambiguous', candidates } };
  }
  const { chain: blockchain, address: tokenAddress, symbol: tokenSymbol, website } = asset;
  const projectUrl = website ?? request.projectUrl;
  return { asset, request: { ...request, blockchain, tokenAddress, tokenSymbol, projectUrl } };
}

function hostOf(url: string): string | null {
  return URL.parse(url)?.hostname.replace(/^www\./, '') ?? null;
}

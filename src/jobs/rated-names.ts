import { findChain } from '../chains/index.ts';
import { type Asset, NO_WEBSITE, type ScoreRequest } from '../domain/index.ts';
import type { IdentityResult } from '../identity/index.ts';
import { nameOfId, namesBearing } from '../registers/index.ts';

type NotIdentified = Extract<IdentityResult, { ok: false }>;

/**
 * Looks a request up among the published ratings, for the case that no source has its name. An asset matches when it
 * has the same name or ticker (a look-alike letter makes another) and, where the request has a website, the same host.
 * One match: the asset, with the request rewritten to its address and website, by which sources identify it. Several: a
 * failure that lists them as candidates. None: null.
 */
export function matchPublished(
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
      [request.project, request.tokenSymbol].some((word) => isCalled(asset, word)) &&
      (chain === null || asset.chain === chain.name) &&
      (request.projectUrl === NO_WEBSITE
        ? mayBear(asset, [request.project, request.tokenSymbol])
        : asset.website !== null && hostOf(asset.website) === host),
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

/** False for an asset called by a word that the registers have for others only: a copy is not what the word means. */
function mayBear({ id }: Asset, words: readonly (string | null)[]): boolean {
  const registered = words.flatMap((word) => (word === null ? [] : namesBearing(word)));
  const own = nameOfId(id);
  return registered.length === 0 || (own !== null && registered.includes(own));
}

/** Only the case of ASCII letters is ignored: the sign of the kelvin, for example, is no K. */
function isCalled({ symbol, name }: Asset, word: string | null): boolean {
  const fold = (text: string) => text.trim().replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  return word !== null && [symbol, name].some((own) => own !== null && fold(own) === fold(word));
}

function hostOf(url: string): string | null {
  return URL.parse(url)?.hostname.replace(/^www\./, '') ?? null;
}

import { getDomainWithoutSuffix } from 'tldts';
import { CHAINS, type Chain, findChain, isAddressOn, isMistyped, parseAssetId } from '../../chains/index.ts';
import { NO_WEBSITE, ok, type Result, type ScoreRequest } from '../../domain/index.ts';
import { isCoin, rowsOf } from '../../registers/index.ts';

/** The fields of a scoring request that a single text for the asset determines. */
export type AssetWords = Pick<
  ScoreRequest,
  'project' | 'projectUrl' | 'tokenSymbol' | 'blockchain' | 'tokenAddress'
> & {
  /** True when the text is a website. */
  readonly isWebsite: boolean;
};

/** A host name of at least two labels, with or without a path, as entered in a browser. */
const HOST = /^[a-z0-9\p{L}-]{1,63}(?:\.[a-z0-9\p{L}-]{1,63})*\.\p{L}{2,63}(?:[:/?#].*)?$/iu;
/** A ticker: capitals, or any case after a dollar sign. */
const TICKER = /^(?:\$[A-Za-z0-9.]{1,20}|[A-Z0-9.]{2,12})$/;

export const MISTYPED =
  'the capitals in the address are its checksum (EIP-55), and they do not fit: copy it again, or send it in lower case if it is right';

/**
 * Parses the text for an asset: a CAIP-19 id, `chain:address`, a mint or contract address, the URL or host of a
 * project's site, `project:<domain>`, a ticker or a name. The text only helps to find the asset, as in any other
 * request.
 *
 * @param chain `blockchain` of the request, if it has one.
 */
export function readAssetText(
  given: string,
  chain: string | null,
): Result<AssetWords, { readonly code: string; readonly detail: string }> {
  const text = given.trim();
  const words = { project: text, projectUrl: NO_WEBSITE, tokenSymbol: null, blockchain: chain, tokenAddress: null };
  if (/^https?:\/\//i.test(text)) return ok(site(text, words));
  if (isMistyped(text.slice(-42))) return refused('wrong_checksum', MISTYPED);
  if (text.startsWith('project:')) return ok(site(`https://${text.slice('project:'.length)}/`, words));
  if (isCoin(text)) {
    const { name, symbol } = rowsOf([`${text.split('/')[0]}/native`]).shipped.natives ?? {};
    const own = CHAINS.find((row) => row.caip2 === text.split('/')[0])?.name ?? null;
    return ok({
      ...words,
      project: String(name ?? text),
      tokenSymbol: typeof symbol === 'string' ? symbol : null,
      blockchain: own,
      isWebsite: false,
    });
  }
  const id = parseAssetId(text);
  if (id !== null) return ok({ ...words, ...placeOf(id.chain, id.address), isWebsite: false });
  const at = text.indexOf(':');
  const named = at > 0 ? findChain(text.slice(0, at)) : null;
  if (named !== null) {
    const address = text.slice(at + 1);
    if (address !== 'native' && !isAddressOn(named, address))
      return refused('malformed_address', `expected an address of ${named.title} after ${text.slice(0, at + 1)}`);
    return ok({ ...words, ...placeOf(named, address), isWebsite: false });
  }
  if (CHAINS.some((row) => isAddressOn(row, text))) return ok({ ...words, tokenAddress: text, isWebsite: false });
  if (/^0x[0-9a-f]{8,}$/i.test(text))
    return refused('malformed_address', `expected 0x and 40 hex digits, got ${text.length - 2} digits`);
  if (HOST.test(text)) return ok(site(siteUrl(text), words));
  const ticker = TICKER.test(text) ? text.replace('$', '') : null;
  return ok({ ...words, project: ticker ?? text, tokenSymbol: ticker, isWebsite: false });
}

/** The URL of a site as entered in a browser: a bare host, with or without a path, gets `https://`; other texts are unchanged. */
export function siteUrl(given: string): string {
  const text = given.trim();
  return HOST.test(text) ? `https://${text}` : given;
}

/** A token at an address, or a chain's own coin, which is called by its ticker. */
function placeOf({ name, native }: Chain, address: string): Partial<AssetWords> {
  return address === 'native'
    ? { project: native.symbol, tokenSymbol: native.symbol, blockchain: name }
    : { blockchain: name, tokenAddress: address };
}

/** A site. Its domain without the public suffix is used as the name of the project until the actual name is known. */
function site(url: string, words: Omit<AssetWords, 'isWebsite'>): AssetWords {
  return { ...words, project: getDomainWithoutSuffix(url) ?? words.project, projectUrl: url, isWebsite: true };
}

function refused(code: string, detail: string) {
  return { ok: false, code, detail } as const;
}

/**
 * The request that rates the asset with this id; null for a text that is not an id. The model follows from the asset
 * found.
 */
export function requestNaming(assetId: string): ScoreRequest | null {
  const read = assetId.includes(':') ? readAssetText(assetId, null) : null;
  if (!read?.ok) return null;
  const { isWebsite, ...words } = read.value;
  return { type: 'posttge', category: null, ...words };
}

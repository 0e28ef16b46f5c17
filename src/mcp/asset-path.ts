import { CHAINS } from '../chains/index.ts';
import { ok, type Result } from '../domain/index.ts';

/** Path of an asset in the chain routes: encoded segments. */
export interface ChainAsset {
  readonly chain: string;
  readonly asset: string;
}

/**
 * Chain and asset of a caller's text: a CAIP-19 id, `chain:address`, or an address or symbol together with the name of
 * a chain. `detail` states what was expected.
 */
export function chainAssetOf(
  asset: string,
  chain: string | undefined,
): Result<ChainAsset, { readonly detail: string }> {
  const text = asset.trim();
  const found = CHAINS.find(
    ({ name, caip2 }) => text.startsWith(`${caip2}/`) || (text.startsWith(`${name}:`) && !text.includes('/')),
  );
  const named = chain === undefined ? undefined : CHAINS.find(({ name }) => name === chain.trim().toLowerCase());
  if (chain !== undefined && named === undefined)
    return { ok: false, detail: `chain: expected one of ${CHAINS.map(({ name }) => name).join(', ')}` };
  if (found && named && found !== named)
    return { ok: false, detail: `asset: it is on ${found.name}, and chain is ${named.name}` };
  const where = named ?? found;
  if (where === undefined) return { ok: false, detail: 'chain: needed unless asset is a CAIP-19 id or chain:address' };
  const address = text.startsWith(`${where.name}:`) && !text.includes('/') ? text.slice(where.name.length + 1) : text;
  if (address === '' || address === '.' || address === '..') return { ok: false, detail: 'asset: expected an asset' };
  return ok({ chain: where.name, asset: encodeURIComponent(address.toWellFormed()) });
}

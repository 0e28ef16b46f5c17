import { assetId, findChain, isAddressOn, parseAssetId } from '../chains/index.ts';
import type { Asset } from '../domain/index.ts';

/** The asset that a CAIP-19 id or `chain:address` names (address `native`: the chain's own coin); null when it names none. */
export function assetFromText(text: string): Asset | null {
  const known = parseAssetId(text) ?? fromPair(text);
  if (known === null) return null;
  const { chain } = known;
  const address = chain.kind === 'evm' ? known.address.toLowerCase() : known.address;
  const native = address === 'native';
  return {
    id: assetId(chain, address),
    chain: chain.name,
    address,
    symbol: native ? chain.native.symbol : null,
    name: native ? chain.title : address,
    category: null,
    website: null,
  };
}

function fromPair(text: string): ReturnType<typeof parseAssetId> {
  const cut = text.lastIndexOf(':');
  const chain = cut < 1 ? null : findChain(text.slice(0, cut));
  const address = text.slice(cut + 1);
  return chain && (address === 'native' || isAddressOn(chain, address)) ? { chain, address } : null;
}

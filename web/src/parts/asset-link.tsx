import { shortAddress } from '../format.ts';
import { linkTo } from '../route.ts';

/** An asset by what it calls itself, with where it lives below; by its id where no name is known. */
export function AssetLink({
  id,
  symbol,
  name,
}: {
  readonly id: string;
  readonly symbol: string | null;
  readonly name: string | null;
}) {
  const title = symbol ?? name;
  return (
    <>
      <a href={linkTo('asset', id)} title={id}>
        {title ?? shortId(id)}
      </a>
      {title !== null && (
        <span className="under">{name !== null && name !== title ? `${name} · ${shortId(id)}` : shortId(id)}</span>
      )}
    </>
  );
}

const CHAINS: Readonly<Record<string, string>> = {
  'eip155:1': 'ethereum',
  'eip155:10': 'optimism',
  'eip155:56': 'bsc',
  'eip155:137': 'polygon',
  'eip155:8453': 'base',
  'eip155:42161': 'arbitrum',
  'eip155:43114': 'avalanche',
};

/** Chain and address of a CAIP-19 id, short enough for a cell. */
function shortId(assetId: string): string {
  const [chain = '', token = ''] = assetId.split('/');
  const [, address = ''] = token.split(':');
  const where = CHAINS[chain] ?? (chain.startsWith('solana:') ? 'solana' : chain);
  return address === '' ? assetId : `${where} ${shortAddress(address)}`;
}

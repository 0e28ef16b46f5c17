import { Link } from '@tanstack/react-router';
import { chainName, shortAddress } from '../format.ts';

/** An asset by its own name, with its chain below; by its id if no name is known. */
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
      <Link to="/asset/$name" params={{ name: id }} title={id}>
        {title ?? shortId(id)}
      </Link>
      {title !== null && (
        <span className="under">{name !== null && name !== title ? `${name} · ${shortId(id)}` : shortId(id)}</span>
      )}
    </>
  );
}

/** Our names of chains by their CAIP-2 ids; the build inserts them from src/chains. */
declare const CHAIN_NAMES: Readonly<Record<string, string>>;

/** Chain and address of a CAIP-19 id, short enough for a cell; a chain that is not ours by its namespace. */
function shortId(assetId: string): string {
  const [chain = '', token = ''] = assetId.split('/');
  const [kind, address = ''] = token.split(':');
  if (address === '') return assetId;
  const ours = CHAIN_NAMES[chain];
  const [namespace = '', reference = ''] = chain.split(':');
  const where = ours === undefined ? `${namespace} ${shortAddress(reference)}` : chainName(ours);
  return kind === 'slip44' ? `${where}, native coin` : `${where} ${shortAddress(address)}`;
}

/** Symbol and name on one line, for narrow rows. */
export function AssetName({
  asset,
}: {
  readonly asset: { readonly id: string; readonly symbol: string | null; readonly name: string | null };
}) {
  const { id, symbol, name } = asset;
  return (
    <Link to="/asset/$name" params={{ name: id }} title={id} className="asset-name">
      <b>{symbol ?? name ?? shortId(id)}</b>
      {symbol !== null && name !== null && name !== symbol && <span> {name}</span>}
    </Link>
  );
}

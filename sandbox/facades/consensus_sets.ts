import { REPLIES } from '../../src/sources/consensus/fixtures/replies.ts';
import type { Facade } from '../facade.ts';

/** Operators of chains: the same fictional sets at every time. The list of the XRP Ledger is unsigned. */
export const consensus_sets: Facade = ({ base, path, query, body }) => {
  const rpc = (body as { readonly method?: string } | null)?.method;
  const node = query.get('node.id');
  const wanted = node === null ? path : `${path}?node.id=${node}`;
  const found = REPLIES.find((row) => row.base === base && row.path === wanted && row.rpc === rpc);
  return found ? { json: found.json } : { status: 404, json: { message: 'Not found' } };
};

import { REPLIES } from '../../src/sources/consensus/fixtures/replies.ts';
import type { Facade } from '../facade.ts';

/** Operators of chains: the same invented sets at every moment. The list of the XRP Ledger is signed by nobody. */
export const consensus_sets: Facade = ({ base, path, query, body }) => {
  const rpc = (body as { readonly method?: string } | null)?.method;
  const node = query.get('node.id');
  const wanted = node === null ? path : `${path}?node.id=${node}`;
  const found = REPLIES.find((row) => row.base === base && row.path === wanted && row.rpc === rpc);
  return found ? { json: found.json } : { status: 404, json: { message: 'Not found' } };
};

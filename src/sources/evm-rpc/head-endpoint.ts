import Type from 'typebox';
import { classifyRpc, rpcCall, rpcReply } from '../json-rpc.ts';
import { type Endpoint, endpoint } from '../source.ts';
import { fromOperator } from './operators.ts';

/** A timestamp beyond the year 9999 is none. */
const LAST_SECOND = 253_402_300_799;

/** Params `{base}`: when the newest block was made. A chain that stands still shows by its age. */
export const headEndpoint: Endpoint = endpoint({
  name: 'head',
  doc: 'eth_getBlockByNumber of `latest`, without transactions: its timestamp. https://ethereum.org/en/developers/docs/apis/json-rpc/#eth_getblockbynumber',
  plan: ({ chain }) => (chain?.kind === 'evm' ? [{ base: chain.name }, { base: `${chain.name}_2` }] : []),
  request: (params) => rpcCall(String(params.base), 'eth_getBlockByNumber', ['latest', false]),
  reply: rpcReply(
    Type.Union([Type.Null(), Type.Object({ timestamp: Type.String({ pattern: '^0x[0-9a-fA-F]{1,16}$' }) })]),
  ),
  classify: (reply) => {
    const verdict = classifyRpc(reply);
    return verdict.outcome === 'ok' && reply.result === null ? { outcome: 'empty' as const } : verdict;
  },
  observe: (reply, params) => {
    const seconds = Number(reply.result?.timestamp);
    return Number.isFinite(seconds) && seconds > 0 && seconds <= LAST_SECOND
      ? fromOperator(params, [
          { quantity: 'chain_head_at', value: new Date(seconds * 1000).toISOString(), meaning: 'newest block' },
        ])
      : [];
  },
});

import { CLOCK_SYSVAR } from '../../chains/index.ts';
import { classifyRpc, rpcCall } from '../json-rpc.ts';
import { type Endpoint, endpoint } from '../source.ts';
import { ONE_ACCOUNT } from './accounts.ts';
import { clockOf } from './clock.ts';
import { fromOperator, type Operators } from './mint-endpoints.ts';

/** Params `{base}`: the time of the newest slot. A chain that stands still shows by its age. */
export function headEndpoint(operators: Operators): Endpoint {
  return endpoint({
    name: 'head',
    doc: 'getAccountInfo of the Clock sysvar: unix_timestamp of the newest slot (https://docs.rs/solana-clock); checked on a real runtime.',
    plan: ({ chain }) => (chain?.kind === 'solana' ? operators.bases.map((base) => ({ base })) : []),
    request: (params) =>
      rpcCall(String(params.base), 'getAccountInfo', [CLOCK_SYSVAR, { encoding: 'base64', commitment: 'confirmed' }]),
    reply: ONE_ACCOUNT,
    classify: (reply) => {
      const verdict = classifyRpc(reply);
      return verdict.outcome === 'ok' && clockOf(reply.result?.value) === null
        ? { outcome: 'empty' as const, detail: 'the node gives no clock' }
        : verdict;
    },
    observe: (reply, params) => {
      const clock = clockOf(reply.result?.value);
      if (clock === null) return [];
      const value = new Date(Number(clock.seconds) * 1_000).toISOString();
      return fromOperator(operators, params, [
        { quantity: 'chain_head_at', value, meaning: 'clock of the newest slot' },
      ]);
    },
  });
}

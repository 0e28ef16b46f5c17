import Type from 'typebox';
import { observed } from '../observations.ts';
import { num, TextOptional } from '../read.ts';
import type { Endpoint } from '../source.ts';
import { operatorsEndpoint, rpcBody, rpcReply } from './endpoints.ts';
import { CONSENSUS_CHAINS, operator } from './operators.ts';

/** Voting power of all validators; no validator has more than a tenth of it, whatever its stake. */
const ALL_POWER = 10_000;

/** A power or a stake of less than all would count as a set of its own. */
export const suiSet: readonly Endpoint[] = operatorsEndpoint({
  chain: 'sui',
  doc: 'suix_getLatestSuiSystemState: voting power of the active validators, in parts of 10,000, and all stake in MIST; JSON-RPC, which its provider calls deprecated (sui-json-rpc-types; checked against a recording that was cut to one validator)',
  maxBytes: 8 * 1024 * 1024,
  request: () => ({ base: 'sui', method: 'POST', body: rpcBody('suix_getLatestSuiSystemState', []) }),
  reply: rpcReply(
    Type.Object({
      epoch: Type.String(),
      totalStake: Type.String(),
      activeValidators: Type.Array(
        Type.Object({ suiAddress: Type.String(), votingPower: Type.String(), name: TextOptional }),
      ),
    }),
  ),
  read: ({ result }) => {
    const operators = result.activeValidators.map((row) => operator(row.suiAddress, row.votingPower, row.name));
    const power = operators.reduce((sum, { weight }) => sum + weight, 0);
    if (power !== ALL_POWER) return `the validators have ${power} of ${ALL_POWER} votes`;
    return { window: `epoch ${result.epoch}`, unit: 'votes', operators, excluded: 0, height: null, at: null };
  },
  also: ({ result }) => {
    const { threshold, decimals = 0 } = CONSENSUS_CHAINS.sui;
    const stake = num(result.totalStake);
    return observed('consensus_stake_tokens', stake === null ? null : (stake / 10 ** decimals) * threshold, {
      family: 'chain:sui',
      meaning: `a third of all stake, epoch ${result.epoch}`,
    });
  },
});

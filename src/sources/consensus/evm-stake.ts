import Type from 'typebox';
import { decodeFunctionResult, encodeFunctionData, parseAbi } from 'viem/utils';
import type { Hex } from '../../chains/index.ts';
import { LooseOptional, num } from '../read.ts';
import type { Endpoint } from '../source.ts';
import { operatorsEndpoint, rpcBody, rpcReply } from './endpoints.ts';
import { type Operator, operator } from './operators.ts';

const polygon = operatorsEndpoint({
  chain: 'polygon',
  doc: '/stake/validators-set of heimdall-v2: voting power by signer in whole POL (0xPolygon/heimdall-v2, x/stake). Blocks are made by few of them, finality is theirs',
  request: () => ({ base: 'polygon', path: '/stake/validators-set' }),
  reply: Type.Object({
    validator_set: Type.Object({
      validators: Type.Array(Type.Object({ signer: Type.String(), voting_power: LooseOptional }), { minItems: 2 }),
      total_voting_power: LooseOptional,
    }),
  }),
  read: ({ validator_set: { validators, total_voting_power: all } }) => {
    const operators = validators.map((row) => operator(row.signer.toLowerCase(), row.voting_power));
    const sum = operators.reduce((total, { weight }) => total + weight, 0);
    // 0 where the sum was not made yet.
    if ((num(all) ?? 0) > 0 && num(all) !== sum) return `the validators have ${sum} of ${String(all)}`;
    return { window: 'now', unit: 'stake', operators, excluded: 0, height: null, at: null };
  },
});

/** Read by nodes themselves (IIP-12): there is no code behind the address. */
const IOTEX_STAKING = '0x04c22afae6a03438b8fed74cb1cf441168df3f12';
const CANDIDATES = parseAbi([
  'struct Candidate { address ownerAddress; address operatorAddress; address rewardAddress; string name; uint256 totalWeightedVotes; uint64 selfStakeBucketIdx; uint256 selfStakingTokens; }',
  'function candidates(uint32 offset, uint32 limit) view returns (Candidate[])',
]);
const MOST_CANDIDATES = 300;
/** Who may produce: the first of those that have staked what a delegate must. */
const DELEGATES = 36;
const LEAST_OWN = 1_200_000n * 10n ** 18n;

/** The delegates of a reply that holds all candidates; else why not. */
function delegatesIn(data: string): readonly Operator[] | string {
  try {
    const rows = decodeFunctionResult({ abi: CANDIDATES, functionName: 'candidates', data: data as Hex });
    if (rows.length >= MOST_CANDIDATES) return 'the reply is a page of a longer list';
    const able = rows.filter(({ selfStakingTokens: own }) => own >= LEAST_OWN);
    if (able.length < DELEGATES) return `${able.length} candidates for ${DELEGATES} seats`;
    return able
      .map((row) => operator(row.ownerAddress.toLowerCase(), String(row.totalWeightedVotes), row.name))
      .toSorted((a, b) => b.weight - a.weight)
      .slice(0, DELEGATES);
  } catch {
    return 'the reply is no list of candidates';
  }
}

const iotex = operatorsEndpoint({
  chain: 'iotex',
  doc: `eth_call candidates(0, ${MOST_CANDIDATES}) of the staking protocol: weighted votes of the ${DELEGATES} delegates (iotex-core, staking/ethabi). Each delegate has one seat, so that ${DELEGATES / 3 + 1} of them stop finality whatever their votes`,
  request: () => ({
    base: 'iotex',
    method: 'POST',
    body: rpcBody('eth_call', [
      {
        to: IOTEX_STAKING,
        data: encodeFunctionData({ abi: CANDIDATES, functionName: 'candidates', args: [0, MOST_CANDIDATES] }),
      },
      'latest',
    ]),
  }),
  reply: rpcReply(Type.String({ pattern: '^0x[0-9a-fA-F]*$' })),
  read: ({ result }) => {
    const operators = delegatesIn(result);
    return typeof operators === 'string'
      ? operators
      : { window: 'now', unit: 'votes', operators, excluded: 0, height: null, at: null, reliability: 0.75 };
  },
});

export const evmStake: readonly Endpoint[] = [...polygon, ...iotex];
export const EVM_STAKE_BASES = {
  polygon: 'https://heimdall-api.polygon.technology',
  iotex: 'https://babel-api.mainnet.iotex.io',
};

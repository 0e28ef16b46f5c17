import Type from 'typebox';
import { decodeFunctionResult, encodeFunctionData, parseAbi } from 'viem/utils';
import { callData, type Hex, uintAt } from '../../chains/index.ts';
import { LooseOptional, num } from '../read.ts';
import { get, rpcCall } from '../requests.ts';
import type { Endpoint } from '../source.ts';
import { operatorsEndpoint, rpcReply } from './endpoints.ts';
import { type Operator, operator, weightOf } from './operators.ts';

/** StakeHub (bnb-chain/bsc-genesis-contract): `getValidatorElectionInfo(offset, limit)`. */
const STAKE_HUB = '0x0000000000000000000000000000000000002002';
const ELECTION_INFO: Hex = '0x63a036b5';
const MOST_ELECTED = 300n;
/** Validators that are elected each day, by stake. */
const SEATS = 45;

/** `(address[] consensus, uint256[] stake, bytes[] votes, uint256 total)`: the stakes of a complete reply, or the reason why there are none. */
function electionOf(data: Hex): readonly Operator[] | string {
  const word = (index: number) => {
    const value = uintAt(data, index);
    return value === null || value > 1_000_000n ? null : Number(value);
  };
  const [ids, stakes, total] = [word(0), word(1), word(3)];
  if (ids === null || stakes === null || total === null || ids % 32 !== 0 || stakes % 32 !== 0)
    return 'the reply is not a StakeHub reply';
  const count = word(stakes / 32);
  if (count !== total || word(ids / 32) !== total) return `${count ?? 0} of ${total} validators`;
  return Array.from({ length: count }, (_, index) =>
    operator(String(uintAt(data, ids / 32 + 1 + index)), String(uintAt(data, stakes / 32 + 1 + index) ?? '')),
  );
}

export const bnbSet: readonly Endpoint[] = operatorsEndpoint({
  chain: 'bnb',
  doc: `eth_call getValidatorElectionInfo of StakeHub: pooled BNB by validator; the ${SEATS} largest are elected`,
  request: () =>
    rpcCall('bnb', 'eth_call', [{ to: STAKE_HUB, data: callData(ELECTION_INFO, 0n, MOST_ELECTED) }, 'latest']),
  reply: rpcReply(Type.String({ pattern: '^0x[0-9a-fA-F]*$' })),
  read: ({ result }) => {
    const all = electionOf(result as Hex);
    if (typeof all === 'string') return all;
    return { window: 'election of the day', operators: all.toSorted((a, b) => b.weight - a.weight).slice(0, SEATS) };
  },
});

const polygon = operatorsEndpoint({
  chain: 'polygon',
  doc: '/stake/validators-set of heimdall-v2: voting power by signer in whole POL (0xPolygon/heimdall-v2, x/stake). Few of them produce blocks; finality depends on their votes',
  request: get('/stake/validators-set', undefined, { base: 'polygon' }),
  reply: Type.Object({
    validator_set: Type.Object({
      validators: Type.Array(Type.Object({ signer: Type.String(), voting_power: LooseOptional }), { minItems: 2 }),
      total_voting_power: LooseOptional,
    }),
  }),
  read: ({ validator_set: { validators, total_voting_power: all } }) => {
    const operators = validators.map((row) => operator(row.signer.toLowerCase(), row.voting_power));
    const sum = weightOf(operators);
    // 0 if the sum has not been computed yet.
    if ((num(all) ?? 0) > 0 && num(all) !== sum) return `the validators have ${sum} of ${String(all)}`;
    return { operators };
  },
});

/** Nodes handle calls to this address natively (IIP-12); it has no code. */
const IOTEX_STAKING = '0x04c22afae6a03438b8fed74cb1cf441168df3f12';
const CANDIDATES = parseAbi([
  'struct Candidate { address ownerAddress; address operatorAddress; address rewardAddress; string name; uint256 totalWeightedVotes; uint64 selfStakeBucketIdx; uint256 selfStakingTokens; }',
  'function candidates(uint32 offset, uint32 limit) view returns (Candidate[])',
]);
const MOST_CANDIDATES = 300;
/** Number of block producers: the first of the delegates with the required stake. */
const DELEGATES = 36;
const LEAST_OWN = 1_200_000n * 10n ** 18n;

/** The delegates of a reply with all candidates, or the reason why there are none. */
function delegatesIn(data: string): readonly Operator[] | string {
  try {
    const rows = decodeFunctionResult({ abi: CANDIDATES, functionName: 'candidates', data: data as Hex });
    if (rows.length >= MOST_CANDIDATES) return 'the reply is a page of a longer list';
    const able = rows.filter(({ selfStakingTokens: own }) => own >= LEAST_OWN);
    if (able.length < DELEGATES) return `${able.length} candidates for ${DELEGATES} seats`;
    return able
      .map((row) => operator(row.ownerAddress.toLowerCase(), String(row.totalWeightedVotes)))
      .toSorted((a, b) => b.weight - a.weight)
      .slice(0, DELEGATES);
  } catch {
    return 'the reply is not a list of candidates';
  }
}

const iotex = operatorsEndpoint({
  chain: 'iotex',
  doc: `eth_call candidates(0, ${MOST_CANDIDATES}) of the staking protocol: weighted votes of the ${DELEGATES} delegates (iotex-core, staking/ethabi). Each delegate has one seat, so that ${DELEGATES / 3 + 1} of them stop finality whatever their votes`,
  request: () => {
    const data = encodeFunctionData({ abi: CANDIDATES, functionName: 'candidates', args: [0, MOST_CANDIDATES] });
    return rpcCall('iotex', 'eth_call', [{ to: IOTEX_STAKING, data }, 'latest']);
  },
  reply: rpcReply(Type.String({ pattern: '^0x[0-9a-fA-F]*$' })),
  read: ({ result }) => {
    const operators = delegatesIn(result);
    return typeof operators === 'string' ? operators : { unit: 'votes', operators, reliability: 0.75 };
  },
});

export const evmStake: readonly Endpoint[] = [...polygon, ...iotex];
export const EVM_STAKE_BASES = {
  polygon: 'https://heimdall-api.polygon.technology',
  iotex: 'https://babel-api.mainnet.iotex.io',
};

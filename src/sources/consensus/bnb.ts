import Type from 'typebox';
import { callData, type Hex, uintAt } from '../../chains/index.ts';
import type { Endpoint } from '../source.ts';
import { operatorsEndpoint, rpcBody, rpcReply } from './endpoints.ts';
import { type Operator, operator } from './operators.ts';

/** StakeHub (bnb-chain/bsc-genesis-contract): `getValidatorElectionInfo(offset, limit)`. */
const STAKE_HUB = '0x0000000000000000000000000000000000002002';
const ELECTION_INFO: Hex = '0x63a036b5';
const MOST = 300n;
/** Validators that are elected each day, by stake. */
const SEATS = 45;

/** `(address[] consensus, uint256[] stake, bytes[] votes, uint256 total)`: the stakes of a reply that holds all; else why not. */
function electionOf(data: Hex): readonly Operator[] | string {
  const word = (index: number) => {
    const value = uintAt(data, index);
    return value === null || value > 1_000_000n ? null : Number(value);
  };
  const [ids, stakes, total] = [word(0), word(1), word(3)];
  if (ids === null || stakes === null || total === null || ids % 32 !== 0 || stakes % 32 !== 0)
    return 'the reply is not one of StakeHub';
  const count = word(stakes / 32);
  if (count !== total || word(ids / 32) !== total) return `${count ?? 0} of ${total} validators`;
  return Array.from({ length: count }, (_, index) =>
    operator(String(uintAt(data, ids / 32 + 1 + index)), String(uintAt(data, stakes / 32 + 1 + index) ?? '')),
  );
}

export const bnbSet: readonly Endpoint[] = operatorsEndpoint({
  chain: 'bnb',
  doc: `eth_call getValidatorElectionInfo of StakeHub: pooled BNB by validator; the ${SEATS} largest are elected`,
  request: () => ({
    base: 'bnb',
    method: 'POST',
    body: rpcBody('eth_call', [{ to: STAKE_HUB, data: callData(ELECTION_INFO, 0n, MOST) }, 'latest']),
  }),
  reply: rpcReply(Type.String({ pattern: '^0x[0-9a-fA-F]*$' })),
  read: ({ result }) => {
    const all = electionOf(result as Hex);
    if (typeof all === 'string') return all;
    return {
      window: 'election of the day',
      unit: 'stake',
      operators: all.toSorted((a, b) => b.weight - a.weight).slice(0, SEATS),
      excluded: 0,
      height: null,
      at: null,
    };
  },
});

import { addressOf, type EvmCall, uintOf } from '../../chains/index.ts';
import { assetName, rowsOf } from '../../registers/index.ts';
import { EVM_BACKING, isShown } from '../backing/rows.ts';
import { multicallEndpoint, Refusal, type Returned } from '../json-rpc.ts';
import { observed } from '../observations.ts';
import { fieldsOf, listIn, textsIn } from '../read.ts';
import { evmRedemption } from '../redemption/evm-issuers.ts';
import { ONE } from '../redemption/terms.ts';
import type { Facts, Params } from '../source.ts';
import { callOf, evmChainOf, tokenAtEach, tokenOf } from './operators.ts';
import { rateCall } from './redemption.ts';

/** Getters of the voting token in governor contracts. */
const VOTES = ['token()', 'comp()', 'uni()'];
/** Minimum delay in seconds before a vote takes effect: two days, the shortest that the classes of control count as a delay. */
const LEAST_DELAY = 172_800n;
/** Minimum share of a wrapper's holdings that it must owe to its own holders, in percent. */
const LEAST_OWED = 95n;
const MOST_GOVERNORS = 5;

/**
 * Params `{base, token, contract, governors}`, or without `governors`: contracts that hold much of a token but are nobody's wallet. Any contract
 * can return the values of a timelock, so only contracts that the register of protocols names for this token (timelocks and governors) or that the
 * list of backing names (wrappers) are read. The label is given only if the current state on chain confirms it.
 */
export const holderContractsEndpoint = multicallEndpoint({
  name: 'holder_contracts',
  doc: 'One aggregate3: of a timelock delay() and admin(), of each governor timelock() and the token that votes (Compound governance, its Timelock.sol and GovernorBravoInterfaces.sol); of a wrapper its supply, its rate and its balance.',
  plan: (facts) => {
    const named = [...timelocksOf(facts), ...wrappersOf(facts)];
    return tokenAtEach(facts).flatMap((params) => named.map((more) => ({ ...params, ...more })));
  },
  calls: callsOf,
  withoutValues: 'empty',
  read: (values, params) => labelOf(values, params) ?? new Refusal('empty', 'it does not behave as its label states'),
  observe: (label, { contract }) =>
    observed('holder_labels', [{ address: String(contract), ...label }], 'read from the contracts'),
});

/** Timelocks of the token's protocol with its governors on the same chain, from the register. */
function timelocksOf(facts: Facts): readonly Params[] {
  const asset = tokenOf(facts);
  const caip2 = evmChainOf(asset?.chain)?.caip2;
  if (asset === null || caip2 === undefined) return [];
  const { contracts } = fieldsOf(rowsOf([assetName(caip2, asset.token)]).shipped.protocol);
  const rows = listIn(contracts)
    .map(fieldsOf)
    .filter(({ chain }) => chain === caip2);
  const withRole = (role: string) => rows.flatMap((row) => (row.role === role ? textsIn([row.address]) : []));
  const governors = withRole('governor').slice(0, MOST_GOVERNORS);
  return governors.length === 0 ? [] : withRole('timelock').map((contract) => ({ contract, governors }));
}

/** Listed tokens that hold this token on behalf of their own holders. */
function wrappersOf(facts: Facts): readonly Params[] {
  const asset = tokenOf(facts);
  return EVM_BACKING.flatMap(({ chain, token, held }) =>
    chain === asset?.chain && held.some((part) => isShown(part) && part.asset === asset.token && part.of === token)
      ? [{ contract: token, rate: evmRedemption(chain, token)?.rate?.call ?? null }]
      : [],
  );
}

function callsOf({ token, contract, governors, rate }: Params): readonly EvmCall[] {
  if (governors === undefined)
    return [
      callOf(token, 'balanceOf(address)', contract),
      callOf(contract, 'totalSupply()'),
      ...(typeof rate === 'string' ? [rateCall(contract, rate)] : []),
    ];
  return [
    callOf(contract, 'delay()'),
    callOf(contract, 'admin()'),
    ...textsIn(governors).flatMap((governor) => ['timelock()', ...VOTES].map((getter) => callOf(governor, getter))),
  ];
}

/** Label of the contract if the chain confirms it; otherwise null. */
function labelOf(values: Returned, params: Params): { readonly kind: string; readonly label: string } | null {
  return params.governors === undefined ? wrapperLabel(values, params) : timelockLabel(values, params);
}

/** The admin is a governor that names the contract as its timelock and in which this token votes, and the delay is at least two days. */
function timelockLabel([delay, admin, ...answers]: Returned, { token, contract, governors }: Params) {
  const seconds = uintOf(delay);
  if (seconds === null || seconds < LEAST_DELAY) return null;
  const isGoverned = textsIn(governors).some((governor, at) => {
    const [timelock, ...votes] = answers.slice(at * (VOTES.length + 1), (at + 1) * (VOTES.length + 1)).map(addressOf);
    return addressOf(admin) === governor && timelock === contract && votes.includes(String(token));
  });
  return isGoverned ? { kind: 'timelock', label: `timelock of ${seconds} s behind a governor of this token` } : null;
}

/** The wrapper owes nearly all of its holdings to its depositors. */
function wrapperLabel([balance, supply, answer]: Returned, { rate }: Params) {
  const [held, tokens] = [uintOf(balance), uintOf(supply)];
  const each = typeof rate === 'string' ? uintOf(answer) : ONE;
  if (held === null || held === 0n || tokens === null || each === null) return null;
  const owed = (tokens * each) / ONE;
  return owed * 100n >= held * LEAST_OWED ? { kind: 'staking', label: 'holds it for its own holders' } : null;
}

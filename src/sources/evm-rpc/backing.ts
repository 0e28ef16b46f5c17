import { type EvmCall, type Hex, MULTICALL3, uintAt, uintOf } from '../../chains/index.ts';
import type { ObservationDraft } from '../../domain/index.ts';
import { backingRow, isShown, type ShownBalance, type StatedAmount } from '../backing/rows.ts';
import { multicallEndpoint, Refusal, type Returned } from '../json-rpc.ts';
import { observed } from '../observations.ts';
import { evmRedemption } from '../redemption/evm-issuers.ts';
import { implausibleRate, ONE } from '../redemption/terms.ts';
import type { Params } from '../source.ts';
import { callOf, chainOfBase, tokenAtEach } from './operators.ts';
import { rateCall } from './redemption.ts';

/** Precision of the ratio: nine decimal places. */
const PLACES = 1_000_000_000n;
/** The statement dates from the last report; up to this share of the supply may have been issued, and paid for, since. */
const SINCE_REPORT = 0.02;

/**
 * Params `{base, token}`: assets of a listed token divided by what it owes, all read in one block. Only listed tokens are read
 * (the reason is in sources/backing/rows.ts).
 */
export const backingEndpoint = multicallEndpoint({
  name: 'backing',
  doc: 'One eth_call to Multicall3 aggregate3: totalSupply, the rate of the redemption list, getEthBalance or balanceOf of what holds the backing, and what a listed contract states of the rest. https://www.multicall3.com; checked on a local chain.',
  plan: (facts) => tokenAtEach(facts).filter((params) => rowOf(params) !== null),
  calls: callsOf,
  withoutValues: 'empty',
  read: readBacking,
  observe: backingDrafts,
});

const rowOf = (params: Params) => backingRow(chainOfBase(params), String(params.token));
const rateOf = (params: Params) => evmRedemption(chainOfBase(params), String(params.token))?.rate ?? null;

function callsOf(params: Params): readonly EvmCall[] {
  const rate = rateOf(params);
  return [
    callOf(params.token, 'totalSupply()'),
    ...(rate === null ? [] : [rateCall(rate.contract, rate.call)]),
    ...(rowOf(params)?.held ?? []).map((part) => (isShown(part) ? balanceCall(part) : statedCall(part))),
  ];
}

function balanceCall({ asset, of }: ShownBalance): EvmCall {
  return asset === 'coin' ? callOf(MULTICALL3, 'getEthBalance(address)', of) : callOf(asset, 'balanceOf(address)', of);
}

function statedCall({ call, at, args = [] }: StatedAmount): EvmCall {
  return callOf(at, call, ...args);
}

/** Held amount over owed amount, at most 1, because a surplus does not belong to the holders. */
function readBacking(values: Returned, params: Params): number | Refusal {
  const { held, stated_by: who } = rowOf(params) ?? { held: [] };
  const hasRate = rateOf(params) !== null;
  const supply = uintOf(values[0]);
  const rate = hasRate ? uintOf(values[1]) : ONE;
  if (supply === null || supply === 0n) return new Refusal('empty', 'there is no supply to back');
  if (rate === null) return new Refusal('empty', 'the rate contract gave no number');
  const implausible = implausibleRate(Number(rate) / 1e18);
  if (implausible !== null) return new Refusal('empty', implausible);
  const amounts = held.map((part, at) => amountOf(part, values[at + (hasRate ? 2 : 1)] ?? null));
  let sum = 0n;
  for (const amount of amounts) {
    if (amount === null) return new Refusal('empty', 'part of the held amount was not read');
    sum += amount;
  }
  if (sum < 0n) return new Refusal('empty', 'the held amount cannot be below zero');
  const owed = (supply * rate) / ONE;
  const ratio = owed === 0n || sum >= owed ? 1 : Number((sum * PLACES) / owed) / Number(PLACES);
  return who !== undefined && ratio >= 1 - SINCE_REPORT ? 1 : ratio;
}

function amountOf(part: ShownBalance | StatedAmount, value: Hex | null): bigint | null {
  if (isShown(part)) return uintOf(value);
  if (value === null && part.optional === true) return 0n;
  const words = part.times.map((_times, at) => (value === null ? null : uintAt(value, at)));
  return words.reduce<bigint | null>(
    (sum, word, at) => (sum === null || word === null ? null : sum + word * BigInt(part.times[at] ?? 0)),
    0n,
  );
}

/** Balances on chain belong to the chain's lineage group; amounts that a listed contract states belong to the group of whoever reports them there. */
function backingDrafts(ratio: number, params: Params): readonly ObservationDraft[] {
  const row = rowOf(params);
  const who = row?.stated_by;
  return [
    ...observed('backing_ratio', ratio, {
      meaning:
        who === undefined ? 'balances on the chain over what is owed' : `held as stated by ${who}, over what is owed`,
      ...(who !== undefined && { family: `statement:${String(params.token)}`, tier: 'registry', reliability: 0.8 }),
    }),
    ...observed(
      'exit_days',
      row?.exit === 'at_once' && ratio === 1 ? 0 : null,
      'all of it is paid out in one transaction',
    ),
  ];
}

import { encodeFunctionData, parseAbi, parseAbiItem } from 'viem/utils';
import { type EvmCall, type Hex, MULTICALL3, uintAt, uintOf } from '../../chains/index.ts';
import type { Json, ObservationDraft } from '../../domain/index.ts';
import {
  assetName,
  type PositionBook,
  type PositionMarket,
  type PositionRead,
  type PositionTerm,
  type PositionTerms,
  positionTerms,
  registerTerms,
  rowsOf,
} from '../../registers/index.ts';
import { coverOf, type MarketCover } from '../backing/cover.ts';
import { multicallEndpoint, Refusal } from '../json-rpc.ts';
import { observed } from '../observations.ts';
import { isAhead, priceFeedOf } from '../redemption/terms.ts';
import type { Facts, Params } from '../source.ts';
import { answerOf } from './feed-round.ts';
import { tokenAtEach } from './operators.ts';

const ABI = parseAbi([
  'function getCurrentBlockTimestamp() view returns (uint256)',
  'function getEthBalance(address) view returns (uint256)',
  'function decimals() view returns (uint8)',
  'function latestRoundData() view returns (uint80, int256, uint256, uint256, uint80)',
]);

/** A Chainlink feed in the coin's currency. */
interface Feed {
  readonly address: string;
  readonly silenceSeconds: number;
}
/** Register row and terms in the params, so that an archived reply is read with those that were in force then. */
interface Asked {
  readonly book: PositionBook;
  readonly feeds: Readonly<Record<string, Feed>>;
  readonly terms: PositionTerms;
  /** Reliability of a row with cells that no source confirms; otherwise null. */
  readonly reliability: number | null;
}

/**
 * Params `{base, token, book, feeds, terms, reliability}`: collateral after haircuts of a coin that is issued against collateral, over the debt, all read in one
 * block. Only coins of the register `positions` are read, and only the contracts in its row, because a contract can return anything (decision 0036).
 * Collateral is a balance that the collateral's own contract reports, at the price of a feed on the chain.
 */
export const positionsEndpoint = multicallEndpoint({
  name: 'positions',
  doc: "One eth_call to Multicall3 aggregate3: block time, Chainlink's decimals and latestRoundData of each price, debts that the contracts of a row of registers/positions.json state, and balances of collateral. https://www.multicall3.com; checked on a local chain.",
  plan,
  calls: (params) => [...callsOf(askedOf(params)).values()],
  withoutValues: 'empty',
  read: (values, params, { fetchedAt }) => {
    const read = readCover(values, params, fetchedAt);
    return typeof read === 'string' ? new Refusal('empty', read) : read;
  },
  observe: coverDrafts,
});

function plan(facts: Facts): readonly Params[] {
  const { chain, address } = facts;
  if (chain?.kind !== 'evm' || address === null) return [];
  const { shipped, own } = rowsOf([assetName(chain.caip2, address)]);
  const row = shipped.positions ?? own.positions;
  if (!row) return [];
  const { owed, markets } = row as unknown as PositionBook;
  const wanted = [...new Set(markets.flatMap(({ held }) => held.flatMap(({ feed }) => feed ?? [])))];
  const feeds = wanted.flatMap((name) => {
    const feed = priceFeedOf(chain.name, name);
    return feed === null ? [] : [[name, feed] as const];
  });
  // Without a feed on the chain, the price is not estimated.
  if (feeds.length < wanted.length) return [];
  const isProven = !(
    Array.isArray(row.unconfirmed) && row.unconfirmed.some((cell) => cell === 'owed' || cell === 'markets')
  );
  const asked = {
    book: { owed, markets },
    feeds: Object.fromEntries(feeds),
    terms: positionTerms(),
    reliability: isProven ? null : registerTerms().unconfirmed_reliability,
  };
  return tokenAtEach(facts).map((params) => ({ ...params, ...(asked as unknown as Params) }));
}

const askedOf = (params: Params): Asked => params as Readonly<Record<string, Json>> as unknown as Asked;

/**
 * Calls without duplicates: the time of the block, the feeds sorted by name, then the calls of the row. The sorting is needed because a
 * store may return the fields of archived params in another order, while values of a reply are identified by position only.
 */
function callsOf({ book, feeds }: Asked): ReadonlyMap<string, EvmCall> {
  const terms = [...book.owed, ...book.markets.flatMap(({ debt, held }) => [...debt, ...held])];
  const calls = [
    TIME,
    ...byName(feeds).flatMap(([, feed]) => [feedCall(feed, 'decimals'), feedCall(feed, 'latestRoundData')]),
    ...terms.flatMap(({ product }) => product.map(callOfRead)),
  ];
  return new Map(calls.map((call) => [nameOf(call), call]));
}

const byName = (feeds: Asked['feeds']) => Object.entries(feeds).sort(([a], [b]) => (a < b ? -1 : 1));
const nameOf = ({ to, data }: EvmCall) => `${to}${data}`;
const TIME: EvmCall = {
  to: MULTICALL3,
  data: encodeFunctionData({ abi: ABI, functionName: 'getCurrentBlockTimestamp' }),
};
const feedCall = ({ address }: Feed, functionName: 'decimals' | 'latestRoundData'): EvmCall => ({
  to: address as Hex,
  data: encodeFunctionData({ abi: ABI, functionName }),
});

/** The call that returns a number of a row. */
export function callOfRead(read: PositionRead): EvmCall {
  if ('coin_of' in read)
    return {
      to: MULTICALL3,
      data: encodeFunctionData({ abi: ABI, functionName: 'getEthBalance', args: [read.coin_of as Hex] }),
    };
  const { at, call, args = [] } = read;
  return { to: at as Hex, data: encodeFunctionData({ abi: [parseAbiItem(`function ${call}`)], args } as never) };
}

interface Cover {
  readonly ratio: number;
  /** True if part of the collateral is stated but not read. */
  readonly isStated: boolean;
  /** Time of the block, RFC 3339. */
  readonly at: string;
}

/** The cover from the values, or the reason why there is none. */
function readCover(values: readonly (Hex | null)[], params: Params, fetchedAt: string): Cover | string {
  const asked = askedOf(params);
  const answers = new Map([...callsOf(asked).keys()].map((name, at) => [name, values[at] ?? null]));
  const seconds = uintOf(answers.get(nameOf(TIME)));
  if (seconds === null || isAhead(seconds, fetchedAt)) return 'the block has no plausible time';
  const prices = new Map<string, number>();
  for (const [name, feed] of byName(asked.feeds)) {
    const [places, round] = [
      answers.get(nameOf(feedCall(feed, 'decimals'))),
      answers.get(nameOf(feedCall(feed, 'latestRoundData'))),
    ];
    const answer = answerOf(round, uintOf(places), seconds, BigInt(feed.silenceSeconds));
    if (typeof answer === 'string') return `${name}: ${answer}`;
    prices.set(name, Number(answer.raw) / 10 ** answer.decimals);
  }
  const numberOf = (read: PositionRead): number | null => {
    const value = answers.get(nameOf(callOfRead(read))) ?? null;
    const raw = value === null ? null : 'coin_of' in read ? uintOf(value) : uintAt(value, read.word ?? 0);
    return raw === null ? null : Number(raw) / 10 ** read.decimals;
  };
  const owed = sumOf(asked.book.owed, numberOf);
  if (owed === null) return 'what is owed was not read';
  const markets: MarketCover[] = [];
  for (const market of asked.book.markets) {
    const read = marketOf(market, asked.terms, prices, numberOf);
    if (read === null) return `${market.name} was not read`;
    // The sums of two contracts may differ by interest that accrued between their updates.
    if (read.debt < -owed * ROUNDING) return `the debt of ${market.name} is below zero`;
    markets.push(read);
  }
  const ratio = coverOf(owed, markets, asked.terms);
  if (typeof ratio === 'string') return ratio;
  const at = new Date(Number(seconds) * 1_000).toISOString();
  return { ratio: Number(ratio.toFixed(6)), isStated: markets.some(({ stated }) => stated > 0), at };
}

/** Share of the debt by which two contracts may differ. */
const ROUNDING = 0.001;

/** A market in units of the coin's currency; null if part of it was not read, or a kind of collateral has no haircut. */
function marketOf(
  { debt, held, unread }: PositionMarket,
  { haircuts, at_par }: PositionTerms,
  prices: ReadonlyMap<string, number>,
  numberOf: (read: PositionRead) => number | null,
): MarketCover | null {
  const owed = sumOf(debt, numberOf);
  if (owed === null) return null;
  let [value, worth] = [0, 0];
  for (const { kind, product, feed } of held) {
    const units = productOf(product, numberOf);
    const price = feed === undefined ? 1 : prices.get(feed);
    const haircut = haircuts[kind];
    if (units === null || price === undefined || haircut === undefined) return null;
    const held = units * (at_par.includes(kind) ? Math.min(1, price) : price);
    value += held;
    worth += held * (1 - haircut);
  }
  if (unread === undefined) return { debt: owed, worth, stated: 0 };
  const haircut = haircuts[unread];
  if (haircut === undefined) return null;
  const rest = Math.max(0, owed - value);
  // A haircut of 1 counts nothing of the unread part, so no statement is relied on.
  return { debt: owed, worth: worth + rest * (1 - haircut), stated: haircut < 1 ? rest : 0 };
}

function sumOf(terms: readonly PositionTerm[], numberOf: (read: PositionRead) => number | null): number | null {
  let sum = 0;
  for (const { product, minus } of terms) {
    const part = productOf(product, numberOf);
    if (part === null) return null;
    sum += minus === true ? -part : part;
  }
  return sum;
}

function productOf(product: readonly PositionRead[], numberOf: (read: PositionRead) => number | null): number | null {
  let result = 1;
  for (const read of product) {
    const factor = numberOf(read);
    if (factor === null) return null;
    const divides = 'per' in read && read.per === true;
    // A pool without shares holds nothing for its holders.
    result = divides ? (factor === 0 ? 0 : result / factor) : result * factor;
  }
  return result;
}

/** If every part is a balance, the observation belongs to the chain's lineage group; if some collateral is only stated, to the group of those who state it. */
function coverDrafts({ ratio, isStated, at }: Cover, params: Params): readonly ObservationDraft[] {
  const { reliability } = askedOf(params);
  return observed('backing_risk_adjusted', ratio, {
    meaning: isStated
      ? 'collateral after haircuts over what is owed; against part of the debt collateral is only stated'
      : 'collateral after haircuts over what is owed, balances at the prices of feeds',
    observedAt: at,
    ...(isStated && { family: `statement:${String(params.token)}`, tier: 'registry' as const, reliability: STATED }),
    ...(reliability !== null && { reliability }),
  });
}

/** Reliability of stated collateral, as of other statements of a listed protocol (decision 0036). */
const STATED = 0.8;

import { abiText, type Hex, uintOf } from '../../chains/index.ts';
import type { ObservationDraft, Tier } from '../../domain/index.ts';
import { multicallEndpoint, Refusal, type Returned } from '../json-rpc.ts';
import { observed } from '../observations.ts';
import { text, tokensOf } from '../read.ts';
import { isAhead } from '../redemption/terms.ts';
import { type Facts, fact, type Params, type ReplyMeta } from '../source.ts';
import { answerOf } from './feed-round.ts';
import { callOf } from './operators.ts';
import { roundCalls } from './redemption.ts';
import table from './reserve-feeds.json' with { type: 'json' };

type Row = (typeof table.rows)[number];

/** The origin of the number decides its reliability; an issuer's own statement can only show a shortfall. */
const BASES: Readonly<Record<string, { readonly family: string; readonly tier: Tier; readonly reliability: number }>> =
  {
    addresses: { family: 'chainlink', tier: 'registry', reliability: 0.85 },
    firm: { family: 'issuer_disclosure', tier: 'registry', reliability: 0.6 },
    issuer: { family: 'issuer_disclosure', tier: 'self_reported', reliability: 0.6 },
  };

/** A ratio outside these limits is taken for a mismatch of units. */
const LEAST_RATIO = 0.05;
const MOST_RATIO = 2;

const LONGEST_NAME = 80;
const LEARNED = 'evm_rpc.issued.';

function rowOf({ chain, address }: Facts): Row | null {
  const isOf = (row: Row) => row.tokens.some((token) => token.chain === chain?.name && token.address === address);
  return chain === null || address === null ? null : (table.rows.find(isOf) ?? null);
}

const tokenOn = (row: Row, chain: string) => row.tokens.find((token) => token.chain === chain)?.address ?? null;
const supplyCalls = (token: unknown) =>
  typeof token === 'string' ? [callOf(token, 'decimals()'), callOf(token, 'totalSupply()')] : [];

function supplyOf([places, supply]: readonly (Hex | null | undefined)[]): number | null {
  const [decimals, raw] = [uintOf(places), uintOf(supply)];
  return decimals === null || raw === null || decimals > 36n ? null : tokensOf(raw, Number(decimals));
}

/** Params `{base, token}`: units of a listed token on a chain other than the feed's. */
export const issuedEndpoint = multicallEndpoint({
  name: 'issued',
  doc: 'One eth_call to Multicall3 aggregate3: decimals and supply of a token with a proof-of-reserve feed, on its other chains',
  plan: (facts) => {
    const row = rowOf(facts);
    return (row?.tokens ?? [])
      .filter(({ chain }) => chain !== row?.feed.chain)
      .map(({ chain, address }) => ({ base: chain, token: address }));
  },
  calls: ({ token }) => supplyCalls(token),
  withoutValues: 'empty',
  read: supplyOf,
  learn: (supply, { base }) => fact(`${LEARNED}${String(base)}`, supply),
});

/**
 * Params `{base, feed, named, silenceSeconds, basis, token, others, isWhole}`: reserves stated by a feed over the units issued. The units are those on
 * the feed's chain, read in the same block, plus `others`, read on the token's other chains. If some chain is not read (`isWhole` false), the ratio is
 * an upper bound and is observed only if it shows a shortfall.
 */
export const reserveFeedEndpoint = multicallEndpoint({
  name: 'reserve_feed',
  doc: "One eth_call to Multicall3 aggregate3: block time, Chainlink's decimals, latestRoundData and description of a proof-of-reserve feed, and the token's supply. https://docs.chain.link/data-feeds/proof-of-reserve; made replies only",
  plan: (facts) => {
    const row = rowOf(facts);
    if (row === null) return [];
    const elsewhere = row.tokens.filter(({ chain }) => chain !== row.feed.chain);
    const others = elsewhere.map(({ chain }) => facts.learned[`${LEARNED}${chain}`]);
    if (!others.every((supply) => typeof supply === 'number')) return [];
    const { feed, named, silenceSeconds, basis } = row;
    return [feed.chain, `${feed.chain}_2`].map((base) => ({
      base,
      feed: feed.address,
      named,
      silenceSeconds,
      basis,
      token: tokenOn(row, feed.chain),
      others: others.reduce((sum: number, supply) => sum + Number(supply), 0),
      isWhole: row.elsewhere.length === 0,
    }));
  },
  calls: ({ feed, token }) => [...roundCalls(feed), callOf(feed, 'description()'), ...supplyCalls(token)],
  withoutValues: 'empty',
  read: (values, params, meta) => {
    const read = reserveOf(values, params, meta);
    return typeof read === 'string' ? new Refusal('empty', read) : read;
  },
  observe: ratioDrafts,
});

interface Reserve {
  readonly reserve: number;
  readonly issued: number;
  /** When the feed was updated. */
  readonly at: string;
}

/** Reserve and issued units in whole tokens, or the reason why they are unknown. */
function reserveOf(values: Returned, params: Params, { fetchedAt }: ReplyMeta): Reserve | string {
  const [time, places, round, described, ...supply] = values;
  const seconds = uintOf(time);
  if (seconds === null || isAhead(seconds, fetchedAt)) return 'the block has no plausible time';
  const name = abiText(described, LONGEST_NAME)?.toLowerCase() ?? '';
  if (!name.includes(String(params.named))) return `the description of the feed is "${text(name, LONGEST_NAME) ?? ''}"`;
  const answer = answerOf(round, uintOf(places), seconds, BigInt(Number(params.silenceSeconds)));
  if (typeof answer === 'string') return answer;
  const reserve = tokensOf(answer.raw, answer.decimals);
  const own = supplyOf(supply);
  if (reserve === null || own === null || typeof params.others !== 'number') return 'the supply is not known';
  const issued = own + params.others;
  const ratio = issued > 0 ? reserve / issued : Number.NaN;
  return ratio >= LEAST_RATIO && ratio <= MOST_RATIO
    ? { reserve, issued, at: new Date(Number(answer.updated) * 1_000).toISOString() }
    : `a reserve of ${reserve} over ${issued} units is in another unit`;
}

function ratioDrafts({ reserve, issued, at }: Reserve, params: Params): readonly ObservationDraft[] {
  const ratio = reserve / issued;
  if (params.isWhole !== true && ratio >= 1) return [];
  return observed('backing_ratio', ratio, {
    ...BASES[String(params.basis)],
    meaning: `reserves by Chainlink's feed (${String(params.basis)}) over units issued${params.isWhole === true ? '' : ' on the chains read: at most'}`,
    observedAt: at,
  });
}

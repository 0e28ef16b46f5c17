import Type, { type Static } from 'typebox';
import { CHAINS, chainCalled } from '../chains/index.ts';
import { median, type ObservationDraft, type Tie, type TokenDraft } from '../domain/index.ts';
import { tieDraft } from './github-ties.ts';
import { asciiDomain, registrableDomain } from './links.ts';
import { datedIfEnded, observed } from './observations.ts';
import { amount, date, fields, LooseOptional, Maybe, num, positive, TextOptional, text } from './read.ts';
import type { Params, ReplyMeta } from './source.ts';
import { auditorOf } from './ties.ts';
import { atLeastZero, chainOf, hostsOf, named, partsOf, placed, sorted, wordsOf } from './token-records.ts';

export const Listed = Type.Object({
  name: Type.String(),
  ...fields(TextOptional, 'address', 'symbol', 'url', 'gecko_id'),
  cmcId: LooseOptional,
  category: TextOptional,
  slug: Type.String(),
  tvl: LooseOptional,
  twitter: TextOptional,
  ...fields(Type.Optional(Type.Unknown()), 'parentProtocol', 'parentProtocolSlug', 'listedAt'),
  ...fields(Type.Optional(Type.Unknown()), 'deadFrom', 'deprecated', 'rugged'),
});
const MOST_PROTOCOLS = 20_000;

/** The projects with their own domain, each with the token that the list names for it. */
export function protocolRecords(rows: readonly unknown[]): readonly TokenDraft[] {
  return partsOf(Listed, rows.slice(0, MOST_PROTOCOLS)).flatMap((row) => {
    const { url } = row;
    const domain = typeof url === 'string' && url.length <= 2_048 ? asciiDomain(url.trim()) : null;
    const id = text(row.slug, 120);
    if (domain === null || id === null) return [];
    const parent = text(row.parentProtocol, 120)?.replace(/^parent#/, '') ?? null;
    const handle = text(row.twitter, 40)?.toLowerCase();
    const words = named({ name: row.name, symbol: row.symbol, since: row.listedAt });
    const symbol = words.symbol === '-' ? null : words.symbol;
    const coingecko = text(row.gecko_id, 120);
    const cmc = String(row.cmcId ?? '');
    const place = placeOf(row.address);
    return [
      {
        ...words,
        symbol,
        id,
        hasToken: symbol !== null || coingecko !== null || place !== null,
        domains: [domain],
        hosts: hostsOf([url]),
        socials: handle ? [`x:${handle}`] : [],
        categories: wordsOf([row.category]),
        addresses: sorted([place]),
        home: chainOf(place),
        nativeOf: CHAINS.find((chain) => chain.native.coingeckoId === coingecko)?.name ?? null,
        tvlUsd: atLeastZero(row.tvl),
        slug: text(row.parentProtocolSlug, 120) ?? parent ?? id,
        ids: {
          ...(coingecko === null ? {} : { coingecko }),
          ...(/^\d{1,12}$/.test(cmc) ? { coinmarketcap: cmc } : {}),
        },
      },
    ];
  });
}

/** `chain:0x...`, or bare hex for Ethereum. */
function placeOf(address: unknown): string | null {
  if (typeof address !== 'string' || address.length > 200) return null;
  const at = address.indexOf(':');
  if (at < 0)
    return placed(
      CHAINS.find((row) => row.name === 'ethereum'),
      address,
    );
  const word = address.slice(0, at).toLowerCase();
  return placed(chainCalled('defillama', word) ?? CHAINS.find((row) => row.name === word), address.slice(at + 1));
}

/**
 * Date from which the list calls the protocol ended: that of the product that ended last. Null while a product is not
 * listed as ended, has no readable date in the past, or may have sisters that `rows` does not contain. `deadUrl` is not
 * read: it is set by scripts for sites that do not answer, and has been set for protocols that live.
 */
export function endOf(rows: readonly Static<typeof Listed>[], isWhole: boolean, asOf: string): string | null {
  if (rows.length === 0 || (!isWhole && rows.some(({ parentProtocol }) => text(parentProtocol, 120) !== null)))
    return null;
  const ends = rows.map(({ deadFrom }) => endDate(deadFrom)).filter((at) => at !== null);
  const isOver = (row: Static<typeof Listed>) =>
    endDate(row.deadFrom) !== null || row.deprecated === true || row.rugged === true;
  const [last = null] = ends.toSorted().reverse();
  return last !== null && rows.every(isOver) && last <= asOf ? last : null;
}

/** `deadFrom` is written by hand: days in other forms than this one may be read in two ways. */
function endDate(written: unknown): string | null {
  return typeof written === 'string' && !/^(\d{4}-\d{2}-\d{2}|\d{9,10})$/.test(written.trim())
    ? null
    : date(typeof written === 'string' ? written.trim() : written);
}

const Rows = Maybe(Type.Array(Type.Record(Type.String(), Type.Unknown())));
export const Protocol = Type.Object({
  name: Type.String(),
  url: TextOptional,
  category: TextOptional,
  github: Type.Optional(Type.Unknown()),
  audit_links: Maybe(Type.Array(Type.Unknown())),
  chains: Maybe(Type.Array(Type.Unknown())),
  currentChainTvls: Maybe(Type.Record(Type.String(), Type.Unknown())),
  tvl: Type.Optional(
    Type.Union([
      Type.Array(Type.Object({ date: Type.Number(), totalLiquidityUSD: LooseOptional })),
      Type.Number(),
      Type.Null(),
    ]),
  ),
  raises: Rows,
  hacks: Rows,
  twitter: TextOptional,
  listedAt: LooseOptional,
});
type ProtocolReply = Static<typeof Protocol>;
export const DAY = 86_400;
/** Length of the period, in days, over which the last value locked is taken. */
const QUARTER = 90;

/**
 * Keys of `currentChainTvls` that are no chains: values outside the headline value locked, and parts of it that are listed a second time
 * (the provider's own pages skip them).
 */
const ASIDE = /staking|borrowed|pool2|vesting|treasury|offers|doublecounted|dcandlsoverlap|owntokens/i;

function tvlNow(reply: ProtocolReply): number | null {
  const parts = Object.entries(reply.currentChainTvls ?? {})
    .filter(([name]) => !ASIDE.test(name))
    .map(([, value]) => amount(value))
    .filter((value) => value !== null);
  if (parts.length > 0) return parts.reduce((sum, value) => sum + value, 0);
  const series = Array.isArray(reply.tvl) ? reply.tvl : [];
  return amount(series.at(-1)?.totalLiquidityUSD);
}

export function observeProtocol(
  reply: ProtocolReply,
  _params: Params,
  { fetchedAt }: ReplyMeta,
): readonly ObservationDraft[] {
  const series = (Array.isArray(reply.tvl) ? reply.tvl : [])
    .map((row) => ({ at: row.date, value: amount(row.totalLiquidityUSD) }))
    .filter((row): row is LockedDay => row.value !== null);
  const now = tvlNow(reply);
  const last = series.at(-1)?.at ?? 0;
  const ended = datedIfEnded(last * 1_000, fetchedAt);
  const before = [...series].reverse().find((row) => row.at <= last - 90 * DAY)?.value ?? null;
  const peak = series.reduce((most, row) => Math.max(most, row.value), 0);
  // Once a protocol is listed as ended its series is no longer extended: these are values from before.
  const quarter = series.filter((row) => row.at > last - QUARTER * DAY).map((row) => row.value);
  const raises = (reply.raises ?? []).slice(0, 50).map(raise);
  const total = raises.reduce((sum, row) => sum + (row.amountUsd ?? 0), 0);
  const hacks = (reply.hacks ?? []).slice(0, 50).map((row) => hack(row, series));
  const handle = text(reply.twitter, 40)?.toLowerCase();
  return [
    ...observed('tvl_usd', now, { meaning: 'staking, borrowing and pool2 left out', ...ended }),
    ...observed('tvl_peak_usd', peak > 0 ? peak : null),
    ...observed('tvl_last_quarter_usd', quarter.length >= QUARTER / 2 ? median(quarter) : null),
    ...observed(
      'growth_90d_log',
      now !== null && now > 0 && before !== null && before > 0 ? Math.log(now / before) : null,
      { meaning: 'ln of value locked now over 90 days ago', ...ended },
    ),
    ...observed('raises', raises.length > 0 ? raises : null),
    ...observed('raise_total_usd', total > 0 ? total : null, { meaning: 'public rounds listed' }),
    ...observed('incidents', hacks.length > 0 ? hacks : null),
    ...(reports(reply).length > 0 ? [tieDraft('defillama', reports(reply), 'audits')] : []),
    ...observed('categories', text(reply.category, 60) ? [text(reply.category, 60)] : null),
    ...observed(
      'chains_deployed',
      (reply.chains ?? []).map((chain) => text(chain, 40)).filter((chain) => chain !== null),
    ),
    ...observed('registry_name', text(reply.name), { scope: 'registry:defillama' }),
    ...observed('registry_domains', registrableDomain(reply.url) ? [registrableDomain(reply.url)] : null, {
      scope: 'registry:defillama',
    }),
    ...observed('registry_socials', handle ? [{ kind: 'x', handle }] : null, { scope: 'registry:defillama' }),
    ...observed('listed_at', date(num(reply.listedAt))),
  ];
}

/** `audit_links` are submitted by the project, so each is verified at the audit firm. `audits` is a grade (0 none, 1 partly, 2 yes, 3 of the forked code). */
function reports(reply: ProtocolReply): readonly Tie[] {
  return auditLinks(reply).map((link) => {
    const firm = auditorOf(link);
    return {
      kind: 'audit',
      subject: firm ?? registrableDomain(link) ?? 'another site',
      state: firm === null ? 'claimed' : 'linked',
      by: firm === null ? 'by no known firm' : 'linked by DefiLlama’s list',
      link,
    };
  });
}

export function auditLinks(reply: ProtocolReply): readonly string[] {
  return (reply.audit_links ?? []).slice(0, 20).flatMap((link) => text(link, 300) ?? []);
}

function raise(row: Readonly<Record<string, unknown>>) {
  const millions = positive(row.amount);
  const valuation = positive(row.valuation);
  return {
    date: date(row.date),
    round: text(row.round, 40),
    amountUsd: millions === null ? null : millions * 1e6,
    valuationUsd: valuation === null ? null : valuation * 1e6,
    leadInvestors: (Array.isArray(row.leadInvestors) ? row.leadInvestors : [])
      .map((name: unknown) => text(name, 60))
      .filter((name) => name !== null)
      .slice(0, 10),
  };
}

interface LockedDay {
  /** Unix seconds. */
  readonly at: number;
  readonly value: number;
}

/** Days after an incident whose value locked counts as what was left: later deposits, and a new reading of them, do not change it. */
const LEFT_DAYS = 7;

function hack(row: Readonly<Record<string, unknown>>, series: readonly LockedDay[]) {
  const on = date(row.date);
  const day = on === null ? null : Date.parse(on) / 1000;
  const before = day === null ? [] : series.filter(({ at }) => at <= day);
  const after = day === null ? [] : series.filter(({ at }) => at >= day + DAY && at <= day + (LEFT_DAYS + 1) * DAY);
  return {
    date: on,
    name: text(row.name, 80),
    lossUsd: amount(row.amount),
    returnedUsd: amount(row.returnedFunds),
    classification: text(row.classification, 60),
    lockedBeforeUsd: before.length === 0 ? null : before.reduce((most, { value }) => Math.max(most, value), 0),
    lockedAfterUsd: median(after.map(({ value }) => value)),
  };
}

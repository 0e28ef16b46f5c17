import type { DrainRecord, LaunchRecord } from '../../contract/index.ts';
import type { ForensicSubject } from '../../domain/index.ts';
import type { LabelBook } from '../../metrics/index.ts';
import { type AttributionOf, type PriceThen, provenanceOf, type Receipt } from './bounded-upstream.ts';
import { creatorOf, isServiceLabel } from './investigate.ts';
import { type CreatorLink, judge, judgePool, type PoolVerdict, type Verdict } from './pool-effect.ts';
import type { Drain, Findings, Hop, Limit, PoolFinding } from './types.ts';

export interface RecordParts {
  readonly subject: ForensicSubject;
  readonly findings: Findings;
  readonly links: readonly CreatorLink[];
  /** Null: the launch could not be read. */
  readonly launch: LaunchRecord | null;
  readonly labels: LabelBook;
  readonly priceThen: PriceThen;
  /** Called when the record is complete, since prices are requested while it is made. */
  readonly receipts: () => readonly Receipt[];
  readonly work: () => SearchWork;
  /** Source of the chain's facts. */
  readonly chainSource: string;
  /** Decimals of the chain's own coin. */
  readonly coinDecimals: number;
  /** RFC 3339: when the search ended. */
  readonly asOf: string;
  readonly attributionOf: AttributionOf;
  readonly signal?: AbortSignal;
}

const BY_EVENTS = 0.95;
const BY_BALANCES = 0.85;
const PRESUMED = 0.6;
const SEEN = 0.95;

/** The findings as served: amounts as strings, in whole tokens, and in dollars at the time; unknown values are null. */
export async function drainRecord(parts: RecordParts): Promise<DrainRecord> {
  const { subject, findings, links, labels, chainSource } = parts;
  const verdicts = findings.pools.map((pool) => judgePool(pool, links));
  const verdict = judge(findings.pools, verdicts);
  const drains = findings.pools.flatMap((finding) => finding.drains.map((drain) => ({ drain, finding })));
  const decimals = new Map(findings.pools.map(({ pool }) => [pool.quote, pool.quoteDecimals]));
  const events = [];
  for (const { drain, finding } of drains.sort(byTime)) events.push(await eventOf(parts, drain, finding));
  const flows = [];
  for (const hop of uniqueHops(findings.hops)) flows.push(await flowOf(parts, hop, decimals));
  const unpriced = [...events.map((row) => row.quote_usd), ...flows.map((row) => row.usd)].includes(null);
  const creator = creatorOf(subject.consensus);
  const [receipts, work] = [parts.receipts(), parts.work()];
  return {
    asset: subject.asset,
    verdict,
    summary: summaryOf(verdict, findings, verdicts),
    flags: subject.flags.filter((flag) => ABOUT.has(flag)),
    default_tests: subject.defaultTests,
    creator: creator && { address: creator.address, sources: creator.sources },
    pools: findings.pools.map((finding, index) => poolOf(finding, verdicts[index] as PoolVerdict)),
    events,
    flows,
    links: links.map(({ wallet, role, how, transaction, confidence }) => ({
      wallet,
      role,
      how,
      transaction,
      confidence,
    })),
    first_payments: [...findings.fundings.values()].map((funding) => ({
      wallet: funding.wallet,
      funder: funding.funder,
      funder_labels: labelled(labels, funding.funder),
      funder_is_service: findings.services.has(funding.funder),
      amount_raw: funding.amount.toString(),
      transaction: funding.transaction,
      at: funding.at,
    })),
    launch: parts.launch,
    limits: limitsOf(findings.limits, creator === null, unpriced, work),
    work,
    ...provenanceOf(receipts, [chainSource, ...(creator?.sources ?? [])], parts.attributionOf),
    as_of: parts.asOf,
  };
}

/** Flags about the subject of a search. */
const ABOUT: ReadonlySet<string> = new Set([
  'RUG_EXECUTED',
  'LIQUIDITY_CRITICAL',
  'LP_UNLOCKED',
  'LP_CREATOR_CONTROLLED',
  'BUNDLED_LAUNCH',
]);

function poolOf({ pool, peak, now, listed, examined, since }: PoolFinding, verdict: PoolVerdict) {
  return {
    address: pool.address,
    dex: pool.dex,
    quote: pool.quote,
    peak_raw: peak.toString(),
    peak: whole(peak, pool.quoteDecimals),
    now_raw: now.toString(),
    now: whole(now, pool.quoteDecimals),
    gone_pct: percent(verdict.gone),
    removed_within_24h_pct: percent(verdict.removedWithinDay),
    removed_within_24h_by_linked_pct: percent(verdict.removedByLinkedWithinDay),
    transactions_listed: listed,
    transactions_examined: examined,
    since,
  };
}

async function eventOf(
  { subject, labels, priceThen, chainSource, signal }: RecordParts,
  drain: Drain,
  { pool }: PoolFinding,
) {
  const chain = subject.asset.chain ?? '';
  const price = drain.at === null ? null : await priceThen(chain, drain.quote, drain.at, signal);
  const usd = (amount: bigint) => dollars(whole(amount, pool.quoteDecimals), price?.usd ?? null);
  const isPresumed = drain.recipients.some((one) => one.presumed);
  return {
    kind: drain.kind,
    pool: drain.pool,
    dex: drain.dex,
    transaction: drain.transaction,
    height: drain.height,
    at: drain.at,
    actor: drain.actor,
    actor_labels: drain.actor === null ? [] : labelled(labels, drain.actor),
    liquidity_owner: drain.liquidityOwner,
    quote: drain.quote,
    quote_amount_raw: drain.quoteAmount.toString(),
    quote_amount: whole(drain.quoteAmount, pool.quoteDecimals),
    quote_usd: usd(drain.quoteAmount),
    price_source: price?.source ?? null,
    base_amount_raw: drain.baseAmount.toString(),
    base_amount: whole(drain.baseAmount, pool.baseDecimals),
    share_of_pool_pct: percent(drain.shareTaken),
    recipients: drain.recipients.map((one) => ({
      address: one.address,
      labels: labelled(labels, one.address),
      asset: one.asset,
      amount_raw: one.amount.toString(),
      amount: whole(one.amount, pool.quoteDecimals),
      usd: usd(one.amount),
      presumed: one.presumed,
    })),
    basis: drain.basis,
    source: chainSource,
    confidence: isPresumed ? PRESUMED : drain.basis === 'events' ? BY_EVENTS : BY_BALANCES,
  };
}

async function flowOf(
  { subject, findings, labels, priceThen, chainSource, coinDecimals, signal }: RecordParts,
  hop: Hop,
  decimals: ReadonlyMap<string, number | null>,
) {
  const chain = subject.asset.chain ?? '';
  const amount = whole(hop.amount, decimals.get(hop.asset) ?? (hop.asset === 'native' ? coinDecimals : null));
  const price = hop.at === null ? null : await priceThen(chain, hop.asset, hop.at, signal);
  return {
    step: hop.depth,
    from: hop.from,
    to: hop.to,
    to_labels: hop.to === null ? [] : labelled(labels, hop.to),
    to_is_service: hop.to !== null && (findings.services.has(hop.to) || labels.labelsOf(hop.to).some(isServiceLabel)),
    kind: hop.kind,
    asset: hop.asset,
    amount_raw: hop.amount.toString(),
    amount,
    usd: dollars(amount, price?.usd ?? null),
    price_source: price?.source ?? null,
    transaction: hop.transaction,
    at: hop.at,
    source: chainSource,
    confidence: SEEN,
  };
}

function uniqueHops(hops: readonly Hop[]): readonly Hop[] {
  return [...new Map(hops.map((hop) => [`${hop.transaction} ${hop.from} ${hop.to} ${hop.asset}`, hop])).values()];
}

function byTime(a: { readonly drain: Drain }, b: { readonly drain: Drain }): number {
  return a.drain.height - b.drain.height || (a.drain.transaction < b.drain.transaction ? -1 : 1);
}

function labelled(labels: LabelBook, address: string) {
  return labels.labelsOf(address).map(({ kind, name, source, confidence }) => ({ kind, name, source, confidence }));
}

/** Whole tokens of an amount in base units, for display. */
export function whole(amount: bigint, decimals: number | null): number | null {
  return decimals === null ? null : Number(amount) / 10 ** decimals;
}

function dollars(amount: number | null, price: number | null): number | null {
  return amount === null || price === null ? null : Math.round(amount * price * 100) / 100;
}

/** Cost of a search, and whether it was completed. */
export interface SearchWork {
  readonly calls: number;
  readonly bytes: number;
  readonly milliseconds: number;
  /** `complete`, or the bound that was reached. */
  readonly ended: 'complete' | 'calls' | 'bytes' | 'time';
}

/** The limits of the findings, each once, including those of every search of this kind. */
export function limitsOf(
  found: readonly Limit[],
  noCreator: boolean,
  unpriced: boolean,
  work: SearchWork,
): readonly Limit[] {
  const more: Limit[] = [];
  if (noCreator)
    more.push({
      code: 'no_creator',
      detail: 'no source tells who made the token: nobody can be linked to the creator',
    });
  if (unpriced)
    more.push({
      code: 'no_historical_price',
      detail: 'some amounts have no price of their time: their dollars are null',
    });
  if (work.ended !== 'complete')
    more.push({ code: 'budget_spent', detail: `the ${work.ended} of one search were used up before its end` });
  const seen = new Set<string>();
  return [...more, ...found, METHOD].filter(({ code, detail }) => {
    const isNew = !seen.has(`${code} ${detail}`);
    seen.add(`${code} ${detail}`);
    return isNew;
  });
}

const METHOD: Limit = {
  code: 'method',
  detail:
    'the largest losses of up to three pools are traced; liquidity that its owner moved to another pool looks like one that was taken away; what was filled up again, other chains, and what exchanges and mixers do inside are not seen',
};

const WORDS: Readonly<Record<Verdict, string>> = {
  drained_by_linked_wallets:
    'At least 90 % of a pool’s liquidity was taken out within 24 hours by wallets linked to the creator.',
  drained:
    'A pool has lost at least 90 % of what it once held; no link of those who took it out to the creator covers that much.',
  large_removals: 'Large parts of a pool’s money were taken out, and the pools were not emptied.',
  no_drain_seen: 'No large loss is seen in the pools’ histories.',
  not_seen: 'No pool’s history could be read.',
};

/** Summary of the findings in one or two sentences. */
export function summaryOf(verdict: Verdict, { hops, pools }: Findings, verdicts: readonly PoolVerdict[]): string {
  const count = pools.reduce((sum, pool) => sum + pool.drains.length, 0);
  const gone = Math.max(0, ...verdicts.map((one) => one.gone));
  if (count === 0) return WORDS[verdict];
  return `${WORDS[verdict]} ${count} transaction${count === 1 ? '' : 's'} found, ${percent(gone)} % of the largest amount seen is gone, ${hops.length} onward payment${hops.length === 1 ? '' : 's'} followed.`;
}

/** A share of 0-1 as percent with two decimals. */
export function percent(share: number): number {
  return Math.round(share * 10_000) / 100;
}

import { parseAssetId } from '../chains/index.ts';
import type { ScoreRecord } from '../contract/index.ts';
import { BANDS, counted, HOUR_MS } from '../domain/index.ts';
import type { EvidenceFacts, ExitFacts } from './evidence.ts';
import { type EffectiveRules, isLimited, type Outcome, passedLimit, stricter } from './rules.ts';

export const RULE_NAMES = [
  'signature',
  'not_rated',
  'withdrawn',
  'from_the_future',
  'corrected',
  'defaulted',
  'band',
  'trust',
  'flag',
  'rating_age',
  'evidence_age',
  'chain',
  'class',
  'asset',
  'exit_size',
  'exit_amount',
  'exit_estimated',
  'pool_share',
  'provider_share',
] as const;
export type RuleName = (typeof RULE_NAMES)[number];

/** Input of the check. */
export interface Subject {
  /** Id of the asset; null where the text names none, or several. */
  readonly assetId: string | null;
  /** Its newest published rating; null without one. */
  readonly record: ScoreRecord | null;
  /** Why there is no record, as text; not used if there is one. */
  readonly absence: string;
  /** The record's signature, over its bytes as they are, is by a key of this service. */
  readonly isSigned: boolean;
  /** The newest correction of this rating; null: it was not shown to be wrong. */
  readonly correction: { readonly made_at: string; readonly band: string; readonly score: number | null } | null;
  /** The evidence of the rating; null if it is no longer kept. */
  readonly evidence: EvidenceFacts | null;
}

/** One rule that was not met, or could not be evaluated. */
export interface FiredRule {
  readonly rule: RuleName;
  readonly outcome: 'block' | 'caution';
  /** False if the figure that the rule needs is unknown; the outcome is then that of `unknown`. */
  readonly decided: boolean;
  readonly limit: string | number | null;
  readonly found: string | number | null;
  readonly detail: string;
  /** The flag that fired the rule; null for other rules. */
  readonly flag: ScoreRecord['risk_flags'][number] | null;
  /**
   * Where the figure comes from: `rating` the signed record, `evidence` the evidence of its job, `request` the caller.
   */
  readonly from: 'rating' | 'evidence' | 'request';
}

export interface Verdict {
  readonly outcome: Outcome;
  readonly fired: readonly FiredRule[];
  /** Rules that apply and are met. */
  readonly met: readonly RuleName[];
  readonly exit: ExitFacts | null;
  /** A new rating would help, because there is none, it is old, or its evidence was deleted. */
  readonly wantsRating: boolean;
}

/** Amount held or bought, US dollars; null: not stated. `unknown`: there is an amount, and its value is not known. */
export type Amount = number | 'unknown' | null;

/** Tolerated difference between the clocks of machines. */
const CLOCK_MS = 5 * 60_000;
const NR = 'NR';

/**
 * Checks a published rating and its evidence against the rules. Pure: it changes no rating. A figure that is not known
 * gives the outcome of `unknown`. A record with an invalid signature is blocked whatever the rules are, and none of its
 * other values are used.
 */
export function judge(subject: Subject, rules: EffectiveRules, amountUsd: Amount, now: number): Verdict {
  const fired: FiredRule[] = [];
  const met: RuleName[] = [];
  const { record, evidence, correction } = subject;
  const fire = (
    rule: RuleName,
    outcome: 'block' | 'caution',
    about: Partial<FiredRule> & { readonly detail: string },
  ) =>
    void fired.push({ rule, outcome, decided: true, limit: null, found: null, flag: null, from: 'rating', ...about });
  const unknown = (rule: RuleName, detail: string, from: FiredRule['from']) =>
    fire(rule, rules.unknown, { decided: false, detail, from });
  const end = (exit: ExitFacts | null, wantsRating: boolean): Verdict => ({
    outcome: fired.reduce<Outcome>((worst, { outcome }) => stricter(worst, outcome), 'allow'),
    fired,
    met: met.filter((rule) => !fired.some((one) => one.rule === rule)),
    exit,
    wantsRating,
  });

  ownLists(subject, rules, fire, met);
  if (record === null) {
    unknown('not_rated', subject.absence, 'request');
    return end(null, true);
  }
  if (!subject.isSigned) {
    fire('signature', 'block', {
      detail: 'No key of this service signed the stored record: it was changed, or is not ours.',
    });
    return end(null, true);
  }
  met.push('signature');
  const asOf = Date.parse(record.as_of);
  if (!(asOf <= now + CLOCK_MS)) {
    unknown(
      'from_the_future',
      `The rating is of ${record.as_of}, which is later than the clock of this service.`,
      'rating',
    );
    return end(null, true);
  }
  const isWithdrawn = record.rating_action === 'withdraw';
  if (correction !== null)
    unknown(
      'corrected',
      `The rating was shown to be wrong on ${correction.made_at}: ${wordsOf(record)} should have been ${wordsOf(correction)}.`,
      'rating',
    );
  if (isWithdrawn) unknown('withdrawn', `The rating was withdrawn: ${record.action_reason}`, 'rating');
  else if (record.band === NR || record.score === null)
    unknown('not_rated', `The evidence is too thin for a band: ${record.action_reason}`, 'rating');
  else ofBand(record, rules, fire, met);
  if (record.default !== null)
    fire('defaulted', 'block', {
      found: record.default.since,
      detail: `The asset defaulted on ${record.default.since} and is not cured.`,
    });
  ofFlags(record, rules, fire, met);
  const isOld = ofAge(record, evidence, rules, now, { fire, unknown, met });
  const exit = evidence?.exitAt(rules.exit.max_cost_pct) ?? null;
  ofExit({ record, evidence, exit, rules, amountUsd }, { fire, unknown, met });
  return end(exit, correction !== null || isWithdrawn || record.band === NR || isOld || evidence === null);
}

function wordsOf({ band, score }: { readonly band: string; readonly score: number | null }): string {
  return score === null ? band : `${band} (${score})`;
}

type Fire = (
  rule: RuleName,
  outcome: 'block' | 'caution',
  about: Partial<FiredRule> & { readonly detail: string },
) => void;
interface Hand {
  readonly fire: Fire;
  readonly unknown: (rule: RuleName, detail: string, from: FiredRule['from']) => void;
  readonly met: RuleName[];
}

/** Lists of the caller: they apply to unrated assets too, as far as the id tells. */
function ownLists({ assetId, record }: Subject, rules: EffectiveRules, fire: Fire, met: RuleName[]): void {
  const chainOfId = assetId === null ? null : (parseAssetId(assetId)?.chain.name ?? null);
  const lists = [
    ['asset', rules.assets, assetId, 'request'],
    record === null
      ? (['chain', rules.chains, chainOfId, 'request'] as const)
      : (['chain', rules.chains, record.asset.chain, 'rating'] as const),
    ['class', rules.classes, record?.asset.class ?? null, 'rating'],
  ] as const;
  for (const [rule, list, found, from] of lists) {
    if (list === undefined || (record === null && found === null && rule !== 'asset')) continue;
    const names = (all: readonly string[]) => all.map((name) => comparable(name));
    const denied = found !== null && names(list.deny ?? []).includes(comparable(found));
    const isLeftOut = list.allow != null && (found === null || !names(list.allow).includes(comparable(found)));
    if (denied) fire(rule, 'block', { found, from, detail: `The caller’s list denies ${found}.` });
    else if (isLeftOut)
      fire(rule, 'block', { found, from, detail: `The caller’s list does not allow ${found ?? 'what has none'}.` });
    else met.push(rule);
  }
}

/** Addresses of EVM chains are compared without case. */
function comparable(name: string): string {
  return name.startsWith('eip155:') ? name.toLowerCase() : name;
}

function ofBand(record: ScoreRecord, rules: EffectiveRules, fire: Fire, met: RuleName[]): void {
  const rank = (band: string) => BANDS.indexOf(band as (typeof BANDS)[number]);
  const band = passedLimit(rules.band, (limit) => rank(record.band) > rank(limit));
  if (band)
    fire('band', band.outcome, {
      limit: band.limit,
      found: record.band,
      detail: `The band ${record.band} is worse than ${band.limit}.`,
    });
  else if (isLimited(rules.band)) met.push('band');
  const trust = passedLimit(rules.trust, (limit) => record.trust_score < limit);
  if (trust)
    fire('trust', trust.outcome, {
      limit: trust.limit,
      found: record.trust_score,
      detail: `Trust in the evidence is ${record.trust_score} of 100, below ${trust.limit}.`,
    });
  else if (isLimited(rules.trust)) met.push('trust');
}

function ofFlags({ risk_flags: flags }: ScoreRecord, rules: EffectiveRules, fire: Fire, met: RuleName[]): void {
  if (rules.flags === undefined) return;
  const { ignore = [] } = rules.flags;
  for (const flag of flags) {
    if (ignore.includes(flag.code)) continue;
    const outcome = (['block', 'caution'] as const).find((one) => {
      const wanted = rules.flags?.[one];
      return wanted?.codes?.includes(flag.code) || wanted?.severities?.includes(flag.severity);
    });
    if (outcome) fire('flag', outcome, { found: flag.code, flag, detail: `${flag.severity} flag: ${flag.title}.` });
  }
  met.push('flag');
}

/** True when the rating is older than the rules allow. */
function ofAge(
  record: ScoreRecord,
  evidence: EvidenceFacts | null,
  rules: EffectiveRules,
  now: number,
  { fire, unknown, met }: Hand,
): boolean {
  const hoursSince = (at: number) => Math.max(0, Math.round(((now - at) / HOUR_MS) * 10) / 10);
  const age = hoursSince(Date.parse(record.as_of));
  const old = passedLimit(rules.rating_age_hours, (limit) => age > limit);
  if (old)
    fire('rating_age', old.outcome, {
      limit: old.limit,
      found: age,
      detail: `The rating is ${age} hours old, older than ${old.limit}.`,
    });
  else if (isLimited(rules.rating_age_hours)) met.push('rating_age');
  if (!isLimited(rules.evidence_age_hours)) return old !== null;
  const middle = evidence?.middleObservedAt ?? null;
  if (middle === null)
    unknown('evidence_age', 'The evidence of the rating is no longer kept: its age is not known.', 'evidence');
  else {
    const hours = hoursSince(middle);
    const late = passedLimit(rules.evidence_age_hours, (limit) => hours > limit);
    if (late)
      fire('evidence_age', late.outcome, {
        limit: late.limit,
        found: hours,
        from: 'evidence',
        detail: `Half of the observations are older than ${counted(hours, 'hour')}, more than ${late.limit}.`,
      });
    else met.push('evidence_age');
  }
  return old !== null;
}

interface ExitCase {
  readonly record: ScoreRecord;
  readonly evidence: EvidenceFacts | null;
  readonly exit: ExitFacts | null;
  readonly rules: EffectiveRules;
  readonly amountUsd: Amount;
}

function ofExit({ record, evidence, exit, rules, amountUsd }: ExitCase, { fire, unknown, met }: Hand): void {
  // A project without a token has nothing that could be sold.
  if (record.stage === 'pre_tge') return;
  const from = 'evidence';
  const { size_usd: size, amount, estimated, max_cost_pct: cost } = rules.exit;
  const wantsAmount = amount !== undefined && amountUsd !== null && amountUsd !== 'unknown';
  if (amount !== undefined && amountUsd === 'unknown')
    unknown('exit_amount', 'What the position is worth is not known.', 'request');
  const absent =
    evidence === null ? 'The evidence of the rating is no longer kept' : 'No pool and no order book is known';
  if (exit === null) {
    if (isLimited(size)) unknown('exit_size', `${absent}: what can be sold at ${cost} % is not known.`, from);
    if (wantsAmount) unknown('exit_amount', `${absent}: what can be sold at ${cost} % is not known.`, from);
    if (isLimited(rules.pool_share_pct)) unknown('pool_share', `${absent}: the pools are not known.`, from);
    if (estimated !== undefined)
      unknown('exit_estimated', `${absent}: no pool that was read from the chain is known.`, from);
  } else {
    const usd = Math.floor(exit.sizeUsd);
    const small = passedLimit(size, (limit) => exit.sizeUsd < limit);
    if (small)
      fire('exit_size', small.outcome, {
        limit: small.limit,
        found: usd,
        from,
        detail: `Only ${usd} USD can be sold at a cost of ${cost} %, less than ${small.limit}.`,
      });
    else if (isLimited(size)) met.push('exit_size');
    if (wantsAmount && amountUsd > exit.sizeUsd)
      fire('exit_amount', amount, {
        limit: usd,
        found: amountUsd,
        from,
        detail: `${amountUsd} USD are more than the largest exposure of ${usd} USD at a cost of ${cost} %.`,
      });
    else if (wantsAmount) met.push('exit_amount');
    const share = exit.largestPool;
    const narrow = passedLimit(rules.pool_share_pct, (limit) => (share?.sharePct ?? 0) > limit);
    if (narrow && share)
      fire('pool_share', narrow.outcome, {
        limit: narrow.limit,
        found: Math.round(share.sharePct * 10) / 10,
        from,
        detail: `One pool (${share.scope}) takes ${share.sharePct.toFixed(1)} % of the exit.`,
      });
    else if (isLimited(rules.pool_share_pct) && share) met.push('pool_share');
    // Without a pool in the exit there is no concentration, except if nothing can be sold in the pools.
    else if (isLimited(rules.pool_share_pct) && exit.method !== 'order_books')
      unknown('pool_share', `Nothing can be sold at ${cost} %: which pool would take most is not known.`, from);
    if (estimated !== undefined && exit.method === 'tvl_proxy')
      fire('exit_estimated', estimated, {
        found: exit.method,
        from,
        detail: 'No pool was read from the chain: the exit is estimated from what indexers report.',
      });
    else if (estimated !== undefined) met.push('exit_estimated');
  }
  if (!isLimited(rules.provider_share_pct)) return;
  const provider = evidence?.providerSharePct ?? null;
  const creator = passedLimit(rules.provider_share_pct, (limit) => (provider ?? 0) > limit);
  if (provider !== null && creator)
    fire('provider_share', creator.outcome, {
      limit: creator.limit,
      found: Math.round(provider * 10) / 10,
      from,
      detail: `The creator and linked wallets hold ${provider.toFixed(1)} % of the liquidity.`,
    });
  else if (provider !== null) met.push('provider_share');
  else if (evidence === null || evidence.hasProviders)
    unknown('provider_share', 'Who holds the liquidity is not known.', from);
}

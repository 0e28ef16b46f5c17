import {
  BANDS,
  type ConsensusSet,
  type Feature,
  type QuantityId,
  type Rating,
  type TrustScore,
} from '../domain/index.ts';
import { type Methodology, missingRows, missingWords } from '../methodology/index.ts';
import { ageOf } from './age.ts';
import { scoreFactors } from './arithmetic/factors.ts';
import { trustOf } from './arithmetic/trust.ts';
import { applyCaps, capsOf } from './caps.ts';
import { isIssued } from './ceilings.ts';
import { classify, isByOneGroup } from './class.ts';
import { type Context, consensusOf, contextOf, numberOf } from './context.ts';
import { defaultOf } from './defaulted.ts';
import { featuresOf } from './features/features.ts';
import { isMarketShown } from './flags/market.ts';
import { raiseFlags } from './flags/raise.ts';
import { inOrder, type RatingInput } from './input.ts';
import { issue, trustCap } from './issue.ts';
import { withLastAdverse } from './missing-values.ts';
import { ratePreTge } from './pre-tge/rate.ts';
import { withAssumptions } from './suppose.ts';
import { limitationsOf } from './text.ts';
import { vfrOf } from './vfr/vfr.ts';

/** Knock-outs that are issued at any trust because they have their own evidence (methodology 2.2). */
const PROVEN = new Set(['HONEYPOT', 'RUG_EXECUTED', 'LIQUIDITY_CRITICAL']);

/**
 * The rating of an asset, by the model of its stage. Pure: the same input and methodology give the same bytes.
 */
export function rate(given: RatingInput, methodology: Methodology): Rating {
  const input = inOrder(withAssumptions(given));
  return input.identification.stage === 'pre_tge' ? ratePreTge(input, methodology) : rateToken(input, methodology);
}

/** Computes the results for a token before they become a rating. */
function judge(input: RatingInput, methodology: Methodology) {
  const { class: of, reason } = classify(input, methodology);
  const { match } = input.identification;
  const context = contextOf(input, of, methodology, () => isByOneGroup(input, methodology));
  const features = featuresOf(context);
  const scored = scoreFactors(withLastAdverse(features, input.recall, methodology), of, methodology);
  const weights = new Map(scored.factors.map((factor) => [factor.code, factor.weight]));
  const flags = raiseFlags(context);
  const trust = trustOf(
    features.map((feature) => ({ ...feature, factorWeight: weights.get(feature.factor) ?? 0 })),
    match,
    input.consensus,
    methodology,
    flags.some((flag) => flag.code === 'ACCUSATION_UNCONFIRMED'),
  );
  const lifted = new Set(input.supposed?.liftedCaps);
  const caps = [...capsOf(context, flags), ...trustCap(trust)].filter(({ code }) => !lifted.has(code));
  return { class: of, reason, context, features, scored, flags, trust, caps, defaulted: defaultOf(context, flags) };
}

/**
 * Computes only the score, equal to that of `rate` when the asset is rated and not in default. Used for searches over
 * many inputs.
 */
export function scoreOf(given: RatingInput, methodology: Methodology): number {
  const { scored, caps } = judge(withAssumptions(given), methodology);
  return applyCaps(scored.uncapped, caps, methodology).score;
}

function rateToken(input: RatingInput, methodology: Methodology): Rating {
  const { asset, match } = input.identification;
  const judged = judge(input, methodology);
  const { context, features, scored, flags, trust, caps, defaulted } = judged;
  const { category } = context;
  const notRated = notRatedReasons(context, features, trust, match);
  const rows = missingRows(
    { stage: 'post_tge', category, hasContract: asset.address !== null && !context.native, chainKind: context.kind },
    input.consensus,
    methodology.publication.floor,
  );
  const missing = missingWords(rows);
  const issued = (reasons: readonly string[]) =>
    issue(
      {
        name: asset.name,
        scored,
        trust,
        flags,
        caps,
        notRated: reasons,
        isProven: defaulted !== null || flags.some((flag) => PROVEN.has(flag.code)),
        defaulted,
      },
      {
        class: judged.class,
        category,
        categoryReason: judged.reason,
        outlook: null,
        ...(missing === null ? {} : { missing: rows }),
        limitations: [...limitationsOf(context, trust, flags), ...(missing === null ? [] : [`${missing}.`])],
        isProvisional: false,
        like: { stage: 'post_tge', rank: bestRank(context), ageDays: ageOf(context)?.value ?? null },
        vfrOf: (band, trustScore) => vfrOf(context, { band, trust: trustScore }),
      },
      methodology,
    );
  const rating = issued(notRated);
  return isTooGood(context, rating)
    ? issued([
        `nobody here reads its chain: above ${methodology.featureRules.unreadBest} who may mint, freeze or replace it must be known`,
      ])
    : rating;
}

/**
 * True for a token whose powers were not read and are in no register, although its score is high enough for a band that
 * requires known powers.
 */
function isTooGood(context: Context, { band }: Rating): boolean {
  const { unreadBest } = context.methodology.featureRules;
  const isKept = isIssued(context) || consensusOf(context, 'protocol_control_state') !== null;
  const isToken = !context.native && context.class !== 'native_l1';
  const isUnread = isToken && context.kind === null && !isKept;
  return isUnread && band !== 'NR' && BANDS.indexOf(band) < BANDS.indexOf(unreadBest);
}

/** Why the evidence is insufficient for a rating (methodology 2.2); empty when it is sufficient. */
function notRatedReasons(
  context: Context,
  features: readonly Feature[],
  trust: TrustScore,
  match: number,
): readonly string[] {
  const { minimumMatch, tiers } = context.methodology.trust;
  const weakest = tiers.find((row) => row.tier === 'weak')?.from ?? 0;
  const reasons: string[] = [];
  if (trust.score < weakest) reasons.push(`trust in the evidence is ${trust.score}, below ${weakest}`);
  if (match < minimumMatch) reasons.push(`the identity match is ${match.toFixed(2)}, below ${minimumMatch}`);
  const { observedConfidence } = context.methodology.trust;
  const known = (...quantities: QuantityId[]) =>
    quantities.some((quantity) => (numberOf(context, quantity)?.confidence ?? 0) >= observedConfidence);
  // The value of a promise is its backing: neither market nor supply needs to be known.
  const needs = (id: string) => features.some((feature) => feature.id === id && feature.status !== 'not_applicable');
  const missing = [
    ...(known('price_usd') ? [] : ['price']),
    ...((isMarketShown(context) &&
      (known('liquidity_dex_usd', 'volume_24h_cex_usd', 'volume_24h_usd') || hasBookDepth(context))) ||
    !needs('mq_vola365')
      ? []
      : ['liquidity']),
    ...(known('total_supply', 'circulating_supply') || !needs('sd_circ') ? [] : ['supply']),
  ];
  if (missing.length > 0) reasons.push(`not known: ${missing.join(', ')}`);
  return reasons;
}

/** The best rank on any market list; null when no list has the asset. */
function bestRank({ input }: Context): number | null {
  const ranks = Object.values(input.consensus).flatMap(({ quantity, value }) =>
    quantity === 'registry_rank' && typeof value === 'number' ? [value] : [],
  );
  return ranks.length === 0 ? null : Math.min(...ranks);
}

function hasBookDepth(context: Context): boolean {
  return Object.keys(context.input.consensus).some((key) => key.startsWith('venue_depth_up_2pct_usd@'));
}

const KEYS = ['mint_authority_state', 'freeze_authority_state'] as const;

/**
 * Computes the same rating with the powers of a disclosed, supervised issuer treated like a stranger's; null when no
 * such issuer holds a key. What an issuer may do by law, it can still do technically.
 */
export function rateTechnically(input: RatingInput, methodology: Methodology): Rating | null {
  const held = KEYS.filter((key) => input.consensus[key]?.value === 'regulated_issuer');
  if (held.length === 0) return null;
  const consensus: ConsensusSet = Object.fromEntries(
    Object.entries(input.consensus).map(([key, row]) =>
      (held as readonly string[]).includes(key) ? [key, { ...row, value: 'eoa' }] : [key, row],
    ),
  );
  return rate({ ...input, consensus }, methodology);
}

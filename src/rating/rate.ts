import { findChain } from '../domain/chains.ts';
import type { QuantityId } from '../domain/quantities.ts';
import type { CapApplied, Factor, FactorCode, Feature, Rating, TrustScore } from '../domain/rating.ts';
import { bandOf, toScore } from '../methodology/bands.ts';
import type { Methodology } from '../methodology/types.ts';
import { applyCaps } from './arithmetic/caps.ts';
import { roundPoints, scoreFactors } from './arithmetic/factors.ts';
import { trustOf } from './arithmetic/trust.ts';
import { capsOf } from './caps.ts';
import { categorise } from './category.ts';
import { type Context, numberOf } from './context.ts';
import { featuresOf } from './features/all.ts';
import { raiseFlags } from './flags/raise.ts';
import { inOrder } from './order.ts';
import type { RatingInput } from './types.ts';
import { vfrOf } from './vfr/vfr.ts';
import { limitationsOf } from './words/limitations.ts';
import { factorRationale, summaryOf } from './words/rationale.ts';

const DAY_MS = 86_400_000;
/** Knock-outs that are issued whatever trust says (methodology 2.2): they stand on their own evidence. */
const PROVEN = new Set(['HONEYPOT', 'RUG_EXECUTED']);
const DEFAULT_SCORE = 4.9;
/** An executed rug is a default at once (methodology 4.4, D6); its line says so beside the caps. */
const DEFAULT_CAP: CapApplied = {
  code: 'DEFAULT',
  cap: DEFAULT_SCORE,
  band: 'D',
  flag: 'RUG_EXECUTED',
  detail: 'liquidity was taken out by wallets linked to the creator',
  binding: true,
};

/** The rating of an asset. Pure: the same input and methodology give the same bytes. */
export function rate(given: RatingInput, methodology: Methodology): Rating {
  const input = inOrder(given);
  const { category, reason } = categorise(input, methodology);
  const { asset, match } = input.identification;
  const context: Context = {
    input,
    methodology,
    category,
    kind: asset.chain === null ? null : (findChain(asset.chain)?.kind ?? null),
    native: asset.address === 'native',
    now: Date.parse(input.asOf),
  };
  const features = featuresOf(context);
  const scored = scoreFactors(features, category, methodology, priorOf(features, context));
  const weights = methodology.categories[category].weights;
  const trust = trustOf(
    features.map((feature) => ({ ...feature, factorWeight: weights[feature.factor] })),
    match,
    methodology,
  );
  const flags = raiseFlags(context);
  const candidates = [...capsOf(context, flags), ...trustCap(trust)];
  const uncapped = toScore(scored.uncapped);
  const { score, caps } = applyCaps(scored.uncapped, candidates, methodology);
  const points = roundPoints(
    scored.factors.map((factor) => factor.points),
    toScore(uncapped - scored.prior),
  );
  const factors: Factor[] = scored.factors.map((factor, index) => ({
    ...factor,
    points: points[index] ?? 0,
    rationale: factorRationale(factor),
  }));
  const notRated = notRatedReasons(context, trust, match);
  const defaulted = flags.some((flag) => flag.code === 'RUG_EXECUTED');
  const issued = notRated.length === 0 || flags.some((flag) => PROVEN.has(flag.code));
  const finalScore = defaulted ? Math.min(score, DEFAULT_SCORE) : score;
  const allCaps = defaulted ? [DEFAULT_CAP, ...caps.map((cap) => ({ ...cap, binding: false }))] : caps;
  const band = !issued ? 'NR' : defaulted ? 'D' : bandOf(finalScore, methodology);
  const rating: Omit<Rating, 'summary'> = {
    category,
    categoryReason: reason,
    band,
    score: issued ? finalScore : null,
    interval: issued
      ? [
          toScore(Math.min(scored.interval[0], finalScore)),
          toScore(Math.max(finalScore, Math.min(scored.interval[1], capCeiling(allCaps)))),
        ]
      : null,
    uncappedScore: issued ? uncapped : null,
    uncappedBand: issued ? bandOf(uncapped, methodology) : null,
    notRatedReasons: issued ? [] : notRated,
    evidenceCap: issued && trust.tier === 'limited',
    provisional: issued && (trust.tier === 'weak' || trust.tier === 'insufficient'),
    prior: scored.prior,
    factors,
    caps: issued ? allCaps : [],
    flags,
    trust,
    vfr: vfrOf(context, { band, trust: trust.score }),
    outlook: null,
    limitations: limitationsOf(context, trust, flags),
  };
  return { ...rating, summary: summaryOf(asset.name, rating) };
}

/** The prior of a factor: 40; or the last published factor decaying to 40 where it was our source that failed. */
function priorOf(features: readonly Feature[], context: Context): (code: FactorCode) => number {
  const { prior, priorHalfLifeDays } = context.methodology.aggregation;
  const { previous } = context.input;
  return (code) => {
    const last = previous?.factors[code];
    const mine = features.filter(
      (feature) => feature.factor === code && feature.weight > 0 && feature.status !== 'not_applicable',
    );
    const lost = mine.some((feature) => feature.ourSourceFailed);
    if (previous === null || last === undefined || !lost) return prior;
    const age = Math.max(0, (context.now - Date.parse(previous.asOf)) / DAY_MS);
    return prior + (last - prior) * 2 ** (-age / priorHalfLifeDays);
  };
}

function trustCap(trust: TrustScore): readonly { code: string; flag: null; detail: string }[] {
  if (trust.tier === 'limited')
    return [{ code: 'TRUST_LIMITED', flag: null, detail: `trust in the evidence is ${trust.score}` }];
  if (trust.tier === 'weak')
    return [{ code: 'TRUST_WEAK', flag: null, detail: `trust in the evidence is ${trust.score}` }];
  return [];
}

/** Why the evidence is too thin to rate on; empty when it is enough. */
function notRatedReasons(context: Context, trust: TrustScore, match: number): readonly string[] {
  const { minimumMatch, tiers } = context.methodology.trust;
  const weakest = tiers.find((row) => row.tier === 'weak')?.from ?? 0;
  const reasons: string[] = [];
  if (context.input.identification.stage === 'pre_tge')
    reasons.push('the project has no token yet; the model for projects before their token is not part of this version');
  if (trust.score < weakest) reasons.push(`trust in the evidence is ${trust.score}, below ${weakest}`);
  if (match < minimumMatch) reasons.push(`the identity match is ${match.toFixed(2)}, below ${minimumMatch}`);
  const { observedConfidence } = context.methodology.trust;
  const known = (...quantities: QuantityId[]) =>
    quantities.some((quantity) => (numberOf(context, quantity)?.confidence ?? 0) >= observedConfidence);
  const missing = [
    ...(known('price_usd') ? [] : ['price']),
    ...(known('liquidity_dex_usd', 'volume_24h_cex_usd') || hasBookDepth(context) ? [] : ['liquidity']),
    ...(known('total_supply', 'circulating_supply') ? [] : ['supply']),
  ];
  if (missing.length > 0) reasons.push(`not known: ${missing.join(', ')}`);
  return reasons;
}

function hasBookDepth(context: Context): boolean {
  return Object.keys(context.input.consensus).some((key) => key.startsWith('venue_depth_up_2pct_usd@'));
}

/** A capped rating's interval ends at the cap. */
function capCeiling(caps: readonly { readonly cap: number; readonly binding: boolean }[]): number {
  return caps.find((cap) => cap.binding)?.cap ?? 100;
}

import type { CapApplied, Tie as KnownTie, Flag as RaisedFlag, ScoreReport, ScoreRequest } from '../domain/index.ts';
import { failureView } from './failure.ts';
import type { Flag, MinimalScore, StandardScore } from './score.ts';
import { round } from './view.ts';
import type { Cap, Reply } from './vocabulary.ts';

/** Data of one caller that a reply adds to the report of the asset. */
export interface ReplyContext {
  /** The caller's job. */
  readonly jobId: string;
  /** The collection that the reply is based on, or that continues; null for a job from before collections. */
  readonly collectionId: string | null;
  /** The caller's request, which the reply echoes. */
  readonly asked: ScoreRequest;
  readonly warnings: readonly string[];
  /**
   * Relations that the project states to others, with the state of the other end and the observations that they are
   * based on.
   */
  readonly ties: readonly (KnownTie & { readonly keys: readonly string[] })[];
  /** Seconds from the start of the caller's job to its result. */
  readonly seconds: number;
  /** Milliseconds since the epoch, from which ages are computed. */
  readonly now: number;
}

/**
 * The rating as it is returned. A published default applies to every reply, because some default tests count days in
 * price charts, which the factors of a single moment do not include.
 */
function answered({ rating, published }: ScoreReport): ScoreReport['rating'] {
  const { band, score } = published;
  if (band !== 'D' || rating.band === 'D') return rating;
  const tests = published.defaultTests.map(({ detail }) => detail).join('; ');
  const because: CapApplied = {
    code: 'DEFAULT',
    cap: score ?? 0,
    band,
    flag: null,
    detail: tests === '' ? 'it is in default, and not cured yet' : tests,
    binding: true,
  };
  return {
    ...rating,
    band,
    score,
    interval: score === null ? null : [score, score],
    caps: [because, ...rating.caps.map((cap) => ({ ...cap, binding: false }))],
    failure: published.failure ?? rating.failure,
  };
}

/**
 * Why the published band or score differs from `rating`: flags that are no longer raised but still count, or the delay
 * of band changes.
 */
export function whyPublishedDiffers(
  rating: Pick<ScoreReport['rating'], 'band' | 'score' | 'flags'>,
  published: Pick<ScoreReport['published'], 'band' | 'score' | 'flags' | 'actionReason'>,
): string | null {
  if (published.band === rating.band && published.score === rating.score) return null;
  const raised = new Set(rating.flags.map(({ code }) => code));
  const held = published.flags.filter(({ code, severity }) => severity !== 'low' && !raised.has(code));
  if (held.length === 0) return published.actionReason;
  return held.map(({ title, detail }) => `${title}: ${detail}`).join('; ');
}

/** The `minimal` reply: exactly the fields of the interface document. The request is echoed as it was sent. */
export function minimalFormat(
  report: ScoreReport,
  { jobId, asked, seconds }: ReplyContext,
): Reply<typeof MinimalScore> {
  const rating = answered(report);
  return {
    job_id: jobId,
    type: asked.type,
    project: asked.project,
    rating: { band: rating.band, score: rating.score },
    trust_score: { score: rating.trust.score },
    vfr: { value: rating.vfr.value, zone: rating.vfr.zone },
    execution_time_seconds: seconds,
  };
}

/** The `standard` reply: the minimal one with reasons. */
export function standardFormat(report: ScoreReport, view: ReplyContext): Reply<typeof StandardScore> {
  const { evidence, published, decision } = report;
  const rating = answered(report);
  const minimal = minimalFormat(report, view);
  return {
    ...minimal,
    published: decision.published,
    published_rating: decision.published
      ? { band: published.band, score: published.score, reason: whyPublishedDiffers(rating, published) }
      : null,
    not_published_because: decision.because.map(({ code, detail }) => ({ code, detail })),
    collection_id: view.collectionId,
    data_mode: evidence.dataMode,
    as_of: evidence.asOf,
    age_seconds: Math.max(0, Math.round((view.now - Date.parse(evidence.asOf)) / 1000)),
    stage: evidence.identification.stage,
    asset: assetView(report),
    rating: {
      ...minimal.rating,
      interval: rating.interval,
      outlook: rating.outlook,
      uncapped_score: rating.uncappedScore,
      uncapped_band: rating.uncappedBand,
      evidence_cap: rating.evidenceCap,
      provisional: rating.provisional,
      not_rated_reasons: rating.notRatedReasons,
    },
    trust_score: { ...minimal.trust_score, tier: rating.trust.tier, components: roundAll(rating.trust.components) },
    vfr: {
      ...minimal.vfr,
      interval: rating.vfr.interval,
      method: rating.vfr.method,
      peers: rating.vfr.peers,
      reason: rating.vfr.reason,
      z: rating.vfr.z,
      fair_value_usd: rating.vfr.fairValueUsd,
      circulating: rating.vfr.variants.circulating,
      fully_diluted: rating.vfr.variants.fullyDiluted,
      notes: rating.vfr.notes,
    },
    failure_probability: failureView(rating.failure ?? []),
    risk_flags: rating.flags.map((flag) => flagView(flag, report.published)),
    factors: rating.factors.map((factor) => ({
      code: factor.code,
      name: factor.name,
      score: round(factor.score, 1),
      weight: factor.weight,
      confidence: round(factor.confidence, 2),
      points: factor.points,
    })),
    caps_applied: rating.caps.map(capView),
    ties: view.ties.map(({ kind, subject, state, by, link, keys }) => ({
      kind,
      subject,
      state,
      by,
      link,
      observations: keys,
    })),
    sources: evidence.sources.map((source) => ({
      name: source.name,
      outcome: source.outcome,
      milliseconds: source.milliseconds,
      items_used: source.observations,
      asked: source.asked,
      answered: source.answered,
      detail: source.detail,
    })),
    attributions: evidence.attributions,
    methodology_version: evidence.methodologyVersion,
    warnings: [...view.warnings, ...evidence.warnings],
  };
}

function flagView(flag: RaisedFlag, published: ScoreReport['published']): Reply<typeof Flag> {
  const first = published.flags.find(({ code }) => code === flag.code)?.since;
  return {
    code: flag.code,
    severity: flag.severity,
    title: flag.title,
    detail: flag.detail,
    confidence: round(flag.confidence, 2),
    since: flag.since ?? first ?? null,
    evidence: flag.evidence,
  };
}

export function capView(cap: CapApplied): Reply<typeof Cap> {
  return { code: cap.code, cap: cap.cap, band: cap.band, flag: cap.flag, detail: cap.detail, binding: cap.binding };
}

function assetView(report: ScoreReport): Reply<typeof StandardScore>['asset'] {
  const { identification } = report.evidence;
  const { asset } = identification;
  return {
    id: asset.id,
    chain: asset.chain,
    address: asset.address,
    symbol: asset.symbol,
    name: asset.name,
    class: report.rating.class,
    category: report.rating.category,
    category_reason: report.rating.categoryReason,
    website: asset.website,
    identification: {
      match: round(identification.match, 3),
      registrable_domain: identification.registrableDomain,
      links: identification.links,
      contradictions: identification.contradictions,
      notes: identification.notes,
    },
  };
}

function roundAll(parts: ScoreReport['rating']['trust']['components']) {
  return Object.fromEntries(Object.entries(parts).map(([name, value]) => [name, round(value, 3)])) as typeof parts;
}

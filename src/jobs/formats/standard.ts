import type { CapApplied, Flag, ScoreReport } from '../../domain/index.ts';
import { type KnownTie, tiesOf } from '../../rating/index.ts';
import type { AnswerView } from './answer-view.ts';
import { minimalFormat } from './minimal.ts';

/** The `standard` reply: the minimal one with the reasons. */
export function standardFormat(report: ScoreReport, view: AnswerView) {
  const { evidence, rating, decision } = report;
  const minimal = minimalFormat(report, view);
  return {
    ...minimal,
    published: decision.published,
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
    risk_flags: rating.flags.map(flagView),
    factors: rating.factors.map((factor) => ({
      code: factor.code,
      name: factor.name,
      score: round(factor.score, 1),
      weight: factor.weight,
      confidence: round(factor.confidence, 2),
      points: factor.points,
    })),
    caps_applied: rating.caps.map(capView),
    ties: tiesOf(report).map(tieView),
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

/** A flag as it leaves the house. */
function flagView(flag: Flag) {
  return {
    code: flag.code,
    severity: flag.severity,
    title: flag.title,
    detail: flag.detail,
    confidence: round(flag.confidence, 2),
    since: flag.since,
    evidence: flag.evidence,
  };
}

/** A statement of the project with the state of its other end. */
function tieView({ kind, subject, state, by, link, keys }: KnownTie) {
  return { kind, subject, state, by, link, observations: keys };
}

function capView(cap: CapApplied) {
  return { code: cap.code, cap: cap.cap, band: cap.band, flag: cap.flag, detail: cap.detail, binding: cap.binding };
}

function assetView(report: ScoreReport) {
  const { identification } = report.evidence;
  const { asset } = identification;
  return {
    id: asset.id,
    chain: asset.chain,
    address: asset.address,
    symbol: asset.symbol,
    name: asset.name,
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

/** Rounds for print; the archive keeps every digit. */
export function round(value: number, digits: number): number {
  const power = 10 ** digits;
  return Math.round(value * power) / power;
}

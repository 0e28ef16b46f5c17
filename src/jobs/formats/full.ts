import type { Consensus, ConsensusVoice, Factor, Json, ScoreReport } from '../../domain/index.ts';
import type { AnswerView } from './answer-view.ts';
import { featureView } from './feature.ts';
import { round, standardFormat } from './standard.ts';

/** The `full` reply: every feature, every quantity with every source's voice, every archived reply. */
export function fullFormat(report: ScoreReport, view: AnswerView) {
  const { evidence, consensus, rating } = report;
  const withheld = new Set(evidence.notRedistributable);
  const quantities = Object.values(consensus).map((row) => quantityView(row, withheld));
  const isWithheld = (quantity: string | null) =>
    quantities.some((row) => row.quantity === quantity && row.scope === 'asset' && row.value === null);
  return {
    ...standardFormat(report, view),
    summary: rating.summary,
    limitations: rating.limitations,
    prior: rating.prior,
    factors: rating.factors.map(factorView),
    gaps: rating.trust.gaps,
    conflicts: quantities
      .filter((row) => row.status === 'disputed' || row.outvoted.length > 0)
      .map((row) => ({ quantity: row.quantity, scope: row.scope, status: row.status, outvoted: row.outvoted })),
    quantities,
    vfr_fit: { sd: rating.vfr.sd, r2: rating.vfr.r2 },
    vfr_drivers: rating.vfr.drivers.map((driver) => ({
      estimator: driver.estimator,
      quantity: driver.quantity,
      value: isWithheld(driver.quantity) ? null : driver.value,
      days: driver.days,
      peers: driver.peers,
      fair_value_usd: driver.fairValueUsd,
      sd: driver.sd,
      weight: driver.weight,
    })),
    candidates_rejected: evidence.identification.rejected,
    evidence: evidence.responses.map((response) => ({
      id: response.id,
      source: response.source,
      endpoint: response.endpoint,
      outcome: response.outcome,
      url: response.url,
      status: response.status,
      fetched_at: response.fetchedAt,
      milliseconds: response.milliseconds,
      sha256: response.sha256,
      bytes: response.bytes,
      detail: response.detail,
    })),
    replay: { command: `assay replay ${view.jobId}`, methodology_hash: evidence.methodologyHash },
  };
}

function factorView(factor: Factor) {
  return {
    code: factor.code,
    name: factor.name,
    score: round(factor.score, 1),
    raw_score: factor.rawScore === null ? null : round(factor.rawScore, 1),
    weight: factor.weight,
    confidence: round(factor.confidence, 2),
    shrink: round(factor.shrink, 3),
    prior: round(factor.prior, 1),
    points: factor.points,
    rationale: factor.rationale,
    features: factor.features.map((feature) => ({ ...featureView(feature), observations: feature.basis })),
  };
}

function quantityView(row: Consensus, withheld: ReadonlySet<string>) {
  const voices = row.voices.map((voice) => voiceView(voice, withheld));
  // A single voice that may not be passed on raw may not be passed on as a "consensus" either.
  const onlyWithheld = row.voices.length > 0 && row.voices.every((voice) => withheld.has(voice.source));
  const open = !onlyWithheld || row.families > 1;
  return {
    quantity: row.quantity,
    scope: row.scope,
    unit: row.unit,
    value: open ? row.value : null,
    low: open ? row.low : null,
    high: open ? row.high : null,
    confidence: round(row.confidence, 3),
    confidence_parts: row.parts,
    status: row.status,
    independent_families: row.families,
    effective_families: round(row.effectiveFamilies, 2),
    dispersion: row.dispersion,
    observed_at: row.observedAt,
    failed_identities: row.failedIdentities,
    voices,
    outvoted: voices.filter(
      (voice) =>
        voice.reason === 'outlier' || voice.reason === 'unit_mismatch' || voice.reason === 'wrong_token_suspected',
    ),
  };
}

function voiceView(voice: ConsensusVoice, withheld: ReadonlySet<string>) {
  const closed = withheld.has(voice.source);
  return {
    source: voice.source,
    endpoint: voice.endpoint,
    family: voice.family,
    tier: voice.tier,
    value: closed ? null : (voice.value as Json),
    withheld: closed,
    meaning: voice.meaning,
    observed_at: voice.observedAt,
    weight: round(voice.weight, 4),
    z: voice.z === null ? null : round(voice.z, 2),
    unit_power: voice.unitPower,
    accepted: voice.accepted,
    reason: voice.reason,
    evidence: voice.responseId,
  };
}

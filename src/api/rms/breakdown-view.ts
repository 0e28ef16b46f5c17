import type { ConsensusSet, Factor, Feature, ScoreReport } from '../../domain/index.ts';
import { featureView, round } from '../../jobs/index.ts';
import type { ScoreRecord } from '../../publication/index.ts';

export interface Contribution {
  readonly kind: 'prior' | 'factor' | 'caps' | 'default' | 'fading_caps' | 'standing_rating';
  readonly code: string;
  readonly name: string;
  /** In steps of 0.1. */
  readonly points: number;
  readonly detail: string;
}

/** What a published rating is made of: every part in points, every factor with its features and who was heard on them. */
export function breakdownView(report: ScoreReport, record: ScoreRecord) {
  const { rating, consensus } = report;
  return {
    asset: record.asset,
    score: record.score,
    band: record.band,
    trust_score: record.trust_score,
    contributions: contributionsOf(report, record.score),
    factors: rating.factors.map((factor) => factorView(factor, consensus)),
    caps: rating.caps.map(({ code, cap, band, flag, detail, binding }) => ({ code, cap, band, flag, detail, binding })),
    risk_flags: record.risk_flags,
    gaps: record.gaps,
    conflicts: record.conflicts,
    summary: rating.summary,
    limitations: rating.limitations,
    methodology_version: record.methodology_version,
    methodology_hash: record.methodology_hash,
    job_id: record.job_id,
    as_of: record.as_of,
    data_mode: record.data_mode,
  };
}

/**
 * The parts of a published score, which add up to it to the last digit; none when there is no score. Reckoned in whole tenths,
 * so that nothing is lost on the way.
 */
export function contributionsOf(
  { rating, published, state }: ScoreReport,
  score: number | null,
): readonly Contribution[] {
  if (score === null) return [];
  const lines: Contribution[] = [
    {
      kind: 'prior',
      code: 'PRIOR',
      name: 'prior',
      points: fromTenths(tenths(rating.prior)),
      detail: 'where a rating starts',
    },
  ];
  for (const factor of rating.factors)
    lines.push({
      kind: 'factor',
      code: factor.code,
      name: factor.name,
      points: fromTenths(tenths(factor.points)),
      detail: `${round(factor.score, 1)} of 100, weight ${factor.weight}`,
    });
  const caps =
    rating.score === null || rating.uncappedScore === null ? 0 : tenths(rating.score) - tenths(rating.uncappedScore);
  const binding = rating.caps.filter((cap) => cap.binding).map((cap) => cap.code);
  if (caps !== 0)
    lines.push({ kind: 'caps', code: 'CAP', name: 'caps', points: fromTenths(caps), detail: binding.join(', ') });
  const explained = lines.reduce((sum, line) => sum + tenths(line.points), 0);
  const rest = tenths(score) - explained;
  if (rest !== 0)
    lines.push({
      ...heldBy(
        published.default !== null,
        state.fadingCaps.map((cap) => cap.code),
      ),
      points: fromTenths(rest),
    });
  return lines;
}

function heldBy(defaulted: boolean, fading: readonly string[]): Omit<Contribution, 'points'> {
  if (defaulted)
    return { kind: 'default', code: 'DEFAULT', name: 'default', detail: 'a default test is met or not cured yet' };
  if (fading.length > 0)
    return {
      kind: 'fading_caps',
      code: 'CAP',
      name: 'caps that fade',
      detail: `lifted less than seven days ago: ${fading.join(', ')}`,
    };
  return {
    kind: 'standing_rating',
    code: 'STANDS',
    name: 'the rating before stands',
    detail: 'the evidence of this moment is too thin to rate by; the score before is kept for now',
  };
}

function factorView(factor: Factor, consensus: ConsensusSet) {
  return {
    code: factor.code,
    name: factor.name,
    score: round(factor.score, 1),
    raw_score: factor.rawScore === null ? null : round(factor.rawScore, 1),
    weight: factor.weight,
    contribution: factor.points,
    confidence: round(factor.confidence, 2),
    shrink: round(factor.shrink, 3),
    prior: round(factor.prior, 1),
    rationale: factor.rationale,
    features: factor.features.map((feature) => heardFeature(feature, consensus)),
  };
}

function heardFeature(feature: Feature, consensus: ConsensusSet) {
  const voices = feature.basis.flatMap((key) => {
    const row = (consensus as Readonly<Record<string, ConsensusSet[keyof ConsensusSet]>>)[key];
    return (row?.voices ?? []).map((voice) => ({
      source: voice.source,
      quantity: key,
      accepted: voice.accepted,
      evidence: voice.responseId,
    }));
  });
  return { ...featureView(feature), sources: voices };
}

const tenths = (points: number) => Math.round(points * 10);
const fromTenths = (whole: number) => whole / 10;

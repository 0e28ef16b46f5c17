import Type from 'typebox';
import {
  ALL_FACTOR_CODES,
  type ConsensusSet,
  type Factor as RatedFactor,
  type Feature as RatedFeature,
  type ScoreReport,
} from '../domain/index.ts';
import { citedRows } from '../registers/index.ts';
import { AbsenceView, absenceOf, gapIds } from './absence.ts';
import { factorFields, factorReasons, featureFields, featureView } from './factor.ts';
import { asOf, conflicts, correction, gaps, ratedAsset, riskFlags, type ScoreRecord, trustScore } from './rating.ts';
import { CitedRow } from './register.ts';
import { capView } from './score-view.ts';
import { round, viewOf } from './view.ts';
import {
  ageSeconds,
  Band,
  Cap,
  DataMode,
  describedHere,
  enumerated,
  jobId,
  list,
  methodologyHash,
  methodologyVersion,
  nullableNumber,
  oneOf,
  RatedAssetView,
  type Reply,
} from './vocabulary.ts';

const Feature = Type.Object(
  {
    ...featureFields,
    absence: Type.Union([AbsenceView, Type.Null()], {
      description:
        'Why it is not known, or not surely; null for what is known. Set for the features that `gaps` lists.',
    }),
    sources: Type.Array(
      Type.Object({
        source: Type.String({ description: 'Source of the observation.' }),
        quantity: Type.String({ description: 'On what: a quantity, or `quantity@scope`.' }),
        accepted: Type.Boolean({
          description: 'It counted; else it was outvoted, too old or not surely of this asset.',
        }),
        evidence: Type.String({ description: 'Id of the archived reply (GET /v1/jobs/{id}/evidence).' }),
      }),
      { description: 'An observation; `evidence` names the archived reply.' },
    ),
  },
  { title: 'Feature', description: 'One feature of a factor, and the observations it rests on.' },
);
const Factor = Type.Object(
  {
    ...factorFields,
    code: enumerated(ALL_FACTOR_CODES, { description: 'Code of the factor.' }),
    ...factorReasons,
    contribution: Type.Number({ description: 'What it moves the score from the prior, in points.' }),
    features: Type.Array(Feature, { description: 'Features of the factor.' }),
  },
  { title: 'Factor', description: 'One subject of the rating.' },
);
const Contribution = Type.Object(
  {
    kind: oneOf(
      'What the line is; `evidence_limit`: too few sources were asked for a higher score; `standing_rating`: today’s evidence is too thin and the previous score remains in force.',
      ['prior', 'factor', 'caps', 'default', 'evidence_limit', 'fading_caps', 'standing_rating'],
    ),
    code: Type.String({ description: 'PRIOR, a factor’s code, CAP, DEFAULT, EVIDENCE or STANDS.' }),
    name: Type.String({ description: 'What it is called.' }),
    points: Type.Number({ description: 'In steps of 0.1.' }),
    detail: Type.String({ description: 'Where the points come from.' }),
  },
  { title: 'Contribution', description: 'One line of the sum that makes the score.' },
);

export const BreakdownView = Type.Object(
  {
    asset: RatedAssetView,
    score: nullableNumber('As published.'),
    band: describedHere(Band, 'As published.'),
    trust_score: trustScore,
    contributions: Type.Array(Contribution, {
      description: 'Their points add up to `score`, to the last digit. Empty when there is no score.',
    }),
    factors: Type.Array(Factor, { description: 'Every factor with all its features.' }),
    caps: Type.Array(Cap, { description: 'Ceilings on the score whose condition held.' }),
    risk_flags: riskFlags,
    gaps,
    conflicts,
    register_rows: Type.Array(CitedRow, {
      description: 'Rows of kept registers in its evidence, as they were then, with what each decided.',
    }),
    summary: Type.String({ description: 'The rating in a few sentences.' }),
    limitations: list('What this rating cannot show.'),
    methodology_version: methodologyVersion,
    methodology_hash: methodologyHash,
    job_id: jobId,
    as_of: asOf,
    data_mode: DataMode,
    correction,
    age_seconds: ageSeconds,
  },
  { title: 'Breakdown', description: 'What a rating is made of.' },
);

type Line = Reply<typeof Contribution>;

/** Composition of a published rating: every part in points, every factor with its features and their sources. */
export function breakdownView(
  report: ScoreReport,
  record: ScoreRecord,
): Omit<Reply<typeof BreakdownView>, 'age_seconds' | 'correction'> {
  const { rating, consensus, evidence } = report;
  return {
    asset: ratedAsset(record),
    score: record.score,
    band: record.band,
    trust_score: record.trust_score,
    contributions: contributionsOf(report, record.score),
    factors: rating.factors.map((factor) => factorView(factor, consensus, gapIds(rating))),
    caps: rating.caps.map(capView),
    risk_flags: record.risk_flags,
    gaps: record.gaps,
    conflicts: record.conflicts,
    register_rows: citedRows(consensus, evidence.asOf, rating.categoryReason).map((row) => viewOf(CitedRow, row)),
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
 * The parts of a published score, which add up to it exactly; empty without a score. Computed in whole tenths, so that
 * nothing is lost to rounding.
 */
function contributionsOf({ rating, published, state }: ScoreReport, score: number | null): readonly Line[] {
  if (score === null) return [];
  const lines: Line[] = [
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
        rating.score === null ? null : (state.basis?.limit ?? null),
        state.fadingCaps,
      ),
      points: fromTenths(rest),
    });
  return lines;
}

/** What holds the score: of a limit of the evidence and of caps that fade the lower one. */
function heldBy(
  defaulted: boolean,
  limit: { readonly score: number; readonly detail: string } | null,
  fading: ScoreReport['state']['fadingCaps'],
): Omit<Line, 'points'> {
  if (defaulted)
    return { kind: 'default', code: 'DEFAULT', name: 'default', detail: 'a default test is met or not cured yet' };
  if (limit !== null && fading.every(({ cap }) => cap >= limit.score))
    return { kind: 'evidence_limit', code: 'EVIDENCE', name: 'limit of the evidence', detail: limit.detail };
  if (fading.length > 0)
    return {
      kind: 'fading_caps',
      code: 'CAP',
      name: 'caps that fade',
      detail: `lifted less than seven days ago: ${fading.map(({ code }) => code).join(', ')}`,
    };
  return {
    kind: 'standing_rating',
    code: 'STANDS',
    name: 'the previous rating remains in force',
    detail: 'the evidence of this moment is too thin to rate by; the score before is kept for now',
  };
}

function factorView(factor: RatedFactor, consensus: ConsensusSet, gaps: ReadonlySet<string>): Reply<typeof Factor> {
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
    features: factor.features.map((feature) => ({
      ...featureWithSources(feature, consensus),
      absence: gaps.has(feature.id) ? absenceOf(feature, factor) : null,
    })),
  };
}

function featureWithSources(feature: RatedFeature, consensus: ConsensusSet): Omit<Reply<typeof Feature>, 'absence'> {
  const sources = feature.basis.flatMap((key) => {
    const row = (consensus as Readonly<Record<string, ConsensusSet[keyof ConsensusSet]>>)[key];
    return (row?.voices ?? []).map((voice) => ({
      source: voice.source,
      quantity: key,
      accepted: voice.accepted,
      evidence: voice.responseId,
    }));
  });
  return { ...featureView(feature), sources };
}

const tenths = (points: number) => Math.round(points * 10);
const fromTenths = (whole: number) => whole / 10;

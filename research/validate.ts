import { medianHigh, ok, type Result } from '../src/domain/index.ts';
import type { Methodology } from '../src/methodology/index.ts';
import { adviceOf, impossible } from './advice.ts';
import { bandTable, calibrationOf } from './calibration.ts';
import { capPoints, clusterIntervals, discriminationOf, stratifiedIntervals, tallyOf } from './discrimination.ts';
import { auditLeakage } from './leakage.ts';
import type { Mapping, Member, Refusal, Table } from './mapping.ts';
import { membersOf } from './members.ts';
import { notRatedOf } from './not-rated.ts';
import { panelOf } from './panel.ts';
import { sampleOf, seededRandom } from './random.ts';
import type { DataSetReport, Gate, Measured, Settings } from './report/format.ts';
import { panelError } from './rescore.ts';
import { type ScoredMember, scoreMember } from './score-member.ts';
import { sensitivityOf } from './sensitivity.ts';
import { ablationOf, aggregationVariants, type Stability, stabilityOf } from './stability.ts';

export interface DataSet {
  readonly mapping: Mapping;
  /** SHA-256 of the mapping's canonical JSON, hex. */
  readonly mappingHash: string;
  readonly table: Table;
}

/** Tolerated difference between the two computations of a score. */
const TOLERATED_ERROR = 1e-9;
const HORIZONS_DAYS = [1, 30, 365];

/** Rates every member of a data set with the methodology and measures how well the ratings predict the outcomes. */
export function validateDataSet(
  { mapping, mappingHash, table }: DataSet,
  methodology: Methodology,
  settings: Settings,
  onProgress: (step: string, done: number) => void,
): Result<DataSetReport, { refusal: Refusal }> {
  const read = membersOf(table, mapping);
  if (!read.ok) return read;
  const { members, uses, leftOut, rows } = read.value;
  const used = { ...table, rows };
  const cannotBe = impossible(table.files[0]?.name ?? '', members, mapping, methodology);
  if (cannotBe !== null) return cannotBe;
  const scored = members.map((member, index) => {
    if (index % 1_000 === 0) onProgress('rating', index / members.length);
    return scoreMember(member, mapping, methodology);
  });
  const failed = mapping.outcome === null ? null : members.map((member) => member.failed);
  const random = seededRandom(settings.seed);
  const panel = panelOf(scored, methodology);
  const error = panelError(panel, scored);
  if (error > TOLERATED_ERROR) throw new Error(`sensitivity scores differ from the rating's by ${error}`);
  onProgress('bootstrap', 0);
  const outcome =
    failed === null
      ? null
      : outcomeOf({ members, scored, failed, mapping, table: used, methodology, settings, random, panel });
  onProgress('sensitivity', 0);
  const sample = sampleOf(
    scored.map((member, index) => ({ member, failed: failed?.[index] ?? false })),
    settings.sensitivityMembers,
    random,
  );
  const sensitivity = sensitivityOf(
    panelOf(
      sample.map((row) => row.member),
      methodology,
    ),
    failed === null ? null : sample.map((row) => row.failed),
    methodology,
    {
      draws: settings.draws,
      base: settings.base,
      random,
      onProgress: (done) => onProgress('sensitivity', done),
    },
  );
  const report = {
    name: mapping.name,
    title: mapping.title,
    about: mapping.about,
    files: table.files,
    mappingHash,
    class: mapping.class,
    members: members.length,
    leftOut,
    failures: failed === null ? null : failed.filter(Boolean).length,
    columns: uses,
    features: panel.features.map(({ id }) => ({
      id,
      factor: methodology.features.find((row) => row.id === id)?.factor ?? '',
      members: scored.filter((member) => member.known.some((known) => known.id === id)).length,
    })),
    flags: flagsOf(scored, failed),
    scores: quartersOf(scored.map((member) => member.score)),
    outcome,
    // A separate generator, so that earlier draws have no influence.
    notRated: failed === null ? null : notRatedOf(members, scored, mapping, methodology, seededRandom(settings.seed)),
    stability: stabilityOfMembers(members, scored),
    sensitivity,
    panelError: error,
  };
  const advice = adviceOf(table, members, mapping, methodology, outcome);
  return ok({ ...report, gates: gatesOf(report), ...(advice.length === 0 ? {} : { advice }) });
}

function outcomeOf(given: {
  readonly members: readonly Member[];
  readonly scored: readonly ScoredMember[];
  readonly failed: readonly boolean[];
  readonly mapping: Mapping;
  readonly table: Table;
  readonly methodology: Methodology;
  readonly settings: Settings;
  readonly random: ReturnType<typeof seededRandom>;
  readonly panel: ReturnType<typeof panelOf>;
}): DataSetReport['outcome'] {
  const { members, scored, failed, mapping, table, methodology, settings, random, panel } = given;
  const scores = scored.map((member) => member.score);
  const groups = mapping.group === null ? null : members.map((member) => member.group ?? member.id);
  const measure = (name: Measured['name'], values: readonly number[]): readonly Measured[] => {
    const { tally, code } = tallyOf(values, failed);
    const found = discriminationOf(tally);
    if (found === null) return [];
    const drawn = { tally, code, failed };
    return [
      {
        name,
        values: found,
        stratified: stratifiedIntervals(drawn, settings.bootstrap, random),
        clustered: groups === null ? null : clusterIntervals(drawn, groups, settings.bootstrap, random),
      },
    ];
  };
  const bands = bandTable(
    scored.map((member) => member.band),
    failed,
    methodology,
  );
  return {
    measured: [
      ...measure('published', scores),
      ...measure('ranked', scored.map(rankingKey)),
      ...measure(
        'uncapped',
        scored.map((member) => member.uncapped),
      ),
    ],
    capCurve: capPoints(tallyOf(scores, failed).tally),
    bands,
    uncappedBands: bandTable(
      scored.map((member) => member.uncappedBand),
      failed,
      methodology,
    ),
    calibration: calibrationOf(scores, failed, bands),
    aggregation: aggregationVariants(panel, failed),
    ablation: ablationOf(panel, scored, failed),
    leakage: auditLeakage(table, members, scores, mapping),
  };
}

/** Orders by the published score, then by the score before caps (below 1,000). */
function rankingKey(member: ScoredMember): number {
  return Math.round(member.score * 10) * 1_000 + member.uncapped;
}

function stabilityOfMembers(members: readonly Member[], scored: readonly ScoredMember[]): Stability | null {
  const moments = members.flatMap((member, index) => {
    const own = scored[index];
    return member.featureAt === null || own === undefined
      ? []
      : [{ id: member.id, at: member.featureAt, score: own.score, band: own.band }];
  });
  return moments.length === 0 ? null : stabilityOf(moments, HORIZONS_DAYS);
}

function flagsOf(scored: readonly ScoredMember[], failed: readonly boolean[] | null): DataSetReport['flags'] {
  const codes = [...new Set(scored.flatMap((member) => member.flags))].sort();
  return codes.map((code) => {
    const rows = scored.flatMap((member, index) => (member.flags.includes(code) ? [index] : []));
    return {
      code,
      members: rows.length,
      failureRate: failed === null ? null : rows.filter((row) => failed[row]).length / rows.length,
    };
  });
}

function quartersOf(scores: readonly number[]): DataSetReport['scores'] {
  const sorted = Float64Array.from(scores).sort();
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
  return { lowest: at(0), quartiles: [at(0.25), at(0.5), at(0.75)], highest: at(1) };
}

/** Thresholds of methodology 7.2. */
const ACCURACY_RATIO = 0.6;
const RANK_SHIFT = 0.03;
const WITHIN_ONE_BAND = 0.9;
const PSI = 0.1;
const RANK_CORRELATION_30_DAYS = 0.93;
const REVERSALS = 0.05;

/** The gates that can be judged by this data set. They detect regressions; passing them does not prove performance. */
export function gatesOf(report: Omit<DataSetReport, 'gates'>): readonly Gate[] {
  const { outcome, sensitivity, stability } = report;
  const monthly = stability?.transitions.find((row) => row.horizonDays === 30)?.rankCorrelation ?? null;
  const psi = stability === null ? [] : stability.psi.map((row) => row.value);
  const reversals =
    stability === null || stability.reversals.changes === 0
      ? null
      : stability.reversals.takenBack / stability.reversals.changes;
  const ratio = outcome?.measured[0]?.values.accuracyRatio ?? null;
  const inversions = outcome?.bands.inversions.filter((row) => row.beyondOneError).length ?? null;
  const bands = outcome?.bands.verdict === 'one_band' ? null : inversions;
  const suspects =
    outcome === null
      ? null
      : outcome.leakage.columns.filter((row) => row.mapped && row.verdict === 'knows_outcome').length;
  const late = outcome?.leakage.times?.tooLate ?? null;
  return [
    gate('accuracy ratio', `at least ${ACCURACY_RATIO}`, ratio, (value) => value >= ACCURACY_RATIO),
    gate('band inversions beyond one standard error', 'none', bands, (value) => value === 0),
    gate('mapped columns that know the outcome', 'none', suspects, (value) => value === 0),
    gate('members measured at or after their outcome', 'none', late, (value) => value === 0),
    gate(
      'median rank shift under other judgement',
      `below ${RANK_SHIFT}`,
      sensitivity.rankShift.median,
      (value) => value < RANK_SHIFT,
    ),
    gate(
      'share within one band under other judgement',
      `at least ${WITHIN_ONE_BAND}`,
      sensitivity.withinOneBand,
      (value) => value >= WITHIN_ONE_BAND,
    ),
    gate(
      'rank correlation over 30 days',
      `at least ${RANK_CORRELATION_30_DAYS}`,
      monthly,
      (value) => value >= RANK_CORRELATION_30_DAYS,
    ),
    gate('monthly PSI, median', `below ${PSI}`, medianHigh(psi), (value) => value < PSI),
    gate(
      'band changes taken back in 30 days, before smoothing',
      `below ${REVERSALS}`,
      reversals,
      (value) => value < REVERSALS,
    ),
  ].filter((row) => row.found !== null);
}

function gate(name: string, wanted: string, found: number | null, passes: (value: number) => boolean): Gate {
  return { name, wanted, found, met: found !== null && passes(found) };
}

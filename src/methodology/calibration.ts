import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import canonicalize from 'canonicalize';
import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { assetClass, band, count, type Frozen, nullable, points, positive, strict, text, unit } from './terms.ts';

const whole = Type.Integer({ minimum: 0 });
const ends = Type.Tuple([unit, unit]);
/** Probability with its interval, for one horizon of a point. */
const estimate = Type.Object({ value: unit, low: unit, high: unit }, strict);

/** Assets with the same kind of data, followed over one period: a file of outcomes, or part of one. */
const cohort = Type.Object(
  {
    name: text,
    /** Origin of the file; the file itself is not part of the product. */
    origin: text,
    /** Date of the data by which its members were rated. */
    observed: text,
    /** Number of days for which they were followed. */
    days: positive,
    members: count,
    failures: whole,
    /** Yearly hazard of a member with the group's middle score, estimated from this cohort alone. */
    hazard: positive,
  },
  strict,
);

/**
 * Brier score, Brier score of the training members' base rate, and expected calibration error, all on members outside
 * the training set.
 */
const measured = Type.Object(
  {
    fitted: text,
    on: text,
    class: nullable(assetClass),
    members: count,
    failures: whole,
    expected: Type.Number({ minimum: 0 }),
    brier: unit,
    brierOfBaseRate: unit,
    /** Mean difference between predicted and observed rates over ten groups of equal size. */
    ece: unit,
    /** Share of these groups in which the Jeffreys interval of the rate overlaps the predicted interval. */
    within: nullable(unit),
  },
  strict,
);

const group = Type.Object(
  {
    id: text,
    title: text,
    /** Definition of a failure in its cohorts. */
    event: text,
    /** Classes that it applies to. */
    classes: Type.Array(assetClass, { minItems: 1 }),
    /** Lowest rank that an asset may have on a market list; null: assets on no list. Absent: any. */
    maximumRank: Type.Optional(nullable(count)),
    /** Maximum number of days since the first observation of an asset; null: any. */
    maximumAgeDays: nullable(positive),
    /** How a probability is converted from one horizon to another. */
    timing: Type.Enum(['constant_hazard', 'observed_times']),
    cohorts: Type.Array(cohort, { minItems: 1 }),
    /** ln yearly hazard = middle + slope x (logit of the score - centre) + error of the cohort. */
    curve: Type.Object(
      {
        middle: Type.Number(),
        slope: Type.Number({ maximum: 0 }),
        centre: Type.Number(),
        /** Standard deviation of the cohorts around `middle`; `spreadIsBorrowed`: taken from other groups. */
        spread: Type.Number({ minimum: 0 }),
        spreadIsBorrowed: Type.Boolean(),
        middleSd: Type.Number({ minimum: 0 }),
        slopeSd: Type.Number({ minimum: 0 }),
        /**
         * Relative error of a score's distance from the prior: cohorts have only a few columns of data, whereas live
         * ratings have most of them.
         */
        scaleError: Type.Number({ minimum: 0 }),
      },
      strict,
    ),
    /**
     * True if there are fewer failures than the rules require: the upper ends are then computed as for low-default
     * portfolios.
     */
    lowDefault: Type.Boolean(),
    /** From worst to best score, in steps of one. No member had a score outside this range. */
    points: Type.Array(Type.Object({ score: points, d30: estimate, d365: estimate }, strict), { minItems: 2 }),
    /** Observed rates by band, per year. */
    bands: Type.Array(Type.Object({ band, members: count, failures: whole, rate: unit, interval: ends }, strict)),
    measured: Type.Array(measured),
  },
  strict,
);

export const calibrationSchema = Type.Object(
  {
    schema: Type.Literal('assay.calibration/1'),
    date: text,
    /** Version of the methodology that rated the members. */
    methodology: text,
    /** Intended coverage of the intervals. */
    confidence: unit,
    /** Intended range of failures within a year for each band: between the geometric means of neighbouring targets. */
    targets: Type.Array(Type.Object({ band, range: ends }, strict)),
    groups: Type.Array(group),
  },
  strict,
);
const validator = Compile(calibrationSchema);

/** Outcomes of assets by score: how a rating becomes a probability of failure. */
export type CalibrationContent = Frozen<Static<typeof calibrationSchema>>;
export interface Calibration extends CalibrationContent {
  /** SHA-256 of its canonical JSON, hex. */
  readonly hash: string;
}
export type CalibrationGroup = Calibration['groups'][number];

const FILE = new URL('../../methodology/calibration.json', import.meta.url);
let loaded: (Calibration & { readonly json: string }) | null = null;

/**
 * Loads the calibration in force, with its canonical JSON. Throws when the file is inconsistent, which is a bug and not
 * an input error.
 */
export function loadCalibration(): Calibration & { readonly json: string } {
  if (loaded) return loaded;
  const content: unknown = JSON.parse(readFileSync(FILE, 'utf8'));
  const found = calibrationComplaints(content);
  if (found.length > 0 || !validator.Check(content))
    throw new Error(`calibration.json: ${found.slice(0, 5).join('; ')}`);
  const json = canonicalize(content) ?? '';
  loaded = { ...content, json, hash: createHash('sha256').update(json).digest('hex') };
  return loaded;
}

/**
 * Errors in a calibration: its shape, curves that rise with the score, and intervals that do not contain their value.
 */
export function calibrationComplaints(content: unknown): readonly string[] {
  if (!validator.Check(content))
    return validator.Errors(content).map((error) => `${error.instancePath || '/'}: ${error.message}`);
  return content.groups.flatMap(({ id, points: rows }) =>
    rows.flatMap((row, at) => {
      const before = rows[at - 1];
      return (['d30', 'd365'] as const).flatMap((key) => {
        const { value, low, high } = row[key];
        const wrong = [];
        if (low > value || value > high) wrong.push(`${id} at ${row.score}: ${key} lies outside its interval`);
        if (before !== undefined && (before.score >= row.score || before[key].value < value))
          wrong.push(`${id} at ${row.score}: ${key} rises with the score`);
        return wrong;
      });
    }),
  );
}

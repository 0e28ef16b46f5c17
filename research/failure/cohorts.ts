import { readFileSync } from 'node:fs';
import { type AssetClass, DAY_MS, ok, type Result } from '../../src/domain/index.ts';
import { bandOf, type Methodology, toScore } from '../../src/methodology/index.ts';
import { filesUnder, setsOf } from '../data-sets.ts';
import { type Condition, type Mapping, type Refusal, readMapping, refuse } from '../mapping.ts';
import { membersOf } from '../members.ts';
import { type ScoredMember, scoreMember } from '../score-member.ts';
import { readTable } from '../table.ts';
import { type CohortMembers, centreOf, logitOf } from './fit.ts';

/** How a cohort is read: a mapping of `research/mappings`, with overrides. */
interface CohortPlan {
  readonly mapping: string;
  /** The file, where the mapping matches several. */
  readonly file?: string;
  readonly origin: string;
  readonly observed: string;
  /** Days of observation; dated failures after them count as survivors. */
  readonly days: number;
  /**
   * How far a complete rating agrees with one from these columns, 0-1: measured on the panel of real assets
   * (`test/failure-bridge.test.ts`).
   */
  readonly bridge: number;
  /**
   * A cohort of the same lists with other columns: scores are shifted, in logits, so that both have the same median.
   */
  readonly like?: string;
  /** Left out, with a message, where its file is missing or unusable. */
  readonly optional?: boolean;
  readonly dated?: boolean;
  /** Column of the asset, where an asset has several rows. */
  readonly asset?: string;
  readonly outcome?: Mapping['outcome'];
  /** Overrides the mapping's own. */
  readonly where?: readonly Condition[];
  readonly classBy?: readonly (Condition & { readonly class: AssetClass })[];
  /** Members observed before, or from, this day. */
  readonly before?: string;
  readonly from?: string;
}

export interface GroupPlan {
  readonly id: string;
  readonly title: string;
  readonly event: string;
  readonly classes: readonly AssetClass[];
  readonly maximumRank?: number | null;
  readonly maximumAgeDays: number | null;
  /** Its cohorts have different columns, so a score is relative to the median of its cohort. */
  readonly centredByCohort: boolean;
  readonly timing: 'constant_hazard' | 'observed_times';
  /** Cohorts that the curve in force is fitted on. */
  readonly cohorts: readonly string[];
  /** Cohorts outside the training set on which it is evaluated. */
  readonly splits: readonly { readonly fit: readonly string[]; readonly on: readonly string[] }[];
}

/** Configuration of the calibration (`cohorts.json`). */
export interface Plan {
  readonly confidence: number;
  /** Relative error of `bridge` of the cohorts. */
  readonly scaleError: number;
  /** With fewer failures in a group the most conservative upper end is used. */
  readonly fewFailures: number;
  /** The curve ends where fewer members than this have a score beyond. */
  readonly leastBeyond: number;
  readonly groups: readonly GroupPlan[];
  /**
   * Evaluation by class: on a later cohort, or, if `fit` is empty, on each half of one cohort by the other half. The
   * calibration in force does not depend on it.
   */
  readonly byClass: readonly { readonly group: string; readonly fit: readonly string[]; readonly on: string }[];
  readonly cohorts: Readonly<Record<string, CohortPlan>>;
}

export interface Cohort extends CohortMembers {
  readonly plan: CohortPlan;
  readonly members: readonly {
    readonly score: number;
    readonly failed: boolean;
    readonly class: AssetClass;
    readonly band: string;
    /** Days from observation to the failure; null without a date or a failure. */
    readonly failedAfter: number | null;
  }[];
}

export function readPlan(): Plan {
  return JSON.parse(readFileSync(new URL('./cohorts.json', import.meta.url), 'utf8')) as Plan;
}

/** Reads every cohort under some folders and rates its members; missing or unusable files are reported by name. */
export async function readCohorts(
  folders: readonly string[],
  plan: Plan,
  methodology: Methodology,
  onSkipped: (what: string) => void,
): Promise<Result<ReadonlyMap<string, Cohort>, { refusal: Refusal }>> {
  const paths: string[] = [];
  for (const folder of folders) {
    const own = await filesUnder(folder);
    if (!own.ok) return own;
    paths.push(...own.value);
  }
  const found = new Map<string, Cohort>();
  for (const [name, own] of Object.entries(plan.cohorts)) {
    const read = await readCohort(name, own, paths, methodology);
    if (read.ok) found.set(name, read.value);
    else if (own.optional === true) onSkipped(`${name}: ${read.refusal.detail}`);
    else return read;
  }
  for (const [name, cohort] of found) {
    const other = cohort.plan.like === undefined ? undefined : found.get(cohort.plan.like);
    if (other !== undefined) found.set(name, moved(cohort, centreOf(other) - centreOf(cohort)));
  }
  return ok(found);
}

/**
 * Estimates a member's complete rating from its few columns. Missing columns would pull every score to the prior,
 * although live ratings have most of them. Therefore the score is computed by the known columns alone, and then moved
 * from the prior by the share `bridge` of the way to it, in logits, since the rest of a rating agrees with a part of it
 * by half. Caps apply as in a rating. A missing value of a list counts as in a rating, with the confidence of a cell of
 * the list. Conclusions that the rating code draws from missing statements (a token of no class has no claim) are not
 * counted: the file also has members of other classes, and `bridge` is measured without these conclusions.
 */
export function wholeScore(
  { known, silent, factors, caps }: ScoredMember,
  bridge: number,
  confidence: number,
  { aggregation }: Methodology,
): number {
  const told = [...known.filter(({ isStated }) => isStated), ...silent.map((feature) => ({ ...feature, confidence }))];
  const rows = factors.flatMap(({ code, weight }) => {
    const own = told.filter((feature) => feature.factor === code);
    const share = own.reduce((sum, feature) => sum + feature.weight * feature.confidence, 0);
    const shown = own.reduce((sum, feature) => sum + feature.weight * feature.confidence * feature.points, 0);
    return share === 0 ? [] : [{ weight: weight * share, value: Math.max(shown / share, aggregation.floor) }];
  });
  const total = rows.reduce((sum, row) => sum + row.weight, 0);
  const prior = logitOf(aggregation.prior);
  const part =
    total === 0
      ? prior
      : logitOf(Math.exp(rows.reduce((sum, row) => sum + row.weight * Math.log(row.value), 0) / total));
  return Math.min(100 / (1 + Math.exp(-prior - bridge * (part - prior))), ...caps.map(({ cap }) => cap));
}

function moved(cohort: Cohort, shift: number): Cohort {
  const score = (before: number) => toScore(100 / (1 + Math.exp(-logitOf(before) - shift)));
  return { ...cohort, members: cohort.members.map((member) => ({ ...member, score: score(member.score) })) };
}

async function readCohort(
  name: string,
  plan: CohortPlan,
  paths: readonly string[],
  methodology: Methodology,
): Promise<Result<Cohort, { refusal: Refusal }>> {
  const given = JSON.parse(
    readFileSync(new URL(`../mappings/${plan.mapping}.json`, import.meta.url), 'utf8'),
  ) as object;
  const read = readMapping(
    {
      ...given,
      ...(plan.file === undefined ? {} : { file: plan.file }),
      ...(plan.asset === undefined ? {} : { group: plan.asset }),
      ...(plan.outcome === undefined ? {} : { outcome: plan.outcome }),
      ...(plan.where === undefined ? {} : { where: plan.where }),
      ...(plan.classBy === undefined ? {} : { classBy: plan.classBy }),
    },
    methodology,
  );
  if (!read.ok) return read;
  const mapping = read.value;
  const set = setsOf(paths, mapping)[0];
  if (set === undefined) return refuse('no_data', `${name}: there is no ${mapping.file}`);
  const table = await readTable(set.paths);
  if (!table.ok) return table;
  const members = membersOf(table.value, mapping);
  if (!members.ok) return members;
  const [from, before] = [Date.parse(plan.from ?? '0000-01-01'), Date.parse(plan.before ?? '9999-01-01')];
  const kept = members.value.members.filter(
    ({ featureAt }) => featureAt === null || (featureAt >= from && featureAt < before),
  );
  const assets = plan.asset === undefined ? kept.length : new Set(kept.map((member) => member.group)).size;
  return ok({
    name,
    plan,
    days: plan.days,
    weight: assets / kept.length,
    members: kept.map((member) => {
      const scored = scoreMember(member, mapping, methodology);
      const after =
        member.failed && plan.dated === true && member.outcomeAt !== null && member.featureAt !== null
          ? (member.outcomeAt - member.featureAt) / DAY_MS
          : null;
      const score = toScore(wholeScore(scored, plan.bridge, mapping.confidence, methodology));
      return {
        score,
        band: bandOf(score, methodology),
        class: member.class,
        failed: member.failed && (after === null || after <= plan.days),
        failedAfter: after,
      };
    }),
  });
}

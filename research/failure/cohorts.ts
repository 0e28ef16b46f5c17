import { readFileSync } from 'node:fs';
import { type AssetClass, DAY_MS, ok, type Result } from '../../src/domain/index.ts';
import { bandOf, type Methodology, toScore } from '../../src/methodology/index.ts';
import { filesUnder, setsOf } from '../data-sets.ts';
import { type Condition, type Mapping, type Refusal, readMapping, refuse } from '../mapping.ts';
import { membersOf } from '../members.ts';
import { type ScoredMember, scoreMember } from '../score-member.ts';
import { readTable } from '../table.ts';
import { type CohortMembers, centreOf, logitOf } from './fit.ts';

/** How a cohort is read: a mapping of `research/mappings`, and what it says otherwise. */
interface CohortPlan {
  readonly mapping: string;
  /** The one file, where the mapping fits several. */
  readonly file?: string;
  readonly origin: string;
  readonly observed: string;
  /** Days that members were followed; where failures are dated, later ones count as survivors. */
  readonly days: number;
  /** How far a whole rating goes with what its columns say, 0-1: measured on the panel of real assets (`test/failure-bridge.test.ts`). */
  readonly bridge: number;
  /** A cohort of the same lists, known by other columns: scores are moved, in logits, so that their middles agree. */
  readonly like?: string;
  /** Left out, with a word, where its file is not there or cannot be used. */
  readonly optional?: boolean;
  readonly dated?: boolean;
  /** Column of the asset, where rows repeat it. */
  readonly asset?: string;
  readonly outcome?: Mapping['outcome'];
  /** In place of the mapping's own. */
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
  /** Its cohorts know different columns: a score is taken from the middle of its own cohort. */
  readonly centredByCohort: boolean;
  readonly timing: 'constant_hazard' | 'observed_times';
  /** What the curve in force is fitted on. */
  readonly cohorts: readonly string[];
  /** Where it is measured on members that were not fitted on. */
  readonly splits: readonly { readonly fit: readonly string[]; readonly on: readonly string[] }[];
}

/** What the calibration is made of (`cohorts.json`). */
export interface Plan {
  readonly confidence: number;
  /** Relative error of `bridge` of the cohorts. */
  readonly scaleError: number;
  /** Fewer failures than these in a group take the most prudent upper end. */
  readonly fewFailures: number;
  /** The curve ends where fewer members than these score beyond. */
  readonly leastBeyond: number;
  readonly groups: readonly GroupPlan[];
  /** Where promises are measured by class: on a later cohort, or on each half of one by the other where `fit` is empty. Nothing in force rests on it. */
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
    /** Days from observation to the failure; null where it is not dated, or none. */
    readonly failedAfter: number | null;
  }[];
}

export function readPlan(): Plan {
  return JSON.parse(readFileSync(new URL('./cohorts.json', import.meta.url), 'utf8')) as Plan;
}

/** Reads every cohort under some folders and rates its members; files that are not there, or cannot be used, are refused by name. */
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
 * The score that a whole rating of the member would have, as far as its few columns show. What a file leaves out would pull every
 * score to where nothing is known, and live ratings know most of it: so first the score by what is known alone, then from the
 * prior the share `bridge` of the way to it, in logits, for the rest of a rating agrees with a part of it by half. Caps hold as they do there.
 * A list's silence counts what it counts in a rating, and is known as well as a cell of the list. What the rating code concludes from nothing
 * being said (a token of no class has no claim) is not counted: the file's members are of other classes too, and `bridge` is measured without it.
 */
export function wholeScore(
  { known, silent, factors, caps }: ScoredMember,
  bridge: number,
  confidence: number,
  { aggregation }: Methodology,
): number {
  const told = [...known.filter(({ isTold }) => isTold), ...silent.map((feature) => ({ ...feature, confidence }))];
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

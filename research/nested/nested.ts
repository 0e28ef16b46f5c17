import { ok, type Result } from '../../src/domain/index.ts';
import type { Methodology } from '../../src/methodology/index.ts';
import { percentileInterval } from '../discrimination.ts';
import type { Mapping, Member, Refusal, Table } from '../mapping.ts';
import { membersOf } from '../members.ts';
import { pickBelow, type Random, sampleOf, seededRandom } from '../random.ts';
import { scoreMember } from '../score-member.ts';
import {
  type AcrossFiles,
  aucOfPart,
  type Candidate,
  choose,
  foldKindOf,
  foldsOf,
  groupNameOf,
  meanOf,
  type NestedAuc,
  type NestedReport,
  type OuterFold,
  type Places,
  placesOf,
  type Variant,
  variantsOf,
} from './folds.ts';

export interface NestedPlan {
  readonly outer: number;
  readonly inner: number;
  readonly bootstrap: number;
  /** Number of repetitions on shuffled outcomes. */
  readonly shuffles: number;
  readonly random: Random;
}

type Own = Pick<Member, 'id' | 'group' | 'featureAt' | 'failed' | 'features' | 'quantities'>;

/**
 * Nested cross-validation (Varma and Simon 2006): each outer fold is rated by the candidate that is best on the inner
 * folds of all other members, so that no choice is measured on the data that it was made on. The first candidate is the
 * one in force. Every candidate is a fixed rule, so the choice is the only fit.
 */
export function nestedOf(candidates: readonly Candidate[], members: readonly Own[], plan: NestedPlan): NestedReport {
  const by = foldKindOf(members);
  const names = members.map((member) => groupNameOf(member, by));
  const failed = members.map((member) => member.failed);
  const fold = foldsOf(members, by, plan.outer, plan.random);
  const parts = partsOf(fold, plan.outer);
  const innerOf = (rows: readonly number[]) => {
    const own = rows.map((row) => members[row] as Own);
    const inner = foldsOf(own, by, plan.inner, plan.random);
    return partsOf(inner, plan.inner).map((part) => part.map((at) => rows[at] ?? 0));
  };
  const innerFolds = parts.map((_, own) => innerOf(parts.flatMap((rows, at) => (at === own ? [] : rows))));
  const run = (outcomes: readonly boolean[]) =>
    parts.map((_, at) => choose(candidates, innerFolds[at] ?? [], outcomes));
  const chosen = run(failed);
  const at = (own: number) => candidates[own] as Candidate;
  const outerFolds = parts.map((rows, own): OuterFold => {
    const picked = at(chosen[own]?.at ?? 0);
    return {
      members: rows.length,
      failures: rows.filter((row) => failed[row]).length,
      chosen: picked.name,
      innerAuc: chosen[own]?.auc ?? 0.5,
      auc: aucOfPart(picked.published, rows, failed),
      ranked: aucOfPart(picked.ranked, rows, failed),
    };
  });
  const summary = (placesOfFold: (own: number) => Places, aucs: readonly (number | null)[]): NestedAuc => ({
    mean: meanOf(aucs) ?? 0.5,
    interval: intervalOf(parts, placesOfFold, names, failed, plan),
    spread: spreadOf(aucs),
  });
  const published = summary(
    (own) => at(chosen[own]?.at ?? 0).published,
    outerFolds.map((row) => row.auc),
  );
  const inForce = summary(
    () => at(0).published,
    parts.map((rows) => aucOfPart(at(0).published, rows, failed)),
  );
  const all = members.map((_, row) => row);
  const whole = candidates.map((own) => aucOfPart(own.published, all, failed) ?? 0.5);
  const best = whole.reduce((least, auc, own) => (auc > (whole[least] ?? 0) ? own : least), 0);
  return {
    by,
    members: members.length,
    groups: new Set(names).size,
    outerFolds,
    innerFolds: plan.inner,
    published,
    ranked: summary(
      (own) => at(chosen[own]?.at ?? 0).ranked,
      outerFolds.map((row) => row.ranked),
    ),
    resubstitution: { name: at(best).name, auc: whole[best] ?? 0.5 },
    optimism: (whole[best] ?? 0.5) - published.mean,
    inForce: { name: at(0).name, mean: inForce.mean, interval: inForce.interval },
    forward: by === 'time' ? forwardOf(candidates, parts, innerOf, failed) : null,
    variants: candidates.map(({ name }, own) => ({
      name,
      auc: whole[own] ?? 0.5,
      chosen: chosen.filter((row) => row.at === own).length,
    })),
    checks: {
      straddling: straddlingOf(names, fold),
      twins: twinsOf(members, fold, parts, (own) => at(chosen[own]?.at ?? 0).published, failed),
      shuffled: shuffledOf(failed, plan, (outcomes) =>
        meanOf(run(outcomes).map((row, own) => aucOfPart(at(row.at).published, parts[own] ?? [], outcomes))),
      ),
    },
  };
}

function partsOf(fold: Int32Array, count: number): readonly (readonly number[])[] {
  const parts: number[][] = Array.from({ length: count }, () => []);
  for (const [row, own] of fold.entries()) parts[own]?.push(row);
  return parts;
}

/**
 * Interval by resampling held-out groups within their folds. The variance of the choice itself is not included; it
 * shows in the spread over folds.
 */
function intervalOf(
  parts: readonly (readonly number[])[],
  placesOfFold: (own: number) => Places,
  names: readonly string[],
  failed: readonly boolean[],
  { bootstrap, random }: NestedPlan,
): NestedAuc['interval'] {
  const clusters = parts.map((rows) => [...Map.groupBy(rows, (row) => names[row] ?? '').values()]);
  const means: number[] = [];
  for (let draw = 0; draw < bootstrap; draw += 1) {
    const aucs = clusters.map((own, at) => {
      const rows: number[] = [];
      for (let drawn = 0; drawn < own.length; drawn += 1)
        for (const row of own[pickBelow(own.length, random)] ?? []) rows.push(row);
      return aucOfPart(placesOfFold(at), rows, failed);
    });
    const mean = meanOf(aucs);
    if (mean !== null) means.push(mean);
  }
  return means.length < 2 ? null : percentileInterval(means, 0.95);
}

function spreadOf(values: readonly (number | null)[]): number {
  const known = values.filter((value) => value !== null);
  const mean = meanOf(known) ?? 0;
  return known.length < 2
    ? 0
    : Math.sqrt(known.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (known.length - 1));
}

function forwardOf(
  candidates: readonly Candidate[],
  parts: readonly (readonly number[])[],
  innerOf: (rows: readonly number[]) => readonly (readonly number[])[],
  failed: readonly boolean[],
): NestedReport['forward'] {
  const aucs = parts.flatMap((rows, own) => {
    if (own === 0) return [];
    const { at } = choose(candidates, innerOf(parts.slice(0, own).flat()), failed);
    return [aucOfPart((candidates[at] as Candidate).published, rows, failed)];
  });
  const mean = meanOf(aucs);
  return mean === null ? null : { folds: aucs.filter((auc) => auc !== null).length, mean };
}

function straddlingOf(names: readonly string[], fold: Int32Array): number {
  const seen = new Map<string, number>();
  const torn = new Set<string>();
  for (const [row, name] of names.entries()) {
    if ((seen.get(name) ?? fold[row]) !== fold[row]) torn.add(name);
    seen.set(name, fold[row] ?? 0);
  }
  return torn.size;
}

function twinsOf(
  members: readonly Own[],
  fold: Int32Array,
  parts: readonly (readonly number[])[],
  placesOfFold: (own: number) => Places,
  failed: readonly boolean[],
): NestedReport['checks']['twins'] {
  const facts = members.map(({ features, quantities }) => JSON.stringify([features, quantities]));
  const foldsOfFacts = new Map<string, Set<number>>();
  for (const [row, key] of facts.entries())
    foldsOfFacts.set(key, (foldsOfFacts.get(key) ?? new Set()).add(fold[row] ?? 0));
  const isTwin = (row: number) => (foldsOfFacts.get(facts[row] ?? '')?.size ?? 0) > 1;
  return {
    share: members.filter((_, row) => isTwin(row)).length / members.length,
    aucWithout: meanOf(
      parts.map((rows, own) =>
        aucOfPart(
          placesOfFold(own),
          rows.filter((row) => !isTwin(row)),
          failed,
        ),
      ),
    ),
  };
}

function shuffledOf(
  failed: readonly boolean[],
  { shuffles, random }: NestedPlan,
  measure: (outcomes: readonly boolean[]) => number | null,
): NestedReport['checks']['shuffled'] {
  const found = Array.from({ length: shuffles }, () => {
    const outcomes = [...failed];
    for (let at = outcomes.length - 1; at > 0; at -= 1) {
      const other = pickBelow(at + 1, random);
      [outcomes[at], outcomes[other]] = [outcomes[other] ?? false, outcomes[at] ?? false];
    }
    return measure(outcomes) ?? 0.5;
  });
  return { draws: shuffles, mean: meanOf(found) ?? 0.5, ...percentileInterval(found, 0.95) };
}

const FOLDS = { outer: 5, inner: 5 };
const SHUFFLES = 20;
/** Members rated by every variant; larger sets are sampled. */
const MOST_MEMBERS = 50_000;

/**
 * The nested report of one file with known outcomes; null without outcomes. Seeded, so that the result is always the
 * same.
 */
export function validateNested(
  { mapping, table }: { readonly mapping: Mapping; readonly table: Table },
  methodology: Methodology,
  settings: { readonly seed: number; readonly bootstrap: number },
  onProgress: (done: number) => void,
): Result<NestedReport | null, { refusal: Refusal }> {
  if (mapping.outcome === null) return ok(null);
  const read = membersOf(table, mapping);
  if (!read.ok) return read;
  const random = seededRandom(settings.seed);
  const members = sampleOf(read.value.members, MOST_MEMBERS, random);
  const variants = variantsOf(methodology);
  const candidates = variants.map((variant, at) => {
    onProgress(at / variants.length);
    return candidateOf(variant, members, mapping);
  });
  const plan = { ...FOLDS, bootstrap: settings.bootstrap, shuffles: SHUFFLES, random };
  return ok(nestedOf(candidates, members, plan));
}

/** Result of each file with the variant that has the best mean AUC on the other files. Empty for a single file. */
export function acrossFiles(
  reports: readonly { readonly name: string; readonly nested: NestedReport }[],
): readonly AcrossFiles[] {
  if (reports.length < 2) return [];
  return reports.map(({ name, nested }) => {
    const others = reports.filter((row) => row.name !== name).map((row) => row.nested);
    const means = nested.variants.map((_, at) => meanOf(others.map((own) => own.variants[at]?.auc ?? null)) ?? 0.5);
    const best = means.reduce((least, auc, at) => (auc > (means[least] ?? 0) ? at : least), 0);
    return {
      dataSet: name,
      chosen: nested.variants[best]?.name ?? '',
      auc: nested.variants[best]?.auc ?? 0.5,
      inForce: nested.variants[0]?.auc ?? 0.5,
    };
  });
}

/** Members with the same facts at the same time have the same score, so each such set is rated once. */
function candidateOf({ name, methodology }: Variant, members: readonly Member[], mapping: Mapping): Candidate {
  const known = new Map<string, { readonly published: number; readonly ranked: number }>();
  const scores = members.map((member) => {
    const key = JSON.stringify([member.class, member.features, member.quantities, member.featureAt]);
    const found = known.get(key);
    if (found !== undefined) return found;
    const { score, uncapped } = scoreMember(member, mapping, methodology);
    const own = { published: score, ranked: Math.round(score * 10) * 1_000 + uncapped };
    known.set(key, own);
    return own;
  });
  return {
    name,
    published: placesOf(scores.map((row) => row.published)),
    ranked: placesOf(scores.map((row) => row.ranked)),
  };
}

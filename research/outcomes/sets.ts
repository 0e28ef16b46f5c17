import { ok, type Result } from '../../src/domain/index.ts';
import type { Methodology } from '../../src/methodology/index.ts';
import { knownSets } from '../data-sets.ts';
import type { Interval } from '../discrimination.ts';
import { percentileInterval } from '../discrimination.ts';
import type { Mapping, Member, Refusal, Table } from '../mapping.ts';
import { membersOf } from '../members.ts';
import { aucOfPart, placesOf } from '../nested/folds.ts';
import { pickBelow, type Random } from '../random.ts';
import { readTable } from '../table.ts';

/** Members of one file with a known outcome. */
export interface OutcomeSet {
  readonly name: string;
  readonly mapping: Mapping;
  readonly members: readonly Member[];
  /** The members' rows of the file, in order, and every row of the file. */
  readonly columns: readonly string[];
  readonly rows: Table['rows'];
  readonly all: Table['rows'];
}

/** Every set of outcomes under some folders, in the order of the product's mappings. */
export async function outcomeSets(
  folders: readonly string[],
  methodology: Methodology,
): Promise<Result<readonly OutcomeSet[], { refusal: Refusal }>> {
  const sets: OutcomeSet[] = [];
  for (const folder of folders) {
    const known = await knownSets(folder, methodology);
    if (!known.ok) return known;
    for (const { mapping, paths } of known.value) {
      const set = await outcomeSet(mapping, paths);
      if (!set.ok) return set;
      sets.push(set.value);
    }
  }
  return ok(sets);
}

/** The members of one mapping in its files. */
export async function outcomeSet(
  mapping: Mapping,
  paths: readonly string[],
): Promise<Result<OutcomeSet, { refusal: Refusal }>> {
  const table = await readTable(paths);
  if (!table.ok) return table;
  const read = membersOf(table.value, mapping);
  if (!read.ok) return read;
  const { columns, rows: all } = table.value;
  return ok({ name: mapping.name, mapping, members: read.value.members, columns, rows: read.value.rows, all });
}

/** An AUC with its 95 % interval. */
export interface Measured {
  readonly auc: number;
  readonly interval: Interval;
}

/**
 * AUCs of several scores of the same members, and of the differences to the first: whole groups (an asset's times, a
 * creator's tokens) are resampled with replacement, the same for all scores. A low score predicts failure.
 */
export function compared(
  scores: readonly ArrayLike<number>[],
  members: readonly Member[],
  draws: number,
  random: Random,
): { readonly own: readonly Measured[]; readonly less: readonly Measured[] } {
  const failed = members.map((member) => member.failed);
  const places = scores.map((row) => placesOf(Array.from(row)));
  const groups = [...Map.groupBy(members.keys(), (at) => members[at]?.group ?? `(alone) ${members[at]?.id}`).values()];
  const drawn: (readonly number[])[] = [];
  for (let draw = 0; draw < draws; draw += 1) {
    const rows: number[] = [];
    for (let count = 0; count < groups.length; count += 1)
      for (const row of groups[pickBelow(groups.length, random)] ?? []) rows.push(row);
    const aucs = places.map((own) => aucOfPart(own, rows, failed));
    if (aucs.every((auc) => auc !== null)) drawn.push(aucs);
  }
  const all = members.map((_, at) => at);
  const whole = places.map((own) => aucOfPart(own, all, failed) ?? 0.5);
  const own = whole.map((auc, at) => ({ auc, interval: intervalOf(drawn.map((row) => row[at] ?? 0.5)) }));
  const less = whole.map((auc, at) => ({
    auc: (whole[0] ?? 0.5) - auc,
    interval: intervalOf(drawn.map((row) => (row[0] ?? 0.5) - (row[at] ?? 0.5))),
  }));
  return { own, less };
}

function intervalOf(values: readonly number[]): Interval {
  return percentileInterval(values, 0.95);
}

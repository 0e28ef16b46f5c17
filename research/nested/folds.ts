import type { Random } from '../random.ts';
import type { Member } from '../types.ts';

/** What holds members together in one fold. */
export type FoldKind = 'creator' | 'time' | 'member';

type Foldable = Pick<Member, 'id' | 'group' | 'featureAt' | 'failed'>;

/** What the folds of these members go by: their creators, else their moments where all have one, else each by itself. */
export function foldKindOf(members: readonly Foldable[]): FoldKind {
  if (members.some((member) => member.group !== null)) return 'creator';
  return members.every((member) => member.featureAt !== null) ? 'time' : 'member';
}

/** What a member is held together with: all of one name are in one fold. */
export function groupNameOf(member: Foldable, kind: FoldKind): string {
  if (kind === 'creator') return member.group ?? `(alone) ${member.id}`;
  return kind === 'time' ? String(member.featureAt) : member.id;
}

/**
 * The fold of each member, from 0 to `count` - 1. By time: consecutive stretches of about as many members each, earliest first. Else
 * whole groups, the largest first, each to the fold that has least of what the group brings (failures, survivors).
 */
export function foldsOf(members: readonly Foldable[], kind: FoldKind, count: number, random: Random): Int32Array {
  const groups = [...Map.groupBy(members.keys(), (at) => groupNameOf(members[at] as Foldable, kind)).values()];
  const fold = new Int32Array(members.length);
  if (kind === 'time') {
    groups.sort((a, b) => (members[a[0] ?? 0]?.featureAt ?? 0) - (members[b[0] ?? 0]?.featureAt ?? 0));
    let placed = 0;
    for (const group of groups) {
      const own = Math.min(count - 1, Math.floor((placed * count) / members.length));
      for (const at of group) fold[at] = own;
      placed += group.length;
    }
    return fold;
  }
  const order = groups.map((group) => ({ group, chance: random() }));
  order.sort((a, b) => b.group.length - a.group.length || a.chance - b.chance);
  const failures = new Float64Array(count);
  const survivors = new Float64Array(count);
  for (const { group } of order) {
    const failed = group.filter((at) => members[at]?.failed).length;
    const loads = Array.from(failures, (bad, at) => failed * bad + (group.length - failed) * (survivors[at] ?? 0));
    const own = loads.indexOf(Math.min(...loads));
    failures[own] = (failures[own] ?? 0) + failed;
    survivors[own] = (survivors[own] ?? 0) + group.length - failed;
    for (const at of group) fold[at] = own;
  }
  return fold;
}

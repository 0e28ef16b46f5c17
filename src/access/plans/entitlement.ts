import type { Scope } from '../types.ts';
import type { Plan, PlanBook } from './types.ts';

/** What a request needs of a plan; null where it does not matter. */
export interface Need {
  readonly scope: Scope;
  readonly chain: string | null;
  /** Export subject (`solana`, `rms`). */
  readonly exportOf: string | null;
}

/** True when the plan includes all that is needed. Administration is a matter of the key's scope, not of a plan. */
export function includes(plan: Plan, need: Need): boolean {
  if (need.scope === 'admin') return true;
  return (
    has(plan.scopes, need.scope) &&
    (need.chain === null || has(plan.chains, need.chain)) &&
    (need.exportOf === null || has(plan.exports, need.exportOf))
  );
}

/** The plans on sale that include what is needed, in the order of the file; else any that does. */
export function plansThatInclude(book: PlanBook, need: Need): readonly Plan[] {
  const fitting = book.plans.filter((plan) => includes(plan, need));
  const others = fitting.filter((plan) => plan.name !== 'INTERNAL');
  return others.length > 0 ? others : fitting;
}

function has<Item>(list: readonly Item[] | '*', item: Item): boolean {
  return list === '*' || list.includes(item);
}

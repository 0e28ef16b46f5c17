import { LRUCache } from 'lru-cache';
import { type Breaker, type Circuit, createBreaker } from './breaker.ts';
import { type Budget, createBudget } from './budget.ts';
import { type SharedTurns, shareBudget } from './shared-budget.ts';
import type { UpstreamBudget, UpstreamRequest } from './types.ts';

/** What is remembered about labels and hosts between requests: budgets and breakers. */
export interface HostBook {
  termsOf(label: string): UpstreamBudget;
  setBudget(label: string, budget: UpstreamBudget): void;
  /** One bucket per label; hosts that outsiders choose get one each, so that a hostile one cannot silence the others. */
  budgetOf(request: UpstreamRequest): Budget;
  breakerOf(request: Pick<UpstreamRequest, 'label' | 'tenant'>, host: string): Breaker;
  /** A label with several hosts is as healthy as its worst one; those of customers say nothing of it. */
  circuitOf(label: string): Circuit;
}

/** For a label that declared none. */
const CAREFUL_BUDGET: UpstreamBudget = { perMinute: 60, burst: 10, concurrency: 4, shareSeconds: 0 };
/** Hosts whose state is remembered; hosts that outsiders choose cannot fill the memory. */
const MOST_HOSTS = 2_000;

/** Builds an empty book. `clock` in milliseconds; the budgets of declared labels are kept together with other processes by `turns`. */
export function createHostBook(clock: () => number, turns: SharedTurns | null = null): HostBook {
  const terms = new Map<string, UpstreamBudget>();
  const breakers = new LRUCache<string, { label: string; tenant: string; breaker: Breaker }>({ max: MOST_HOSTS });
  const budgets = new LRUCache<string, { label: string; budget: Budget }>({ max: MOST_HOSTS });
  const termsOf = (label: string) => terms.get(label) ?? CAREFUL_BUDGET;
  const budgetFor = (label: string, isShared: boolean): Budget => {
    const own = createBudget(termsOf(label), clock);
    return turns !== null && isShared ? shareBudget(own, label, { turns, termsOf: () => termsOf(label), clock }) : own;
  };
  return {
    termsOf,
    setBudget(label, budget) {
      terms.set(label, budget);
      for (const held of budgets.values()) if (held.label === label) held.budget.change(budget);
    },
    budgetOf({ label, trust, url, tenant = '' }) {
      const host = trust === 'outside' && URL.canParse(url) ? new URL(url).host : '';
      const isShared = host === '' && tenant === '' && terms.has(label);
      return heldOf(budgets, `${label} ${host} ${tenant}`, () => ({ label, budget: budgetFor(label, isShared) }))
        .budget;
    },
    breakerOf: ({ label, tenant = '' }, host) =>
      heldOf(breakers, `${label} ${host} ${tenant}`, () => ({ label, tenant, breaker: createBreaker(clock) })).breaker,
    circuitOf(label) {
      const circuits = new Set<Circuit>();
      for (const row of breakers.values())
        if (row.label === label && row.tenant === '') circuits.add(row.breaker.circuit());
      return circuits.has('open') ? 'open' : circuits.has('half_open') ? 'half_open' : 'closed';
    },
  };
}

function heldOf<Value extends object>(held: LRUCache<string, Value>, key: string, make: () => Value): Value {
  const known = held.get(key);
  if (known !== undefined) return known;
  const made = make();
  held.set(key, made);
  return made;
}

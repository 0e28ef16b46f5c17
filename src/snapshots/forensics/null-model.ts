import { HOUR_MS } from '../../domain/index.ts';
import given from './reference-payers.json' with { type: 'json' };
import type { Funding } from './types.ts';

/**
 * Payers of wallets without a known connection, with which a group is compared. `paid`: number of these wallets by
 * payer, for payers of more than one; names that no group contains (`#` and a number) represent unnamed payers.
 */
export interface ReferencePayers {
  readonly wallets: number;
  readonly paid: ReadonlyMap<string, number>;
  /** Origin of the wallets. */
  readonly basis: 'own_searches' | 'public_study';
}

/** The payers of a public study, for an installation without enough searches of its own. */
export const STUDIED_PAYERS: ReferencePayers = {
  wallets: given.wallets,
  paid: new Map(given.shared.map((count, index) => [`#${index}`, count])),
  basis: 'public_study',
};

/** Least number of wallets from own searches that represent the chain. */
export const OWN_WALLETS = given.ownWallets;

/** Largest share of groups without a connection that show a cluster. */
export const FALSE_CLUSTERS = given.falseClusters;

/**
 * Probability that at least `least` of `drawn` wallets have a property that `marked` of `population` wallets have, when
 * they are drawn at random without replacement (the upper tail of the hypergeometric distribution).
 */
export function chanceOfMarked(population: number, marked: number, drawn: number, least: number): number {
  const most = Math.min(marked, drawn);
  let sum = 0;
  for (let count = Math.max(least, drawn + marked - population, 0); count <= most; count += 1)
    sum += Math.exp(
      logChoose(marked, count) + logChoose(population - marked, drawn - count) - logChoose(population, drawn),
    );
  return Math.min(1, sum);
}

/**
 * Probability, for each payer of the group, that a random group of the same size shows something at least as rare, by
 * any payer. The probabilities of all payers are added: of groups without a connection, at most the share p shows a
 * payer with a probability of p or less, however many payers there are. Pure.
 *
 * Wallets from own searches are of the same chain and time: the group is drawn again from these wallets and its own, so
 * that a payer of many strangers is not significant. The wallets of a study are of another time, with other payers:
 * only the numbers of wallets per payer are used, not who the payers are, and a payer of the group may be the busiest
 * of them.
 *
 * `payers`: payer of each wallet of the group, if it is known and not a service.
 */
export function chancesOfPayers(payers: readonly string[], reference: ReferencePayers): ReadonlyMap<string, number> {
  const own = countsOf(payers);
  const drawn = payers.length;
  if (reference.basis === 'public_study') {
    const chanceOf = (count: number) =>
      [...reference.paid.values()].reduce(
        (sum, marked) => sum + chanceOfMarked(reference.wallets, marked, Math.min(drawn, reference.wallets), count),
        chanceOfMarked(reference.wallets + drawn, count, drawn, count),
      );
    return new Map([...own].map(([payer, count]) => [payer, count > 1 ? Math.min(1, chanceOf(count)) : 1]));
  }
  const population = reference.wallets + drawn;
  const together = new Map(reference.paid);
  for (const [payer, count] of own) together.set(payer, (together.get(payer) ?? 0) + count);
  const tails = [...together.values()]
    .filter((count) => count > 1)
    .map((marked) =>
      Array.from({ length: Math.min(marked, drawn) }, (_, index) =>
        chanceOfMarked(population, marked, drawn, index + 1),
      ),
    );
  const chances = new Map<string, number>();
  for (const [payer, count] of own) {
    const marked = together.get(payer) ?? count;
    const chance = count > 1 ? chanceOfMarked(population, marked, drawn, count) : 1;
    // Adds, for each payer, the probability of its smallest group that is at least as rare: two wallets or more.
    const rarer = tails.reduce((sum, tail) => sum + (tail.slice(1).find((one) => one <= chance * ROUNDING) ?? 0), 0);
    chances.set(payer, Math.min(1, Math.max(chance, rarer)));
  }
  return chances;
}

/** Tolerance: equal probabilities that were added in another order differ in their last digits. */
const ROUNDING = 1 + 1e-9;

function countsOf(payers: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const payer of payers) counts.set(payer, (counts.get(payer) ?? 0) + 1);
  return counts;
}

/**
 * Payments of nearly the same amount within an hour to three wallets or more, by any payers: nine equal decimals are no
 * coincidence (none of 5,000 random groups of the study had them). Each wallet is in one group at most. Pure.
 */
export function equalPayments(fundings: readonly Funding[]): readonly (readonly Funding[])[] {
  const { within, hours, wallets } = given.sameAmount;
  const dated = fundings
    .filter(({ at, amount }) => amount > 0n && Number.isFinite(Date.parse(at ?? '')))
    .sort((a, b) => (a.amount < b.amount ? -1 : a.amount > b.amount ? 1 : 0));
  const taken = new Set<string>();
  const groups: Funding[][] = [];
  for (const first of dated) {
    if (taken.has(first.wallet) || isRound(first.amount)) continue;
    const limit = Number(first.amount) * (1 + within);
    const group = dated.filter(
      ({ wallet, amount, at }) =>
        !taken.has(wallet) &&
        amount >= first.amount &&
        Number(amount) <= limit &&
        Math.abs(Date.parse(at ?? '') - Date.parse(first.at ?? '')) <= hours * HOUR_MS,
    );
    if (group.length < wallets) continue;
    for (const { wallet } of group) taken.add(wallet);
    groups.push(group);
  }
  return groups;
}

/** True for amounts that people type, possibly less a fee: close to a number of two significant digits. */
function isRound(amount: bigint): boolean {
  const value = Number(amount);
  const typed = Number(value.toPrecision(2));
  return Math.abs(value - typed) <= value * given.sameAmount.round;
}

const logFactorials: number[] = [0];

function logFactorial(value: number): number {
  for (let next = logFactorials.length; next <= value; next += 1)
    logFactorials.push((logFactorials[next - 1] ?? 0) + Math.log(next));
  return logFactorials[value] ?? Number.NaN;
}

function logChoose(from: number, count: number): number {
  if (count < 0 || count > from) return Number.NEGATIVE_INFINITY;
  return logFactorial(from) - logFactorial(count) - logFactorial(from - count);
}

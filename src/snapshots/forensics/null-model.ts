import { HOUR_MS } from '../../domain/index.ts';
import given from './reference-payers.json' with { type: 'json' };
import type { Funding } from './types.ts';

/**
 * Wallets that nothing connects, by who paid them: what a group is compared with. `paid` has how many of them each payer paid, as
 * far as it paid more than one; names that are in no group (`''` and a number) stand for payers that are not named.
 */
export interface ReferencePayers {
  readonly wallets: number;
  readonly paid: ReadonlyMap<string, number>;
  /** Where the wallets come from, in words. */
  readonly basis: 'own_searches' | 'public_study';
}

/** The payers of a public study, for an installation that has not searched enough itself. */
export const STUDIED_PAYERS: ReferencePayers = {
  wallets: given.wallets,
  paid: new Map(given.shared.map((count, index) => [`#${index}`, count])),
  basis: 'public_study',
};

/** Least number of wallets of own searches that can represent the chain. */
export const OWN_WALLETS = given.ownWallets;

/** Of groups that nothing connects, at most this share shows a cluster. */
export const FALSE_CLUSTERS = given.falseClusters;

/**
 * The chance that at least `least` of `drawn` wallets bear a mark that `marked` of `population` wallets bear, when they are drawn
 * at random without replacement (the upper tail of the hypergeometric distribution).
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
 * How likely a random group of the same size shows, by any payer, something as rare as each payer of this group paid. The chances of
 * all payers are added, so that of groups that nothing connects at most the share p shows a payer with a chance of p or less, however
 * many payers there are. Pure.
 *
 * Wallets of own searches are of the same chain and time: they and the group are thrown together and the group is drawn again, so that
 * a payer of many strangers is no news. The wallets of a study are of another time, when others paid: only how many wallets single
 * payers pay carries over, not who they are, and a payer of the group may be the busiest of them.
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
    // Of each payer, the fewest wallets that are as rare or rarer: two at least, one wallet is no group.
    const rarer = tails.reduce((sum, tail) => sum + (tail.slice(1).find((one) => one <= chance * ROUNDING) ?? 0), 0);
    chances.set(payer, Math.min(1, Math.max(chance, rarer)));
  }
  return chances;
}

/** Equal chances that were added up in another order differ in their last digits. */
const ROUNDING = 1 + 1e-9;

function countsOf(payers: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const payer of payers) counts.set(payer, (counts.get(payer) ?? 0) + 1);
  return counts;
}

/**
 * Payments of nearly one amount within an hour to three wallets or more, by whoever: nobody types nine equal decimals by chance (none
 * of 5,000 random groups of the study had them). Each wallet is in one group at most. Pure.
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

/** What people type, less a fee perhaps: nearly a number of two digits. */
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

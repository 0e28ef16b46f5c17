import { WRAPPED_SOL } from '../../../chains/index.ts';
import type { SolanaReader } from '../../solana/types.ts';
import { notRead } from '../limits.ts';
import type { Drain, Findings, Funding, Hop, Limit, PoolFinding, Question } from '../types.ts';
import { firstFunding, isBusy } from './first-funding.ts';
import { followFunds, type Start } from './follow-funds.ts';
import type { SolanaHistory } from './history.ts';
import { watchPool } from './pool-accounts.ts';
import { findPoolDrains } from './pool-drains.ts';

export interface SolanaTools {
  readonly reader: Pick<SolanaReader, 'accounts'>;
  readonly history: SolanaHistory;
}

const POOLS = 3;
const POOL_PAGES = 10;
const POOL_TRANSACTIONS = 60;
const DRAINS = 8;
const DEPTH = 2;
const FOLLOWED_WALLETS = 6;
const FOLLOWED_TRANSACTIONS = 12;
const FUNDED_WALLETS = 6;
const FUNDING_PAGES = 3;
const MOST_ENDS = 8;

/** Who emptied an asset's pools on Solana, where the money went, and who first paid the wallets that took part. */
export async function investigateSolana(
  { reader, history }: SolanaTools,
  question: Question,
  signal?: AbortSignal,
): Promise<Findings> {
  const limits: Limit[] = [];
  const pools: PoolFinding[] = [];
  const hops: Hop[] = [];
  for (const asked of question.pools.slice(0, POOLS)) {
    const watched = await watchPool(reader, { ...asked, base: question.base }, signal);
    const found = watched.ok
      ? await findPoolDrains({
          history,
          ...watched.value,
          money: moneyOf(watched.value.pool.quote),
          mostPages: POOL_PAGES,
          mostTransactions: POOL_TRANSACTIONS,
          mostDrains: DRAINS,
          ...(signal ? { signal } : {}),
        })
      : watched;
    if (!found.ok) {
      limits.push(notRead(asked.address, found));
      continue;
    }
    pools.push(found.value.finding);
    limits.push(...found.value.limits);
  }
  for (const { pool, drains } of pools) {
    const owners = new Set(pools.flatMap((row) => [...row.pool.owners]));
    const followed = await followFunds(startsOf(drains), {
      history,
      money: moneyOf(pool.quote),
      isService: (address) => owners.has(address) || question.isService(address),
      depth: DEPTH,
      mostWallets: FOLLOWED_WALLETS,
      mostTransactions: FOLLOWED_TRANSACTIONS,
      ...(signal ? { signal } : {}),
    });
    hops.push(...followed.hops);
    limits.push(...followed.limits);
  }
  const drains = pools.flatMap((row) => row.drains);
  const paid = drains.length === 0 ? NOBODY : await fundingsOf(history, walletsOf(question, drains), question, signal);
  const ends = await busyEnds(history, hops, question, signal);
  const services = new Set([...paid.services, ...ends]);
  return { pools, hops, fundings: paid.fundings, services, limits: [...limits, ...paid.limits] };
}

/** Wallets at the end of the ways that get very many payments, as exchanges do. */
async function busyEnds(
  history: SolanaHistory,
  hops: readonly Hop[],
  { isService }: Question,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const followed = new Set(hops.map((hop) => hop.from));
  const ends = [...new Set(hops.flatMap(({ to }) => (to === null || followed.has(to) || isService(to) ? [] : [to])))];
  const busy: string[] = [];
  for (const end of ends.slice(0, MOST_ENDS)) {
    const found = await isBusy(history, end, signal);
    if (found.ok && found.value) busy.push(end);
  }
  return busy;
}

/** A wrapped coin comes out of a pool wrapped or not. */
function moneyOf(quote: string): ReadonlySet<string> {
  return quote === WRAPPED_SOL ? new Set([WRAPPED_SOL, 'native']) : new Set([quote]);
}

/** Each recipient from the first drain that paid it, with all that it got. */
function startsOf(drains: readonly Drain[]): readonly Start[] {
  const starts = new Map<string, Start>();
  for (const drain of drains.toSorted((a, b) => a.height - b.height)) {
    for (const { address, amount } of drain.recipients) {
      const known = starts.get(address);
      starts.set(address, {
        wallet: address,
        since: known?.since ?? drain.transaction,
        amount: (known?.amount ?? 0n) + amount,
      });
    }
  }
  return [...starts.values()].sort((a, b) => (a.amount > b.amount ? -1 : 1));
}

function walletsOf({ creator }: Question, drains: readonly Drain[]): readonly string[] {
  const wallets = drains.flatMap((drain) => [
    drain.actor,
    drain.liquidityOwner,
    ...drain.recipients.map((one) => one.address),
  ]);
  return [...new Set([creator, ...wallets])].filter((one) => one !== null).slice(0, FUNDED_WALLETS);
}

interface Paid {
  readonly fundings: ReadonlyMap<string, Funding>;
  readonly services: ReadonlySet<string>;
  readonly limits: readonly Limit[];
}
const NOBODY: Paid = { fundings: new Map(), services: new Set(), limits: [] };

/** Who first paid each of the wallets, and which of the payers are no persons. */
export async function fundingsOf(
  history: SolanaHistory,
  wallets: readonly string[],
  { isService }: Pick<Question, 'isService'>,
  signal?: AbortSignal,
): Promise<Paid> {
  const fundings = new Map<string, Funding>();
  const services = new Set<string>();
  const limits: Limit[] = [];
  for (const wallet of wallets) {
    if (isService(wallet)) continue;
    const found = await firstFunding(history, wallet, FUNDING_PAGES, signal);
    if (found.ok && found.value !== null) fundings.set(wallet, found.value);
    else if (!found.ok && found.reason === 'too_large')
      limits.push({ code: 'busy_wallet', detail: `who first paid ${wallet} is not known: ${found.detail}` });
    else if (!found.ok)
      limits.push({ code: 'node_failed', detail: `who first paid ${wallet} is not known: ${found.detail}` });
  }
  const counts = new Map<string, number>();
  for (const { funder } of fundings.values()) counts.set(funder, (counts.get(funder) ?? 0) + 1);
  for (const [funder, times] of counts) {
    if (isService(funder)) services.add(funder);
    else if (times > 1 || wallets.length <= FUNDED_WALLETS || wallets.includes(funder)) {
      const busy = await isBusy(history, funder, signal);
      if (busy.ok && busy.value) services.add(funder);
      if (!busy.ok)
        limits.push({ code: 'node_failed', detail: `whether ${funder} is a service is not known: ${busy.detail}` });
    }
  }
  return { fundings, services, limits };
}

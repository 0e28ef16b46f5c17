import type { ChainFault } from '../../../chains/index.ts';
import { ok, type Result } from '../../../domain/index.ts';
import { findDrops } from '../find-drops.ts';
import { drainOf } from '../pool-effect.ts';
import type { Drain, Limit, PoolFinding, WatchedPool } from '../types.ts';
import type { SolanaHistory } from './history.ts';
import { listSignatures } from './pages.ts';

export interface DrainSearch {
  readonly history: SolanaHistory;
  readonly pool: WatchedPool;
  /** The account that holds the pool's quote tokens. */
  readonly quoteVault: string;
  /** Ids that mean the quote token. */
  readonly money: ReadonlySet<string>;
  readonly mostPages: number;
  readonly mostTransactions: number;
  readonly mostDrains: number;
  readonly signal?: AbortSignal;
}

/** Smaller removals are the usual coming and going of liquidity providers. */
const LEAST_REMOVAL = 0.05;
/** A sale moves any pool; one that takes so much of it empties it. */
const LEAST_SALE = 0.2;

/** Lists a pool's transactions and finds, by halving, those that took most of its quote tokens. */
export async function findPoolDrains(
  search: DrainSearch,
): Promise<Result<{ readonly finding: PoolFinding; readonly limits: readonly Limit[] }, ChainFault>> {
  const { history, pool, quoteVault, money, signal } = search;
  const listed = await listSignatures(history, quoteVault, { mostPages: search.mostPages }, signal);
  if (!listed.ok) return listed;
  const rows = listed.value.rows.toReversed();
  const drops = await findDrops({
    count: rows.length,
    leastShare: LEAST_REMOVAL,
    mostProbes: search.mostTransactions,
    async probe(index) {
      const read = await history.transaction(rows[index]?.signature ?? '', signal);
      const change = read.ok
        ? read.value?.changes.find((row) => row.account === quoteVault && row.asset === pool.quote)
        : null;
      return change && change.before !== null ? { before: change.before, after: change.before + change.amount } : null;
    },
  });
  const drains: Drain[] = [];
  for (const { index, before } of drops.found) {
    const read = await history.transaction(rows[index]?.signature ?? '', signal);
    const drain = read.ok && read.value !== null ? drainOf(read.value, pool, before, money) : null;
    if (drain !== null && (drain.kind === 'removal' || drain.shareTaken >= LEAST_SALE)) drains.push(drain);
  }
  const newest = await heldNow(search, rows.at(-1)?.signature);
  return ok({
    finding: {
      pool,
      peak: drops.peak,
      now: newest ?? 0n,
      drains: drains.sort((a, b) => (a.quoteAmount > b.quoteAmount ? -1 : 1)).slice(0, search.mostDrains),
      listed: rows.length,
      examined: drops.probes,
      since: rows[0]?.at ?? null,
    },
    limits: limitsOf(search, rows.length, listed.value.complete, drops),
  });
}

async function heldNow({ history, quoteVault, pool, signal }: DrainSearch, newest: string | undefined) {
  const read = newest === undefined ? null : await history.transaction(newest, signal);
  const change = read?.ok
    ? read.value?.changes.find((row) => row.account === quoteVault && row.asset === pool.quote)
    : null;
  return change && change.before !== null ? change.before + change.amount : null;
}

function limitsOf(
  { pool }: DrainSearch,
  listed: number,
  isWhole: boolean,
  drops: { readonly unseen: number; readonly complete: boolean; readonly probes: number },
): readonly Limit[] {
  return [
    ...(isWhole
      ? []
      : [
          {
            code: 'history_cut' as const,
            detail: `pool ${pool.address}: only its newest ${listed} transactions were listed; what happened before is not seen`,
          },
        ]),
    ...(drops.unseen === 0
      ? []
      : [
          {
            code: 'transaction_not_kept' as const,
            detail: `pool ${pool.address}: ${drops.unseen} of ${drops.probes} transactions could not be read from the node`,
          },
        ]),
    ...(drops.complete
      ? []
      : [
          {
            code: 'not_followed' as const,
            detail: `pool ${pool.address}: what it lost besides went in transactions too many to be traced one by one`,
          },
        ]),
  ];
}

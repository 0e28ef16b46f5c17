import type { ChainFault } from '../../../chains/index.ts';
import { ok, type Result } from '../../../domain/index.ts';
import { type LaunchTransactions, type Purchases, purchasesIn } from '../purchases.ts';
import type { ChainTransaction, Limit } from '../types.ts';
import { listSignatures, type SignatureRow, type SolanaHistory } from './history.ts';

const PAGES = 10;
/**
 * Number of transactions that are searched for the one that fills the pool: the first ones may only create accounts.
 */
const BEFORE_OPENING = 6;
const TRANSACTIONS = 40;
/** Number of slots that are searched for the first trades when the slot of the opening has no purchase. */
const SLOTS_AHEAD = 1_500;

export interface LaunchSearch {
  readonly history: SolanaHistory;
  /** The account whose transactions are those of the pool or curve; or the mint. */
  readonly account: string;
  readonly base: string;
  readonly signal?: AbortSignal;
}

/**
 * Purchases in the first slot with trades of a pool or curve; null, with the reason, when the launch cannot be reached.
 */
export async function readSolanaLaunch({
  history,
  account,
  base,
  signal,
}: LaunchSearch): Promise<
  Result<{ readonly purchases: Purchases | null; readonly limits: readonly Limit[] }, ChainFault>
> {
  const listed = await listSignatures(history, account, { mostPages: PAGES }, signal);
  if (!listed.ok) return listed;
  if (!listed.value.complete) {
    const detail = `the launch was not reached: ${account} has more than ${listed.value.rows.length} transactions`;
    return ok({ purchases: null, limits: [{ code: 'history_cut', detail }] });
  }
  const rows = listed.value.rows.toReversed();
  const read = await readFirst(history, rows, base, signal);
  if (!read.ok) return read;
  const first = purchasesIn({ rows: read.value.rows, positions: new Map() }, base, null);
  if (first === null) {
    const detail = `no transaction among the first of ${account} fills a pool or curve`;
    return ok({ purchases: null, limits: [...read.value.limits, { code: 'pool_not_read', detail }] });
  }
  const places = await history.placesIn(first.opening.height, signal);
  const positions = places.ok ? places.value : new Map<string, number>();
  const limits: Limit[] = [...read.value.limits];
  if (!places.ok)
    limits.push({ code: 'node_failed', detail: `the order of the slot of the launch is not known: ${places.detail}` });
  return ok({ purchases: purchasesIn({ rows: read.value.rows, positions }, base, null), limits });
}

/** The transactions of the slot that fills the pool, and of the first slot after it with a purchase. */
async function readFirst(
  history: SolanaHistory,
  rows: readonly SignatureRow[],
  base: string,
  signal?: AbortSignal,
): Promise<Result<Pick<LaunchTransactions, 'rows'> & { readonly limits: readonly Limit[] }, ChainFault>> {
  const found: ChainTransaction[] = [];
  const limits: Limit[] = [];
  let opening: number | null = null;
  let until = Number.POSITIVE_INFINITY;
  for (const [index, { slot, signature }] of rows.entries()) {
    if (opening === null ? index >= BEFORE_OPENING : slot > Math.min(until, opening + SLOTS_AHEAD)) break;
    if (found.length >= TRANSACTIONS) {
      limits.push({
        code: 'not_followed',
        detail: `only the first ${TRANSACTIONS} transactions of the launch were read`,
      });
      break;
    }
    const read = await history.transaction(signature, signal);
    if (!read.ok) return read;
    if (read.value === null) {
      limits.push({ code: 'transaction_not_kept', detail: `the node does not keep ${signature}` });
      continue;
    }
    found.push(read.value);
    const seen = purchasesIn({ rows: found, positions: new Map() }, base, null);
    if (seen === null) continue;
    opening = seen.opening.height;
    const bought = seen.trades.find(({ transaction }) => transaction !== seen.opening.transaction);
    if (bought !== undefined) until = bought.height;
  }
  return ok({ rows: found, limits });
}

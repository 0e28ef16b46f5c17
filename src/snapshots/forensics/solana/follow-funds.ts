import { followMoney, gainers, netChange } from '../pool-effect.ts';
import type { ChainTransaction, Hop, Limit } from '../types.ts';
import type { SolanaHistory } from './history.ts';
import { listSignatures } from './history.ts';

/** A wallet that got money, and when. */
export interface Start {
  readonly wallet: string;
  /** The transaction in which it got it. */
  readonly since: string;
  readonly amount: bigint;
}

export interface FollowSettings {
  readonly history: SolanaHistory;
  readonly money: ReadonlySet<string>;
  /** Never followed: pools, exchanges, programs. */
  readonly isService: (address: string) => boolean;
  readonly depth: number;
  readonly mostWallets: number;
  readonly mostTransactions: number;
  readonly signal?: AbortSignal;
}

const MOST_PAGES = 2;
/** Parts of the money that are too small to follow: fees, rents, small change. */
const LEAST_PART = 50n;
const NEXT_WALLETS = 3;

/** Where money went from the wallets that got it: step by step, the largest amounts first, at most `depth` steps. */
export async function followFunds(
  starts: readonly Start[],
  settings: FollowSettings,
): Promise<{ readonly hops: readonly Hop[]; readonly limits: readonly Limit[] }> {
  return followMoney(starts, { ...settings, leaving: (start, depth) => leaving(start, depth, settings) });
}

async function leaving(start: Start, depth: number, settings: FollowSettings) {
  const { history, money, signal } = settings;
  const limits: Limit[] = [];
  const hops: Hop[] = [];
  const listed = await listSignatures(history, start.wallet, { until: start.since, mostPages: MOST_PAGES }, signal);
  if (!listed.ok) {
    limits.push({ code: 'node_failed', detail: `${start.wallet} could not be followed: ${listed.detail}` });
    return { hops, limits, next: [] };
  }
  if (!listed.value.complete) {
    limits.push({
      code: 'busy_wallet',
      detail: `${start.wallet} was not followed: it has more than ${listed.value.rows.length} transactions since, as services have`,
    });
    return { hops, limits, next: [] };
  }
  const rows = listed.value.rows.toReversed();
  let gone = 0n;
  for (const row of rows.slice(0, settings.mostTransactions)) {
    if (gone * 100n >= start.amount * 98n) break;
    const read = await history.transaction(row.signature, signal);
    if (!read.ok || read.value === null) continue;
    const out = -netChange(read.value, start.wallet, money);
    if (out * LEAST_PART < start.amount) continue;
    gone += out;
    hops.push(...hopsOf(read.value, start.wallet, out, depth, money));
  }
  if (rows.length > settings.mostTransactions && gone * 2n < start.amount)
    limits.push({
      code: 'not_followed',
      detail: `only the first ${settings.mostTransactions} of ${rows.length} later transactions of ${start.wallet} were looked at`,
    });
  return { hops, limits, next: nextOf(hops) };
}

/** The money's ways out of a wallet in one transaction: to others, or into something else that came back for it. Pure. */
export function hopsOf(
  transaction: ChainTransaction,
  wallet: string,
  out: bigint,
  depth: number,
  money: ReadonlySet<string>,
): readonly Hop[] {
  const common = { depth, from: wallet, transaction: transaction.id, at: transaction.at };
  const isExchange = transaction.changes.some(
    (change) => change.owner === wallet && change.amount > 0n && !money.has(change.asset) && change.asset !== 'native',
  );
  const asset = transaction.changes.find((change) => change.owner === wallet && money.has(change.asset))?.asset ?? '';
  if (isExchange) return [{ ...common, to: null, kind: 'exchange', asset, amount: out }];
  return gainers(transaction, money, new Set([wallet]))
    .filter((one) => one.amount * 10n >= out)
    .map((one) => ({ ...common, to: one.address, kind: 'transfer', asset: one.asset, amount: one.amount }));
}

function nextOf(hops: readonly Hop[]): readonly Start[] {
  return hops
    .flatMap(({ to, transaction, amount }) => (to === null ? [] : [{ wallet: to, since: transaction, amount }]))
    .sort((a, b) => (a.amount > b.amount ? -1 : 1))
    .slice(0, NEXT_WALLETS);
}

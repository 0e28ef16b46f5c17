import {
  type ChainFault,
  decodeMint,
  decodeTokenAccount,
  fault,
  KNOWN_DECIMALS,
  openPool,
  PUMP,
} from '../../../chains/index.ts';
import { ok, type Result } from '../../../domain/index.ts';
import type { SolanaReader } from '../../solana/reader.ts';
import { drainOf } from '../pool-effect.ts';
import type { Drain, Limit, PoolFinding, WatchedPool } from '../types.ts';
import { listSignatures, type SolanaHistory } from './history.ts';

export interface DrainSearch {
  readonly history: SolanaHistory;
  readonly pool: WatchedPool;
  /** The account that holds the pool's quote tokens. */
  readonly quoteVault: string;
  /** What that account holds now, base units. */
  readonly held: bigint;
  /** Ids of the quote token. */
  readonly money: ReadonlySet<string>;
  readonly mostPages: number;
  readonly mostTransactions: number;
  readonly mostDrains: number;
  readonly signal?: AbortSignal;
}

/** Smaller removals are ordinary activity of liquidity providers. */
const LEAST_REMOVAL = 0.05;
/** Smaller sales are not drains: every sale moves its pool. */
const LEAST_SALE = 0.2;

/** Lists a pool's transactions and finds, by bisection, those that took most of its quote tokens. */
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
  // A transaction that cannot be read says nothing, least of all that the pool is empty: the account itself was read.
  const newest = await heldNow(search, rows.at(-1)?.signature);
  return ok({
    finding: {
      pool,
      peak: drops.peak,
      now: newest ?? search.held,
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

/** A pool's vaults and their signers: the token accounts of its two mints among the accounts that it names. */
export async function watchPool(
  reader: Pick<SolanaReader, 'accounts'>,
  { address, dex, base }: { readonly address: string; readonly dex: string; readonly base: string },
  signal?: AbortSignal,
): Promise<Result<Pick<DrainSearch, 'pool' | 'quoteVault' | 'held'>, ChainFault>> {
  const first = await reader.accounts([address], signal);
  if (!first.ok) return first;
  const [account] = first.value.accounts;
  if (!account) return fault('not_found', 'the pool does not exist any more');
  // A completed curve transfers all its holdings to a pool, which by its balances alone would look like a drain.
  if (account.owner === PUMP)
    return fault('refused', 'a bonding curve holds nobody’s liquidity; it ends by moving to a pool');
  const opened = openPool(account, [base]);
  if (!opened.ok) return opened;
  const { summary, needs } = opened.value;
  const quote = summary.mints.find((mint) => mint !== base);
  if (quote === undefined || !summary.mints.includes(base))
    return fault('not_found', 'the pool does not trade this asset');
  const read = await reader.accounts([...new Set([...needs, ...summary.mints])], signal);
  if (!read.ok) return read;
  const decimalsOf = (mint: string) => {
    const row = read.value.accounts.find((one) => one?.address === mint);
    return (row ? decodeMint(row.owner, row.data)?.decimals : undefined) ?? KNOWN_DECIMALS.get(mint) ?? null;
  };
  const vaults = read.value.accounts.flatMap((row) => {
    const token = row === null ? null : decodeTokenAccount(row.owner, row.data);
    return row !== null && token !== null && summary.mints.includes(token.mint)
      ? [{ account: row.address, mint: token.mint, owner: token.owner, held: token.amount }]
      : [];
  });
  const common = { address, dex, base, baseDecimals: decimalsOf(base) };
  const vault = vaults.find(({ mint }) => mint === quote);
  if (vault === undefined) return fault('not_found', 'the account of its quote tokens does not exist any more');
  const accounts = new Set(vaults.map((vault) => vault.account));
  const owners = new Set([address, ...vaults.map((vault) => vault.owner)]);
  const pool = { ...common, quote, quoteDecimals: decimalsOf(quote), accounts, owners };
  return ok({ pool, quoteVault: vault.account, held: vault.held });
}

/** What a pool held before and after one of its transactions, base units. */
export interface Held {
  readonly before: bigint;
  readonly after: bigint;
}

export interface DropSearch {
  /** Number of transactions; index 0 is the oldest. */
  readonly count: number;
  /** Reads one transaction; null when it cannot be read. */
  readonly probe: (index: number) => Promise<Held | null>;
  /** Least size of a single drop, as a share of the largest balance that was read, 0-1. */
  readonly leastShare: number;
  readonly mostProbes: number;
}

export interface Drops {
  /** Transactions with such a drop, oldest first. */
  readonly found: readonly { readonly index: number; readonly drop: bigint; readonly before: bigint }[];
  readonly probes: number;
  /** Largest balance that was read. */
  readonly peak: bigint;
  /** Number of transactions that could not be read. */
  readonly unseen: number;
  /** False when the search ended before every visible drop was traced to its transaction. */
  readonly complete: boolean;
}

/** The first reads are spaced evenly over so many parts: a drop that was refilled between two of them is not found. */
const SPREAD = 12;
/** Number of neighbours on each side that are tried when a transaction cannot be read. */
const NEIGHBOURS = 3;

interface Interval {
  readonly from: number;
  readonly to: number;
  /** Lost between the end of `from` and the start of `to`. */
  readonly lost: bigint;
}

/**
 * Finds the transactions in which a balance fell most, reading few of them: a loss between two times lies in one half
 * of the interval, so bisection leads to its transaction. The largest loss is followed first.
 */
export async function findDrops({ count, probe, leastShare, mostProbes }: DropSearch): Promise<Drops> {
  const seen = new Map<number, Held | null>();
  const look = async (index: number): Promise<Held | null> => {
    if (seen.has(index)) return seen.get(index) ?? null;
    if (seen.size >= mostProbes) return null;
    const held = await probe(index);
    seen.set(index, held);
    return held;
  };
  for (let step = 0; step <= SPREAD && count > 0; step += 1) await look(Math.round((step * (count - 1)) / SPREAD));
  const peak = () => [...seen.values()].reduce((most, held) => larger(most, held?.before, held?.after), 0n);
  const least = () => (peak() * BigInt(Math.round(leastShare * 1_000_000))) / 1_000_000n;
  let complete = true;
  const given = new Set<string>();
  for (;;) {
    const open = intervals(seen).filter(({ from, to, lost }) => lost > least() && !given.has(`${from} ${to}`));
    const next = open.reduce<Interval | null>(
      (most, one) => (most === null || one.lost > most.lost ? one : most),
      null,
    );
    if (next === null) break;
    const middle = await lookBetween(next, look);
    if (middle) continue;
    complete = false;
    given.add(`${next.from} ${next.to}`);
    if (seen.size >= mostProbes) break;
  }
  const floor = least();
  const found = [...seen]
    .flatMap(([index, held]) =>
      held && held.before - held.after >= floor && held.before > held.after
        ? [{ index, drop: held.before - held.after, before: held.before }]
        : [],
    )
    .sort((a, b) => a.index - b.index);
  const unseen = [...seen.values()].filter((held) => held === null).length;
  return { found, probes: seen.size, peak: peak(), unseen, complete };
}

/** Pairs of consecutive read transactions with unread ones between them. */
function intervals(seen: ReadonlyMap<number, Held | null>): readonly Interval[] {
  const known = [...seen].flatMap(([index, held]) => (held ? [{ index, held }] : [])).sort((a, b) => a.index - b.index);
  return known.slice(1).flatMap(({ index, held }, place): readonly Interval[] => {
    const earlier = known[place];
    if (!earlier || index - earlier.index < 2) return [];
    return [{ from: earlier.index, to: index, lost: earlier.held.after - held.before }];
  });
}

async function lookBetween({ from, to }: Interval, look: (index: number) => Promise<Held | null>): Promise<boolean> {
  const middle = Math.floor((from + to) / 2);
  for (let step = 0; step < NEIGHBOURS * 2; step += 1) {
    const index = middle + (step % 2 === 0 ? step / 2 : -(step + 1) / 2);
    if (index <= from || index >= to) continue;
    if ((await look(index)) !== null) return true;
  }
  return false;
}

function larger(most: bigint, ...others: readonly (bigint | undefined)[]): bigint {
  return others.reduce<bigint>((sum, value) => (value !== undefined && value > sum ? value : sum), most);
}

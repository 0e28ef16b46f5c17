import { type ChainFault, fault, WRAPPED_SOL } from '../../../chains/index.ts';
import { DAY_MS, ok, type Result } from '../../../domain/index.ts';
import type { SolanaReader } from '../../solana/reader.ts';
import { type ChainSearch, investigate } from '../investigate.ts';
import { followMoney, gainers, netChange } from '../pool-effect.ts';
import type { ChainTransaction, Findings, Funding, Hop, Limit, Question } from '../types.ts';
import { listSignatures, SIGNATURES_PER_PAGE, type SolanaHistory } from './history.ts';
import { readSolanaLaunch } from './launch.ts';
import { findPoolDrains, watchPool } from './pool-drains.ts';

export interface SolanaTools {
  readonly reader: Pick<SolanaReader, 'accounts'>;
  readonly history: SolanaHistory;
}

const POOL_PAGES = 10;
const POOL_TRANSACTIONS = 60;
const DRAINS = 8;
const DEPTH = 2;
const FOLLOWED_WALLETS = 6;
const FOLLOWED_TRANSACTIONS = 12;
const FUNDING_PAGES = 3;

/**
 * Finds who emptied an asset's pools on Solana, where the money went, and who first paid the wallets that took part.
 */
export function investigateSolana(tools: SolanaTools, question: Question, signal?: AbortSignal): Promise<Findings> {
  return investigate(question, solanaSearch(tools, signal));
}

export function solanaSearch({ reader, history }: SolanaTools, signal?: AbortSignal): ChainSearch {
  const given = signal ? { signal } : {};
  return {
    async findDrains(pool, base) {
      const watched = await watchPool(reader, { ...pool, base }, signal);
      if (!watched.ok) return watched;
      return findPoolDrains({
        history,
        ...watched.value,
        money: moneyOf(watched.value.pool.quote),
        mostPages: POOL_PAGES,
        mostTransactions: POOL_TRANSACTIONS,
        mostDrains: DRAINS,
        ...given,
      });
    },
    follow: (pool, starts, isService) =>
      followFunds(
        starts.map(({ wallet, amount, first }) => ({ wallet, amount, since: first.transaction })),
        {
          history,
          money: moneyOf(pool.quote),
          isService,
          depth: DEPTH,
          mostWallets: FOLLOWED_WALLETS,
          mostTransactions: FOLLOWED_TRANSACTIONS,
          ...given,
        },
      ),
    async firstFunding(wallet) {
      const found = await firstFunding(history, wallet, FUNDING_PAGES, signal);
      if (found.ok) return found;
      const code = found.reason === 'too_large' ? 'busy_wallet' : 'node_failed';
      const limit = { code, detail: `who first paid ${wallet} is not known: ${found.detail}` } as const;
      return { ok: false, limit, isFinal: false };
    },
    isCrowded: (wallet) => isBusy(history, wallet, signal),
    readLaunch: (pool, base) => readSolanaLaunch({ history, account: pool.address, base, ...given }),
  };
}

/** Ids of the quote token: a wrapped coin may leave a pool unwrapped. */
function moneyOf(quote: string): ReadonlySet<string> {
  return quote === WRAPPED_SOL ? new Set([WRAPPED_SOL, 'native']) : new Set([quote]);
}

/** Number of first transactions that are read: they may only name the wallet (tokens sent to everybody). */
const FIRST_LOOKED_AT = 4;
/** A wallet with a full page of transactions within this time is not a person's. */
const BUSY_WITHIN_MS = 14 * DAY_MS;

/**
 * The first payment to a wallet; null when its first transactions show no payer. `too_large` for a wallet with more
 * pages of transactions than are read.
 */
async function firstFunding(
  history: SolanaHistory,
  wallet: string,
  mostPages: number,
  signal?: AbortSignal,
): Promise<Result<Funding | null, ChainFault>> {
  const listed = await listSignatures(history, wallet, { mostPages }, signal);
  if (!listed.ok) return listed;
  if (!listed.value.complete) return fault('too_large', `more than ${listed.value.rows.length} transactions`);
  for (const row of listed.value.rows.slice(-FIRST_LOOKED_AT).toReversed()) {
    const read = await history.transaction(row.signature, signal);
    if (!read.ok) return read;
    const funding = read.value === null ? null : fundingIn(read.value, wallet);
    if (funding !== null) return ok(funding);
  }
  return ok(null);
}

/**
 * The payment of a transaction to an empty wallet: from the signer with the largest loss. Null if there is none. Pure.
 */
export function fundingIn(transaction: ChainTransaction, wallet: string): Funding | null {
  const coins = transaction.changes.filter((change) => change.asset === 'native');
  const got = coins.find((change) => change.account === wallet);
  if (got === undefined || got.amount <= 0n || (got.before !== null && got.before !== 0n)) return null;
  const payers = coins
    .filter(({ owner, amount }) => owner !== wallet && amount < 0n && transaction.signers.includes(owner))
    .sort((a, b) => (a.amount < b.amount ? -1 : 1));
  const [payer] = payers;
  if (payer === undefined || -payer.amount < got.amount) return null;
  return { wallet, funder: payer.owner, transaction: transaction.id, at: transaction.at, amount: got.amount };
}

/** True for a wallet that has a full page of transactions in a few days: an exchange, a bot, a relayer. */
async function isBusy(
  history: SolanaHistory,
  wallet: string,
  signal?: AbortSignal,
): Promise<Result<boolean, ChainFault>> {
  const reply = await history.signatures(wallet, {}, signal);
  if (!reply.ok) return reply;
  const [newest, oldest] = [reply.value[0], reply.value.at(-1)];
  if (reply.value.length < SIGNATURES_PER_PAGE || newest === undefined || oldest === undefined) return ok(false);
  const span = Date.parse(newest.at ?? '') - Date.parse(oldest.at ?? '');
  return ok(span < BUSY_WITHIN_MS);
}

/** A wallet that received money, and when. */
export interface Start {
  readonly wallet: string;
  /** The transaction in which it received the money. */
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
/** Smaller parts than the money divided by this are not followed: fees, rents, small change. */
const LEAST_PART = 50n;
const NEXT_WALLETS = 3;

/** Follows money from the wallets that received it: step by step, the largest amounts first, at most `depth` steps. */
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

/** Outflows of the money from a wallet in one transaction: to others, or in exchange for something else. Pure. */
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

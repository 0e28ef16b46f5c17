import { type ChainFault, fault, type Hex } from '../../../chains/index.ts';
import { ok, type Result } from '../../../domain/index.ts';
import { TRANSFER } from '../../evm/ledger.ts';
import type { EvmLog, EvmReader } from '../../evm/reader.ts';
import { type Purchases, purchasesIn } from '../purchases.ts';
import { type ChainTransaction, type Limit, timeOf } from '../types.ts';
import { type EvmHistory, topicOf } from './history.ts';
import { transactionOf } from './transaction.ts';

export interface EvmLaunchSearch {
  readonly reader: Pick<EvmReader, 'block'>;
  readonly history: EvmHistory;
  readonly pool: Hex;
  readonly base: Hex;
  readonly wrappedCoin: Hex | null;
  /** When the pool was created, RFC 3339; null when not known. */
  readonly createdAt: string | null;
  readonly blocksPerDay: number;
  readonly signal?: AbortSignal;
}

type Found = Result<{ readonly purchases: Purchases | null; readonly limits: readonly Limit[] }, ChainFault>;

const DAY_SECONDS = 86_400;
const MOST_LOOKS = 24;
/** Sources round the time at which a pool was created: blocks within this time before and after it are read. */
const AROUND_SECONDS = [600, 7_200] as const;
/** Number of blocks that are searched for trades: trading may open some time after the pool is filled. */
const BLOCKS_AHEAD = [20, 2_000] as const;
const TRANSACTIONS = 40;

/** Purchases in the first block with trades of a pool; null, with the reason, when the launch cannot be found. */
export async function readEvmLaunch(search: EvmLaunchSearch): Promise<Found> {
  const { history, reader, pool, base, createdAt, signal } = search;
  const none = (detail: string): Found =>
    ok({
      purchases: null,
      limits: [{ code: 'pool_not_read', detail: `the launch of ${pool} was not read: ${detail}` }],
    });
  const created = Date.parse(createdAt ?? '') / 1000;
  if (!Number.isFinite(created)) return none('no source says when it was made');
  const block = await blockAt(search, created);
  if (!block.ok) return block;
  const first = await firstFilling(search, block.value);
  if (!first.ok) return first;
  if (first.value === null) return none('the token was not sent to it about the time that its sources name');
  const out = await firstTrades(search, first.value);
  if (!out.ok) return out;
  const hashes = [...new Set([first.value.transaction, ...out.value.map((log) => log.transaction)])];
  const rows: ChainTransaction[] = [];
  const positions = new Map<string, number>();
  const limits: Limit[] = [];
  const times = new Map<number, string | null>();
  if (hashes.length > TRANSACTIONS)
    limits.push({
      code: 'not_followed',
      detail: `only the first ${TRANSACTIONS} transactions of the launch were read`,
    });
  for (const hash of hashes.slice(0, TRANSACTIONS)) {
    const read = await history.receipt(hash, signal);
    if (!read.ok) return read;
    if (read.value === null) {
      limits.push({ code: 'transaction_not_kept', detail: `the node does not keep ${hash}` });
      continue;
    }
    const { block: height, position } = read.value;
    if (!times.has(height)) {
      const found = await reader.block(height, signal);
      times.set(height, found.ok ? timeOf(found.value.timestamp) : null);
    }
    rows.push(transactionOf(read.value, times.get(height) ?? null, search.wrappedCoin, null).transaction);
    if (position !== null) positions.set(hash, position);
  }
  const ordered = rows.sort((a, b) => a.height - b.height || (positions.get(a.id) ?? 0) - (positions.get(b.id) ?? 0));
  const purchases = purchasesIn({ rows: ordered, positions }, base, new Set([pool]));
  return purchases === null ? none('no transaction fills it') : ok({ purchases, limits });
}

/** The newest block at or before `seconds`, by interpolation. */
async function blockAt(
  { reader, blocksPerDay, signal }: EvmLaunchSearch,
  seconds: number,
): Promise<Result<number, ChainFault>> {
  const newest = await reader.block('latest', signal);
  if (!newest.ok) return newest;
  let high: { readonly number: number; readonly timestamp: number } = newest.value;
  if (seconds >= high.timestamp) return ok(high.number);
  const guess = Math.floor(
    high.number - ((high.timestamp - seconds) / DAY_SECONDS) * blocksPerDay * 1.5 - blocksPerDay,
  );
  const start = await reader.block(Math.max(0, guess), signal);
  if (!start.ok) return start;
  let low: typeof high = start.value;
  if (low.timestamp > seconds && low.number > 0) {
    const oldest = await reader.block(0, signal);
    if (!oldest.ok) return oldest;
    [low, high] = [oldest.value, low];
  }
  for (let looks = 0; high.number - low.number > 1 && looks < MOST_LOOKS; looks += 1) {
    const share = (seconds - low.timestamp) / Math.max(1, high.timestamp - low.timestamp);
    // Every third step halves: block times of a chain that halted for hours are not linear.
    const wanted = low.number + (high.number - low.number) * (looks % 3 === 2 ? 0.5 : share);
    const number = Math.min(high.number - 1, Math.max(low.number + 1, Math.floor(wanted)));
    const read = await reader.block(number, signal);
    if (!read.ok) return read;
    if (read.value.timestamp > seconds) high = read.value;
    else low = read.value;
  }
  return ok(low.number);
}

/** The first transfer of the token to the pool, near the pool's creation; null if there is none. */
async function firstFilling(
  { history, pool, base, blocksPerDay, signal }: EvmLaunchSearch,
  near: number,
): Promise<Result<EvmLog | null, ChainFault>> {
  for (const seconds of AROUND_SECONDS) {
    const blocks = Math.max(1, Math.ceil((seconds / DAY_SECONDS) * blocksPerDay));
    const found = await firstLog(
      history,
      { address: base, topics: [TRANSFER, null, topicOf(pool)] },
      Math.max(0, near - blocks),
      near + blocks,
      signal,
    );
    if (!found.ok || found.value.length > 0) return found.ok ? ok(found.value[0] ?? null) : found;
  }
  return ok(null);
}

/** Transfers out of the pool in the first block with one from another transaction than the opening. */
async function firstTrades(
  { history, pool, base, signal }: EvmLaunchSearch,
  { block: from, transaction: opening }: EvmLog,
): Promise<Result<readonly EvmLog[], ChainFault>> {
  for (const blocks of BLOCKS_AHEAD) {
    const query = { address: base, topics: [TRANSFER, topicOf(pool)] };
    const found = await firstLog(history, query, from, from + blocks, signal, opening);
    if (!found.ok) return found;
    const [first] = found.value;
    if (first !== undefined) return ok(found.value.filter((log) => log.block === first.block));
  }
  return ok([]);
}

const MOST_PIECES = 40;

/**
 * The logs of the first part of a range that has any, without those of the transaction `except`. The parts shrink while
 * the node finds them too large.
 */
async function firstLog(
  history: Pick<EvmHistory, 'logs'>,
  query: { readonly address: Hex; readonly topics: readonly (Hex | null)[] },
  from: number,
  to: number,
  signal?: AbortSignal,
  except: Hex | null = null,
): Promise<Result<readonly EvmLog[], ChainFault>> {
  let size = to - from + 1;
  let start = from;
  for (let asked = 0; start <= to; asked += 1) {
    if (asked >= MOST_PIECES) return fault('refused', 'the node gives too few blocks at once');
    const end = Math.min(to, start + size - 1);
    const logs = await history.logs({ ...query, fromBlock: start, toBlock: end }, signal);
    const wanted = logs.ok ? logs.value.filter((log) => log.transaction !== except) : [];
    if (wanted.length > 0) return ok(wanted);
    if (logs.ok) start = end + 1;
    else if (logs.reason === 'too_large' && end > start) size = Math.max(1, Math.floor((end - start + 1) / 8));
    else return logs;
  }
  return ok([]);
}

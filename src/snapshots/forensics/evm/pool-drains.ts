import type { Hex } from '../../../chains/index.ts';
import { ZERO_ADDRESS } from '../../../chains/index.ts';
import { TRANSFER } from '../../evm/holders/transfer.ts';
import type { EvmReader } from '../../evm/types.ts';
import { drainOf } from '../pool-effect.ts';
import { timeOf } from '../time.ts';
import type { Drain, Limit, PoolFinding, WatchedPool } from '../types.ts';
import { type EvmHistory, topicOf } from './history.ts';
import { toldByPool } from './pool-events.ts';
import { transactionOf, transferOf } from './transaction.ts';
import { type Step, type Walk, walkBack } from './walk-back.ts';
import type { EvmWatch } from './watch-pool.ts';

export interface EvmDrainSearch {
  readonly reader: Pick<EvmReader, 'block'>;
  readonly history: EvmHistory;
  readonly watch: EvmWatch;
  readonly wrappedCoin: Hex | null;
  /** First block worth reading. */
  readonly oldest: number;
  readonly blocksPerDay: number;
  readonly mostRanges: number;
  readonly mostDrains: number;
  readonly signal?: AbortSignal;
}

const LEAST_REMOVAL = 20n;
const LEAST_SALE = 0.2;
const GIVEN_BEFORE = 900;
/** Below one part in so many of its peak a pool is drained: the days before need not be read. */
const DRAINED = 10n;

/** Walks back through what a pool held and looks closely at the transactions that took most of it. */
export async function findEvmDrains(
  search: EvmDrainSearch,
): Promise<{ readonly finding: PoolFinding; readonly limits: readonly Limit[] }> {
  const { reader, history, watch, signal } = search;
  const { pool, held, block } = watch;
  const walk = await walkBack({
    history,
    token: pool.quote as Hex,
    account: pool.address as Hex,
    held,
    block,
    oldest: search.oldest,
    mostRanges: search.mostRanges,
    enough: (steps, from) => isTold(steps, held, from, search.blocksPerDay),
    ...(signal ? { signal } : {}),
  });
  const peak = peakOf(walk.steps, held);
  const large = walk.steps
    .filter((step) => (step.before - step.after) * LEAST_REMOVAL >= peak && step.before > step.after)
    .sort((a, b) => (a.before - a.after > b.before - b.after ? -1 : 1))
    .slice(0, search.mostDrains);
  const limits: Limit[] = [...limitsOf(pool.address, walk)];
  const drains: Drain[] = [];
  for (const step of large) {
    const looked = await lookAt(search, step);
    if (looked.limit !== null) limits.push(looked.limit);
    const { drain } = looked;
    if (drain !== null && (drain.kind === 'removal' || drain.shareTaken >= LEAST_SALE)) drains.push(drain);
  }
  const oldest = walk.steps.at(-1);
  const since = oldest === undefined ? null : await reader.block(oldest.block, signal);
  return {
    finding: {
      pool,
      peak,
      now: held,
      drains,
      listed: walk.steps.length,
      examined: large.length,
      since: since?.ok ? timeOf(since.value.timestamp) : null,
    },
    limits,
  };
}

/** True when a pool that is empty now has been followed back a day before its last large loss. */
function isTold(steps: readonly Step[], held: bigint, from: number, blocksPerDay: number): boolean {
  const peak = peakOf(steps, held);
  const earliest = steps.findLast((step) => (step.before - step.after) * LEAST_REMOVAL >= peak && peak > 0n);
  return held * DRAINED < peak && earliest !== undefined && from < earliest.block - blocksPerDay;
}

function peakOf(steps: readonly Step[], held: bigint): bigint {
  let peak = held;
  for (const { before } of steps) if (before > peak) peak = before;
  return peak;
}

async function lookAt(
  { reader, history, watch, wrappedCoin, signal }: EvmDrainSearch,
  step: Step,
): Promise<{ readonly drain: Drain | null; readonly limit: Limit | null }> {
  const { pool } = watch;
  const receipt = await history.receipt(step.transaction, signal);
  if (!receipt.ok || receipt.value === null || !receipt.value.succeeded) {
    const detail = receipt.ok ? 'the node does not keep it' : receipt.detail;
    return {
      drain: null,
      limit: { code: 'transaction_not_kept', detail: `transaction ${step.transaction}: ${detail}` },
    };
  }
  const block = await reader.block(step.block, signal);
  const isCoin = pool.quote === wrappedCoin;
  const coins = isCoin ? await history.coinsIn(step.transaction, signal) : null;
  const at = block.ok ? timeOf(block.value.timestamp) : null;
  const { transaction, presumed } = transactionOf(receipt.value, at, wrappedCoin, coins?.ok ? coins.value : null);
  const money = new Set(isCoin ? [pool.quote, 'native'] : [pool.quote]);
  const moved = drainOf(transaction, pool, step.before, money);
  if (moved === null) return { drain: null, limit: null };
  const told = toldByPool(receipt.value.logs, pool.address);
  // A sale may pay first and take in a later transaction: its balances alone would look like a removal.
  const seen: Drain = told === null ? moved : { ...moved, kind: told, basis: 'events' };
  const liquidityOwner =
    seen.kind === 'removal' ? (seen.liquidityOwner ?? (await giverOf(history, step, pool, signal))) : null;
  const drain = { ...seen, liquidityOwner };
  if (!presumed) return { drain, limit: null };
  const recipients = drain.recipients.map((one) => ({ ...one, presumed: one.address === receipt.value?.from }));
  return {
    drain: { ...drain, recipients },
    limit: {
      code: 'no_traces',
      detail: `transaction ${step.transaction}: the node shows no inner calls, so the coins that were unwrapped are taken to have gone to its sender`,
    },
  };
}

/** Who sent a pool its own liquidity tokens shortly before they were burned: a pair takes them in one transaction and burns them in the next. */
async function giverOf(
  history: EvmHistory,
  { block }: Step,
  pool: WatchedPool,
  signal?: AbortSignal,
): Promise<string | null> {
  const address = pool.address as Hex;
  const range = { fromBlock: Math.max(0, block - GIVEN_BEFORE), toBlock: block };
  const logs = await history.logs({ address, topics: [TRANSFER, null, topicOf(address)], ...range }, signal);
  const last = logs.ok ? logs.value.at(-1) : undefined;
  const from = last === undefined ? null : (transferOf(last)?.from ?? null);
  return from === address || from === ZERO_ADDRESS ? null : from;
}

function limitsOf(pool: string, walk: Walk): readonly Limit[] {
  const cut = (why: string): readonly Limit[] => [
    { code: 'history_cut', detail: `pool ${pool}: read back to block ${walk.from}; ${why}` },
  ];
  if (walk.ended === 'questions') return cut('older blocks were not asked for');
  if (walk.ended === 'fault') return cut(`older blocks could not be read: ${walk.fault}`);
  if (walk.ended === 'contradiction') return cut('the transfers of its quote token do not add up to what it holds');
  return [];
}

import {
  addressAt,
  type ChainFault,
  callData,
  ERC20,
  fault,
  type Hex,
  uintAt,
  ZERO_ADDRESS,
} from '../../../chains/index.ts';
import { ok, type Result } from '../../../domain/index.ts';
import { TRANSFER, transferOf } from '../../evm/ledger.ts';
import type { EvmLog, EvmReader } from '../../evm/reader.ts';
import { drainOf } from '../pool-effect.ts';
import { type Drain, type Limit, type PoolFinding, timeOf, type WatchedPool } from '../types.ts';
import { type EvmHistory, type Step, topicOf, type Walk, walkBack } from './history.ts';
import { transactionOf } from './transaction.ts';

export interface EvmDrainSearch {
  readonly reader: Pick<EvmReader, 'block'>;
  readonly history: EvmHistory;
  readonly watch: EvmWatch;
  readonly wrappedCoin: Hex | null;
  /** Oldest block to read. */
  readonly oldest: number;
  readonly blocksPerDay: number;
  readonly mostRanges: number;
  readonly mostDrains: number;
  readonly signal?: AbortSignal;
}

const LEAST_REMOVAL = 20n;
const LEAST_SALE = 0.2;
const GIVEN_BEFORE = 900;
/** A pool that holds less than its peak divided by this is drained, and the days before that need not be read. */
const DRAINED = 10n;

/** Walks back through a pool's balance, and examines the transactions that took most of it. */
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
    enough: (steps, from) => isStated(steps, held, from, search.blocksPerDay),
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

/** True when a pool that is empty now was read back to a day before the oldest large loss that was found. */
function isStated(steps: readonly Step[], held: bigint, from: number, blocksPerDay: number): boolean {
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
  const told = poolEventOf(receipt.value.logs, pool.address);
  // A sale may pay out before a later transaction takes the tokens in: by balances alone it would look like a removal.
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

/**
 * Who sent a pool its own liquidity tokens shortly before they were burned: a pair receives them in one transaction and
 * burns them in the next.
 */
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

/** Events of trades: Uniswap v2, Uniswap v3 and Algebra, PancakeSwap v3, Solidly. */
const SWAPS: ReadonlySet<Hex> = new Set<Hex>([
  '0xd78ad95fa46c994b6551d0da85fc275fe613ce37657fb8d5e3d130840159d822',
  '0xc42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67',
  '0x19b47279256b2a23a1665c810c8d55a1758940ee09377d4f8d26497a3577dc83',
  '0xb3e2773606abfd36b5bd91394b3a54d1398336c65005baf7bf7a05efeffaf75b',
]);
/** Events of removed liquidity: Burn of Uniswap v2, of v3 and of Solidly, and v3's Collect, which pays it out. */
const REMOVALS: ReadonlySet<Hex> = new Set<Hex>([
  '0xdccd412f0b1252819cb1fd330b93224ca42612892bb3f4f789976e6d81936496',
  '0x0c396cd989a39f4459b5fa1aed6a9a8dcdbc45908acfd67e028cd568da98982c',
  '0x5d624aa9c148153ab3446c1b154f660ee7701e549fe9b62dab7171b1c80e6fa2',
  '0x70935338e69775456a85ddef226c395fb668b63fa0115f5f20610b388e6ca9c0',
]);

/** Kind of a transaction by the pool's own events; null without such an event. Pure. */
export function poolEventOf(logs: readonly EvmLog[], pool: string): 'removal' | 'sale' | null {
  const own = logs.filter((log) => log.address === pool).map((log) => log.topics[0] ?? '0x');
  if (own.some((topic) => REMOVALS.has(topic))) return 'removal';
  return own.some((topic) => SWAPS.has(topic)) ? 'sale' : null;
}

const TOKEN0: Hex = '0x0dfe1681';
const TOKEN1: Hex = '0xd21220a7';

export interface EvmWatch {
  readonly pool: WatchedPool;
  /** Quote tokens that the pool holds at `block`, base units. */
  readonly held: bigint;
  readonly block: number;
}

/** Reads a pool that holds its tokens itself, as those of Uniswap v2, v3 and similar exchanges do. */
export async function watchEvmPool(
  reader: Pick<EvmReader, 'calls'>,
  { address, dex, base }: { readonly address: Hex; readonly dex: string; readonly base: Hex },
  signal?: AbortSignal,
): Promise<Result<EvmWatch, ChainFault>> {
  const told = await reader.calls(
    [TOKEN0, TOKEN1].map((data) => ({ to: address, data })),
    'latest',
    signal,
  );
  if (!told.ok) return told;
  const tokens = told.value.results.map((word) => (word === null ? null : addressAt(word, 0)));
  const quote = tokens.find((token) => token !== null && token !== base);
  if (quote === undefined || quote === null || !tokens.includes(base))
    return fault('not_found', 'its tokens do not lie with the pool itself, or it does not trade this asset');
  const { block } = told.value;
  const more = await reader.calls(
    [
      { to: quote, data: callData(ERC20.balanceOf, address) },
      { to: quote, data: ERC20.decimals },
      { to: base, data: ERC20.decimals },
    ],
    block,
    signal,
  );
  if (!more.ok) return more;
  const [held, quoteDecimals, baseDecimals] = more.value.results.map((word) =>
    word === null ? null : uintAt(word, 0),
  );
  if (held === null || held === undefined) return fault('malformed', 'what it holds of the other token cannot be read');
  const own = new Set([address]);
  const pool = {
    address,
    dex,
    base,
    quote,
    baseDecimals: decimalsOf(baseDecimals),
    quoteDecimals: decimalsOf(quoteDecimals),
    accounts: own,
    owners: own,
  };
  return ok({ pool, held, block });
}

function decimalsOf(value: bigint | null | undefined): number | null {
  return value === null || value === undefined || value > 255n ? null : Number(value);
}

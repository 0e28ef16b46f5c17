import { type ChainFault, fault, type Hex } from '../../../chains/index.ts';
import { ok, type Result } from '../../../domain/index.ts';
import type { Explorer } from '../../evm/blockscout.ts';
import { TRANSFER, transferOf } from '../../evm/ledger.ts';
import type { EvmReader } from '../../evm/reader.ts';
import { type ChainSearch, investigate } from '../investigate.ts';
import { followMoney } from '../pool-effect.ts';
import { type Findings, type Funding, type Hop, type Limit, type Question, timeOf } from '../types.ts';
import { type EvmHistory, isContract, topicOf } from './history.ts';
import { readEvmLaunch } from './launch.ts';
import { findEvmDrains, watchEvmPool } from './pool-drains.ts';

export interface EvmTools {
  readonly reader: EvmReader;
  readonly history: EvmHistory;
  /** Null where the chain has none. */
  readonly explorer: Explorer | null;
  readonly wrappedCoin: Hex | null;
  readonly blocksPerDay: number;
}

const MOST_DAYS = 400;
const DAY_SECONDS = 86_400;
/** Margin for blocks that come faster than usual. */
const SLOW = 1.2;
const MOST_RANGES = 40;
const DRAINS = 8;
const DEPTH = 2;
const FOLLOWED_WALLETS = 6;

/**
 * Finds who emptied an asset's pools on an EVM chain, where the money went, and who first paid the wallets that took
 * part.
 */
export function investigateEvm(tools: EvmTools, question: Question, signal?: AbortSignal): Promise<Findings> {
  const { base, creator } = question;
  const lower = { ...question, base: base.toLowerCase(), creator: creator?.toLowerCase() ?? null };
  return investigate(lower, evmSearch(tools, signal));
}

/** The reads of an EVM chain, which share the newest block once it is known. */
export function evmSearch(tools: EvmTools, signal?: AbortSignal): ChainSearch {
  const { reader, history, explorer, wrappedCoin, blocksPerDay } = tools;
  const given = signal ? { signal } : {};
  let newest: number | null = null;
  const newestBlock = async (): Promise<Result<number, ChainFault>> => {
    if (newest !== null) return ok(newest);
    const latest = await reader.block('latest', signal);
    if (!latest.ok) return latest;
    newest = latest.value.number;
    return ok(newest);
  };
  return {
    async findDrains({ address, dex, createdAt }, base) {
      const watched = await watchEvmPool(
        reader,
        { address: address.toLowerCase() as Hex, dex, base: base as Hex },
        signal,
      );
      if (!watched.ok) return watched;
      const watch = watched.value;
      newest = Math.max(newest ?? 0, watch.block);
      const oldest = await oldestOf(tools, watch.block, createdAt, signal);
      const limits = { oldest, mostRanges: MOST_RANGES, mostDrains: DRAINS };
      return ok(await findEvmDrains({ reader, history, watch, wrappedCoin, blocksPerDay, ...limits, ...given }));
    },
    async follow(pool, starts, isService) {
      const end = await newestBlock();
      if (!end.ok)
        return {
          hops: [],
          limits: [{ code: 'node_failed', detail: `where the money went was not read: ${end.detail}` }],
        };
      return followEvmFunds(
        starts.map(({ wallet, amount, first }) => ({ wallet: wallet as Hex, amount, block: first.height })),
        {
          reader,
          history,
          explorer,
          token: pool.quote as Hex,
          isCoin: pool.quote === wrappedCoin,
          newest: end.value,
          isService,
          depth: DEPTH,
          mostWallets: FOLLOWED_WALLETS,
          ...given,
        },
      );
    },
    async firstFunding(wallet) {
      const found = await firstEvmFunding(tools, wallet as Hex, newestBlock, signal);
      if (found.ok) return found;
      const detail = `who first paid the wallets is not known: ${found.detail}`;
      const code = found.isOfNode ? 'node_failed' : explorer === null ? 'no_traces' : 'no_indexer';
      return { ok: false, limit: { code, detail }, isFinal: true };
    },
    isCrowded: (wallet) => isCrowded(tools, wallet as Hex, signal),
    readLaunch: ({ address, createdAt }, base) =>
      readEvmLaunch({
        reader,
        history,
        pool: address.toLowerCase() as Hex,
        base: base.toLowerCase() as Hex,
        wrappedCoin,
        createdAt,
        blocksPerDay,
        ...given,
      }),
  };
}

/** Oldest block to read: somewhat before the pool was created, and at most `MOST_DAYS` days ago. */
async function oldestOf(
  { reader, blocksPerDay }: Pick<EvmTools, 'reader' | 'blocksPerDay'>,
  newest: number,
  createdAt: string | null,
  signal?: AbortSignal,
): Promise<number> {
  const now = createdAt === null ? null : await reader.block(newest, signal);
  const age = now?.ok ? (now.value.timestamp - Date.parse(createdAt ?? '') / 1000) / DAY_SECONDS : Number.NaN;
  const days = Number.isFinite(age) && age > 0 ? Math.min(MOST_DAYS, age * SLOW + 1) : MOST_DAYS;
  return Math.max(0, Math.floor(newest - days * blocksPerDay));
}

/**
 * The first payment of coins to a wallet: from an explorer, else from the node's traces; null when none is found.
 * `isOfNode`: the node did not state its newest block, up to which its traces would be read.
 */
async function firstEvmFunding(
  { reader, history, explorer }: Pick<EvmTools, 'reader' | 'history' | 'explorer'>,
  wallet: Hex,
  newest: () => Promise<Result<number, ChainFault>>,
  signal?: AbortSignal,
): Promise<Result<Funding | null, ChainFault & { readonly isOfNode: boolean }>> {
  const told = explorer === null ? null : await explorer.coinsAround(wallet, 0, signal);
  const first = told?.ok ? told.value.find((move) => move.to === wallet && move.from !== wallet) : undefined;
  if (first !== undefined)
    return ok({ wallet, funder: first.from, transaction: first.transaction, at: first.at, amount: first.amount });
  const end = await newest();
  if (!end.ok) return told?.ok ? ok(null) : { ...end, isOfNode: true };
  const traced = await history.coinsOf({ to: wallet, fromBlock: 0, toBlock: end.value, most: 1 }, signal);
  if (!traced.ok) return told?.ok ? ok(null) : { ...traced, isOfNode: false };
  const [move] = traced.value;
  if (move === undefined) return ok(null);
  const block = await reader.block(move.block, signal);
  const at = block.ok ? timeOf(block.value.timestamp) : null;
  return ok({ wallet, funder: move.from, transaction: move.transaction, at, amount: move.amount });
}

/** A wallet that has sent more transactions is not a person's: an exchange, a bridge, a bot. */
const MANY_SENT = 2_000;

async function isCrowded(
  { reader, history }: Pick<EvmTools, 'reader' | 'history'>,
  address: Hex,
  signal?: AbortSignal,
): Promise<Result<boolean, ChainFault>> {
  const sent = await history.sent(address, signal);
  if (!sent.ok || sent.value >= MANY_SENT) return sent.ok ? ok(true) : sent;
  const code = await reader.code(address, 'latest', signal);
  return code.ok ? ok(isContract(code.value)) : code;
}

export interface EvmStart {
  readonly wallet: Hex;
  readonly block: number;
  readonly amount: bigint;
}

export interface EvmFollowSettings {
  readonly reader: Pick<EvmReader, 'block' | 'code'>;
  readonly history: EvmHistory;
  readonly explorer: Explorer | null;
  /** The quote token; `isCoin` for the wrapped coin, which may be sent on unwrapped. */
  readonly token: Hex;
  readonly isCoin: boolean;
  readonly newest: number;
  readonly isService: (address: string) => boolean;
  readonly depth: number;
  readonly mostWallets: number;
  readonly signal?: AbortSignal;
}

/** Number of blocks that are searched after a payment; `FOLLOWED_RANGES`: limit of requests for them. */
const FOLLOWED_BLOCKS = 400_000;
const FOLLOWED_RANGES = 12;
const LEAST_PART = 50n;
const NEXT_WALLETS = 3;
const MOST_HOPS = 6;
const MOST_COINS = 50;

interface Outflow {
  readonly to: Hex;
  readonly asset: string;
  readonly amount: bigint;
  readonly transaction: Hex;
  readonly block: number;
}

/**
 * Follows money from the wallets that received it, by transfers of the token and, where visible, of the coin itself.
 */
export async function followEvmFunds(
  starts: readonly EvmStart[],
  settings: EvmFollowSettings,
): Promise<{ readonly hops: readonly Hop[]; readonly limits: readonly Limit[] }> {
  return followMoney(starts, {
    ...settings,
    refusal: (start) => notAWallet(start, settings),
    async leaving(start, depth) {
      const { outflows, limits } = await outflowsOf(start, settings);
      const hops: Hop[] = [];
      for (const outflow of outflows) hops.push(await hopOf(start.wallet, outflow, depth, settings));
      const next = outflows.slice(0, NEXT_WALLETS).map(({ to, block, amount }) => ({ wallet: to, block, amount }));
      return { hops, limits, next };
    },
  });
}

async function notAWallet({ wallet }: EvmStart, { reader, signal }: EvmFollowSettings): Promise<string | null> {
  const code = await reader.code(wallet, 'latest', signal);
  if (!code.ok) return `what it is could not be read: ${code.detail}`;
  return isContract(code.value) ? 'it is a contract' : null;
}

/** The largest outflows after a payment, the largest first. */
async function outflowsOf(start: EvmStart, settings: EvmFollowSettings) {
  const limits: Limit[] = [];
  const last = Math.min(settings.newest, start.block + FOLLOWED_BLOCKS);
  const outflows: Outflow[] = [...(await tokensSent(start, last, settings, limits))];
  if (settings.isCoin) outflows.push(...(await coinsSent(start, last, settings, limits)));
  if (last < settings.newest)
    limits.push({ code: 'not_followed', detail: `what left ${start.wallet} after block ${last} was not looked at` });
  const large = outflows
    .filter((one) => one.amount * LEAST_PART >= start.amount && one.to !== start.wallet)
    .sort((a, b) => (a.amount > b.amount ? -1 : 1));
  return { outflows: large.slice(0, MOST_HOPS), limits };
}

async function tokensSent(
  { wallet, block }: EvmStart,
  last: number,
  { history, token, signal }: EvmFollowSettings,
  limits: Limit[],
): Promise<readonly Outflow[]> {
  const found: Outflow[] = [];
  let range = last - block + 1;
  let from = block;
  for (let asked = 0; from <= last; asked += 1) {
    const to = Math.min(last, from + range - 1);
    const logs =
      asked < FOLLOWED_RANGES
        ? await history.logs(
            { address: token, topics: [TRANSFER, topicOf(wallet)], fromBlock: from, toBlock: to },
            signal,
          )
        : fault('refused', 'the node gives too few blocks at once');
    if (logs.ok) {
      found.push(
        ...logs.value.flatMap((log) => {
          const transfer = transferOf(log);
          if (transfer === null) return [];
          return [
            { to: transfer.to, asset: token, amount: transfer.amount, transaction: log.transaction, block: log.block },
          ];
        }),
      );
      from = to + 1;
    } else if (logs.reason === 'too_large' && to > from) range = Math.max(1, Math.floor((to - from + 1) / 4));
    else {
      limits.push({
        code: 'not_followed',
        detail: `token transfers of ${wallet} after block ${from - 1} are not seen: ${logs.detail}`,
      });
      break;
    }
  }
  return found;
}

/** Transfers of coins have no logs: traces contain all of them, an explorer the first ones. */
async function coinsSent(
  { wallet, block }: EvmStart,
  last: number,
  { history, explorer, signal }: EvmFollowSettings,
  limits: Limit[],
): Promise<readonly Outflow[]> {
  const question = { from: wallet, fromBlock: block, toBlock: last, most: MOST_COINS };
  const traced = await history.coinsOf(question, signal);
  const told = traced.ok || explorer === null ? traced : await explorer.coinsAround(wallet, block, signal);
  if (!told.ok) {
    limits.push({
      code: explorer === null ? 'no_traces' : 'no_indexer',
      detail: `coins that ${wallet} sent on are not seen: the node gives no traces${explorer === null ? '' : `, and the explorer: ${told.detail}`}`,
    });
    return [];
  }
  return told.value
    .filter((move) => move.from === wallet)
    .map(({ to, amount, transaction, block: height }) => ({ to, asset: 'native', amount, transaction, block: height }));
}

async function hopOf(
  from: Hex,
  { to, asset, amount, transaction, block }: Outflow,
  depth: number,
  { reader, signal }: EvmFollowSettings,
): Promise<Hop> {
  const read = await reader.block(block, signal);
  const at = read.ok ? timeOf(read.value.timestamp) : null;
  return { depth, from, to, kind: 'transfer', asset, amount, transaction, at };
}

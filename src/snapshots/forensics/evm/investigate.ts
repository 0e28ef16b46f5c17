import type { ChainFault, Hex } from '../../../chains/index.ts';
import { ok, type Result } from '../../../domain/index.ts';
import type { Explorer } from '../../evm/blockscout.ts';
import type { EvmReader } from '../../evm/reader.ts';
import { type ChainSearch, investigate } from '../investigate.ts';
import { type Findings, type Funding, type Question, timeOf } from '../types.ts';
import { followEvmFunds } from './follow-funds.ts';
import { type EvmHistory, isContract } from './history.ts';
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
/** Blocks may come faster than usual. */
const SLOW = 1.2;
const MOST_RANGES = 40;
const DRAINS = 8;
const DEPTH = 2;
const FOLLOWED_WALLETS = 6;

/** Who emptied an asset's pools on an EVM chain, where the money went, and who first paid the wallets that took part. */
export function investigateEvm(tools: EvmTools, question: Question, signal?: AbortSignal): Promise<Findings> {
  const { base, creator } = question;
  const lower = { ...question, base: base.toLowerCase(), creator: creator?.toLowerCase() ?? null };
  return investigate(lower, evmSearch(tools, signal));
}

/** The reads of an EVM chain; what one of them learned of the newest block serves the next. */
export function evmSearch(tools: EvmTools, signal?: AbortSignal): ChainSearch {
  const { reader, history, explorer, wrappedCoin, blocksPerDay } = tools;
  const given = signal ? { signal } : {};
  let newest: number | null = null;
  const newestBlock = async () => {
    if (newest !== null) return newest;
    const latest = await reader.block('latest', signal);
    newest = latest.ok ? latest.value.number : 0;
    return newest;
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
    follow: async (pool, starts, isService) =>
      followEvmFunds(
        starts.map(({ wallet, amount, first }) => ({ wallet: wallet as Hex, amount, block: first.height })),
        {
          reader,
          history,
          explorer,
          token: pool.quote as Hex,
          isCoin: pool.quote === wrappedCoin,
          newest: await newestBlock(),
          isService,
          depth: DEPTH,
          mostWallets: FOLLOWED_WALLETS,
          ...given,
        },
      ),
    async firstFunding(wallet) {
      const found = await firstEvmFunding(tools, wallet as Hex, await newestBlock(), signal);
      if (found.ok) return found;
      const detail = `who first paid the wallets is not known: ${found.detail}`;
      return { ok: false, limit: { code: explorer === null ? 'no_traces' : 'no_indexer', detail }, isFinal: true };
    },
    isCrowded: (wallet) => isCrowded(tools, wallet as Hex, signal),
  };
}

/** The first block worth reading: some before the pool was made, and not too long ago. */
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

/** Who first sent a wallet coins: by an explorer, else by the node's traces; null when nobody did. */
async function firstEvmFunding(
  { reader, history, explorer }: Pick<EvmTools, 'reader' | 'history' | 'explorer'>,
  wallet: Hex,
  newest: number,
  signal?: AbortSignal,
): Promise<Result<Funding | null, ChainFault>> {
  const told = explorer === null ? null : await explorer.coinsAround(wallet, 0, signal);
  const first = told?.ok ? told.value.find((move) => move.to === wallet && move.from !== wallet) : undefined;
  if (first !== undefined)
    return ok({ wallet, funder: first.from, transaction: first.transaction, at: first.at, amount: first.amount });
  const traced = await history.coinsOf({ to: wallet, fromBlock: 0, toBlock: newest, most: 1 }, signal);
  if (!traced.ok) return told?.ok ? ok(null) : traced;
  const [move] = traced.value;
  if (move === undefined) return ok(null);
  const block = await reader.block(move.block, signal);
  const at = block.ok ? timeOf(block.value.timestamp) : null;
  return ok({ wallet, funder: move.from, transaction: move.transaction, at, amount: move.amount });
}

/** More transactions than a person sends: an exchange, a bridge, a bot. */
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

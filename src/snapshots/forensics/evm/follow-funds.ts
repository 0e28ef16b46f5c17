import { fault, type Hex } from '../../../chains/index.ts';
import type { Explorer } from '../../evm/blockscout.ts';
import type { EvmReader } from '../../evm/reader.ts';
import { TRANSFER, transferOf } from '../../evm/token.ts';
import { followMoney } from '../pool-effect.ts';
import type { Hop, Limit } from '../types.ts';
import { timeOf } from '../types.ts';
import { type EvmHistory, isContract, topicOf } from './history.ts';

export interface EvmStart {
  readonly wallet: Hex;
  readonly block: number;
  readonly amount: bigint;
}

export interface EvmFollowSettings {
  readonly reader: Pick<EvmReader, 'block' | 'code'>;
  readonly history: EvmHistory;
  readonly explorer: Explorer | null;
  /** The quote token; `isCoin` when it is the wrapped coin, which may go on unwrapped. */
  readonly token: Hex;
  readonly isCoin: boolean;
  readonly newest: number;
  readonly isService: (address: string) => boolean;
  readonly depth: number;
  readonly mostWallets: number;
  readonly signal?: AbortSignal;
}

/** So many blocks are looked through after a payment, in so many requests at most. */
const FOLLOWED_BLOCKS = 400_000;
const MOST_RANGES = 12;
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

/** Where money went from the wallets that got it, by transfers of the token and, where they can be seen, of the coin itself. */
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

/** The largest ways out after a payment, the largest first. */
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
      asked < MOST_RANGES
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

/** Coins leave no log: traces show all of them, an explorer those that the wallet's own transactions carry. */
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

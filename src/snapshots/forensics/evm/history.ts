import type { ChainFault, Hex } from '../../../chains/index.ts';
import { ok, type Result } from '../../../domain/index.ts';
import type { Upstream } from '../../../upstream/index.ts';
import { TRANSFER, transferOf } from '../../evm/ledger.ts';
import { createEvmReader, type EvmLog, type EvmReader, hexNumber, hexOf } from '../../evm/reader.ts';
import { callRpc, malformedReply, type RpcNode, requestNodes } from '../../json-rpc.ts';
import { type CoinMove, coinMovesOf, type Receipt, readReceipt } from './transaction.ts';

/** Historical data of EVM nodes. */
export interface EvmHistory {
  readonly logs: EvmReader['logs'];
  receipt(hash: Hex, signal?: AbortSignal): Promise<Result<Receipt | null, ChainFault>>;
  /** Coins moved in a transaction, including inner calls; `refused` when the node keeps no traces. */
  coinsIn(hash: Hex, signal?: AbortSignal): Promise<Result<readonly CoinMove[], ChainFault>>;
  /**
   * Coins that an address sent (or received) between two blocks, at most `most`, oldest first; `refused` without
   * traces.
   */
  coinsOf(
    question: {
      readonly from?: Hex;
      readonly to?: Hex;
      readonly fromBlock: number;
      readonly toBlock: number;
      readonly most: number;
    },
    signal?: AbortSignal,
  ): Promise<Result<readonly CoinMove[], ChainFault>>;
  /** Number of transactions that an address has sent. */
  sent(address: Hex, signal?: AbortSignal): Promise<Result<number, ChainFault>>;
}

/** Reads history from the first node that responds. */
export function createEvmHistory(upstream: Upstream, nodes: readonly RpcNode[]): EvmHistory {
  const call = (method: string, params: readonly unknown[], signal?: AbortSignal) =>
    requestNodes(nodes, (node) => callRpc(upstream, node, method, params, signal));
  return {
    logs: createEvmReader(upstream, nodes).logs,
    async receipt(hash, signal) {
      const reply = await call('eth_getTransactionReceipt', [hash], signal);
      if (!reply.ok) return reply;
      if (reply.value === null) return ok(null);
      const receipt = readReceipt(reply.value, hash);
      return receipt === null ? malformedReply('this receipt') : ok(receipt);
    },
    async sent(address, signal) {
      const reply = await call('eth_getTransactionCount', [address, 'latest'], signal);
      if (!reply.ok) return reply;
      const count = hexNumber(reply.value);
      return count === null ? malformedReply('a count of transactions') : ok(count);
    },
    async coinsIn(hash, signal) {
      const reply = await call('trace_transaction', [hash], signal);
      if (!reply.ok) return reply;
      const moves = coinMovesOf(reply.value);
      if (moves.ok && moves.value.some((move) => move.transaction !== hash)) return malformedReply('these traces');
      return moves;
    },
    async coinsOf({ from, to, fromBlock, toBlock, most }, signal) {
      const filter = {
        fromBlock: hexOf(fromBlock),
        toBlock: hexOf(toBlock),
        ...(from && { fromAddress: [from] }),
        ...(to && { toAddress: [to] }),
        count: most,
      };
      const reply = await call('trace_filter', [filter], signal);
      if (!reply.ok) return reply;
      const moves = coinMovesOf(reply.value);
      if (!moves.ok) return moves;
      const fits = moves.value.filter(
        (move) =>
          move.block >= fromBlock &&
          move.block <= toBlock &&
          (from === undefined || move.from === from) &&
          (to === undefined || move.to === to),
      );
      return ok(fits.sort((a, b) => a.block - b.block));
    },
  };
}

/** An address as an indexed topic of a log. */
export function topicOf(address: Hex): Hex {
  return `0x${address.slice(2).padStart(64, '0')}`;
}

/** False for a wallet, including one that delegates to a contract (EIP-7702). */
export function isContract(code: Hex): boolean {
  return code !== '0x' && !code.startsWith('0xef0100');
}

/** One transaction that changed an account's balance of a token. */
export interface Step {
  readonly transaction: Hex;
  readonly block: number;
  readonly before: bigint;
  readonly after: bigint;
}

export interface Walk {
  /** Newest first. */
  readonly steps: readonly Step[];
  /** The oldest block that was read. */
  readonly from: number;
  /** Why the walk ended there. */
  readonly ended: 'reached' | 'enough' | 'fault' | 'contradiction' | 'questions';
  readonly fault: string | null;
}

export interface WalkRequest {
  readonly history: Pick<EvmHistory, 'logs'>;
  readonly token: Hex;
  readonly account: Hex;
  /** Balance of the account after `block`. */
  readonly held: bigint;
  readonly block: number;
  /** Oldest block to read. */
  readonly oldest: number;
  readonly mostRanges: number;
  /** Called after each range: true ends the walk. */
  readonly enough: (steps: readonly Step[], from: number) => boolean;
  readonly signal?: AbortSignal;
}

const FIRST_RANGE = 5_000;
const LARGEST_RANGE = 100_000;

/**
 * An account's balances of a token before and after each transaction, computed backwards from the present balance: each
 * transfer is reversed. Needs only the node's logs, no old state. Ranges grow while the node serves them, and are
 * halved when they are too large.
 */
export async function walkBack(question: WalkRequest): Promise<Walk> {
  const { history, token, account, oldest, mostRanges, signal } = question;
  const steps: Step[] = [];
  let { held } = question;
  let end = question.block;
  let range = FIRST_RANGE;
  let largest = LARGEST_RANGE;
  for (let asked = 0; end >= oldest; asked += 1) {
    if (asked >= mostRanges) return { steps, from: end + 1, ended: 'questions', fault: null };
    const start = Math.max(oldest, end - range + 1);
    const logs = await transfersOf(history, { token, account, fromBlock: start, toBlock: end }, signal);
    if (!logs.ok) {
      if (logs.reason !== 'too_large' || start === end)
        return { steps, from: end + 1, ended: 'fault', fault: logs.detail };
      range = Math.max(1, Math.floor((end - start + 1) / 2));
      largest = range;
      asked -= 1;
      continue;
    }
    const taken = takeBack(logs.value, account, held);
    if (taken === null) return { steps, from: end + 1, ended: 'contradiction', fault: null };
    steps.push(...taken);
    held = taken.at(-1)?.before ?? held;
    end = start - 1;
    range = Math.min(largest, range * 2);
    if (question.enough(steps, start)) return { steps, from: start, ended: 'enough', fault: null };
  }
  return { steps, from: oldest, ended: 'reached', fault: null };
}

/**
 * The steps of logs (oldest first), newest first; null when a balance would have been negative, since the token changes
 * balances without transfer logs. Pure.
 */
export function takeBack(logs: readonly EvmLog[], account: Hex, heldAfter: bigint): readonly Step[] | null {
  const steps: Step[] = [];
  let held = heldAfter;
  for (const log of logs.toReversed()) {
    const transfer = transferOf(log);
    if (transfer === null || transfer.from === transfer.to) continue;
    const before = held + (transfer.from === account ? transfer.amount : -transfer.amount);
    const last = steps.at(-1);
    if (last?.transaction === log.transaction) steps[steps.length - 1] = { ...last, before };
    else steps.push({ transaction: log.transaction, block: log.block, before, after: held });
    held = before;
  }
  return steps.some((step) => step.before < 0n) ? null : steps;
}

async function transfersOf(
  history: Pick<EvmHistory, 'logs'>,
  range: { readonly token: Hex; readonly account: Hex; readonly fromBlock: number; readonly toBlock: number },
  signal?: AbortSignal,
): Promise<Result<readonly EvmLog[], ChainFault>> {
  const { token: address, account, fromBlock, toBlock } = range;
  const ask = (topics: readonly (Hex | null)[]) => history.logs({ address, topics, fromBlock, toBlock }, signal);
  const sent = await ask([TRANSFER, topicOf(account)]);
  if (!sent.ok) return sent;
  const got = await ask([TRANSFER, null, topicOf(account)]);
  if (!got.ok) return got;
  const all = new Map([...sent.value, ...got.value].map((log) => [`${log.block} ${log.index}`, log]));
  return ok([...all.values()].sort((a, b) => a.block - b.block || a.index - b.index));
}

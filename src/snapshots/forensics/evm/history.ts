import type { ChainFault, Hex } from '../../../chains/index.ts';
import { LIMIT_EXCEEDED } from '../../../chains/index.ts';
import type { Result } from '../../../domain/index.ts';
import type { Upstream } from '../../../upstream/index.ts';
import { askNodes, callRpc, type RpcNode } from '../../json-rpc.ts';
import { type CoinMove, coinMovesOf } from './coin-moves.ts';
import { type PastLog, type Receipt, readLog, readReceipt } from './transaction.ts';

export interface LogQuestion {
  readonly address: Hex;
  readonly topics: readonly (Hex | null)[];
  readonly fromBlock: number;
  readonly toBlock: number;
}

/** What one EVM node keeps of the past. */
export interface EvmHistory {
  /** In the order of the chain, with their transactions. A range that the node finds too large is `too_large`. */
  logs(question: LogQuestion, signal?: AbortSignal): Promise<Result<readonly PastLog[], ChainFault>>;
  receipt(hash: Hex, signal?: AbortSignal): Promise<Result<Receipt | null, ChainFault>>;
  /** Coins moved in a transaction, inner calls too; `refused` where the node keeps no traces. */
  coinsIn(hash: Hex, signal?: AbortSignal): Promise<Result<readonly CoinMove[], ChainFault>>;
  /** Coins that an address sent (or got) between two blocks, at most `most`, oldest first; `refused` without traces. */
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
  /** Transactions that an address has sent so far. */
  sent(address: Hex, signal?: AbortSignal): Promise<Result<number, ChainFault>>;
}

const MOST_LOGS = 50_000;

/** Reads history from the first node that answers. */
export function createEvmHistory(upstream: Upstream, nodes: readonly RpcNode[]): EvmHistory {
  const call = (method: string, params: readonly unknown[], signal?: AbortSignal) =>
    askNodes(nodes, (node) => callRpc(upstream, node, method, params, signal));
  return {
    async logs({ address, topics, fromBlock, toBlock }, signal) {
      const range = { fromBlock: hexOf(fromBlock), toBlock: hexOf(toBlock) };
      const reply = await call('eth_getLogs', [{ address, topics, ...range }], signal);
      // Some nodes call a range that is too large a limit that was exceeded, with the code of too many requests.
      if (!reply.ok && reply.reason === 'rate_limited' && reply.detail.endsWith(String(LIMIT_EXCEEDED)))
        return { ...reply, reason: 'too_large' };
      if (!reply.ok) return reply;
      if (!Array.isArray(reply.value)) return malformed('logs');
      if (reply.value.length > MOST_LOGS)
        return { ok: false, reason: 'too_large', detail: `more than ${MOST_LOGS} logs` };
      const logs: PastLog[] = [];
      for (const raw of reply.value) {
        const log = readLog(raw);
        if (log === null || log.address !== address || log.block < fromBlock || log.block > toBlock)
          return malformed('the logs that were asked for');
        logs.push(log);
      }
      return { ok: true, value: logs.sort((a, b) => a.block - b.block || a.index - b.index) };
    },
    async receipt(hash, signal) {
      const reply = await call('eth_getTransactionReceipt', [hash], signal);
      if (!reply.ok) return reply;
      if (reply.value === null) return { ok: true, value: null };
      const receipt = readReceipt(reply.value, hash);
      return receipt === null ? malformed('this receipt') : { ok: true, value: receipt };
    },
    async sent(address, signal) {
      const reply = await call('eth_getTransactionCount', [address, 'latest'], signal);
      if (!reply.ok) return reply;
      const count =
        typeof reply.value === 'string' && /^0x[0-9a-f]{1,12}$/i.test(reply.value) ? Number(reply.value) : null;
      return count === null ? malformed('a count of transactions') : { ok: true, value: count };
    },
    async coinsIn(hash, signal) {
      const reply = await call('trace_transaction', [hash], signal);
      if (!reply.ok) return reply;
      const moves = coinMovesOf(reply.value);
      if (moves.ok && moves.value.some((move) => move.transaction !== hash)) return malformed('these traces');
      return moves;
    },
    async coinsOf({ from, to, fromBlock, toBlock, most }, signal) {
      const filter = {
        fromBlock: hexOf(fromBlock),
        toBlock: hexOf(toBlock),
        ...(from === undefined ? {} : { fromAddress: [from] }),
        ...(to === undefined ? {} : { toAddress: [to] }),
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
      return { ok: true, value: fits.sort((a, b) => a.block - b.block) };
    },
  };
}

/** An address as an indexed word of a log. */
export function topicOf(address: Hex): Hex {
  return `0x${address.slice(2).padStart(64, '0')}`;
}

function hexOf(value: number): string {
  return `0x${value.toString(16)}`;
}

function malformed(what: string): { readonly ok: false } & ChainFault {
  return { ok: false, reason: 'malformed', detail: `the node's reply does not look like ${what}` };
}

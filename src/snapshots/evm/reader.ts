import type { ChainFault, EvmCall, Hex } from '../../chains/index.ts';
import { aggregateData, aggregateResults, LIMIT_EXCEEDED, MULTICALL3 } from '../../chains/index.ts';
import type { Result } from '../../domain/index.ts';
import type { Upstream } from '../../upstream/index.ts';
import { askNodes, callRpc, isRecord, type RpcNode } from '../json-rpc.ts';
import type { EvmBlock, EvmLog, EvmReader } from './types.ts';

export interface EvmReaderOptions {
  /** Null where it is not deployed: calls then go one by one. */
  readonly multicall3?: Hex | null;
}

/** Calls one aggregate3 carries: nodes cap the gas of a view call. */
const CALLS_PER_BATCH = 100;
const SINGLE_CALLS_AT_ONCE = 8;
const MOST_LOGS = 200_000;

/** Reads one EVM chain from the first node that answers, the others in turn when it does not. */
export function createEvmReader(
  upstream: Upstream,
  nodes: readonly RpcNode[],
  { multicall3 = MULTICALL3 }: EvmReaderOptions = {},
): EvmReader {
  const call = (method: string, params: readonly unknown[], signal?: AbortSignal) =>
    askNodes(nodes, (node) => callRpc(upstream, node, method, params, signal));

  async function block(
    which: number | 'latest' | 'finalized',
    signal?: AbortSignal,
  ): Promise<Result<EvmBlock, ChainFault>> {
    const reply = await call('eth_getBlockByNumber', [typeof which === 'number' ? hexOf(which) : which, false], signal);
    if (!reply.ok) return reply;
    if (reply.value === null) return { ok: false, reason: 'not_found', detail: `there is no block ${which}` };
    const read = isRecord(reply.value) ? blockOf(reply.value) : null;
    if (read === null || (typeof which === 'number' && read.number !== which)) return malformed('a block');
    return { ok: true, value: read };
  }

  async function hexReply(
    method: string,
    params: readonly unknown[],
    signal?: AbortSignal,
  ): Promise<Result<Hex, ChainFault>> {
    const reply = await call(method, params, signal);
    if (!reply.ok) return reply;
    return isHex(reply.value) ? { ok: true, value: reply.value.toLowerCase() as Hex } : malformed('bytes');
  }

  /** A call that reverts is an answer: null. */
  async function one({ to, data }: EvmCall, at: string, signal?: AbortSignal): Promise<Result<Hex | null, ChainFault>> {
    const reply = await call('eth_call', [{ to, data }, at], signal);
    if (!reply.ok) return reply.reason === 'reverted' ? { ok: true, value: null } : reply;
    if (!isHex(reply.value)) return malformed('a call');
    return { ok: true, value: reply.value.length > 2 ? (reply.value.toLowerCase() as Hex) : null };
  }

  async function batch(
    calls: readonly EvmCall[],
    at: string,
    signal?: AbortSignal,
  ): Promise<Result<readonly (Hex | null)[], ChainFault>> {
    if (multicall3 !== null) {
      const reply = await one({ to: multicall3, data: aggregateData(calls) }, at, signal);
      if (!reply.ok && reply.reason !== 'too_large') return reply;
      const results = reply.ok && reply.value !== null ? aggregateResults(reply.value, calls.length) : null;
      if (results !== null) return { ok: true, value: results };
    }
    const results: (Hex | null)[] = [];
    for (let from = 0; from < calls.length; from += SINGLE_CALLS_AT_ONCE) {
      const part = await Promise.all(calls.slice(from, from + SINGLE_CALLS_AT_ONCE).map((row) => one(row, at, signal)));
      for (const reply of part) {
        if (!reply.ok) return reply;
        results.push(reply.value);
      }
    }
    return { ok: true, value: results };
  }

  return {
    block,
    async calls(calls, which, signal) {
      let height: number;
      if (which === 'latest') {
        const latest = await block('latest', signal);
        if (!latest.ok) return latest;
        height = latest.value.number;
      } else height = which;
      const results: (Hex | null)[] = [];
      for (let from = 0; from < calls.length; from += CALLS_PER_BATCH) {
        const part = await batch(calls.slice(from, from + CALLS_PER_BATCH), hexOf(height), signal);
        if (!part.ok) return part;
        results.push(...part.value);
      }
      return { ok: true, value: { block: height, results } };
    },
    code: (address, at, signal) => hexReply('eth_getCode', [address, at === 'latest' ? at : hexOf(at)], signal),
    storage: (address, slot, at, signal) =>
      hexReply('eth_getStorageAt', [address, slot, at === 'latest' ? at : hexOf(at)], signal),
    async logs(query, signal) {
      const filter = {
        ...(query.address === null ? {} : { address: query.address }),
        topics: query.topics,
        fromBlock: hexOf(query.fromBlock),
        toBlock: hexOf(query.toBlock),
      };
      const reply = await call('eth_getLogs', [filter], signal);
      // Some nodes call a range that is too large a limit that was exceeded, with the code of too many requests.
      if (!reply.ok && reply.reason === 'rate_limited' && reply.detail.endsWith(String(LIMIT_EXCEEDED)))
        return { ...reply, reason: 'too_large' };
      if (!reply.ok) return reply;
      if (!Array.isArray(reply.value)) return malformed('a list of logs');
      if (reply.value.length > MOST_LOGS)
        return { ok: false, reason: 'too_large', detail: `more than ${MOST_LOGS} logs in one range` };
      const logs: EvmLog[] = [];
      for (const row of reply.value) {
        const log = isRecord(row) ? logOf(row) : null;
        if (log === null) return malformed('a log');
        if (log.blockNumber < query.fromBlock || log.blockNumber > query.toBlock)
          return { ok: false, reason: 'malformed', detail: 'the node gave logs of blocks that were not asked for' };
        if (query.address !== null && log.address !== query.address.toLowerCase())
          return { ok: false, reason: 'malformed', detail: 'the node gave logs of another contract' };
        logs.push(log);
      }
      return { ok: true, value: logs.sort((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex) };
    },
  };
}

function blockOf(raw: Readonly<Record<string, unknown>>): EvmBlock | null {
  const [number, timestamp] = [quantityOf(raw.number), quantityOf(raw.timestamp)];
  const { hash, parentHash } = raw;
  if (number === null || timestamp === null || !isHash(hash) || !isHash(parentHash)) return null;
  return { number, hash: lower(hash), parentHash: lower(parentHash), timestamp };
}

function logOf(raw: Readonly<Record<string, unknown>>): EvmLog | null {
  const { address, topics, data, blockHash } = raw;
  const [blockNumber, logIndex] = [quantityOf(raw.blockNumber), quantityOf(raw.logIndex)];
  if (!isHex(address) || address.length !== 42 || !isHex(data) || !isHash(blockHash)) return null;
  if (!Array.isArray(topics) || topics.length > 4 || !topics.every(isHash)) return null;
  if (blockNumber === null || logIndex === null || raw.removed === true) return null;
  return {
    address: lower(address),
    topics: topics.map(lower),
    data: lower(data),
    blockHash: lower(blockHash),
    blockNumber,
    logIndex,
  };
}

/** A JSON-RPC quantity that fits a double. */
function quantityOf(value: unknown): number | null {
  if (typeof value !== 'string' || !/^0x[0-9a-f]{1,13}$/i.test(value)) return null;
  return Number.parseInt(value, 16);
}

function isHex(value: unknown): value is Hex {
  return typeof value === 'string' && /^0x([0-9a-f]{2})*$/i.test(value);
}

function isHash(value: unknown): value is Hex {
  return typeof value === 'string' && /^0x[0-9a-f]{64}$/i.test(value);
}

function lower(value: Hex): Hex {
  return value.toLowerCase() as Hex;
}

function hexOf(number: number): string {
  return `0x${number.toString(16)}`;
}

function malformed(what: string): { readonly ok: false } & ChainFault {
  return { ok: false, reason: 'malformed', detail: `the node's reply does not look like ${what}` };
}

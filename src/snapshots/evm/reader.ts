import {
  aggregateData,
  aggregateResults,
  type ChainFault,
  type EvmCall,
  fault,
  type Hex,
  LIMIT_EXCEEDED,
  MULTICALL3,
} from '../../chains/index.ts';
import { ok, type Result } from '../../domain/index.ts';
import type { Upstream } from '../../upstream/index.ts';
import { callRpc, isRecord, malformedReply, type RpcNode, requestNodes } from '../json-rpc.ts';

export interface EvmBlock {
  readonly number: number;
  readonly hash: Hex;
  readonly parentHash: Hex;
  /** Seconds since the epoch. */
  readonly timestamp: number;
}

export interface EvmLog {
  readonly address: Hex;
  readonly topics: readonly Hex[];
  readonly data: Hex;
  readonly block: number;
  readonly blockHash: Hex;
  /** Position in its block. */
  readonly index: number;
  readonly transaction: Hex;
}

/** Reads of one EVM node. No failure of a host throws. */
export interface EvmReader {
  /** By number, or the newest / finalised one. */
  block(which: number | 'latest' | 'finalized', signal?: AbortSignal): Promise<Result<EvmBlock, ChainFault>>;
  /**
   * Many view calls at ONE block (Multicall3 aggregate3, or one by one where it is not deployed). A call that reverts
   * or returns nothing is null.
   */
  calls(
    calls: readonly EvmCall[],
    block: number | 'latest',
    signal?: AbortSignal,
  ): Promise<Result<{ readonly block: number; readonly results: readonly (Hex | null)[] }, ChainFault>>;
  code(address: Hex, block: number | 'latest', signal?: AbortSignal): Promise<Result<Hex, ChainFault>>;
  storage(address: Hex, slot: Hex, block: number | 'latest', signal?: AbortSignal): Promise<Result<Hex, ChainFault>>;
  /**
   * Logs of a closed block range, in the order of the chain. A range that the node finds too large is the fault
   * `too_large`.
   */
  logs(
    query: {
      readonly address: Hex | null;
      readonly topics: readonly (Hex | null)[];
      readonly fromBlock: number;
      readonly toBlock: number;
    },
    signal?: AbortSignal,
  ): Promise<Result<readonly EvmLog[], ChainFault>>;
}

export interface EvmReaderOptions {
  /** Null where it is not deployed: calls are then sent one by one. */
  readonly multicall3?: Hex | null;
}

/** Calls in one aggregate3: nodes limit the gas of a view call. */
const CALLS_PER_BATCH = 100;
const SINGLE_CALLS_AT_ONCE = 8;
const MOST_LOGS = 200_000;

/** Reads one EVM chain from the first node that responds, the others in turn when it does not. */
export function createEvmReader(
  upstream: Upstream,
  nodes: readonly RpcNode[],
  { multicall3 = MULTICALL3 }: EvmReaderOptions = {},
): EvmReader {
  const call = (method: string, params: readonly unknown[], signal?: AbortSignal) =>
    requestNodes(nodes, (node) => callRpc(upstream, node, method, params, signal));

  async function block(
    which: number | 'latest' | 'finalized',
    signal?: AbortSignal,
  ): Promise<Result<EvmBlock, ChainFault>> {
    const reply = await call('eth_getBlockByNumber', [typeof which === 'number' ? hexOf(which) : which, false], signal);
    if (!reply.ok) return reply;
    if (reply.value === null) return fault('not_found', `there is no block ${which}`);
    const read = isRecord(reply.value) ? blockOf(reply.value) : null;
    if (read === null || (typeof which === 'number' && read.number !== which)) return malformedReply('a block');
    return ok(read);
  }

  async function hexReply(
    method: string,
    params: readonly unknown[],
    signal?: AbortSignal,
  ): Promise<Result<Hex, ChainFault>> {
    const reply = await call(method, params, signal);
    if (!reply.ok) return reply;
    return isHex(reply.value) ? ok(reply.value.toLowerCase() as Hex) : malformedReply('bytes');
  }

  /** A call that reverts is a valid result: null. */
  async function one({ to, data }: EvmCall, at: string, signal?: AbortSignal): Promise<Result<Hex | null, ChainFault>> {
    const reply = await call('eth_call', [{ to, data }, at], signal);
    if (!reply.ok) return reply.reason === 'reverted' ? ok(null) : reply;
    if (!isHex(reply.value)) return malformedReply('a call');
    return ok(reply.value.length > 2 ? (reply.value.toLowerCase() as Hex) : null);
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
      if (results !== null) return ok(results);
    }
    const results: (Hex | null)[] = [];
    for (let from = 0; from < calls.length; from += SINGLE_CALLS_AT_ONCE) {
      const part = await Promise.all(calls.slice(from, from + SINGLE_CALLS_AT_ONCE).map((row) => one(row, at, signal)));
      for (const reply of part) {
        if (!reply.ok) return reply;
        results.push(reply.value);
      }
    }
    return ok(results);
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
      return ok({ block: height, results });
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
      // Some nodes report a range that is too large as an exceeded limit, with the code of too many requests.
      if (!reply.ok && reply.reason === 'rate_limited' && reply.detail.endsWith(String(LIMIT_EXCEEDED)))
        return { ...reply, reason: 'too_large' };
      if (!reply.ok) return reply;
      if (!Array.isArray(reply.value)) return malformedReply('a list of logs');
      if (reply.value.length > MOST_LOGS) return fault('too_large', `more than ${MOST_LOGS} logs in one range`);
      const logs: EvmLog[] = [];
      for (const row of reply.value) {
        const log = readLog(row);
        if (log === null) return malformedReply('a log');
        if (log.block < query.fromBlock || log.block > query.toBlock)
          return fault('malformed', 'the node gave logs of blocks that were not asked for');
        if (query.address !== null && log.address !== query.address.toLowerCase())
          return fault('malformed', 'the node gave logs of another contract');
        logs.push(log);
      }
      return ok(logs.sort((a, b) => a.block - b.block || a.index - b.index));
    },
  };
}

function blockOf(raw: Readonly<Record<string, unknown>>): EvmBlock | null {
  const [number, timestamp] = [hexNumber(raw.number), hexNumber(raw.timestamp)];
  const [hash, parentHash] = [hexWord(raw.hash, 64), hexWord(raw.parentHash, 64)];
  if (number === null || timestamp === null || hash === null || parentHash === null) return null;
  return { number, hash, parentHash, timestamp };
}

/** One log of a reply; null if it is malformed or was removed by a reorganisation. */
export function readLog(raw: unknown): EvmLog | null {
  if (!isRecord(raw) || raw.removed === true || !isHex(raw.data)) return null;
  const [address, transaction] = [hexWord(raw.address, 40), hexWord(raw.transactionHash, 64)];
  const [blockHash, block, index] = [hexWord(raw.blockHash, 64), hexNumber(raw.blockNumber), hexNumber(raw.logIndex)];
  if (address === null || transaction === null || blockHash === null || block === null || index === null) return null;
  if (!Array.isArray(raw.topics) || raw.topics.length > 4) return null;
  const topics = raw.topics.map((topic) => hexWord(topic, 64)).filter((topic) => topic !== null);
  if (topics.length < raw.topics.length) return null;
  return { address, topics, data: raw.data.toLowerCase() as Hex, block, blockHash, index, transaction };
}

/** A JSON-RPC quantity that fits a double. */
export function hexNumber(value: unknown): number | null {
  return typeof value === 'string' && /^0x[0-9a-f]{1,13}$/i.test(value) ? Number.parseInt(value, 16) : null;
}

/** An address (40 digits) or a hash (64) in lower case; null for anything else. */
export function hexWord(value: unknown, digits: 40 | 64): Hex | null {
  return isHex(value) && value.length === digits + 2 ? (value.toLowerCase() as Hex) : null;
}

/** A block number or another quantity as JSON-RPC writes it. */
export function hexOf(number: number): Hex {
  return `0x${number.toString(16)}`;
}

function isHex(value: unknown): value is Hex {
  return typeof value === 'string' && /^0x([0-9a-f]{2})*$/i.test(value);
}

/** Replies of one node at one block, to be read again without it. Plain JSON. */
export interface EvmRecording {
  readonly schema: 'assay.evm-recording/1';
  /** Subject of the read: a contract, or the id of a pool. */
  readonly address: Hex;
  readonly block: EvmBlock;
  /** `result` null: the call reverted or returned nothing. */
  readonly calls: readonly { readonly to: Hex; readonly data: Hex; readonly result: Hex | null }[];
}

/** A reader that records the replies it passes on, all at one block. */
export async function recordReads(
  reader: EvmReader,
  address: Hex,
): Promise<{ readonly reader: EvmReader; readonly recording: () => EvmRecording } | null> {
  const latest = await reader.block('latest');
  if (!latest.ok) return null;
  const block = latest.value;
  const kept = new Map<string, EvmRecording['calls'][number]>();
  return {
    reader: {
      ...reader,
      block: async () => ok(block),
      async calls(calls, _at, signal) {
        const reply = await reader.calls(calls, block.number, signal);
        if (reply.ok)
          for (const [index, { to, data }] of calls.entries())
            kept.set(`${to} ${data}`, { to, data, result: reply.value.results[index] ?? null });
        return reply;
      },
    },
    recording: () => ({ schema: 'assay.evm-recording/1', address, block, calls: [...kept.values()] }),
  };
}

/** Reads from a recording; an unrecorded call returns nothing. */
export function recordedReader({ block, calls }: EvmRecording): EvmReader {
  const known = new Map(calls.map((call) => [`${call.to} ${call.data}`, call.result]));
  const absent = async () => fault('not_found', 'the recording does not hold this');
  return {
    block: async () => ok(block),
    calls: async (asked) =>
      ok({ block: block.number, results: asked.map(({ to, data }) => known.get(`${to} ${data}`) ?? null) }),
    code: absent,
    storage: absent,
    logs: absent,
  };
}

const HASH = /^0x[0-9a-f]{64}$/;
const BYTES = /^0x([0-9a-f]{2}){0,100000}$/;
const ADDRESS = /^0x[0-9a-f]{40}$/;
const MOST_CALLS = 50_000;

/** Parses the JSON of a recording; null if it is malformed. */
export function asRecording(given: unknown): EvmRecording | null {
  const recording = given as EvmRecording;
  if (typeof given !== 'object' || given === null || recording.schema !== 'assay.evm-recording/1') return null;
  const { address, block, calls } = recording;
  if (typeof block !== 'object' || block === null || !Array.isArray(calls) || calls.length > MOST_CALLS) return null;
  const goodBlock =
    Number.isSafeInteger(block.number) &&
    Number.isSafeInteger(block.timestamp) &&
    HASH.test(String(block.hash)) &&
    HASH.test(String(block.parentHash));
  const goodCalls = calls.every(
    (call) =>
      typeof call === 'object' &&
      call !== null &&
      ADDRESS.test(String(call.to)) &&
      BYTES.test(String(call.data)) &&
      (call.result === null || BYTES.test(String(call.result))),
  );
  const goodAddress = ADDRESS.test(String(address)) || HASH.test(String(address));
  return goodAddress && goodBlock && goodCalls ? recording : null;
}

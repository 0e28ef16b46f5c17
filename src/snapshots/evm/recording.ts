import { fault, type Hex } from '../../chains/index.ts';
import type { EvmBlock, EvmReader } from './reader.ts';

/** Replies of one node at one block, to be read again without it. Plain JSON. */
export interface EvmRecording {
  readonly schema: 'assay.evm-recording/1';
  /** What was looked at: a contract, or the number of a pool. */
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
      block: async () => ({ ok: true, value: block }),
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

/** Reads from a recording; what was not recorded is a call that returned nothing. */
export function recordedReader({ block, calls }: EvmRecording): EvmReader {
  const known = new Map(calls.map((call) => [`${call.to} ${call.data}`, call.result]));
  const absent = async () => fault('not_found', 'the recording does not hold this');
  return {
    block: async () => ({ ok: true, value: block }),
    calls: async (asked) => ({
      ok: true,
      value: { block: block.number, results: asked.map(({ to, data }) => known.get(`${to} ${data}`) ?? null) },
    }),
    code: absent,
    storage: absent,
    logs: absent,
  };
}

const HASH = /^0x[0-9a-f]{64}$/;
const BYTES = /^0x([0-9a-f]{2}){0,100000}$/;
const ADDRESS = /^0x[0-9a-f]{40}$/;
const MOST_CALLS = 50_000;

/** Takes parsed JSON for a recording; null when it is none. */
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

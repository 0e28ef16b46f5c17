import type { ChainFault, Hex } from '../../../chains/index.ts';
import type { Result } from '../../../domain/index.ts';
import { isRecord } from '../../json-rpc.ts';

/** Coins that went from one address to another, by a transaction itself or by a contract in it. */
export interface CoinMove {
  readonly from: Hex;
  readonly to: Hex;
  readonly amount: bigint;
  readonly transaction: Hex;
  readonly block: number;
}

const MOST_TRACES = 20_000;
const HASH = /^0x[0-9a-f]{64}$/i;
const ADDRESS = /^0x[0-9a-f]{40}$/i;
const QUANTITY = /^0x[0-9a-f]{1,64}$/i;

/**
 * Coins moved, from the traces of trace_transaction or trace_filter (the form of OpenEthereum, Erigon, Nethermind and Reth):
 * calls with a value, creations, and what a contract that destroys itself leaves. What is under a call that failed never
 * happened. Pure.
 */
export function coinMovesOf(traces: unknown): Result<readonly CoinMove[], ChainFault> {
  if (!Array.isArray(traces)) return malformed();
  if (traces.length > MOST_TRACES) return { ok: false, reason: 'too_large', detail: `more than ${MOST_TRACES} traces` };
  const failed = traces.flatMap((trace) =>
    isRecord(trace) && trace.error !== undefined && trace.error !== null ? [placeOf(trace)] : [],
  );
  const moves: CoinMove[] = [];
  for (const trace of traces) {
    if (!isRecord(trace) || !isRecord(trace.action)) return malformed();
    const place = placeOf(trace);
    if (failed.some((bad) => place === bad || place.startsWith(`${bad}.`))) continue;
    const move = moveOf(trace, trace.action);
    if (move === 'malformed') return malformed();
    if (move !== null) moves.push(move);
  }
  return { ok: true, value: moves };
}

/** `null`: no coin moves by it. */
function moveOf(
  { type, result, transactionHash, blockNumber }: Readonly<Record<string, unknown>>,
  action: Readonly<Record<string, unknown>>,
): CoinMove | null | 'malformed' {
  const made = isRecord(result) ? result.address : undefined;
  const [from, to, value] =
    type === 'call' && action.callType === 'call'
      ? [action.from, action.to, action.value]
      : type === 'create'
        ? [action.from, made, action.value]
        : type === 'suicide'
          ? [action.address, action.refundAddress, action.balance]
          : [null, null, null];
  if (from === null) return null;
  if (!isAddress(from) || !isAddress(to) || typeof value !== 'string' || !QUANTITY.test(value)) return 'malformed';
  if (typeof transactionHash !== 'string' || !HASH.test(transactionHash)) return 'malformed';
  if (typeof blockNumber !== 'number' || !Number.isSafeInteger(blockNumber)) return 'malformed';
  const amount = BigInt(value);
  if (amount === 0n) return null;
  const transaction = transactionHash.toLowerCase() as Hex;
  return { from: from.toLowerCase() as Hex, to: to.toLowerCase() as Hex, amount, transaction, block: blockNumber };
}

/** Transaction and position in its tree of calls. */
function placeOf({ transactionHash, traceAddress }: Readonly<Record<string, unknown>>): string {
  const path = Array.isArray(traceAddress) ? traceAddress.map(String) : [];
  return [String(transactionHash), ...path].join('.');
}

function isAddress(value: unknown): value is string {
  return typeof value === 'string' && ADDRESS.test(value);
}

function malformed(): { readonly ok: false } & ChainFault {
  return { ok: false, reason: 'malformed', detail: "the node's reply does not look like traces" };
}

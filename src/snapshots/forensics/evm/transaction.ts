import { addressAt, type ChainFault, fault, type Hex, uintAt, ZERO_ADDRESS } from '../../../chains/index.ts';
import { ok, type Result } from '../../../domain/index.ts';
import { transferOf } from '../../evm/ledger.ts';
import { type EvmLog, hexNumber, hexWord, readLog } from '../../evm/reader.ts';
import { isRecord, malformedReply } from '../../json-rpc.ts';
import type { BalanceChange, ChainTransaction } from '../types.ts';

/**
 * keccak256 of "Deposit(address,uint256)" and of "Withdrawal(address,uint256)": a coin is wrapped or unwrapped (WETH9).
 */
const DEPOSIT: Hex = '0xe1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c';
const WITHDRAWAL: Hex = '0x7fcf532c15f0a6db0bd6d0e038bea71d30d808c7d98cb3bf7268a95bf5081b65';

export interface Receipt {
  readonly transaction: Hex;
  readonly block: number;
  /** Position in its block, from 0; null when the node does not state it. */
  readonly position: number | null;
  readonly from: Hex;
  /** Null: the transaction created a contract. */
  readonly to: Hex | null;
  readonly succeeded: boolean;
  readonly logs: readonly EvmLog[];
}

const MOST_LOGS = 5_000;

/** A reply of eth_getTransactionReceipt; null if it is malformed or of another transaction. Pure. */
export function readReceipt(raw: unknown, hash: Hex): Receipt | null {
  if (!isRecord(raw) || !Array.isArray(raw.logs) || raw.logs.length > MOST_LOGS) return null;
  const block = hexNumber(raw.blockNumber);
  const from = hexWord(raw.from, 40);
  const to = raw.to === null || raw.to === undefined ? null : hexWord(raw.to, 40);
  if (hexWord(raw.transactionHash, 64) !== hash || block === null || from === null) return null;
  if (raw.to !== null && raw.to !== undefined && to === null) return null;
  const logs: EvmLog[] = [];
  for (const row of raw.logs) {
    const log = readLog(row);
    if (log === null || log.transaction !== hash) return null;
    logs.push(log);
  }
  const position = hexNumber(raw.transactionIndex);
  return { transaction: hash, block, position, from, to, succeeded: raw.status === '0x1', logs };
}

/**
 * Balance changes of a transaction, from its logs and, if the node traces, the coins that moved in it. Without traces,
 * coins that a contract unwrapped are attributed to the sender, and `presumed` is true. Pure.
 */
export function transactionOf(
  receipt: Receipt,
  at: string | null,
  wrappedCoin: Hex | null,
  coins: readonly CoinMove[] | null,
): { readonly transaction: ChainTransaction; readonly presumed: boolean } {
  const moves = receipt.logs.flatMap((log) => {
    const transfer = transferOf(log);
    return transfer === null ? [] : [{ asset: log.address as string, ...transfer }];
  });
  const wraps = wrappedCoin === null ? [] : wrapsOf(receipt, wrappedCoin, moves);
  const presumed = coins === null && wraps.some((wrap) => wrap.amount < 0n);
  const changes = [
    ...moves.flatMap(({ asset, from, to, amount }) => [change(asset, from, -amount), change(asset, to, amount)]),
    ...wraps.map(({ owner, amount }) => change(wrappedCoin ?? '', owner, amount)),
    ...(coins ?? []).flatMap(({ from, to, amount }) => [change('native', from, -amount), change('native', to, amount)]),
    ...(coins === null
      ? wraps.filter((wrap) => wrap.amount < 0n).map((wrap) => change('native', receipt.from, -wrap.amount))
      : []),
  ].filter((row) => row.owner !== ZERO_ADDRESS);
  const { transaction: id, block: height, from } = receipt;
  return { transaction: { id, height, at, signers: [from], changes }, presumed };
}

/** Wrapped and unwrapped coins. Some wrappers also log them as transfers: those are not counted twice. */
function wrapsOf(
  { logs }: Receipt,
  wrappedCoin: Hex,
  moves: readonly { readonly asset: string; readonly from: Hex; readonly to: Hex; readonly amount: bigint }[],
) {
  return logs.flatMap(({ address, topics, data }) => {
    const sign = topics[0] === DEPOSIT ? 1n : topics[0] === WITHDRAWAL ? -1n : 0n;
    const owner = addressAt(topics[1] ?? '0x', 0);
    const amount = uintAt(data, 0);
    if (address !== wrappedCoin || sign === 0n || owner === null || amount === null) return [];
    const isCountedTwice = moves.some(
      (move) =>
        move.asset === wrappedCoin &&
        move.amount === amount &&
        (sign > 0n ? move.from === ZERO_ADDRESS && move.to === owner : move.to === ZERO_ADDRESS && move.from === owner),
    );
    return isCountedTwice ? [] : [{ owner, amount: sign * amount }];
  });
}

function change(asset: string, owner: Hex, amount: bigint): BalanceChange {
  return { account: owner, owner, asset, before: null, amount };
}

/** Coins that moved from one address to another, by a transaction itself or by a contract in it. */
export interface CoinMove {
  readonly from: Hex;
  readonly to: Hex;
  readonly amount: bigint;
  readonly transaction: Hex;
  readonly block: number;
}

const MOST_TRACES = 20_000;
const QUANTITY = /^0x[0-9a-f]{1,64}$/i;

/**
 * Coins moved, from the traces of trace_transaction or trace_filter (the form of OpenEthereum, Erigon, Nethermind and
 * Reth): calls with a value, creations, and the balance of a contract that destroys itself. Calls within a failed call
 * had no effect and are left out. Pure.
 */
export function coinMovesOf(traces: unknown): Result<readonly CoinMove[], ChainFault> {
  if (!Array.isArray(traces)) return malformedReply('traces');
  if (traces.length > MOST_TRACES) return fault('too_large', `more than ${MOST_TRACES} traces`);
  const failed = traces.flatMap((trace) =>
    isRecord(trace) && trace.error !== undefined && trace.error !== null ? [placeOf(trace)] : [],
  );
  const moves: CoinMove[] = [];
  for (const trace of traces) {
    if (!isRecord(trace) || !isRecord(trace.action)) return malformedReply('traces');
    const place = placeOf(trace);
    if (failed.some((bad) => place === bad || place.startsWith(`${bad}.`))) continue;
    const move = moveOf(trace, trace.action);
    if (move === 'malformed') return malformedReply('traces');
    if (move !== null) moves.push(move);
  }
  return ok(moves);
}

/** `null`: no coin moves. */
function moveOf(
  { type, result, transactionHash, blockNumber }: Readonly<Record<string, unknown>>,
  action: Readonly<Record<string, unknown>>,
): CoinMove | null | 'malformed' {
  const made = isRecord(result) ? result.address : undefined;
  const [sender, receiver, value] =
    type === 'call' && action.callType === 'call'
      ? [action.from, action.to, action.value]
      : type === 'create'
        ? [action.from, made, action.value]
        : type === 'suicide'
          ? [action.address, action.refundAddress, action.balance]
          : [null, null, null];
  if (sender === null) return null;
  const [from, to, transaction] = [hexWord(sender, 40), hexWord(receiver, 40), hexWord(transactionHash, 64)];
  if (from === null || to === null || transaction === null) return 'malformed';
  if (typeof value !== 'string' || !QUANTITY.test(value)) return 'malformed';
  if (typeof blockNumber !== 'number' || !Number.isSafeInteger(blockNumber)) return 'malformed';
  const amount = BigInt(value);
  return amount === 0n ? null : { from, to, amount, transaction, block: blockNumber };
}

/** Transaction and position in its tree of calls. */
function placeOf({ transactionHash, traceAddress }: Readonly<Record<string, unknown>>): string {
  const path = Array.isArray(traceAddress) ? traceAddress.map(String) : [];
  return [String(transactionHash), ...path].join('.');
}

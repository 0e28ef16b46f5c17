import type { Hex } from '../../../chains/index.ts';
import { addressAt, uintAt, ZERO_ADDRESS } from '../../../chains/index.ts';
import { TRANSFER } from '../../evm/holders/transfer.ts';
import { isRecord } from '../../json-rpc.ts';
import type { BalanceChange, ChainTransaction } from '../types.ts';
import type { CoinMove } from './coin-moves.ts';

/** keccak256("Deposit(address,uint256)") and of "Withdrawal(address,uint256)": a coin is wrapped and unwrapped (WETH9). */
const DEPOSIT: Hex = '0xe1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c';
const WITHDRAWAL: Hex = '0x7fcf532c15f0a6db0bd6d0e038bea71d30d808c7d98cb3bf7268a95bf5081b65';

export interface PastLog {
  readonly address: Hex;
  readonly topics: readonly Hex[];
  readonly data: Hex;
  readonly block: number;
  readonly index: number;
  readonly transaction: Hex;
}

export interface Receipt {
  readonly transaction: Hex;
  readonly block: number;
  readonly from: Hex;
  /** Null: it made a contract. */
  readonly to: Hex | null;
  readonly succeeded: boolean;
  readonly logs: readonly PastLog[];
}

const MOST_LOGS = 5_000;

/** A reply of eth_getTransactionReceipt; null when it is none or of another transaction. Pure. */
export function readReceipt(raw: unknown, hash: Hex): Receipt | null {
  if (!isRecord(raw) || !Array.isArray(raw.logs) || raw.logs.length > MOST_LOGS) return null;
  const block = numberOf(raw.blockNumber);
  const from = wordOf(raw.from, 40);
  const to = raw.to === null || raw.to === undefined ? null : wordOf(raw.to, 40);
  if (wordOf(raw.transactionHash, 64) !== hash || block === null || from === null) return null;
  if (raw.to !== null && raw.to !== undefined && to === null) return null;
  const logs: PastLog[] = [];
  for (const row of raw.logs) {
    const log = readLog(row);
    if (log === null || log.transaction !== hash) return null;
    logs.push(log);
  }
  return { transaction: hash, block, from, to, succeeded: raw.status === '0x1', logs };
}

/** One log with the transaction it is of; null when it is none or was taken back. Pure. */
export function readLog(raw: unknown): PastLog | null {
  if (!isRecord(raw) || raw.removed === true) return null;
  const [address, transaction] = [wordOf(raw.address, 40), wordOf(raw.transactionHash, 64)];
  const [block, index] = [numberOf(raw.blockNumber), numberOf(raw.logIndex)];
  if (address === null || transaction === null || block === null || index === null) return null;
  if (typeof raw.data !== 'string' || !/^0x([0-9a-f]{2})*$/i.test(raw.data)) return null;
  if (!Array.isArray(raw.topics) || raw.topics.length > 4) return null;
  const topics: Hex[] = [];
  for (const topic of raw.topics) {
    const word = wordOf(topic, 64);
    if (word === null) return null;
    topics.push(word);
  }
  return { address, topics, data: raw.data.toLowerCase() as Hex, block, index, transaction };
}

/** A token transfer that a log tells; null for any other log. */
export function transferOf({
  topics,
  data,
}: PastLog): { readonly from: Hex; readonly to: Hex; readonly amount: bigint } | null {
  if (topics[0] !== TRANSFER || topics.length !== 3) return null;
  const [from, to, amount] = [addressAt(topics[1] ?? '0x', 0), addressAt(topics[2] ?? '0x', 0), uintAt(data, 0)];
  return from === null || to === null || amount === null ? null : { from, to, amount };
}

/**
 * What a transaction changed, from its logs and, where the node traces, the coins that moved in it. Without traces, coins that
 * a contract unwrapped count as the sender's: `presumed` says so. Pure.
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

/** Wrapped coins made and unmade. Some wrappers tell it as transfers too: those are not counted twice. */
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
    const toldTwice = moves.some(
      (move) =>
        move.asset === wrappedCoin &&
        move.amount === amount &&
        (sign > 0n ? move.from === ZERO_ADDRESS && move.to === owner : move.to === ZERO_ADDRESS && move.from === owner),
    );
    return toldTwice ? [] : [{ owner, amount: sign * amount }];
  });
}

function change(asset: string, owner: Hex, amount: bigint): BalanceChange {
  return { account: owner, owner, asset, before: null, amount };
}

function wordOf(value: unknown, digits: 40 | 64): Hex | null {
  return typeof value === 'string' && value.length === digits + 2 && /^0x[0-9a-f]+$/i.test(value)
    ? (value.toLowerCase() as Hex)
    : null;
}

function numberOf(value: unknown): number | null {
  if (typeof value !== 'string' || !/^0x[0-9a-f]{1,14}$/i.test(value)) return null;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : null;
}

import type { Result } from '../../../domain/result.ts';
import type { ChainFault } from '../../fault.ts';
import type { EvmBlock, EvmLog, EvmReader, Hex } from '../types.ts';
import { type BlockChange, emptyLedger, type Ledger, move } from './ledger.ts';
import { TRANSFER, type Transfer, transferOf } from './transfer.ts';

export interface TransferScan {
  readonly reader: EvmReader;
  readonly token: Hex;
  /** Where an earlier scan stopped; null begins at the deployment. It is changed in place. */
  readonly ledger: Ledger | null;
  /** First block to read when there is no ledger; null: the deployment is looked for (needs old state on the node). */
  readonly from: number | null;
  /** So many newest blocks may still be reorganised. */
  readonly reorgDepth: number;
  /** Told now and then, to be saved. */
  readonly onProgress?: (ledger: Ledger) => Promise<void>;
  readonly signal?: AbortSignal;
}

const LARGEST_RANGE = 100_000;
const PROGRESS_EVERY = 50;
/** A chain that moves under our feet is tried again so often. */
const TRIES = 3;

/**
 * Brings a ledger up to the newest block by Transfer logs. Ranges grow while the node gives them and halve when it says
 * they are too large. Blocks that may still be reorganised are kept apart with their hashes; on the next run those that
 * are no longer on the chain are undone and their heights read again. A reorganisation deeper than that is a fault
 * (`reorganised`): begin anew then.
 */
export async function scanTransfers(scan: TransferScan): Promise<Result<Ledger, ChainFault>> {
  let ledger = scan.ledger;
  if (ledger === null) {
    const from = scan.from === null ? await deploymentOf(scan) : { ok: true as const, value: scan.from };
    if (!from.ok) return from;
    ledger = emptyLedger(scan.token, from.value);
  }
  for (let attempt = 1; ; attempt += 1) {
    const pass = await bringUp(scan, ledger);
    if (pass.ok) ledger = pass.value;
    if (!pass.ok) return pass;
    // What was read is of one chain only if its newest block is still there.
    const still = await isCanonical(scan, ledger.newest);
    if (!still.ok) return still;
    if (still.value) return { ok: true, value: ledger };
    if (attempt === TRIES)
      return { ok: false, reason: 'reorganised', detail: 'the chain kept changing while it was read' };
  }
}

async function bringUp(scan: TransferScan, start: Ledger): Promise<Result<Ledger, ChainFault>> {
  const rewound = await rewind(scan, start);
  if (!rewound.ok) return rewound;
  let ledger = rewound.value;
  const latest = await scan.reader.block('latest', scan.signal);
  if (!latest.ok) return latest;
  const deep = Math.max(ledger.from - 1, latest.value.number - scan.reorgDepth);
  let steps = 0;
  for (let next = (ledger.newest?.number ?? ledger.from - 1) + 1; next <= latest.value.number; ) {
    const isDeep = next <= deep;
    const end = Math.min(isDeep ? deep : latest.value.number, next + ledger.range - 1);
    const logs = await scan.reader.logs(
      { address: scan.token, topics: [TRANSFER], fromBlock: next, toBlock: end },
      scan.signal,
    );
    if (!logs.ok) {
      if (logs.reason !== 'too_large' || ledger.range === 1) return logs;
      ledger = { ...ledger, range: Math.max(1, Math.floor(Math.min(ledger.range, end - next + 1) / 2)) };
      continue;
    }
    const changes = changesOf(logs.value);
    if (!changes.ok) return changes;
    const last = await blockAt(scan, end, latest.value);
    if (!last.ok) return last;
    const at = { number: end, hash: last.value.hash };
    for (const change of changes.value) move(ledger.balances, change.transfers, 1n);
    const grown = Math.min(LARGEST_RANGE, end - next + 1 === ledger.range ? ledger.range * 2 : ledger.range);
    ledger = isDeep
      ? { ...ledger, range: grown, settled: at, recent: [], newest: at }
      : { ...ledger, range: grown, recent: [...ledger.recent, ...changes.value], newest: at };
    next = end + 1;
    steps += 1;
    if (steps % PROGRESS_EVERY === 0) await scan.onProgress?.(ledger);
  }
  return { ok: true, value: await settle(scan, ledger, deep) };
}

/** Undoes what is no longer on the chain, newest first, down to a block that still is. */
async function rewind(scan: TransferScan, ledger: Ledger): Promise<Result<Ledger, ChainFault>> {
  const newest = await isCanonical(scan, ledger.newest);
  if (!newest.ok) return newest;
  if (newest.value) return { ok: true, value: ledger };
  const recent = [...ledger.recent];
  for (let last = recent.at(-1); last !== undefined; last = recent.at(-1)) {
    const there = await isCanonical(scan, last);
    if (!there.ok) return there;
    if (there.value)
      return { ok: true, value: { ...ledger, recent, newest: { number: last.number, hash: last.hash } } };
    move(ledger.balances, last.transfers, -1n);
    recent.pop();
  }
  const settled = await isCanonical(scan, ledger.settled);
  if (!settled.ok) return settled;
  if (!settled.value)
    return { ok: false, reason: 'reorganised', detail: 'the chain was reorganised deeper than it is expected to be' };
  return { ok: true, value: { ...ledger, recent, newest: ledger.settled } };
}

/** Blocks that have become deep need not be kept; the newest of them is where a later rewind stops. */
async function settle(scan: TransferScan, ledger: Ledger, deep: number): Promise<Ledger> {
  const done = ledger.recent.filter((block) => block.number <= deep).at(-1);
  if (done === undefined) return ledger;
  const there = await isCanonical(scan, done);
  if (!there.ok || !there.value) return ledger;
  const { number, hash } = done;
  return { ...ledger, settled: { number, hash }, recent: ledger.recent.filter((block) => block.number > deep) };
}

/** True for the block of that hash at that height; null stands for "before the first". */
async function isCanonical(
  { reader, signal }: TransferScan,
  block: { readonly number: number; readonly hash: Hex } | null,
): Promise<Result<boolean, ChainFault>> {
  if (block === null) return { ok: true, value: true };
  const now = await reader.block(block.number, signal);
  if (!now.ok) return now.reason === 'not_found' ? { ok: true, value: false } : now;
  return { ok: true, value: now.value.hash === block.hash };
}

async function blockAt({ reader, signal }: TransferScan, number: number, latest: EvmBlock) {
  return number === latest.number ? { ok: true as const, value: latest } : reader.block(number, signal);
}

/** Transfers by block, in order. A log that comes twice, or one block under two hashes, is a lie. */
function changesOf(logs: readonly EvmLog[]): Result<readonly BlockChange[], ChainFault> {
  const blocks: { number: number; hash: Hex; transfers: Transfer[]; lastIndex: number }[] = [];
  for (const log of logs) {
    const transfer = transferOf(log);
    if (transfer === null)
      return { ok: false, reason: 'refused', detail: 'its Transfer events are not those of an ERC-20 token' };
    const last = blocks.at(-1);
    if (last?.number === log.blockNumber) {
      if (last.hash !== log.blockHash) return malformed('one block under two hashes');
      if (last.lastIndex >= log.logIndex) return malformed('a log came twice');
      last.transfers.push(transfer);
      last.lastIndex = log.logIndex;
    } else
      blocks.push({ number: log.blockNumber, hash: log.blockHash, transfers: [transfer], lastIndex: log.logIndex });
  }
  return { ok: true, value: blocks.map(({ number, hash, transfers }) => ({ number, hash, transfers })) };
}

/** The first block at which the token has code, by bisection. */
async function deploymentOf({ reader, token, signal }: TransferScan): Promise<Result<number, ChainFault>> {
  const latest = await reader.block('latest', signal);
  if (!latest.ok) return latest;
  const now = await reader.code(token, latest.value.number, signal);
  if (!now.ok) return now;
  if (now.value === '0x') return { ok: false, reason: 'not_found', detail: 'there is no contract at this address' };
  let [low, high] = [0, latest.value.number];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const code = await reader.code(token, middle, signal);
    if (!code.ok) return code;
    if (code.value === '0x') low = middle + 1;
    else high = middle;
  }
  return { ok: true, value: low };
}

function malformed(detail: string): { readonly ok: false } & ChainFault {
  return { ok: false, reason: 'malformed', detail };
}

import { type ChainFault, fault, type Hex } from '../../chains/index.ts';
import { ok, type Result } from '../../domain/index.ts';
import { emptyLedger, type Holdings, type Ledger, move, TRANSFER, type Transfer, transfersOf } from './ledger.ts';
import type { EvmBlock, EvmReader } from './reader.ts';

export interface TransferScan {
  /** Reader of ONE node: the logs, and the blocks that date them, must be of one chain. */
  readonly reader: EvmReader;
  readonly token: Hex;
  /** State of an earlier scan, whose balances are changed in place; null: the scan begins at the deployment. */
  readonly ledger: Ledger | null;
  /** First block to read without a ledger; null: the deployment is searched for (needs old state on the node). */
  readonly from: number | null;
  /** Number of newest blocks that may still be reorganised. */
  readonly reorgDepth: number;
  /** Called after each settled range, so that the ledger can be saved. */
  readonly onProgress?: (ledger: Ledger) => Promise<void>;
  readonly signal?: AbortSignal;
}

const LARGEST_RANGE = 100_000;
/** Attempts when the newest block is replaced during a read. */
const TRIES = 4;

/**
 * The balances of a token by its Transfer logs, at the newest block. Ranges grow while the node serves them, and are
 * halved when it finds them too large. Blocks too deep to be reorganised are added to the ledger. The blocks above are
 * read again by each scan, and once more if the newest block was replaced during the read, so that no transfer of a
 * replaced block is included. A reorganisation below the ledger's end is the fault `reorganised`: the scan must start
 * again without a ledger. A node that is behind the ledger is `unreachable`; the ledger stays unchanged.
 */
export async function scanTransfers(scan: TransferScan): Promise<Result<Holdings, ChainFault>> {
  let ledger = scan.ledger;
  if (ledger === null) {
    const from = scan.from === null ? await deploymentOf(scan) : ok(scan.from);
    if (!from.ok) return from;
    ledger = emptyLedger(scan.token, from.value);
  }
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    const latest = await scan.reader.block('latest', scan.signal);
    if (!latest.ok) return latest;
    const stands = await standsOn(scan, ledger, latest.value);
    if (!stands.ok) return stands;
    const settled = await settle(scan, ledger, latest.value.number - scan.reorgDepth);
    if (!settled.ok) return settled;
    ledger = settled.value;
    const tail = await tailOf(scan, ledger, latest.value);
    if (!tail.ok) return tail;
    if (tail.value !== null) {
      const { number, hash } = latest.value;
      return ok({ ledger: tail.value.ledger, tail: tail.value.changes, at: { number, hash } });
    }
  }
  return fault('reorganised', 'the chain kept changing while it was read');
}

/** Checks that the ledger's end is still on the chain; a node that is behind it proves nothing. */
async function standsOn(scan: TransferScan, ledger: Ledger, latest: EvmBlock): Promise<Result<true, ChainFault>> {
  const { settled } = ledger;
  if (settled === null) return ok(true);
  const behind = fault('unreachable', 'the node is behind what was read before');
  if (latest.number < settled.number) return behind;
  const now = await scan.reader.block(settled.number, scan.signal);
  if (!now.ok) return now.reason === 'not_found' ? behind : now;
  if (now.value.hash === settled.hash) return ok(true);
  return fault('reorganised', 'the chain was reorganised deeper than it is expected to be');
}

/** Adds all blocks up to `deep` to the ledger. */
async function settle(scan: TransferScan, start: Ledger, deep: number): Promise<Result<Ledger, ChainFault>> {
  let ledger = start;
  for (let next = nextBlock(ledger); next <= deep; next = nextBlock(ledger)) {
    const read = await readRange(scan, next, deep, ledger.range);
    if (!read.ok) return read;
    const { end, transfers, range } = read.value;
    const last = await scan.reader.block(end, scan.signal);
    if (!last.ok) return last;
    move(ledger.balances, transfers);
    ledger = { ...ledger, range, settled: { number: end, hash: last.value.hash } };
    await scan.onProgress?.(ledger);
  }
  return ok(ledger);
}

/** Changes by the blocks above the ledger; null when the newest of them was replaced meanwhile. */
async function tailOf(
  scan: TransferScan,
  ledger: Ledger,
  latest: EvmBlock,
): Promise<Result<{ readonly changes: Map<Hex, bigint>; readonly ledger: Ledger } | null, ChainFault>> {
  const changes = new Map<Hex, bigint>();
  let { range } = ledger;
  for (let next = nextBlock(ledger); next <= latest.number; ) {
    const read = await readRange(scan, next, latest.number, range);
    if (!read.ok) return read;
    move(changes, read.value.transfers);
    range = read.value.range;
    next = read.value.end + 1;
  }
  const now = await scan.reader.block(latest.number, scan.signal);
  if (!now.ok) return now.reason === 'not_found' ? ok(null) : now;
  return ok(now.value.hash === latest.hash ? { changes, ledger: { ...ledger, range } } : null);
}

interface RangeRead {
  readonly end: number;
  readonly transfers: readonly Transfer[];
  readonly range: number;
}

/** Transfers from `next` on, in a range as large as the node serves in one piece, to `last` at most. */
async function readRange(
  scan: TransferScan,
  next: number,
  last: number,
  range: number,
): Promise<Result<RangeRead, ChainFault>> {
  let asked = range;
  for (;;) {
    const end = Math.min(last, next + asked - 1);
    const query = { address: scan.token, topics: [TRANSFER], fromBlock: next, toBlock: end };
    const logs = await scan.reader.logs(query, scan.signal);
    if (logs.ok) {
      const transfers = transfersOf(logs.value);
      if (!transfers.ok) return transfers;
      const grown = end - next + 1 === asked ? Math.min(LARGEST_RANGE, asked * 2) : asked;
      return ok({ end, transfers: transfers.value, range: grown });
    }
    const blocks = end - next + 1;
    if (logs.reason !== 'too_large' || blocks === 1) return logs;
    asked = Math.max(1, Math.floor(blocks / 2));
  }
}

function nextBlock(ledger: Ledger): number {
  return ledger.settled === null ? ledger.from : ledger.settled.number + 1;
}

/** The first block at which a contract has code, by bisection; needs old state on the node. */
export async function deploymentOf({
  reader,
  token,
  signal,
}: {
  readonly reader: EvmReader;
  readonly token: Hex;
  readonly signal?: AbortSignal;
}): Promise<Result<number, ChainFault>> {
  const latest = await reader.block('latest', signal);
  if (!latest.ok) return latest;
  const now = await reader.code(token, latest.value.number, signal);
  if (!now.ok) return now;
  if (now.value === '0x') return fault('not_found', 'there is no contract at this address');
  let [low, high] = [0, latest.value.number];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const code = await reader.code(token, middle, signal);
    if (!code.ok) return code;
    if (code.value === '0x') low = middle + 1;
    else high = middle;
  }
  return ok(low);
}

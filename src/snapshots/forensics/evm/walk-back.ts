import type { ChainFault, Hex } from '../../../chains/index.ts';
import type { Result } from '../../../domain/index.ts';
import { TRANSFER } from '../../evm/holders/transfer.ts';
import { type EvmHistory, topicOf } from './history.ts';
import { type PastLog, transferOf } from './transaction.ts';

/** One transaction that changed what an account holds of a token. */
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
  /** Why it ended there. */
  readonly ended: 'reached' | 'enough' | 'fault' | 'contradiction' | 'questions';
  readonly fault: string | null;
}

export interface WalkQuestion {
  readonly history: Pick<EvmHistory, 'logs'>;
  readonly token: Hex;
  readonly account: Hex;
  /** What the account holds after `block`. */
  readonly held: bigint;
  readonly block: number;
  /** Not further back than this. */
  readonly oldest: number;
  readonly mostRanges: number;
  /** Asked after each range: true ends the walk. */
  readonly enough: (steps: readonly Step[], from: number) => boolean;
  readonly signal?: AbortSignal;
}

const FIRST_RANGE = 5_000;
const LARGEST_RANGE = 100_000;

/**
 * What an account held of a token before and after each transaction, from what it holds now backwards: each transfer is taken
 * back. Needs no old state of the node, only its logs. Ranges grow while the node gives them and halve when they are too large.
 */
export async function walkBack(question: WalkQuestion): Promise<Walk> {
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
 * The steps of logs (oldest first), newest first; null when the account would have held less than nothing: the token
 * changes balances without telling. Pure.
 */
export function takeBack(logs: readonly PastLog[], account: Hex, heldAfter: bigint): readonly Step[] | null {
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
): Promise<Result<readonly PastLog[], ChainFault>> {
  const { token: address, account, fromBlock, toBlock } = range;
  const ask = (topics: readonly (Hex | null)[]) => history.logs({ address, topics, fromBlock, toBlock }, signal);
  const sent = await ask([TRANSFER, topicOf(account)]);
  if (!sent.ok) return sent;
  const got = await ask([TRANSFER, null, topicOf(account)]);
  if (!got.ok) return got;
  const all = new Map([...sent.value, ...got.value].map((log) => [`${log.block} ${log.index}`, log]));
  return { ok: true, value: [...all.values()].sort((a, b) => a.block - b.block || a.index - b.index) };
}

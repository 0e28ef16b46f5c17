/** What a pool held before and after one of its transactions, base units. */
export interface Held {
  readonly before: bigint;
  readonly after: bigint;
}

export interface DropSearch {
  /** How many transactions there are; index 0 is the oldest. */
  readonly count: number;
  /** Looks at one transaction; null when it cannot be seen. */
  readonly probe: (index: number) => Promise<Held | null>;
  /** A single drop counts from this share of the most that was ever seen held, 0-1. */
  readonly leastShare: number;
  readonly mostProbes: number;
}

export interface Drops {
  /** Transactions that took so much at once, oldest first. */
  readonly found: readonly { readonly index: number; readonly drop: bigint; readonly before: bigint }[];
  readonly probes: number;
  /** Most that was seen held. */
  readonly peak: bigint;
  /** Transactions that could not be looked at. */
  readonly unseen: number;
  /** False when the search ended before every visible drop was traced to its transaction. */
  readonly complete: boolean;
}

/** Looked at first, evenly spread: a drop that was filled up again between two of them stays hidden. */
const SPREAD = 12;
/** A transaction that cannot be seen is replaced by a neighbour so often. */
const NEIGHBOURS = 3;

interface Interval {
  readonly from: number;
  readonly to: number;
  /** Lost between the end of `from` and the start of `to`. */
  readonly lost: bigint;
}

/**
 * Finds the transactions in which a balance fell most, looking at few of them: whatever was lost between two moments is
 * lost in one half of the time between, so halving leads to the transaction. The largest loss is followed first.
 */
export async function findDrops({ count, probe, leastShare, mostProbes }: DropSearch): Promise<Drops> {
  const seen = new Map<number, Held | null>();
  const look = async (index: number): Promise<Held | null> => {
    if (seen.has(index)) return seen.get(index) ?? null;
    if (seen.size >= mostProbes) return null;
    const held = await probe(index);
    seen.set(index, held);
    return held;
  };
  for (let step = 0; step <= SPREAD && count > 0; step += 1) await look(Math.round((step * (count - 1)) / SPREAD));
  const peak = () => [...seen.values()].reduce((most, held) => larger(most, held?.before, held?.after), 0n);
  const least = () => (peak() * BigInt(Math.round(leastShare * 1_000_000))) / 1_000_000n;
  let complete = true;
  const given = new Set<string>();
  for (;;) {
    const open = intervals(seen).filter(({ from, to, lost }) => lost > least() && !given.has(`${from} ${to}`));
    const next = open.reduce<Interval | null>(
      (most, one) => (most === null || one.lost > most.lost ? one : most),
      null,
    );
    if (next === null) break;
    const middle = await lookBetween(next, look);
    if (middle) continue;
    complete = false;
    given.add(`${next.from} ${next.to}`);
    if (seen.size >= mostProbes) break;
  }
  const floor = least();
  const found = [...seen]
    .flatMap(([index, held]) =>
      held && held.before - held.after >= floor && held.before > held.after
        ? [{ index, drop: held.before - held.after, before: held.before }]
        : [],
    )
    .sort((a, b) => a.index - b.index);
  const unseen = [...seen.values()].filter((held) => held === null).length;
  return { found, probes: seen.size, peak: peak(), unseen, complete };
}

/** Neighbouring transactions that were seen, with others between them. */
function intervals(seen: ReadonlyMap<number, Held | null>): readonly Interval[] {
  const known = [...seen].flatMap(([index, held]) => (held ? [{ index, held }] : [])).sort((a, b) => a.index - b.index);
  return known.slice(1).flatMap(({ index, held }, place): readonly Interval[] => {
    const earlier = known[place];
    if (!earlier || index - earlier.index < 2) return [];
    return [{ from: earlier.index, to: index, lost: earlier.held.after - held.before }];
  });
}

async function lookBetween({ from, to }: Interval, look: (index: number) => Promise<Held | null>): Promise<boolean> {
  const middle = Math.floor((from + to) / 2);
  for (let step = 0; step < NEIGHBOURS * 2; step += 1) {
    const index = middle + (step % 2 === 0 ? step / 2 : -(step + 1) / 2);
    if (index <= from || index >= to) continue;
    if ((await look(index)) !== null) return true;
  }
  return false;
}

function larger(most: bigint, ...others: readonly (bigint | undefined)[]): bigint {
  return others.reduce<bigint>((sum, value) => (value !== undefined && value > sum ? value : sum), most);
}

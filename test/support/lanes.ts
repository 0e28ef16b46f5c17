/** What a test file took when it was measured, in seconds. */
export interface Taken {
  /** Without the time in which it was ready to run and other processes had the processors. */
  readonly wall: number;
  /** Of the process and of those it started. */
  readonly cpu: number;
}

/** Files of one process with its share of a processor: 1 when it computes all the time, 0.2 when it mostly waits. */
export interface Planned {
  readonly files: readonly string[];
  readonly wall: number;
  readonly share: number;
}

/** A file that was never measured may be long, and may compute. */
const UNKNOWN: Taken = { wall: 60, cpu: 60 };
/** The database works for files that wait, and its time is not theirs. */
const LEAST_SHARE = 0.2;

/** The groups by their length, longest first, else in their order: a long one that runs alone at the end leaves processors idle. */
export function planned(
  groups: readonly (readonly string[])[],
  taken: Readonly<Record<string, Taken>>,
): readonly Planned[] {
  return groups
    .map((files) => {
      const each = files.map((file) => taken[file] ?? UNKNOWN);
      const wall = each.reduce((sum, one) => sum + one.wall, 0);
      const cpu = each.reduce((sum, one) => sum + one.cpu, 0);
      return { files, wall, share: Math.min(1, Math.max(LEAST_SHARE, cpu / Math.max(wall, 0.01))) };
    })
    .sort((a, b) => b.wall - a.wall);
}

export interface Room {
  /** Sum of shares that run at once. */
  readonly shares: number;
  readonly processes: number;
}

/** The longest waiting group that fits beside those that run; the longest of all when none runs, null when there is no room. */
export function nextFile(waiting: readonly Planned[], running: readonly Planned[], room: Room): Planned | null {
  if (running.length === 0) return waiting[0] ?? null;
  if (running.length >= room.processes) return null;
  const free = room.shares - running.reduce((sum, { share }) => sum + share, 0);
  return waiting.find(({ share }) => share <= free + 1e-9) ?? null;
}

/** Runs all groups, as many at once as there is room for at the moment, and resolves when the last has ended. */
export async function inLanes(
  plan: readonly Planned[],
  room: () => Room,
  run: (files: readonly string[]) => Promise<void>,
): Promise<void> {
  const waiting = [...plan];
  const running = new Map<Planned, Promise<void>>();
  const failures: unknown[] = [];
  while (waiting.length > 0 || running.size > 0) {
    if (failures.length > 0) throw failures[0];
    const next = nextFile(waiting, [...running.keys()], room());
    if (next === null) {
      await Promise.race(running.values());
      continue;
    }
    waiting.splice(waiting.indexOf(next), 1);
    const ended = run(next.files)
      .catch((failure: unknown) => failures.push(failure))
      .then(() => void running.delete(next));
    running.set(next, ended);
  }
  if (failures.length > 0) throw failures[0];
}

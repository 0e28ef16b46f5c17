import { median } from '../../src/domain/statistics.ts';
/** How much of everything; a campaign is told by its seed and its sizes. */
export interface Size {
  readonly seed: number;
  readonly kills: number;
  /** Of processes that only answer, or only work. */
  readonly roleKills: number;
  readonly failovers: number;
  readonly restarts: number;
  /** Pairs of fault and source, and how many of the seeded order are left out before them: halves of it can be made apart. */
  readonly upstreamFaults: number;
  readonly upstreamFrom: number;
  /** Pulled cables and refused connections of each pair of parties. */
  readonly cuts: number;
  readonly streams: number;
  /** Seconds that a load lasts. */
  readonly loadSeconds: number;
  readonly slowHeads: number;
  readonly clockSteps: number;
  readonly poisonJobs: number;
  /** What every limit of time is multiplied by: 1 on a machine that has nothing else to do. */
  readonly patience: number;
}

/** What became of a promise under its fault. */
export interface Finding {
  /** How often the fault was made. */
  readonly times: number;
  /** What was seen against the promise, a sentence each; none when it held. */
  readonly broken: readonly string[];
  readonly figures: Readonly<Record<string, number | string>>;
  /** Why the fault could not be made on this machine. */
  readonly skipped?: string;
}

/** One fault and the promise that it must not break. */
export interface Claim {
  readonly name: string;
  readonly fault: string;
  readonly promise: string;
  run(size: Size): Promise<Finding>;
}

/** Numbers from 0 to 1 that a seed alone decides (mulberry32). */
export type Chance = () => number;

export function chanceOf(seed: number, name: string): Chance {
  let state = [...name].reduce((sum, letter) => Math.imul(sum ^ letter.charCodeAt(0), 16_777_619), seed ^ 0x811c9dc5);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export function pick<Item>(items: readonly Item[], chance: Chance): Item {
  const item = items[Math.floor(chance() * items.length)];
  if (item === undefined) throw new Error('nothing to pick from');
  return item;
}

/** The items in an order that chance decides. */
export function shuffled<Item>(items: readonly Item[], chance: Chance): readonly Item[] {
  return items
    .map((item) => ({ item, place: chance() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);
}

/** Median in whole numbers; 0 for none. */
export function roundedMedian(values: readonly number[]): number {
  return Math.round(median(values) ?? 0);
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** True as soon as it holds; false when it did not within the time. An error counts as no. */
export async function eventually(holds: () => Promise<boolean>, withinMs: number, everyMs = 50): Promise<boolean> {
  for (const end = performance.now() + withinMs; performance.now() < end; await pause(everyMs))
    if (await holds().catch(() => false)) return true;
  return false;
}

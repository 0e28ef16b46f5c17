import type { Tick } from '../../pool-math/concentrated.ts';
import type { Accounts } from './program.ts';

/** What was read of a pool's ticks: all initialised ones between two ticks, both included. */
export interface TickWindow {
  readonly ticks: readonly Tick[];
  readonly lowest: number;
  readonly highest: number;
}

/** Ticks looked at on each side of the price: 2,000 are 22 %, past the widest published depth (5 %). */
const REACH_TICKS = 2_000;
const MOST_ARRAYS_PER_SIDE = 20;

/** First ticks of the arrays around the present tick, outwards in both directions. */
export function arrayStarts(tick: number, arrayTicks: number, minTick: number, maxTick: number): readonly number[] {
  const present = Math.floor(tick / arrayTicks) * arrayTicks;
  const perSide = Math.min(MOST_ARRAYS_PER_SIDE, Math.ceil(REACH_TICKS / arrayTicks) + 1);
  const starts = [present];
  for (let step = 1; step <= perSide; step++) {
    if (present - step * arrayTicks > minTick - arrayTicks) starts.push(present - step * arrayTicks);
    if (present + step * arrayTicks <= maxTick) starts.push(present + step * arrayTicks);
  }
  return starts;
}

/**
 * Ticks of the arrays that were read, as far as these follow one another without a gap. An array that does not exist on
 * chain has no ticks; one that was not requested ends the window. Null when not even the present one was read.
 */
export function tickWindow(
  accounts: Accounts,
  tick: number,
  arrayTicks: number,
  limits: { readonly minTick: number; readonly maxTick: number },
  arrayAddress: (start: number) => string | null,
  ticksOf: (data: Uint8Array, start: number) => readonly Tick[] | null,
): TickWindow | null {
  const present = Math.floor(tick / arrayTicks) * arrayTicks;
  const ticks: Tick[] = [];
  const take = (start: number): boolean => {
    const account = accounts.get(arrayAddress(start) ?? '');
    if (account === undefined) return false;
    const found = account === null ? [] : ticksOf(account.data, start);
    if (found === null) return false;
    ticks.push(...found);
    return true;
  };
  if (!take(present)) return null;
  let lowest = present;
  while (lowest > limits.minTick && take(lowest - arrayTicks)) lowest -= arrayTicks;
  let end = present + arrayTicks;
  while (end <= limits.maxTick && take(end)) end += arrayTicks;
  return { ticks, lowest: Math.max(lowest, limits.minTick), highest: Math.min(end - 1, limits.maxTick) };
}

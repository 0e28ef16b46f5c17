/**
 * Time that never goes back: the wall's, and while that lies behind what was seen already, what has elapsed since. A wall
 * clock that is set back so neither opens a window of limits anew nor holds one open until it has caught up.
 *
 * @param wall milliseconds since the epoch
 * @param elapsed milliseconds from any start, as `performance.now`
 */
export function steadyClock(wall: () => number, elapsed: () => number): () => number {
  let seen = Number.NEGATIVE_INFINITY;
  let seenAt = 0;
  let read = Number.NEGATIVE_INFINITY;
  let shown = Number.NEGATIVE_INFINITY;
  return () => {
    const at = wall();
    // Within a millisecond, as most hot reads are, the second clock need not be read.
    if (at === read) return shown;
    read = at;
    const ticks = elapsed();
    seen = Math.max(at, seen + (ticks - seenAt));
    seenAt = ticks;
    shown = Math.floor(seen);
    return shown;
  };
}

/** Last full grid point at or before `now` (milliseconds since the epoch); null when the plan is served the newest. */
export function gridPoint(now: number, gridSeconds: number): number | null {
  if (gridSeconds === 0) return null;
  const step = gridSeconds * 1000;
  return Math.floor(now / step) * step;
}

/** Whole seconds until the next grid point; at least 1. */
export function secondsToNextPoint(now: number, gridSeconds: number): number {
  const step = gridSeconds * 1000;
  return Math.max(1, Math.ceil((step - (now % step)) / 1000));
}

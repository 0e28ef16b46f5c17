import type { PeerRow } from '../domain/index.ts';

type Load = (asOf: string) => Promise<readonly PeerRow[]>;

/**
 * The panel, read at most once in `maximumAgeMs`: jobs that run at once share it. Never one that was read for a later moment
 * than is asked for, and none that failed to load.
 */
export function sharedPanel(load: Load, maximumAgeMs: number): Load {
  let held: { readonly at: number; readonly rows: Promise<readonly PeerRow[]> } | null = null;
  return (asOf) => {
    const at = Date.parse(asOf);
    if (held !== null && held.at <= at && at - held.at < maximumAgeMs) return held.rows;
    const rows = load(asOf);
    const own = { at, rows };
    held = own;
    rows.catch(() => {
      if (held === own) held = null;
    });
    return rows;
  };
}

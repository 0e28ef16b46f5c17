import type { Plan } from '../../access/index.ts';
import { secondsToNextPoint } from '../../access/index.ts';
import type { SnapshotKind } from '../../domain/index.ts';
import type { HotSnapshot } from './hot-snapshot.ts';

/** Seconds until the next snapshot that this plan will be served is due; 1 when it is overdue. */
export function snapshotMaxAge(
  { refreshSeconds }: { readonly refreshSeconds: Readonly<Record<SnapshotKind, number>> },
  kind: SnapshotKind,
  plan: Plan,
  snapshot: HotSnapshot,
  now: number,
): number {
  if (plan.freshnessGridSeconds > 0) return secondsToNextPoint(now, plan.freshnessGridSeconds);
  const due = snapshot.storedAtMs + refreshSeconds[kind] * 1000;
  return Math.max(1, Math.ceil((due - now) / 1000));
}

import type { Asset } from '../domain/asset.ts';

/** One entry of the register of monitored assets. */
export interface MonitoredAsset {
  readonly asset: Asset;
  readonly addedBy: string;
  readonly addedAt: string;
  readonly wantedUntil: string | null;
  readonly paused: boolean;
  readonly dueAt: string;
  /** Why it is due then: `young`, `thin`, `alerting`, `watch`, `usual`, or the event that asked for it. */
  readonly reason: string;
  readonly cadenceSeconds: number;
  readonly failures: number;
  readonly lastFailure: string | null;
}

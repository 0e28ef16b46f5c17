import type { AccessService } from '../access/types.ts';
import type { UrlJudge } from '../scoring/request.ts';
import type { ScoringService } from '../scoring/types.ts';

/** What the API stands on. Everything is handed in; the API opens nothing itself. */
export interface ApiContext {
  readonly dataMode: 'live' | 'sandbox';
  readonly version: string;
  readonly scoringPath: string;
  readonly scoreDeadlineSeconds: number;
  readonly scoreDeadlineMaxSeconds: number;
  readonly bodyLimitBytes: number;
  readonly corsOrigins: readonly string[];
  readonly trustProxy: boolean;
  readonly scoring: ScoringService;
  readonly access: AccessService;
  readonly judgeUrl: UrlJudge;
  /** The methodology file's bytes, as served. */
  readonly methodologyJson: string;
  readonly methodologyHash: string;
  readonly now: () => number;
  /** True while the service can take work: database reachable, not stopping. */
  readonly ready: () => Promise<{ readonly ok: boolean; readonly checks: Readonly<Record<string, boolean>> }>;
  readonly onRequest: (route: string, method: string, status: number, seconds: number) => void;
}

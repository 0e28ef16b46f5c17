import type { Database } from '../store/database.ts';
import { keepSilent, takeTurn } from '../store/source-turns.ts';
import type { SharedTurns } from '../upstream/shared-budget.ts';

/** The turns of all processes at each source, in the database. While it is away each process keeps to its own budget. */
export function sharedTurns(db: Database, onError: (error: unknown, what: string) => void): SharedTurns {
  return {
    take: (label, budget, mostWaitMs) =>
      takeTurn(db, label, budget, mostWaitMs).catch((error: unknown) => {
        onError(error, 'turns at sources');
        return { taken: true, waitMs: 0 };
      }),
    silence: (label, milliseconds) =>
      void keepSilent(db, label, milliseconds).catch((error: unknown) => onError(error, 'turns at sources')),
  };
}

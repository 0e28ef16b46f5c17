import type { Storage } from '../../src/compose/storage.ts';
import { countUnderWay, endedWithout, takeDueRatings, unreadKeys } from '../../src/store/ratings/monitored.ts';
import { median } from '../raw-load.ts';

const TURNS = 20;

/** Queries of a worker every five seconds (and for keys every minute) with this number of due assets: median milliseconds. Changes nothing permanently. */
export async function monitorTurn({ store: { db } }: Storage) {
  const timed = async (work: () => Promise<unknown>) => {
    const times: number[] = [];
    for (let turn = 0; turn < TURNS; turn += 1) {
      const began = performance.now();
      await work();
      times.push(performance.now() - began);
    }
    return median(times);
  };
  const at = () => new Date().toISOString();
  return {
    under_way_ms: await timed(async () => {
      await countUnderWay(db);
      await endedWithout(db);
    }),
    // The lease ends at once, so that the next turn takes the same assets.
    take_ten_ms: await timed(async () => takeDueRatings(db, at(), 10, 0)),
    unread_keys_ms: await timed(() => unreadKeys(db, 'ethereum', at(), 25)),
    no_unread_keys_ms: await timed(() => unreadKeys(db, 'ethereum', '1970-01-01T00:00:00Z', 25)),
  };
}

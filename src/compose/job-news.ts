import type { JobNewsService } from '../jobs/index.ts';
import type { Store } from '../store/index.ts';
import { listenForJobs, type ToldJob, tellJobs } from '../store/index.ts';

/** What is told within so long goes out together. */
const GATHER_MS = 10;

/** News of jobs by PostgreSQL's NOTIFY, as long as there is anybody to hear it. */
export function openJobNews(
  store: Pick<Store, 'db' | 'url'>,
  isAlone: () => boolean,
  onError: (error: unknown, what: string) => void,
): JobNewsService {
  const waiting = new Map<string, ToldJob>();
  let isGathering = false;

  function send(): void {
    isGathering = false;
    const told = [...waiting.values()];
    waiting.clear();
    tellJobs(store.db, told).catch((error: unknown) => onError(error, 'telling of jobs'));
  }

  return {
    tell(told) {
      if (isAlone()) return;
      waiting.set(`${told.news} ${told.jobId}`, told);
      if (isGathering) return;
      isGathering = true;
      setTimeout(send, GATHER_MS);
    },
    listen: (onTold) =>
      listenForJobs({ url: store.url, onError: (error) => onError(error, 'listening for jobs') }, onTold),
  };
}

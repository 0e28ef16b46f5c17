import type { ObservationDraft } from '../domain/index.ts';
import { DAY_MS } from '../domain/index.ts';
import { date, text } from './read.ts';
import type { Params, ReplyMeta } from './source.ts';

/**
 * Newest commits of the default branch without quota. A feed holds the newest twenty or so: only when the oldest of them is older
 * than 90 days does it hold all of the 90 days.
 */
export function observeFeed(reply: string, _params: Params, meta: ReplyMeta): readonly ObservationDraft[] {
  const entries = entriesOf(reply.slice(0, 400_000)).map((entry) => ({
    at: date(/<updated>([^<]{10,40})<\/updated>/.exec(entry)?.[1]),
    author: text(/<author>\s{0,100}<name>([^<]{1,100})<\/name>/.exec(entry)?.[1])?.toLowerCase() ?? null,
  }));
  const dated = entries
    .flatMap(({ at, author }) => (at === null ? [] : [{ at, author }]))
    .sort((a, b) => (a.at < b.at ? 1 : -1));
  const [newest] = dated;
  if (!newest) return [];
  const since = new Date(Date.parse(meta.fetchedAt) - 90 * DAY_MS).toISOString();
  const recent = dated.filter(({ at }) => at >= since);
  const authors = new Set(recent.map(({ author }) => author).filter((author) => author !== null && !isBot(author)));
  const whole = recent.length < dated.length;
  return [
    { quantity: 'last_commit_at', value: newest.at, meaning: 'newest entry of the feed' },
    ...(whole
      ? ([
          {
            quantity: 'commits_90d',
            value: recent.length,
            meaning: 'main repository, from the feed',
            reliability: 0.8,
          },
          {
            quantity: 'contributors_90d',
            value: authors.size,
            meaning: 'main repository, from the feed',
            reliability: 0.7,
          },
        ] as const)
      : []),
  ];
}

/** Accounts that programs commit with. */
export function isBot(author: string): boolean {
  return author.endsWith('[bot]') || /^(dependabot|renovate|github-actions)\b/.test(author);
}

const LONGEST_ENTRY = 8_000;

/** What stands between the tags of each entry; one that does not end soon is none. */
function entriesOf(feed: string): readonly string[] {
  return feed.split('<entry>').flatMap((part, index) => {
    const end = index === 0 ? -1 : part.slice(0, LONGEST_ENTRY).indexOf('</entry>');
    return end < 0 ? [] : [part.slice(0, end)];
  });
}

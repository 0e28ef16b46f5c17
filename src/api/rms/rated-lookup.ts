import { LRUCache } from 'lru-cache';
import type { RatedAsset, RatingReader } from '../../monitoring/index.ts';
import { type RatedText, readRatedText } from '../../monitoring/index.ts';

export type RatedOutcome =
  | { readonly ok: true; readonly assetId: string }
  | { readonly ok: false; readonly code: 'not_rated'; readonly read: RatedText }
  | { readonly ok: false; readonly code: 'ambiguous'; readonly candidates: readonly RatedAsset[] }
  | { readonly ok: false; readonly code: 'malformed'; readonly detail: string };

export interface RatedLookup {
  /** The result if it is cached; otherwise undefined. */
  peek(text: string): RatedOutcome | undefined;
  find(text: string): Promise<RatedOutcome>;
  close(): void;
}

/**
 * Entries older than this are refreshed in the background. A second asset with the same symbol becomes visible after
 * this time.
 */
const RENEW_MS = 1_000;
/** Older entries are not used. */
const BELIEVE_MS = 5_000;
const MOST_REMEMBERED = 20_000;

interface Believed {
  readonly outcome: RatedOutcome;
  readonly at: number;
  /** Number of notices of ratings before the lookup. */
  readonly notices: number;
  renewing: boolean;
}

/**
 * Finds rated assets by the caller's text; frequent lookups are served from memory. That there is no rating is believed
 * until the next notice of a rating, and for a second at most: a caller reads the rating that it has just requested.
 */
export function createRatedLookup(reader: Pick<RatingReader, 'find' | 'onRated'>, now: () => number): RatedLookup {
  const believed = new LRUCache<string, Believed>({ max: MOST_REMEMBERED });
  const asking = new Map<string, Promise<RatedOutcome>>();
  let notices = 0;
  const close = reader.onRated(() => {
    notices += 1;
    // A lookup that began before the notice may not find the rating: later requests do not join it.
    asking.clear();
  });

  function remember(text: string, outcome: RatedOutcome, at: number, noticesBefore: number): RatedOutcome {
    believed.set(text, { outcome, at, notices: noticesBefore, renewing: false });
    return outcome;
  }

  function ask(text: string): Promise<RatedOutcome> {
    const running = asking.get(text);
    if (running) return running;
    const read = readRatedText(text);
    if (!read.ok) return Promise.resolve({ ok: false, code: 'malformed', detail: read.detail });
    const at = now();
    const noticesBefore = notices;
    const { value: named } = read;
    // An id needs no lookup: reading its rating shows whether it is rated.
    if (named.kind === 'id')
      return Promise.resolve(remember(text, { ok: true, assetId: named.assetId }, at, noticesBefore));
    const asked: Promise<RatedOutcome> = reader
      .find(text)
      .then(({ meant, candidates }) => {
        const outcome: RatedOutcome =
          meant !== null
            ? { ok: true, assetId: meant.asset.id }
            : candidates.length > 0
              ? { ok: false, code: 'ambiguous', candidates }
              : { ok: false, code: 'not_rated', read: named };
        return remember(text, outcome, at, noticesBefore);
      })
      .finally(() => {
        if (asking.get(text) === asked) asking.delete(text);
      });
    asking.set(text, asked);
    return asked;
  }

  function peek(text: string): RatedOutcome | undefined {
    const known = believed.get(text);
    if (!known) return undefined;
    const age = Math.abs(now() - known.at);
    if (age > BELIEVE_MS) return undefined;
    const isUnrated = !known.outcome.ok && known.outcome.code === 'not_rated';
    if (isUnrated && (age > RENEW_MS || known.notices !== notices)) return undefined;
    if (age > RENEW_MS && !known.renewing) {
      known.renewing = true;
      ask(text).catch(() => {
        known.renewing = false;
      });
    }
    return known.outcome;
  }

  return {
    peek,
    find(text) {
      const known = peek(text);
      return known ? Promise.resolve(known) : ask(text);
    },
    close,
  };
}

import { RatingChangeRow, type Reply, type ScoreRecord } from '../contract/index.ts';
import { DAY_MS, type Result } from '../domain/index.ts';
import { loadMethodology } from '../methodology/index.ts';
import { type Database, EVERYTHING, newestBoundsOf, type RatedPageOf, ratedPage } from '../store/index.ts';
import { csv, jsonArray } from './forms.ts';
import { type Column, columnsOf, RATING_COLUMNS, type RatedDayRow, ratedRow } from './rows.ts';

/** A page as text. `cursor`: start of the next page; null after the last. */
export interface TextPage {
  /** A JSON array of the rows, or CSV with a header row. */
  readonly text: string;
  readonly rows: number;
  readonly cursor: string | null;
}

export interface PageOf {
  readonly format: 'json' | 'csv';
  /** Maximum number of rows. */
  readonly limit: number;
  /** Id of the last asset of the previous page; empty for the first page. */
  readonly after: string;
}

/** The current ratings, and the changes between the ends of two days, page by page from the store. */
export type RatingChanges = ReturnType<typeof createRatingChanges>;

/** Most assets compared for one page, so that a page of few changes among many assets ends. */
const MOST_COMPARED = 20_000;
const PAGE = 512;
const dayEnd = (day: string) => new Date(Date.parse(`${day}T00:00:00Z`) + DAY_MS).toISOString();

export function createRatingChanges(db: Database) {
  const { existingDays } = loadMethodology().publication.hysteresis;

  /** The newest rating of each asset before `until` (milliseconds, exclusive), by asset id. */
  async function current(until: number, { format, limit, after }: PageOf): Promise<TextPage> {
    const date = new Date(until).toISOString().slice(0, 10);
    const rows: RatedDayRow[] = [];
    let cursor: string | null = after;
    while (cursor !== null && rows.length < limit) {
      const page: Page = await ratedPage(db, {
        until: new Date(until).toISOString(),
        bounds: EVERYTHING,
        after: cursor,
        limit: Math.min(PAGE, limit - rows.length),
      });
      rows.push(...page.rows.map((row) => ratedRow(date, row, until - existingDays * DAY_MS)));
      cursor = page.last;
    }
    return { ...written(RATING_COLUMNS, rows, format), cursor };
  }

  /**
   * The changes between the ends of two closed days, each in its newest revision. If a day is not closed, fails with
   * that day.
   */
  async function between(
    from: string,
    to: string,
    { format, limit, after }: PageOf,
  ): Promise<Result<TextPage, { readonly day: string }>> {
    const [first, second] = await Promise.all([newestBoundsOf(db, from), newestBoundsOf(db, to)]);
    if (first === null || second === null) return { ok: false, day: first === null ? from : to };
    const rows: Change[] = [];
    let cursor: string | null = after;
    for (let compared = 0; cursor !== null && rows.length < limit && compared < MOST_COMPARED; compared += PAGE) {
      const page: PlaceOfPage = { after: cursor, limit: PAGE };
      const [before, now]: readonly [Page, Page] = await Promise.all([
        ratedPage(db, { ...page, until: dayEnd(from), bounds: first }),
        ratedPage(db, { ...page, until: dayEnd(to), bounds: second }),
      ]);
      // If an asset is added between both reads, one of them ends at an earlier asset.
      cursor = earlier(before.last, now.last);
      const end = cursor;
      const known = new Map(before.rows.map((row) => [row.assetId, row]));
      for (const row of now.rows.filter(({ assetId }) => end === null || assetId <= end)) {
        const was = known.get(row.assetId);
        const change = changeOf(
          was ? ratedRow(from, was, Date.parse(dayEnd(from)) - existingDays * DAY_MS) : null,
          ratedRow(to, row, Date.parse(dayEnd(to)) - existingDays * DAY_MS),
        );
        if (change) rows.push(change);
        if (rows.length < limit) continue;
        cursor = row.assetId;
        break;
      }
    }
    return { ok: true, value: { ...written(CHANGE_COLUMNS, rows, format), cursor } };
  }

  return { current, between };
}

type Page = Awaited<ReturnType<typeof ratedPage>>;
type PlaceOfPage = Pick<RatedPageOf, 'after' | 'limit'>;

/** Published ratings as CSV with the columns of the current export, at time `at` (milliseconds), in the given order. */
export function ratingListCsv(
  ratings: readonly { readonly assetId: string; readonly record: Uint8Array }[],
  withdrawn: ReadonlySet<string>,
  at: number,
): string {
  const date = new Date(at).toISOString().slice(0, 10);
  const fresh = at - loadMethodology().publication.hysteresis.existingDays * DAY_MS;
  const rows = ratings.map(({ assetId, record }) =>
    ratedRow(date, { record, withdrawn: withdrawn.has(assetId) }, fresh),
  );
  return written(RATING_COLUMNS, rows, 'csv').text;
}

/** The first of two ids in the order of assets; null comes last. */
function earlier(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}

interface Change {
  readonly before: RatedDayRow | null;
  readonly after: RatedDayRow;
  readonly change: Reply<typeof RatingChangeRow>['change'];
  readonly raised: readonly string[];
  readonly cleared: readonly string[];
}

/** Null if no field of a row has changed. */
function changeOf(before: RatedDayRow | null, after: RatedDayRow): Change | null {
  const was = new Set(before?.record.risk_flags.map(({ code }) => code));
  const is = new Set(after.record.risk_flags.map(({ code }) => code));
  const flags = { raised: [...is.difference(was)].sort(), cleared: [...was.difference(is)].sort() };
  if (before === null) return { before, after, change: 'new', ...flags };
  if (after.standing === 'withdrawn' && before.standing !== 'withdrawn')
    return { before, after, change: 'gone', ...flags };
  const told = ({ record, standing }: RatedDayRow) => [record.band, record.score, record.trust_score, standing].join();
  const same = told(before) === told(after) && flags.raised.length + flags.cleared.length === 0;
  return same ? null : { before, after, change: 'changed', ...flags };
}

const asset = ({ after }: Change): ScoreRecord['asset'] => after.record.asset;
const CHANGE_COLUMNS: readonly Column<Change>[] = columnsOf(RatingChangeRow, {
  asset_id: (row) => asset(row).id,
  chain: (row) => asset(row).chain,
  address: (row) => asset(row).address,
  symbol: (row) => asset(row).symbol,
  name: (row) => asset(row).name,
  category: (row) => asset(row).category,
  change: (row) => row.change,
  band_before: (row) => row.before?.record.band,
  band_after: (row) => row.after.record.band,
  score_before: (row) => row.before?.record.score,
  score_after: (row) => row.after.record.score,
  trust_before: (row) => row.before?.record.trust_score,
  trust_after: (row) => row.after.record.trust_score,
  flags_raised: (row) => row.raised,
  flags_cleared: (row) => row.cleared,
  standing_before: (row) => row.before?.standing,
  standing_after: (row) => row.after.standing,
  as_of_before: (row) => row.before?.record.as_of,
  as_of_after: (row) => row.after.record.as_of,
});

function written<Row>(columns: readonly Column<Row>[], rows: readonly Row[], format: PageOf['format']) {
  const form = format === 'csv' ? csv(columns) : jsonArray(columns);
  return { text: form.head + rows.map((row, index) => form.row(row, index)).join('') + form.tail, rows: rows.length };
}

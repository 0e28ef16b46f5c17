/** Keys read in one statement: initially as many as wanted rows, four times as many in each further page. */
const FEWEST_KEYS = 16;
const MOST_KEYS = 1_000;
const GROWTH = 4;

/**
 * A join of two tables as two statements per page: keys from one table in its order, then the rows of the other. The
 * tables may be on different servers (docs/decisions/0018-distribution.md).
 */
export interface PagedLookup<Key, Row> {
  /** Up to `count` keys after `last` (null: from the first on), in order. */
  readonly keys: (last: Key | null, count: number) => Promise<readonly Key[]>;
  /** Rows for the keys of a page, in their order, at most `room`. */
  readonly rows: (keys: readonly Key[], room: number) => Promise<readonly Row[]>;
  /** Number of wanted rows. */
  readonly limit: number;
}

/** Reads pages until `limit` rows are found or no keys are left. */
export async function findByPages<Key, Row>({ keys, rows, limit }: PagedLookup<Key, Row>): Promise<readonly Row[]> {
  const found: Row[] = [];
  let last: Key | null = null;
  for (let count = Math.max(limit, FEWEST_KEYS); found.length < limit; count *= GROWTH) {
    const most = Math.min(count, MOST_KEYS);
    const page: readonly Key[] = await keys(last, most);
    if (page.length > 0) found.push(...(await rows(page, limit - found.length)));
    if (page.length < most) break;
    last = page.at(-1) ?? null;
  }
  return found;
}

/** Rows by their `asset_id`, for look-ups beside another table's rows. */
export function byAsset<Row extends { readonly asset_id: string }>(rows: readonly Row[]): ReadonlyMap<string, Row> {
  return new Map(rows.map((row) => [row.asset_id, row]));
}

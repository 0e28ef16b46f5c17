/** Keys looked at in one statement: as many as rows are wanted at first, four times as many in each further page. */
const FEWEST_KEYS = 16;
const MOST_KEYS = 1_000;
const GROWTH = 4;

/**
 * What a join of two tables would give, in two statements a page: keys from one table in its order, then what the other one
 * has for them. The tables may lie on different servers (docs/decisions/0018-distribution.md).
 */
export interface PagedLookup<Key, Row> {
  /** Up to `count` keys after `last` (null: from the first on), in order. */
  readonly keys: (last: Key | null, count: number) => Promise<readonly Key[]>;
  /** What is found for keys of a page, in their order, at most `room`. */
  readonly rows: (keys: readonly Key[], room: number) => Promise<readonly Row[]>;
  /** Rows wanted. */
  readonly limit: number;
}

/** Goes through the pages until `limit` rows are found or no keys are left. */
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

/** Rows by their `asset_id`, for those that are looked up beside another table's. */
export function byAsset<Row extends { readonly asset_id: string }>(rows: readonly Row[]): ReadonlyMap<string, Row> {
  return new Map(rows.map((row) => [row.asset_id, row]));
}

/** Longer lists are left to the engine, whose sort needs fewer comparisons. */
const MOST_INSERTED = 24;

/**
 * The rows in order, in the same list; equal rows stay as they were. Like `sort`, without the cost of its work lists,
 * which for a few rows is most of it.
 */
export function sorted<Row>(rows: Row[], compare: (a: Row, b: Row) => number): readonly Row[] {
  if (rows.length > MOST_INSERTED) return rows.sort(compare);
  for (let next = 1; next < rows.length; next += 1) {
    const row = rows[next] as Row;
    let at = next;
    for (; at > 0 && compare(rows[at - 1] as Row, row) > 0; at -= 1) rows[at] = rows[at - 1] as Row;
    rows[at] = row;
  }
  return rows;
}

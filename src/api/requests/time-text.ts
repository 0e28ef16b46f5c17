// A default span is counted back from it, and must not lead before the year 1.
const EARLIEST = Date.parse('1000-01-01T00:00:00.000Z');
const LATEST = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * True for an RFC 3339 time or date that this service can compute and store. The format alone allows more: leap seconds and
 * year 0, which neither Date nor PostgreSQL takes.
 */
export function isTimeText(text: string): boolean {
  const at = Date.parse(text);
  return at >= EARLIEST && at <= LATEST;
}

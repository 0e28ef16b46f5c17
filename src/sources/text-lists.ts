/**
 * The rows of a list in text form (CSV, XML). Accepts the whole text, a row that a score took from the list, or that row as
 * archived JSON.
 */
export function rowsOfText<Row>(reply: unknown, parse: (text: string) => readonly Row[]): readonly Row[] {
  if (Array.isArray(reply)) return reply as readonly Row[];
  const text = String(reply);
  return text.startsWith('[') ? (JSON.parse(text) as readonly Row[]) : parse(text);
}

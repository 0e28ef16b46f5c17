/**
 * The rows of a list that comes as text (CSV, XML), in whichever form they are read: the whole text, one row as a score takes it from
 * the list, or that row from the archive, which is its JSON.
 */
export function rowsOfText<Row>(reply: unknown, parse: (text: string) => readonly Row[]): readonly Row[] {
  if (Array.isArray(reply)) return reply as readonly Row[];
  const text = String(reply);
  return text.startsWith('[') ? (JSON.parse(text) as readonly Row[]) : parse(text);
}

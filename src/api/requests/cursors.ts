import { refuseField } from '../replies/problems.ts';

/**
 * The place at which a page begins; null: at the start. A cursor that the list did not give is refused: read as the start
 * or as the end, it would repeat rows or leave them out without a word.
 */
export function placeAt<Place>(
  cursor: string | undefined,
  read: (cursor: string) => Place | null,
  where = 'of the page before',
): Place | null {
  if (cursor === undefined) return null;
  return read(cursor) ?? refuseField('/cursor', 'malformed', `expected \`next_cursor\` ${where}`);
}

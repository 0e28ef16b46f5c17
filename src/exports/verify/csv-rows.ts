/** The longest cell or line that is read; more is no export of ours. */
const MOST_CHARACTERS = 4 << 20;

/** Rows of a CSV text (RFC 4180) that comes in pieces; the header is the first. Throws at a quote out of place. */
export async function* csvRows(pieces: AsyncIterable<string>): AsyncGenerator<readonly string[]> {
  let row: string[] = [];
  let cell = '';
  let state: 'start' | 'plain' | 'quoted' | 'quote_seen' | 'line_end' = 'start';
  for await (const piece of pieces) {
    for (const character of piece) {
      if (state === 'quoted') {
        if (character === '"') state = 'quote_seen';
        else cell += character;
      } else if (state === 'line_end') {
        if (character !== '\n') throw new Error('a line of the CSV ends with CR alone');
        yield [...row, cell];
        [row, cell, state] = [[], '', 'start'];
      } else if (character === '"') {
        if (state === 'plain') throw new Error('a cell of the CSV has a quote in its midst');
        if (state === 'quote_seen') cell += '"';
        state = 'quoted';
      } else if (character === ',') {
        row.push(cell);
        [cell, state] = ['', 'start'];
      } else if (character === '\r') state = 'line_end';
      else if (state === 'quote_seen') throw new Error('a quoted cell of the CSV goes on after its end');
      else if (character === '\n') throw new Error('a line of the CSV ends with LF alone');
      else [cell, state] = [cell + character, 'plain'];
      if (cell.length > MOST_CHARACTERS) throw new Error('a cell of the CSV is too long');
    }
  }
  if (state !== 'start' || row.length > 0) throw new Error('the CSV ends in the midst of a line');
}

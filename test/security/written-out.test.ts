import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { csv, ndjson } from '../../src/exports/forms.ts';
import type { Column } from '../../src/exports/rows.ts';
import { createLogger } from '../../src/telemetry/logger.ts';
import { HOSTILE_TEXTS } from './hostile-texts.ts';
import { tally } from './tally.ts';

const TEXTS = Object.values(HOSTILE_TEXTS);
const FORMULA = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/;
interface Row {
  readonly name: string;
  readonly tags: readonly string[];
}
const columns = [
  { name: 'name', value: (row: Row) => row.name },
  { name: 'tags', value: (row: Row) => row.tags },
] as unknown as readonly Column<Row>[];
const text = fc.oneof(
  fc.constantFrom(...TEXTS),
  fc.string({ unit: 'binary' }),
  fc.string().map((s) => `=${s}`),
);

describe('what is written out', () => {
  test('a cell of a CSV file is never a formula, a row never becomes two, and nothing is lost', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ name: text, tags: fc.array(text, { maxLength: 2 }) }), { minLength: 1, maxLength: 5 }),
        (rows) => {
          const form = csv(columns);
          const file = form.head + rows.map((row, index) => form.row(row, index)).join('') + form.tail;
          const cells = parse(file, { from: 2, relax_column_count: false }) as string[][];
          assert.equal(cells.length, rows.length);
          for (const [index, [name = '', tags = '']] of cells.entries()) {
            assert.doesNotMatch(name, FORMULA);
            assert.doesNotMatch(tags, FORMULA);
            // A file is UTF-8: half a character cannot be written in it.
            const given = (rows[index]?.name ?? '').toWellFormed();
            assert.ok(name === given || name === `'${given}`, JSON.stringify([name, given]));
          }
        },
      ),
      { numRuns: 300 },
    );
    tally({ part: 'injection', claim: 'no cell of a CSV file is a formula, no row becomes two', tried: 300 });
  });

  test('a row of NDJSON stays one line', () => {
    const form = ndjson(columns);
    for (const name of TEXTS) {
      const line = form.row({ name, tags: [name] }, 0);
      assert.equal(line.split('\n').length, 2);
      assert.equal((JSON.parse(line) as Row).name, name);
    }
  });

  test('a record of the log stays one line of JSON that steers no terminal, whatever is logged', () => {
    const lines: string[] = [];
    const logger = createLogger({ logLevel: 'info', databaseUrl: null, readUrls: [], sources: {} }, (line) =>
      lines.push(line),
    );
    for (const said of TEXTS) logger.info({ said, [said]: said, err: new Error(said) }, said);
    assert.equal(lines.length, TEXTS.length);
    for (const line of lines) {
      assert.match(line, /^\{.*\}\n$/);
      assert.doesNotMatch(line, /(?!\n)[\p{Cc}\p{Zl}\p{Zp}\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/u);
      assert.equal(typeof JSON.parse(line), 'object');
    }
    tally({ part: 'injection', claim: 'a record of the log stays one inert line', tried: lines.length });
  });
});

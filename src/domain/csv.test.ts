import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCsv } from '../../web/src/data/read-csv.ts';
import { readBulkCsv } from '../contract/requests/bulk.ts';
import { positionsOfCsv } from '../policy/positions.ts';
import { csvSeparator } from './csv.ts';

const judge = () => null;

test('the separator is the one that the first filled line has most of, outside quotes', () => {
  for (const [text, separator] of [
    ['asset,note', ','],
    ['\uFEFF\r\n\r\nasset;note\nTIDE;a,b,c,d', ';'],
    ['asset\tnote', '\t'],
    ['"a;b;c",d', ','],
    ['TIDE\nHIVC;x', ','],
    ['', ','],
  ] as const)
    assert.equal(csvSeparator(text), separator, JSON.stringify(text));
});

test('a file with a byte order mark and semicolons is read like one with commas, by the service and by the dashboard', () => {
  const file = (separator: string) =>
    `\uFEFF${[
      ['Asset', 'Note'],
      ['TIDE', '"kept, for now"'],
      ['', 'no asset'],
      ['HIVC', ''],
    ]
      .map((cells) => cells.join(separator))
      .join('\r\n')}\r\n`;
  const expected = readCsv(file(','));
  assert.deepEqual(
    expected.map(({ cells }) => cells),
    [
      ['Asset', 'Note'],
      ['TIDE', 'kept, for now'],
      ['', 'no asset'],
      ['HIVC', ''],
    ],
  );
  for (const separator of [';', '\t']) {
    assert.deepEqual(readCsv(file(separator)), expected);
    const bulk = readBulkCsv(`asset${separator}blockchain\nTIDE${separator}solana\n`, judge);
    assert.deepEqual(bulk.ok && bulk.value.map(({ requested }) => requested.asset), ['TIDE']);
    assert.deepEqual(positionsOfCsv(`asset${separator}value_usd\nTIDE${separator}12.5\n`), {
      ok: true,
      value: [{ asset: 'TIDE', value_usd: 12.5 }],
    });
  }
});

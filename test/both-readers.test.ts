import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readBulkCsv } from '../src/contract/requests/bulk.ts';
import { counted, csvSeparator, inNumber } from '../src/domain/index.ts';
import { positionsOfCsv } from '../src/policy/positions.ts';
import { short } from '../src/report/format.ts';
import { rowsOf } from '../web/src/bulk/rows-of.ts';
import { readCsv } from '../web/src/data/read-csv.ts';
import { compact, dollars, inNumber as inNumberOfDashboard } from '../web/src/format.ts';

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

test('what spreadsheets call the asset is its column, and a column that is misspelt is not left out in silence', () => {
  for (const head of ['Symbol', 'TICKER', 'assets', 'Address;Note']) {
    const text = `${head}\nTIDE${head.includes(';') ? ';x' : ''}\n`;
    const read = readBulkCsv(text, judge);
    assert.deepEqual(read.ok && read.value.map(({ requested }) => requested.asset), ['TIDE'], head);
    assert.deepEqual(rowsOf(text), { rows: [{ asset: 'TIDE' }], fault: null }, head);
  }
  const misspelt = readBulkCsv('asset,blockchian\nTIDE,solana\n', judge);
  assert.ok(!misspelt.ok);
  assert.equal(misspelt.errors[0]?.detail, 'unknown column blockchian; did you mean blockchain?');
  assert.equal(readBulkCsv('asset,note,type\nTIDE,x,posttge\n', judge).ok, true, 'other columns are left out');
  const nothing = 'Name of it,Weight\nTidewell,3\n';
  assert.equal(readBulkCsv(nothing, judge).ok, false);
  assert.match(rowsOf(nothing).fault ?? '', /one asset a line/);
  assert.deepEqual(rowsOf('TIDE\nHIVC\n').rows, ['TIDE', 'HIVC']);
});

test('report and dashboard put nouns into the singular after 1, and only there', () => {
  for (const [text, shown] of [
    ['1 pools read from the chain', '1 pool read from the chain'],
    ['top lists of 1 families, by owner', 'top lists of 1 family, by owner'],
    ['no audit found on the website and in 1 registries', 'no audit found on the website and in 1 registry'],
    ['0.3 from 1 of 1 features', '0.3 from 1 of 1 feature'],
    ['21 pools, 0.1 points, 1,001 days, 2.1 hours', '21 pools, 0.1 points, 1,001 days, 2.1 hours'],
    ['1 is, 1 was, 1 holds', '1 is, 1 was, 1 holds'],
  ] as const) {
    assert.equal(inNumber(text), shown);
    assert.equal(inNumberOfDashboard(text), shown);
  }
  assert.deepEqual(
    [0, 1, 2].map((count) => counted(count, 'reply', 'replies')),
    ['0 replies', '1 reply', '2 replies'],
  );
});

test('prices below a millionth have no exponent, in the report and in the dashboard', () => {
  assert.deepEqual([short(1.5e-9), short(-2e-7), short(0.00042)], ['0.0000000015', '−0.0000002', '0.00042']);
  assert.deepEqual([dollars(1.2345678e-10), dollars(0.005476), dollars(0)], ['$0.0000000001235', '$0.005476', '$0.00']);
  assert.deepEqual([compact(1.5e-9), compact(0.123456789), compact(7)], ['0.0000000015', '0.12346', '7']);
});

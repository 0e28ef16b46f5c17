import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { HEADER, madeRows, mappingOf, openFolder, refusalOf, removeFolder } from './fixtures/made-data.ts';

before(openFolder);
after(removeFolder);

test('every malformed file is rejected with the expected value, the actual value and the line', async () => {
  const cell = (at: number, text: string, row = 7) =>
    madeRows((cells, index) => cells.map((own, place) => (place === at && index === row ? text : own)));
  for (const [csv, expected] of [
    ['', /^empty_file: made\.csv: it is empty/],
    [`${HEADER}\n`, /^empty_file: .*no rows/],
    [madeRows().replace('holders', 'owners'), /^missing_columns: .*"holders"; there are "token", .*"owners"/],
    [madeRows().replace('holders', 'mint'), /^duplicate_columns: .*"mint" comes twice/],
    [madeRows().replaceAll('dead', 'alive'), /^no_failures: none of 60/],
    [madeRows().replaceAll('alive', 'dead'), /^no_survivors: all of 60/],
    [cell(7, 'NaN'), /^not_a_number: made\.csv: line 9: "holders" is "NaN"/],
    [cell(7, '1e999'), /^not_a_number/],
    [cell(5, 'yesterday'), /^not_a_date: .*line 9: "born" is "yesterday"/],
    [cell(3, '31.12.2024'), /^not_a_date: .*"seen"/],
    [cell(1, 'sleeping'), /^unknown_outcome: .*line 9: outcome "sleeping" is neither failed \(dead\) nor survived/],
    [cell(0, 'token 3'), /^duplicate_id: .*line 9: "token 3" was already on line 5/],
    [`${madeRows()}a,b,c\n`, /^malformed_csv: made\.csv: .*(62|Invalid Record Length)/],
    [`${madeRows()}"never closed`, /^malformed_csv/],
    [gzipSync('x').subarray(0, 12), /^(malformed_csv|empty_file|missing_columns|unreadable)/],
  ] as const)
    assert.match(await refusalOf(csv), expected);
  assert.match(await refusalOf('not gzip', mappingOf(), 'made.csv.gz'), /^unreadable: made\.csv\.gz: incorrect header/);
  assert.match(await refusalOf('a,b\n1,2\n', mappingOf(), 'other.csv'), /^no_data: there is no made\.csv under/);
});

test('every malformed mapping is rejected with an explanation', async () => {
  for (const [change, expected] of [
    [{ title: undefined }, /title/],
    [{ colour: 'red' }, /additional/i],
    [{ class: 'pets' }, /class: pets is none of/],
    [{ chain: 'neverland' }, /chain: neverland/],
    [{ features: { hd_cuont: { column: 'holders' } } }, /the methodology has no hd_cuont; it has .*hd_count/],
    [{ quantities: { luck: { column: 'lp' } } }, /luck is not known/],
    [{ features: {}, quantities: {} }, /at least one column/],
    [{ features: { hd_count: {} } }, /either column or constant/],
    [{ features: { hd_count: { column: 'fate' } } }, /its column is the outcome/],
    [{ knowsOutcome: { holders: 'counted at the end' } }, /"holders" knows the outcome: counted at the end/],
    [{ features: { ts_mint: { column: 'mint', states: { no: 'gone' } } } }, /no state gone; it has none, /],
    [{ features: { hd_count: { column: 'holders', clamp: [2, 1] } } }, /clamp/],
    [{ outcome: { column: 'fate', failed: ['x'], survived: ['x'] } }, /both failed and survived/],
    [{ outcome: { column: 'fate', failed: ['x'], survived: ['y'], leftOut: ['y'] } }, /"y" is left out, and failed or/],
    [{ where: [{ column: 'holders' }] }, /where\[0\]: give at least one of is, not, atLeast, atMost/],
    [{ classBy: [{ column: 'mint', is: ['no'], class: 'pets' }] }, /class: pets is none of/],
    [{ classBy: [{ column: 'fate', is: ['dead'], class: 'memecoin' }] }, /classBy\[0\]: its column is the outcome/],
    [{ features: { hd_count: { constant: 3, whenMissing: 0 } } }, /a constant has no empty cells/],
    [
      { features: { ts_mint: { column: 'mint', states: { no: 'none' }, whenMissing: 'gone' } } },
      /no state gone; it has/,
    ],
    [{ searched: ['hd_count'] }, /searched: hd_count is no feature that third parties list/],
    [{ featureTime: null, features: { tr_age: { column: 'born', transform: 'days_before' } } }, /needs featureTime/],
  ] as const)
    assert.match(await refusalOf(madeRows(), mappingOf(change)), expected);
  assert.match(await refusalOf(madeRows(), null), /^no_data: .*give --mapping/);
});

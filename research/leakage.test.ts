import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { HEADER, madeRows, mapped, openFolder, removeFolder } from './fixtures/made-data.ts';
import { auditLeakage } from './leakage.ts';
import { membersOf } from './members.ts';
import { readTable } from './table.ts';

let folder = '';

before(async () => {
  folder = await openFolder();
});

after(removeFolder);

test('the leakage audit finds late features, telling columns, telling gaps and creators on both sides', async () => {
  const csv = madeRows((cells, index) => [
    ...cells.map((cell, at) => (at === 4 && index < 3 ? '2023-01-01' : cell)),
    cells[1] === 'dead' ? String(1 + index) : String(1000 + index),
    cells[1] === 'dead' ? '5' : '',
  ]).replace(HEADER, `${HEADER},lifetime,gap`);
  const path = join(folder, 'leaking.csv');
  await writeFile(path, csv);
  const table = await readTable([path]);
  assert.ok(table.ok);
  const mapping = mapped({ features: { hd_count: { column: 'lifetime' } } });
  const read = membersOf(table.value, mapping);
  assert.ok(read.ok);
  const found = auditLeakage(
    table.value,
    read.value.members,
    read.value.members.map((_, index) => index),
    mapping,
  );
  assert.deepEqual([found.times?.tooLate, found.times?.compared], [3, 60]);
  const verdicts = Object.fromEntries(found.columns.map((row) => [row.column, row.verdict]));
  assert.equal(verdicts.lifetime, 'knows_outcome');
  assert.equal(verdicts.gap, undefined, 'a column that is mostly empty is no number');
  assert.ok(found.warnings.some((text) => text.includes('column lifetime alone has AUC 1.000')));
  assert.ok(found.warnings.some((text) => text.startsWith('3 of 60 members have features at or after')));
  assert.equal(found.groups?.count, 25);
  assert.ok((found.groups?.mixed ?? 0) > 0);
  assert.equal(found.byTime.length, 3);
  assert.equal(
    found.byGroup.reduce((sum, row) => sum + row.members, 0),
    60,
  );
});

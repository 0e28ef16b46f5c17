import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { madeRows, mapped, mappingOf, methodology, openFolder, outcomeOf, removeFolder } from './fixtures/made-data.ts';
import { type Member, readMapping } from './mapping.ts';
import { membersOf } from './members.ts';
import { scoreMember } from './score-member.ts';
import { readTable, timeOf } from './table.ts';

let folder = '';

before(async () => {
  folder = await openFolder();
});

after(removeFolder);

test('a moment without a time zone is UTC on every machine; text that is not a moment is rejected', () => {
  const noon = Date.UTC(2024, 1, 29, 12);
  for (const text of [
    '2024-02-29 12:00',
    '2024-02-29T12:00:00.000',
    '2024-02-29T13:00+01:00',
    '1709208000',
    '1709208000000',
  ])
    assert.equal(timeOf(text), noon, text);
  assert.equal(timeOf('2024-02-29'), Date.UTC(2024, 1, 29));
  for (const text of ['2024-13-01', '29.02.2024', '2024', '2024-02-29 noon', '12', 'yesterday'])
    assert.ok(Number.isNaN(timeOf(text)), text);
});

test('gaps are unknown, not zero; odd cells are counted; limits are kept and counted', async () => {
  const csv = madeRows((cells, index) =>
    cells.map((cell, at) =>
      at === 7 && index < 5 ? (['', 'n/a', 'many', '-', ' '][index] ?? '') : at === 6 && index < 4 ? '1.7' : cell,
    ),
  );
  const found = await outcomeOf(
    csv,
    mappingOf({
      missing: ['n/a', '-'],
      features: { hd_count: { column: 'holders', malformed: 'missing' } },
      quantities: { lp_creator_share: { column: 'lp', clamp: [0, 1] } },
    }),
  );
  assert.ok(found.ok);
  assert.deepEqual(found.value.dataSets[0]?.columns, [
    { target: 'hd_count', column: 'holders', known: 55, missing: 4, malformed: 1, clamped: 0 },
    { target: 'lp_creator_share', column: 'lp', known: 60, missing: 0, malformed: 0, clamped: 4 },
  ]);
});

test('transforms: percent, logarithm, complement, reciprocal, boolean, days before, constant', async () => {
  const rules = {
    hd_top10: { column: 'percent', scale: 0.01 },
    hd_count: { column: 'log', transform: 'exp10' },
    ts_lp: { column: 'share', transform: 'complement' },
    hd_neff: { column: 'hhi', transform: 'reciprocal' },
    ts_audit: {
      column: 'log',
      offset: -1,
      steps: [
        [1, 1],
        [2, 4],
      ],
    },
    ts_priv: { column: 'flag', transform: 'boolean', plus: ['law'] },
    mq_wash: { column: 'percent', per: 'left', scale: 0.1 },
    nothing_of_ours: { column: 'absent', optional: true },
    ts_verified: { column: 'flag', transform: 'boolean' },
    tr_age: { column: 'born', transform: 'days_before' },
    si_loss: { constant: 0 },
  };
  const path = join(folder, 'transforms.csv');
  await writeFile(
    path,
    'percent,log,share,hhi,flag,born,seen,fate,law,left\n45,3,0.2,0.05,Yes,2024-01-01,2024-01-31,dead,no,90\n1,1,1,1,0,1704067200,2024-01-02,alive,,0\n',
  );
  const table = await readTable([path]);
  assert.ok(table.ok);
  const read = membersOf(
    table.value,
    mapped({ id: null, group: null, outcomeTime: null, quantities: {}, features: rules }),
  );
  // Without a column of ids a file is one asset: two outcomes for it are one too many.
  assert.ok(!read.ok && read.refusal.reason === 'duplicate_id');
  const again = membersOf(
    table.value,
    mapped({ id: 'log', group: null, outcomeTime: null, quantities: {}, features: rules }),
  );
  assert.ok(again.ok);
  assert.deepEqual(
    again.value.members.map((member) => member.features),
    [
      {
        hd_top10: 0.45,
        hd_count: 1000,
        ts_lp: 0.8,
        hd_neff: 20,
        ts_audit: 4,
        ts_priv: 1,
        mq_wash: 0.05,
        ts_verified: 1,
        tr_age: 30,
        si_loss: 0,
      },
      { hd_top10: 0.01, hd_count: 10, ts_lp: 0, hd_neff: 1, ts_verified: 0, tr_age: 1, si_loss: 0 },
    ],
  );
});

test('rows excluded by a condition or an outcome are not read; an empty cell takes its default; the class comes from its column', async () => {
  const path = join(folder, 'kept.csv');
  await writeFile(
    path,
    'token,fate,kind,rank,size\na,dead,meme,3,\nb,alive,defi,2000,1e6\nc,moved,meme,4,1\nd,alive,,2001,not read\ne,alive,,1,5\nf,dead,wrapper,9,1\ng,alive,,,1\n',
  );
  const table = await readTable([path]);
  assert.ok(table.ok);
  const change = {
    id: 'token',
    group: null,
    featureTime: null,
    outcomeTime: null,
    outcome: { column: 'fate', failed: ['dead'], survived: ['alive'], leftOut: ['moved'] },
    where: [
      { column: 'rank', atMost: 2000 },
      { column: 'kind', not: ['wrapper'] },
    ],
    classBy: [
      { column: 'kind', is: ['meme'], class: 'memecoin' },
      { column: 'rank', atLeast: 1000, class: 'defi_gov' },
    ],
    quantities: {},
    features: { fu_size: { column: 'size', whenMissing: 0 } },
  };
  const read = membersOf(table.value, mapped(change));
  assert.ok(read.ok);
  assert.deepEqual(
    read.value.members.map((member) => [member.id, member.class, member.features.fu_size]),
    [
      ['a', 'memecoin', 0],
      ['b', 'defi_gov', 1e6],
      ['e', 'default', 5],
    ],
  );
  assert.equal(read.value.leftOut, 4);
  assert.deepEqual(
    read.value.rows.map((row) => row.line),
    [2, 3, 6],
  );
  assert.deepEqual(read.value.uses, [
    { target: 'fu_size', column: 'size', known: 2, missing: 1, malformed: 0, clamped: 0 },
  ]);
  const unread = membersOf(table.value, mapped({ ...change, where: [{ column: 'size', atMost: 1e9 }] }));
  assert.ok(!unread.ok);
  assert.match(unread.refusal.detail, /line 5: "size" is "not read", not a number/);
});

test('members are rated by the rating code: nothing known is the prior, quantities raise their flags and caps', () => {
  const member: Member = {
    id: 'x',
    group: null,
    class: 'default',
    failed: false,
    featureAt: Date.parse('2024-03-01'),
    outcomeAt: null,
    features: {},
    quantities: {},
  };
  // The starting point, less what a token of no class is known to owe its holders.
  const { score } = scoreMember(member, mapped(), methodology);
  assert.ok(score < methodology.aggregation.prior && score > methodology.aggregation.prior - 6, String(score));
  const capped = scoreMember(
    { ...member, features: { hd_count: 1e7 }, quantities: { lp_creator_share: 0.9, first_trade_at: '2024-02-27' } },
    mapped(),
    methodology,
  );
  assert.deepEqual(
    capped.caps.map((cap) => cap.code),
    ['LP_CREATOR', 'AGE_7D', 'CLASS_DEFAULT', 'CONTROL_UNCHECKED'],
  );
  assert.equal(capped.score, capped.caps[0]?.cap);
  assert.ok(capped.flags.includes('LP_CREATOR_CONTROLLED') && capped.flags.includes('TOKEN_NEW'));
});

test('the age of a row comes from an earlier list in the same file, whichever rows are rated', async () => {
  const path = join(folder, 'lists.csv');
  await writeFile(
    path,
    'row,asset,list,seen,fate\n1,old,2017,2017-12-06,alive\n2,gone,2017,2017-12-06,dead\n3,old,2020,2020-01-01,alive\n4,new,2020,2020-01-01,dead\n5,,2020,2020-01-01,alive\n',
  );
  const table = await readTable([path]);
  assert.ok(table.ok);
  const change = {
    id: 'row',
    group: null,
    outcomeTime: null,
    where: [{ column: 'list', is: ['2020'] }],
    features: {},
    quantities: {
      first_trade_at: {
        column: 'asset',
        among: [{ column: 'list', is: ['2017'] }],
        states: { yes: '2015-08-17', no: '2018-12-19' },
      },
    },
  };
  const mapping = mapped(change);
  const read = membersOf(table.value, mapping);
  assert.ok(read.ok);
  assert.deepEqual(
    read.value.members.map(({ id, quantities }) => [id, quantities.first_trade_at]),
    [
      ['3', '2015-08-17'],
      ['4', '2018-12-19'],
      ['5', undefined],
    ],
  );
  const ageOf = (at: number) =>
    scoreMember(read.value.members[at] as Member, mapping, methodology).known.find(({ id }) => id === 'tr_age')?.points;
  assert.ok((ageOf(0) ?? 0) > (ageOf(1) ?? 100));
  const { states: _, ...withoutStates } = change.quantities.first_trade_at;
  const refused = readMapping(mappingOf({ ...change, quantities: { first_trade_at: withoutStates } }), methodology);
  assert.ok(!refused.ok && refused.refusal.detail.includes('among needs a column, and states'));
});

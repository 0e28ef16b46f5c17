import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { loadMethodology } from '../methodology/load.ts';
import { timeOf } from './cell-reader.ts';
import { runValidation } from './data-sets.ts';
import { auditLeakage } from './leakage.ts';
import { readMapping } from './mapping.ts';
import { MAPPINGS } from './mappings/index.ts';
import { membersOf } from './members.ts';
import { panelError, panelOf, powerMean, rescore } from './panel.ts';
import { seededRandom } from './random.ts';
import { escapeMarkdown } from './report/escape.ts';
import { htmlOf } from './report/html.ts';
import { markdownOf } from './report/markdown.ts';
import { scoreMember } from './score-member.ts';
import { sensitivityOf } from './sensitivity.ts';
import { readTable } from './table.ts';
import type { Mapping, Member } from './types.ts';

const methodology = loadMethodology();
const SETTINGS = { seed: 1, bootstrap: 50, draws: 20, base: 8, sensitivityMembers: 200 };
const HOSTILE = '<script>alert(1)</script>|*x*';
let folder = '';

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-validate-'));
});
after(() => rm(folder, { recursive: true, force: true }));

/** A mapping of this test's own kind of file, with changes. */
function mappingOf(change: Readonly<Record<string, unknown>> = {}) {
  return {
    name: 'made',
    title: 'Made for the test',
    file: 'made.csv',
    id: 'token',
    outcome: { column: 'fate', failed: ['dead'], survived: ['alive'] },
    group: 'maker',
    featureTime: 'seen',
    outcomeTime: 'known',
    chain: 'ethereum',
    quantities: { lp_creator_share: { column: 'lp' }, first_trade_at: { column: 'born', transform: 'date' } },
    features: { hd_count: { column: 'holders' }, ts_mint: { column: 'mint', states: { no: 'none', key: 'eoa' } } },
    ...change,
  };
}

const HEADER = 'token,fate,maker,seen,known,born,lp,holders,mint';
/** Sixty tokens: those that die have few holders, a live mint and their maker's liquidity. */
function madeRows(change: (cells: string[], index: number) => string[] = (cells) => cells): string {
  const random = seededRandom(4);
  const rows = Array.from({ length: 60 }, (_, index) => {
    const dead = index % 3 !== 0;
    const holders = Math.round(10 ** (dead ? 1.5 + 1.5 * random() : 2.5 + 2 * random()));
    const lp = dead && random() < 0.7 ? 0.9 : 0.1 * random();
    return change(
      [
        `token ${index}`,
        dead ? 'dead' : 'alive',
        `maker ${index % 25}`,
        `2024-0${1 + (index % 6)}-11`,
        '2024-11-02T00:00:00Z',
        '2024-01-01',
        lp.toFixed(4),
        String(holders),
        random() < (dead ? 0.6 : 0.2) ? 'key' : 'no',
      ],
      index,
    ).join(',');
  });
  return [HEADER, ...rows, ''].join('\n');
}

async function outcomeOf(csv: string | Uint8Array, mapping: unknown = mappingOf(), name = 'made.csv') {
  const own = await mkdtemp(join(folder, 'set-'));
  await writeFile(join(own, name), csv);
  return runValidation({ folder: own, mapping, settings: SETTINGS, onProgress: () => undefined });
}
async function refusalOf(csv: string | Uint8Array, mapping: unknown = mappingOf(), name = 'made.csv') {
  const found = await outcomeOf(csv, mapping, name);
  assert.ok(!found.ok, 'a refusal was expected');
  return `${found.refusal.reason}: ${found.refusal.detail}`;
}
function mapped(change: Readonly<Record<string, unknown>> = {}): Mapping {
  const read = readMapping(mappingOf(change), methodology);
  assert.ok(read.ok);
  return read.value;
}

test('the same file and seed give the same report, byte for byte; another seed gives other intervals only', async () => {
  const [first, second] = [await outcomeOf(madeRows()), await outcomeOf(madeRows())];
  assert.ok(first.ok && second.ok);
  assert.equal(JSON.stringify(first.value), JSON.stringify(second.value));
  const [own] = first.value.dataSets;
  assert.equal(own?.members, 60);
  assert.equal(own?.failures, 40);
  const measured = own?.outcome?.measured[0];
  assert.ok((measured?.values.auc ?? 0) > 0.8 && measured?.clustered !== null);
  assert.ok((own?.panelError ?? 1) < 1e-9);
  assert.deepEqual(own?.files[0]?.rows, 60);
  assert.match(own?.files[0]?.sha256 ?? '', /^[0-9a-f]{64}$/);
});

test('a compressed file is the same file', async () => {
  const [plain, packed] = [
    await outcomeOf(madeRows()),
    await outcomeOf(gzipSync(madeRows()), mappingOf(), 'made.csv.gz'),
  ];
  assert.ok(plain.ok && packed.ok);
  assert.deepEqual(packed.value.dataSets[0]?.outcome, plain.value.dataSets[0]?.outcome);
});

test('a file under another name is known by its columns', async () => {
  for (const [csv, name] of [
    [madeRows(), 'Kept aside.csv'],
    [gzipSync(madeRows()), 'kept_aside.csv.gz'],
  ] as const) {
    const found = await outcomeOf(csv, mappingOf(), name);
    assert.ok(found.ok);
    assert.equal(found.value.dataSets[0]?.name, 'kept_aside');
  }
});

test('every bad file is refused in words: what was expected, what came, on which line', async () => {
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

test('every bad mapping is refused in words', async () => {
  for (const [change, expected] of [
    [{ title: undefined }, /title/],
    [{ colour: 'red' }, /additional/i],
    [{ category: 'pets' }, /category: pets is none of/],
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
    [{ featureTime: null, features: { tr_age: { column: 'born', transform: 'days_before' } } }, /needs featureTime/],
  ] as const)
    assert.match(await refusalOf(madeRows(), mappingOf(change)), expected);
  assert.match(await refusalOf(madeRows(), null), /^no_data: .*give --mapping/);
});

test('a moment without a zone is UTC, on every machine; what is no moment is not guessed', () => {
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
    nothing_of_ours: { column: 'absent', optional: true },
    ts_verified: { column: 'flag', transform: 'boolean' },
    tr_age: { column: 'born', transform: 'days_before' },
    si_loss: { constant: 0 },
  };
  const path = join(folder, 'transforms.csv');
  await writeFile(
    path,
    'percent,log,share,hhi,flag,born,seen,fate,law\n45,3,0.2,0.05,Yes,2024-01-01,2024-01-31,dead,no\n1,1,1,1,0,1704067200,2024-01-02,alive,\n',
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
        ts_verified: 1,
        tr_age: 30,
        si_loss: 0,
      },
      { hd_top10: 0.01, hd_count: 10, ts_lp: 0, hd_neff: 1, ts_verified: 0, tr_age: 1, si_loss: 0 },
    ],
  );
});

test('members are rated by the rating code: nothing known is the prior, quantities raise their flags and caps', () => {
  const member: Member = {
    id: 'x',
    group: null,
    failed: false,
    featureAt: Date.parse('2024-03-01'),
    outcomeAt: null,
    features: {},
    quantities: {},
  };
  const { prior } = methodology.aggregation;
  assert.equal(scoreMember(member, mapped(), methodology).score, prior);
  const capped = scoreMember(
    { ...member, features: { hd_count: 1e7 }, quantities: { lp_creator_share: 0.9, first_trade_at: '2024-02-27' } },
    mapped(),
    methodology,
  );
  assert.deepEqual(
    capped.caps.map((cap) => cap.code),
    ['LP_CREATOR', 'AGE_7D'],
  );
  assert.equal(capped.score, capped.caps[0]?.cap);
  assert.ok(capped.flags.includes('LP_CREATOR_CONTROLLED') && capped.flags.includes('TOKEN_NEW'));
});

const values = fc.record({
  hd_count: fc.option(fc.double({ min: 1, max: 1e7, noNaN: true }), { nil: undefined }),
  hd_top10: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined }),
  ts_tax: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined }),
  mq_depth2: fc.option(fc.double({ min: 1, max: 1e8, noNaN: true }), { nil: undefined }),
});
const DIRECT = {
  hd_count: { column: 'a' },
  hd_top10: { column: 'b', confidence: 0.4 },
  ts_tax: { column: 'c' },
  mq_depth2: { column: 'd' },
};

test('the panel of the sensitivity analyses is the rating: same scores, also after a change of the methodology', () => {
  const mapping = mapped({ features: DIRECT, quantities: {} });
  fc.assert(
    fc.property(
      fc.array(values, { minLength: 1, maxLength: 12 }),
      fc.double({ min: 30, max: 50, noNaN: true }),
      fc.double({ min: 0.1, max: 1, noNaN: true }),
      fc.double({ min: 0.5, max: 1.5, noNaN: true }),
      (rows, prior, shrinkConstant, multiple) => {
        // Somebody knows the feature whose weight is changed: one that nobody has is not in the panel.
        const members = [...rows, { hd_count: 500 }].map(
          (features, index): Member => ({
            id: String(index),
            group: null,
            failed: false,
            featureAt: null,
            outcomeAt: null,
            features: Object.fromEntries(
              Object.entries(features).filter(([, value]) => value !== undefined),
            ) as Member['features'],
            quantities: {},
          }),
        );
        const scored = members.map((member) => scoreMember(member, mapping, methodology));
        const panel = panelOf(scored, methodology);
        assert.ok(panelError(panel, scored) < 1e-9);
        const { weights } = methodology.categories.default;
        const changed = {
          ...methodology,
          aggregation: { ...methodology.aggregation, prior, shrinkConstant },
          categories: {
            ...methodology.categories,
            default: { ...methodology.categories.default, weights: { ...weights, HD: weights.HD * multiple } },
          },
          features: methodology.features.map((row) =>
            row.id === 'hd_count' ? { ...row, weight: { '*': (row.weight['*'] ?? 0) * multiple } } : row,
          ),
        };
        const found = rescore(panel, {
          prior,
          shrinkConstant,
          caps: false,
          factorWeights: panel.factorWeights.map((weight, index) => (index === 1 ? weight * multiple : weight)),
          featureWeights: panel.features.map(({ id }) => (id === 'hd_count' ? multiple : 1)),
        });
        for (const [index, member] of members.entries())
          assert.ok(Math.abs(scoreMember(member, mapping, changed).uncapped - (found[index] ?? 0)) < 1e-9);
      },
    ),
    { numRuns: 25 },
  );
});

test('one known fact orders members the same way under every judgement: nothing moves, and no judgement matters', () => {
  const mapping = mapped({ features: { hd_count: { column: 'a' } }, quantities: {} });
  const members = Array.from(
    { length: 40 },
    (_, index): Member => ({
      id: String(index),
      group: null,
      failed: index % 3 === 0,
      featureAt: null,
      outcomeAt: null,
      features: { hd_count: 200 * 1.2 ** index },
      quantities: {},
    }),
  );
  const plan = { draws: 30, base: 8, random: seededRandom(1), onProgress: () => undefined };
  const scored = members.map((member) => scoreMember(member, mapping, methodology));
  const found = sensitivityOf(panelOf(scored, methodology), null, methodology, plan);
  assert.deepEqual([found.rankShift.median, found.rankShift.high, found.auc], [0, 0, null]);
  assert.ok(found.rankCorrelation.low > 1 - 1e-12);
  assert.ok(found.indices.every((row) => row.total === 0 && row.atLow === 0 && row.atHigh === 0));
});

test('between two facts that disagree the weights decide, and the indices say which judgement it is', () => {
  const mapping = mapped({ features: { hd_count: { column: 'a' }, ts_tax: { column: 'b' } }, quantities: {} });
  const random = seededRandom(6);
  const members = Array.from({ length: 60 }, (_, index): Member => {
    const failed = index % 2 === 0;
    const features = { hd_count: 10 ** (2 + 3 * random()), ts_tax: failed ? 0.1 + 0.1 * random() : 0.12 * random() };
    return { id: String(index), group: null, failed, featureAt: null, outcomeAt: null, features, quantities: {} };
  });
  const scored = members.map((member) => scoreMember(member, mapping, methodology));
  const failed = members.map((member) => member.failed);
  const plan = { draws: 50, base: 64, random: seededRandom(1), onProgress: () => undefined };
  const found = sensitivityOf(panelOf(scored, methodology), failed, methodology, plan);
  const index = (name: string) => found.indices.find((row) => row.name === name);
  // Only the tax tells the outcome: the more it weighs against the count, the better.
  assert.ok((index('weight of TS')?.atHigh ?? 0) > (index('weight of TS')?.atLow ?? 1));
  assert.ok((index('weight of HD')?.atHigh ?? 1) < (index('weight of HD')?.atLow ?? 0));
  assert.ok((index('weight of TS')?.totalOnAuc ?? 0) > 0.05);
  assert.ok(found.rankShift.median > 0 && (found.auc?.low ?? 1) < (found.auc?.high ?? 0));
});

test('power means: arithmetic, geometric, harmonic and minimum, each not above the one before', () => {
  assert.equal(powerMean([10, 40], [1, 1], 1, 5), 25);
  assert.ok(Math.abs(powerMean([10, 40], [1, 1], 0, 5) - 20) < 1e-9);
  assert.equal(powerMean([10, 40], [1, 1], -1, 5), 16);
  assert.equal(powerMean([2, 40], [1, 1], Number.NEGATIVE_INFINITY, 5), 5);
  assert.equal(powerMean([2, 40], [0, 1], Number.NEGATIVE_INFINITY, 5), 40);
});

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

test('a panel without outcomes is measured for stability only', async () => {
  const random = seededRandom(8);
  const rows = Array.from({ length: 5 }, (_, asset) =>
    Array.from({ length: 80 }, (_, day) => {
      const at = new Date(Date.parse('2024-01-01') + day * 86_400_000).toISOString().slice(0, 10);
      return `coin ${asset},${at},${Math.round(10 ** (2 + asset + 0.1 * random()))}`;
    }),
  ).flat();
  const found = await outcomeOf(
    `coin,day,holders\n${rows.join('\n')}\n`,
    mappingOf({
      id: 'coin',
      outcome: null,
      group: null,
      featureTime: 'day',
      outcomeTime: null,
      everyDays: 2,
      quantities: {},
      features: { hd_count: { column: 'holders' } },
    }),
  );
  assert.ok(found.ok);
  const [own] = found.value.dataSets;
  assert.equal(own?.outcome, null);
  assert.equal(own?.members, 200);
  assert.equal(own?.leftOut, 200);
  assert.ok((own?.stability?.transitions.find((row) => row.horizonDays === 30)?.rankCorrelation ?? 0) > 0.95);
  assert.ok((own?.stability?.psi.length ?? 0) >= 2);
});

test('no outside text gets out of its place, in HTML or in Markdown; the page needs nothing from anywhere', async () => {
  const found = await outcomeOf(
    madeRows((cells, index) => cells.map((cell, at) => (at === 0 && index === 1 ? HOSTILE : cell))).replace(
      ',holders,',
      `,${HOSTILE},`,
    ),
    mappingOf({
      title: HOSTILE,
      about: `${HOSTILE}\n# not a heading\u202e`,
      features: { hd_count: { column: HOSTILE } },
    }),
  );
  assert.ok(found.ok);
  const html = htmlOf(found.value);
  assert.ok(!/<script|javascript:|\son\w+=|<link|<img|src=|url\(|@import/i.test(html));
  assert.ok(html.includes('&lt;script&gt;alert(1)&lt;/script&gt;'));
  assert.ok(html.includes("default-src 'none'"));
  assert.ok(!/NaN|Infinity|undefined/.test(html.replaceAll(/<style>[\s\S]*?<\/style>/g, '')));
  for (const tag of ['table', 'svg', 'details', 'section', 'g', 'text'])
    assert.equal(html.split(`</${tag}>`).length, html.split(new RegExp(`<${tag}[ >]`)).length, tag);
  const markdown = markdownOf(found.value);
  assert.ok(!markdown.includes('<script') && !/^# not a heading/m.test(markdown));
  for (const line of markdown.split('\n').filter((text) => text.startsWith('| band |')))
    assert.equal(line.split(/(?<!\\)\|/).length, 9);
});

test('Markdown keeps figures as they are and disarms what would start a list, a heading or a cell', () => {
  for (const [text, expected] of [
    ['0.891', '0.891'],
    ['-', '-'],
    ['- a', '\\- a'],
    ['1. one', '1\\. one'],
    ['# h', '\\# h'],
    ['a|b_c', 'a\\|b\\_c'],
    ['<b>', '&lt;b&gt;'],
  ] as const)
    assert.equal(escapeMarkdown(text), expected);
});

test('the mappings that come with the product fit the methodology', () => {
  for (const file of MAPPINGS) {
    const read = readMapping(file, methodology);
    assert.ok(read.ok, read.ok ? '' : read.refusal.detail);
  }
});

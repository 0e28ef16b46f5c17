import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { madeRows, mappingOf, openFolder, outcomeOf, refusalOf, removeFolder } from './fixtures/made-data.ts';

before(openFolder);
after(removeFolder);

/** Places of cells in a made row. */
const [TOKEN, FATE, SEEN, BORN, LP, HOLDERS] = [0, 1, 3, 5, 6, 7];

/** The made file with one column written anew. */
function withColumn(at: number, write: (cell: string, index: number) => string): string {
  return madeRows((cells, index) => cells.map((cell, place) => (place === at ? write(cell, index) : cell)));
}

/** In the made file those that die are the older ones, which is noted. */
const WITHOUT_AGE = { quantities: { lp_creator_share: { column: 'lp' } } };

async function adviceOn(csv: string, change: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const found = await outcomeOf(csv, mappingOf(change));
  assert.ok(found.ok, found.ok ? '' : found.refusal.detail);
  return (found.value.dataSets[0]?.advice ?? []).join('\n');
}

test('a file without anything odd gets no notes', async () => {
  assert.equal(await adviceOn(madeRows(), WITHOUT_AGE), '');
});

test('ages without the moment of the row are refused, with the rule and the remedy', async () => {
  assert.match(
    await refusalOf(madeRows(), mappingOf({ featureTime: null })),
    /^bad_mapping: quantities: first_trade_at: ages are reckoned from it to featureTime, and the mapping names none\. Name the column .*"featureTime": "measured_at".* or leave first_trade_at out/,
  );
  const without = { first_trade_at: undefined };
  const found = await outcomeOf(
    madeRows(),
    JSON.parse(
      JSON.stringify(mappingOf({ featureTime: null, quantities: { lp_creator_share: { column: 'lp' }, ...without } })),
    ),
  );
  assert.ok(found.ok, 'the other columns are rated without it');
});

test('a row without a moment has no age', async () => {
  const found = await outcomeOf(withColumn(SEEN, (cell, index) => (index < 20 ? '' : cell)));
  assert.ok(found.ok);
  const use = found.value.dataSets[0]?.columns.find(({ target }) => target === 'first_trade_at');
  assert.deepEqual([use?.known, use?.missing], [40, 20]);
});

test('percent in a column of fractions is refused with the column, the share of rows and the scale; basis points too', async () => {
  const percent = await refusalOf(withColumn(LP, (cell) => String(100 * Number(cell))));
  assert.match(
    percent,
    /^out_of_range: made\.csv: "lp" gives lp_creator_share, a fraction from 0 to 1, and \d+ of 60 \(\d+\.\d %\) of its values are above 1, the largest 90: that looks like percent\. Set "scale": 0\.01 in its rule$/,
  );
  assert.match(await refusalOf(withColumn(LP, (cell) => String(1e4 * Number(cell)))), /basis points.*"scale": 0\.0001/);
  assert.match(
    await refusalOf(withColumn(LP, (cell) => String(1e7 * Number(cell)))),
    /no share of a whole\. Is it the right column\?/,
  );
  assert.match(
    await refusalOf(withColumn(LP, (cell, index) => (index === 3 ? '1.02' : cell))),
    /and 1 of 60 \(1\.7 %\).*"clamp": \[0, 1\]/,
  );
  const scaled = mappingOf({ quantities: { lp_creator_share: { column: 'lp', scale: 0.01 } } });
  assert.ok(
    (
      await outcomeOf(
        withColumn(LP, (cell) => String(100 * Number(cell))),
        scaled,
      )
    ).ok,
  );
});

test('features are held to their limits like quantities', async () => {
  const change = { features: { hd_top10: { column: 'lp' } }, quantities: {} };
  assert.match(
    await refusalOf(
      withColumn(LP, (cell) => String(100 * Number(cell))),
      mappingOf(change),
    ),
    /gives hd_top10, a fraction/,
  );
});

test('figures below zero where nothing is are refused: they often mean "not known"', async () => {
  assert.match(
    await refusalOf(withColumn(HOLDERS, (cell, index) => (index % 6 === 0 ? '-1' : cell))),
    /^out_of_range: .*"holders" gives hd_count, which is never below zero, and 10 of 60 \(16\.7 %\).*the first -1; .*"missing"/,
  );
});

test('units that look wrong and are possible are noted: fractions for percent, a scale that was applied twice', async () => {
  const change = { quantities: { price_change_24h_pct: { column: 'lp' } }, features: {} };
  assert.match(
    await adviceOn(madeRows(), change),
    /"lp" gives price_change_24h_pct in percent, and none of 60 values is above 1: .*"scale": 100/,
  );
  assert.match(
    await adviceOn(madeRows(), { quantities: { lp_creator_share: { column: 'lp', scale: 0.01 } } }),
    /scaled by 0\.01.*take the scale away/,
  );
});

test('LP locked includes LP burned: reported where only one is mapped, shown where the file contradicts it', async () => {
  const two = withColumn(LP, (_, index) => (index % 2 === 0 ? '0.1' : '0.5'));
  const mapped = (more: Readonly<Record<string, unknown>>) => ({
    quantities: { lp_locked_share: { column: 'lp' }, ...more },
  });
  assert.match(
    await adviceOn(two, mapped({})),
    /locked or burned: if "lp" leaves burned LP out, add its column with "plus"/,
  );
  assert.match(
    await adviceOn(two, mapped({ lp_burned_share: { column: 'lp', scale: 2, clamp: [0, 1] } })),
    /includes burned LP, and in 60 of 60 \(100\.0 %\) of the rows .*Add "plus": \["lp"\]/,
  );
  assert.doesNotMatch(
    await adviceOn(two, mapped({ lp_burned_share: { column: 'lp', scale: 0.5 } })),
    /burned LP/,
    'a smaller share of burned LP is in order',
  );
});

test('what is mapped and read by nothing of the class is named', async () => {
  const advice = await adviceOn(madeRows(), {
    quantities: { fdv_usd: { column: 'holders' }, lp_creator_share: { column: 'lp' } },
    features: { cs_outage: { column: 'lp' } },
  });
  assert.equal(
    advice,
    'fdv_usd is mapped, and no feature, flag or cap of the class default reads it: it changes nothing\n' +
      'cs_outage is mapped, and has no weight in the ratings of the class default: it changes nothing',
  );
});

test('what is looked up and moves no rating is named too, and what moves one is not', async () => {
  const advice = await adviceOn(madeRows(), {
    ...WITHOUT_AGE,
    quantities: { ...WITHOUT_AGE.quantities, outage_hours: { column: 'holders' } },
  });
  assert.equal(advice, 'outage_hours is mapped, and no rating of 60 that were looked at is another without it');
});

test('amounts in base units are not taken for counts, and a note asks for whole tokens', async () => {
  const wei = (cell: string) => `${cell}000000000000000000`;
  assert.match(
    await refusalOf(withColumn(HOLDERS, wei)),
    /^out_of_range: made\.csv: "holders" gives hd_count, a count, and 60 of 60 \(100\.0 %\) of its values are above 1e\+11, the largest .*base units \(wei\)/,
  );
  const supply = {
    ...WITHOUT_AGE,
    features: {},
    quantities: { ...WITHOUT_AGE.quantities, total_supply: { column: 'holders' } },
  };
  assert.match(
    await adviceOn(
      withColumn(HOLDERS, (cell) => wei(`${cell}000`)),
      supply,
    ),
    /"holders" gives total_supply, whole tokens, and each of 60 values is 0 or above 1e\+21: if they are base units, set "scale" .*1e-18 for 18/,
  );
  assert.doesNotMatch(await adviceOn(madeRows(), supply), /base units/);
});

test('dates after the moment of their row are noted', async () => {
  assert.match(
    await adviceOn(withColumn(BORN, () => '2024-12-01')),
    /"born" gives first_trade_at, and in 60 of 60 .* it lies after "seen"/,
  );
});

test('ids that differ in capital letters only are noted; on EVM chains they are one address', async () => {
  const address = '0xabcdefabcdefabcdefabcdefabcdefabcdefab';
  const evm = withColumn(TOKEN, (_, index) =>
    index < 2 ? `${address}c${index === 0 ? 'd' : 'D'}` : `0x${String(index).padStart(40, '0')}`,
  );
  assert.match(
    await adviceOn(evm),
    /^1 id differs from another in capital letters only .*one address, and it counts twice; leave one/,
  );
  assert.match(
    await adviceOn(
      withColumn(TOKEN, (cell, index) => (index === 5 ? 'TOKEN 4' : cell)),
      WITHOUT_AGE,
    ),
    /if they are one asset, it counts twice$/,
  );
});

test('swapped outcomes are reported, with the features whose direction contradicts them', async () => {
  const exchanged = { outcome: { column: 'fate', failed: ['alive'], survived: ['dead'] } };
  assert.match(
    await adviceOn(madeRows(), exchanged),
    /the rating has AUC 0\.\d\d: failed members are rated better than survivors\. Are the outcomes exchanged\? failed is "alive", survived is "dead"\. Alone below \.5: .*hd_count 0\.\d\d/,
  );
  const upsideDown = withColumn(HOLDERS, (cell) => String(Math.round(1e6 / Number(cell))));
  assert.match(
    await adviceOn(upsideDown, WITHOUT_AGE),
    /alone these features rate failed members better than survivors: hd_count 0\.\d\d\. Does the column mean the opposite/,
  );
});

test('semicolons, tabs and bars are detected as separators, also in a compressed file, and reported', async () => {
  for (const [mark, words] of [
    [';', '";"'],
    ['\t', 'tabs'],
    ['|', '"|"'],
  ] as const)
    assert.match(
      await adviceOn(madeRows().replaceAll(',', mark)),
      new RegExp(`^made\\.csv: read with ${words.replace('|', '\\|')} between columns$`, 'm'),
    );
  const packed = await outcomeOf(gzipSync(madeRows().replaceAll(',', ';')), mappingOf(), 'made.csv.gz');
  assert.ok(packed.ok);
});

test('numbers with decimal commas are read as the mapping states, and an error states what to write', async () => {
  const semicolons = madeRows((cells) => cells)
    .replaceAll(',', ';')
    .replaceAll(/(\d)\.(\d{4})/g, '$1,$2');
  assert.match(
    await refusalOf(semicolons),
    /^not_a_number: made\.csv: line 2: "lp" is "\d,\d{4}", not a number; a decimal comma\? Add "number": \{ "decimal": "," \}/,
  );
  const read = await outcomeOf(semicolons, mappingOf({ number: { decimal: ',' } }));
  const plain = await outcomeOf(madeRows());
  assert.ok(read.ok && plain.ok);
  assert.deepEqual(read.value.dataSets[0]?.scores, plain.value.dataSets[0]?.scores);
  const hints: readonly (readonly [cell: string, at: number, expected: RegExp])[] = [
    ['"1,234,567"', HOLDERS, /"thousands": ","/],
    ['1.234.567', HOLDERS, /not a number/],
    ['55%', LP, /"strip": \["%"\].*"scale": 0\.01/],
    ['$12.50', HOLDERS, /"strip": \["\$"\]/],
    ['n/a', HOLDERS, /"missing": \["n\/a"\]/],
    ['31.12.2024', BORN, /not a date: expected 2025-03-01, .*seconds or milliseconds since 1970/],
    ['12/31/2024', SEEN, /not a date: expected 2025-03-01/],
    ['Dead', FATE, /capital letters count: add "Dead" beside "dead"/],
    ['unsure', FATE, /or to "leftOut" when it says neither/],
  ];
  for (const [cell, at, expected] of hints)
    assert.match(await refusalOf(withColumn(at, (own, index) => (index === 7 ? cell : own))), expected);
  const form = mappingOf({ number: { thousands: ',', strip: ['$'] } });
  assert.ok(
    (
      await outcomeOf(
        withColumn(HOLDERS, (own, index) => (index === 7 ? '"$1,234"' : own)),
        form,
      )
    ).ok,
  );
});

test('columns of states and of yes or no state what they expect, and dates need no transform', async () => {
  const states = mappingOf({ features: {}, quantities: { mint_authority_state: { column: 'mint' } } });
  assert.match(
    await refusalOf(madeRows(), states),
    /"mint" is "(no|key)".*say what it means, "states": \{ "(no|key)": "none" \}; states are none, protocol_capped, .*eoa/,
  );
  const wrong = mappingOf({ quantities: { mint_authority_state: { column: 'mint', states: { no: 'gone' } } } });
  assert.match(await refusalOf(madeRows(), wrong), /mint_authority_state: it has no state gone; it has none, /);
  const told = mappingOf({
    quantities: { mint_authority_state: { column: 'mint', states: { no: 'none', key: 'eoa' } } },
  });
  assert.ok((await outcomeOf(madeRows(), told)).ok);
  assert.match(
    await refusalOf(madeRows(), mappingOf({ quantities: { honeypot: { column: 'mint' } } })),
    /"mint" is "key", not a number: expected yes or no/,
  );
  const [bare, transformed] = [{ column: 'born' }, { column: 'born', transform: 'date' }].map((rule) =>
    outcomeOf(madeRows(), mappingOf({ quantities: { first_trade_at: rule } })),
  );
  const [one, other] = [await bare, await transformed];
  assert.ok(one?.ok && other?.ok);
  assert.deepEqual(one.value.dataSets[0]?.scores, other.value.dataSets[0]?.scores);
});

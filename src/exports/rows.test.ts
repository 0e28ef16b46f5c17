import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { parquetMetadata } from 'hyparquet';
import Type, { type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { ChainExportRow } from '../contract/export-chain.ts';
import { RatingExportRow } from '../contract/export-rating.ts';
import { scoreRecord } from '../contract/rating.ts';
import { flag, publishedRating } from '../monitoring/alerts/fixtures/published.ts';
import { sampleChainRow } from './fixtures/chain-row.ts';
import { csv, ndjson } from './forms.ts';
import { parquetFile } from './parquet.ts';
import { CHAIN_COLUMNS, type ChainRow, type Column, columnsOf, RATING_COLUMNS, type RatedDayRow } from './rows.ts';

const GOLDEN = new URL('./fixtures/golden-rows.json', import.meta.url);

function chainRow(): ChainRow {
  const row = sampleChainRow(7);
  const { market, holders, pools } = row;
  if (!market || !holders || !pools) throw new Error('the sample lacks a snapshot');
  const sizes = [1_000, 10_000, 100_000];
  return {
    ...row,
    market: { ...market, max_supply: 2e9, change_30d_pct: 4.5, sources: ['b', 'a'] },
    holders: {
      ...holders,
      as_of: '2026-11-20T23:58:00.000Z',
      supply: { ...holders.supply, coverage: 0.9 },
      adjusted: {
        ...holders.adjusted,
        top_1_pct: 1.25,
        top_10_pct: 2.25,
        top_100_pct: 3.25,
        entropy: 4.25,
        nakamoto_33: 5,
      },
    },
    pools: {
      ...pools,
      as_of: '2026-11-20T23:57:00.000Z',
      totals: { ...pools.totals, tvl_usd: 6.25, volume_24h_usd: 7.25 },
      sources: ['c', 'a'],
      slippage: sizes.map((size_usd, index) => ({ size_usd, buy_pct: index + 0.5, sell_pct: index + 0.75 })),
    },
  };
}

function ratingRow(): RatedDayRow {
  const flags = [flag('LATE', 'low'), flag('MINT_AUTHORITY_EOA', 'high'), flag('HONEYPOT', 'critical')];
  const published = {
    ...publishedRating('eip155:1/erc20:0x1', 'job_1', '2026-11-20T12:00:00.000Z', { score: 61.5, band: 'BBB', flags }),
    scoreInterval: [55.5, 66.5] as const,
    outlook: 'stable' as const,
    class: 'defi_gov' as const,
    categoryReason: 'as filed',
  };
  return { date: '2026-11-20', record: scoreRecord(published, 'sandbox'), standing: 'rated' };
}

function written<Row>(columns: readonly Column<Row>[], rows: readonly Row[]) {
  const [sheet, lines] = [csv(columns), ndjson(columns)];
  const file = parquetFile(columns).end();
  return {
    csv: [sheet.head, ...rows.map(sheet.row)],
    ndjson: rows.map(lines.row),
    parquet: parquetMetadata(file.slice().buffer).schema.map(({ name, type, converted_type }) =>
      [name, type, converted_type].filter((one) => one !== undefined).join(' '),
    ),
  };
}

/** Columns keep name, type and place for good; a new one stands at the end. */
test('the rows of a day are written as they always were', async () => {
  const chain = chainRow();
  const values = CHAIN_COLUMNS.map((column) => column.value(chain));
  assert.equal(new Set(values).size, values.length, 'no two columns of the sample hold the same value');
  const rating = ratingRow();
  const { class: _, category_reason: __, ...unclassed } = rating.record.asset;
  const old = { ...rating.record, asset: unclassed, score: null, score_interval: null };
  const made = {
    chain: written(CHAIN_COLUMNS, [chain, { ...chain, market: null, pools: null }, { ...chain, holders: null }]),
    ratings: written(RATING_COLUMNS, [rating, { ...rating, record: old, standing: 'lapsed' }]),
  };
  if (process.env.UPDATE_GOLDEN) await writeFile(GOLDEN, `${JSON.stringify(made, null, 2)}\n`);
  assert.deepEqual(made, JSON.parse(await readFile(GOLDEN, 'utf8')));
  for (const [schema, lines] of [
    [ChainExportRow, made.chain.ndjson],
    [RatingExportRow, made.ratings.ndjson],
  ] as const) {
    const check = Compile(schema);
    for (const line of lines) assert.deepEqual([...check.Errors(JSON.parse(line))], []);
  }
});

test('a column that is forgotten, renamed or mistyped does not compile', () => {
  const schema = Type.Object({ symbol: Type.String(), price_usd: Type.Union([Type.Number(), Type.Null()]) });
  type Row = { readonly symbol: string; readonly price?: number };
  const symbol = (row: Row) => row.symbol;
  const price_usd = (row: Row) => row.price;
  const make = columnsOf<typeof schema, Row>;
  const columns = make(schema, { symbol, price_usd });
  assert.deepEqual(
    columns.map(({ name, type, value }) => [
      name,
      type,
      value({ symbol: 'A' }),
      value({ symbol: 'A', price: Infinity }),
    ]),
    [
      ['symbol', 'text', 'A', 'A'],
      ['price_usd', 'number', null, null],
    ],
  );
  // @ts-expect-error: `price_usd` is forgotten
  make(schema, { symbol });
  // @ts-expect-error: `price` is no field
  make(schema, { symbol, price_usd, price: price_usd });
  // @ts-expect-error: a number where a text is expected
  make(schema, { symbol: (row: Row) => row.symbol.length, price_usd });
  // @ts-expect-error: the price may be missing, which the field of the symbol does not allow
  make(schema, { symbol: price_usd, price_usd });
});

/** Everything below it in docs/exports.md is generated. */
const MARK = '<!-- generated from src/contract -->';

test('docs/exports.md lists every column as it is', async () => {
  const page = new URL('../../docs/exports.md', import.meta.url);
  const text = await readFile(page, 'utf8');
  const tables = [
    ['Columns of the ratings', RatingExportRow.properties, RATING_COLUMNS],
    ['Columns of a chain', ChainExportRow.properties, CHAIN_COLUMNS],
  ] as const;
  const sections = tables.map(([title, fields, columns]) =>
    [
      `## ${title}\n`,
      '| column | type | meaning |',
      '| --- | --- | --- |',
      ...columns.map(({ name, type }) => rowOf(name, type, (fields as Readonly<Record<string, TSchema>>)[name])),
    ].join('\n'),
  );
  const wanted = `${text.split(MARK)[0]}${MARK}\n\n${sections.join('\n\n')}\n`;
  if (process.env.UPDATE_DOCS === '1') await writeFile(page, wanted);
  else assert.equal(text, wanted, 'stale: run UPDATE_DOCS=1 node --test src/exports/rows.test.ts');
});

function rowOf(name: string, type: string, field: TSchema = {}): string {
  const { description = '', anyOf = [] } = field as { description?: string; anyOf?: readonly { type?: string }[] };
  const words = anyOf.flatMap((one) => ('const' in one ? [`\`${one.const}\``] : []));
  const mayBeNull = anyOf.some((one) => one.type === 'null');
  return `| \`${name}\` | ${type}${mayBeNull ? ' or null' : ''} | ${[description, words.join(', ')].join(' ').trim()} |`;
}

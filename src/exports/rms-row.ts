import type { ScoreRecord } from '../contract/index.ts';
import { DAY_MS } from '../domain/index.ts';
import { type Column, type ExportValue, finite } from './column.ts';

/** The rating of one asset as it was known at the end of a day. */
export interface RatedDayRow {
  readonly date: string;
  readonly record: ScoreRecord;
  readonly standing: 'rated' | 'lapsed' | 'not_rated' | 'withdrawn' | 'defaulted';
}

/** What the store gives: the record's canonical JSON, and whether the asset's rating had been withdrawn before. */
export interface StoredRatedRow {
  readonly record: Uint8Array;
  readonly withdrawn: boolean;
}

const KEY_SEVERITIES = ['critical', 'high', 'medium'];

/** Rows of a day out of stored ratings. A rating older than `lapsesDays` at the day's end stands no longer, and says so. */
export async function* ratedRows(
  date: string,
  rows: AsyncIterable<StoredRatedRow>,
  lapsesDays: number,
): AsyncGenerator<RatedDayRow> {
  const decoder = new TextDecoder();
  const fresh = Date.parse(`${date}T00:00:00Z`) + DAY_MS - lapsesDays * DAY_MS;
  for await (const row of rows) {
    const record = JSON.parse(decoder.decode(row.record)) as ScoreRecord;
    yield { date, record, standing: standingOf(record, row.withdrawn, fresh) };
  }
}

function standingOf({ band, as_of }: ScoreRecord, withdrawn: boolean, fresh: number): RatedDayRow['standing'] {
  if (band === 'D') return 'defaulted';
  if (band === 'NR') return withdrawn ? 'withdrawn' : 'not_rated';
  return Date.parse(as_of) < fresh ? 'lapsed' : 'rated';
}

/** Codes of the flags that count, the worst first and each once. */
function keyFlags({ risk_flags: flags }: ScoreRecord): readonly string[] {
  return [
    ...new Set(
      KEY_SEVERITIES.flatMap((severity) => flags.filter((flag) => flag.severity === severity).map((flag) => flag.code)),
    ),
  ];
}

function column(
  name: string,
  type: Column<RatedDayRow>['type'],
  meaning: string,
  value: (row: RatedDayRow) => ExportValue | undefined,
): Column<RatedDayRow> {
  return {
    name,
    type,
    meaning,
    value(row) {
      const found = value(row);
      return typeof found === 'number' ? finite(found) : (found ?? null);
    },
  };
}

/** Columns of the daily export of ratings, one row per asset that was ever rated. */
export const RATING_COLUMNS: readonly Column<RatedDayRow>[] = [
  column('date', 'text', 'the day, YYYY-MM-DD in UTC', (row) => row.date),
  column(
    'asset_id',
    'text',
    'CAIP-19, or project: and its domain before there is a token',
    (row) => row.record.asset.id,
  ),
  column('chain', 'text', 'short chain name', (row) => row.record.asset.chain),
  column('address', 'text', 'mint or contract', (row) => row.record.asset.address),
  column('symbol', 'text', 'outside text', (row) => row.record.asset.symbol),
  column('name', 'text', 'outside text', (row) => row.record.asset.name),
  column('category', 'text', 'category it is rated as', (row) => row.record.asset.category),
  column('stage', 'text', 'post_tge or pre_tge', (row) => row.record.stage),
  column('score', 'number', '0-100 in steps of 0.1; empty when not rated', (row) => row.record.score),
  column('band', 'text', 'AAA to C, D (defaulted) or NR (not rated)', (row) => row.record.band),
  column('trust_score', 'number', 'trust in the evidence, 0-100', (row) => row.record.trust_score),
  column('score_low', 'number', 'lower end of the interval of the score', (row) => row.record.score_interval?.[0]),
  column('score_high', 'number', 'upper end of the interval of the score', (row) => row.record.score_interval?.[1]),
  column('outlook', 'text', 'positive, stable, negative or developing', (row) => row.record.outlook),
  column(
    'vfr',
    'number',
    'price over fair value; empty when no fair value can be computed',
    (row) => row.record.vfr.value,
  ),
  column('vfr_zone', 'text', 'DEEP_DISCOUNT to EXTREME_PREMIUM, or INDETERMINATE', (row) => row.record.vfr.zone),
  column('key_flags', 'list', 'risk flags of severity medium and up, the worst first', (row) => keyFlags(row.record)),
  column('flags', 'integer', 'risk flags of any severity', (row) => row.record.risk_flags.length),
  column('rating_action', 'text', 'new, affirm, upgrade, downgrade or withdraw', (row) => row.record.rating_action),
  column(
    'standing',
    'text',
    'rated, lapsed (older than a rating may be), not_rated, withdrawn or defaulted',
    (row) => row.standing,
  ),
  column('methodology_version', 'text', 'of the methodology it was rated by', (row) => row.record.methodology_version),
  column('job_id', 'text', 'the rating’s receipt: GET /v1/jobs/{job_id}/evidence', (row) => row.record.job_id),
  column('as_of', 'time', 'when the rating was true', (row) => row.record.as_of),
  // Columns that came later stand at the end: readers of CSV may go by position.
  column(
    'class',
    'text',
    'class it is rated as; empty in ratings from before classes',
    (row) => row.record.asset.class,
  ),
  column('category_reason', 'text', 'how the class was decided', (row) => row.record.asset.category_reason),
];

import type { Member } from '../mapping.ts';
import type { Random } from '../random.ts';
import type { OutcomeSet } from './sets.ts';

/** A column of a file that the rating does not read; null for files without it. */
export interface Candidate {
  readonly name: string;
  /** Value for each member of a set, in their order. */
  readonly of: (set: OutcomeSet, random: Random) => readonly (number | null)[];
}

/** Cell of a member's row in a column; empty where the file has none. */
type Cells = (column: string) => string;

/** A number of the file; null where it has none, or no such column. */
function numberIn(cells: Cells, column: string): number | null {
  const text = cells(column);
  const value = text === '' ? Number.NaN : Number(text);
  return Number.isFinite(value) ? value : null;
}

function column(name: string, from: string, shape: (value: number) => number | null = (value) => value): Candidate {
  return {
    name,
    of: (set) =>
      each(set, (cells) => {
        const value = numberIn(cells, from);
        return value === null ? null : shape(value);
      }),
  };
}

function each(set: OutcomeSet, of: (cells: Cells, member: Member) => number | null): readonly (number | null)[] {
  const places = new Map(set.columns.map((name, at) => [name, at]));
  return set.members.map((member, at) =>
    of((name) => set.rows[at]?.cells[places.get(name) ?? -1]?.trim() ?? '', member),
  );
}

/** A change in percent as a logarithm. */
const moved = (percent: number) => Math.log(Math.max(0.01, 1 + percent / 100));
const size = (percent: number) => Math.log1p(100 * Math.abs(moved(percent)));

/**
 * Columns of the files that no feature reads. Excluded are gaps that result from how a file was made, columns that an
 * earlier search rejected (turnover, one day's range, the ratio of supplies), and columns that decide the class, which
 * a rating determines in another way.
 */
export const CANDIDATES: readonly Candidate[] = [
  column('price of a day, change', 'p24h', moved),
  column('price of a day, size of the change', 'p24h', size),
  column('price of a week, change', 'p7d', moved),
  column('price of a week, size of the change', 'p7d', size),
  column('places lost in 30 days', 'rk_chg30'),
  column('places lost in 90 days', 'rk_chg90'),
  column('places lost in 180 days', 'rk_chg180'),
  column('places below the best of 180 days', 'rk_dd180'),
  column('unsteadiness of the place, 90 days', 'rk_vol90'),
  column('days missing from the list, 90 days', 'rk_gap90'),
  { name: 'value against an earlier list', of: (set) => sinceEarlier(set) },
  /** Already read by the rating: tests a larger weight. */
  column('sales of the last quarter of the day', 'sells_last_6h', Math.log1p),
  column('trades of the last quarter of the day', 'trades_last_6h', Math.log1p),
  column('hours since the last trade', 'hours_since_trade', Math.log1p),
  column('price below the peak of the day', 'below_peak'),
  /** Already read by the rating: tests a larger weight. */
  column('sales of the day', 'sells', Math.log1p),
  { name: 'noise', of: (set, random) => set.members.map(() => random()) },
];

/** Logarithm of a coin's market cap over that on the latest earlier list in the same file; null if there is none. */
function sinceEarlier(set: OutcomeSet): readonly (number | null)[] {
  const [asset, day, cap] = ['asset', 'obs_date', 'market_cap'].map((name) => set.columns.indexOf(name));
  if (asset === undefined || day === undefined || cap === undefined || Math.min(asset, day, cap) < 0)
    return set.members.map(() => null);
  const earlier = Map.groupBy(set.all, (row) => row.cells[asset] ?? '');
  return each(set, (cells) => {
    const own = numberIn(cells, 'market_cap');
    const before = (earlier.get(cells('asset')) ?? [])
      .filter((row) => (row.cells[day] ?? '') < cells('obs_date') && Number(row.cells[cap]) > 0)
      .toSorted((a, b) => ((a.cells[day] ?? '') < (b.cells[day] ?? '') ? 1 : -1))[0];
    return own === null || own <= 0 || before === undefined ? null : Math.log(own / Number(before.cells[cap]));
  });
}

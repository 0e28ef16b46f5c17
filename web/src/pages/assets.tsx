import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { age, classOf, points, UNKNOWN, words } from '../format.ts';
import { Band, FlagCounts, Trust } from '../parts/marks.tsx';
import { Refused } from '../parts/state.tsx';
import { linkTo } from '../route.ts';
import { EMPTY_FILTERS, Filters, type FilterValues } from './asset-filters.tsx';
import { AssetSearch } from './asset-search.tsx';
import { Trend } from './asset-trend.tsx';
import { type AssetRow, useRatings } from './use-ratings.ts';

const ROW_PX = 46;
const OVERSCAN = 8;
const TYPING_MS = 250;
const COLUMNS = [
  { title: 'Asset', sort: 'symbol' },
  { title: 'Band', sort: null },
  { title: 'Score', sort: 'score' },
  { title: 'Trust', sort: 'trust' },
  { title: 'Flags', sort: null },
  { title: 'Value', sort: null },
  { title: '30 days', sort: null },
  { title: 'Class', sort: null },
  { title: 'Rated', sort: 'as_of' },
] as const;

/** All rated assets. Only the rows in view exist, and pages are asked for as the reader comes near their end. */
export function AssetsPage({ search }: { readonly search: string }) {
  const [filters, setFilters] = useState<FilterValues>(EMPTY_FILTERS);
  const [sort, setSort] = useState('-score');
  const [text, setText] = useState(search);
  const begin = useSettled(text.trim(), TYPING_MS);
  const list = useRatings(filters, sort, begin);
  const { rows } = list;
  return (
    <>
      <div className="title-row">
        <h1>Assets</h1>
        <span className="quiet" role="status">
          {list.state === 'loading'
            ? 'Reading …'
            : `${rows.length.toLocaleString('en-US')}${list.complete ? '' : '+'} ${rows.length === 1 ? 'asset' : 'assets'}`}
        </span>
      </div>
      <AssetSearch text={text} setText={setText} />
      <Filters values={filters} onChange={setFilters} sort={sort} onSort={setSort} />
      {list.problem && <Refused problem={list.problem} again={list.more} />}
      {list.state === 'ready' && rows.length === 0 && !list.problem ? (
        <div className="empty">
          {begin !== '' ? (
            <>
              No rated asset’s symbol, name or address begins with “{begin}”
              {filters === EMPTY_FILTERS ? '' : ' and passes the filters'}.{' '}
              <a href={linkTo('score')}>Score a project</a> to have it rated.
            </>
          ) : filters === EMPTY_FILTERS ? (
            <>
              Nothing has been rated yet. <a href={linkTo('score')}>Score the first project</a>.
            </>
          ) : (
            'No rated asset passes these filters.'
          )}
        </div>
      ) : (
        <Rows rows={rows} sort={sort} onSort={setSort} onNearEnd={list.more} busy={list.state === 'loading'} />
      )}
    </>
  );
}

/** A text once nobody has typed for a moment: the service is not asked at each letter. */
function useSettled(text: string, restMs: number): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), restMs);
    return () => clearTimeout(timer);
  }, [text, restMs]);
  return settled;
}

function Rows({
  rows,
  sort,
  onSort,
  onNearEnd,
  busy,
}: {
  readonly rows: readonly AssetRow[];
  readonly sort: string;
  readonly onSort: (sort: string) => void;
  readonly onNearEnd: () => void;
  readonly busy: boolean;
}) {
  const frame = useRef<HTMLElement>(null);
  const [view, setView] = useState({ top: 0, height: 700 });
  const first = Math.max(0, Math.floor(view.top / ROW_PX) - OVERSCAN);
  const last = Math.min(rows.length, Math.ceil((view.top + view.height) / ROW_PX) + OVERSCAN);
  const nearEnd = last >= rows.length - 40;
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked again when more rows came and the end is still near
  useEffect(() => {
    if (nearEnd) onNearEnd();
  }, [nearEnd, rows.length]);
  const measure = () => {
    const { current } = frame;
    if (current) setView({ top: current.scrollTop, height: current.clientHeight });
  };
  useEffect(measure, []);
  function move(event: KeyboardEvent): void {
    const { current } = frame;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!current || step === undefined) return;
    const row = (event.target as Element).closest('tr');
    const next = row ? Number(row.dataset.index) + step : first;
    if (next < 0 || next >= rows.length) return;
    event.preventDefault();
    const top = next * ROW_PX;
    if (top < current.scrollTop) current.scrollTop = top;
    else if (top + 2 * ROW_PX > current.scrollTop + current.clientHeight)
      current.scrollTop = top + 2 * ROW_PX - current.clientHeight;
    measure();
    requestAnimationFrame(() => current.querySelector<HTMLElement>(`tr[data-index="${next}"] a`)?.focus());
  }
  return (
    <section
      ref={frame}
      className="rows"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      aria-label="Rated assets"
      aria-busy={busy}
      onScroll={measure}
      onKeyDown={move}
    >
      <table aria-rowcount={rows.length + 1}>
        <thead>
          <tr aria-rowindex={1}>
            {COLUMNS.map((column) => (
              <th
                key={column.title}
                scope="col"
                className={`c-${column.title.replace(' ', '')}`}
                aria-sort={sortOf(column.sort, sort)}
              >
                {column.sort ? (
                  <button
                    type="button"
                    onClick={() => onSort(sort === `-${column.sort}` ? column.sort : `-${column.sort}`)}
                  >
                    {column.title}
                    <span aria-hidden="true">
                      {{ ascending: ' ↑', descending: ' ↓', none: '' }[sortOf(column.sort, sort) ?? 'none']}
                    </span>
                  </button>
                ) : (
                  column.title
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {first > 0 && <Gap rows={first} />}
          {rows.slice(first, last).map((row, offset) => (
            <Row key={row.asset.id} row={row} index={first + offset} />
          ))}
          {last < rows.length && <Gap rows={rows.length - last} />}
        </tbody>
      </table>
    </section>
  );
}

/** Stands for rows out of view, so that the scroll bar tells the truth. */
function Gap({ rows }: { readonly rows: number }) {
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row without content cannot be focused
    <tr aria-hidden="true" style={{ height: rows * ROW_PX }} />
  );
}

function sortOf(column: string | null, sort: string): 'ascending' | 'descending' | 'none' | undefined {
  if (column === null) return undefined;
  return sort === column ? 'ascending' : sort === `-${column}` ? 'descending' : 'none';
}

function Row({ row, index }: { readonly row: AssetRow; readonly index: number }) {
  const { asset } = row;
  return (
    <tr data-index={index} aria-rowindex={index + 2}>
      <th scope="row" className="c-Asset">
        <a href={linkTo('asset', asset.id)}>{asset.symbol ?? asset.name ?? UNKNOWN}</a>
        <span className="under">
          {asset.name} · {asset.chain ?? 'no chain'}
        </span>
      </th>
      <td className="c-Band">
        <Band band={row.band} />
        {row.isWatched && <span className="under">watch</span>}
      </td>
      <td className="c-Score number">{points(row.score)}</td>
      <td className="c-Trust">
        <Trust score={row.trust_score} />
      </td>
      <td className="c-Flags">
        <FlagCounts flags={row.risk_flags} />
      </td>
      <td className="c-Value">
        {row.zone === 'INDETERMINATE' ? <span className="quiet">not known</span> : words(row.zone)}
      </td>
      <td className="c-30days">
        <Trend assetId={asset.id} />
      </td>
      <td className="c-Class">{classOf(asset)}</td>
      <td className="c-Rated quiet">{age(row.as_of)}</td>
    </tr>
  );
}

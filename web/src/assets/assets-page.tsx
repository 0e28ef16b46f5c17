import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useCallback, useDeferredValue, useEffect, useMemo, useState } from 'react';
import type { Input } from '../../../client/src/operation.ts';
import { service } from '../data/service.ts';
import { count } from '../format.ts';
import { Button } from '../parts/button.tsx';
import { PageHead } from '../parts/panel.tsx';
import { ProblemBox } from '../parts/problem.tsx';
import { Table } from '../parts/table.tsx';
import { ASSET_COLUMNS, rowOf, SORTS } from './columns.tsx';
import { FilterChips, type Filters, SavedViews } from './filters.tsx';

const PAGE = 500;
const MOST_COMPARED = 5;
const route = getRouteApi('/assets');

/** All rated assets: the service filters and sorts, by the address; pages are read while scrolling. */
export function Page() {
  const { sort = '-score', q, ...filters } = route.useSearch();
  const navigate = useNavigate();
  const [selected, setSelected] = useState<readonly string[]>([]);
  const [typed, setTyped] = useState(q ?? '');
  const search = useSettled(typed.trim());
  const put = useCallback(
    (change: Partial<Filters> & { readonly sort?: string; readonly q?: string | undefined }) =>
      navigate({ to: '/assets', search: (before) => ({ ...before, ...change }), replace: true }),
    [navigate],
  );
  useEffect(() => {
    if (search !== (q ?? '')) put({ q: search || undefined });
  }, [search, q, put]);
  const query = {
    sort: SORTS.find((one) => one === sort) ?? '-score',
    limit: PAGE,
    ...(search ? { search } : {}),
    ...(filters.band ? { band: filters.band.join(',') } : {}),
    ...(filters.chain ? { chain: filters.chain } : {}),
    ...(filters.class ? { class: filters.class as 'l2' } : {}),
    ...(filters.flag ? { flag: filters.flag } : {}),
    ...(filters.trust ? { min_trust: filters.trust } : {}),
  };
  const list = useInfiniteQuery(ratedRows(query));
  const rows = useMemo(() => (list.data?.pages ?? []).flatMap((page) => page.rows), [list.data]);
  const shown = useDeferredValue(rows);
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  const onEnd = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  useSlashKey();
  const isFiltered = Object.values(filters).some(Boolean);
  return (
    <>
      <PageHead
        title="Assets"
        sub={
          <span role="status">
            {list.isLoading
              ? 'Reading …'
              : `${count(rows.length)}${hasNextPage ? '+' : ''} ${rows.length === 1 ? 'asset' : 'assets'}`}
          </span>
        }
      >
        <span className="q wide">
          <kbd>/</kbd> search <kbd>J</kbd> <kbd>K</kbd> move <kbd>X</kbd> select <kbd>Enter</kbd> open
        </span>
      </PageHead>
      <SavedViews filters={filters} sort={sort} onChoose={(view) => navigate({ to: '/assets', search: view })} />
      <FilterChips filters={filters} onChange={put}>
        <input
          id="search"
          type="search"
          aria-label="Search: symbol, name, address or id"
          placeholder="Symbol, name, address or id"
          maxLength={200}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={(event) => {
            const [only] = rows;
            if (event.key === 'Enter' && only && rows.length === 1)
              navigate({ to: '/asset/$name', params: { name: only.asset.id } });
          }}
        />
      </FilterChips>
      {list.error && <ProblemBox error={list.error} again={list.refetch} />}
      {rows.length === 0 && !list.isLoading && !list.error ? (
        <div className="empty">
          {search ? (
            <>
              No rated asset’s symbol, name or address begins with “{search}”{isFiltered && ' and passes the filters'}.{' '}
            </>
          ) : isFiltered ? (
            'No rated asset passes these filters. '
          ) : (
            'Nothing has been rated yet. '
          )}
          <Link to="/score">Score a project</Link> to have it rated.
        </div>
      ) : (
        <Table
          name="Rated assets"
          tall
          columns={ASSET_COLUMNS}
          rows={shown}
          keyOf={({ asset }) => asset.id}
          sorted
          sort={{ id: sort.replace('-', ''), desc: sort.startsWith('-') }}
          onSort={({ id, desc }) => put({ sort: `${desc ? '-' : ''}${id}` })}
          selected={selected}
          onSelect={(keys) => setSelected(keys.slice(-MOST_COMPARED))}
          onOpen={({ asset }) => navigate({ to: '/asset/$name', params: { name: asset.id } })}
          onEnd={onEnd}
          tools={
            <Button
              primary
              disabled={selected.length < 2}
              title={selected.length < 2 ? `Select two to ${MOST_COMPARED} assets` : undefined}
              onClick={() => navigate({ to: '/compare', search: { assets: selected } })}
            >
              Compare {selected.length}
            </Button>
          }
        />
      )}
    </>
  );
}

const TYPING_MS = 250;

/** A text after typing has paused: no request is sent for each letter. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

/** `/` focuses the search. */
function useSlashKey(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== '/' || /INPUT|TEXTAREA|SELECT/.test((event.target as Element).tagName)) return;
      event.preventDefault();
      document.getElementById('search')?.focus();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}

/** A whole record of each of 100,000 assets would take hundreds of megabytes: a row keeps only what it shows. */
function ratedRows(query: NonNullable<Input<'GET /v1/rms'>['query']>) {
  return infiniteQueryOptions({
    queryKey: ['rated assets', query],
    queryFn: async ({ signal, pageParam }) => {
      const place = pageParam === null ? {} : { cursor: pageParam };
      const page = await service().call('GET /v1/rms', { query: { ...query, ...place }, signal });
      return { rows: page.data.map(rowOf), next: page.next_cursor };
    },
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next,
    placeholderData: (before) => before,
    // Comparing each new page with all earlier ones, member by member, takes seconds at 100,000 rows.
    structuralSharing: false,
  });
}

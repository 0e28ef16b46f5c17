import { useCallback, useEffect, useRef, useState } from 'react';
import { ask, type Problem } from '../api.ts';
import type { Page, RatingRecord } from '../types.ts';
import type { FilterValues } from './asset-filters.tsx';

const PAGE = 500;

/** What a row shows; a whole record of each of 100,000 assets would take hundreds of megabytes. */
export type AssetRow = Pick<RatingRecord, 'asset' | 'band' | 'score' | 'trust_score' | 'risk_flags' | 'as_of'> & {
  readonly isWatched: boolean;
  readonly zone: string;
};

interface Loaded {
  readonly rows: readonly AssetRow[];
  readonly cursor: string | null;
  readonly complete: boolean;
  readonly problem: Problem | null;
  readonly state: 'loading' | 'ready';
}
const NOTHING: Loaded = { rows: [], cursor: null, complete: false, problem: null, state: 'loading' };

/** Rated assets that begin with `begin`, as far as they were asked for; `more` asks for the next page, once at a time. */
export function useRatings(filters: FilterValues, sort: string, begin: string): Loaded & { readonly more: () => void } {
  const [loaded, setLoaded] = useState(NOTHING);
  const now = useRef({ loaded: NOTHING, asking: false, turn: 0 });
  const query = new URLSearchParams({ sort, limit: String(PAGE) });
  for (const [name, value] of Object.entries(filters)) if (value !== '') query.set(name, value);
  if (begin !== '') query.set('search', begin);
  const search = query.toString();
  const keep = useCallback((next: Loaded) => {
    now.current.loaded = next;
    setLoaded(next);
  }, []);
  const more = useCallback(async () => {
    const { loaded: before, asking, turn } = now.current;
    if (asking || before.complete) return;
    now.current.asking = true;
    const behind = before.cursor === null ? '' : `&cursor=${encodeURIComponent(before.cursor)}`;
    const reply = await ask<Page<RatingRecord>>(`/v1/rms?${search}${behind}`);
    if (turn !== now.current.turn) return;
    now.current.asking = false;
    if (!reply.ok) return keep({ ...before, problem: reply.problem, state: 'ready' });
    const { data, next_cursor: cursor } = reply.value;
    keep({
      rows: [...before.rows, ...data.map(rowOf)],
      cursor,
      complete: cursor === null,
      problem: null,
      state: 'ready',
    });
  }, [search, keep]);
  useEffect(() => {
    now.current = { loaded: NOTHING, asking: false, turn: now.current.turn + 1 };
    // What was there stays until the answer comes: a list that is emptied at each letter cannot be read.
    setLoaded((before) => ({ ...before, state: 'loading', problem: null }));
    void more();
  }, [more]);
  return { ...loaded, more };
}

function rowOf({ asset, band, score, trust_score, risk_flags, as_of, watch, vfr }: RatingRecord): AssetRow {
  return { asset, band, score, trust_score, risk_flags, as_of, isWatched: watch !== null, zone: vfr.zone };
}

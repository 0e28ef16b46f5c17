import type { ReactNode } from 'react';
import { Refused } from '../../parts/state.tsx';
import { useElapsed } from '../../use-elapsed.ts';
import { useSearch } from './use-search.ts';

/** One of searching, refused, nothing to search, or what was found. */
export function SearchOf<T>({
  path,
  what,
  children,
}: {
  readonly path: string;
  /** What is being done, as in “The history of the pools is being read”. */
  readonly what: string;
  readonly children: (found: T) => ReactNode;
}) {
  const search = useSearch<T>(path);
  if (search.state === 'searching') return <Searching what={what} since={search.since} />;
  if (search.state === 'found') return children(search.value);
  const { problem } = search;
  if (problem.status !== 404) return <Refused problem={problem} again={search.again} />;
  return (
    <div className="empty">
      <strong>{problem.title}</strong>
      <p>{problem.detail}</p>
    </div>
  );
}

/** A search may take minutes: the seconds show that it has not died. */
function Searching({ what, since }: { readonly what: string; readonly since: number }) {
  const seconds = useElapsed(since);
  return (
    <div className="waiting">
      <p role="status">
        <span className="spinner" aria-hidden="true" /> {what} on its chain …
      </p>
      <p className="quiet">
        <span className="number">{seconds} s</span> so far; usually under half a minute, at most five. You may leave
        this page: the search goes on, and its result is kept for hours.
      </p>
    </div>
  );
}

import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useElapsed } from '../../data/clock.ts';
import { AssayProblem, service } from '../../data/service.ts';
import { Button } from '../../parts/button.tsx';
import { ProblemBox } from '../../parts/problem.tsx';
import type { Forensics, HolderClusters } from '../../types.ts';

/** What each search finds. */
interface Found {
  readonly 'GET /v1/rms/{asset}/forensics': Forensics;
  readonly 'GET /v1/rms/{asset}/clusters': HolderClusters;
}
type Name = keyof Found;

/** The first request returns soon, to show progress; the others wait for the end. */
const FIRST_WAIT_SECONDS = 1;
const WAIT_SECONDS = 25;
/** Least interval between requests to a server that replies at once. */
const PAUSE_MS = 2_000;
const LONGEST_MS = 10 * 60_000;

/** A search on demand, in one of its states: searching, refused, nothing to search, or found. */
export function SearchOf<Of extends Name>({
  of,
  assetId,
  what,
  children,
}: {
  readonly of: Of;
  readonly assetId: string;
  /** The current step, such as “The history of the pools is being read”. */
  readonly what: string;
  readonly children: (found: Found[Of]) => ReactNode;
}) {
  const seconds = useElapsed();
  const isLong = seconds * 1000 > LONGEST_MS;
  const search = useQuery({
    queryKey: [of, assetId],
    queryFn: ({ signal, client, queryKey }) =>
      lookFor(of, assetId, client.getQueryData(queryKey) === undefined ? FIRST_WAIT_SECONDS : WAIT_SECONDS, signal),
    refetchInterval: ({ state }) => (state.data?.is === 'searching' && !isLong ? PAUSE_MS : false),
    staleTime: 600_000,
  });
  const { data, error } = search;
  if (data?.is === 'found') return children(data.found as Found[Of]);
  if (error instanceof AssayProblem && error.status === 404)
    return (
      <div className="empty">
        <b>{error.problem.title}</b>
        <p>{error.problem.detail}</p>
      </div>
    );
  if (error) return <ProblemBox error={error} again={search.refetch} />;
  return (
    <div className="waiting">
      <p role="status">{what} on its chain …</p>
      <p>
        {seconds} s so far; usually under half a minute, at most five. You may leave this page: the search goes on, and
        its result is kept for hours.
      </p>
      {isLong && <Button onClick={() => search.refetch()}>Look again</Button>}
    </div>
  );
}

type Search = { readonly is: 'searching' } | { readonly is: 'found'; readonly found: unknown };

async function lookFor(name: Name, asset: string, wait: number, signal: AbortSignal): Promise<Search> {
  const headers = { prefer: `wait=${wait}` };
  // A busy service is reported at once, not retried for minutes.
  const reply = await service(0).fetch(name, { path: { asset }, headers, signal, timeoutMs: 60_000 });
  return reply.status === 202 ? { is: 'searching' } : { is: 'found', found: await reply.json() };
}

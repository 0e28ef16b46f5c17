import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Input } from '../../../client/src/operation.ts';
import { useElapsed } from '../data/clock.ts';
import { AssayProblem, service } from '../data/service.ts';
import { span } from '../format.ts';
import { ProblemBox } from '../parts/problem.tsx';
import type { HoldersSnapshot, PoolsSnapshot, Rating } from '../types.ts';

interface Snapshots {
  readonly holders: HoldersSnapshot;
  readonly pools: PoolsSnapshot;
}

const READS = {
  holders: 'GET /v1/{chain}/{asset}/holders/snapshot',
  pools: 'GET /v1/{chain}/{asset}/liquidity/pools',
} as const;
type Path = Input<(typeof READS)['pools']>['path'];

/** For a chain that it does not read the service returns a problem. */
export const pathOf = ({ asset }: Rating) => ({
  chain: (asset.chain ?? '') as Path['chain'],
  asset: asset.address ?? '',
});

const SOONEST_SECONDS = 2;
const LATEST_SECONDS = 60;

/** Seconds until a pending snapshot (202) is requested again; false if repeating has no effect. */
function againIn(error: Error | null): number | false {
  const problem = awaited(error);
  return problem !== null && Math.min(LATEST_SECONDS, Math.max(SOONEST_SECONDS, problem.retryAfterSeconds ?? 0));
}

function awaited(error: Error | null): AssayProblem | null {
  return error instanceof AssayProblem && error.status === 202 ? error : null;
}

/** A snapshot of the asset's chain, or the reason and the remedy; a pending one is requested again. */
export function SnapshotOf<Kind extends keyof Snapshots>({
  rating,
  kind,
  nothing,
  children,
}: {
  readonly rating: Rating;
  readonly kind: Kind;
  /** Shown where the asset is no token on a chain. */
  readonly nothing: ReactNode;
  readonly children: (snapshot: Snapshots[Kind]) => ReactNode;
}) {
  const { chain, address } = rating.asset;
  const isToken = chain !== null && address !== null && address !== 'native';
  const path = pathOf(rating);
  const query = useQuery({
    queryKey: [READS[kind], { path }],
    // Requested once: a pending snapshot shows its place in the queue at once, and is requested again below.
    queryFn: ({ signal }) => service(0).call<(typeof READS)[keyof Snapshots]>(READS[kind], { path, signal }),
    enabled: isToken,
    refetchInterval: ({ state }) => {
      const seconds = againIn(state.error);
      return seconds && seconds * 1_000;
    },
  });
  if (!isToken) return nothing;
  if (query.data !== undefined) return children(query.data as unknown as Snapshots[Kind]);
  const { error } = query;
  if (error === null) return <p className="waiting">Reading the {kind} …</p>;
  const soon = awaited(error);
  if (soon) return <Awaited error={soon} />;
  if (error instanceof AssayProblem && error.status === 404)
    return (
      <>
        <p className="q">{error.problem.detail ?? error.problem.title}</p>
        {nothing}
      </>
    );
  if (error instanceof AssayProblem && error.status === 403)
    return <p className="q">This key may not read chain data (scope chain:read); an administrator can give it.</p>;
  return <ProblemBox error={error} again={query.refetch} />;
}

/** The service's text has the place in the queue, or the result of the attempts so far. */
function Awaited({ error }: { readonly error: AssayProblem }) {
  const seconds = useElapsed();
  return (
    <p className="waiting" role="status">
      {error.problem.detail} Asked again every {againIn(error)} s, for {span(seconds)} so far.
    </p>
  );
}

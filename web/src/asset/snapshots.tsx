import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { AssayProblem, read } from '../data/service.ts';
import { ProblemBox, useElapsed } from '../parts/problem.tsx';
import type { HoldersSnapshot, PoolsSnapshot, Rating } from '../types.ts';

const AGAIN_MS = 5_000;

interface Snapshots {
  readonly holders: HoldersSnapshot;
  readonly pools: PoolsSnapshot;
}

interface Query {
  readonly queryKey: readonly unknown[];
  readonly queryFn: () => Promise<unknown>;
}
type Path = Parameters<typeof read<'GET /v1/{chain}/{asset}/liquidity/pools'>>[1]['path'];

/** A chain that this service does not read is answered by it with a problem in words. */
export const pathOf = ({ asset }: Rating) => ({
  chain: (asset.chain ?? '') as Path['chain'],
  asset: asset.address ?? '',
});

const READS: Readonly<Record<keyof Snapshots, (path: Path) => Query>> = {
  holders: (path) => read('GET /v1/{chain}/{asset}/holders/snapshot', { path }) as unknown as Query,
  pools: (path) => read('GET /v1/{chain}/{asset}/liquidity/pools', { path }) as unknown as Query,
};

/** A snapshot of the asset's chain. Where there is none it says why and what to do; one that is being made is looked for again. */
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
  const query = useQuery({
    ...READS[kind](pathOf(rating)),
    enabled: isToken,
    refetchInterval: ({ state }) =>
      state.error instanceof AssayProblem && state.error.code === 'no_snapshot_yet' ? AGAIN_MS : false,
  });
  const seconds = useElapsed();
  if (!isToken) return nothing;
  if (query.data !== undefined) return children(query.data as unknown as Snapshots[Kind]);
  const { error } = query;
  if (error === null) return <p className="waiting">Reading the {kind} …</p>;
  if (error instanceof AssayProblem && error.code === 'no_snapshot_yet')
    return (
      <p className="waiting" role="status">
        The first one is being made, for {seconds} s so far; a token with very many holders takes minutes.
      </p>
    );
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

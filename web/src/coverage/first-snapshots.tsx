import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useElapsed } from '../data/clock.ts';
import { AssayProblem, service } from '../data/service.ts';
import { Moment } from '../parts/moment.tsx';
import { Panel } from '../parts/panel.tsx';
import type { Chain } from './coverage-page.tsx';

const PATHS = {
  market: 'GET /v1/{chain}/market/{asset}/snapshot',
  holders: 'GET /v1/{chain}/{asset}/holders/snapshot',
  pools: 'GET /v1/{chain}/{asset}/liquidity/pools',
} as const;
type Kind = keyof typeof PATHS;

/** State of a snapshot: the time it was made, or why it is missing. */
type Made =
  | { readonly is: 'made'; readonly at: string }
  | { readonly is: 'awaited' | 'refused'; readonly words: string; readonly place: number | null };

/** Snapshots of an asset that was added: their place in the queue until they are made. */
export function FirstSnapshots({ chain, asset }: { readonly chain: Chain; readonly asset: string }) {
  return (
    <Panel
      title="Its snapshots"
      sub={asset}
      meta={
        <Link to="/asset/$name" params={{ name: asset }}>
          The asset’s page
        </Link>
      }
    >
      <ul className="also">
        {(Object.keys(PATHS) as Kind[]).map((kind) => (
          <Snapshot key={kind} kind={kind} chain={chain} asset={asset} />
        ))}
      </ul>
    </Panel>
  );
}

function Snapshot({ kind, chain, asset }: { readonly kind: Kind; readonly chain: Chain; readonly asset: string }) {
  const seconds = useElapsed();
  const snapshot = useQuery({
    queryKey: [PATHS[kind], chain, asset, 'made'],
    queryFn: ({ signal }) => madeOf(kind, { chain, asset }, signal),
    refetchInterval: ({ state }) => (state.data?.is === 'awaited' ? 2_000 : false),
  });
  const { data, error } = snapshot;
  return (
    <li>
      <b>{kind}</b>{' '}
      {error !== null ? (
        error.message
      ) : data === undefined ? (
        'looked for …'
      ) : data.is === 'made' ? (
        <>
          ✓ made, as of <Moment at={data.at} />
        </>
      ) : data.is === 'awaited' ? (
        <span role="status">
          … {data.place === null ? 'being made' : `number ${data.place} in the queue`}, {seconds} s so far
        </span>
      ) : (
        `✕ ${data.words}`
      )}
    </li>
  );
}

async function madeOf(
  kind: Kind,
  path: { readonly chain: Chain; readonly asset: string },
  signal: AbortSignal,
): Promise<Made> {
  try {
    const reply = await service().fetch(PATHS[kind], { path, signal });
    const body = (await reply.json()) as {
      readonly as_of?: string;
      readonly detail?: string;
      readonly place_in_queue?: number | null;
    };
    if (reply.status !== 202) return { is: 'made', at: body.as_of ?? '' };
    return { is: 'awaited', words: body.detail ?? 'It is on its way.', place: body.place_in_queue ?? null };
  } catch (error) {
    if (error instanceof AssayProblem)
      return { is: 'refused', words: error.problem.detail ?? error.problem.title, place: null };
    throw error;
  }
}

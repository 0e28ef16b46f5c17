import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { AssayProblem, read } from '../data/service.ts';
import { signed } from '../format.ts';
import { Missing } from './missing.tsx';

/** A row that is only scrolled past sends no request. */
const REST_MS = 250;
/** Once a limit of the plan is reached no more trends are requested: the table matters more. */
let refused = false;

/** The scores of the last 30 days, one a day, as a line and its change. */
export function ScoreTrend({ assetId }: { readonly assetId: string }) {
  const [rested, setRested] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setRested(true), REST_MS);
    return () => clearTimeout(timer);
  }, []);
  const history = useQuery({
    ...read('GET /v1/rms/{asset}/history', { path: { asset: assetId }, query: { interval: '1d', limit: 31 } }),
    enabled: rested && !refused,
    staleTime: 600_000,
    // A record of each day is large; a row needs one number of it.
    select: ({ data }) => data.map(({ score }) => score),
  });
  if (history.error instanceof AssayProblem && history.error.status === 429) refused = true;
  const known = history.data?.filter((score) => score !== null) ?? [];
  if (history.data === undefined) return <span className="trend" />;
  if (known.length < 2) return <Missing why="too_early" words="It has a score of one day; the line needs two." />;
  const change = (known.at(-1) ?? 0) - (known[0] ?? 0);
  return (
    <span className="trend">
      <Spark values={history.data} width={64} />{' '}
      <span className={change > 0 ? 'pos' : change < 0 ? 'neg' : 'q'}>{signed(change)}</span>
    </span>
  );
}

/** A line without axes for a table's cell; what it shows is said in words beside it. */
function Spark({ values, width = 80 }: { readonly values: readonly (number | null)[]; readonly width?: number }) {
  const known = values.filter((value) => value !== null);
  if (known.length < 2) return null;
  const low = Math.min(...known);
  const high = Math.max(...known);
  const spread = Math.max(high - low, 4);
  const y = (value: number) => 18 - ((value - (low + high - spread) / 2) / spread) * 16;
  const path = known.map((value, index) => `${(index / (known.length - 1)) * (width - 6) + 2},${y(value).toFixed(1)}`);
  return (
    <svg className="spark" width={width} height={20} viewBox={`0 0 ${width} 20`} aria-hidden="true">
      <polyline points={path.join(' ')} />
      <circle cx={width - 4} cy={y(known.at(-1) ?? 0)} r={2} />
    </svg>
  );
}

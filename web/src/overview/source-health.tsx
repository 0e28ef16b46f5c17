import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { read } from '../data/service.ts';
import { count } from '../format.ts';
import { LastReply } from '../parts/last-answer.tsx';
import { Panel } from '../parts/panel.tsx';
import { Loaded } from '../parts/problem.tsx';
import { SourceHours } from '../parts/source-hours.tsx';

/** Limit beside the watchlist; the others are on the page Status. */
const MOST = 17;

/** The enabled sources: the last 24 hours, latency, remaining budget; failing ones first. */
export function SourceHealth() {
  const status = useQuery({ ...read('GET /v1/status'), refetchInterval: 60_000 });
  const sources = (status.data?.sources ?? []).filter(({ enabled }) => enabled);
  const down = sources.filter(({ reachable }) => reachable === false).length;
  const asked = sources.filter(({ reachable }) => reachable !== null);
  const shown = asked.toSorted((a, b) => rank(a) - rank(b)).slice(0, MOST);
  return (
    <Panel
      title="Source health"
      sub={`${count(asked.length - down)} of ${count(asked.length)} answer`}
      meta={<Link to="/status">{asked.length > MOST ? `and ${count(asked.length - MOST)} more` : 'all'}</Link>}
      className="sources-health"
    >
      <Loaded
        query={status}
        what="the sources"
        empty={() =>
          shown.length === 0 && 'No source has been requested yet. They are requested when an asset is rated.'
        }
      >
        {() => (
          <ul className="source-rows">
            <li className="source-head" aria-hidden="true">
              <span>Source</span>
              <span>24 hours</span>
              <span className="r">Median, or last</span>
              <span className="r">Used</span>
            </li>
            {shown.map((one) => (
              <li key={one.source}>
                <span className="ellipsis" title={one.failure ?? one.title}>
                  {one.title}
                </span>
                <SourceHours hours={one.hours} />
                <span className={one.reachable === false ? 'neg r' : 'r'}>
                  {one.reachable === false ? 'down' : <LastReply of={one} />}
                </span>
                <span
                  className="budget"
                  role="img"
                  aria-label={
                    one.budget ? `${one.budget.left} of ${one.budget.burst} requests left` : 'no budget is kept'
                  }
                  title={one.budget ? `${one.budget.left} of ${one.budget.burst} requests left` : 'no budget is kept'}
                >
                  {one.budget && (
                    <span style={{ width: `${100 - (100 * one.budget.left) / Math.max(1, one.budget.burst)}%` }} />
                  )}
                </span>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Panel>
  );
}

function rank({ reachable, weight }: { readonly reachable: boolean | null; readonly weight: number }): number {
  return reachable === false ? 0 : weight < 1 ? 1 : 2;
}

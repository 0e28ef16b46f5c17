import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { read } from '../data/service.ts';
import { points } from '../format.ts';
import { AssetName } from '../parts/asset-link.tsx';
import { Band } from '../parts/marks.tsx';
import { Missing } from '../parts/missing.tsx';
import { Age } from '../parts/moment.tsx';
import { Panel } from '../parts/panel.tsx';
import { Loaded } from '../parts/problem.tsx';
import { ScoreTrend } from '../parts/score-trend.tsx';
import { type Column, columnBy, columnsOf, NUMBER, Table, WIDE } from '../parts/table.tsx';
import type { WhitelistEntry } from '../types.ts';

const column = columnsOf<WhitelistEntry>();
const COLUMNS: readonly Column<WhitelistEntry>[] = [
  columnBy('Asset', (row) => <AssetName asset={{ id: row.asset, symbol: row.symbol, name: row.name }} />),
  columnBy('Band', ({ band }) =>
    band === null ? <Missing why="not_rated" words="It is rated with the next round." /> : <Band band={band} />,
  ),
  column('score', 'Score', (score) => (score === null ? <Missing why="not_rated" /> : <b>{points(score)}</b>), {
    number: true,
  }),
  columnBy('30 d', ({ asset }) => <ScoreTrend assetId={asset} />, { ...WIDE, id: 'trend' }),
  columnBy(
    'Alerts',
    ({ open_alerts: open }) =>
      open > 0 ? (
        <Link to="/alerts">
          <b>▲ {open}</b>
        </Link>
      ) : (
        'none'
      ),
    { ...NUMBER, value: ({ open_alerts: open }) => open },
  ),
  columnBy('Age', ({ as_of }) => (as_of === null ? <Missing why="not_rated" /> : <Age of={as_of} />), {
    ...NUMBER,
    ...WIDE,
  }),
];
const SHOWN = 16;

export function WatchedAssets() {
  const list = useQuery(read('GET /v1/rms/whitelist'));
  const entries = list.data ?? [];
  const first = entries
    .toSorted((a, b) => b.open_alerts - a.open_alerts || (b.score ?? -1) - (a.score ?? -1))
    .slice(0, SHOWN);
  return (
    <Panel
      title="Watchlist"
      meta={<Link to="/watchlist">{entries.length > SHOWN ? `${SHOWN} of ${entries.length}` : 'change'}</Link>}
      className="watched"
    >
      <Loaded
        query={list}
        what="the watchlist"
        empty={(all) =>
          all.length === 0 && (
            <>
              Nothing is watched yet. <Link to="/watchlist">Watch an asset or import a list</Link>, and it is rated
              again by itself.
            </>
          )
        }
      >
        {() => (
          <Table name="Watched assets" tools={false} columns={COLUMNS} rows={first} keyOf={({ asset }) => asset} />
        )}
      </Loaded>
    </Panel>
  );
}

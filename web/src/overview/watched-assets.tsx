import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { read } from '../data/service.ts';
import { points } from '../format.ts';
import { AssetName } from '../parts/asset-link.tsx';
import { inBand } from '../parts/marks.tsx';
import { orMissing } from '../parts/missing.tsx';
import { Age } from '../parts/moment.tsx';
import { Panel } from '../parts/panel.tsx';
import { Rows } from '../parts/rows.tsx';
import { ScoreTrend } from '../parts/score-trend.tsx';
import { type Column, columnBy, columnsOf, NUMBER, WIDE } from '../parts/table.tsx';
import type { WhitelistEntry } from '../types.ts';

const column = columnsOf<WhitelistEntry>();
const COLUMNS: readonly Column<WhitelistEntry>[] = [
  columnBy('Asset', (row) => <AssetName asset={{ id: row.asset, symbol: row.symbol, name: row.name }} />),
  column('band', 'Band', orMissing('not_rated', 'It is rated with the next round.', inBand), { unsorted: true }),
  column(
    'score',
    'Score',
    orMissing('not_rated', undefined, (score: number) => <b>{points(score)}</b>),
    NUMBER,
  ),
  columnBy('30 d', ({ asset }) => <ScoreTrend assetId={asset} />, { ...WIDE, id: 'trend' }),
  column(
    'open_alerts',
    'Alerts',
    (open) =>
      open > 0 ? (
        <Link to="/alerts">
          <b>▲ {open}</b>
        </Link>
      ) : (
        'none'
      ),
    NUMBER,
  ),
  column(
    'as_of',
    'Age',
    orMissing('not_rated', undefined, (at: string) => <Age of={at} />),
    {
      ...NUMBER,
      ...WIDE,
      unsorted: true,
    },
  ),
];
/** Limit beside the classes and the defaults on one screen of 900 px. */
const SHOWN = 12;

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
      <Rows
        of={{ ...list, data: list.data && first }}
        what="the watchlist"
        name="Watched assets"
        tools={false}
        columns={COLUMNS}
        keyOf={({ asset }) => asset}
        none={
          <>
            Nothing is watched yet. <Link to="/watchlist">Watch an asset or import a list</Link>, and it is rated again
            by itself.
          </>
        }
      />
    </Panel>
  );
}

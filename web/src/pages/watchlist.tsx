import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { read, useChange } from '../data/service.ts';
import { BANDS, points, SEVERITIES } from '../format.ts';
import { AssetName } from '../parts/asset-link.tsx';
import { Band } from '../parts/marks.tsx';
import { Missing } from '../parts/missing.tsx';
import { Moment } from '../parts/moment.tsx';
import { PageHead, Panel } from '../parts/panel.tsx';
import { Loaded, ProblemBox } from '../parts/problem.tsx';
import { ScoreTrend } from '../parts/score-trend.tsx';
import { type Column, columnBy, columnsOf, NUMBER, Table, WIDE } from '../parts/table.tsx';
import { useToast } from '../parts/toast.tsx';
import type { WhitelistEntry } from '../types.ts';
import { ImportWatchlist } from './watchlist-import.tsx';

/** What the account watches and when it is told. */
export function Page() {
  const list = useQuery(read('GET /v1/rms/whitelist'));
  const [editing, setEditing] = useState<WhitelistEntry | null>(null);
  const remove = useChange('DELETE /v1/rms/whitelist/{asset}', ['GET /v1/rms/whitelist']);
  const tell = useToast();
  const columns: readonly Column<WhitelistEntry>[] = [
    ...COLUMNS,
    columnBy('Change', (entry) => {
      const name = entry.symbol ?? entry.asset;
      return (
        <span className="actions">
          <button type="button" className="button" aria-label={`Edit ${name}`} onClick={() => setEditing(entry)}>
            Edit
          </button>
          <button
            type="button"
            className="button"
            aria-label={`Remove ${name}`}
            onClick={() =>
              remove.mutate(
                { path: { asset: entry.asset } },
                { onSuccess: () => tell(`${name} is watched no longer.`) },
              )
            }
          >
            Remove
          </button>
        </span>
      );
    }),
  ];
  return (
    <>
      <PageHead title="Watchlist" sub="What is watched is rated again by itself.">
        <ImportWatchlist />
        <Link to="/alerts" className="button">
          Alerts
        </Link>
      </PageHead>
      <div className="grid side-form">
        <div>
          {remove.error && <ProblemBox error={remove.error} />}
          <Loaded
            query={list}
            what="the watchlist"
            empty={(entries) => entries.length === 0 && 'Nothing is watched yet. Add an asset, or import a list.'}
          >
            {(entries) => (
              <Panel title="Watched assets" meta={`${entries.length}`}>
                <Table name="Watched assets" columns={columns} rows={entries} keyOf={({ asset }) => asset} />
              </Panel>
            )}
          </Loaded>
        </div>
        <EntryForm key={editing?.asset ?? 'new'} entry={editing} onLeave={() => setEditing(null)} />
      </div>
    </>
  );
}

const NOT_YET = <Missing why="not_rated" words="It is rated with the next round." />;
const column = columnsOf<WhitelistEntry>();
const COLUMNS: readonly Column<WhitelistEntry>[] = [
  columnBy('Asset', ({ asset: id, symbol, name }) => <AssetName asset={{ id, symbol, name }} />, {
    value: ({ symbol, name, asset }) => symbol ?? name ?? asset,
  }),
  column('band', 'Band', (band) => (band === null ? NOT_YET : <Band band={band} />), { unsorted: true }),
  column('score', 'Score', (score) => (score === null ? NOT_YET : <b>{points(score)}</b>), { number: true }),
  columnBy('30 days', ({ asset }) => <ScoreTrend assetId={asset} />, { ...WIDE, id: 'trend' }),
  columnBy('Open alerts', ({ open_alerts: open }) => (open > 0 ? <b>▲ {open}</b> : 0), {
    ...NUMBER,
    id: 'open',
    value: ({ open_alerts: open }) => open,
  }),
  columnBy(
    'Tells of',
    ({ thresholds: { min_score_change: change, flag_severities: flags, bands } }) =>
      `${change} points; flags ${flags.join(', ') || 'none'}; bands ${bands?.join(', ') ?? 'any'}`,
    { ...WIDE, id: 'tells', csv: ({ thresholds }) => thresholds.min_score_change },
  ),
  column('note', 'Note', (note) => note ?? <Missing why="none" words="No note was written." />, {
    wide: true,
    unsorted: true,
  }),
  columnBy(
    'Last alert',
    ({ last_alert: at }) =>
      at === null ? <Missing why="never" words="Nothing was to tell since it is watched." /> : <Moment at={at} />,
    { ...WIDE, id: 'last', value: ({ last_alert: at }) => at },
  ),
];

function EntryForm({ entry, onLeave }: { readonly entry: WhitelistEntry | null; readonly onLeave: () => void }) {
  const put = useChange('PUT /v1/rms/whitelist/{asset}', ['GET /v1/rms/whitelist']);
  const tell = useToast();
  const flags: readonly string[] = entry?.thresholds.flag_severities ?? ['critical', 'high'];
  const bands: readonly string[] = entry?.thresholds.bands ?? [];
  return (
    <Panel title={entry ? `Change ${entry.symbol ?? entry.name ?? 'an entry'}` : 'Watch an asset'}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          const given = new FormData(event.currentTarget);
          const note = String(given.get('note') ?? '').trim();
          const chosen = BANDS.filter((band) => given.getAll('band').includes(band));
          put.mutate(
            {
              path: { asset: entry?.asset ?? String(given.get('asset')).trim() },
              body: {
                note: note === '' ? null : note,
                thresholds: {
                  min_score_change: Number(given.get('change')),
                  flag_severities: SEVERITIES.filter((one) => given.getAll('severity').includes(one)),
                  bands: chosen.length === 0 ? null : chosen,
                },
              },
            },
            {
              onSuccess: () => {
                tell(entry ? 'The entry was changed.' : 'It is watched from now on.');
                onLeave();
              },
            },
          );
        }}
      >
        {!entry && (
          <label>
            <span>Asset</span>
            <input name="asset" required maxLength={200} placeholder="Symbol, chain:address or CAIP-19 id" />
          </label>
        )}
        <label>
          <span>Tell when the score moves by, points</span>
          <input
            name="change"
            type="number"
            min={0.1}
            max={100}
            step={0.1}
            required
            defaultValue={entry?.thresholds.min_score_change ?? 5}
          />
        </label>
        <label>
          <span>Note (optional)</span>
          <input name="note" maxLength={500} defaultValue={entry?.note ?? ''} />
        </label>
        <fieldset className="choices across">
          <legend>Tell of flags that are</legend>
          {SEVERITIES.map((severity) => (
            <label key={severity}>
              <input type="checkbox" name="severity" value={severity} defaultChecked={flags.includes(severity)} />{' '}
              {severity}
            </label>
          ))}
        </fieldset>
        <fieldset className="choices across">
          <legend>Tell of moves into or out of</legend>
          {BANDS.map((band) => (
            <label key={band}>
              <input type="checkbox" name="band" value={band} defaultChecked={bands.includes(band)} /> {band}
            </label>
          ))}
        </fieldset>
        <p className="qq">No band ticked: any band. D and NR always.</p>
        {put.error && <ProblemBox error={put.error} />}
        <span className="actions">
          <button type="submit" className="button primary" disabled={put.isPending}>
            {entry ? 'Save' : 'Watch'}
          </button>
          {entry && (
            <button type="button" className="button" onClick={onLeave}>
              Cancel
            </button>
          )}
        </span>
      </form>
    </Panel>
  );
}

import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useScopes } from '../data/account.ts';
import { useList } from '../data/list.ts';
import { type Connection, useLiveAlerts } from '../data/live.ts';
import { read, useChange } from '../data/service.ts';
import { ALERT_KINDS, many, words } from '../format.ts';
import { AssetName } from '../parts/asset-link.tsx';
import { Severity } from '../parts/marks.tsx';
import { Moment } from '../parts/moment.tsx';
import { PageHead, Panel } from '../parts/panel.tsx';
import { Loaded, ProblemBox } from '../parts/problem.tsx';
import { ReadMore } from '../parts/read-more.tsx';
import { type Column, columnBy, columnsOf, Table, WIDE } from '../parts/table.tsx';
import type { Alert } from '../types.ts';

const LIVE: Readonly<Record<Connection, string>> = {
  connecting: 'Connecting …',
  live: '● Live',
  lost: '○ Not live, connecting again …',
  refused: '○ Not live: the key may not follow alerts',
};
const route = getRouteApi('/alerts');

/** The account's alerts, with new ones as they happen; which are shown stands in the address. */
export function Page() {
  const { show, kind, asset } = route.useSearch();
  const navigate = useNavigate();
  const [news, setNews] = useState(0);
  const live = useLiveAlerts(() => setNews((before) => before + 1));
  const list = useList('GET /v1/alerts', {
    query: {
      ...(show === 'all' ? {} : { acknowledged: 'false' as const }),
      ...(kind ? { kind } : {}),
      ...(asset ? { asset } : {}),
    },
  });
  const acknowledge = useChange('POST /v1/alerts/{id}/acknowledge', ['GET /v1/alerts', 'GET /v1/rms/whitelist']);
  const mayWrite = useScopes()('rms:write') !== false;
  const put = (change: { show?: 'all' | undefined; kind?: Alert['kind'] | undefined; asset?: undefined }) =>
    navigate({ to: '/alerts', search: (before) => ({ ...before, ...change }), replace: true });
  const columns: readonly Column<Alert>[] = [
    ...COLUMNS,
    columnBy(
      'Acknowledged',
      ({ id, acknowledged_at: at }) =>
        at !== null ? (
          <Moment at={at} />
        ) : mayWrite ? (
          <button
            type="button"
            className="button"
            aria-label={`Acknowledge alert ${id}`}
            disabled={acknowledge.isPending}
            onClick={() => acknowledge.mutate({ path: { id: String(id) } })}
          >
            Acknowledge
          </button>
        ) : (
          'open'
        ),
      { csv: ({ acknowledged_at: at }) => at },
    ),
  ];
  return (
    <>
      <PageHead
        title="Alerts"
        sub={
          <span role="status">
            {LIVE[live]}
            {news > 0 && `, ${news} new`}
          </span>
        }
      >
        <Link to="/watchlist" className="button">
          Watchlist
        </Link>
      </PageHead>
      <div className="chips">
        <button type="button" className="chip" aria-pressed={show !== 'all'} onClick={() => put({ show: undefined })}>
          Open
        </button>
        <button type="button" className="chip" aria-pressed={show === 'all'} onClick={() => put({ show: 'all' })}>
          All
        </button>
        <select
          aria-label="Kind of alert"
          value={kind ?? ''}
          onChange={(event) => put({ kind: ALERT_KINDS.find((one) => one === event.target.value) })}
        >
          <option value="">Any kind</option>
          {ALERT_KINDS.map((one) => (
            <option key={one} value={one}>
              {words(one)}
            </option>
          ))}
        </select>
        {asset && (
          <button type="button" className="chip" data-on onClick={() => put({ asset: undefined })}>
            Only {asset}: show all
          </button>
        )}
      </div>
      {acknowledge.error && <ProblemBox error={acknowledge.error} />}
      <div className="grid">
        <Panel title={show === 'all' ? 'All alerts' : 'Open alerts'}>
          <Loaded
            query={list}
            what="the alerts"
            empty={(alerts) =>
              alerts.length === 0 && (
                <>
                  {show === 'all' || kind || asset ? 'There is no such alert. ' : 'No alert is open. '}
                  <Link to="/watchlist">The watchlist</Link> says what is watched and when it tells.
                </>
              )
            }
          >
            {(alerts) => (
              <>
                <Table name="Alerts" columns={columns} rows={alerts} keyOf={({ id }) => String(id)} />
                <ReadMore list={list} />
              </>
            )}
          </Loaded>
          <SourceAlerts mayWrite={mayWrite} />
        </Panel>
      </div>
    </>
  );
}

const column = columnsOf<Alert>();
const COLUMNS: readonly Column<Alert>[] = [
  column('severity', 'Severity', (severity) => <Severity severity={severity} />, { unsorted: true }),
  columnBy(
    'About',
    ({ asset_id: id, symbol, name, source }) =>
      id === null ? (
        <Link to="/status">{source ?? 'several sources'}</Link>
      ) : (
        <AssetName asset={{ id, symbol, name }} />
      ),
    { value: ({ symbol, asset_id: id, source }) => symbol ?? id ?? source },
  ),
  column('title', 'What happened', titleWords, { unsorted: true }),
  column('kind', 'Kind', words, { wide: true }),
  columnBy('When', ({ created_at: at }) => <Moment at={at} />, { ...WIDE, value: ({ created_at: at }) => at }),
];

/** Codes of flags as people write them. */
function titleWords(title: string): string {
  return title.replaceAll(/\b[A-Z]+(?:_[A-Z0-9]+)+\b/g, (code) => words(code).toLowerCase());
}

/** Whether the account is told of sources that change what they say. */
function SourceAlerts({ mayWrite }: { readonly mayWrite: boolean }) {
  const drift = useQuery(read('GET /v1/alerts/source-drift'));
  const outdates = ['GET /v1/alerts/source-drift'] as const;
  const begin = useChange('PUT /v1/alerts/source-drift', outdates);
  const end = useChange('DELETE /v1/alerts/source-drift', outdates);
  if (!drift.data) return null;
  const { subscribed, sources, open } = drift.data;
  const error = begin.error ?? end.error;
  return (
    <div className="q below">
      Alerts of sources that change what they say:{' '}
      {subscribed ? `on, for ${sources === null ? 'all sources' : sources.join(', ')}. ` : 'off. '}
      {open.length > 0 &&
        `${many(open.length, 'source')} not as usual now: ${open.map((one) => one.source).join(', ')}. `}
      {mayWrite && (
        <button
          type="button"
          className="button"
          onClick={() => (subscribed ? end.mutate({}) : begin.mutate({ body: {} }))}
        >
          {subscribed ? 'Switch off' : 'Switch on'}
        </button>
      )}
      {error && <ProblemBox error={error} />}
    </div>
  );
}

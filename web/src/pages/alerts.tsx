import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useScopes } from '../data/account.ts';
import { useFlagTitles } from '../data/flag-titles.ts';
import { useList } from '../data/list.ts';
import { type Connection, useLiveAlerts } from '../data/live.ts';
import { read, useChange } from '../data/service.ts';
import { ALERT_KINDS, many, sourceName, words } from '../format.ts';
import { AssetName } from '../parts/asset-link.tsx';
import { Button } from '../parts/button.tsx';
import { Select } from '../parts/form.tsx';
import { LinkButton } from '../parts/link-button.tsx';
import { Severity } from '../parts/marks.tsx';
import { Moment, moment } from '../parts/moment.tsx';
import { PageHead, Panel } from '../parts/panel.tsx';
import { ProblemBox } from '../parts/problem.tsx';
import { Rows } from '../parts/rows.tsx';
import { type Column, columnBy, columnsOf, WIDE } from '../parts/table.tsx';
import type { Alert } from '../types.ts';

const LIVE: Readonly<Record<Connection, string>> = {
  connecting: 'Connecting …',
  live: '● Live',
  lost: '○ Not live, connecting again …',
  refused: '○ Not live: the key may not follow alerts',
};
const route = getRouteApi('/alerts');

/** The account's alerts, updated live; the filter is in the address. */
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
          <Button
            aria-label={`Acknowledge alert ${id}`}
            disabled={acknowledge.isPending}
            onClick={() => acknowledge.mutate({ path: { id: String(id) } })}
          >
            Acknowledge
          </Button>
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
        <LinkButton to="/watchlist">Watchlist</LinkButton>
      </PageHead>
      <div className="chips">
        <Button className="chip" aria-pressed={show !== 'all'} onClick={() => put({ show: undefined })}>
          Open
        </Button>
        <Button className="chip" aria-pressed={show === 'all'} onClick={() => put({ show: 'all' })}>
          All
        </Button>
        <Select
          label="Kind of alert"
          any="Any kind"
          options={ALERT_KINDS.map((one) => [one, words(one)])}
          value={kind}
          onChoose={(one) => put({ kind: one })}
        />
        {asset && (
          <Button className="chip" data-on onClick={() => put({ asset: undefined })}>
            Only {asset}: show all
          </Button>
        )}
      </div>
      {acknowledge.error && <ProblemBox error={acknowledge.error} />}
      <div className="grid">
        <Panel title={show === 'all' ? 'All alerts' : 'Open alerts'}>
          <Rows
            of={list}
            what="the alerts"
            name="Alerts"
            columns={columns}
            keyOf={({ id }) => String(id)}
            none={
              <>
                {show === 'all' || kind || asset ? 'There is no such alert. ' : 'No alert is open. '}
                <Link to="/watchlist">The watchlist</Link> says what is watched and when it tells.
              </>
            }
          />
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
        <Link to="/status">{source === null ? 'several sources' : sourceName(source)}</Link>
      ) : (
        <AssetName asset={{ id, symbol, name }} />
      ),
    { value: ({ symbol, asset_id: id, source }) => symbol ?? id ?? source },
  ),
  column('title', 'What happened', (title) => <TitleWords of={title} />, { unsorted: true }),
  column('kind', 'Kind', words, { wide: true }),
  column('created_at', 'When', moment, WIDE),
];

/** Codes of flags by their titles. */
function TitleWords({ of }: { readonly of: string }): string {
  const titleOf = useFlagTitles();
  return of.replaceAll(/\b[A-Z]+(?:_[A-Z0-9]+)+\b/g, (code) => titleOf(code).toLowerCase());
}

/** Whether the account is notified of sources that drift. */
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
      {subscribed ? `on, for ${sources === null ? 'all sources' : sources.map(sourceName).join(', ')}. ` : 'off. '}
      {open.length > 0 &&
        `${many(open.length, 'source')} not as usual now: ${open.map((one) => sourceName(one.source)).join(', ')}. `}
      {mayWrite && (
        <Button onClick={() => (subscribed ? end.mutate({}) : begin.mutate({ body: {} }))}>
          {subscribed ? 'Switch off' : 'Switch on'}
        </Button>
      )}
      {error && <ProblemBox error={error} />}
    </div>
  );
}

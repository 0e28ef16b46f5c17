import { useEffect, useState } from 'react';
import { ask, type Problem } from '../api.ts';
import { minute, words } from '../format.ts';
import { Severity } from '../parts/marks.tsx';
import { Moment } from '../parts/moment.tsx';
import { Table } from '../parts/old-table.tsx';
import { Read, Refused } from '../parts/state.tsx';
import { linkTo } from '../route.ts';
import { readStream } from '../stream.ts';
import type { Alert, Page, ReplyOf } from '../types.ts';
import { useRead } from '../use-read.ts';

const COME_BACK_MS = 3_000;

/** The account's alerts, with new ones as they happen. */
export function AlertsPage() {
  const [open, setOpen] = useState(true);
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const cursor = cursors.at(-1);
  const list = useRead<Page<Alert>>(
    `/v1/alerts?limit=100${open ? '&acknowledged=false' : ''}${cursor ? `&cursor=${cursor}` : ''}`,
  );
  const [problem, setProblem] = useState<Problem | null>(null);
  const { live, news } = useLiveAlerts(list.again);
  async function acknowledge(id: number): Promise<void> {
    const reply = await ask(`/v1/alerts/${id}/acknowledge`, { method: 'POST' });
    setProblem(reply.ok ? null : reply.problem);
    list.again();
  }
  const only = (wanted: boolean) => {
    setOpen(wanted);
    setCursors([]);
  };
  return (
    <>
      <div className="title-row">
        <h1>Alerts</h1>
        <span className="quiet" role="status">
          {live}
          {news > 0 ? `, ${news} new` : ''}
        </span>
      </div>
      <fieldset className="filters">
        <legend className="unseen">Which alerts</legend>
        <button type="button" className="small" aria-pressed={open} onClick={() => only(true)}>
          Open
        </button>
        <button type="button" className="small" aria-pressed={!open} onClick={() => only(false)}>
          All
        </button>
      </fieldset>
      {problem && <Refused problem={problem} />}
      <SourceAlerts />
      <Read
        reading={list}
        what="the alerts"
        empty={({ data }) =>
          data.length === 0 && (
            <>
              {open ? 'No alert is open. ' : 'There was no alert yet. '}
              <a href={linkTo('watchlist')}>The watchlist</a> says what is watched.
            </>
          )
        }
      >
        {({ data, next_cursor: next }) => (
          <>
            <Table
              caption="Alerts, newest first"
              rows={data}
              keyOf={({ id }) => String(id)}
              columns={[
                { title: 'Severity', of: ({ severity }) => <Severity severity={severity} /> },
                {
                  title: 'About',
                  of: ({ asset_id, symbol, source }) =>
                    asset_id === null ? (
                      <a href={linkTo('status')}>{source ?? 'several sources'}</a>
                    ) : (
                      <a href={linkTo('asset', asset_id)}>{symbol ?? asset_id}</a>
                    ),
                },
                { title: 'What happened', of: ({ title }) => title },
                { title: 'Kind', of: ({ kind }) => words(kind) },
                { title: 'When', of: ({ created_at }) => <Moment at={created_at} /> },
                {
                  title: 'Acknowledged',
                  of: ({ id, acknowledged_at: done }) =>
                    done === null ? (
                      <button
                        type="button"
                        className="small"
                        onClick={() => acknowledge(id)}
                        aria-label={`Acknowledge alert ${id}`}
                      >
                        Acknowledge
                      </button>
                    ) : (
                      minute(done)
                    ),
                },
              ]}
            />
            {(next || cursor) && (
              <p className="actions">
                <button type="button" disabled={!cursor} onClick={() => setCursors(cursors.slice(0, -1))}>
                  Newer
                </button>
                <button type="button" disabled={!next} onClick={() => next && setCursors([...cursors, next])}>
                  Older
                </button>
              </p>
            )}
          </>
        )}
      </Read>
    </>
  );
}

/** Whether the account is told of sources that change what they say. */
function SourceAlerts() {
  const reading = useRead<ReplyOf<'GET /v1/alerts/source-drift'>>('/v1/alerts/source-drift');
  const [problem, setProblem] = useState<Problem | null>(null);
  if (reading.state !== 'ready') return null;
  const { subscribed, sources, open } = reading.value;
  async function change(): Promise<void> {
    const path = '/v1/alerts/source-drift';
    const reply = await ask(path, subscribed ? { method: 'DELETE' } : { method: 'PUT', json: {} });
    setProblem(reply.ok ? null : reply.problem);
    reading.again();
  }
  return (
    <p className="actions">
      <button type="button" aria-pressed={subscribed} onClick={change}>
        {subscribed ? '★ Told when a source changes' : '☆ Tell me when a source changes'}
      </button>
      {subscribed && (
        <span className="quiet">
          {sources === null ? 'All sources' : sources.join(', ')}
          {open.length > 0 && `; not as usual now: ${open.map(({ source }) => source).join(', ')}`}
        </span>
      )}
      {problem && <span role="alert">{problem.title}</span>}
    </p>
  );
}

/** Follows the stream with its last number, so that none is missed while the line is down. */
function useLiveAlerts(onAlert: () => void): { readonly live: string; readonly news: number } {
  const [live, setLive] = useState('Connecting …');
  const [news, setNews] = useState(0);
  useEffect(() => {
    const gone = new AbortController();
    async function follow(): Promise<void> {
      let after: string | null = null;
      while (!gone.signal.aborted) {
        const problem = await readStream('/v1/alerts/stream', {
          after,
          signal: gone.signal,
          onOpen: () => setLive('● Live'),
          onEvent({ id, type }) {
            after = id ?? after;
            if (type !== 'alert') return;
            setNews((before) => before + 1);
            onAlert();
          },
        });
        if (gone.signal.aborted) return;
        setLive(problem ? `Not live: ${problem.title}` : 'Not live, coming back …');
        if (problem?.status === 401 || problem?.status === 403) return;
        await new Promise((resolve) => setTimeout(resolve, COME_BACK_MS));
      }
    }
    void follow();
    return () => gone.abort();
  }, [onAlert]);
  return { live, news };
}

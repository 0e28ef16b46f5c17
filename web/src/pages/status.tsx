import { useEffect } from 'react';
import { chainName, count, minute, percent, UNKNOWN, words } from '../format.ts';
import { Moment } from '../parts/moment.tsx';
import { Table } from '../parts/old-table.tsx';
import { Read } from '../parts/state.tsx';
import type { ReplyOf } from '../types.ts';
import { useRead } from '../use-read.ts';

const AGAIN_MS = 15_000;
const WINDOWS: Readonly<Record<string, string>> = { '1h': 'hour', '24h': '24 hours', '30d': '30 days' };

/** How fresh the data is and how the service keeps its promises. */
export function StatusPage() {
  const status = useRead<ReplyOf<'GET /v1/status'>>('/v1/status');
  const { again } = status;
  useEffect(() => {
    const timer = setInterval(again, AGAIN_MS);
    return () => clearInterval(timer);
  }, [again]);
  return (
    <>
      <h1>Status</h1>
      <Read reading={status} what="the status">
        {(value) => (
          <>
            <p>
              <strong>{value.status === 'ok' ? '● Working' : `▲ ${words(value.status)}`}</strong>, version{' '}
              {value.version}, {minute(value.as_of)}. Read again every {AGAIN_MS / 1000} seconds.
            </p>
            {value.service_level && (
              <section className="card">
                <h2>Service level</h2>
                <Table
                  caption="Service level by window"
                  rows={value.service_level.windows}
                  keyOf={({ window }) => window}
                  columns={[
                    { title: 'Last', of: ({ window }) => WINDOWS[window] ?? window },
                    { title: 'Available', number: true, of: ({ availability_pct }) => percent(availability_pct) },
                    { title: 'Requests', number: true, of: ({ requests }) => count(requests) },
                    { title: 'Failed', number: true, of: ({ failures }) => count(failures) },
                    {
                      title: 'Median, ms',
                      number: true,
                      of: ({ latency_ms }) => count(latency_ms?.p50),
                    },
                    {
                      title: '99 of 100 within, ms',
                      number: true,
                      of: ({ latency_ms }) => count(latency_ms?.p99),
                    },
                  ]}
                />
              </section>
            )}
            <section className="card">
              <h2>Sources</h2>
              <Table
                caption="Public sources"
                rows={value.sources}
                keyOf={({ source }) => source}
                columns={[
                  { title: 'Source', of: ({ title }) => title },
                  { title: 'Reachable', of: reachable },
                  {
                    title: 'Requests left',
                    number: true,
                    of: ({ budget }) => (budget === null ? UNKNOWN : `${count(budget.left)} of ${count(budget.burst)}`),
                  },
                  { title: 'Latency, ms', number: true, of: ({ latency_ms }) => count(latency_ms) },
                  {
                    title: 'Accepted',
                    number: true,
                    of: ({ accepted_share }) => percent(accepted_share === null ? null : 100 * accepted_share, 0),
                  },
                  {
                    title: 'Weight',
                    number: true,
                    of: ({ weight }) => (weight < 1 ? <strong>▲ {weight}</strong> : weight),
                  },
                  { title: 'Checked', of: ({ checked_at }) => <Moment at={checked_at} /> },
                  {
                    title: 'Last change of what it says',
                    of: ({ last_drift }) =>
                      last_drift === null ? (
                        'none'
                      ) : (
                        <>
                          <Moment at={last_drift.at} /> {last_drift.text}
                        </>
                      ),
                  },
                ]}
              />
            </section>
            <section className="card">
              <h2>Chains</h2>
              <Table
                caption="Freshness by chain and kind"
                rows={value.chains.flatMap(({ chain, last_closed_day, snapshots }) =>
                  snapshots.map((each) => ({ chain, last_closed_day, ...each })),
                )}
                keyOf={({ chain, kind }) => `${chain}${kind}`}
                columns={[
                  { title: 'Chain', of: ({ chain }) => chainName(chain) },
                  { title: 'Data', of: ({ kind }) => kind },
                  { title: 'Assets', number: true, of: ({ indexed_assets }) => count(indexed_assets) },
                  { title: 'Due', number: true, of: ({ due }) => count(due) },
                  { title: 'Running', number: true, of: ({ running }) => count(running) },
                  {
                    title: 'Failing',
                    number: true,
                    of: ({ failing }) => (failing > 0 ? <strong>▲ {count(failing)}</strong> : 0),
                  },
                  {
                    title: '99 of 100 late by at most, s',
                    number: true,
                    of: ({ late_seconds_p99 }) => count(late_seconds_p99),
                  },
                  { title: 'Newest', of: ({ last_stored_at }) => <Moment at={last_stored_at} /> },
                  { title: 'Day closed', of: ({ last_closed_day }) => last_closed_day ?? UNKNOWN },
                ]}
              />
            </section>
          </>
        )}
      </Read>
    </>
  );
}

function reachable({ enabled, reason, reachable: isThere, failure }: ReplyOf<'GET /v1/status'>['sources'][number]) {
  if (!enabled) return `off: ${reason}`;
  if (isThere === null) return 'not asked yet';
  return isThere ? 'yes' : <strong>▲ no{failure === null ? '' : `: ${failure}`}</strong>;
}

import { useState } from 'react';
import { minute, points, words } from '../format.ts';
import { LineChart } from '../parts/line-chart.tsx';
import { Band } from '../parts/marks.tsx';
import { Moment } from '../parts/moment.tsx';
import { Table } from '../parts/old-table.tsx';
import { Read } from '../parts/state.tsx';
import { linkTo } from '../route.ts';
import type { Page, RatingRecord } from '../types.ts';
import { useRead } from '../use-read.ts';

const DAY_MS = 86_400_000;
const SPANS = [
  { days: 1, interval: 'all', title: '1 day' },
  { days: 30, interval: '1d', title: '30 days' },
  { days: 365, interval: '1d', title: '1 year' },
] as const;

/** The score over time and every change of the band with its reason. */
export function History({ assetId }: { readonly assetId: string }) {
  const [days, setDays] = useState<number>(30);
  const span = SPANS.find((each) => each.days === days) ?? SPANS[1];
  const [now] = useState(Date.now());
  const from = new Date(now - span.days * DAY_MS).toISOString();
  const path = `/v1/rms/${encodeURIComponent(assetId)}`;
  const history = useRead<Page<RatingRecord>>(`${path}/history?interval=${span.interval}&limit=500&from=${from}`);
  const actions = useRead<Page<RatingRecord>>(`${path}/actions`);
  const bands = useRead<{ readonly bands: readonly { readonly band: string; readonly from: number }[] }>(
    '/v1/methodology',
  );
  const cuts =
    bands.state === 'ready'
      ? bands.value.bands.filter(({ from: cut }) => cut > 0).map(({ band, from: cut }) => ({ value: cut, name: band }))
      : [];
  return (
    <>
      <section className="card">
        <div className="title-row">
          <h2>Score</h2>
          <fieldset className="filters">
            <legend className="unseen">Time span</legend>
            {SPANS.map(({ days: each, title }) => (
              <button
                key={each}
                type="button"
                className="small"
                aria-pressed={each === days}
                onClick={() => setDays(each)}
              >
                {title}
              </button>
            ))}
          </fieldset>
        </div>
        <Read
          reading={history}
          what="the history"
          empty={({ data }) => data.length === 0 && 'It was not rated in this time.'}
        >
          {({ data }) => {
            const rows = data.toSorted((a, b) => a.as_of.localeCompare(b.as_of));
            return (
              <>
                <LineChart
                  label={`Score over ${span.title}: ${rows.length} ratings, newest ${points(rows.at(-1)?.score)}`}
                  lines={cuts}
                  series={rows.map((row) => ({
                    at: Date.parse(row.as_of),
                    value: row.score,
                    title: `${minute(row.as_of)}: ${row.band}, ${points(row.score)}`,
                  }))}
                />
                <p className="quiet">Points of 100; each line is where a band begins.</p>
                <details>
                  <summary>As a table</summary>
                  <Table
                    caption="Ratings over time"
                    rows={rows.toReversed()}
                    keyOf={({ as_of }) => as_of}
                    columns={[
                      { title: 'Time', of: ({ as_of }) => <Moment at={as_of} /> },
                      { title: 'Band', of: ({ band }) => <Band band={band} /> },
                      { title: 'Score', number: true, of: ({ score }) => points(score) },
                      { title: 'Trust', number: true, of: ({ trust_score }) => points(trust_score) },
                    ]}
                  />
                </details>
              </>
            );
          }}
        </Read>
      </section>
      <section className="card">
        <h2>Rating actions</h2>
        <Read
          reading={actions}
          what="the rating actions"
          empty={({ data }) => data.length === 0 && 'There was none yet.'}
        >
          {({ data }) => (
            <Table
              caption="Rating actions, newest first"
              rows={data}
              keyOf={({ as_of }) => as_of}
              columns={[
                { title: 'Time', of: ({ as_of }) => <Moment at={as_of} /> },
                { title: 'Action', of: ({ rating_action }) => words(rating_action) },
                {
                  title: 'Band',
                  of: ({ band, previous }) => (
                    <>
                      {previous && previous.band !== band && (
                        <>
                          <Band band={previous.band} /> →{' '}
                        </>
                      )}
                      <Band band={band} />
                    </>
                  ),
                },
                { title: 'Score', number: true, of: ({ score }) => points(score) },
                { title: 'Why', of: ({ action_reason }) => action_reason },
                { title: 'Evidence', of: ({ job_id }) => <a href={linkTo('job', job_id)}>the job</a> },
              ]}
            />
          )}
        </Read>
      </section>
    </>
  );
}

import { useState } from 'react';
import { download } from '../api.ts';
import { count } from '../format.ts';
import { Moment } from '../parts/moment.tsx';
import { Table } from '../parts/old-table.tsx';
import { Read } from '../parts/state.tsx';
import type { ReplyOf } from '../types.ts';
import { useRead } from '../use-read.ts';

type Day = ReplyOf<'GET /v1/exports/rms/daily/manifest'>['data'][number];

const FORMATS = ['csv', 'json', 'ndjson', 'parquet'];

/** The files of closed days: ratings, and the chains' data. */
export function ExportsPage() {
  const chains = useRead<{ readonly data: readonly { readonly chain: string; readonly title: string }[] }>(
    '/v1/chains',
  );
  const [subject, setSubject] = useState('rms');
  const base = subject === 'rms' ? '/v1/exports/rms/daily' : `/v1/${subject}/exports/daily`;
  const manifest = useRead<{ readonly data: readonly Day[] }>(`${base}/manifest`);
  const [note, setNote] = useState('');
  async function save(day: Day, format: string): Promise<void> {
    setNote(`Fetching ${day.date} as ${format} …`);
    const revision = day.revision === undefined ? '' : `&revision=${day.revision}`;
    const problem = await download(
      `${base}?date=${day.date}&format=${format}${revision}`,
      `${subject}-${day.date}.${format}`,
      { onBytes: (bytes) => setNote(`Fetching ${day.date} as ${format}: ${sizeOf(bytes)} so far …`) },
    );
    setNote(problem ? `${problem.title}. ${problem.detail}` : `${day.date} was saved as ${format}.`);
  }
  return (
    <>
      <h1>Exports</h1>
      <p>
        One file a day with everything, signed, never changed. A corrected day is a new revision beside the old one.
      </p>
      <label className="choice">
        <span>What</span>
        <select value={subject} onChange={(event) => setSubject(event.target.value)}>
          <option value="rms">Ratings</option>
          {chains.state === 'ready' &&
            chains.value.data.map(({ chain, title }) => (
              <option key={chain} value={chain}>
                Chain data of {title}
              </option>
            ))}
        </select>
      </label>
      <p role="status">{note}</p>
      <Read
        reading={manifest}
        what="the published days"
        empty={({ data }) =>
          data.length === 0 && 'No day has been published yet. A day (UTC) is closed shortly after it ends.'
        }
      >
        {({ data }) => (
          <Table
            caption="Published days"
            rows={data}
            keyOf={({ date, revision }) => `${date}.${revision ?? 1}`}
            columns={[
              { title: 'Day', of: ({ date }) => date },
              { title: 'Revision', number: true, of: ({ revision }) => revision ?? 1 },
              { title: 'Rows', number: true, of: ({ rows }) => count(rows) },
              { title: 'Published', of: ({ published_at }) => <Moment at={published_at} /> },
              { title: 'Corrects', of: ({ restates }) => restates?.reason ?? '' },
              {
                title: 'Files',
                of: (day) => (
                  <span className="actions">
                    {FORMATS.map((format) => (
                      <button
                        key={format}
                        type="button"
                        className="small"
                        aria-label={`${day.date} as ${format}`}
                        onClick={() => save(day, format)}
                      >
                        {format} {size(day, format)}
                      </button>
                    ))}
                  </span>
                ),
              },
            ]}
          />
        )}
      </Read>
    </>
  );
}

function size(day: Day, format: string): string {
  const plain = day.files.find((file) => file.format === format && file.encoding === 'identity');
  return plain ? sizeOf(plain.bytes) : '';
}

function sizeOf(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.max(1, Math.round(bytes / 1000))} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

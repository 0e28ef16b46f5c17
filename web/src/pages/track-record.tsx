import { count, ends, minute, percent, UNKNOWN } from '../format.ts';
import { AssetLink } from '../parts/asset-link.tsx';
import { Corrections } from '../parts/corrections.tsx';
import { Band } from '../parts/marks.tsx';
import { Moment } from '../parts/moment.tsx';
import { Table } from '../parts/old-table.tsx';
import { Read } from '../parts/state.tsx';
import type { ReplyOf } from '../types.ts';
import { useRead } from '../use-read.ts';

const share = (value: number | null) => (value === null ? UNKNOWN : percent(value * 100, 1));

/** What became of everything ever rated, misses included. */
export function TrackRecordPage() {
  const record = useRead<ReplyOf<'GET /v1/track-record'>>('/v1/track-record');
  const misses = useRead<ReplyOf<'GET /v1/track-record/misses'>>('/v1/track-record/misses');
  return (
    <>
      <h1>Track record</h1>
      <p>Everything ever published counts, corrected or not. A failure is what the default tests call one.</p>
      <Read reading={record} what="the track record">
        {(value) => (
          <>
            <dl className="verdict">
              {(
                [
                  ['Assets', value.assets],
                  ['Ratings', value.ratings],
                  ['Defaults', value.defaults],
                  ['In default when first rated', value.first_rated_in_default],
                  ['Misses', value.misses_total],
                ] as const
              ).map(([title, many]) => (
                <div key={title} className="tile">
                  <dt>{title}</dt>
                  <dd>
                    <strong>{count(many)}</strong>
                  </dd>
                </div>
              ))}
            </dl>
            <p className="quiet">Counted {minute(value.as_of)}.</p>
            {value.horizons.map(({ days, bands, accuracy_ratio: ratio, accuracy_reason: reason }) => (
              <section key={days} className="card">
                <h2>Within {days} days</h2>
                <p className="quiet">
                  Accuracy ratio: {ratio === null ? `none yet, ${reason ?? 'too few failures'}` : ratio.toFixed(3)}.
                </p>
                {bands.length === 0 ? (
                  <p className="empty">Nothing was rated yet.</p>
                ) : (
                  <Table
                    caption={`Failures within ${days} days by band`}
                    rows={bands}
                    keyOf={({ band }) => band}
                    columns={[
                      { title: 'Band', of: ({ band }) => <Band band={band} /> },
                      { title: 'Assets followed', number: true, of: ({ assets }) => count(assets) },
                      { title: 'Too young', number: true, of: ({ young }) => count(young) },
                      { title: 'Withdrawn', number: true, of: ({ withdrawn }) => count(withdrawn) },
                      { title: 'Failed', number: true, of: ({ failed }) => count(failed) },
                      { title: 'Rate', number: true, of: ({ rate }) => share(rate) },
                      {
                        title: 'Interval',
                        number: true,
                        of: ({ interval }) => ends(interval, share) ?? UNKNOWN,
                      },
                      { title: 'Aimed at', number: true, of: ({ target }) => share(target) },
                      {
                        title: 'Meant for',
                        number: true,
                        of: ({ target_range: range }) => ends(range, share) ?? UNKNOWN,
                      },
                    ]}
                  />
                )}
              </section>
            ))}
          </>
        )}
      </Read>
      <section className="card">
        <h2>Misses</h2>
        <Read
          reading={misses}
          what="the misses"
          empty={({ data }) => data.length === 0 && 'None: nothing that was rated well has failed.'}
        >
          {({ data }) => (
            <Table
              caption="Misses, newest first"
              rows={data}
              keyOf={({ asset_id, defaulted_at }) => asset_id + defaulted_at}
              columns={[
                {
                  title: 'Asset',
                  of: ({ asset_id, symbol }) => <AssetLink id={asset_id} symbol={symbol} name={null} />,
                },
                { title: 'Was rated', of: ({ band }) => <Band band={band} /> },
                { title: 'Last so on', of: ({ band_as_of }) => <Moment at={band_as_of} /> },
                { title: 'Just before', of: ({ band_before }) => <Band band={band_before} /> },
                { title: 'Failed', of: ({ defaulted_at }) => <Moment at={defaulted_at} /> },
              ]}
            />
          )}
        </Read>
      </section>
      <Corrections />
    </>
  );
}

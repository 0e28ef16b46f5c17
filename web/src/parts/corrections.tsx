import { count, points, words } from '../format.ts';
import { linkTo } from '../route.ts';
import type { ReplyOf } from '../types.ts';
import { useRead } from '../use-read.ts';
import { AssetLink } from './asset-link.tsx';
import { Band } from './marks.tsx';
import { Moment } from './moment.tsx';
import { Table } from './old-table.tsx';
import { Read } from './state.tsx';

type Restatements = ReplyOf<'GET /v1/restatements'>;
type Restatement = Restatements['data'][number];

/** Everything that was ever corrected, open to everybody. */
export function Corrections() {
  const list = useRead<Restatements>('/v1/restatements?limit=200');
  return (
    <section className="card" id="corrections">
      <h2>Corrections</h2>
      <p className="quiet">
        A rating or a published day that was wrong by another band or by two points or more. What was published first
        stays readable beside the correction.
      </p>
      <Read
        reading={list}
        what="the corrections"
        empty={({ data }) => data.length === 0 && 'None: nothing published was corrected.'}
      >
        {({ data, next_cursor: next }) => (
          <>
            <Table
              caption="Corrections, newest first"
              rows={data}
              keyOf={({ id }) => String(id)}
              columns={[
                { title: 'No.', number: true, of: ({ id }) => id },
                { title: 'Corrected', of: ({ made_at }) => <Moment at={made_at} /> },
                { title: 'What', of: (one) => <Subject one={one} /> },
                { title: 'Why', of: ({ reason }) => reason },
                { title: 'Before and after', of: (one) => <Change detail={one.detail} /> },
              ]}
            />
            {next !== null && (
              <p className="quiet">The newest {count(data.length)} are shown; all are at /v1/restatements.</p>
            )}
          </>
        )}
      </Read>
    </section>
  );
}

function Subject({ one }: { readonly one: Restatement }) {
  if (one.asset_id !== null)
    return (
      <>
        <AssetLink id={one.asset_id} symbol={null} name={null} />
        <span className="under">one rating</span>
      </>
    );
  return (
    <>
      {one.subject === 'rms' ? 'Ratings' : `Chain data of ${words(one.subject)}`} of {one.date ?? 'a day not named'}
      {one.revision !== null && (
        <span className="under">
          now revision {one.revision}, see <a href={linkTo('exports')}>the exports</a>
        </span>
      )}
    </>
  );
}

/** The detail is kept as it was noted: what is not there is not shown. */
function Change({ detail }: Pick<Restatement, 'detail'>) {
  const [before, after] = [detail.before, detail.after].map(ratedThen);
  if (before && after)
    return (
      <>
        <Band band={before.band} /> {points(before.score)} → <Band band={after.band} /> {points(after.score)}
      </>
    );
  const rows = detail.changed_rows;
  return typeof rows === 'number' ? `${count(rows)} rows` : <span className="quiet">see /v1/restatements</span>;
}

function ratedThen(value: unknown): { readonly band: string; readonly score: number | null } | null {
  if (typeof value !== 'object' || value === null || !('band' in value) || !('score' in value)) return null;
  const { band, score } = value;
  return typeof band === 'string' && (typeof score === 'number' || score === null) ? { band, score } : null;
}

import { Link } from '@tanstack/react-router';
import { useList } from '../data/list.ts';
import { many, points, words } from '../format.ts';
import type { ReplyOf } from '../types.ts';
import { AssetLink } from './asset-link.tsx';
import { Band } from './marks.tsx';
import { moment } from './moment.tsx';
import { Panel } from './panel.tsx';
import { Rows } from './rows.tsx';
import { asIs, type Column, columnBy, columnsOf, WIDE } from './table.tsx';

type Restatement = ReplyOf<'GET /v1/restatements'>['data'][number];

/** All corrections ever made, public. */
export function Corrections() {
  return (
    <Panel
      title="Corrections"
      foot="A rating or a published day is corrected where it was wrong by a band or by two points or more. What was published first stays readable beside the correction."
    >
      <Rows
        of={useList('GET /v1/restatements', { query: { limit: 50 } })}
        what="the corrections"
        name="Corrections"
        columns={COLUMNS}
        keyOf={({ id }) => String(id)}
        none="None: nothing published was corrected."
      />
    </Panel>
  );
}

const column = columnsOf<Restatement>();
const COLUMNS: readonly Column<Restatement>[] = [
  column('id', 'No.', asIs, { number: true }),
  columnBy('What', (one) => <Subject one={one} />, { csv: (one) => one.asset_id ?? one.subject }),
  columnBy('Why', ({ reason }) => reason, { csv: ({ reason }) => reason }),
  columnBy('Before and after', ({ detail }) => <Change detail={detail} />, { id: 'change' }),
  column('made_at', 'Corrected', moment, WIDE),
];

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
          now revision {one.revision}, see <Link to="/exports">the exports</Link>
        </span>
      )}
    </>
  );
}

/** The detail is shown as stored, without the missing members. */
function Change({ detail }: Pick<Restatement, 'detail'>) {
  const [before, after] = [detail.before, detail.after].map(ratedThen);
  if (before && after)
    return (
      <span className="nowrap">
        <Band band={before.band} /> {ratedAt(before.score)} → <Band band={after.band} /> {ratedAt(after.score)}
      </span>
    );
  const rows = detail.changed_rows;
  return typeof rows === 'number' ? many(rows, 'row') : 'see the reason';
}

function ratedThen(value: unknown): { readonly band: string; readonly score: number | null } | null {
  if (typeof value !== 'object' || value === null || !('band' in value) || !('score' in value)) return null;
  const { band, score } = value;
  return typeof band === 'string' && (typeof score === 'number' || score === null) ? { band, score } : null;
}

const ratedAt = (score: number | null) => (score === null ? 'not rated' : points(score));

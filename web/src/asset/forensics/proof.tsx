import { count, many, minute, sentence, sourceName } from '../../format.ts';
import { Moment } from '../../parts/moment.tsx';
import { type Column, columnBy, NUMBER, Table, WIDE } from '../../parts/table.tsx';
import type { Forensics } from '../../types.ts';

type Found = Pick<Forensics, 'limits' | 'work' | 'receipts' | 'attributions' | 'as_of'>;

const ENDS: Readonly<Record<Found['work']['ended'], string>> = {
  complete: 'the search was finished',
  calls: 'stopped at the most requests it may send',
  bytes: 'stopped at the most it may read',
  time: 'stopped at its time limit',
};

/** Limits of the search, shown before the findings, since no finding may only mean that nothing could be read. */
export function Limits({ limits }: Pick<Found, 'limits'>) {
  if (limits.length === 0) return null;
  return (
    <section className="panel">
      <h2>What this search cannot see</h2>
      <ul>
        {limits.map(({ code, detail }) => (
          <li key={code + detail}>{sentence(detail)}</li>
        ))}
      </ul>
    </section>
  );
}

const REPLIES: readonly Column<Found['receipts'][number]>[] = [
  columnBy('Source', ({ source }) => sourceName(source)),
  columnBy('Asked', ({ request }) => <span>{request}</span>, WIDE),
  columnBy('Bytes', ({ bytes }) => count(bytes), { ...WIDE, ...NUMBER }),
  columnBy('When', ({ fetched_at: at }) => <Moment at={at} />, WIDE),
  columnBy('SHA-256', ({ sha256 }) => <code title={sha256}>{sha256.slice(0, 12)}</code>, WIDE),
];

/** Every reply that the findings are based on. */
export function Proof({ found }: { readonly found: Found }) {
  const { work, receipts, attributions, as_of } = found;
  return (
    <section className="panel">
      <h2>Receipts</h2>
      <p className="q">
        Searched {minute(as_of)}: {many(work.calls, 'request')}, {count(work.bytes / 1000)} kB,{' '}
        {(work.milliseconds / 1000).toFixed(1)} s; {ENDS[work.ended]}.
      </p>
      <details>
        <summary>The {count(receipts.length)} replies it rests on</summary>
        <Table
          name="Replies that the findings rest on"
          rows={receipts}
          keyOf={(row) => JSON.stringify(row)}
          columns={REPLIES}
        />
      </details>
      {attributions.length > 0 && (
        <p className="q">{attributions.map(({ text, url }) => `${text} (${url})`).join('; ')}</p>
      )}
    </section>
  );
}

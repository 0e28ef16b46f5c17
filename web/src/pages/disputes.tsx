import { useState } from 'react';
import type { Problem } from '../api.ts';
import { minute, points } from '../format.ts';
import { AssetLink } from '../parts/asset-link.tsx';
import { Corrections } from '../parts/corrections.tsx';
import { Band } from '../parts/marks.tsx';
import { Moment } from '../parts/moment.tsx';
import { Table } from '../parts/old-table.tsx';
import { Read, Refused } from '../parts/state.tsx';
import { linkTo } from '../route.ts';
import { readKey } from '../session.ts';
import type { Page, ReplyOf } from '../types.ts';
import { useRead } from '../use-read.ts';
import { DisputeForm } from './dispute-form.tsx';

type Dispute = ReplyOf<'GET /v1/disputes'>['data'][number];

const STATES: Readonly<Record<Dispute['state'], string>> = {
  received: '… received, not read yet',
  accepted: '● accepted, will be restated',
  rejected: '✕ rejected',
  restated: '✓ restated',
};

/** Saying that a rating is wrong, what came of it, and what was corrected. */
export function DisputesPage({ asset, job }: { readonly asset: string; readonly job: string }) {
  const [sent, setSent] = useState<{ readonly id: string; readonly isNew: boolean } | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  return (
    <>
      <h1>Disputes and corrections</h1>
      <p>
        Whoever thinks that a rating is wrong says so here; a person reads it. Good grounds: a value is wrong or of
        another asset, a reply was misread, a rule was not applied as it is written, or a fact has changed.
      </p>
      {readKey() === null ? (
        <p className="note">
          A dispute needs an API key of this service: <a href={linkTo('assets')}>sign in</a>. The corrections below are
          open to everybody.
        </p>
      ) : (
        <>
          <DisputeForm
            key={`${asset} ${job} ${sent?.id ?? ''}`}
            asset={asset}
            job={job}
            onSent={(dispute, isNew) => {
              setSent({ id: dispute.id, isNew });
              setProblem(null);
            }}
            onRefused={setProblem}
          />
          {problem && <Refused problem={problem} />}
          {sent && (
            <p className="note" role="status">
              {sent.isNew ? 'Your dispute was received' : 'You have sent the same before'}: <code>{sent.id}</code>. What
              comes of it will stand below, always with the finding in words.
            </p>
          )}
          <Mine key={sent?.id ?? ''} />
        </>
      )}
      <Corrections />
    </>
  );
}

/** The disputes of the account; nobody else sees them. */
function Mine() {
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const cursor = cursors.at(-1);
  const list = useRead<Page<Dispute>>(`/v1/disputes?limit=50${cursor ? `&cursor=${cursor}` : ''}`);
  return (
    <section className="card">
      <h2>Your disputes</h2>
      <Read
        reading={list}
        what="your disputes"
        empty={({ data }) => data.length === 0 && 'This account has disputed no rating yet.'}
      >
        {({ data, next_cursor: next }) => (
          <>
            <Table
              caption="Your disputes, newest first"
              rows={data}
              keyOf={({ id }) => id}
              columns={[
                { title: 'State', of: ({ state }) => STATES[state] },
                { title: 'Asset', of: ({ asset_id }) => <AssetLink id={asset_id} symbol={null} name={null} /> },
                { title: 'Rating', of: ({ rating }) => <Disputed rating={rating} /> },
                { title: 'What you said', of: ({ claim }) => <span className="wrap claim">{claim}</span> },
                { title: 'Finding', of: (dispute) => <Finding dispute={dispute} /> },
                { title: 'Received', of: ({ received_at }) => <Moment at={received_at} /> },
                { title: 'Number', of: ({ id }) => <code>{id}</code> },
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
    </section>
  );
}

function Disputed({ rating }: Pick<Dispute, 'rating'>) {
  if (rating === null) return <span className="quiet">no longer kept</span>;
  return (
    <>
      <Band band={rating.band} /> {points(rating.score)}
      <span className="under">
        <a href={linkTo('job', rating.job_id)}>{minute(rating.as_of)}</a>
      </span>
    </>
  );
}

function Finding({ dispute }: { readonly dispute: Dispute }) {
  if (dispute.resolution === null) return <span className="quiet">none yet</span>;
  return (
    <>
      <span className="wrap claim">{dispute.resolution}</span>
      <span className="under">
        {minute(dispute.resolved_at)}
        {dispute.restatement_id !== null && `, correction no. ${dispute.restatement_id}`}
      </span>
    </>
  );
}

import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useList } from '../data/list.ts';
import { read, useChange } from '../data/service.ts';
import { useKey } from '../data/session.ts';
import { count, points } from '../format.ts';
import { AssetName } from '../parts/asset-link.tsx';
import { Corrections } from '../parts/corrections.tsx';
import { Field, Form, type Given } from '../parts/form.tsx';
import { Band } from '../parts/marks.tsx';
import { Missing } from '../parts/missing.tsx';
import { Moment, moment } from '../parts/moment.tsx';
import { PageHead, Panel } from '../parts/panel.tsx';
import { Rows } from '../parts/rows.tsx';
import { asIs, type Column, columnBy, columnsOf, WIDE } from '../parts/table.tsx';
import type { Rating, ReplyOf } from '../types.ts';

type Dispute = ReplyOf<'GET /v1/disputes'>['data'][number];

const LONGEST_CLAIM = 4_000;
const STATES: Readonly<Record<Dispute['state'], string>> = {
  received: '… received, not read yet',
  accepted: '● accepted, will be restated',
  rejected: '✕ rejected',
  restated: '✓ restated',
};
const route = getRouteApi('/disputes');

/** Disputing a rating, the state of disputes, and corrections. */
export function Page() {
  const isSignedIn = useKey() !== null;
  return (
    <>
      <PageHead title="Disputes and corrections" sub="Any account can dispute a rating; a person reads each dispute." />
      {isSignedIn ? (
        <div className="grid side-form">
          <div className="grid">
            <Mine />
            <Corrections />
          </div>
          <DisputeForm />
        </div>
      ) : (
        <div className="grid">
          <p>
            A dispute needs an API key of this service: <Link to="/">sign in</Link>. The corrections below are open to
            everybody.
          </p>
          <Corrections />
        </div>
      )}
    </>
  );
}

/** The disputes of the account; no other account sees them. */
function Mine() {
  return (
    <Panel title="Your disputes">
      <Rows
        of={useList('GET /v1/disputes', {})}
        what="your disputes"
        name="Your disputes"
        columns={MINE}
        keyOf={({ id }) => id}
        none="This account has disputed no rating yet."
      />
    </Panel>
  );
}

/** The name of the asset, which a dispute does not contain. */
function AssetOf({ id }: { readonly id: string }) {
  const { data } = useQuery({ ...read('GET /v1/rms/{asset}', { path: { asset: id } }), staleTime: 600_000 });
  const asset = data && 'asset' in data ? (data as Rating).asset : null;
  return <AssetName asset={{ id, symbol: asset?.symbol ?? null, name: asset?.name ?? null }} />;
}

const column = columnsOf<Dispute>();
const MINE: readonly Column<Dispute>[] = [
  column('state', 'State', (state) => <span className="nowrap">{STATES[state]}</span>),
  columnBy(
    'Asset and rating',
    ({ asset_id: id, rating }) => (
      <>
        <AssetOf id={id} />
        <span className="under">
          {rating === null ? (
            'the rating is no longer kept'
          ) : (
            <>
              <Band band={rating.band} /> {rating.score === null ? 'not rated' : points(rating.score)},{' '}
              <Link to="/job/$id" params={{ id: rating.job_id }}>
                <Moment at={rating.as_of} />
              </Link>
            </>
          )}
        </span>
      </>
    ),
    { id: 'asset', csv: ({ asset_id: id }) => id },
  ),
  column('claim', 'What you said', asIs, { unsorted: true, wide: true }),
  columnBy(
    'Finding',
    ({ resolution, resolved_at: at, restatement_id: correction }) =>
      resolution === null ? (
        <Missing why="open" words="A person reads it; the finding is shown here as text." />
      ) : (
        <>
          {resolution}
          <span className="under">
            {at !== null && <Moment at={at} />}
            {correction !== null && `, correction no. ${correction}`}
          </span>
        </>
      ),
    { csv: ({ resolution }) => resolution },
  ),
  column('received_at', 'Received', moment, WIDE),
  column('id', 'Number', (id) => <code>{id}</code>, { extra: true, unsorted: true }),
];

/** The error in a rating, and the evidence. A link from a rating fills in the rating. */
function DisputeForm() {
  const { asset = '', job = '' } = route.useSearch();
  const [claim, setClaim] = useState('');
  const send = useChange('POST /v1/disputes', ['GET /v1/disputes']);
  const onSend = ({ text }: Given) => {
    const [jobId, contact] = [text('job'), text('contact')];
    const more = { ...(jobId ? { job_id: jobId } : {}), ...(contact ? { contact } : {}) };
    send.mutate({ body: { asset: text('asset'), claim, ...more } }, { onSuccess: () => setClaim('') });
  };
  return (
    <Panel title="Dispute a rating">
      <Form
        key={`${asset} ${job}`}
        change={send}
        submit={send.isPending ? 'Sending …' : 'Send the dispute'}
        isReady={claim.trim() !== ''}
        onSend={onSend}
      >
        <p className="q">
          Good grounds: a value is wrong or of another asset, a reply was misread, a rule was not applied as it is
          written, or a fact has changed.
        </p>
        <Field
          label="Asset"
          name="asset"
          required
          maxLength={300}
          defaultValue={asset}
          placeholder="Symbol, address or id"
        />
        <Field
          label="Job of the rating (optional: else the newest)"
          name="job"
          maxLength={100}
          pattern="[a-z0-9_]+"
          defaultValue={job}
          placeholder="posttge_…"
        />
        <label>
          <span>What is wrong, and what shows it</span>
          <textarea
            name="claim"
            required
            rows={5}
            maxLength={LONGEST_CLAIM}
            value={claim}
            onChange={(event) => setClaim(event.target.value)}
          />
          <span className="qq">{count(LONGEST_CLAIM - claim.length)} characters left</span>
        </label>
        <Field
          label="How you can be reached (optional, never public)"
          name="contact"
          maxLength={200}
          placeholder="desk@example.org"
        />
        {send.data && (
          <p role="status">
            Your dispute was received: <code>{send.data.id}</code>. The outcome is shown in the list, with the reason.
          </p>
        )}
      </Form>
    </Panel>
  );
}

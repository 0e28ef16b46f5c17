import { type FormEvent, useState } from 'react';
import { ask, type Problem } from '../api.ts';
import type { ReplyOf } from '../types.ts';

const LONGEST_CLAIM = 4_000;

type Sent = ReplyOf<'POST /v1/disputes'>;

/** What is wrong about a rating, and what shows it. */
export function DisputeForm({
  asset,
  job,
  onSent,
  onRefused,
}: {
  readonly asset: string;
  readonly job: string;
  readonly onSent: (dispute: Sent, isNew: boolean) => void;
  readonly onRefused: (problem: Problem) => void;
}) {
  const [claim, setClaim] = useState('');
  const [busy, setBusy] = useState(false);
  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const [jobId, contact] = ['job', 'contact'].map((name) => String(form.get(name) ?? '').trim());
    setBusy(true);
    const reply = await ask<Sent>('/v1/disputes', {
      method: 'POST',
      json: {
        asset: String(form.get('asset')).trim(),
        claim,
        ...(jobId ? { job_id: jobId } : {}),
        ...(contact ? { contact } : {}),
      },
    });
    setBusy(false);
    if (reply.ok) onSent(reply.value, reply.status === 201);
    else onRefused(reply.problem);
  }
  return (
    <form className="card form" onSubmit={submit}>
      <h2>Dispute a rating</h2>
      <label>
        <span>Asset</span>
        <input name="asset" required maxLength={300} defaultValue={asset} placeholder="Symbol, address or id" />
      </label>
      <label>
        <span>Job of the rating (optional: without it, the newest rating)</span>
        <input
          name="job"
          maxLength={100}
          pattern="[a-z0-9_]+"
          defaultValue={job}
          placeholder="posttge_…, from the rating’s history"
        />
      </label>
      <label className="whole">
        <span>What is wrong, and what shows it</span>
        <textarea
          name="claim"
          required
          rows={5}
          maxLength={LONGEST_CLAIM}
          value={claim}
          onChange={(event) => setClaim(event.target.value)}
        />
        <span className="number">{(LONGEST_CLAIM - claim.length).toLocaleString('en-US')} characters left</span>
      </label>
      <label>
        <span>How you can be reached (optional, never public)</span>
        <input name="contact" maxLength={200} placeholder="desk@example.org" />
      </label>
      <button type="submit" className="primary" disabled={busy || claim.trim() === ''}>
        {busy ? 'Sending …' : 'Send the dispute'}
      </button>
    </form>
  );
}

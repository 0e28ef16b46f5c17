import { type FormEvent, useState } from 'react';
import { ask, type Problem } from '../api.ts';
import { minute, words } from '../format.ts';
import { Copy } from '../parts/marks.tsx';
import { Table } from '../parts/old-table.tsx';
import { Read, Refused } from '../parts/state.tsx';
import { Twice } from '../parts/twice.tsx';
import type { Page, Webhook } from '../types.ts';
import { useRead } from '../use-read.ts';
import { Deliveries } from './deliveries.tsx';

const KINDS = ['score_change', 'risk_flag_change', 'band_transition', 'source_drift', 'peg_stress', 'correction'];

/** Where alerts are sent, and what became of each message. */
export function WebhooksPage() {
  const list = useRead<Page<Webhook>>('/v1/webhooks');
  const [shown, setShown] = useState<string | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  async function act(path: string, wish: Parameters<typeof ask>[1]): Promise<void> {
    const reply = await ask<{ readonly secret?: string } | null>(path, wish);
    setProblem(reply.ok ? null : reply.problem);
    if (reply.ok && reply.value?.secret) setSecret(reply.value.secret);
    list.again();
  }
  function create(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const description = String(form.get('description')).trim();
    void act('/v1/webhooks', {
      method: 'POST',
      json: {
        url: String(form.get('url')).trim(),
        kinds: form.getAll('kind').map(String),
        ...(description ? { description } : {}),
      },
    });
  }
  return (
    <>
      <h1>Webhooks</h1>
      <p>Alerts as signed messages (Standard Webhooks) to an address of yours.</p>
      <form className="card form" onSubmit={create}>
        <h2>Add a webhook</h2>
        <label>
          <span>Address</span>
          <input name="url" type="url" required maxLength={2048} placeholder="https://hooks.example.com/assay" />
        </label>
        <label>
          <span>Note (optional)</span>
          <input name="description" maxLength={200} />
        </label>
        <fieldset className="radio">
          <legend>Messages of</legend>
          {KINDS.map((kind) => (
            <label key={kind}>
              <input type="checkbox" name="kind" value={kind} defaultChecked /> {words(kind).toLowerCase()}
            </label>
          ))}
        </fieldset>
        <button type="submit" className="primary">
          Add
        </button>
      </form>
      {secret && (
        <p className="note" role="status">
          The signing secret, shown once: <code className="wrap">{secret}</code>{' '}
          <Copy text={secret} label="the signing secret" />
        </p>
      )}
      {problem && <Refused problem={problem} />}
      <Read reading={list} what="the webhooks" empty={({ data }) => data.length === 0 && 'There is no webhook yet.'}>
        {({ data }) => (
          <Table
            caption="Webhooks"
            rows={data}
            keyOf={({ id }) => id}
            columns={[
              {
                title: 'Address',
                of: ({ url, description }) => (
                  <span className="wrap">
                    {url}
                    {description && <span className="under">{description}</span>}
                  </span>
                ),
              },
              {
                title: 'On',
                of: ({ enabled, disabled_reason }) =>
                  enabled ? <span className="nowrap">● on</span> : `○ off: ${disabled_reason ?? 'no reason given'}`,
              },
              {
                title: 'Health',
                of: ({ health }) =>
                  health.consecutive_failures > 0
                    ? `▲ ${health.consecutive_failures} failures in a row: ${health.last_failure ?? ''}`
                    : health.last_success_at
                      ? `last message ${minute(health.last_success_at)}`
                      : 'nothing was sent yet',
              },
              { title: 'Kinds', of: ({ kinds }) => kinds.map((kind) => words(kind)).join(', ') },
              {
                title: 'Do',
                of: ({ id, url, enabled }) => (
                  <span className="actions">
                    <button
                      type="button"
                      className="small"
                      aria-label={`Test ${url}`}
                      onClick={() => act(`/v1/webhooks/${id}/test`, { method: 'POST' })}
                    >
                      Test
                    </button>
                    <button
                      type="button"
                      className="small"
                      aria-label={`Switch ${enabled ? 'off' : 'on'} ${url}`}
                      onClick={() => act(`/v1/webhooks/${id}`, { method: 'PUT', json: { enabled: !enabled } })}
                    >
                      {enabled ? 'Off' : 'On'}
                    </button>
                    <button
                      type="button"
                      className="small"
                      aria-label={`New secret for ${url}`}
                      onClick={() => act(`/v1/webhooks/${id}/rotate`, { method: 'POST', json: {} })}
                    >
                      New secret
                    </button>
                    <button
                      type="button"
                      className="small"
                      aria-pressed={shown === id}
                      aria-label={`Deliveries of ${url}`}
                      onClick={() => setShown(shown === id ? null : id)}
                    >
                      Deliveries
                    </button>
                    <Twice name="Delete" about={url} onSure={() => act(`/v1/webhooks/${id}`, { method: 'DELETE' })} />
                  </span>
                ),
              },
            ]}
          />
        )}
      </Read>
      {shown && <Deliveries key={shown} id={shown} />}
    </>
  );
}

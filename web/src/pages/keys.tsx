import { type FormEvent, useState } from 'react';
import { ask, type Problem } from '../api.ts';
import { minute } from '../format.ts';
import { Copy } from '../parts/marks.tsx';
import { Moment } from '../parts/moment.tsx';
import { Table } from '../parts/old-table.tsx';
import { Read, Refused } from '../parts/state.tsx';
import { Twice } from '../parts/twice.tsx';
import type { ReplyOf } from '../types.ts';
import { useRead } from '../use-read.ts';
import { Usage } from './usage.tsx';

const SCOPES = [
  ['score', 'score: rate projects'],
  ['rms:read', 'rms:read: read ratings'],
  ['rms:write', 'rms:write: watchlist, alerts, webhooks'],
  ['chain:read', 'chain:read: chain data'],
  ['admin', 'admin: keys, disputes, indexing'],
] as const;

/** What the account has used; for administrators the keys. */
export function KeysPage() {
  const list = useRead<ReplyOf<'GET /v1/admin/keys'>>('/v1/admin/keys');
  const [secret, setSecret] = useState<string | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  async function act(path: string, wish: Parameters<typeof ask>[1]): Promise<void> {
    const reply = await ask<{ readonly secret?: string } | null>(path, wish);
    setProblem(reply.ok ? null : reply.problem);
    if (reply.ok && reply.value?.secret) setSecret(reply.value.secret);
    list.again();
  }
  const isAdmin = list.state !== 'refused' || list.problem.status !== 403;
  return (
    <>
      <h1>Keys and usage</h1>
      <Usage />
      {!isAdmin && <p className="note">Keys are managed with a key that has the scope admin.</p>}
      {isAdmin && (
        <section className="card">
          <h2>Keys</h2>
          <NewKey onCreate={(json) => act('/v1/admin/keys', { method: 'POST', json })} />
          {secret && (
            <p className="note" role="status">
              The key, shown once: <code className="wrap">{secret}</code> <Copy text={secret} label="the key" />
            </p>
          )}
          {problem && <Refused problem={problem} />}
          <Read reading={list} what="the keys">
            {({ data }) => (
              <Table
                caption="API keys"
                rows={data}
                keyOf={({ id }) => id}
                columns={[
                  { title: 'Name', of: ({ name }) => name },
                  { title: 'Begins with', of: ({ prefix }) => <code>{prefix}…</code> },
                  { title: 'Account', of: ({ account_id }) => <code>{account_id}</code> },
                  { title: 'Plan', of: ({ plan }) => plan },
                  { title: 'Scopes', of: ({ scopes }) => scopes.join(', ') },
                  { title: 'State', of: ({ revoked_at, expires_at }) => stateOf(revoked_at, expires_at) },
                  { title: 'Last used', of: ({ last_used_at }) => <Moment at={last_used_at} /> },
                  {
                    title: 'Do',
                    of: ({ id, name, revoked_at }) =>
                      revoked_at === null && (
                        <span className="actions">
                          <Twice
                            name="Replace"
                            about={`the key ${name}`}
                            onSure={() => act(`/v1/admin/keys/${id}/rotate`, { method: 'POST', json: {} })}
                          />
                          <Twice
                            name="Revoke"
                            about={`the key ${name}`}
                            onSure={() => act(`/v1/admin/keys/${id}`, { method: 'DELETE' })}
                          />
                        </span>
                      ),
                  },
                ]}
              />
            )}
          </Read>
        </section>
      )}
    </>
  );
}

function stateOf(revokedAt: string | null, expiresAt: string | null): string {
  if (revokedAt !== null) return `○ revoked ${minute(revokedAt)}`;
  return expiresAt === null ? '● valid' : `● until ${minute(expiresAt)}`;
}

function NewKey({ onCreate }: { readonly onCreate: (wish: object) => Promise<void> }) {
  const plans = useRead<{ readonly data: readonly { readonly name: string; readonly title: string }[] }>('/v1/plans');
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    void onCreate({
      name: String(form.get('name')),
      plan: String(form.get('plan')),
      scopes: form.getAll('scope').map(String),
    });
  }
  return (
    <details>
      <summary>Make a key</summary>
      <form className="form" onSubmit={submit}>
        <label>
          <span>Name</span>
          <input name="name" required maxLength={100} />
        </label>
        <label>
          <span>Plan</span>
          <select key={plans.state} name="plan" defaultValue="RATING">
            {plans.state === 'ready' &&
              plans.value.data.map(({ name, title }) => (
                <option key={name} value={name}>
                  {name}: {title}
                </option>
              ))}
          </select>
        </label>
        <fieldset className="radio">
          <legend>Scopes</legend>
          {SCOPES.map(([scope, title]) => (
            <label key={scope}>
              <input
                type="checkbox"
                name="scope"
                value={scope}
                defaultChecked={scope === 'rms:read' || scope === 'score'}
              />{' '}
              {title}
            </label>
          ))}
        </fieldset>
        <button type="submit" className="primary">
          Make it
        </button>
      </form>
    </details>
  );
}

import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useList } from '../data/list.ts';
import { read, useChange } from '../data/service.ts';
import { ALERT_KINDS, words } from '../format.ts';
import { Missing } from '../parts/missing.tsx';
import { Moment } from '../parts/moment.tsx';
import { NeedsScope } from '../parts/needs-scope.tsx';
import { PageHead, Panel } from '../parts/panel.tsx';
import { Loaded, ProblemBox } from '../parts/problem.tsx';
import { ReadMore } from '../parts/read-more.tsx';
import { Secret } from '../parts/secret.tsx';
import { type Column, columnsOf, plainly, Table } from '../parts/table.tsx';
import { useToast } from '../parts/toast.tsx';
import { Twice } from '../parts/twice.tsx';
import type { Delivery, Webhook } from '../types.ts';

const route = getRouteApi('/webhooks');
const LIST = ['GET /v1/webhooks'] as const;

/** Where alerts are sent, and what became of each message. */
export function Page() {
  return (
    <>
      <PageHead
        title="Webhooks"
        sub="Alerts as signed messages (Standard Webhooks) to an address of yours, or as messages of Slack, Discord or Telegram."
      />
      <NeedsScope scope="rms:write" to="have alerts sent">
        <Webhooks />
      </NeedsScope>
    </>
  );
}

function Webhooks() {
  const { of } = route.useSearch();
  const navigate = useNavigate();
  const list = useQuery(read('GET /v1/webhooks'));
  const [secret, setSecret] = useState<string | null>(null);
  const tell = useToast();
  const test = useChange('POST /v1/webhooks/{id}/test', ['GET /v1/webhooks/{id}/deliveries']);
  const change = useChange('PUT /v1/webhooks/{id}', LIST);
  const rotate = useChange('POST /v1/webhooks/{id}/rotate', LIST);
  const remove = useChange('DELETE /v1/webhooks/{id}', LIST);
  const error = test.error ?? change.error ?? rotate.error ?? remove.error;
  const show = (id: string | undefined) => navigate({ to: '/webhooks', search: { of: id }, replace: true });
  const columns: readonly Column<Webhook>[] = [
    ...COLUMNS,
    {
      id: 'do',
      title: 'Change',
      cell: ({ id, url, enabled }) => (
        <span className="actions">
          <button
            type="button"
            className="button"
            aria-label={`Test ${url}`}
            onClick={() =>
              test.mutate(
                { path: { id } },
                {
                  onSuccess: () => {
                    tell('A test is on its way.');
                    show(id);
                  },
                },
              )
            }
          >
            Test
          </button>
          <button
            type="button"
            className="button"
            aria-pressed={of === id}
            aria-label={`Deliveries of ${url}`}
            onClick={() => show(of === id ? undefined : id)}
          >
            Deliveries
          </button>
          <button
            type="button"
            className="button"
            aria-label={`Switch ${enabled ? 'off' : 'on'} ${url}`}
            onClick={() => change.mutate({ path: { id }, body: { enabled: !enabled } })}
          >
            {enabled ? 'Off' : 'On'}
          </button>
          <button
            type="button"
            className="button"
            aria-label={`New secret for ${url}`}
            onClick={() => rotate.mutate({ path: { id }, body: {} }, { onSuccess: (made) => setSecret(made.secret) })}
          >
            New secret
          </button>
          <Twice name="Delete" about={url} onSure={() => remove.mutate({ path: { id } })} />
        </span>
      ),
    },
  ];
  return (
    <div className="grid side-form">
      <div className="grid">
        {error && <ProblemBox error={error} />}
        <Panel title="Your webhooks">
          <Loaded
            query={list}
            what="the webhooks"
            empty={({ data }) => data.length === 0 && 'There is no webhook yet. Add the address that is to get alerts.'}
          >
            {({ data }) => <Table name="Webhooks" columns={columns} rows={data} keyOf={({ id }) => id} tools={false} />}
          </Loaded>
        </Panel>
        {of && <Deliveries key={of} id={of} />}
      </div>
      <NewWebhook onMade={setSecret} />
      {secret && (
        <Secret title="Signing secret" secret={secret} onClose={() => setSecret(null)}>
          Your receiver checks the signature of each message with it.
        </Secret>
      )}
    </div>
  );
}

const FORMATS: Readonly<Record<Webhook['format'], string>> = {
  assay: 'signed JSON',
  slack: 'Slack',
  discord: 'Discord',
  telegram: 'Telegram',
};
const PLACEHOLDERS: Readonly<Record<Webhook['format'], string>> = {
  assay: 'https://hooks.example.com/assay',
  slack: 'https://hooks.slack.com/services/…',
  discord: 'https://discord.com/api/webhooks/…',
  telegram: 'https://api.telegram.org/bot…/sendMessage',
};

const COLUMNS: readonly Column<Webhook>[] = [
  {
    id: 'url',
    title: 'Address',
    cell: ({ url, description }) => (
      <>
        {url}
        {description && <span className="under">{description}</span>}
      </>
    ),
  },
  {
    id: 'format',
    title: 'Shape',
    wide: true,
    cell: ({ format, chat_id: chat }) => FORMATS[format] + (chat === null ? '' : `, to ${chat}`),
  },
  {
    id: 'state',
    title: 'State',
    cell: ({ enabled, disabled_reason: why, health }) =>
      !enabled ? (
        `○ off: ${why ?? 'switched off by you'}`
      ) : health.consecutive_failures > 0 ? (
        `▲ ${health.consecutive_failures} failures in a row: ${health.last_failure ?? 'no reply'}`
      ) : health.last_success_at ? (
        <>
          ● on, last message <Moment at={health.last_success_at} />
        </>
      ) : (
        '● on, nothing sent yet'
      ),
  },
  {
    id: 'kinds',
    title: 'Alerts',
    wide: true,
    cell: ({ kinds }) =>
      kinds.length === ALERT_KINDS.length ? 'all kinds' : kinds.map((kind) => words(kind)).join(', '),
  },
];

function NewWebhook({ onMade }: { readonly onMade: (secret: string) => void }) {
  const create = useChange('POST /v1/webhooks', LIST);
  const [format, setFormat] = useState<Webhook['format']>('assay');
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const given = new FormData(form);
    const description = String(given.get('description')).trim();
    const body = {
      url: String(given.get('url')).trim(),
      kinds: ALERT_KINDS.filter((kind) => given.getAll('kind').includes(kind)),
      format,
      ...(format === 'telegram' ? { chat_id: String(given.get('chat_id')).trim() } : {}),
      ...(description ? { description } : {}),
    };
    create.mutate(
      { body },
      {
        onSuccess: ({ secret }) => {
          form.reset();
          setFormat('assay');
          onMade(secret);
        },
      },
    );
  };
  return (
    <Panel title="Add a webhook">
      <form className="form" onSubmit={submit}>
        <label>
          <span>Shape of the messages</span>
          <select name="format" value={format} onChange={({ target }) => setFormat(target.value as Webhook['format'])}>
            {Object.entries(FORMATS).map(([value, title]) => (
              <option key={value} value={value}>
                {title}
              </option>
            ))}
          </select>
        </label>
        <label>
          <span>Address</span>
          <input name="url" type="url" required maxLength={2048} placeholder={PLACEHOLDERS[format]} />
        </label>
        {format === 'telegram' && (
          <label>
            <span>Chat: its number, or @ and the name of the channel</span>
            <input
              name="chat_id"
              required
              pattern="-?[0-9]{1,20}|@[A-Za-z][A-Za-z0-9_]{3,31}"
              placeholder="@desk_alerts"
            />
          </label>
        )}
        <label>
          <span>Note (optional)</span>
          <input name="description" maxLength={200} />
        </label>
        <fieldset className="choices across">
          <legend>Alerts of the kind</legend>
          {ALERT_KINDS.map((kind) => (
            <label key={kind}>
              <input type="checkbox" name="kind" value={kind} defaultChecked /> {words(kind).toLowerCase()}
            </label>
          ))}
        </fieldset>
        {create.error && <ProblemBox error={create.error} />}
        <span>
          <button type="submit" className="button primary" disabled={create.isPending}>
            Add
          </button>
        </span>
      </form>
    </Panel>
  );
}

const SIGNS = { delivered: '✓', failed: '✕', pending: '…', folded: '⤷' };

/** What became of each message of a webhook. */
function Deliveries({ id }: { readonly id: string }) {
  const list = useList(
    'GET /v1/webhooks/{id}/deliveries',
    { path: { id } },
    { again: ({ state }) => state === 'pending' },
  );
  const replay = useChange('POST /v1/webhooks/{id}/deliveries/{delivery}/replay', ['GET /v1/webhooks/{id}/deliveries']);
  const columns: readonly Column<Delivery>[] = [
    ...DELIVERED,
    {
      id: 'do',
      title: 'Repeat',
      cell: (delivery) => (
        <button
          type="button"
          className="button"
          aria-label={`Send again ${delivery.id}`}
          onClick={() => replay.mutate({ path: { id, delivery: delivery.id } })}
        >
          Send again
        </button>
      ),
    },
  ];
  return (
    <Panel title="Deliveries" sub="of the last 30 days, newest first">
      {replay.error && <ProblemBox error={replay.error} />}
      <Loaded query={list} what="the deliveries" empty={(rows) => rows.length === 0 && 'Nothing was sent yet.'}>
        {(rows) => (
          <>
            <Table name="Deliveries" columns={columns} rows={rows} keyOf={(one) => one.id} />
            <ReadMore list={list} />
          </>
        )}
      </Loaded>
    </Panel>
  );
}

const column = columnsOf<Delivery>();
const DELIVERED: readonly Column<Delivery>[] = [
  column('type', 'Message', plainly),
  column('state', 'State', (state) => `${SIGNS[state]} ${state}`),
  column('attempts', 'Attempts', plainly, { number: true, wide: true }),
  {
    id: 'reply',
    title: 'Last reply',
    cell: ({ last_status: status, last_detail: detail, attempts }) =>
      status === null && detail === null ? (
        <Missing why="too_early" words={attempts === 0 ? 'It was not sent yet.' : 'No reply came yet.'} />
      ) : (
        [status, detail].filter((part) => part !== null).join(': ')
      ),
    csv: ({ last_status: status }) => status,
  },
  {
    id: 'made',
    title: 'Made',
    wide: true,
    cell: (row) => <Moment at={row.created_at} />,
    value: (row) => row.created_at,
  },
];

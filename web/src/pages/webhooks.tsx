import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useList } from '../data/list.ts';
import { read, useChange } from '../data/service.ts';
import { ALERT_KINDS, many, words } from '../format.ts';
import { Button } from '../parts/button.tsx';
import { Choices } from '../parts/choices.tsx';
import type { Given } from '../parts/form.tsx';
import { Field, Form, Select } from '../parts/form.tsx';
import { Missing } from '../parts/missing.tsx';
import { Moment, moment } from '../parts/moment.tsx';
import { NeedsScope } from '../parts/needs-scope.tsx';
import { PageHead, Panel } from '../parts/panel.tsx';
import { ProblemBox } from '../parts/problem.tsx';
import { Rows } from '../parts/rows.tsx';
import { Secret } from '../parts/secret.tsx';
import { asIs, type Column, columnBy, columnsOf, WIDE } from '../parts/table.tsx';
import { useToast } from '../parts/toast.tsx';
import { Twice } from '../parts/twice.tsx';
import type { Delivery, Webhook } from '../types.ts';
import { Mutes } from './webhook-mutes.tsx';

const route = getRouteApi('/webhooks');
const LIST = ['GET /v1/webhooks'] as const;

/** Endpoints for alerts, and the state of each message. */
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
    columnBy(
      'Change',
      ({ id, url, enabled }) => (
        <span className="actions">
          <Button
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
          </Button>
          <Button
            aria-pressed={of === id}
            aria-label={`Deliveries of ${url}`}
            onClick={() => show(of === id ? undefined : id)}
          >
            Deliveries
          </Button>
          <Button
            aria-label={`Switch ${enabled ? 'off' : 'on'} ${url}`}
            onClick={() => change.mutate({ path: { id }, body: { enabled: !enabled } })}
          >
            {enabled ? 'Off' : 'On'}
          </Button>
          <Button
            aria-label={`New secret for ${url}`}
            onClick={() => rotate.mutate({ path: { id }, body: {} }, { onSuccess: (made) => setSecret(made.secret) })}
          >
            New secret
          </Button>
          <Twice name="Delete" about={url} onSure={() => remove.mutate({ path: { id } })} />
        </span>
      ),
      { id: 'do' },
    ),
  ];
  return (
    <div className="grid side-form">
      <div className="grid">
        {error && <ProblemBox error={error} />}
        <Panel title="Your webhooks">
          <Rows
            of={list}
            what="the webhooks"
            name="Webhooks"
            columns={columns}
            keyOf={({ id }) => id}
            none="There is no webhook yet. Add the address that receives alerts."
            tools={false}
          />
        </Panel>
        {of && <Mutes key={`mutes ${of}`} id={of} />}
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

const webhookColumn = columnsOf<Webhook>();
const COLUMNS: readonly Column<Webhook>[] = [
  columnBy('Address', ({ url, description }) => (
    <>
      <span className="links">{url}</span>
      {description && <span className="under">{description}</span>}
    </>
  )),
  columnBy('Shape', ({ format, chat_id: chat }) => FORMATS[format] + (chat === null ? '' : `, to ${chat}`), WIDE),
  columnBy('State', ({ enabled, disabled_reason: why, health }) =>
    !enabled ? (
      `○ off: ${why ?? 'switched off by you'}`
    ) : health.consecutive_failures > 0 ? (
      `▲ ${many(health.consecutive_failures, 'failure')} in a row: ${health.last_failure ?? 'no reply'}`
    ) : health.last_success_at ? (
      <>
        ● on, last message <Moment at={health.last_success_at} />
      </>
    ) : (
      '● on, nothing sent yet'
    ),
  ),
  webhookColumn(
    'kinds',
    'Alerts',
    (kinds) => (kinds.length === ALERT_KINDS.length ? 'all kinds' : kinds.map(words).join(', ')),
    WIDE,
  ),
];

function NewWebhook({ onMade }: { readonly onMade: (secret: string) => void }) {
  const create = useChange('POST /v1/webhooks', LIST);
  const [format, setFormat] = useState<Webhook['format']>('assay');
  const onSend = ({ text, ticked, reset }: Given) => {
    const description = text('description');
    const body = {
      url: text('url'),
      kinds: ticked('kind', ALERT_KINDS),
      format,
      ...(format === 'telegram' ? { chat_id: text('chat_id') } : {}),
      ...(description ? { description } : {}),
    };
    create.mutate(
      { body },
      {
        onSuccess: ({ secret }) => {
          reset();
          setFormat('assay');
          onMade(secret);
        },
      },
    );
  };
  return (
    <Panel title="Add a webhook">
      <Form change={create} submit="Add" onSend={onSend}>
        <Field label="Shape of the messages">
          <Select
            name="format"
            options={Object.entries(FORMATS) as [Webhook['format'], string][]}
            value={format}
            onChoose={(one) => setFormat(one ?? 'assay')}
          />
        </Field>
        <Field label="Address" name="url" type="url" required maxLength={2048} placeholder={PLACEHOLDERS[format]} />
        {format === 'telegram' && (
          <Field
            label="Chat: its number, or @ and the name of the channel"
            name="chat_id"
            required
            pattern="-?[0-9]{1,20}|@[A-Za-z][A-Za-z0-9_]{3,31}"
            placeholder="@desk_alerts"
          />
        )}
        <Field label="Note (optional)" name="description" maxLength={200} />
        <Choices
          legend="Alerts of the kind"
          name="kind"
          words={ALERT_KINDS}
          say={(kind) => words(kind).toLowerCase()}
          isOn={() => true}
        />
      </Form>
    </Panel>
  );
}

const SIGNS = { delivered: '✓', failed: '✕', pending: '…', folded: '⤷' };

/** The state of each message of a webhook. */
function Deliveries({ id }: { readonly id: string }) {
  const list = useList(
    'GET /v1/webhooks/{id}/deliveries',
    { path: { id } },
    { again: ({ state }) => state === 'pending' },
  );
  const replay = useChange('POST /v1/webhooks/{id}/deliveries/{delivery}/replay', ['GET /v1/webhooks/{id}/deliveries']);
  const columns: readonly Column<Delivery>[] = [
    ...DELIVERED,
    columnBy('Repeat', (delivery) => (
      <Button
        aria-label={`Send again ${delivery.id}`}
        onClick={() => replay.mutate({ path: { id, delivery: delivery.id } })}
      >
        Send again
      </Button>
    )),
  ];
  return (
    <Panel title="Deliveries" sub="of the last 30 days, newest first">
      {replay.error && <ProblemBox error={replay.error} />}
      <Rows
        of={list}
        what="the deliveries"
        name="Deliveries"
        columns={columns}
        keyOf={({ id: one }) => one}
        none="Nothing was sent yet."
      />
    </Panel>
  );
}

const column = columnsOf<Delivery>();
const DELIVERED: readonly Column<Delivery>[] = [
  column('type', 'Message', (type) => <span title={type}>{words(type.replace(/^[a-z]+\./, ''))}</span>),
  column('state', 'State', (state) => `${SIGNS[state]} ${state}`),
  column('attempts', 'Attempts', asIs, { number: true, wide: true }),
  columnBy(
    'Last reply',
    ({ last_status: status, last_detail: detail, attempts }) =>
      status === null && detail === null ? (
        <Missing why="too_early" words={attempts === 0 ? 'It was not sent yet.' : 'No reply came yet.'} />
      ) : (
        [status, detail].filter((part) => part !== null).join(': ')
      ),
    { csv: ({ last_status: status }) => status },
  ),
  column('created_at', 'Made', moment, WIDE),
];

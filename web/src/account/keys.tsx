import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { SCOPES, type Scope, useAccount } from '../data/account.ts';
import { useServiceNow } from '../data/clock.ts';
import { read, useChange } from '../data/service.ts';
import { Button } from '../parts/button.tsx';
import { Choices } from '../parts/choices.tsx';
import { Dialog } from '../parts/dialog.tsx';
import type { Given } from '../parts/form.tsx';
import { Field, Form, Select } from '../parts/form.tsx';
import { orMissing } from '../parts/missing.tsx';
import { Moment, moment } from '../parts/moment.tsx';
import { Panel } from '../parts/panel.tsx';
import { ProblemBox } from '../parts/problem.tsx';
import { Rows } from '../parts/rows.tsx';
import { Secret } from '../parts/secret.tsx';
import { type Column, columnBy, columnsOf, WIDE } from '../parts/table.tsx';
import { useToast } from '../parts/toast.tsx';
import { Twice } from '../parts/twice.tsx';
import type { ReplyOf } from '../types.ts';

type Key = ReplyOf<'GET /v1/account/keys'>['data'][number];
type Of = 'account' | 'admin';

/** How long a replaced key stays valid, so that its users can change over. */
const OVERLAPS = [
  ['0', 'at once'],
  ['3600', 'after an hour'],
  ['86400', 'after a day'],
  ['604800', 'after a week'],
] as const;

/** Keys: create, replace, revoke. Of the account, for its owner; or of all accounts, for the operator. */
export function Keys({ of }: { readonly of: Of }) {
  const list = useQuery<{ readonly data: readonly Key[] }>(
    of === 'admin' ? (read('GET /v1/admin/keys') as never) : (read('GET /v1/account/keys') as never),
  );
  const own = useAccount().data?.key.id;
  const [opened, setOpened] = useState<'new' | Key | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const tell = useToast();
  const now = useServiceNow();
  const revoke = useChange(`DELETE /v1/${of}/keys/{id}`, [`GET /v1/${of}/keys`, 'GET /v1/account']);
  const columns: readonly Column<Key>[] = [
    ...COLUMNS,
    ...(of === 'admin' ? ADMIN_COLUMNS : []),
    columnBy(
      'Change',
      (key) =>
        isWorking(key, now) && (
          <span className="actions">
            <Button aria-label={`Replace the key ${key.name}`} onClick={() => setOpened(key)}>
              Replace
            </Button>
            {key.id === own ? (
              <span className="q">this one is in use here</span>
            ) : (
              <Twice
                name="Revoke"
                about={`the key ${key.name}`}
                onSure={() =>
                  revoke.mutate({ path: { id: key.id } }, { onSuccess: () => tell(`${key.name} works no longer.`) })
                }
              />
            )}
          </span>
        ),
      { id: 'do' },
    ),
  ];
  const close = () => setOpened(null);
  const made = (next: string) => {
    close();
    setSecret(next);
  };
  return (
    <Panel
      title={of === 'admin' ? 'Keys of all accounts' : 'Keys of the account'}
      meta={
        <Button primary onClick={() => setOpened('new')}>
          New key
        </Button>
      }
    >
      {revoke.error && <ProblemBox error={revoke.error} />}
      <Rows
        of={list}
        what="the keys"
        name={of === 'admin' ? 'Keys of all accounts' : 'Keys'}
        columns={columns}
        keyOf={({ id }) => id}
      />
      {opened === 'new' && <NewKey of={of} onMade={made} onClose={close} />}
      {opened !== null && opened !== 'new' && <Replace of={of} old={opened} onMade={made} onClose={close} />}
      {secret && (
        <Secret title="The new key" secret={secret} onClose={() => setSecret(null)}>
          Keep it where your program reads it; only its hash stays here.
        </Secret>
      )}
    </Panel>
  );
}

const column = columnsOf<Key>();
const COLUMNS: readonly Column<Key>[] = [
  columnBy(
    'Key',
    ({ name, prefix }) => (
      <>
        <b>{name}</b>
        <span className="under">
          <code>{prefix}…</code>
        </span>
      </>
    ),
    { id: 'name', value: ({ name }) => name },
  ),
  columnBy('May', ({ scopes }) => scopes.join(', '), { id: 'scopes', csv: ({ scopes }) => scopes.join(' ') }),
  columnBy(
    'State',
    ({ revoked_at: revoked, expires_at: expires }) =>
      revoked !== null ? (
        <>
          ○ revoked <Moment at={revoked} />
        </>
      ) : expires !== null ? (
        <Until at={expires} />
      ) : (
        '● valid'
      ),
    { csv: ({ revoked_at: revoked }) => (revoked === null ? 'valid' : 'revoked') },
  ),
  column('last_used_at', 'Last used', orMissing('never', 'No request came with it yet.', moment), WIDE),
  columnBy('From', ({ allowed_ips: ips }) => ips.join(', ') || 'any address', {
    extra: true,
    csv: ({ allowed_ips: ips }) => ips.join(' '),
  }),
];
const ADMIN_COLUMNS: readonly Column<Key>[] = [
  columnBy(
    'Account and plan',
    ({ account_id: account, plan }) => (
      <>
        <code>{account}</code>
        <span className="under">{plan}</span>
      </>
    ),
    { ...WIDE, id: 'account', value: ({ account_id: account }) => account },
  ),
];

function isWorking({ revoked_at: revoked, expires_at: expires }: Key, now: number): boolean {
  return revoked === null && (expires === null || Date.parse(expires) > now);
}

function Until({ at }: { readonly at: string }) {
  return (
    <>
      {Date.parse(at) > useServiceNow() ? '● until' : '○ ended'} <Moment at={at} />
    </>
  );
}

interface MakesKey {
  readonly of: Of;
  readonly onMade: (secret: string) => void;
  readonly onClose: () => void;
}

function NewKey({ of, onMade, onClose }: MakesKey) {
  const account = useAccount();
  const plans = useQuery({ ...read('GET /v1/plans'), enabled: of === 'admin' });
  const create = useChange(`POST /v1/${of}/keys`, [`GET /v1/${of}/keys`, 'GET /v1/account']);
  // A key has at most the scopes of the key that creates it.
  const own = account.data?.key.scopes ?? [];
  const offered = (Object.keys(SCOPES) as Scope[]).filter((scope) => of === 'admin' || own.includes(scope));
  const onSend = ({ text, ticked }: Given) => {
    const [ends, ips] = [text('ends'), text('ips')];
    const body = {
      name: text('name'),
      scopes: ticked('scope', Object.keys(SCOPES) as Scope[]),
      ...(of === 'admin' ? { plan: text('plan') } : {}),
      ...(ends ? { expires_at: `${ends}T23:59:59Z` } : {}),
      ...(ips ? { allowed_ips: ips.split(/[\s,]+/) } : {}),
    };
    create.mutate({ body }, { onSuccess: ({ secret }) => onMade(secret) });
  };
  return (
    <Dialog title="New key" onClose={onClose}>
      <Form change={create} submit="Make the key" onSend={onSend}>
        <Field
          label="Name: who uses it, and for what"
          name="name"
          required
          maxLength={100}
          placeholder="Reports of the desk"
        />
        {of === 'admin' && (
          <Field label="Plan">
            <Select
              key={plans.status}
              name="plan"
              defaultValue="RATING"
              options={(plans.data?.data ?? []).map(({ name, title }) => [name, `${name}: ${title}`])}
            />
          </Field>
        )}
        <Choices
          legend="What it may do"
          className="choices"
          name="scope"
          words={offered}
          say={(scope) => (
            <>
              <code>{scope}</code> {SCOPES[scope]}
            </>
          )}
          isOn={(scope) => scope === 'rms:read'}
        />
        <Field label="Last day, UTC (optional)" name="ends" type="date" />
        <Field
          label="Only from these addresses (optional; IPs or CIDR ranges)"
          name="ips"
          maxLength={500}
          placeholder="203.0.113.0/24"
        />
      </Form>
    </Dialog>
  );
}

function Replace({ of, old, onMade, onClose }: MakesKey & { readonly old: Key }) {
  const rotate = useChange(`POST /v1/${of}/keys/{id}/rotate`, [`GET /v1/${of}/keys`, 'GET /v1/account']);
  const onSend = ({ text }: Given) =>
    rotate.mutate(
      { path: { id: old.id }, body: { overlap_seconds: Number(text('overlap')) } },
      { onSuccess: ({ secret }) => onMade(secret) },
    );
  return (
    <Dialog title={`Replace ${old.name}`} onClose={onClose}>
      <Form change={rotate} submit="Replace it" onSend={onSend}>
        <p>The new key may do the same, on the same plan.</p>
        <Field label="The old one ends">
          <Select name="overlap" defaultValue="86400" options={OVERLAPS} />
        </Field>
      </Form>
    </Dialog>
  );
}

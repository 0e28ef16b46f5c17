import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { SCOPES, useAccount } from '../data/account.ts';
import { useServiceNow } from '../data/clock.ts';
import { read, useChange } from '../data/service.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Missing } from '../parts/missing.tsx';
import { Moment } from '../parts/moment.tsx';
import { Panel } from '../parts/panel.tsx';
import { Loaded, ProblemBox } from '../parts/problem.tsx';
import { Secret } from '../parts/secret.tsx';
import { type Column, columnBy, Table, WIDE } from '../parts/table.tsx';
import { useToast } from '../parts/toast.tsx';
import { Twice } from '../parts/twice.tsx';
import type { ReplyOf } from '../types.ts';

type Key = ReplyOf<'GET /v1/account/keys'>['data'][number];
type Of = 'account' | 'admin';

/** How long a replaced key still works, so that its users can change over. */
const OVERLAPS = [
  ['0', 'at once'],
  ['3600', 'after an hour'],
  ['86400', 'after a day'],
  ['604800', 'after a week'],
] as const;

/** Keys: made, replaced, revoked. Of the account, for its owner; or of all accounts, for the operator. */
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
            <button
              type="button"
              className="button"
              aria-label={`Replace the key ${key.name}`}
              onClick={() => setOpened(key)}
            >
              Replace
            </button>
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
        <button type="button" className="button primary" onClick={() => setOpened('new')}>
          New key
        </button>
      }
    >
      {revoke.error && <ProblemBox error={revoke.error} />}
      <Loaded query={list} what="the keys">
        {({ data }) => (
          <Table
            name={of === 'admin' ? 'Keys of all accounts' : 'Keys'}
            columns={columns}
            rows={data}
            keyOf={({ id }) => id}
          />
        )}
      </Loaded>
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
  columnBy(
    'Last used',
    ({ last_used_at: at }) =>
      at === null ? <Missing why="never" words="No request came with it yet." /> : <Moment at={at} />,
    { ...WIDE, id: 'used', value: ({ last_used_at: at }) => at },
  ),
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
  // An account's key may do what the key that makes it may do, or less.
  const own = account.data?.key.scopes ?? [];
  const offered = SCOPES.filter(([scope]) => of === 'admin' || own.includes(scope));
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    const [ends, ips] = ['ends', 'ips'].map((name) => String(given.get(name) ?? '').trim());
    const body = {
      name: String(given.get('name')).trim(),
      scopes: SCOPES.map(([scope]) => scope).filter((scope) => given.getAll('scope').includes(scope)),
      ...(of === 'admin' ? { plan: String(given.get('plan')) } : {}),
      ...(ends ? { expires_at: `${ends}T23:59:59Z` } : {}),
      ...(ips ? { allowed_ips: ips.split(/[\s,]+/) } : {}),
    };
    create.mutate({ body }, { onSuccess: ({ secret }) => onMade(secret) });
  };
  return (
    <Dialog title="New key" onClose={onClose}>
      <form className="form" onSubmit={submit}>
        <label>
          <span>Name: who uses it, and for what</span>
          <input name="name" required maxLength={100} placeholder="Reports of the desk" />
        </label>
        {of === 'admin' && (
          <label>
            <span>Plan</span>
            <select key={plans.status} name="plan" defaultValue="RATING">
              {plans.data?.data.map(({ name, title }) => (
                <option key={name} value={name}>
                  {name}: {title}
                </option>
              ))}
            </select>
          </label>
        )}
        <fieldset className="choices">
          <legend>What it may do</legend>
          {offered.map(([scope, title]) => (
            <label key={scope}>
              <input type="checkbox" name="scope" value={scope} defaultChecked={scope === 'rms:read'} />{' '}
              <span>
                <code>{scope}</code> {title}
              </span>
            </label>
          ))}
        </fieldset>
        <label>
          <span>Last day, UTC (optional)</span>
          <input name="ends" type="date" />
        </label>
        <label>
          <span>Only from these addresses (optional; IPs or CIDR ranges)</span>
          <input name="ips" maxLength={500} placeholder="203.0.113.0/24" />
        </label>
        {create.error && <ProblemBox error={create.error} />}
        <span>
          <button type="submit" className="button primary" disabled={create.isPending}>
            Make the key
          </button>
        </span>
      </form>
    </Dialog>
  );
}

function Replace({ of, old, onMade, onClose }: MakesKey & { readonly old: Key }) {
  const rotate = useChange(`POST /v1/${of}/keys/{id}/rotate`, [`GET /v1/${of}/keys`, 'GET /v1/account']);
  return (
    <Dialog title={`Replace ${old.name}`} onClose={onClose}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          const overlap = Number(new FormData(event.currentTarget).get('overlap'));
          rotate.mutate(
            { path: { id: old.id }, body: { overlap_seconds: overlap } },
            { onSuccess: ({ secret }) => onMade(secret) },
          );
        }}
      >
        <p>The new key may do the same, on the same plan.</p>
        <label>
          <span>The old one ends</span>
          <select name="overlap" defaultValue="86400">
            {OVERLAPS.map(([seconds, title]) => (
              <option key={seconds} value={seconds}>
                {title}
              </option>
            ))}
          </select>
        </label>
        {rotate.error && <ProblemBox error={rotate.error} />}
        <span>
          <button type="submit" className="button primary" disabled={rotate.isPending}>
            Replace it
          </button>
        </span>
      </form>
    </Dialog>
  );
}

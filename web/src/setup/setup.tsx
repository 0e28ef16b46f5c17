import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { OperationName, Reply } from '../../../client/src/operation.ts';
import { read, useChange } from '../data/service.ts';
import { count, many, words } from '../format.ts';
import { Figures, PageHead, Panel } from '../parts/panel.tsx';
import { Loaded } from '../parts/problem.tsx';
import { type Column, columnBy, Table } from '../parts/table.tsx';
import { FirstRatings } from './first-ratings.tsx';
import './setup.css';
import { Button } from '../parts/button.tsx';
import { LinkButton } from '../parts/link-button.tsx';

type Setup = Reply<Extract<OperationName, 'GET /v1/setup'>>;
type Source = Setup['sources'][number];

const SECOND_MS = 1_000;

/** The first start: which sources reply, which keys would add more, the assets an hour that this allows, and three assets rated. */
export function Page() {
  const query = useQuery({
    ...read('GET /v1/setup'),
    // The check is updated as sources reply.
    refetchInterval: ({ state }) => (state.data?.proof.state === 'running' ? SECOND_MS : false),
  });
  return (
    <Loaded query={query} what="what works here">
      {(setup) => <Content setup={setup} />}
    </Loaded>
  );
}

function Content({ setup }: { readonly setup: Setup }) {
  const prove = useChange('POST /v1/setup/prove', ['GET /v1/setup']);
  const { proof } = setup;
  const isNew = proof.state === 'none' && proof.assets.length > 0;
  const begin = prove.mutate;
  useEffect(() => {
    if (isNew) begin({});
  }, [isNew, begin]);
  return (
    <div className="setup">
      <PageHead
        title="First start"
        sub={`Version ${setup.version}${setup.data_mode === 'sandbox' ? ', on fictional data' : ''}. You may leave this page: running work continues.`}
      >
        <Button
          disabled={proof.state === 'running' || proof.assets.length === 0 || prove.isPending}
          onClick={() => prove.mutate({})}
        >
          {proof.state === 'running' ? 'Asking the sources …' : 'Ask the sources again'}
        </Button>
      </PageHead>
      {setup.internet === 'unreachable' && <NoInternet />}
      {setup.internet !== 'unreachable' && setup.suggested.length > 0 && <FirstRatings assets={setup.suggested} />}
      <div className="grid setup-grid">
        <Sources setup={setup} />
        <Keys setup={setup} />
        <Capacity setup={setup} />
      </div>
    </div>
  );
}

function NoInternet() {
  return (
    <div className="problem" role="alert">
      <b>This machine reaches no source</b>
      <p>
        None of the public sources answered, so nothing can be rated here. Check name resolution, the firewall and
        proxies: Assay uses no proxy. <code>npx assay doctor</code> names what is in the way. Without internet,{' '}
        <code>npm run demo</code> shows the whole product on a fictional world.
      </p>
    </div>
  );
}

const ORDER: readonly Source['state'][] = ['fails', 'answers', 'waiting', 'not_asked', 'off'];
const MARKS: Readonly<Record<Source['state'], string>> = {
  answers: '✓',
  fails: '✕',
  waiting: '…',
  not_asked: '·',
  off: '–',
};

function Sources({ setup: { sources, proof } }: { readonly setup: Setup }) {
  const sorted = [...sources].sort((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state));
  // One that failed so far may still reply: it is counted as requested.
  const heard = sources.filter(({ state, replies, failures }) => state !== 'off' && replies + failures > 0).length;
  return (
    <Panel
      title="Which sources answer"
      meta={`${proof.sources_answering} of ${proof.sources_on} answer${proof.sources_failing > 0 ? `, ${proof.sources_failing} do not` : ''}`}
      className="setup-sources"
      foot={`Each was requested for ${proof.assets.join(', ') || 'nothing yet'}, within its limit of requests. For every endpoint: npx assay sources prove.`}
    >
      <progress aria-label="Sources heard" max={Math.max(1, proof.sources_on)} value={heard} />
      <ul>
        {sorted.map((source) => (
          <li key={source.source} data-state={source.state}>
            <span className="mark" aria-hidden="true">
              {MARKS[source.state]}
            </span>
            <b>{source.title}</b>
            <span className="took">{tookOf(source)}</span>
            <span className="about">{aboutOf(source)}</span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function tookOf({ state, latency_ms: latency, is_local: isLocal }: Source): string {
  if (isLocal) return 'on this disk';
  return latency === null ? words(state) : `${Math.round(latency)} ms`;
}

function aboutOf({ state, detail, findings, gives, per_minute: perMinute }: Source): string {
  const [finding] = findings;
  if (finding !== undefined && state === 'answers') return finding;
  if (detail !== null) return detail;
  return [gives.map(words).join(', '), `${count(perMinute)} requests a minute`].filter(Boolean).join(' · ');
}

const KEYS: readonly Column<Setup['keys'][number]>[] = [
  columnBy('Source', ({ from, title }) => (
    <a href={from} rel="noreferrer" target="_blank">
      <b>{title}</b>
    </a>
  )),
  columnBy('What it adds', ({ adds, required }) => (
    <>
      {adds}
      {required && <span className="qq"> (off without it)</span>}
    </>
  )),
  columnBy('Setting', ({ is_set: isSet, setting }) => (isSet ? 'set' : <Breakable name={setting} />)),
];

/** The name of a setting, which on a phone is broken before the source. */
function Breakable({ name }: { readonly name: string }) {
  const [head, tail] = name.split(/(?<=_SOURCE_)/);
  return (
    <code>
      {head}
      <wbr />
      {tail}
    </code>
  );
}

function Keys({ setup: { keys } }: { readonly setup: Setup }) {
  const set = keys.filter((key) => key.is_set).length;
  return (
    <Panel
      title="Keys that would add something"
      meta={set === 0 ? 'none is set, none is needed' : `${set} set`}
      foot="Keys are read from the environment when the service starts and are never stored by it: write the setting, then start it again."
    >
      <Table name="Keys" tools={false} columns={KEYS} rows={keys} keyOf={({ source }) => source} />
    </Panel>
  );
}

const SHOWN = 8;

function Capacity({ setup }: { readonly setup: Setup }) {
  const { assets_per_hour: hourly, capacity, proof } = setup;
  if (hourly === null)
    return (
      <Panel title="Assets an hour">
        <p className="q">
          {proof.state === 'finished'
            ? 'Not known: no source with a limit of requests replied.'
            : 'Counted when the sources have been requested: each states how many requests it allows.'}
        </p>
      </Panel>
    );
  const most = Math.max(...capacity.slice(0, SHOWN).map((row) => row.assets_per_hour));
  const title = (name: string) => setup.sources.find(({ source }) => source === name)?.title ?? name;
  return (
    <Panel
      title="Assets an hour"
      meta="what the sources allow"
      foot={`${many(hourly * 24, 'asset')} rated once a day, or ${many(hourly, 'asset')} every hour. The scarcest source sets the limit.`}
    >
      <Figures
        figures={[
          { name: 'all budgets together', value: count(hourly), more: `limited by ${title(setup.limited_by ?? '')}` },
        ]}
      />
      <ul className="setup-capacity">
        {capacity.slice(0, SHOWN).map((row) => (
          <li key={row.source}>
            <span>{title(row.source)}</span>
            <span className="track" aria-hidden="true">
              <span style={{ width: `${(100 * row.assets_per_hour) / most}%` }} />
            </span>
            <b>{count(row.assets_per_hour)}</b>
            <span className="qq">
              {many(row.requests_per_asset, 'request')} each, {count(row.per_minute)} a minute
              {row.assets_per_hour_with_key !== null && `; ${count(row.assets_per_hour_with_key)} with a free key`}
            </span>
          </li>
        ))}
      </ul>
      <p className="setup-next">
        <LinkButton to="/score">Rate another project</LinkButton>
      </p>
    </Panel>
  );
}

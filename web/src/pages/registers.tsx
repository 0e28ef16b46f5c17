import { useState } from 'react';
import { AssetLink } from '../parts/asset-link.tsx';
import { Table } from '../parts/old-table.tsx';
import { RegisterSources, RegisterState } from '../parts/register-state.tsx';
import { Read } from '../parts/state.tsx';
import { linkTo } from '../route.ts';
import type { ReplyOf } from '../types.ts';
import { useRead } from '../use-read.ts';

type List = ReplyOf<'GET /v1/registers'>;
type Rows = ReplyOf<'GET /v1/registers/{name}'>;
type Row = Rows['data'][number];
type Cell = Row['cells'][number];

const MOST_ASSETS = 4;
const STATES = ['confirmed', 'unconfirmed', 'expired'] as const;

/** The kept registers: facts that no API states, each row with its source, who reviewed it and when it ends. */
export function RegistersPage({ name, asset }: { readonly name: string; readonly asset: string }) {
  const list = useRead<List>('/v1/registers');
  return (
    <>
      <h1>Registers</h1>
      <p>
        Who issues a token, who may make the blocks of a chain, what a holder is owed: facts that no API states are kept
        as rows. A row is confirmed when a source that was read proves every cell and two people reviewed it; what is
        unconfirmed counts less, and never as supervised.
      </p>
      <Read reading={list} what="the registers">
        {({ data }) => (
          <>
            <section className="card">
              <h2>All registers</h2>
              <Table
                caption="Kept registers"
                rows={data}
                keyOf={(row) => row.name}
                columns={[
                  {
                    title: 'Register',
                    of: (row) => (
                      <a
                        href={linkTo('registers', row.name)}
                        aria-current={row.name === (name || data[0]?.name) ? 'true' : undefined}
                      >
                        {row.name}
                      </a>
                    ),
                  },
                  { title: 'A row is about', of: ({ about }) => about },
                  { title: 'Rows', number: true, of: ({ rows }) => rows.toLocaleString('en-US') },
                  { title: 'Confirmed', number: true, of: ({ confirmed }) => confirmed.toLocaleString('en-US') },
                  { title: 'Unconfirmed', number: true, of: ({ unconfirmed }) => unconfirmed.toLocaleString('en-US') },
                  { title: 'Expired', number: true, of: ({ expired }) => expired.toLocaleString('en-US') },
                  { title: 'Own', number: true, of: ({ own }) => own.toLocaleString('en-US') },
                  {
                    title: 'First expiry',
                    of: ({ oldest_expiry: day }) => <span className="nowrap">{day ?? '–'}</span>,
                  },
                ]}
              />
            </section>
            <RegisterRows key={`${name} ${asset}`} name={name || (data[0]?.name ?? '')} asset={asset} />
          </>
        )}
      </Read>
    </>
  );
}

function RegisterRows({ name, asset }: { readonly name: string; readonly asset: string }) {
  const [state, setState] = useState('');
  // Cursors of the pages before, so that the reader can go back.
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const query = new URLSearchParams({
    ...(asset === '' ? {} : { asset }),
    ...(state === '' ? {} : { state }),
    ...(cursors.length === 0 ? {} : { cursor: cursors.at(-1) ?? '' }),
    limit: '25',
  });
  const reading = useRead<Rows>(name === '' ? null : `/v1/registers/${encodeURIComponent(name)}?${query}`);
  return (
    <section className="card">
      <h2>Rows of {name}</h2>
      {asset !== '' && (
        <p className="note wrap">
          Only what speaks of {asset}. <a href={linkTo('registers', name)}>Show all rows</a>
        </p>
      )}
      <label className="choice">
        <span>State</span>
        <select
          value={state}
          onChange={(event) => {
            setState(event.target.value);
            setCursors([]);
          }}
        >
          <option value="">any</option>
          {STATES.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      </label>
      <Read reading={reading} what="the rows">
        {({ data, next_cursor: next }) => (
          <>
            {data.length === 0 ? (
              <p className="quiet">No such row.</p>
            ) : (
              <Table
                caption={`Rows of the register ${name}`}
                rows={data}
                keyOf={({ id, own }) => `${id} ${own}`}
                columns={[
                  { title: 'Row', of: (row) => <Title row={row} /> },
                  { title: 'State', of: (row) => <RegisterState state={row.state} /> },
                  { title: 'What it says', of: ({ cells }) => <Cells cells={cells} /> },
                  { title: 'Assets', of: ({ assets }) => <Assets assets={assets} /> },
                  { title: 'Sources', of: ({ sources }) => <RegisterSources sources={sources} /> },
                  { title: 'Reviewers', number: true, of: ({ reviewers }) => reviewers.length },
                  { title: 'Expires', of: ({ expires }) => <span className="nowrap">{expires ?? '–'}</span> },
                ]}
              />
            )}
            <p className="buttons">
              {cursors.length > 0 && (
                <button type="button" onClick={() => setCursors(cursors.slice(0, -1))}>
                  Before
                </button>
              )}{' '}
              {next !== null && (
                <button type="button" onClick={() => setCursors([...cursors, next])}>
                  Next
                </button>
              )}
            </p>
          </>
        )}
      </Read>
    </section>
  );
}

function Title({ row }: { readonly row: Row }) {
  return (
    <>
      <strong className="wrap">{row.name ?? row.id}</strong>
      <span className="under wrap">
        {row.symbol === null ? row.id : `${row.symbol} · ${row.id}`}
        {row.own ? ' · the operator’s own' : ''}
      </span>
      {row.note !== null && <span className="under wrap">{row.note}</span>}
    </>
  );
}

function Cells({ cells }: { readonly cells: readonly Cell[] }) {
  const unsure = cells.filter(({ state }) => state !== 'proven').length;
  return (
    <details>
      <summary>
        {cells.length} cells{unsure > 0 ? `, ${unsure} not proven` : ''}
      </summary>
      <ul className="plain">
        {cells.map(({ name, value, state, sources }) => (
          <li key={name} className="wrap">
            <strong>{name}</strong> {textOf(value)} <RegisterState state={state} />
            {sources.length > 0 && <span className="quiet"> {sources.join(', ')}</span>}
          </li>
        ))}
      </ul>
    </details>
  );
}

function Assets({ assets }: { readonly assets: readonly string[] }) {
  if (assets.length === 0) return <span className="quiet">none by address</span>;
  return (
    <ul className="plain roomy">
      {assets.slice(0, MOST_ASSETS).map((id) => (
        <li key={id}>
          <AssetLink id={id} symbol={null} name={null} />
        </li>
      ))}
      {assets.length > MOST_ASSETS && <li className="quiet">and {assets.length - MOST_ASSETS} more</li>}
    </ul>
  );
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useList } from '../data/list.ts';
import { read } from '../data/service.ts';
import { count, REGISTER_STATES, words } from '../format.ts';
import { AssetLink } from '../parts/asset-link.tsx';
import { Button } from '../parts/button.tsx';
import { Select } from '../parts/form.tsx';
import { Missing, orMissing } from '../parts/missing.tsx';
import { PageHead, Panel } from '../parts/panel.tsx';
import { Loaded } from '../parts/problem.tsx';
import { RegisterSources, RegisterState } from '../parts/register-state.tsx';
import { Rows } from '../parts/rows.tsx';
import { asIs, type Column, columnBy, columnsOf, NUMBER, Table, WIDE } from '../parts/table.tsx';
import type { ReplyOf } from '../types.ts';

type Register = ReplyOf<'GET /v1/registers'>['data'][number];
type Row = ReplyOf<'GET /v1/registers/{name}'>['data'][number];

const MOST_ASSETS = 4;

/** The registers: facts that no API provides, each row with its source, its reviewer and its expiry. */
export function Page() {
  const { name } = useParams({ strict: false });
  const list = useQuery(read('GET /v1/registers'));
  return (
    <>
      <PageHead title="Registers" sub="Facts that no API states, kept as rows with their sources." />
      <Loaded query={list} what="the registers">
        {({ data }) => (
          <div className="grid">
            <Panel
              title="All registers"
              foot="A row is confirmed when a source that was read proves every cell and two people reviewed it; what is unconfirmed counts less, and never as supervised."
            >
              <Table name="Registers" columns={REGISTERS} rows={data} keyOf={(row) => row.name} tools={false} />
            </Panel>
            <RegisterRows name={name ?? data[0]?.name ?? ''} />
          </div>
        )}
      </Loaded>
    </>
  );
}

const registerColumn = columnsOf<Register>();
const REGISTERS: readonly Column<Register>[] = [
  columnBy(
    'Register',
    ({ name, about }) => (
      <>
        <Link to="/registers/$name" params={{ name }} className="pressed">
          {words(name)}
        </Link>
        <span className="under">{about}</span>
      </>
    ),
    { id: 'name', value: ({ name }) => name },
  ),
  registerColumn('rows', 'Rows', count, NUMBER),
  registerColumn('confirmed', 'Confirmed', count, NUMBER),
  registerColumn('unconfirmed', 'Unconfirmed', count, { ...NUMBER, ...WIDE }),
  registerColumn('expired', 'Expired', count, { ...NUMBER, ...WIDE }),
  registerColumn('own', 'Own', count, { ...NUMBER, ...WIDE }),
  registerColumn('oldest_expiry', 'First expiry', orMissing('never', 'None of its rows expires.', asIs), WIDE),
];

function RegisterRows({ name }: { readonly name: string }) {
  const { asset, state } = useSearch({ strict: false }) as { asset?: string; state?: Row['state'] };
  const navigate = useNavigate();
  const query = { limit: 25, ...(asset ? { asset } : {}), ...(state ? { state } : {}) };
  const list = useList('GET /v1/registers/{name}', { path: { name }, query }, { enabled: name !== '' });
  const put = (change: { asset?: string | undefined; state?: Row['state'] | undefined }) =>
    navigate({
      to: '/registers/$name',
      params: { name },
      search: { asset, state, ...change },
      replace: true,
    });
  return (
    <Panel title={`Rows of ${name}`}>
      <div className="chips">
        <Select
          label="State of the rows"
          any="In any state"
          options={REGISTER_STATES.map((one) => [one, one])}
          value={state}
          onChoose={(one) => put({ state: one })}
        />
        {asset && (
          <Button className="chip" data-on onClick={() => put({ asset: undefined })}>
            Only what speaks of {asset}: show all
          </Button>
        )}
      </div>
      <Rows
        of={list}
        what="the rows"
        name={`Rows of ${name}`}
        columns={ROWS}
        keyOf={({ id, own }) => `${id} ${own}`}
        none="The register has no such row."
      />
    </Panel>
  );
}

const column = columnsOf<Row>();
const ROWS: readonly Column<Row>[] = [
  columnBy(
    'Row',
    ({ name, id, symbol, own, note, expires }) => (
      <>
        <b>{name ?? id}</b>
        <span className="under">
          {symbol === null ? id : `${symbol} · ${id}`}
          {own ? ' · the operator’s own' : ''}
          {expires !== null && (
            <>
              {' '}
              · <span className="nowrap">until {expires}</span>
            </>
          )}
        </span>
        {note !== null && <span className="under">{note}</span>}
      </>
    ),
    { id: 'name', value: ({ name, id }) => name ?? id },
  ),
  column('state', 'State', (state) => <RegisterState state={state} />),
  columnBy('What it says', ({ cells }) => <Cells cells={cells} />, { id: 'says' }),
  columnBy(
    'Assets',
    ({ assets }) =>
      assets.length === 0 ? (
        <Missing why="none" words="The row names no token by its address." />
      ) : (
        <ul>
          {assets.slice(0, MOST_ASSETS).map((id) => (
            <li key={id}>
              <AssetLink id={id} symbol={null} name={null} />
            </li>
          ))}
          {assets.length > MOST_ASSETS && <li className="q">and {assets.length - MOST_ASSETS} more</li>}
        </ul>
      ),
    { ...WIDE, csv: ({ assets }) => assets.join(' ') },
  ),
  columnBy('Sources', ({ sources }) => <RegisterSources sources={sources} />, WIDE),
  columnBy('Reviewers', ({ reviewers }) => reviewers.length, {
    ...NUMBER,
    ...WIDE,
    value: ({ reviewers }) => reviewers.length,
  }),
];

function Cells({ cells }: Pick<Row, 'cells'>) {
  const unsure = cells.filter(({ state }) => state !== 'proven').length;
  return (
    <details>
      <summary>
        {cells.length} cells{unsure > 0 ? `, ${unsure} not proven` : ''}
      </summary>
      <ul>
        {cells.map(({ name, value, state, sources }) => (
          <li key={name}>
            <b>{name.replaceAll('_', ' ')}</b> {typeof value === 'string' ? value : JSON.stringify(value)}{' '}
            <RegisterState state={state} /> {sources.length > 0 && <span className="q">{sources.join(', ')}</span>}
          </li>
        ))}
      </ul>
    </details>
  );
}

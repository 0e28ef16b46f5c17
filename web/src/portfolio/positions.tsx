import { Link } from '@tanstack/react-router';
import { count, dollars, percent, points, withDays } from '../format.ts';
import { AssetLink } from '../parts/asset-link.tsx';
import { Band } from '../parts/marks.tsx';
import { Known, Missing } from '../parts/missing.tsx';
import { Panel } from '../parts/panel.tsx';
import { type Column, columnBy, NUMBER, Table, WIDE } from '../parts/table.tsx';
import type { Portfolio, Position } from './in-words.ts';
import { Outcome } from './outcome.tsx';

type Row = Position & { readonly key: string };

const ORDER = ['block', 'caution', 'allow'];

/** Each position with its verdict, every rule that fired, and the part of it that can be sold. */
export function Positions({ portfolio }: { readonly portfolio: Portfolio }) {
  const rows = portfolio.positions.map((one, index): Row => ({ ...one, key: String(index) }));
  return (
    <Panel className="positions" title="Positions" sub={`${count(rows.length)}, in the order given`}>
      {rows.length === 0 ? (
        <p className="empty">The address holds nothing that was looked at. What may be missing stands below.</p>
      ) : (
        <Table name="Positions" columns={COLUMNS} rows={rows} keyOf={({ key }) => key} />
      )}
    </Panel>
  );
}

const METHODS = {
  exact: 'exact, from pools read on the chain',
  tvl_proxy: 'estimated from what indexers report',
  order_books: 'bids of exchanges, without their fees',
} as const;

const COLUMNS: readonly Column<Row>[] = [
  columnBy(
    'Asset',
    ({ asset_id: id, symbol, requested }) =>
      id === null ? <b className="asset-name">{requested}</b> : <AssetLink id={id} symbol={symbol} name={null} />,
    { value: ({ symbol, requested }) => symbol ?? requested },
  ),
  columnBy(
    'Id',
    ({ asset_id: id }) => (
      <Known value={id} why="none" words="The text names no asset, or several.">
        {(value) => <code>{value}</code>}
      </Known>
    ),
    {
      extra: true,
      value: ({ asset_id: id }) => id,
    },
  ),
  columnBy('Answer', ({ outcome }) => <Outcome of={outcome} />, {
    value: ({ outcome }) => ORDER.indexOf(outcome),
    csv: ({ outcome }) => outcome,
  }),
  columnBy('Band', ({ band }) => <Band band={band} />, { value: ({ band }) => band }),
  columnBy(
    'Score',
    ({ score }) => (
      <Known value={score} why="not_rated" words="There is no rating, or its evidence is too thin for a score.">
        {points}
      </Known>
    ),
    { ...NUMBER, ...WIDE, value: ({ score }) => score },
  ),
  columnBy(
    'Value',
    ({ value_usd: value }) => (
      <Known value={value} why="no_source" words="No price of it is known here. It counts nothing in the whole.">
        {dollars}
      </Known>
    ),
    { ...NUMBER, value: ({ value_usd: value }) => value },
  ),
  columnBy('Share', ({ share }) => percent(share * 100, 1), { ...NUMBER, ...WIDE, value: ({ share }) => share }),
  columnBy(
    'Can be sold',
    ({ largest_exposure: exit }) =>
      exit === null ? (
        <Missing why="no_source" words="Neither pools nor order books of it are known." />
      ) : (
        <>
          {dollars(exit.size_usd)}
          <span className="under">
            at {exit.max_cost_pct} %, {METHODS[exit.method]}
          </span>
        </>
      ),
    { ...NUMBER, ...WIDE, value: ({ largest_exposure: exit }) => exit?.size_usd },
  ),
  columnBy('Why', (row) => <RuleReasons row={row} />, {
    csv: ({ fired }) => fired.map(({ detail }) => detail).join(' '),
  }),
];

function RuleReasons({ row: { fired, met, next, asset_id: id, requested } }: { readonly row: Row }) {
  const job = next?.job?.split('/').at(-1);
  return (
    <>
      {fired.length === 0 && <span className="q">All {count(met.length)} rules that apply are met.</span>}
      <ul>
        {fired.map(({ rule, outcome, detail }) => (
          <li key={`${rule} ${detail}`}>
            <span className="vh">{outcome}: </span>
            {withDays(detail)}
          </li>
        ))}
      </ul>
      {next && (
        <span className="under">
          {job === undefined ? (
            <Link to="/score" search={{ asset: id ?? requested }}>
              Have it rated
            </Link>
          ) : (
            <Link to="/job/$id" params={{ id: job }}>
              It is being rated
            </Link>
          )}
        </span>
      )}
    </>
  );
}

import { percent } from '../../format.ts';
import { Address } from '../../parts/address.tsx';
import { Moment } from '../../parts/moment.tsx';
import { type Column, columnBy, columnsOf, Table, WIDE } from '../../parts/table.tsx';

interface Wallet {
  readonly address: string;
  readonly share_pct: number;
  readonly funder: string | null;
  readonly at: string | null;
  readonly transaction: string | null;
}

const column = columnsOf<Wallet>();
const COLUMNS: readonly Column<Wallet>[] = [
  columnBy('Wallet', ({ address }) => <Address of={address} />),
  column('share_pct', 'Share of supply', (share) => percent(share), { number: true }),
  columnBy('First paid by', ({ funder }) => known(funder)),
  columnBy('When', ({ at }) => <Moment at={at} />, WIDE),
  columnBy('Transaction', ({ transaction }) => known(transaction, 'transaction'), WIDE),
];

/** Wallets of one group, with who paid each first. */
export function FundedWallets({ name, wallets }: { readonly name: string; readonly wallets: readonly Wallet[] }) {
  return <Table name={name} rows={wallets} keyOf={({ address }) => address} columns={COLUMNS} />;
}

function known(address: string | null, what?: 'transaction') {
  if (address === null) return <span className="q">not known</span>;
  return what === undefined ? <Address of={address} /> : <Address of={address} what={what} />;
}

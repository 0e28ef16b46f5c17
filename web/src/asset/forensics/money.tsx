import type { ReactNode } from 'react';
import { compact, dollars, percent, sourceName, UNKNOWN } from '../../format.ts';
import { Address, Party } from '../../parts/address.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Panel } from '../../parts/panel.tsx';
import { type Column, columnBy, NUMBER, Table, WIDE } from '../../parts/table.tsx';
import type { Forensics } from '../../types.ts';

type Link = Forensics['links'][number];

const HOW: Readonly<Record<Link['how'], string>> = {
  is_creator: 'it is the creator',
  funded_by_creator: 'the creator paid it first',
  funded_creator: 'it paid the creator first',
  common_funder: 'one wallet paid both first',
  paid_creator: 'it sent money to the creator',
};
const ROLES: Readonly<Record<Link['role'], string>> = {
  actor: 'signed a removal or sale',
  liquidity_owner: 'owned the liquidity',
  recipient: 'got the money',
  hop: 'passed the money on',
};

/** Funds that left the pools, their destinations, and the groups of wallets; limits of the search are listed in one place. */
export function Money({ found }: { readonly found: Forensics }) {
  const party = partyOf(found.creator?.address);
  const parts = [
    part('What left the pools', found.events, eventColumns(party), 'No large removal or sale was seen.'),
    part('Where the money went', found.flows, flowColumns(party), 'No money was followed, or it has not moved on.'),
    part(
      'Ties to the creator',
      found.links,
      LINKS,
      'No wallet that took part is tied to the creator, as far as was seen.',
    ),
    part(
      'Who paid these wallets first',
      found.first_payments,
      paymentColumns(party),
      'No first payment could be read.',
    ),
  ];
  const none = parts.filter(({ shown }) => shown === null);
  return (
    <>
      {parts.map(({ shown }) => shown)}
      {none.length > 0 && (
        <Panel title="What was not seen">
          <ul>
            {none.map(({ words }) => (
              <li key={words} className="q">
                {words}
              </li>
            ))}
          </ul>
        </Panel>
      )}
    </>
  );
}

/** A table with its heading, or a text where it is empty. */
function part<Row extends object>(title: string, rows: readonly Row[], columns: readonly Column<Row>[], words: string) {
  const shown: ReactNode =
    rows.length === 0 ? null : (
      <Panel key={title} title={`${title} (${rows.length})`}>
        <Table name={title} rows={rows} keyOf={(row) => JSON.stringify(row)} columns={columns} />
      </Panel>
    );
  return { shown, words };
}

type PartyOf = (address: string, labels?: Parameters<typeof Party>[0]['labels']) => ReactNode;

const partyOf =
  (creator: string | undefined): PartyOf =>
  (address, labels = []) => <Party address={address} labels={labels} isCreator={address === creator} />;

const when = <Row extends { readonly at: string | null }>() =>
  columnBy<Row>('When', ({ at }) => <Moment at={at} />, WIDE);
const transaction = <Row extends { readonly transaction: string | null }>() =>
  columnBy<Row>(
    'Transaction',
    ({ transaction: of }) =>
      of === null ? <span className="q">none needed</span> : <Address of={of} what="transaction" />,
    WIDE,
  );

const eventColumns = (party: PartyOf): readonly Column<Forensics['events'][number]>[] => [
  when(),
  columnBy('What', ({ kind }) => (kind === 'removal' ? '▼ liquidity removed' : '◆ sold into the pool')),
  columnBy('By', ({ actor, actor_labels: labels }) => (actor === null ? 'not shown' : party(actor, labels))),
  columnBy('Worth then', ({ quote_usd: usd, quote_amount: tokens }) => worth(usd, tokens), NUMBER),
  columnBy('Of the pool', ({ share_of_pool_pct: share }) => percent(share, 1), NUMBER),
  columnBy('Got by', ({ recipients }) =>
    recipients.length === 0
      ? 'not shown'
      : recipients.map(({ address, labels, usd, amount, presumed }) => (
          <span key={`${address} ${amount} ${usd}`} className="line">
            {party(address, labels)}
            <span className="under">
              {worth(usd, amount)}
              {presumed ? ', presumed' : ''}
            </span>
          </span>
        )),
  ),
  transaction(),
  columnBy(
    'Shown by',
    ({ basis, source, confidence }) => basisOf(`${basis.replaceAll('_', ' ')}, ${sourceName(source)}`, confidence),
    WIDE,
  ),
];

const flowColumns = (party: PartyOf): readonly Column<Forensics['flows'][number]>[] => [
  columnBy('Step', ({ step }) => step, NUMBER),
  columnBy('From', ({ from }) => party(from)),
  columnBy('To', ({ to, to_labels: labels, to_is_service: isService }) =>
    to === null ? (
      'exchanged for something else'
    ) : (
      <>
        {party(to, labels)}
        {isService && <span className="under">a service: the trail ends here</span>}
      </>
    ),
  ),
  columnBy('Worth then', ({ usd, amount }) => worth(usd, amount), NUMBER),
  when(),
  transaction(),
  columnBy('Shown by', ({ source, confidence }) => basisOf(sourceName(source), confidence), WIDE),
];

const LINKS: readonly Column<Link>[] = [
  columnBy('Wallet', ({ wallet }) => <Address of={wallet} />),
  columnBy('What it did', ({ role }) => ROLES[role]),
  columnBy('Because', ({ how }) => HOW[how]),
  transaction(),
  columnBy('Confidence', ({ confidence }) => confidence.toFixed(2), NUMBER),
];

const paymentColumns = (party: PartyOf): readonly Column<Forensics['first_payments'][number]>[] => [
  columnBy('Wallet', ({ wallet }) => party(wallet)),
  columnBy('First paid by', ({ funder, funder_labels: labels, funder_is_service: isService }) => (
    <>
      {party(funder, labels)}
      {isService && <span className="under">a service: links nobody</span>}
    </>
  )),
  when(),
  transaction(),
];

function basisOf(words: string, confidence: number): ReactNode {
  return (
    <>
      {words}
      <span className="under">confidence {confidence.toFixed(2)} of 1</span>
    </>
  );
}

/** Dollars at that time, or tokens where no historical price is known. */
function worth(usd: number | null, tokens: number | null): string {
  if (usd !== null) return dollars(usd);
  return tokens === null ? UNKNOWN : `${compact(tokens)} tokens`;
}

import { compact, dollars, percent, UNKNOWN } from '../../format.ts';
import { Address, Party } from '../../parts/address.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Table } from '../../parts/table.tsx';
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

/** What left the pools, where it went, and how the wallets belong together. */
export function Money({ found }: { readonly found: Forensics }) {
  const creator = found.creator?.address;
  return (
    <>
      <Part title="What left the pools" rows={found.events.length} none="No large removal or sale was seen.">
        <Table
          name="Removals and sales, oldest first"
          rows={found.events}
          keyOf={(row) => JSON.stringify(row)}
          columns={[
            { id: 'when', wide: true, title: 'When', cell: ({ at }) => <Moment at={at} /> },
            {
              id: 'what',
              title: 'What',
              cell: ({ kind }) => (kind === 'removal' ? '▼ liquidity removed' : '◆ sold into the pool'),
            },
            {
              id: 'by',
              title: 'By',
              cell: ({ actor, actor_labels }) =>
                actor === null ? (
                  'not shown'
                ) : (
                  <Party address={actor} labels={actor_labels} isCreator={actor === creator} />
                ),
            },
            {
              id: 'worth-then',
              title: 'Worth then',
              number: true,
              cell: ({ quote_usd, quote_amount }) => worth(quote_usd, quote_amount),
            },
            {
              id: 'of-the-pool',
              title: 'Of the pool',
              number: true,
              cell: ({ share_of_pool_pct }) => percent(share_of_pool_pct, 1),
            },
            {
              id: 'got-by',
              title: 'Got by',
              cell: ({ recipients }) =>
                recipients.length === 0
                  ? 'not shown'
                  : recipients.map(({ address, labels, usd, amount, presumed }) => (
                      <span key={`${address} ${amount} ${usd}`} className="line">
                        <Party address={address} labels={labels} isCreator={address === creator} />
                        <span className="under">
                          {worth(usd, amount)}
                          {presumed ? ', presumed' : ''}
                        </span>
                      </span>
                    )),
            },
            {
              id: 'transaction',
              wide: true,
              title: 'Transaction',
              cell: ({ transaction }) => <Address of={transaction} what="transaction" />,
            },
            {
              id: 'shown-by',
              wide: true,
              title: 'Shown by',
              cell: ({ basis, source, confidence }) => <Basis text={`${basis}, ${source}`} confidence={confidence} />,
            },
          ]}
        />
      </Part>
      <Part title="Where the money went" rows={found.flows.length} none="It was not followed, or has not moved on.">
        <Table
          name="Payments after the pool, by step"
          rows={found.flows}
          keyOf={(row) => JSON.stringify(row)}
          columns={[
            { id: 'step', title: 'Step', number: true, cell: ({ step }) => step },
            {
              id: 'from',
              title: 'From',
              cell: ({ from }) => <Party address={from} labels={[]} isCreator={from === creator} />,
            },
            {
              id: 'to',
              title: 'To',
              cell: ({ to, to_labels, to_is_service }) =>
                to === null ? (
                  'exchanged for something else'
                ) : (
                  <>
                    <Party address={to} labels={to_labels} isCreator={to === creator} />
                    {to_is_service && <span className="under">a service: the trail ends here</span>}
                  </>
                ),
            },
            {
              id: 'worth-then',
              title: 'Worth then',
              number: true,
              cell: ({ usd, amount }) => worth(usd, amount),
            },
            { id: 'when', wide: true, title: 'When', cell: ({ at }) => <Moment at={at} /> },
            {
              id: 'transaction',
              wide: true,
              title: 'Transaction',
              cell: ({ transaction }) => <Address of={transaction} what="transaction" />,
            },
            {
              id: 'shown-by',
              wide: true,
              title: 'Shown by',
              cell: ({ source, confidence }) => <Basis text={source} confidence={confidence} />,
            },
          ]}
        />
      </Part>
      <Part
        title="Ties to the creator"
        rows={found.links.length}
        none="No wallet that took part is tied to the creator, as far as was seen."
      >
        <Table
          name="Wallets tied to the creator"
          rows={found.links}
          keyOf={(row) => JSON.stringify(row)}
          columns={[
            { id: 'wallet', title: 'Wallet', cell: ({ wallet }) => <Address of={wallet} /> },
            { id: 'what-it-did', title: 'What it did', cell: ({ role }) => ROLES[role] },
            { id: 'because', title: 'Because', cell: ({ how }) => HOW[how] },
            {
              id: 'transaction',
              wide: true,
              title: 'Transaction',
              cell: ({ transaction }) =>
                transaction === null ? (
                  <span className="q">none needed</span>
                ) : (
                  <Address of={transaction} what="transaction" />
                ),
            },
            { id: 'confidence', title: 'Confidence', number: true, cell: ({ confidence }) => confidence.toFixed(2) },
          ]}
        />
      </Part>
      <Part
        title="Who paid these wallets first"
        rows={found.first_payments.length}
        none="The first payments could not be read."
      >
        <Table
          name="First payments of the wallets that took part"
          rows={found.first_payments}
          keyOf={(row) => JSON.stringify(row)}
          columns={[
            {
              id: 'wallet',
              title: 'Wallet',
              cell: ({ wallet }) => <Party address={wallet} labels={[]} isCreator={wallet === creator} />,
            },
            {
              id: 'first-paid-by',
              title: 'First paid by',
              cell: ({ funder, funder_labels, funder_is_service }) => (
                <>
                  <Party address={funder} labels={funder_labels} isCreator={funder === creator} />
                  {funder_is_service && <span className="under">a service: links nobody</span>}
                </>
              ),
            },
            { id: 'when', wide: true, title: 'When', cell: ({ at }) => <Moment at={at} /> },
            {
              id: 'transaction',
              wide: true,
              title: 'Transaction',
              cell: ({ transaction }) => <Address of={transaction} what="transaction" />,
            },
          ]}
        />
      </Part>
    </>
  );
}

function Part({
  title,
  rows,
  none,
  children,
}: {
  readonly title: string;
  readonly rows: number;
  readonly none: string;
  readonly children: React.ReactNode;
}) {
  return (
    <section className="panel">
      <h2>
        {title} ({rows})
      </h2>
      {rows === 0 ? <p className="q">{none}</p> : children}
    </section>
  );
}

function Basis({ text, confidence }: { readonly text: string; readonly confidence: number }) {
  return (
    <>
      {text.replaceAll('_', ' ')}
      <span className="under">confidence {confidence.toFixed(2)} of 1</span>
    </>
  );
}

/** Dollars of the time, or the tokens where nobody told their price then. */
function worth(usd: number | null, tokens: number | null): string {
  if (usd !== null) return dollars(usd);
  return tokens === null ? UNKNOWN : `${compact(tokens)} tokens`;
}

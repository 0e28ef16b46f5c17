import { compact, dollars, percent, UNKNOWN } from '../../format.ts';
import { Address, Party } from '../../parts/address.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Table } from '../../parts/old-table.tsx';
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
          caption="Removals and sales, oldest first"
          rows={found.events}
          keyOf={({ transaction, pool }, index) => transaction + pool + index}
          columns={[
            { title: 'When', of: ({ at }) => <Moment at={at} /> },
            {
              title: 'What',
              of: ({ kind }) => (kind === 'removal' ? '▼ liquidity removed' : '◆ sold into the pool'),
            },
            {
              title: 'By',
              of: ({ actor, actor_labels }) =>
                actor === null ? (
                  'not shown'
                ) : (
                  <Party address={actor} labels={actor_labels} isCreator={actor === creator} />
                ),
            },
            { title: 'Worth then', number: true, of: ({ quote_usd, quote_amount }) => worth(quote_usd, quote_amount) },
            { title: 'Of the pool', number: true, of: ({ share_of_pool_pct }) => percent(share_of_pool_pct, 1) },
            {
              title: 'Got by',
              of: ({ recipients }) =>
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
            { title: 'Transaction', of: ({ transaction }) => <Address of={transaction} what="transaction" /> },
            {
              title: 'Shown by',
              of: ({ basis, source, confidence }) => <Basis text={`${basis}, ${source}`} confidence={confidence} />,
            },
          ]}
        />
      </Part>
      <Part title="Where the money went" rows={found.flows.length} none="It was not followed, or has not moved on.">
        <Table
          caption="Payments after the pool, by step"
          rows={found.flows}
          keyOf={({ transaction, from, to }, index) => transaction + from + to + index}
          columns={[
            { title: 'Step', number: true, of: ({ step }) => step },
            { title: 'From', of: ({ from }) => <Party address={from} labels={[]} isCreator={from === creator} /> },
            {
              title: 'To',
              of: ({ to, to_labels, to_is_service }) =>
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
              title: 'Worth then',
              number: true,
              of: ({ usd, amount }) => worth(usd, amount),
            },
            { title: 'When', of: ({ at }) => <Moment at={at} /> },
            { title: 'Transaction', of: ({ transaction }) => <Address of={transaction} what="transaction" /> },
            { title: 'Shown by', of: ({ source, confidence }) => <Basis text={source} confidence={confidence} /> },
          ]}
        />
      </Part>
      <Part
        title="Ties to the creator"
        rows={found.links.length}
        none="No wallet that took part is tied to the creator, as far as was seen."
      >
        <Table
          caption="Wallets tied to the creator"
          rows={found.links}
          keyOf={({ wallet, role, how }, index) => wallet + role + how + index}
          columns={[
            { title: 'Wallet', of: ({ wallet }) => <Address of={wallet} /> },
            { title: 'What it did', of: ({ role }) => ROLES[role] },
            { title: 'Because', of: ({ how }) => HOW[how] },
            {
              title: 'Transaction',
              of: ({ transaction }) =>
                transaction === null ? (
                  <span className="quiet">none needed</span>
                ) : (
                  <Address of={transaction} what="transaction" />
                ),
            },
            { title: 'Confidence', number: true, of: ({ confidence }) => confidence.toFixed(2) },
          ]}
        />
      </Part>
      <Part
        title="Who paid these wallets first"
        rows={found.first_payments.length}
        none="The first payments could not be read."
      >
        <Table
          caption="First payments of the wallets that took part"
          rows={found.first_payments}
          keyOf={({ wallet }, index) => wallet + index}
          columns={[
            {
              title: 'Wallet',
              of: ({ wallet }) => <Party address={wallet} labels={[]} isCreator={wallet === creator} />,
            },
            {
              title: 'First paid by',
              of: ({ funder, funder_labels, funder_is_service }) => (
                <>
                  <Party address={funder} labels={funder_labels} isCreator={funder === creator} />
                  {funder_is_service && <span className="under">a service: links nobody</span>}
                </>
              ),
            },
            { title: 'When', of: ({ at }) => <Moment at={at} /> },
            { title: 'Transaction', of: ({ transaction }) => <Address of={transaction} what="transaction" /> },
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
    <section className="card">
      <h2>
        {title} ({rows})
      </h2>
      {rows === 0 ? <p className="quiet">{none}</p> : children}
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

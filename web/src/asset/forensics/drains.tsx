import { compact, count, day, percent, shortAddress, words } from '../../format.ts';
import { Party } from '../../parts/address.tsx';
import { Table } from '../../parts/table.tsx';
import type { Forensics } from '../../types.ts';
import { Launch } from './launch.tsx';
import { Money } from './money.tsx';
import { MoneyGraph } from './money-graph.tsx';
import { Limits, Proof } from './proof.tsx';
import { SearchOf } from './search-of.tsx';

const VERDICTS: Readonly<Record<Forensics['verdict'], readonly [look: string, title: string]>> = {
  drained_by_linked_wallets: ['alarm', '▲▲ Drained by wallets tied to the creator'],
  drained: ['alarm', '▲ Drained'],
  large_removals: ['note', '◆ Large single losses'],
  no_drain_seen: ['note', '○ No drain was seen'],
  not_seen: ['note', '? Nothing could be looked at'],
};

/** Who emptied the asset's pools, and where the money went. */
export function Drains({ assetId }: { readonly assetId: string }) {
  return (
    <SearchOf
      of="GET /v1/rms/{asset}/forensics"
      assetId={assetId}
      what="The history of the largest pools is being read"
    >
      {(found) => (
        <>
          <Verdict found={found} />
          <Limits limits={found.limits} />
          <Pools pools={found.pools} />
          <MoneyGraph found={found} />
          <Money found={found} />
          <Launch launch={found.launch} />
          <Proof found={found} />
        </>
      )}
    </SearchOf>
  );
}

function Verdict({ found }: { readonly found: Forensics }) {
  const [look, title] = VERDICTS[found.verdict];
  const bases = [
    ...found.flags.map((code) => words(code).toLowerCase()),
    ...found.default_tests.map((code) => `default test ${code}`),
  ];
  return (
    <section className={`panel ${look}`}>
      <h2>{title}</h2>
      <p>{found.summary}</p>
      <p>
        Creator:{' '}
        {found.creator === null ? (
          'not known'
        ) : (
          <>
            <Party address={found.creator.address} labels={[]} />
            <span className="q"> told by {found.creator.sources.join(', ') || 'nobody'}</span>
          </>
        )}
        . {bases.length === 0 ? 'The rating raises no flag of this.' : `The rating says: ${bases.join(', ')}.`} This
        search changes no rating by itself.
      </p>
    </section>
  );
}

function Pools({ pools }: Pick<Forensics, 'pools'>) {
  return (
    <section className="panel">
      <h2>Pools that were looked at</h2>
      {pools.length === 0 ? (
        <p className="q">None: no pool’s history could be read.</p>
      ) : (
        <Table
          name="Pools that were looked at"
          rows={pools}
          keyOf={({ address }) => address}
          columns={[
            { id: 'venue', title: 'Venue', cell: ({ dex }) => dex },
            { id: 'pool', title: 'Pool', cell: ({ address }) => <Party address={address} labels={[]} /> },
            {
              id: 'against',
              wide: true,
              title: 'Against',
              cell: ({ quote }) => <code title={quote}>{shortAddress(quote)}</code>,
            },
            {
              id: 'held-most-tokens',
              wide: true,
              title: 'Held most, tokens',
              number: true,
              cell: ({ peak }) => compact(peak),
            },
            { id: 'holds-now-tokens', title: 'Holds now, tokens', number: true, cell: ({ now }) => compact(now) },
            { id: 'gone', title: 'Gone', number: true, cell: ({ gone_pct }) => percent(gone_pct, 1) },
            {
              id: 'removed-within-h',
              title: 'Removed within 24 h',
              number: true,
              cell: (pool) => percent(pool.removed_within_24h_pct, 1),
            },
            {
              id: 'of-it-by-tied-wallets',
              wide: true,
              title: 'of it by tied wallets',
              number: true,
              cell: (pool) => percent(pool.removed_within_24h_by_linked_pct, 1),
            },
            {
              id: 'transactions-seen',
              wide: true,
              title: 'Transactions seen',
              number: true,
              cell: (pool) => `${count(pool.transactions_examined)} of ${count(pool.transactions_listed)}`,
            },
            {
              id: 'back-to',
              wide: true,
              title: 'Back to',
              cell: ({ since }) => (since === null ? 'not known' : <span className="nowrap">{day(since)}</span>),
            },
          ]}
        />
      )}
    </section>
  );
}

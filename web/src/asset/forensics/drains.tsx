import { useFlagTitles } from '../../data/flag-titles.ts';
import { compact, count, day, percent, shortAddress, sourceName, words } from '../../format.ts';
import { Party } from '../../parts/address.tsx';
import { Panel } from '../../parts/panel.tsx';
import { type Column, columnBy, NUMBER, Table, WIDE } from '../../parts/table.tsx';
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
    <div className="grid forensics">
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
    </div>
  );
}

function Verdict({ found }: { readonly found: Forensics }) {
  const titleOf = useFlagTitles();
  const [look, title] = VERDICTS[found.verdict];
  const bases = [
    ...found.flags.map((code) => titleOf(code).toLowerCase()),
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
            <span className="q"> named by {found.creator.sources.map(sourceName).join(', ') || 'no source'}</span>
          </>
        )}
        . {bases.length === 0 ? 'The rating raises no flag for this.' : `The rating states: ${bases.join(', ')}.`} This
        search changes no rating by itself.
      </p>
    </section>
  );
}

const POOLS: readonly Column<Forensics['pools'][number]>[] = [
  columnBy('Venue', ({ dex }) => words(dex)),
  columnBy('Pool', ({ address }) => <Party address={address} labels={[]} />),
  columnBy('Against', ({ quote }) => <code title={quote}>{shortAddress(quote)}</code>, WIDE),
  columnBy('Held most, tokens', ({ peak }) => compact(peak), { ...WIDE, ...NUMBER }),
  columnBy('Holds now, tokens', ({ now }) => compact(now), NUMBER),
  columnBy('Gone', ({ gone_pct: gone }) => percent(gone, 1), NUMBER),
  columnBy('Removed within 24 h', ({ removed_within_24h_pct: removed }) => percent(removed, 1), {
    ...WIDE,
    ...NUMBER,
  }),
  columnBy('Of it, by tied wallets', (pool) => percent(pool.removed_within_24h_by_linked_pct, 1), {
    ...WIDE,
    ...NUMBER,
  }),
  columnBy(
    'Transactions seen',
    (pool) => `${count(pool.transactions_examined)} of ${count(pool.transactions_listed)}`,
    {
      ...WIDE,
      ...NUMBER,
    },
  ),
  columnBy(
    'Back to',
    ({ since }) => (since === null ? 'not known' : <span className="nowrap">{day(since)}</span>),
    WIDE,
  ),
];

function Pools({ pools }: Pick<Forensics, 'pools'>) {
  return (
    <Panel title="Pools that were looked at">
      {pools.length === 0 ? (
        <p className="q">None: no pool’s history could be read.</p>
      ) : (
        <Table name="Pools that were looked at" rows={pools} keyOf={({ address }) => address} columns={POOLS} />
      )}
    </Panel>
  );
}

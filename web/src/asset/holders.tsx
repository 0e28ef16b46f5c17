import { useState } from 'react';
import { count, minute, percent, UNKNOWN, words } from '../format.ts';
import { Address } from '../parts/address.tsx';
import { Lorenz } from '../parts/lorenz.tsx';
import { Table } from '../parts/old-table.tsx';
import type { HoldersSnapshot } from '../types.ts';
import { SnapshotOf, type Token } from './snapshot-of.tsx';

const METHODS: Readonly<Record<string, string>> = {
  full_scan: 'Every account, read from the chain',
  indexer: 'An indexer’s list',
  top20_only: 'The twenty largest accounts only',
};
const gini = (value: number | null) => value?.toFixed(3) ?? UNKNOWN;
const MEASURES = [
  ['holder_count', 'Holders', count, null],
  ['top_1_pct', 'Largest holder', percent, null],
  ['top_10_pct', 'Ten largest', percent, null],
  ['top_50_pct', 'Fifty largest', percent, null],
  ['gini', 'Gini coefficient', gini, '0: all hold alike, 1: one holds everything'],
  ['hhi', 'Herfindahl-Hirschman index', count, '0 to 10,000; above 2,500 is concentrated'],
  ['effective_holders', 'Effective holders', count, 'as many equal holders would be as concentrated'],
  ['nakamoto_50', 'Fewest with more than half', count, 'how few would have to act together'],
] as const;

const SHOWN_FIRST = 20;

/** Who holds the token, as it stands and with pools, burns, lockers and exchanges set aside. */
export function Holders(token: Token) {
  return (
    <SnapshotOf<HoldersSnapshot>
      token={token}
      kind="holders"
      path={`/v1/${token.chain}/${token.address}/holders/snapshot`}
    >
      {(snapshot) => (
        <>
          <section className="card">
            <h2>Concentration</h2>
            <p className="quiet">
              {METHODS[snapshot.method] ?? words(snapshot.method)}, {minute(snapshot.as_of)}. Adjusted: without pools,
              burns, lockers, bridges and exchanges.
            </p>
            <div className="halves">
              <Table
                caption="Concentration, raw and adjusted"
                rows={MEASURES}
                keyOf={([name]) => name}
                columns={[
                  {
                    title: 'Measure',
                    of: ([, title, , meaning]) => (
                      <>
                        {title}
                        {meaning && <span className="under">{meaning}</span>}
                      </>
                    ),
                  },
                  { title: 'Raw', number: true, of: ([name, , show]) => show(snapshot.raw[name] ?? null) },
                  { title: 'Adjusted', number: true, of: ([name, , show]) => show(snapshot.adjusted[name] ?? null) },
                ]}
              />
              {snapshot.histogram ? (
                <Lorenz buckets={snapshot.histogram.buckets} gini={snapshot.raw.gini ?? null} />
              ) : (
                <p className="empty">No Lorenz curve: the list of holders is not complete.</p>
              )}
            </div>
          </section>
          <section className="card">
            <h2>Tiers</h2>
            <div className="halves">
              <Tiers caption="By value, US dollars" tiers={snapshot.tiers_usd} />
              <Tiers caption="By share of the supply" tiers={snapshot.tiers_supply} />
            </div>
          </section>
          <LargestHolders snapshot={snapshot} />
        </>
      )}
    </SnapshotOf>
  );
}

function Tiers({ caption, tiers }: { readonly caption: string; readonly tiers: HoldersSnapshot['tiers_usd'] }) {
  if (tiers === null) return <p className="empty">{caption}: not known.</p>;
  return (
    <div>
      <h3>{caption}</h3>
      <Table
        caption={caption}
        rows={tiers}
        keyOf={({ tier }) => tier}
        columns={[
          { title: 'Tier', of: ({ tier }) => tier.replaceAll('_', ' ') },
          { title: 'Holders', number: true, of: ({ holders }) => count(holders) },
          { title: 'Share', number: true, of: ({ share_pct }) => percent(share_pct) },
        ]}
      />
    </div>
  );
}

function LargestHolders({ snapshot }: { readonly snapshot: HoldersSnapshot }) {
  const [all, setAll] = useState(false);
  const holders = snapshot.top_holders;
  return (
    <section className="card">
      <h2>Largest holders</h2>
      <p className="quiet">
        Those of the twenty largest that nobody knows hold {percent(snapshot.unlabelled_top20_share_pct)} of the supply.
      </p>
      <Table
        caption="Largest holders"
        rows={all ? holders : holders.slice(0, SHOWN_FIRST)}
        keyOf={({ address }) => address}
        columns={[
          { title: 'Rank', number: true, of: ({ rank }) => rank },
          { title: 'Address', of: ({ address }) => <Address of={address} /> },
          { title: 'Share', number: true, of: ({ share_pct }) => percent(share_pct) },
          { title: 'Tokens', number: true, of: ({ amount }) => count(amount) },
          {
            title: 'Known as',
            of: ({ labels }) =>
              [...new Set(labels.map(({ name, kind }) => `${name} (${kind})`))].join(', ') || (
                <span className="quiet">unknown</span>
              ),
          },
          {
            title: 'Adjusted view',
            of: ({ set_aside }) => (set_aside === null ? 'counted' : `set aside: ${set_aside}`),
          },
        ]}
      />
      {holders.length > SHOWN_FIRST && (
        <button type="button" onClick={() => setAll(!all)}>
          {all ? `Show the first ${SHOWN_FIRST}` : `Show all ${holders.length}`}
        </button>
      )}
    </section>
  );
}

import { count, minute, percent, shortAddress, words } from '../format.ts';
import { Lorenz } from '../parts/lorenz.tsx';
import { Table } from '../parts/table.tsx';
import type { HoldersSnapshot } from '../types.ts';
import { SnapshotOf, type Token } from './snapshot-of.tsx';

const METHODS: Readonly<Record<string, string>> = {
  full_scan: 'Every account, read from the chain',
  indexer: 'An indexer’s list',
  top20_only: 'The twenty largest accounts only',
};
const MEASURES = [
  ['holder_count', 'Holders', count],
  ['top_1_pct', 'Largest holder', percent],
  ['top_10_pct', 'Ten largest', percent],
  ['top_50_pct', 'Fifty largest', percent],
  ['gini', 'Gini coefficient (0 to 1)', (value: number | null) => value?.toFixed(3) ?? '–'],
  ['hhi', 'Herfindahl-Hirschman index (0 to 10,000)', count],
  ['effective_holders', 'Effective holders', count],
  ['nakamoto_50', 'Fewest holders with more than half', count],
] as const;

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
                  { title: 'Measure', of: ([, title]) => title },
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
          <section className="card">
            <h2>Largest holders</h2>
            <p className="quiet">
              Of the twenty largest, {percent(snapshot.unlabelled_top20_share_pct)} is held by nobody we know.
            </p>
            <Table
              caption="Largest holders"
              rows={snapshot.top_holders}
              keyOf={({ address }) => address}
              columns={[
                { title: 'Rank', number: true, of: ({ rank }) => rank },
                { title: 'Address', of: ({ address }) => <code title={address}>{shortAddress(address)}</code> },
                { title: 'Share', number: true, of: ({ share_pct }) => percent(share_pct) },
                { title: 'Tokens', number: true, of: ({ amount }) => count(amount) },
                {
                  title: 'Known as',
                  of: ({ labels }) =>
                    labels.map(({ name, kind }) => `${name} (${kind})`).join(', ') || (
                      <span className="quiet">unknown</span>
                    ),
                },
                {
                  title: 'Adjusted view',
                  of: ({ set_aside }) => (set_aside === null ? 'counted' : `set aside: ${set_aside}`),
                },
              ]}
            />
          </section>
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

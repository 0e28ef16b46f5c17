import { compact, dollars, minute, percent } from '../format.ts';
import { Address } from '../parts/address.tsx';
import { Table } from '../parts/old-table.tsx';
import type { MarketSnapshot, Provenance } from '../types.ts';
import { SnapshotOf, type Token } from './snapshot-of.tsx';

const NUMBERS = [
  ['price_usd', 'Price', dollars],
  ['change_1h_pct', 'Change, 1 h', percent],
  ['change_24h_pct', 'Change, 24 h', percent],
  ['change_7d_pct', 'Change, 7 d', percent],
  ['change_30d_pct', 'Change, 30 d', percent],
  ['volume_24h_usd', 'Volume, 24 h', dollars],
  ['market_cap_usd', 'Market capitalisation', dollars],
  ['fully_diluted_value_usd', 'Fully diluted value', dollars],
  ['liquidity_usd', 'Liquidity, both sides', dollars],
  ['circulating_supply', 'Circulating supply, tokens', compact],
  ['total_supply', 'Total supply, tokens', compact],
  ['max_supply', 'Maximum supply, tokens', compact],
  ['turnover_pct', 'Turnover, 24 h', percent],
  ['volatility_30d_pct', 'Volatility, 30 d, per day', percent],
  ['ath_usd', 'All-time high', dollars],
  ['drawdown_pct', 'Below the all-time high', percent],
  ['price_dispersion_pct', 'Venues’ prices lie apart by', percent],
] as const;

/** The market with the sources behind each number. */
export function Market(token: Token) {
  return (
    <SnapshotOf<MarketSnapshot>
      token={token}
      kind="market"
      path={`/v1/${token.chain}/market/${token.address}/snapshot`}
    >
      {(snapshot) => (
        <>
          <section className="card">
            <h2>Market</h2>
            <p className="quiet">{minute(snapshot.as_of)}. Each number is what independent sources agree on.</p>
            <Table
              caption="Market numbers and their sources"
              rows={NUMBERS}
              keyOf={([name]) => name}
              columns={[
                { title: 'Measure', of: ([, title]) => title },
                {
                  title: 'Value',
                  number: true,
                  of: ([name, , show]) => show(snapshot[name]),
                },
                {
                  title: 'Confidence',
                  number: true,
                  of: ([name]) => snapshot.provenance[name]?.confidence.toFixed(2) ?? '–',
                },
                { title: 'Sources', of: ([name]) => <From provenance={snapshot.provenance[name]} /> },
              ]}
            />
          </section>
          <section className="card">
            <h2>Venues</h2>
            <Table
              caption="Venues"
              rows={snapshot.venues}
              keyOf={({ venue }, index) => `${venue}${index}`}
              columns={[
                { title: 'Venue', of: ({ venue }) => <Venue name={venue} /> },
                { title: 'Price', number: true, of: ({ price_usd }) => dollars(price_usd) },
                { title: 'Volume, 24 h', number: true, of: ({ volume_24h_usd }) => dollars(volume_24h_usd) },
                { title: 'Told by', of: ({ sources }) => sources.join(', ') },
              ]}
            />
          </section>
        </>
      )}
    </SnapshotOf>
  );
}

/** A source that was outvoted twice for one reason is named once. */
function distinct<Row extends { readonly source: string; readonly reason: string }>(
  rows: readonly Row[],
): readonly Row[] {
  return [...new Map(rows.map((row) => [`${row.source} ${row.reason}`, row])).values()];
}

function From({ provenance }: { readonly provenance: Provenance | undefined }) {
  if (!provenance) return <span className="quiet">not known</span>;
  return (
    <>
      {provenance.sources.join(', ') || provenance.method}
      {distinct(provenance.outvoted).map(({ source, reason }) => (
        <span key={`${source} ${reason}`} className={reason === 'same_family' ? 'quiet' : 'left-out'}>
          {' '}
          {reason === 'same_family' ? `(${source}: same origin)` : `✕ ${source}: ${reason.replaceAll('_', ' ')}`}
        </span>
      ))}
    </>
  );
}

/** A pool is a venue by its address. */
function Venue({ name }: { readonly name: string }) {
  const [, market, address] = /^(.+) (\S{32,})$/.exec(name) ?? [];
  if (market === undefined || address === undefined) return name;
  return (
    <>
      {market} <Address of={address} />
    </>
  );
}

import { dollars, percent, words } from '../format.ts';
import { Panel } from '../parts/panel.tsx';
import { type Column, columnBy, NUMBER, Table } from '../parts/table.tsx';
import { type Facts, isBeforeToken, keyOf, numberOf } from './facts.ts';
import { hasManySevere } from './flag-banner.tsx';
import { Receipted } from './receipts.tsx';
import { venueWords } from './words.ts';

interface Venue {
  readonly key: string;
  readonly name: string;
  /** The venue with the whole pair, or the pool with its whole address. */
  readonly scope: string;
  readonly volume: number;
  readonly depth: number | null;
  readonly price: number | null;
}

const MOST = 6;

/** Venues of the asset: volume, depth and the deviation of their price. */
export function Venues({ facts }: { readonly facts: Facts }) {
  const venues = venuesOf(facts).toSorted((a, b) => b.volume - a.volume);
  const total = venues.reduce((sum, { volume }) => sum + volume, 0);
  const price = numberOf(facts, 'price_usd');
  const most = hasManySevere(facts) ? MOST - 2 : MOST;
  const rest = venues.slice(most);
  const others: Venue = {
    key: '',
    name: `${rest.length} more`,
    scope: rest.map(({ name }) => name).join('; '),
    volume: rest.reduce((sum, { volume }) => sum + volume, 0),
    depth: null,
    price: null,
  };
  const rows = [...venues.slice(0, most), ...(rest.length > 0 ? [others] : [])];
  const share = (volume: number) => (volume / Math.max(1, total)) * 100;
  const columns: readonly Column<Venue>[] = [
    columnBy('Venue', ({ name, scope }) => <span title={scope}>{name}</span>),
    columnBy(
      'Volume',
      ({ key, volume }) => (
        <span className="share" style={{ backgroundSize: `${share(volume)}% 100%` }}>
          <Receipted facts={facts} of={key}>
            {percent(share(volume), 1)}
          </Receipted>
        </span>
      ),
      { ...NUMBER, width: '72px' },
    ),
    columnBy(
      'Depth 2 %',
      ({ key, depth }) =>
        key === '' ? null : depth === null ? (
          <span className="q" title="The venue states no order book here.">
            no book
          </span>
        ) : (
          dollars(depth)
        ),
      { ...NUMBER, width: '72px' },
    ),
    columnBy(
      'Price off',
      ({ key, price: here }) =>
        key === '' ? null : price === null || here === null ? (
          <span className="q">none stated</span>
        ) : (
          offWords(here, price)
        ),
      { ...NUMBER, width: '58px' },
    ),
  ];
  if (venues.length === 0)
    return (
      <Panel title="Liquidity by venue">
        <p className={facts.isFullAwaited ? 'q waiting' : 'q'}>
          {facts.isFullAwaited
            ? 'Reading the venues …'
            : facts.isFullRefused
              ? 'Single venues are shown to keys with the scope score.'
              : isBeforeToken(facts)
                ? 'It has no token yet, so it trades nowhere.'
                : 'No source states a market of it.'}
        </p>
      </Panel>
    );
  return (
    <Panel title="Liquidity by venue" meta={`${dollars(total)} in 24 h`} className="venues">
      <Table name="Venues by volume" tools={false} columns={columns} rows={rows} keyOf={({ key }) => key} />
    </Panel>
  );
}

function offWords(here: number, price: number): string {
  const off = (here / price - 1) * 100;
  return `${off > 0.005 ? '+' : off < -0.005 ? '−' : ''}${Math.abs(off).toFixed(2)} %`;
}

function venuesOf(facts: Facts): readonly Venue[] {
  return [...facts.quantities.values()].flatMap((row): Venue[] => {
    if (row.quantity !== 'venue_volume_24h_usd' && row.quantity !== 'pool_volume_24h_usd') return [];
    if (typeof row.value !== 'number') return [];
    const { scope } = row;
    const at = (quantity: string) => numberOf(facts, `${quantity}@${scope}`);
    if (row.quantity === 'venue_volume_24h_usd') {
      const depths = [at('venue_depth_down_2pct_usd'), at('venue_depth_up_2pct_usd')].filter((one) => one !== null);
      const depth = depths.length === 0 ? null : Math.min(...depths);
      const name = venueWords(scope);
      return [{ key: keyOf(row), name, scope: name, volume: row.value, depth, price: at('venue_price_usd') }];
    }
    const dex = facts.quantities.get(`pool_dex@${scope}`)?.value;
    const address = scope.slice(scope.indexOf(':') + 1);
    const name = `${typeof dex === 'string' ? words(dex) : 'Pool'} ${address.slice(0, address.startsWith('0x') ? 6 : 4)}…`;
    const whole = `${typeof dex === 'string' ? words(dex) : 'Pool'} ${address}`;
    return [{ key: keyOf(row), name, scope: whole, volume: row.value, depth: null, price: at('pool_price_usd') }];
  });
}

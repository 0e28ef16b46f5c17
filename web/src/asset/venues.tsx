import { dollars, percent, shortAddress, words } from '../format.ts';
import { Panel } from '../parts/panel.tsx';
import { type Facts, keyOf, numberOf } from './facts.ts';
import { Receipted } from './receipts.tsx';
import { venueWords } from './words.ts';

interface Venue {
  readonly key: string;
  readonly name: string;
  readonly volume: number;
  readonly depth: number | null;
  readonly price: number | null;
}

const MOST = 6;

/** Where it trades: volume, depth and how far the price there is off. */
export function Venues({ facts }: { readonly facts: Facts }) {
  const venues = venuesOf(facts).toSorted((a, b) => b.volume - a.volume);
  const total = venues.reduce((sum, { volume }) => sum + volume, 0);
  const price = numberOf(facts, 'price_usd');
  const rest = venues.slice(MOST);
  if (venues.length === 0)
    return (
      <Panel title="Liquidity by venue">
        <p className={facts.isFullAwaited ? 'q waiting' : 'q'}>
          {facts.isFullAwaited
            ? 'Reading the venues …'
            : facts.isFullRefused
              ? 'Single venues are shown to keys with the scope score.'
              : 'No source states a market of it.'}
        </p>
      </Panel>
    );
  return (
    <Panel title="Liquidity by venue" meta={`${dollars(total)} in 24 h`}>
      <div className="rows">
        <table className="venues">
          <caption className="vh">Venues by volume</caption>
          <thead>
            <tr>
              <th scope="col">Venue</th>
              <th scope="col" className="r">
                Volume
              </th>
              <th scope="col" className="r">
                Depth 2 %
              </th>
              <th scope="col" className="r">
                Price off
              </th>
            </tr>
          </thead>
          <tbody>
            {venues.slice(0, MOST).map(({ key, name, volume, depth, price: here }) => (
              <tr key={key}>
                <td title={name}>{name}</td>
                <td className="r">
                  <meter
                    min={0}
                    max={100}
                    value={(volume / Math.max(1, total)) * 100}
                    aria-label={`Share of ${name}`}
                  />
                  <Receipted facts={facts} of={key}>
                    {percent((volume / Math.max(1, total)) * 100, 1)}
                  </Receipted>
                </td>
                <td className="r">
                  {depth === null ? (
                    <span className="q" title="The venue states no order book here.">
                      no book
                    </span>
                  ) : (
                    dollars(depth)
                  )}
                </td>
                <td className="r">
                  {price === null || here === null ? <span className="q">none stated</span> : offWords(here, price)}
                </td>
              </tr>
            ))}
            {rest.length > 0 && (
              <tr>
                <td>{rest.length} more</td>
                <td className="r">
                  {percent((rest.reduce((sum, { volume }) => sum + volume, 0) / Math.max(1, total)) * 100, 1)}
                </td>
                <td colSpan={2} />
              </tr>
            )}
          </tbody>
        </table>
      </div>
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
      return [{ key: keyOf(row), name: venueWords(scope), volume: row.value, depth, price: at('venue_price_usd') }];
    }
    const dex = facts.quantities.get(`pool_dex@${scope}`)?.value;
    const address = scope.slice(scope.indexOf(':') + 1);
    const name = `${typeof dex === 'string' ? words(dex) : 'Pool'} ${shortAddress(address)}`;
    return [{ key: keyOf(row), name, volume: row.value, depth: null, price: at('pool_price_usd') }];
  });
}

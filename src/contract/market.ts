import Type from 'typebox';
import type { HoldersSnapshot } from './holders.ts';
import type { PoolsSnapshot } from './pools.ts';
import { head, type Stored } from './snapshot.ts';
import {
  fraction,
  nullableNumber,
  nullableText,
  nullableTime,
  oneOf,
  percent,
  type Reply,
  sources,
} from './vocabulary.ts';

const numbers = {
  price_usd: nullableNumber('Consensus price, US dollars.'),
  change_1h_pct: nullableNumber('Change of the price over one hour, percent.'),
  change_24h_pct: nullableNumber('Change of the price over 24 hours, percent.'),
  change_7d_pct: nullableNumber('Change of the price over 7 days, percent.'),
  change_30d_pct: nullableNumber('Change of the price over 30 days, percent.'),
  volume_24h_usd: nullableNumber('Traded in 24 hours, US dollars.'),
  market_cap_usd: nullableNumber('Price times circulating supply.'),
  fully_diluted_value_usd: nullableNumber('Price times total (or maximum) supply.'),
  circulating_supply: nullableNumber('Whole tokens.'),
  total_supply: nullableNumber('Whole tokens; of a token on several chains, on this one.'),
  max_supply: nullableNumber('Whole tokens; null when there is no maximum or it is not known.'),
  liquidity_usd: nullableNumber('Both sides of all pools, US dollars.'),
  turnover_pct: nullableNumber('Volume of 24 hours over market capitalisation, percent.'),
  volume_to_liquidity: nullableNumber('Volume of 24 hours over liquidity, a ratio.'),
  volatility_30d_pct: nullableNumber('Standard deviation of daily log returns over 30 days, percent per day.'),
  ath_usd: nullableNumber('All-time high, US dollars.'),
  drawdown_pct: percent('Below the all-time high.'),
  price_dispersion_pct: nullableNumber('How far the venues’ prices lie apart (1.4826 MAD of log prices), percent.'),
};
const Provenance = Type.Object(
  {
    sources: Type.Array(Type.String(), { description: 'Sources whose values made the number.' }),
    outvoted: Type.Array(
      Type.Object({
        source: Type.String({ description: 'Source that stated it.' }),
        value: nullableNumber(
          'Value that it stated, in the unit of the number; null where its terms forbid passing it on.',
        ),
        reason: Type.String({
          description:
            'Why it did not count: `outlier`, `unit_mismatch`, `same_family` (it passes on a number that was counted already), ...',
        }),
      }),
      { description: 'Sources whose values did not count.' },
    ),
    confidence: fraction('A weight, not the chance of being right (methodology, From sources to one value).'),
    interval: Type.Union([Type.Tuple([Type.Number(), Type.Number()]), Type.Null()], {
      description: 'Low and high end of the number, in its unit; null where it has none.',
    }),
    method: oneOf(
      '`consensus` of the sources, `derived` from other numbers here, or `history`: from our own kept prices.',
      ['consensus', 'derived', 'history'],
    ),
  },
  { title: 'Provenance', description: 'Sources that a number is made of, and sources that were outvoted.' },
);

/** Reply of GET /v1/{chain}/market/{asset}/snapshot. */
export const MarketReply = Type.Object(
  {
    ...head,
    kind: Type.Literal('market', { description: 'Which kind of snapshot this is.' }),
    ...numbers,
    total_supply_exact: Type.Optional(
      Type.Union([Type.String({ pattern: '^[0-9]+(\\.[0-9]+)?$' }), Type.Null()], {
        description:
          '`total_supply` without rounding: whole tokens as decimal text, with all decimals of the token. A JSON number is rounded beyond 2^53 or about 16 digits. Null when no read of the chain counted in `total_supply` or the sources contradict each other; absent in snapshots from before it was kept.',
      }),
    ),
    total_supply_exact_source: Type.Optional(
      nullableText('Source that read `total_supply_exact` from the chain; null with it.'),
    ),
    ath_at: nullableTime('When the all-time high was, to the day; null when not known.'),
    venues: Type.Array(
      Type.Object({
        venue: Type.String({
          description: 'Market of an exchange (`binance:TIDE-USDT`), or pool: its exchange and its address.',
        }),
        price_usd: nullableNumber('Price there, US dollars.'),
        volume_24h_usd: nullableNumber('Traded there in 24 hours, US dollars.'),
        sources,
      }),
      { description: 'Where it is traded, as far as the sources state.' },
    ),
    provenance: Type.Partial(
      Type.Object(
        Object.fromEntries(Object.keys(numbers).map((name) => [name, Provenance])) as Record<
          keyof typeof numbers,
          typeof Provenance
        >,
      ),
      { description: 'Where each number above comes from; numbers that are null have none.' },
    ),
  },
  { title: 'MarketSnapshot', description: 'Price, volume, supply and dispersion of an asset at one moment.' },
);
export type MarketSnapshot = Stored<typeof MarketReply>;
export type MarketNumbers = Pick<MarketSnapshot, keyof typeof numbers>;
/** Origin of one number. */
export type Provenance = Reply<typeof Provenance>;
/** Fields that all snapshots have. */
export type SnapshotHead = Pick<MarketSnapshot, 'asset' | 'as_of' | 'sources' | 'attributions' | 'warnings'>;
/** Any stored snapshot. */
export type Snapshot = MarketSnapshot | HoldersSnapshot | PoolsSnapshot;

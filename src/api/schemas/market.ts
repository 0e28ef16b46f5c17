import Type from 'typebox';
import { head, nullableNumber, nullableText, percent, words } from './chain.ts';

const numbers = {
  price_usd: nullableNumber('Consensus price, US dollars.'),
  change_1h_pct: nullableNumber('Change of the price over one hour, percent.'),
  change_24h_pct: nullableNumber('Over 24 hours, percent.'),
  change_7d_pct: nullableNumber('Over 7 days, percent.'),
  change_30d_pct: nullableNumber('Over 30 days, percent.'),
  volume_24h_usd: nullableNumber('Traded in 24 hours, US dollars.'),
  market_cap_usd: nullableNumber('Price times circulating supply.'),
  fully_diluted_value_usd: nullableNumber('Price times total (or maximum) supply.'),
  circulating_supply: nullableNumber('Whole tokens.'),
  total_supply: nullableNumber('Whole tokens.'),
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
    sources: Type.Array(Type.String()),
    outvoted: Type.Array(Type.Object({ source: Type.String(), value: Type.Number(), reason: Type.String() })),
    confidence: Type.Number({ minimum: 0, maximum: 1 }),
    interval: Type.Union([Type.Tuple([Type.Number(), Type.Number()]), Type.Null()]),
    method: words('consensus', 'derived', 'history'),
  },
  { title: 'Provenance', description: 'Which sources made a number, and who was outvoted.' },
);

/** Reply of GET /v1/{chain}/market/{asset}/snapshot. */
export const MarketReply = Type.Object(
  {
    ...head,
    kind: Type.Literal('market'),
    ...numbers,
    ath_at: nullableText('Day of the all-time high.'),
    venues: Type.Array(
      Type.Object({
        venue: Type.String(),
        price_usd: nullableNumber('Price there.'),
        volume_24h_usd: nullableNumber('Volume there.'),
        sources: Type.Array(Type.String()),
      }),
    ),
    provenance: Type.Partial(
      Type.Object(
        Object.fromEntries(Object.keys(numbers).map((name) => [name, Provenance])) as Record<
          keyof typeof numbers,
          typeof Provenance
        >,
      ),
    ),
  },
  { title: 'MarketSnapshot' },
);

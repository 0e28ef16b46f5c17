import Type from 'typebox';

// Short results of the tools for agents (MCP). Schemas are sent to every client, so they are kept small.

/**
 * Text from outside (a token’s name, a site, what a flag quotes), separated so that it is not mistaken for the
 * service’s own text.
 */
export const OutsideText = Type.Object({ untrusted: Type.String() });
export interface OutsideTextView {
  readonly untrusted: string;
}

const numberOrNull = Type.Unsafe<number | null>({ type: ['number', 'null'] });
const textOrNull = Type.Unsafe<string | null>({ type: ['string', 'null'] });
const outsideOrNull = Type.Unsafe<OutsideTextView | null>({ ...OutsideText, type: ['object', 'null'] });
const pairOrNull = Type.Unsafe<readonly number[] | null>({ type: ['array', 'null'], items: { type: 'number' } });

export const ToolAsset = Type.Object({
  id: textOrNull,
  chain: textOrNull,
  address: textOrNull,
  symbol: outsideOrNull,
  name: outsideOrNull,
  website: outsideOrNull,
});
const ToolRatedAsset = Type.Object({
  ...ToolAsset.properties,
  class: textOrNull,
  category_reason: outsideOrNull,
});
const flagFields = {
  risk_flags: Type.Array(
    Type.Object({ code: textOrNull, severity: textOrNull, title: Type.String(), detail: outsideOrNull }),
    { description: 'Worst first.' },
  ),
  more_flags: Type.Integer(),
};

/** Fields of every result about one asset; the server’s instructions explain them. */
const head = {
  /** Reliability of a result, independent of whether it is favourable; `basis` names its origin. */
  trust: Type.Object({ score: numberOrNull, basis: Type.String() }),
  as_of: Type.String(),
  age_seconds: Type.Number(),
  data_mode: Type.String(),
  about_untrusted: Type.String(),
  asset: ToolAsset,
};
const failure = Type.Array(
  Type.Object({
    horizon: Type.String(),
    value: numberOrNull,
    interval: Type.Union([Type.Array(Type.Number()), Type.Null()]),
    basis: Type.String(),
  }),
  {
    description: 'Probability of failure, 0-1, 80 % interval; `upper_bound` and `lower_bound` have an interval alone.',
  },
);
const vfr = Type.Object(
  { value: numberOrNull, zone: Type.String() },
  { description: 'Price over fair value; null when none can be computed reliably.' },
);

const ratedHead = { ...head, asset: ToolRatedAsset };

/** A rating in short form. */
export const RatingResult = Type.Object({
  ...ratedHead,
  band: Type.String({ description: 'AAA to D; NR when not rated.' }),
  score: numberOrNull,
  interval: pairOrNull,
  outlook: textOrNull,
  watch: textOrNull,
  rating_action: Type.String(),
  previous: Type.Union([Type.Object({ score: numberOrNull, band: Type.String() }), Type.Null()]),
  vfr,
  failure_probability: failure,
  ...flagFields,
  not_known: Type.Integer({ description: 'Features that are not known; each costs trust.' }),
  job_id: textOrNull,
  methodology_version: textOrNull,
});

export const ScoreResult = Type.Object({
  ...ratedHead,
  band: Type.String({ description: 'AAA to D; NR when the evidence is too thin.' }),
  score: numberOrNull,
  interval: pairOrNull,
  provisional: Type.Boolean(),
  not_rated_reasons: Type.Array(outsideOrNull),
  vfr,
  failure_probability: failure,
  ...flagFields,
  caps: Type.Array(Type.Object({ code: textOrNull, cap: Type.Number(), detail: outsideOrNull })),
  sources: Type.Object({ answered: Type.Integer(), silent: Type.Array(Type.String()) }),
  published: Type.Boolean({
    description: 'False: a result for this caller only; the published rating, if any, is not changed.',
  }),
  not_published_because: Type.Array(Type.Object({ code: textOrNull, detail: outsideOrNull })),
  warnings: Type.Array(outsideOrNull),
  job_id: Type.String(),
  methodology_version: Type.String(),
});

export const ExplanationResult = Type.Object({
  ...ratedHead,
  band: Type.String(),
  score: numberOrNull,
  contributions: Type.Array(Type.Object({ code: textOrNull, name: Type.String(), points: Type.Number() }), {
    description: 'Their points add up to the score.',
  }),
  factors: Type.Array(
    Type.Object({
      code: textOrNull,
      name: Type.String(),
      score: Type.Number(),
      weight: Type.Number(),
      confidence: Type.Number({ description: '0-1.' }),
    }),
  ),
  features: Type.Array(
    Type.Object({
      name: Type.String(),
      status: Type.String(),
      score: numberOrNull,
      confidence: Type.Number(),
      rationale: outsideOrNull,
    }),
    { description: 'Of the requested factor; else empty.' },
  ),
  caps: Type.Array(
    Type.Object({ code: textOrNull, cap: Type.Number(), binding: Type.Boolean(), detail: outsideOrNull }),
  ),
  ...flagFields,
  not_known: Type.Array(Type.Object({ feature: textOrNull, reason: outsideOrNull })),
});

export const ComparedRating = Type.Object({
  asset_id: textOrNull,
  symbol: outsideOrNull,
  name: outsideOrNull,
  class: textOrNull,
  band: Type.String(),
  score: numberOrNull,
  interval: pairOrNull,
  trust_score: Type.Number(),
  outlook: textOrNull,
  vfr_zone: Type.String(),
  flags: Type.Array(textOrNull, { description: 'Worst first.' }),
  not_known: Type.Integer(),
  as_of: Type.String(),
  age_seconds: Type.Number(),
  data_mode: Type.String(),
});
export const ComparisonResult = Type.Object({
  ratings: Type.Array(Type.Union([ComparedRating, Type.Object({ requested: outsideOrNull, error: Type.String() })])),
  about_untrusted: Type.String(),
});

/** The figures of a market snapshot that the tool returns. */
export const MARKET_FIGURES = [
  'price_usd',
  'change_1h_pct',
  'change_24h_pct',
  'change_7d_pct',
  'change_30d_pct',
  'volume_24h_usd',
  'market_cap_usd',
  'fully_diluted_value_usd',
  'circulating_supply',
  'liquidity_usd',
  'volatility_30d_pct',
  'drawdown_pct',
] as const;
type MarketFigures<Value> = Record<(typeof MARKET_FIGURES)[number], Value>;
/** An object with one member for each figure. */
export const marketFigures = <Value>(read: (name: (typeof MARKET_FIGURES)[number]) => Value) =>
  Object.fromEntries(MARKET_FIGURES.map((name) => [name, read(name)])) as MarketFigures<Value>;
export const MarketResult = Type.Object({
  ...head,
  ...marketFigures(() => numberOrNull),
  sources: Type.Array(Type.String()),
  outvoted: Type.Array(Type.Object({ source: Type.String(), price_usd: numberOrNull })),
});

export const IndexResult = Type.Object({
  asset: ToolAsset,
  kinds: Type.Array(Type.String()),
  cadence: textOrNull,
  coverage: Type.Object({
    used: Type.Integer(),
    limit: numberOrNull,
  }),
  data_mode: Type.String(),
});

export const ToolConcentration = Type.Object({
  top_1_pct: numberOrNull,
  top_10_pct: numberOrNull,
  top_100_pct: numberOrNull,
  gini: numberOrNull,
  nakamoto_50: numberOrNull,
  effective_holders: numberOrNull,
});
export const HoldersResult = Type.Object({
  ...head,
  method: Type.String({ description: 'full_scan, indexer or top20_only.' }),
  status: Type.String(),
  holder_count: numberOrNull,
  raw: ToolConcentration,
  adjusted: ToolConcentration,
  unlabelled_top20_share_pct: numberOrNull,
  top_holders: Type.Array(
    Type.Object({
      rank: Type.Integer(),
      address: textOrNull,
      share_pct: Type.Number(),
      label: outsideOrNull,
      set_aside: textOrNull,
    }),
  ),
});

export const PoolsResult = Type.Object({
  ...head,
  totals: Type.Object({
    pools: Type.Integer(),
    verified_pools: Type.Integer(),
    tvl_usd: numberOrNull,
    volume_24h_usd: numberOrNull,
  }),
  depth: Type.Array(Type.Object({ move_pct: Type.Number(), down_usd: numberOrNull, up_usd: numberOrNull }), {
    description: 'US dollars sold or bought before the price has moved so far.',
  }),
  slippage: Type.Array(Type.Object({ size_usd: Type.Number(), buy_pct: numberOrNull, sell_pct: numberOrNull }), {
    description: 'What a trade of this size costs, fee included; null: cannot be filled.',
  }),
  pools: Type.Array(
    Type.Object({
      dex: textOrNull,
      address: textOrNull,
      kind: textOrNull,
      tokens: Type.Array(outsideOrNull),
      tvl_usd: numberOrNull,
      volume_24h_usd: numberOrNull,
      fee_rate_pct: numberOrNull,
      verified: Type.Boolean(),
      burned_pct: numberOrNull,
      locked_pct: numberOrNull,
    }),
  ),
});

export const WatchlistResult = Type.Object({
  source_alerts: Type.Array(
    Type.Object({ source: textOrNull, severity: Type.String(), title: outsideOrNull, created_at: Type.String() }),
    { description: 'Open alerts about sources, newest first; only where the account subscribed to them.' },
  ),
  watched: Type.Integer({ description: 'All entries of the account.' }),
  entries: Type.Array(
    Type.Object({
      asset_id: textOrNull,
      symbol: outsideOrNull,
      name: outsideOrNull,
      note: outsideOrNull,
      alert_status: Type.String(),
      open_alerts: Type.Integer(),
      band: textOrNull,
      score: numberOrNull,
      trust_score: numberOrNull,
      as_of: textOrNull,
      age_seconds: numberOrNull,
    }),
  ),
  about_untrusted: Type.String(),
});

/** Result of `check_policy`. */
export const PolicyResult = Type.Object({
  asset_id: textOrNull,
  symbol: outsideOrNull,
  outcome: Type.String({ description: 'allow, caution or block.' }),
  fired: Type.Array(
    Type.Object({
      rule: Type.String(),
      outcome: Type.String(),
      decided: Type.Boolean({ description: 'False: what the rule needs is not known.' }),
      limit: Type.Unsafe<string | number | null>({ type: ['string', 'number', 'null'] }),
      found: Type.Unsafe<string | number | null>({ type: ['string', 'number', 'null'] }),
      flag: textOrNull,
      detail: outsideOrNull,
    }),
  ),
  more_fired: Type.Integer(),
  met: Type.Array(Type.String()),
  band: Type.String(),
  score: numberOrNull,
  trust_score: numberOrNull,
  rating_as_of: textOrNull,
  largest_exposure: Type.Union(
    [
      Type.Object({
        size_usd: Type.Number(),
        max_cost_pct: Type.Number(),
        method: Type.String(),
        largest_pool_share_pct: numberOrNull,
      }),
      Type.Null(),
    ],
    { description: 'The largest position whose sale costs at most max_cost_pct; null: not known.' },
  ),
  next: textOrNull,
  checked_at: Type.String(),
  data_mode: Type.String(),
  about_untrusted: Type.String(),
});

/** Result of `check_portfolio`. */
export const PortfolioResult = Type.Object({
  outcome: Type.String({ description: 'allow, caution or block: of the whole.' }),
  value_usd: Type.Number(),
  score: numberOrNull,
  band: Type.String(),
  uncovered: Type.Number({ description: 'Part of the value without a band, 0-1.' }),
  shares: Type.Object({ allow: Type.Number(), caution: Type.Number(), block: Type.Number() }),
  positions: Type.Array(
    Type.Object({
      asset_id: textOrNull,
      symbol: outsideOrNull,
      outcome: Type.String(),
      rules: Type.Array(Type.String(), { description: 'Rules that fired.' }),
      band: Type.String(),
      quantity: numberOrNull,
      value_usd: numberOrNull,
    }),
    { description: 'The largest first.' },
  ),
  more_positions: Type.Integer(),
  holdings: Type.Array(
    Type.Object({
      chain: Type.String(),
      positions: Type.Integer(),
      complete: Type.Boolean({ description: 'False: there may be more than what is listed.' }),
      gaps: Type.Array(Type.String()),
    }),
  ),
  breaks_together: Type.Array(
    Type.Object({
      kind: Type.String(),
      name: outsideOrNull,
      loss: Type.Number({ description: 'Part of the value, 0-1.' }),
    }),
  ),
  checked_at: Type.String(),
  data_mode: Type.String(),
  about_untrusted: Type.String(),
});

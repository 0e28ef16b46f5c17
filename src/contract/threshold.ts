import Type from 'typebox';
import type { SnapshotKind } from '../domain/index.ts';
import {
  AssetView,
  count,
  DataMode,
  noCursor,
  nullableNumber,
  nullableText,
  oneOf,
  Severity,
  time,
} from './vocabulary.ts';

/** Figures that thresholds can be set on, each with its kind of snapshot. */
export const THRESHOLD_FIGURES = {
  price_usd: 'market',
  volume_24h_usd: 'market',
  market_cap_usd: 'market',
  liquidity_usd: 'market',
  price_dispersion_pct: 'market',
  pools: 'pools',
  pools_tvl_usd: 'pools',
  pools_volume_24h_usd: 'pools',
  depth_2_pct_down_usd: 'pools',
  holder_count: 'holders',
  top_1_pct: 'holders',
  top_10_pct: 'holders',
  adjusted_top_10_pct: 'holders',
} as const satisfies Readonly<Record<string, SnapshotKind>>;
export type ThresholdFigure = keyof typeof THRESHOLD_FIGURES;
export const FIGURE_NAMES = Object.keys(THRESHOLD_FIGURES) as readonly ThresholdFigure[];
export const FIGURES_ARE =
  'A figure of a snapshot. Of the market: `price_usd`, `volume_24h_usd`, `market_cap_usd`, `liquidity_usd`, `price_dispersion_pct`. Of the pools: `pools` (their number), `pools_tvl_usd` and `pools_volume_24h_usd` (`totals`), `depth_2_pct_down_usd` (`depth`). Of the holders: `holder_count`, `top_1_pct` and `top_10_pct` (`raw`), `adjusted_top_10_pct` (`adjusted`).';

export const THRESHOLD_CONDITIONS = ['above', 'below', 'rises', 'falls'] as const;
export type ThresholdCondition = (typeof THRESHOLD_CONDITIONS)[number];
export const CONDITIONS_ARE =
  '`above`, `below`: the figure reaches `value`, in its own unit; `rises`, `falls`: it is `value` percent from its lowest (highest) reading within `window_seconds`.';

const rule = {
  figure: Type.String({ description: FIGURES_ARE, examples: ['price_usd'] }),
  condition: oneOf(CONDITIONS_ARE, THRESHOLD_CONDITIONS),
  value: Type.Number({ description: 'In the unit of the figure; of `rises` and `falls` percent.' }),
  window_seconds: nullableNumber('Of `rises` and `falls`; null for the others.'),
  hysteresis_pct: Type.Number({
    description: 'Percent of `value` that the figure goes back before it can cross again.',
  }),
};

const figure = nullableNumber('In the unit of the snapshot; null: not known; absent: of another kind.');
const Figures = Type.Partial(
  Type.Object(Object.fromEntries(FIGURE_NAMES.map((name) => [name, figure])) as Record<ThresholdFigure, typeof figure>),
  { description: 'All figures of this kind of snapshot on which thresholds can be set.' },
);

/** `details` of an alert of the kind `snapshot_threshold`. */
export const ThresholdCrossed = Type.Object(
  {
    ...rule,
    reached: Type.Number({ description: 'The figure now.' }),
    from: nullableNumber('Of `rises` and `falls`: the reading that the change is counted from; else null.'),
    from_at: Type.Union([time('When that was.'), Type.Null()], { description: 'When that was; null without it.' }),
    change_pct: nullableNumber('Change from it, percent; null without it.'),
    snapshot: Type.Object(
      {
        kind: oneOf('Kind of the snapshot that crossed the line.', ['market', 'holders', 'pools']),
        as_of: time('When its facts were true.'),
        age_seconds: count('How old it was when the alert was made, seconds.'),
        path: Type.String({ description: 'Path of this snapshot.' }),
        figures: Figures,
      },
      { description: 'The snapshot that crossed the line.' },
    ),
  },
  { title: 'ThresholdCrossed', description: 'Which threshold was crossed, and the figures of that moment.' },
);

const ThresholdView = Type.Object(
  {
    ...rule,
    severity: Severity,
    state: oneOf(
      '`waiting`: no snapshot had the figure yet; `armed`: the next crossing alerts; `crossed`: it is beyond the line and alerts again only after it went back.',
      ['waiting', 'armed', 'crossed'],
    ),
  },
  { title: 'Threshold', description: 'A line that a figure may cross.' },
);
const fields = {
  asset: Type.String({ description: 'CAIP-19 id.', examples: ['eip155:1/slip44:60'] }),
  chain: AssetView.properties.chain,
  added_at: time('When the first thresholds of the asset were set.'),
  note: nullableText('The account’s own; null without one.'),
  thresholds: Type.Array(ThresholdView, { description: 'In the order they were given in.' }),
};
export const ThresholdEntry = Type.Object(fields, {
  title: 'ThresholdEntry',
  description: 'The thresholds of an account on an asset.',
});
export const ThresholdEntryReply = Type.Object(
  { ...fields, data_mode: DataMode },
  { description: 'The thresholds of the account on the asset.' },
);
export const ThresholdList = Type.Object(
  {
    data: Type.Array(ThresholdEntry, { description: 'In the order of the ids of the assets.' }),
    used: count('Assets with thresholds, on all chains.'),
    limit: Type.Integer({ description: '`threshold_assets` of the key’s plan.' }),
    next_cursor: noCursor,
    data_mode: DataMode,
  },
  { description: 'The thresholds of the account on assets of the chain.' },
);

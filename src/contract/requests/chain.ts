import Type from 'typebox';
import { CADENCES, SNAPSHOT_KINDS } from '../../domain/index.ts';
import { EXPORT_FORMATS } from '../export.ts';
import { CONDITIONS_ARE, FIGURE_NAMES, FIGURES_ARE, THRESHOLD_CONDITIONS } from '../threshold.ts';
import {
  asOf,
  chainText,
  choice,
  cursor,
  day,
  moment,
  NO_NUL,
  OPEN_QUERY,
  pageForm,
  pageSize,
  someOf,
  withDefault,
} from './fields.ts';

const asset = Type.String({
  description:
    'Mint or contract address, symbol in any case (of indexed assets), or CAIP-19 id (with `/` written as %2F).',
  examples: ['JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN', 'JUP'],
});
export const AssetParams = Type.Object({ asset });
export const ChainAssetParams = Type.Object({ chain: chainText, asset });
export const ChainParams = Type.Object({ chain: chainText });

export const SnapshotQuery = Type.Object({ as_of: asOf }, OPEN_QUERY);
export const PoolsQuery = Type.Object(
  {
    as_of: asOf,
    scope: withDefault(
      choice(
        ['all', 'verified', 'top'],
        '`all` pools; those `verified` on the chain itself; or the ten at the `top` by TVL.',
      ),
      'all',
    ),
    min_tvl_usd: withDefault(
      Type.Number({
        minimum: 0,
        description: 'plain decimal US dollars such as 5000; pools below, and pools of unknown TVL, are left out.',
      }),
      0,
    ),
  },
  OPEN_QUERY,
);
export const HistoryQuery = Type.Object({
  from: Type.Optional(moment('First time, RFC 3339; default a day before `to`.')),
  to: Type.Optional(moment('Last time, RFC 3339; default now.')),
  interval: withDefault(
    choice(
      ['all', '1m', '5m', '15m', '1h', '4h', '1d'],
      'The newest snapshot of each interval (UTC), or `all` of them.',
    ),
    '1h',
  ),
  limit: pageSize(500, 100),
  cursor: cursor('^[1-9]\\d{3}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$'),
});

export const IndexQuery = Type.Object({
  mine: withDefault(choice(['true', 'false'], '`true`: only what the account of the key has requested.'), 'false'),
  limit: pageSize(1_000, 500),
  cursor: cursor('^[A-Za-z0-9_-]{1,300}$'),
});

/** The snapshots of an asset to make, and their cadence. */
export const IndexBody = Type.Object({
  kinds: withDefault(
    Type.Array(choice(SNAPSHOT_KINDS, 'Kind of snapshot.'), {
      minItems: 1,
      maxItems: 3,
      description: 'Kinds of snapshots to make.',
    }),
    [...SNAPSHOT_KINDS],
  ),
  cadence: withDefault(
    choice(
      CADENCES,
      'How often readers need a new snapshot. An account gets none that is more frequent than its plan is served.',
    ),
    'newest',
  ),
});

export const ChangelogQuery = Type.Object({
  format: Type.Optional(choice(['json', 'atom'], 'Form of the feed; without it `Accept` decides, else JSON Feed.')),
});

const afterAsset = cursor('^[a-z0-9]{3,8}:[\\x21-\\x7e]{1,390}$');
export const CurrentRatingsQuery = Type.Object({
  format: pageForm,
  limit: pageSize(5_000, 1_000),
  cursor: afterAsset,
});
export const RatingDiffQuery = Type.Object({
  from: Type.Optional(day('UTC day as YYYY-MM-DD; default: the day before `to`.')),
  to: Type.Optional(day('UTC day as YYYY-MM-DD, after `from`; default: yesterday.')),
  format: pageForm,
  limit: pageSize(5_000, 1_000),
  cursor: afterAsset,
});

/** Most assets in a request for a stream, whatever the plan allows. */
const MOST_STREAMED = 200;
const listOf = (item: string, most: number) => `^${item}(,${item}){0,${most - 1}}$`;

/** What a stream follows. */
export const StreamQuery = Type.Object({
  assets: Type.Optional(
    Type.String({
      maxLength: 14_000,
      pattern: listOf('[^,\\s]{1,200}', MOST_STREAMED),
      description:
        'Assets, separated by commas, each as in the paths of its snapshots. Left out: the assets of the chain whose indexing the account has requested.',
      examples: ['JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN'],
    }),
  ),
  kinds: withDefault(someOf(SNAPSHOT_KINDS, 'Kinds of snapshots'), 'market'),
});

export const ExportQuery = Type.Object(
  {
    date: Type.Optional(day('UTC day as YYYY-MM-DD; default: the newest complete day.')),
    format: Type.Optional(choice(EXPORT_FORMATS, 'Form of the file; without it `Accept` decides, else a JSON array.')),
    revision: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 9_999,
        description: 'A whole number from 1: which revision of a restated day; default: the newest.',
      }),
    ),
  },
  OPEN_QUERY,
);

// Thresholds on figures of snapshots

const Threshold = Type.Object(
  {
    figure: choice(FIGURE_NAMES, FIGURES_ARE),
    condition: choice(THRESHOLD_CONDITIONS, CONDITIONS_ARE),
    value: Type.Number({
      exclusiveMinimum: 0,
      maximum: 1e18,
      description: 'In the unit of the figure; of `rises` and `falls` percent, at most 100 of `falls`.',
    }),
    window_seconds: Type.Optional(
      Type.Integer({
        minimum: 60,
        maximum: 604_800,
        description: 'Of `rises` and `falls`: how far back they look. Default: 3600.',
      }),
    ),
    hysteresis_pct: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 90,
        description: 'Percent of `value` that the figure goes back before it can cross again. Default: 5.',
      }),
    ),
    severity: Type.Optional(
      choice(
        ['info', 'low', 'medium', 'high', 'critical'],
        'Severity of its alerts: what it means to you. Default: medium.',
      ),
    ),
  },
  { additionalProperties: false, description: 'A line that a figure may cross.' },
);
export const ThresholdBody = Type.Object(
  {
    thresholds: Type.Array(Threshold, {
      minItems: 1,
      maxItems: 10,
      description: 'All thresholds of the asset: thresholds that are left out end, and the others keep their state.',
    }),
    note: withDefault(
      Type.Union([Type.String({ maxLength: 500, pattern: NO_NUL }), Type.Null()], {
        description: 'Your own note; null (the default): none.',
      }),
      null,
    ),
  },
  { additionalProperties: false, description: 'When the account is notified.' },
);

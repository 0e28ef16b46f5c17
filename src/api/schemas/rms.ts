import Type from 'typebox';
import { ALL_FACTOR_CODES, BANDS } from '../../domain/rating.ts';
import { AssetView, nullable, nullableNumber, nullableText, words } from './chain.ts';

const time = (description: string) => Type.String({ description, examples: ['2026-11-20T12:00:00.000Z'] });
const band = (description: string) => Type.String({ enum: [...BANDS], description });
const severity = words('info', 'low', 'medium', 'high', 'critical');
const range = (description: string) =>
  Type.Union([Type.Array(Type.Number(), { minItems: 2, maxItems: 2 }), Type.Null()], { description });
const dataMode = words('live', 'sandbox');

export const SignatureView = Type.Object(
  {
    algorithm: Type.Literal('Ed25519'),
    key_id: Type.String({ description: 'Key of /.well-known/assay-keys.json.' }),
    value: Type.String({ description: 'Base64 of the 64 bytes.' }),
  },
  {
    title: 'Signature',
    description:
      'Over the canonical JSON (RFC 8785) of the reply without `signature`, `standing` and `age_seconds` (docs/ratings.md).',
  },
);

const flag = Type.Object({
  code: Type.String(),
  severity,
  title: Type.String(),
  detail: Type.String(),
  since: nullableText('First seen raised, without a break since.'),
});

const record = {
  asset: AssetView,
  stage: words('post_tge', 'pre_tge'),
  score: nullableNumber('0-100 in steps of 0.1; null when not rated.'),
  band: band('AAA to D, with hysteresis; NR when not rated.'),
  trust_score: Type.Number({ minimum: 0, maximum: 100, description: 'How far the evidence can be trusted, 0-100.' }),
  risk_flags: Type.Array(flag),
  score_interval: range('Low and high end of the score.'),
  indicative_band: band('Of this moment’s score alone.'),
  smoothed_score: nullableNumber('What band changes rest on.'),
  outlook: Type.Union([words('positive', 'stable', 'negative', 'developing', 'provisional'), Type.Null()]),
  watch: nullable(
    Type.Object({
      direction: Type.String(),
      reason: Type.String(),
      detail: Type.String(),
      since: Type.String(),
      deadline: Type.String(),
    }),
  ),
  vfr: Type.Object({
    value: nullableNumber('Price over fair value; null when no fair value can be computed honestly.'),
    zone: words('DEEP_DISCOUNT', 'DISCOUNT', 'FAIR', 'PREMIUM', 'EXTREME_PREMIUM', 'INDETERMINATE'),
    interval: range('Low and high end.'),
  }),
  previous: nullable(
    Type.Object({
      score: nullableNumber('Of the rating before.'),
      band: band('Of the rating before.'),
      as_of: Type.String(),
    }),
  ),
  rating_action: words('new', 'affirm', 'upgrade', 'downgrade', 'withdraw'),
  action_reason: Type.String(),
  reversal: Type.Boolean({ description: 'The action takes back one of the 30 days before.' }),
  drivers: Type.Array(
    Type.Object({
      code: Type.String(),
      name: Type.String(),
      points: Type.Number({ description: 'All add up to the change of the score.' }),
      detail: Type.String(),
    }),
  ),
  default: nullable(
    Type.Object({
      since: Type.String(),
      cures_at: nullableText('When it is cured if nothing comes up again.'),
      tests: Type.Array(Type.Object({ code: Type.String(), detail: Type.String(), since: Type.String() })),
    }),
  ),
  issuer_control: nullable(
    Type.Object(
      {
        kind: words('stablecoin', 'wrapped', 'tokenised_asset'),
        technical_score: nullableNumber('As if the issuer’s powers were a stranger’s.'),
        technical_band: band('Of the technical score.'),
      },
      { description: 'The issuer’s powers are by design.' },
    ),
  ),
  gaps: Type.Array(Type.Object({ feature: Type.String(), reason: Type.String() })),
  conflicts: Type.Array(Type.Object({ quantity: Type.String(), detail: Type.String() })),
  market_cap_usd: nullableNumber('For peer groups.'),
  methodology_version: Type.String(),
  methodology_hash: Type.String(),
  job_id: Type.String({ description: 'GET /v1/jobs/{job_id}/evidence holds the evidence.' }),
  participation: Type.Literal('unsolicited'),
  data_mode: dataMode,
  as_of: time('When the facts were true, RFC 3339 UTC.'),
};

const standing = nullable(
  Type.Object(
    {
      category: Type.String(),
      category_percentile: nullableNumber(
        'Share of the category’s rated assets that score lower, ties by half; null below 5 peers.',
      ),
      category_peers: Type.Integer(),
      size_group: nullableText('Decade of the market capitalisation.'),
      size_percentile: nullableNumber('The same among those of the category whose size is of the same decade.'),
      size_peers: Type.Integer(),
    },
    {
      description: 'Among peers as they are rated now (at most a minute old); null on ratings that are not the newest.',
    },
  ),
);

export const RatingView = Type.Object(
  { ...record, standing, signature: SignatureView, age_seconds: Type.Integer({ minimum: 0 }) },
  { title: 'Rating' },
);
export const SignedRecord = Type.Object({ ...record, signature: SignatureView }, { title: 'RatingRecord' });

export const DigestView = Type.Object(
  {
    asset_id: Type.String(),
    symbol: nullableText('Ticker.'),
    band: band('AAA to D, or NR.'),
    score: nullableNumber('0-100.'),
    trust_score: Type.Number(),
    outlook: nullableText('Outlook.'),
    watch: nullableText('Reason of the watch.'),
    flags: Type.Array(Type.String(), { maxItems: 5, description: 'Worst first.' }),
    more_flags: Type.Integer(),
    vfr_zone: Type.String(),
    rating_action: Type.String(),
    gaps: Type.Integer(),
    conflicts: Type.Integer(),
    methodology_version: Type.String(),
    data_mode: dataMode,
    as_of: Type.String(),
    sentence: Type.String(),
    age_seconds: Type.Integer({ minimum: 0 }),
  },
  { title: 'RatingDigest', description: 'A short form for programs with little room; not signed.' },
);

const feature = Type.Object({
  id: Type.String(),
  name: Type.String(),
  status: words('observed', 'absent', 'unknown', 'not_applicable'),
  value: Type.Union([Type.Number(), Type.String(), Type.Null()]),
  unit: Type.String(),
  score: nullableNumber('0-100; null when there is none.'),
  weight: Type.Number(),
  confidence: Type.Number(),
  method: Type.String(),
  rationale: Type.String(),
  sources: Type.Array(
    Type.Object({ source: Type.String(), quantity: Type.String(), accepted: Type.Boolean(), evidence: Type.String() }),
    { description: 'Who was heard; `evidence` names the archived reply.' },
  ),
});

export const BreakdownView = Type.Object(
  {
    asset: AssetView,
    score: nullableNumber('As published.'),
    band: band('As published.'),
    trust_score: Type.Number(),
    contributions: Type.Array(
      Type.Object({
        kind: words('prior', 'factor', 'caps', 'default', 'fading_caps', 'standing_rating'),
        code: Type.String(),
        name: Type.String(),
        points: Type.Number({ description: 'In steps of 0.1.' }),
        detail: Type.String(),
      }),
      { description: 'Their points add up to `score`, to the last digit. Empty when there is no score.' },
    ),
    factors: Type.Array(
      Type.Object({
        code: Type.String({ enum: [...ALL_FACTOR_CODES] }),
        name: Type.String(),
        score: Type.Number(),
        raw_score: nullableNumber('Before it is drawn towards its prior for want of evidence.'),
        weight: Type.Number(),
        contribution: Type.Number({ description: 'Points from the prior.' }),
        confidence: Type.Number(),
        shrink: Type.Number(),
        prior: Type.Number(),
        rationale: Type.String(),
        features: Type.Array(feature),
      }),
    ),
    caps: Type.Array(
      Type.Object({
        code: Type.String(),
        cap: Type.Number(),
        band: band('The best it allows.'),
        flag: nullableText('Flag that caused it.'),
        detail: Type.String(),
        binding: Type.Boolean({ description: 'It set the score.' }),
      }),
    ),
    risk_flags: Type.Array(flag),
    gaps: record.gaps,
    conflicts: record.conflicts,
    summary: Type.String(),
    limitations: Type.Array(Type.String()),
    methodology_version: Type.String(),
    methodology_hash: Type.String(),
    job_id: Type.String(),
    as_of: record.as_of,
    data_mode: dataMode,
    age_seconds: Type.Integer({ minimum: 0 }),
  },
  { title: 'Breakdown' },
);

const rating = Type.String({
  description:
    'CAIP-19 id (its slash as it is or as %2F), chain:address, mint or contract address, or symbol. Case of ASCII letters in symbols does not count; look-alike letters do. `batch`, `whitelist` and `actions` are no symbols here: ask for such an asset by its id.',
  examples: ['JUP', 'eip155:1/erc20:0x1f9840a85d5af5bf1d1762f925bdaddc4201f984'],
});
export const RatedParams = Type.Object({ asset: rating });
export const RatedIdParams = Type.Object({
  namespace: Type.String({ description: 'CAIP-2 id of the chain.', examples: ['eip155:1'] }),
  reference: Type.String({
    description: 'The rest of the CAIP-19 id.',
    examples: ['erc20:0x1f9840a85d5af5bf1d1762f925bdaddc4201f984'],
  }),
});

const asOf = Type.Optional(
  Type.String({
    format: 'date-time',
    description: 'RFC 3339 time, not in the future: answers with what was known then.',
  }),
);
const methodology = Type.Optional(
  Type.String({
    pattern: '^[A-Za-z0-9._-]{1,40}$',
    description: 'Version of the methodology: the newest rating made with it.',
  }),
);
const view = Type.Optional(
  Type.String({ enum: ['full', 'digest'], description: '`digest`: the short form for programs with little room.' }),
);
export const RatingQuery = Type.Object({
  as_of: asOf,
  methodology,
  fresh: Type.Optional(
    Type.String({
      enum: ['true', 'false'],
      description:
        '`true`: rates the asset again now, within a quota of its own (GET /v1/plans). `Prefer: wait=N` says how long to wait for it.',
    }),
  ),
  format: view,
  view,
});
export const BreakdownQuery = Type.Object({ as_of: asOf, methodology });

const limit = Type.Optional(
  Type.Integer({ minimum: 1, maximum: 500, description: 'A whole number from 1 to 500; usual 100.' }),
);
const cursor = Type.Optional(Type.String({ maxLength: 1_000, description: '`next_cursor` of the page before.' }));
export const ActionsQuery = Type.Object({ limit, cursor });
export const INTERVALS: Readonly<Record<string, number | null>> = {
  all: null,
  '1h': 3_600,
  '4h': 14_400,
  '1d': 86_400,
  '7d': 604_800,
};
const moment = (description: string) => Type.Optional(Type.String({ format: 'date-time', description }));
export const RatingHistoryQueryView = Type.Object({
  from: moment('RFC 3339; usual: 30 days before `to`.'),
  to: moment('RFC 3339; usual: now.'),
  interval: Type.Optional(
    Type.String({
      enum: Object.keys(INTERVALS),
      description: 'The newest rating of each interval; `all`: every rating. Usual: 1d.',
    }),
  ),
  limit,
  cursor,
});
export const AssetActionsQuery = Type.Object({
  from: moment('RFC 3339; usual: the beginning.'),
  to: moment('RFC 3339; usual: now.'),
  limit,
  cursor,
});
export const SORTS = ['score', '-score', 'trust', '-trust', 'as_of', '-as_of', 'symbol', '-symbol'] as const;
export const RatingListQueryView = Type.Object({
  chain: Type.Optional(Type.String({ pattern: '^[a-z]{2,20}$', description: 'Name of a chain.' })),
  band: Type.Optional(
    Type.String({
      pattern: `^(${BANDS.join('|')})(,(${BANDS.join('|')})){0,10}$`,
      description: 'Bands, separated by commas.',
      examples: ['AAA,AA'],
    }),
  ),
  category: Type.Optional(Type.String({ pattern: '^[a-z0-9_]{1,40}$', description: 'Category of the methodology.' })),
  flag: Type.Optional(Type.String({ pattern: '^[A-Z0-9_]{1,60}$', description: 'Code of a raised flag.' })),
  min_trust: Type.Optional(Type.Number({ minimum: 0, maximum: 100, description: 'A number from 0 to 100.' })),
  sort: Type.Optional(Type.String({ enum: [...SORTS], description: 'Usual: -score. What has no value comes last.' })),
  limit,
  cursor,
});

export const RecordPage = Type.Object({
  data: Type.Array(SignedRecord),
  next_cursor: nullableText('Ask with it for the next page; null on the last.'),
  data_mode: dataMode,
});

export const BatchBody = Type.Object(
  {
    assets: Type.Array(Type.String({ maxLength: 150 }), {
      minItems: 1,
      description: 'Named as in the path of GET /v1/rms/{asset}; as many as the plan’s batch size (GET /v1/plans).',
    }),
  },
  { examples: [{ assets: ['JUP', 'eip155:1/erc20:0x1f9840a85d5af5bf1d1762f925bdaddc4201f984'] }] },
);
export const BatchReply = Type.Array(
  Type.Union([
    RatingView,
    Type.Object({
      requested: Type.String({ description: 'The asset as it was asked for.' }),
      error: Type.Object({ code: Type.String() }, { additionalProperties: true }),
    }),
  ]),
  { description: 'One entry per asset asked for, in order; a `RatingView`, or `error` with a problem object.' },
);

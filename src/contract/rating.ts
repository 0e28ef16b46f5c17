import Type from 'typebox';
import type { PublishedRating } from '../domain/index.ts';
import { FailureProbabilityView, failureView } from './failure.ts';
import {
  ageSeconds,
  assetClass,
  Band,
  count,
  DataMode,
  describedHere,
  Gap,
  jobId,
  methodologyHash,
  methodologyVersion,
  nextCursor,
  nullableNumber,
  nullableText,
  nullableTime,
  Outlook,
  oneOf,
  type RatedAssetView,
  type Reply,
  Severity,
  SignedAssetView,
  signatureParts,
  time,
  VfrZone,
} from './vocabulary.ts';

const range = (description: string) =>
  Type.Union([Type.Array(Type.Number(), { minItems: 2, maxItems: 2 }), Type.Null()], { description });

export const SignatureView = Type.Object(signatureParts, {
  title: 'Signature',
  description:
    'Over the canonical JSON (RFC 8785) of the reply without `signature`, `standing`, `correction` and `age_seconds` (docs/ratings.md).',
});

export const trustScore = Type.Number({
  minimum: 0,
  maximum: 100,
  description: 'How far the evidence can be trusted, 0-100; it states nothing about the asset (methodology, Trust).',
});
export const score = nullableNumber('0-100 in steps of 0.1; null when not rated.');
export const band = describedHere(
  Band,
  'AAA to D, with hysteresis: it falls fast and rises slowly; NR when not rated.',
);
/** Fields of a flag, published or not. */
export const flagFields = {
  code: Type.String({
    description: 'Code of the flag; docs/flags.md has all of them.',
    examples: ['MINT_AUTHORITY_EOA'],
  }),
  severity: Severity,
  title: Type.String({ description: 'The condition in short.' }),
  detail: Type.String({ description: 'What was seen, with its numbers.' }),
};
export const RiskFlag = Type.Object(
  {
    ...flagFields,
    since: nullableTime('First seen raised, without a break since.'),
  },
  { title: 'RiskFlag', description: 'A condition that a reader should know of, as it was published.' },
);
export const riskFlags = Type.Array(RiskFlag, { description: 'Flags that are raised.' });
export const gaps = Type.Array(Gap, { description: 'What is not known, and why.' });
export const conflicts = Type.Array(
  Type.Object({
    quantity: Type.String({ description: 'What the sources disagree on.' }),
    detail: Type.String({ description: 'What each source states.' }),
  }),
  { description: 'Quantities whose sources contradict each other.' },
);
export const asOf = time('When the facts were true.');

const watch = Type.Object(
  {
    direction: oneOf('Which way the band may go.', ['positive', 'negative', 'developing']),
    reason: Type.String({ description: 'A word, such as `unlock_pending`, `source_conflict` or `evidence`.' }),
    detail: Type.String({ description: 'What is pending.' }),
    since: time('When it began.'),
    deadline: time('By then it is resolved or renewed.'),
  },
  { title: 'Watch', description: 'An event that may move the band is pending.' },
);
const driver = Type.Object(
  {
    code: Type.String({
      description:
        'Code of a factor; CAP for caps, DEFAULT, STAGE for a change of model, or RECORD for a change of name, website, category or class.',
    }),
    name: Type.String({ description: 'Its name.' }),
    points: Type.Number({ description: 'All add up to the change of the score.' }),
    detail: Type.String({ description: 'What changed.' }),
  },
  { title: 'Driver', description: 'One part of what moved the score.' },
);
const defaulted = Type.Object(
  {
    since: time('When it defaulted.'),
    cures_at: nullableTime('When it is cured if nothing comes up again.'),
    tests: Type.Array(
      Type.Object({
        code: Type.String({ description: 'D1 to D8, in the methodology’s table of default tests.' }),
        detail: Type.String({ description: 'What meets the test.' }),
        since: time('Since when it is met.'),
      }),
      { description: 'Default tests that are met; empty while it waits to be cured.' },
    ),
  },
  { title: 'Default', description: 'The asset has failed, by tests that are written down (methodology, Default).' },
);
const issuerControl = Type.Object(
  {
    kind: oneOf('What the asset is.', ['stablecoin', 'wrapped', 'tokenised_asset']),
    technical_score: nullableNumber('As if the issuer’s powers belonged to an unknown party.'),
    technical_band: describedHere(Band, 'Of the technical score.'),
  },
  { title: 'IssuerControl', description: 'The issuer’s powers are by design.' },
);
const orNull = <T extends typeof watch | typeof defaulted | typeof issuerControl>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });

/**
 * The score record as it is stored and signed. Fields that a reply adds (age, standing, correction, signature) are not part of it.
 */
const record = {
  asset: SignedAssetView,
  stage: oneOf('With a tradable token, or before it.', ['post_tge', 'pre_tge']),
  score,
  band,
  trust_score: trustScore,
  risk_flags: riskFlags,
  score_interval: range('Low and high end of the score, 80 %; null when not rated.'),
  indicative_band: describedHere(Band, 'Of this moment’s score alone.'),
  smoothed_score: nullableNumber('What band changes rest on, 0-100; null when not rated.'),
  outlook: Type.Union([Outlook, Type.Null()], { description: 'Where the rating is likely to go; null without one.' }),
  watch: orNull(watch, 'An event that may move the band is pending; null: none is.'),
  vfr: Type.Object(
    {
      value: nullableNumber('Price over fair value; null when no fair value can be computed reliably.'),
      zone: VfrZone,
      interval: range('Low and high end, 80 %; null without a value.'),
    },
    { description: 'Value-fairness ratio (docs/vfr.md); no forecast, and no part of the score.' },
  ),
  failure_probability: Type.Optional(
    Type.Array(FailureProbabilityView, {
      description: 'How likely it fails within 30 days and within a year; ratings from before it was given lack it.',
    }),
  ),
  previous: Type.Union(
    [
      Type.Object({
        score: nullableNumber('Of the rating before.'),
        band: describedHere(Band, 'Of the rating before.'),
        as_of: time('When its facts were true.'),
      }),
      Type.Null(),
    ],
    { description: 'The rating before; null on the first.' },
  ),
  rating_action: oneOf('What this rating did to the one before.', [
    'new',
    'affirm',
    'upgrade',
    'downgrade',
    'withdraw',
  ]),
  action_reason: Type.String({ description: 'Why, in one line.' }),
  reversal: Type.Boolean({ description: 'The action takes back one of the 30 days before.' }),
  drivers: Type.Array(driver, { description: 'What moved the score since the rating before.' }),
  default: orNull(defaulted, 'Set once it has defaulted, until it is cured; else null.'),
  issuer_control: orNull(issuerControl, 'For stablecoins, wrapped and tokenised assets; else null.'),
  gaps,
  conflicts,
  market_cap_usd: nullableNumber('Market capitalisation, US dollars, for peer groups; null when not known.'),
  methodology_version: methodologyVersion,
  methodology_hash: methodologyHash,
  job_id: jobId,
  participation: Type.Literal('unsolicited', { description: 'The rated party neither requested nor paid for it.' }),
  data_mode: DataMode,
  as_of: asOf,
};

const RatingRecord = Type.Object(record);
export type ScoreRecord = Reply<typeof RatingRecord>;

const peerRank = Type.Union(
  [
    Type.Object(
      {
        category: Type.String({ description: 'Category the peers are of.' }),
        category_percentile: nullableNumber(
          'Share of the category’s rated assets that score lower, 0-100, ties by half; null below 5 peers.',
        ),
        category_peers: count('Rated peers of the category.'),
        size_group: nullableText('Decade of the market capitalisation, such as `1e6-1e7 USD`; null when not known.'),
        size_percentile: nullableNumber('The same among those of the category whose size is of the same decade.'),
        size_peers: count('Rated peers of the category and that size.'),
      },
      { title: 'Standing', description: 'The rank of a score among its peers.' },
    ),
    Type.Null(),
  ],
  { description: 'Among peers as they are rated now (at most a minute old); null on ratings that are not the newest.' },
);

export const correction = Type.Optional(
  Type.Object(
    {
      restatement_id: count('Its number in `GET /v1/restatements`.'),
      made_at: time('When it was published.'),
      reason: Type.String({ description: 'What was wrong.' }),
      band: describedHere(Band, 'The band that the rating should have had.'),
      score: nullableNumber('The score that it should have had, 0-100; null when not rated.'),
    },
    {
      title: 'RatingCorrection',
      description:
        'Present only if this rating was shown to be wrong: its newest correction. The signed members stay as published; it ends with the next rating.',
    },
  ),
);

/** What a page or report says of a rating that was shown to be wrong; plain text. */
export function correctionWords({ band, score, reason, made_at: at }: Correction): string {
  const points = score === null ? '' : ` (${score} of 100)`;
  return `This rating was wrong: it should have been ${band}${points}. ${reason}; corrected ${at.slice(0, 10)} ${at.slice(11, 16)} UTC.`;
}
/** What a rating should have been, and why. */
export type Correction = Pick<NonNullable<Reply<typeof correction>>, 'band' | 'score' | 'reason' | 'made_at'>;

export const RatingView = Type.Object(
  { ...record, correction, standing: peerRank, signature: SignatureView, age_seconds: ageSeconds },
  { title: 'Rating', description: 'The published rating of an asset, signed.' },
);
export const SignedRecord = Type.Object(
  { ...record, signature: SignatureView },
  { title: 'RatingRecord', description: 'A published rating as it was signed; it never changes.' },
);

export const DigestView = Type.Object(
  {
    asset_id: Type.String({ description: 'CAIP-19 id, or `project:` and a domain.' }),
    symbol: nullableText('Ticker, untrusted text; null when not known.'),
    class: assetClass,
    band,
    score,
    trust_score: trustScore,
    outlook: nullableText('`positive`, `stable`, `negative`, `developing` or `provisional`; null without one.'),
    watch: nullableText('Reason of the watch; null: none.'),
    flags: Type.Array(Type.String(), { maxItems: 5, description: 'Codes of the gravest flags, worst first.' }),
    more_flags: count('Flags raised besides those.'),
    vfr_zone: VfrZone,
    rating_action: Type.String({ description: '`new`, `affirm`, `upgrade`, `downgrade` or `withdraw`.' }),
    gaps: count('Number of features that are not known.'),
    conflicts: count('On how many quantities the sources disagree.'),
    methodology_version: methodologyVersion,
    data_mode: DataMode,
    as_of: asOf,
    sentence: Type.String({ description: 'The rating in one sentence.' }),
    correction,
    age_seconds: ageSeconds,
  },
  { title: 'RatingDigest', description: 'A short form for programs with little room; not signed.' },
);

export const RecordPage = Type.Object(
  {
    data: Type.Array(SignedRecord, { description: 'Ratings as they were published and signed.' }),
    next_cursor: nextCursor,
    data_mode: DataMode,
  },
  { description: 'A page of ratings.' },
);

export const NotRatedEntry = Type.Object({
  requested: Type.String({ description: 'The asset as requested.' }),
  error: Type.Object(
    { code: Type.String({ description: 'The problem’s stable word, such as `asset_not_rated`.' }) },
    { additionalProperties: true, description: 'The problem object that the asset alone would have got.' },
  ),
});
export const BatchReply = Type.Array(Type.Union([RatingView, DigestView, NotRatedEntry]), {
  description:
    'One entry per requested asset, in order; a `Rating` (with `view: digest` its digest), or `error` with a problem object.',
});

/** The record of a published rating. */
export function scoreRecord(published: PublishedRating, dataMode: 'live' | 'sandbox'): ScoreRecord {
  const { asset, previous, vfr, watch, issuerControl } = published;
  return {
    asset: {
      id: asset.id,
      chain: asset.chain,
      address: asset.address,
      symbol: asset.symbol,
      name: asset.name,
      category: published.category,
      category_reason: published.categoryReason ?? null,
      class: published.class ?? null,
      website: asset.website,
    },
    stage: published.stage,
    score: published.score,
    band: published.band,
    trust_score: published.trust,
    risk_flags: published.flags.map(({ code, severity, title, detail, since }) => ({
      code,
      severity,
      title,
      detail,
      since,
    })),
    score_interval: published.scoreInterval,
    indicative_band: published.indicativeBand,
    smoothed_score: published.smoothedScore,
    outlook: published.outlook,
    watch: watch && {
      direction: watch.direction,
      reason: watch.reason,
      detail: watch.detail,
      since: watch.since,
      deadline: watch.deadline,
    },
    vfr: { value: vfr.value, zone: vfr.zone, interval: vfr.interval },
    ...(published.failure && { failure_probability: failureView(published.failure) }),
    previous: previous && { score: previous.score, band: previous.band, as_of: previous.asOf },
    rating_action: published.action,
    action_reason: published.actionReason,
    reversal: published.reversal,
    drivers: published.drivers.map(({ code, name, points, detail }) => ({ code, name, points, detail })),
    default: published.default && {
      since: published.default.since,
      cures_at: published.default.curesAt,
      tests: published.defaultTests.map(({ code, detail, since }) => ({ code, detail, since })),
    },
    issuer_control: issuerControl && {
      kind: issuerControl.kind,
      technical_score: issuerControl.technicalScore,
      technical_band: issuerControl.technicalBand,
    },
    gaps: published.gaps.map(({ feature, reason }) => ({ feature, reason })),
    conflicts: published.conflicts.map(({ quantity, detail }) => ({ quantity, detail })),
    market_cap_usd: published.marketCapUsd,
    methodology_version: published.methodologyVersion,
    methodology_hash: published.methodologyHash,
    job_id: published.jobId,
    participation: 'unsolicited',
    data_mode: dataMode,
    as_of: published.asOf,
  };
}

/** The asset of a stored record with its class; null where the record is older than classes. */
export function ratedAsset({ asset }: Pick<ScoreRecord, 'asset'>): Reply<typeof RatedAssetView> {
  return { ...asset, category_reason: asset.category_reason ?? null, class: asset.class ?? null };
}

const WORST = ['critical', 'high', 'medium', 'low', 'info'];

/** A short form for agents: one flat object and one sentence, under a kilobyte. */
export function digestOf(record: ScoreRecord): Omit<Reply<typeof DigestView>, 'age_seconds' | 'correction'> {
  const flags = [...record.risk_flags]
    .sort((a, b) => WORST.indexOf(a.severity) - WORST.indexOf(b.severity))
    .map((flag) => flag.code);
  const rated =
    record.score === null
      ? `not rated (${record.action_reason.slice(0, 120)})`
      : `${record.band}, ${record.score} of 100`;
  return {
    asset_id: record.asset.id,
    symbol: record.asset.symbol,
    class: record.asset.class ?? null,
    band: record.band,
    score: record.score,
    trust_score: record.trust_score,
    outlook: record.outlook,
    watch: record.watch?.reason ?? null,
    flags: flags.slice(0, 5),
    more_flags: Math.max(0, flags.length - 5),
    vfr_zone: record.vfr.zone,
    rating_action: record.rating_action,
    gaps: record.gaps.length,
    conflicts: record.conflicts.length,
    methodology_version: record.methodology_version,
    data_mode: record.data_mode,
    as_of: record.as_of,
    sentence: `Rated ${rated}; trust in the evidence ${record.trust_score} of 100${flags[0] ? `; worst flag ${flags[0]}` : ''}.`,
  };
}

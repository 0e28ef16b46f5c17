import Type from 'typebox';
import { NOT_PUBLISHED_CODES } from '../domain/index.ts';
import { factorFields } from './factor.ts';
import { FailureProbabilityView } from './failure.ts';
import { flagFields } from './rating.ts';
import {
  ageSeconds,
  attributions,
  Band,
  Cap,
  count,
  DataMode,
  fraction,
  jobId,
  list,
  methodologyVersion,
  nullableNumber,
  nullableText,
  nullableTime,
  Outlook,
  oneOf,
  VfrZone,
} from './vocabulary.ts';

const interval = (description: string) =>
  Type.Union([Type.Tuple([Type.Number(), Type.Number()]), Type.Null()], { description });

const score = nullableNumber('0-100 in steps of 0.1; null when not rated (`NR`).');
const trust = Type.Number({
  minimum: 0,
  maximum: 100,
  description: 'How far the evidence can be trusted, 0-100; it states nothing about the asset (methodology, Trust).',
});
const vfrValue = nullableNumber(
  'Market value over fair value: 1 is what peers are worth; null when no fair value can be computed reliably.',
);
const echoed = {
  job_id: jobId,
  type: Type.String({ description: '`type` as it was sent.' }),
  project: Type.String({ description: '`project` as it was sent, or the name that `asset` was read as.' }),
};
const seconds = Type.Number({
  minimum: 0,
  description: 'Seconds from the start of the caller’s job to its result, whichever job collected the evidence.',
});

export const MinimalScore = Type.Object(
  {
    ...echoed,
    job_id: Type.String({
      pattern: '^[a-z]+_[0-9]+_[a-z0-9]{8}$',
      description: 'The job that made it; GET /v1/jobs/{id}/evidence holds what it rests on.',
    }),
    rating: Type.Object(
      { band: Band, score },
      { additionalProperties: false, description: 'The rating of this moment.' },
    ),
    trust_score: Type.Object(
      { score: trust },
      { additionalProperties: false, description: 'Trust in the evidence, apart from the rating.' },
    ),
    vfr: Type.Object(
      { value: vfrValue, zone: VfrZone },
      { additionalProperties: false, description: 'Value-fairness ratio; no forecast, and no part of the score.' },
    ),
    execution_time_seconds: seconds,
  },
  {
    additionalProperties: false,
    title: 'MinimalScore',
    description: 'The reply to `output_format: minimal`: these fields and no other.',
  },
);

export const Flag = Type.Object(
  {
    ...flagFields,
    confidence: fraction('How sure the condition is; 0.5 at least, 0.7 for critical flags.'),
    since: nullableTime(
      'Since when the condition holds, or else when it was first raised in an unbroken run of ratings.',
    ),
    evidence: list('What it rests on: quantities of `quantities`, or ids of archived replies.'),
  },
  { title: 'ScoreFlag', description: 'A condition that a reader should know of.' },
);
export const points = Type.Number({
  description: 'What it moves the score from `prior`, in points; all of them add up to the score before caps.',
});
const Factor = Type.Object(
  { ...factorFields, points },
  { title: 'ScoreFactor', description: 'One subject of the rating.' },
);
const SourceRow = Type.Object(
  {
    name: Type.String({ description: 'Name of the public source.' }),
    outcome: Type.String({
      description:
        'What became of it: `ok`, `empty`, `not_found`, or why it stated nothing, such as `timeout` or `rate_limited`.',
    }),
    milliseconds: Type.Number({ description: 'Time that its requests took.' }),
    items_used: count('Observations taken from its replies.'),
    asked: count('Requests sent to it.'),
    answered: count('Requests that it replied to.'),
    detail: nullableText('What went wrong; null when nothing did.'),
  },
  { title: 'SourceOutcome', description: 'What became of one source in this job.' },
);
const identification = Type.Object(
  {
    match: fraction(
      'How sure it is that project, token and website are one (methodology, Trust); 0.30 at least to be rated.',
    ),
    registrable_domain: nullableText('Registrable domain of the url; null when the url is on a shared host.'),
    links: Type.Array(Type.Unknown(), {
      description: 'What ties them together: `kind`, `strength` (0-1), `detail` and `sources` of each link.',
    }),
    contradictions: Type.Array(Type.Unknown(), {
      description: 'Evidence against it: `kind`, `factor` (0-1, multiplies the match), `detail` and `sources`.',
    }),
    notes: list('What else a reader should know of the identification.'),
  },
  { description: 'Why this asset is taken for the project’s.' },
);
const trustPart = (what: string) => fraction(`${what} (methodology, Trust).`);

const Tie = Type.Object(
  {
    kind: oneOf('What the project states.', ['repository', 'audit', 'governance', 'person', 'bounty']),
    subject: Type.String({
      description: 'Its subject: a repository, an audit firm, a voting space, a profile. Untrusted text.',
      examples: ['fernwood/core'],
    }),
    state: oneOf(
      '`confirmed`: the other end names the project; `linked`: linked by the project, not confirmed; `claimed`: stated without a link to another party. Only what is confirmed counts.',
      ['confirmed', 'linked', 'claimed'],
    ),
    by: Type.String({ description: 'What was found at the other end.' }),
    link: nullableText('Where it leads; null without a link.'),
    observations: list('Keys of the `quantities` it rests on: `quantity@scope`.'),
  },
  { title: 'Tie', description: 'A statement of the project about somebody else, with the state of its other end.' },
);

export const standardFields = {
  ...echoed,
  published: Type.Boolean({
    description:
      'This rating was published. False: see `not_published_because`; what GET /v1/rms/{asset} shows is untouched.',
  }),
  published_rating: Type.Union(
    [
      Type.Object(
        {
          band: Band,
          score,
          reason: Type.Union([Type.String(), Type.Null()], {
            description:
              'Why it differs from `rating`: flags that still count, or the hysteresis; null when it does not.',
          }),
        },
        {
          title: 'RatingAsPublished',
          description:
            'What GET /v1/rms/{asset} shows of it: with the hysteresis of the asset’s ratings, so that bands change slowly.',
        },
      ),
      Type.Null(),
    ],
    { description: 'Null when it was not published.' },
  ),
  not_published_because: Type.Array(
    Type.Object({
      code: oneOf('What is missing.', NOT_PUBLISHED_CODES),
      detail: Type.String({ description: 'The same as text.' }),
    }),
    { description: 'Empty when it is published.' },
  ),
  collection_id: Type.Union([Type.String(), Type.Null()], {
    description:
      'The collection that served the request, or that continues where the caller did not wait for it; null where a published rating was fresh enough.',
  }),
  data_mode: DataMode,
  as_of: Type.String({ format: 'date-time', description: 'The time that the rating applies to. RFC 3339, UTC.' }),
  age_seconds: ageSeconds,
  stage: oneOf('With a tradable token, or before it.', ['post_tge', 'pre_tge']),
  asset: Type.Object(
    {
      id: Type.String({ description: 'CAIP-19 id; `project:` and the registrable domain without a token.' }),
      chain: nullableText('Our name of the chain; null without a token.'),
      address: nullableText('Mint or contract; `native` for a chain’s own coin; null without a token.'),
      symbol: nullableText('Ticker, as the token itself states: untrusted text, not unique.'),
      name: Type.String({ description: 'What the token or the project calls itself: untrusted text.' }),
      class: Type.String({
        description: 'Class it is rated as, such as `native_l1` or `stable_fiat`: its features, weights and ceilings.',
      }),
      category: Type.String({ description: 'Older name of the class, such as `defi_protocol`.' }),
      category_reason: Type.String({ description: 'Why it was put into that class.' }),
      website: nullableText('The project’s own site, when known.'),
      identification,
    },
    { title: 'IdentifiedAsset', description: 'The asset that the project was found to be.' },
  ),
  rating: Type.Object(
    {
      band: Band,
      score,
      interval: interval(
        'Low and high end of the score that full knowledge would give, meant to hold four times out of five; null when not rated.',
      ),
      outlook: Type.Union([Outlook, Type.Null()], {
        description:
          '`provisional` before the token, else null: a direction is a matter of the published rating (GET /v1/rms/{asset}).',
      }),
      uncapped_score: nullableNumber('Score before caps, 0-100; null when not rated.'),
      uncapped_band: Type.Union([Band, Type.Null()], {
        description: 'Band of the score before caps; null when not rated.',
      }),
      evidence_cap: Type.Boolean({
        description: 'Trust is limited, which puts a ceiling on the score (methodology, Trust).',
      }),
      provisional: Type.Boolean({
        description: 'Trust is weak, or the project has no token yet: read the rating as a first look.',
      }),
      not_rated_reasons: list('Why it is not rated; empty when it is.'),
    },
    {
      title: 'ScoreRating',
      description:
        'The rating of this moment, without the hysteresis of published ratings: but what is in default is `D` here too.',
    },
  ),
  trust_score: Type.Object(
    {
      score: trust,
      tier: oneOf('The tier of the trust.', ['high', 'adequate', 'limited', 'weak', 'insufficient']),
      components: Type.Object(
        {
          coverage: trustPart('How much of what matters is known'),
          agreement: trustPart('How far the sources agree'),
          independence: trustPart('Number of independent origins'),
          freshness: trustPart('How new the facts are'),
          identity: trustPart('How surely all of it is about this asset'),
        },
        { description: 'What it is made of.' },
      ),
    },
    { title: 'TrustScore', description: 'Trust in the evidence, apart from the rating.' },
  ),
  vfr: Type.Object(
    {
      value: vfrValue,
      zone: VfrZone,
      interval: interval('Low and high end, 80 %; null without a value.'),
      method: oneOf(
        'What it is compared with: its redemption value (`peg`), peers by `multiples`, also by a regression, or funding `rounds`; `none`: there is no ratio.',
        ['peg', 'multiples', 'multiples_and_regression', 'rounds', 'none'],
      ),
      peers: count('Assets it was compared with.'),
      reason: nullableText('Why there is no value; null when there is one.'),
      z: nullableNumber('ln of the value over its standard deviation: the zones are cut by it.'),
      fair_value_usd: nullableNumber('What the value divides, US dollars; null where a unit is compared (peg).'),
      circulating: nullableNumber('The same fair value under price x circulating supply, unlocks to come left out.'),
      fully_diluted: nullableNumber('The same fair value under price x all that will ever exist.'),
      notes: list('Short histories, estimates: what to know of this value.'),
    },
    {
      title: 'ValueFairness',
      description: 'Value-fairness ratio (docs/vfr.md); no forecast, and no part of the score.',
    },
  ),
  failure_probability: Type.Array(FailureProbabilityView, {
    description:
      'How likely it fails within 30 days and within a year, beside the band; empty on ratings from before it was given.',
  }),
  execution_time_seconds: seconds,
  risk_flags: Type.Array(Flag, { description: 'Conditions that hold.' }),
  caps_applied: Type.Array(Cap, { description: 'Ceilings on the score whose condition holds.' }),
  ties: Type.Array(Tie, {
    description:
      'What the project states about others, and whether they confirm it: a link counts only where it is `confirmed`.',
  }),
  sources: Type.Array(SourceRow, { description: 'Every source and what became of it; those left behind too.' }),
  attributions,
  methodology_version: methodologyVersion,
  warnings: list(
    'What a reader should know: unknown fields of the request, its values that differ from what registries, chain and site state (and are not used), a rating that is older than the request.',
  ),
};

export const StandardScore = Type.Object(
  { ...standardFields, factors: Type.Array(Factor, { description: 'What the score is made of.' }) },
  { title: 'StandardScore', description: 'The reply to `output_format: standard`, which is the usual one.' },
);

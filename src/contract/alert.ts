import Type from 'typebox';
import { RatingView, RiskFlag } from './rating.ts';
import { ThresholdCrossed } from './threshold.ts';
import {
  assetClass,
  Band,
  DataMode,
  describedHere,
  list,
  nextCursor,
  nullableNumber,
  nullableText,
  nullableTime,
  oneOf,
  type Reply,
  Severity,
  time,
} from './vocabulary.ts';

export const ALERT_KINDS = [
  'score_change',
  'risk_flag_change',
  'band_transition',
  'source_drift',
  'peg_stress',
  'correction',
  'snapshot_threshold',
] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

const flagCode = RiskFlag.properties.code;

/** `details` of each kind of alert. */
export const AlertDetails = {
  score_change: Type.Object(
    {
      from: Type.Number({ description: 'Score at the last alert of this kind, or when the asset was added; 0-100.' }),
      to: Type.Number({ description: 'Score now, 0-100.' }),
      change: Type.Number({ description: 'Points from one to the other, in steps of 0.1; negative: down.' }),
      threshold: Type.Number({ description: 'Least points at which the account is notified.' }),
    },
    { title: 'ScoreChange', description: 'How far the score has moved.' },
  ),
  risk_flag_change: Type.Object(
    {
      raised: Type.Array(Type.Pick(RiskFlag, ['code', 'severity', 'title']), { description: 'Flags that are new.' }),
      cleared: Type.Array(Type.Pick(RiskFlag, ['code', 'severity']), { description: 'Flags that are gone.' }),
      changed: Type.Array(
        Type.Object({
          code: flagCode,
          from: describedHere(Severity, 'Severity before.'),
          to: describedHere(Severity, 'Severity now.'),
        }),
        { description: 'Flags whose severity is another.' },
      ),
    },
    { title: 'FlagChange', description: 'Which risk flags have come, gone or changed.' },
  ),
  band_transition: Type.Object(
    {
      from: describedHere(Band, 'Band before.'),
      to: describedHere(Band, 'Band now.'),
      action: RatingView.properties.rating_action,
      reason: RatingView.properties.action_reason,
    },
    { title: 'BandTransition', description: 'From which band to which.' },
  ),
  source_drift: Type.Object(
    {
      state: oneOf(
        '`opened`: it drifts; `worsened`: more severe than in the last notification; `closed`: it is as usual again, or not read any more.',
        ['opened', 'worsened', 'closed'],
      ),
      sources: Type.Array(
        Type.Object({
          source: Type.String({ description: 'Name of the source.' }),
          endpoint: nullableText('Where the newest drift was noticed first; null where it is of no single endpoint.'),
          changed: nullableText('What changed in the newest drift; null before the first.'),
          noticed_at: nullableTime('When the newest drift began; null before the first.'),
          signals: list('What is not as usual at present; empty when the drift is over.'),
          weight: Type.Number({ description: 'Weight of its values now; 1: the usual one.' }),
        }),
        { description: 'Sources that it is about.' },
      ),
    },
    { title: 'SourceDrift', description: 'Which sources changed what they state, or are as usual again.' },
  ),
  peg_stress: Type.Object(
    {
      state: oneOf(
        '`opened`: the coin is off its peg, far or for long; `worsened`: severely; `closed`: it has been on it again for a day.',
        ['opened', 'worsened', 'closed'],
      ),
      currency: Type.String({ description: 'Of the peg, ISO 4217.' }),
      price: Type.Number({ description: 'In units of the peg: 1 is on it.' }),
      price_at: time('Time of that price.'),
      distance_bps: Type.Integer({ description: 'Of the price from the peg, basis points; negative: below.' }),
      bps_hours: Type.Integer({
        description: 'Distance above what is allowed, times hours, since the price last was on the peg.',
      }),
      allowed_bps: Type.Integer({ description: 'Distance that is allowed.' }),
      alarm_bps_hours: Type.Integer({ description: 'At which an alert is made.' }),
    },
    { title: 'PegStress', description: 'How far a coin is off its peg, and for how long.' },
  ),
  correction: Type.Object(
    {
      restatement_id: Type.Integer({ description: 'Number of the correction, see GET /v1/restatements.' }),
      job_id: Type.String({ description: 'Job that made the rating that was wrong.' }),
      reason: Type.String({ description: 'Why it was corrected.' }),
      before: Type.Object(
        { band: describedHere(Band, 'As published.'), score: nullableNumber('As published; null when not rated.') },
        { description: 'The rating as published.' },
      ),
      after: Type.Object(
        { band: describedHere(Band, 'As corrected.'), score: nullableNumber('As corrected; null when not rated.') },
        { description: 'The rating that should have been published.' },
      ),
    },
    { title: 'Correction', description: 'Correction of a rating that the account was notified of.' },
  ),
  snapshot_threshold: ThresholdCrossed,
} as const;

export const AlertView = Type.Object(
  {
    id: Type.Integer({ description: 'Rises within the account, without gaps.' }),
    asset_id: nullableText('CAIP-19 id; null for `source_drift`, which is about a source.'),
    symbol: nullableText('Of the asset, untrusted text; null when not known.'),
    name: nullableText('Of the asset, untrusted text; null when not known.'),
    class: assetClass,
    trust_score: nullableNumber(
      'Trust score of the rating that caused it, 0-100; null when none did, and in older alerts, which did not keep it.',
    ),
    source: nullableText(
      'Name of the source that a `source_drift` is about; null for other kinds, and when it is about several.',
    ),
    kind: oneOf(
      'What moved: the score, the flags, the band, what a source states, a price off its peg, a rating that was corrected, or a figure of a snapshot that crossed a threshold of the account.',
      ALERT_KINDS,
    ),
    severity: Severity,
    title: Type.String({ description: 'What happened, in one line.' }),
    details: Type.Union(
      [
        AlertDetails.score_change,
        AlertDetails.risk_flag_change,
        AlertDetails.band_transition,
        AlertDetails.source_drift,
        AlertDetails.peg_stress,
        AlertDetails.correction,
        AlertDetails.snapshot_threshold,
      ],
      {
        description:
          'By kind: how far the score moved, which flags changed, from which band to which, which sources drift, how far a price is off its peg, what was corrected.',
      },
    ),
    rating_as_of: nullableTime('Time of the rating that caused it; null for `source_drift` and `peg_stress`.'),
    created_at: time('When it was stored: in one transaction with the rating, if one caused it.'),
    acknowledged_at: nullableTime('When it was first acknowledged; null while it is open.'),
  },
  { title: 'Alert', description: 'Something that happened to a watched asset, or to a source.' },
);
/** `details` of an alert of any kind. */
export type AlertDetail = Reply<typeof AlertView.properties.details>;

export const AlertReply = Type.Object({ ...AlertView.properties, data_mode: DataMode }, { description: 'The alert.' });
export const AlertList = Type.Object(
  { data: Type.Array(AlertView, { description: 'Newest first.' }), next_cursor: nextCursor, data_mode: DataMode },
  { description: 'A page of alerts.' },
);

export const DriftSubscriptionView = Type.Object(
  {
    subscribed: Type.Boolean({ description: 'The account is notified when a source changes what it states.' }),
    sources: Type.Union([Type.Array(Type.String()), Type.Null()], {
      description: 'Names of the sources it is notified of; null: all, also those of later versions.',
    }),
    open: Type.Array(
      Type.Object({
        source: Type.String({ description: 'Name of the source.' }),
        severity: Severity,
        opened_at: time('When the account was notified.'),
      }),
      { description: 'Open drifts that the account was notified of.' },
    ),
    data_mode: DataMode,
  },
  { title: 'DriftSubscription', description: 'Whether the account gets alerts of the kind `source_drift`.' },
);

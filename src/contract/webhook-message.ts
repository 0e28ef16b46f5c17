import Type, { type TObject } from 'typebox';
import { AlertDetails, type AlertKind, AlertView } from './alert.ts';
import { count, type Reply, time } from './vocabulary.ts';

const { acknowledged_at: _, details, ...alertFields } = AlertView.properties;
/** `data` of a message about one alert. */
export const AlertMessage = Type.Object({
  ...alertFields,
  details: Type.Union([details, Type.Null()], { description: 'By kind; null in a message that was shortened.' }),
  shortened: Type.Optional(
    Type.Literal(true, {
      description: 'Texts were cut and `details` left out: the message would have been too large.',
    }),
  ),
});
/** `data` of the one message that replaces many alerts. */
export const DigestMessage = Type.Object(
  {
    alerts: count('Alerts that it replaces.'),
    by_kind: Type.Record(Type.String(), Type.Integer(), { description: 'How many of each kind.' }),
    by_severity: Type.Record(Type.String(), Type.Integer(), { description: 'How many of each severity.' }),
    first_id: Type.Integer({ description: 'Number of the first of them.' }),
    last_id: Type.Integer({ description: 'Number of the last of them.' }),
    alert_ids: Type.Array(Type.Integer(), { maxItems: 100, description: 'Their numbers, a hundred at most.' }),
    since: time('When the oldest of them was stored.'),
    list: Type.String({ description: 'Path that lists them.' }),
  },
  { description: 'What many alerts came to.' },
);
/** `data` of a test message. */
export const TestMessage = Type.Object(
  {
    webhook_id: Type.String({ description: 'The webhook that is tested.' }),
    detail: Type.String({ description: 'That it is a test.' }),
  },
  { description: 'What was tested.' },
);

/** Headers of every message, including its signature. */
export const MessageHeaders = Type.Object({
  'webhook-id': Type.String({
    description: 'Id of the message, the same at every attempt. A message may come more than once: keep the ids taken.',
  }),
  'webhook-timestamp': Type.String({
    pattern: '^[0-9]+$',
    description: 'When this attempt was made, in seconds since 1970. Refuse what is minutes off.',
  }),
  'webhook-signature': Type.String({
    description:
      'Standard Webhooks: `v1,` and the base64 of HMAC-SHA256 over `webhook-id.webhook-timestamp.body` with the secret of the webhook. While a secret is rotated, two of them with a space between.',
  }),
});

const messageOf = <const Name extends string, Data extends TObject>(
  type: Name,
  data: Data,
  about: { readonly title: string; readonly description: string },
) =>
  Type.Object(
    {
      type: Type.Literal(type, { description: 'What the message is about.' }),
      timestamp: time('When what it is about happened.'),
      data,
    },
    about,
  );
const alertMessage = <const Kind extends AlertKind>(kind: Kind, title: string, description: string) =>
  messageOf(
    `alert.${kind}`,
    Type.Object(
      {
        ...AlertMessage.properties,
        kind: Type.Literal(kind, { description: 'Kind of the alert.' }),
        details: Type.Union([AlertDetails[kind], Type.Null()], {
          description: 'Null in a message that was shortened.',
        }),
      },
      { description: 'The alert, as GET /v1/alerts shows it.' },
    ),
    { title, description },
  );

/** Every message of a webhook, by the alert in it. */
export const WebhookMessages = {
  score_change: alertMessage('score_change', 'ScoreChangeMessage', 'The score of a watched asset moved.'),
  risk_flag_change: alertMessage('risk_flag_change', 'FlagChangeMessage', 'Risk flags of a watched asset changed.'),
  band_transition: alertMessage('band_transition', 'BandTransitionMessage', 'A watched asset is in another band.'),
  source_drift: alertMessage(
    'source_drift',
    'SourceDriftMessage',
    'A source changed what it states, or is as usual again.',
  ),
  peg_stress: alertMessage(
    'peg_stress',
    'PegStressMessage',
    'The price of a watched coin is off its peg, or on it again.',
  ),
  correction: alertMessage(
    'correction',
    'CorrectionMessage',
    'Correction of a rating that the account was notified of.',
  ),
  snapshot_threshold: alertMessage(
    'snapshot_threshold',
    'SnapshotThresholdMessage',
    'A figure of a snapshot crossed a threshold of the account.',
  ),
  digest: messageOf('alert.digest', DigestMessage, {
    title: 'DigestMessage',
    description: 'One message in place of more than 20 alerts within a minute.',
  }),
  test: messageOf('webhook.test', TestMessage, {
    title: 'TestMessage',
    description: 'A test requested by POST /v1/webhooks/{id}/test.',
  }),
} as const;

const AT = '2026-11-26T12:00:00.000Z';
const EMBERLIGHT = {
  asset_id: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp/token:CawjtYma5ccehcyqzLJKaTnxwVmsPAWYo8pETDFZRScK',
  symbol: 'EMBR',
  name: 'Emberlight',
  class: 'defi_gov',
  trust_score: 71,
  source: null,
  severity: 'high',
  rating_as_of: AT,
  created_at: AT,
} as const;

/** An example of each message. */
export const WEBHOOK_EXAMPLES: {
  readonly [Name in keyof typeof WebhookMessages]: Reply<(typeof WebhookMessages)[Name]>;
} = {
  score_change: {
    type: 'alert.score_change',
    timestamp: AT,
    data: {
      ...EMBERLIGHT,
      id: 1,
      kind: 'score_change',
      title: 'Score down 16.4 points, from 60.3 to 43.9',
      details: { from: 60.3, to: 43.9, change: -16.4, threshold: 2 },
    },
  },
  risk_flag_change: {
    type: 'alert.risk_flag_change',
    timestamp: AT,
    data: {
      ...EMBERLIGHT,
      id: 2,
      kind: 'risk_flag_change',
      title: 'Flags raised: MINT_AUTHORITY_EOA',
      details: {
        raised: [{ code: 'MINT_AUTHORITY_EOA', severity: 'high', title: 'A single key can mint' }],
        cleared: [],
        changed: [],
      },
    },
  },
  band_transition: {
    type: 'alert.band_transition',
    timestamp: AT,
    data: {
      ...EMBERLIGHT,
      id: 3,
      kind: 'band_transition',
      title: 'Band BB to CCC',
      details: { from: 'BB', to: 'CCC', action: 'downgrade', reason: 'a cap struck' },
    },
  },
  source_drift: {
    type: 'alert.source_drift',
    timestamp: AT,
    data: {
      ...EMBERLIGHT,
      id: 4,
      asset_id: null,
      symbol: null,
      name: null,
      class: null,
      source: 'coingecko',
      kind: 'source_drift',
      title: 'Source coingecko changed what it states: fields are missing',
      details: {
        state: 'opened',
        sources: [
          {
            source: 'coingecko',
            endpoint: 'coin',
            changed: 'fields are missing',
            noticed_at: AT,
            signals: ['shape'],
            weight: 0.4,
          },
        ],
      },
      rating_as_of: null,
      trust_score: null,
    },
  },
  peg_stress: {
    type: 'alert.peg_stress',
    timestamp: AT,
    data: {
      ...EMBERLIGHT,
      id: 5,
      asset_id: 'eip155:1/erc20:0x7d1afa7b718fb893db30a3abc0cfc608aacfebb0',
      symbol: 'HUSD',
      name: 'Harbor Dollar',
      class: 'stable_fiat',
      severity: 'medium',
      rating_as_of: null,
      trust_score: null,
      kind: 'peg_stress',
      title: 'Off its peg: 0.9891 USD, 109 basis points below',
      details: {
        state: 'opened',
        currency: 'USD',
        price: 0.9891,
        price_at: AT,
        distance_bps: -109,
        bps_hours: 212,
        allowed_bps: 30,
        alarm_bps_hours: 200,
      },
    },
  },
  correction: {
    type: 'alert.correction',
    timestamp: AT,
    data: {
      ...EMBERLIGHT,
      id: 6,
      kind: 'correction',
      trust_score: null,
      title: 'A rating was corrected: BB 48.1 should have been BBB 60.3',
      details: {
        restatement_id: 3,
        job_id: 'posttge_1795694400000_9f2c61d4',
        reason: 'The repositories read were those of another project.',
        before: { band: 'BB', score: 48.1 },
        after: { band: 'BBB', score: 60.3 },
      },
    },
  },
  snapshot_threshold: {
    type: 'alert.snapshot_threshold',
    timestamp: AT,
    data: {
      ...EMBERLIGHT,
      id: 7,
      kind: 'snapshot_threshold',
      class: null,
      trust_score: null,
      rating_as_of: null,
      severity: 'high',
      title: 'liquidity_usd fell by 24.1 % within 1 h, to 412000',
      details: {
        figure: 'liquidity_usd',
        condition: 'falls',
        value: 20,
        window_seconds: 3_600,
        hysteresis_pct: 5,
        reached: 412_000,
        from: 543_000,
        from_at: '2026-11-26T11:31:10.000Z',
        change_pct: -24.1252,
        snapshot: {
          kind: 'market',
          as_of: '2026-11-26T11:59:57.000Z',
          age_seconds: 3,
          path: '/v1/solana/market/CawjtYma5ccehcyqzLJKaTnxwVmsPAWYo8pETDFZRScK/snapshot?as_of=2026-11-26T11%3A59%3A57.000Z',
          figures: {
            price_usd: 0.4127,
            volume_24h_usd: 1_870_000,
            market_cap_usd: 41_270_000,
            liquidity_usd: 412_000,
            price_dispersion_pct: 0.31,
          },
        },
      },
    },
  },
  digest: {
    type: 'alert.digest',
    timestamp: AT,
    data: {
      alerts: 21,
      by_kind: { band_transition: 21 },
      by_severity: { high: 20, info: 1 },
      first_id: 5,
      last_id: 25,
      alert_ids: Array.from({ length: 21 }, (_, index) => 5 + index),
      since: AT,
      list: `/v1/alerts?since=${encodeURIComponent(AT)}`,
    },
  },
  test: {
    type: 'webhook.test',
    timestamp: AT,
    data: { webhook_id: 'wh_3164a19f9fa567395135dfb8', detail: 'A test: no alert stands behind it.' },
  },
};

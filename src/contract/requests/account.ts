import Type from 'typebox';
import { BANDS, canonicalIpRange } from '../../domain/index.ts';
import { ALERT_KINDS } from '../alert.ts';
import { DISPUTE_STATES } from '../disclosure.ts';
import { WEBHOOK_FORMATS } from '../webhook.ts';
import { choice, cursor, day, moment, NO_NUL, pageSize, plainText, SOME_TEXT, withDefault } from './fields.ts';

const idOf = (what: string, pattern?: string) =>
  Type.String({ ...(pattern === undefined ? {} : { pattern }), description: `Id of ${what}.` });
/** Seconds for which a replaced secret remains valid together with its successor. */
const overlapSeconds = (maximum: number, description: string) =>
  withDefault(Type.Integer({ minimum: 0, maximum, description }), 86_400);

// API keys

export const KeyParams = Type.Object({ id: idOf('a key') });
export const KeyBody = Type.Object(
  {
    // The name is shown in terminals and pages: control characters, format characters and unpaired surrogates are
    // refused.
    name: Type.String({
      minLength: 1,
      maxLength: 100,
      pattern: '^(?=.*\\S)\\P{C}*$',
      description: 'A name of 1 to 100 visible characters: who uses it, and for what.',
    }),
    scopes: Type.Array(
      choice(['score', 'rms:read', 'rms:write', 'chain:read', 'account', 'admin'], 'What the key may do.'),
      {
        minItems: 1,
        description: 'What it may do.',
      },
    ),
    plan: withDefault(
      Type.String({
        pattern: '^[A-Z0-9-]{1,40}$',
        description: 'Name of the plan whose limits it has (GET /v1/plans).',
      }),
      'RATING',
    ),
    account_id: Type.Optional(
      Type.Union([idOf('an account, acc_ and letters or digits', '^acc_[A-Za-z0-9]{1,40}$'), Type.Null()], {
        description: 'Share the account of another key; without it, or null, the key gets its own.',
      }),
    ),
    expires_at: Type.Optional(
      Type.Union([moment('RFC 3339 time.'), Type.Null()], {
        description: 'RFC 3339 time from which on it is refused; without it, or null: never.',
      }),
    ),
    allowed_ips: withDefault(
      Type.Array(
        Type.Refine(
          Type.String({
            maxLength: 64,
            description: 'IP address or CIDR range, in strict notation; kept in canonical form',
          }),
          (text) => canonicalIpRange(text) !== null,
          () => 'expected an IP address or CIDR range such as 192.0.2.7, 10.0.0.0/8 or 2001:db8::/32',
        ),
        { maxItems: 50, description: 'Addresses and CIDR ranges it may be used from; without it: any.' },
      ),
      [],
    ),
  },
  { additionalProperties: false, description: 'The key to make.' },
);
export const AccountKeyBody = Type.Object(
  {
    name: KeyBody.properties.name,
    scopes: Type.Array(
      choice(['score', 'rms:read', 'rms:write', 'chain:read', 'account', 'admin'], 'What the key may do.'),
      {
        minItems: 1,
        description: 'What it may do: all or some of the scopes of the requesting key.',
      },
    ),
    expires_at: Type.Optional(
      Type.Union([moment('RFC 3339 time.'), Type.Null()], {
        description:
          'RFC 3339 time from which on it is refused, no later than that of the requesting key; without it, or null: as that one.',
      }),
    ),
    allowed_ips: KeyBody.properties.allowed_ips,
  },
  { additionalProperties: false, description: 'The key to make: of the account and plan of the requesting key.' },
);
export const RotateKeyBody = Type.Object(
  { overlap_seconds: overlapSeconds(2_592_000, 'How long the old key continues to work, in seconds.') },
  { additionalProperties: false, description: 'How the key is replaced.' },
);

// Usage

const account = Type.Optional(
  Type.String({ maxLength: 64, description: 'Another account, for keys with the scope admin (acc_...).' }),
);
export const UsageQuery = Type.Object({
  from: Type.Optional(day('YYYY-MM-DD (UTC), the first day; the first of the last day’s month when not given.')),
  to: Type.Optional(
    day('YYYY-MM-DD (UTC), the last day, included, at most 400 days from the first; today when not given.'),
  ),
  group_by: withDefault(choice(['day', 'key', 'endpoint_group', 'plan'], 'What a row adds up.'), 'day'),
  account,
});
export const StatementQuery = Type.Object({
  month: Type.Optional(
    Type.String({
      pattern: '^\\d{4}-(0[1-9]|1[0-2])$',
      description: 'YYYY-MM (UTC), a calendar month; the present one when not given.',
      examples: ['2026-10'],
    }),
  ),
  format: withDefault(choice(['json', 'csv'], 'Form of the statement.'), 'json'),
  account,
});

// Whitelist and alerts

export const WhitelistThresholds = Type.Object(
  {
    min_score_change: withDefault(
      Type.Number({ exclusiveMinimum: 0, maximum: 100, description: 'Points since the last alert.' }),
      5,
    ),
    flag_severities: withDefault(
      Type.Array(choice(['info', 'low', 'medium', 'high', 'critical'], 'A severity.'), {
        uniqueItems: true,
        description: 'Severities of flags that alert.',
      }),
      ['high', 'critical'],
    ),
    bands: withDefault(
      Type.Union([Type.Array(choice(BANDS, 'A band.'), { uniqueItems: true }), Type.Null()], {
        description: 'Transitions into or out of these; null (the default): all. D and NR always count.',
      }),
      null,
    ),
  },
  { additionalProperties: false, description: 'When it alerts; what is left out takes its default.' },
);
export const WhitelistBody = Type.Object(
  {
    note: withDefault(
      Type.Union([Type.String({ maxLength: 500, pattern: NO_NUL }), Type.Null()], {
        description: 'Your own note; null (the default): none.',
      }),
      null,
    ),
    thresholds: withDefault(WhitelistThresholds, {}),
  },
  { additionalProperties: false, description: 'What is left out takes its default; may be empty.' },
);
export const AlertQuery = Type.Object({
  kind: Type.Optional(choice(ALERT_KINDS, 'Only alerts of this kind.')),
  asset: Type.Optional(
    Type.String({ maxLength: 200, description: 'CAIP-19 id, `chain:address`, address, or symbol of a rated asset.' }),
  ),
  acknowledged: Type.Optional(choice(['true', 'false'], '`false`: only open ones; `true`: only acknowledged ones.')),
  since: Type.Optional(moment('RFC 3339 time, included.')),
  limit: pageSize(500, 100),
  cursor: cursor('^[0-9]{1,15}$'),
});
export const DriftSubscriptionBody = Type.Object(
  {
    sources: withDefault(
      Type.Union(
        [
          Type.Array(Type.String({ maxLength: 64, pattern: '^[a-z0-9_]+$', description: 'Name of a source.' }), {
            minItems: 1,
            maxItems: 200,
            uniqueItems: true,
          }),
          Type.Null(),
        ],
        { description: 'Names of sources, as GET /v1/status has them; null (the default): all.' },
      ),
      null,
    ),
  },
  { additionalProperties: false, description: 'Which sources are meant; may be empty.' },
);
export const AlertParams = Type.Object({
  id: Type.String({ pattern: '^[1-9][0-9]{0,14}$', description: 'Number of an alert.' }),
});

// Webhooks

const url = Type.String({
  minLength: 9,
  maxLength: 2_048,
  description: 'https, port 443, a public host name. Redirects are not followed.',
  examples: ['https://hooks.example.com/assay'],
});
const note = Type.Union([Type.String({ maxLength: 200, pattern: NO_NUL }), Type.Null()], {
  description: 'Your own note.',
});
const kinds = Type.Array(choice(ALERT_KINDS, 'Kind of alert.'), {
  minItems: 1,
  maxItems: ALERT_KINDS.length,
  uniqueItems: true,
  description:
    'Kinds of alerts it is sent; all of them by default. The account has alerts of the kind `source_drift` only after PUT /v1/alerts/source-drift.',
});
const format = choice(
  WEBHOOK_FORMATS,
  'Shape of the messages: `assay` is signed (Standard Webhooks); the others are what incoming webhooks of Slack and Discord and `sendMessage` of Telegram take.',
);
const chat = Type.String({
  pattern: '^(-?[0-9]{1,20}|@[A-Za-z][A-Za-z0-9_]{3,31})$',
  description: 'Number of the chat, or @name of the channel.',
});
const chatId = Type.Union([chat, Type.Null()], {
  description: 'With the format `telegram`, and only there: number of the chat, or @name of the channel.',
});
export const WebhookBody = Type.Object(
  {
    url,
    description: withDefault(note, null),
    kinds: withDefault(kinds, [...ALERT_KINDS]),
    format: withDefault(format, 'assay'),
    chat_id: withDefault(chatId, null),
  },
  { additionalProperties: false, description: 'Where to send what.' },
);
export const WebhookChangeBody = Type.Object(
  {
    url: Type.Optional(url),
    description: Type.Optional(note),
    kinds: Type.Optional(kinds),
    enabled: Type.Optional(
      Type.Boolean({ description: 'When it is switched on again, its failures are counted from zero.' }),
    ),
    format: Type.Optional(format),
    chat_id: Type.Optional(chatId),
  },
  { additionalProperties: false, minProperties: 1, description: 'What to change; at least one field.' },
);
export const RotateSecretBody = Type.Object(
  { overlap_seconds: overlapSeconds(604_800, 'How long messages carry signatures by both secrets.') },
  { additionalProperties: false, description: 'How the secret is replaced; may be left out.' },
);
export const ReplayBody = Type.Object(
  { since: moment('RFC 3339 time of the first alert to send again.') },
  { additionalProperties: false, description: 'From when on.' },
);
const webhookId = idOf('a webhook', '^wh_[0-9a-f]{24}$');
export const WebhookParams = Type.Object({ id: webhookId });
export const MuteBody = Type.Object(
  {
    asset_id: Type.Optional(
      Type.String({ minLength: 1, maxLength: 300, pattern: SOME_TEXT, description: '`asset_id` of the alerts.' }),
    ),
    kind: Type.Optional(choice(ALERT_KINDS, 'Kind of alert.')),
    days: Type.Integer({ minimum: 1, maximum: 90, description: 'For how long.' }),
  },
  {
    additionalProperties: false,
    description: 'What is muted: an asset, a kind, or a kind of alerts about an asset. One of both is needed.',
  },
);
export const MuteParams = Type.Object({
  id: webhookId,
  mute: idOf('a mute', '^mute_[0-9a-f]{24}$'),
});
export const DeliveryParams = Type.Object({
  id: webhookId,
  delivery: Type.String({
    pattern: '^msg_[0-9a-f]{32}$',
    description: 'Id of a delivery, the `webhook-id` its receiver sees.',
  }),
});
export const DeliveryQuery = Type.Object({
  state: Type.Optional(choice(['pending', 'delivered', 'failed', 'folded'], 'Only deliveries in this state.')),
  limit: pageSize(500, 100),
  cursor: cursor('^[0-9]{1,15}\\.msg_[0-9a-f]{32}$'),
});

// Disputes and disclosures

export const DisputeBody = Type.Object(
  {
    asset: Type.String({ maxLength: 300, description: 'As in rating reads: an id, an address, or a symbol.' }),
    job_id: Type.Optional(
      Type.String({
        maxLength: 100,
        pattern: '^[a-z0-9_]+$',
        description: '`job_id` of the rating that is wrong; without it: the newest.',
      }),
    ),
    claim: plainText(4_000, 'What is wrong, and what shows it.'),
    contact: Type.Optional(plainText(200, 'Where inquiries may be sent. Never shown in public.')),
  },
  { additionalProperties: false, description: 'What is wrong about which rating.' },
);
const disclosuresPerPage = pageSize(200, 50);
export const DisputeParams = Type.Object({ id: idOf('a dispute') });
export const DisputeQuery = Type.Object({
  state: Type.Optional(choice(DISPUTE_STATES, 'Only disputes in this state.')),
  limit: disclosuresPerPage,
  cursor: cursor('^[A-Za-z0-9_-]+$', 300),
});
export const ResolutionBody = Type.Object(
  {
    state: choice(['accepted', 'rejected', 'restated'], 'accepted: it will be restated; restated: it was.'),
    resolution: plainText(4_000, 'Text for the account: what was found.'),
    restatement_id: Type.Optional(
      Type.Integer({ minimum: 1, description: 'The correction it led to; needed for restated.' }),
    ),
  },
  { additionalProperties: false, description: 'How the dispute ends.' },
);
export const RestatementQuery = Type.Object({ limit: disclosuresPerPage, cursor: cursor('^[1-9][0-9]*$', 15) });
export const MissQuery = Type.Object({ limit: disclosuresPerPage, cursor: cursor('^[1-9][0-9]*$', 9) });

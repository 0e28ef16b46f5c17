import Type from 'typebox';
import { ALERT_KINDS } from './alert.ts';
import { count, DataMode, nextCursor, noCursor, nullableText, nullableTime, oneOf, time, words } from './vocabulary.ts';

/** `assay`: Standard Webhooks, signed. The others: the formats of chat services, where the URL is the secret. */
export const WEBHOOK_FORMATS = ['assay', 'slack', 'discord', 'telegram'] as const;
export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number];

export const WebhookView = Type.Object(
  {
    id: Type.String({ description: 'Id of the webhook (`wh_...`).' }),
    url: Type.String({
      description:
        'Where messages are sent. In the formats of chat services the url is the secret: only its origin is shown, followed by `/***`.',
    }),
    format: oneOf('Shape of the messages.', WEBHOOK_FORMATS),
    chat_id: nullableText('Chat of Telegram that messages go to; null in other formats.'),
    description: nullableText('Your own note.'),
    kinds: Type.Array(words(...ALERT_KINDS), { description: 'Kinds of alerts it is sent.' }),
    enabled: Type.Boolean({ description: 'False: nothing is sent.' }),
    disabled_reason: nullableText(
      '`gone` (it replied 410), `failing` (no delivery succeeded for 5 days), `by_request`; null while it is on.',
    ),
    created_at: time('When it was made.'),
    previous_secret_until: nullableTime(
      'Until then messages carry a signature by the secret before as well; null without one.',
    ),
    health: Type.Object(
      {
        consecutive_failures: count('Failed attempts since the last success.'),
        failing_since: nullableTime('Time of the first failure since the last success; null while it is well.'),
        last_success_at: nullableTime('Last attempt with a 2xx reply; null before the first.'),
        last_failure_at: nullableTime('Last attempt that was not; null before the first.'),
        last_failure: nullableText('What went wrong then; never the reply of the endpoint.'),
      },
      { description: 'Health of the endpoint.' },
    ),
    data_mode: DataMode,
  },
  { title: 'Webhook', description: 'An address of the account’s that alerts are sent to.' },
);
export const NewWebhookView = Type.Object(
  {
    ...WebhookView.properties,
    secret: Type.String({ description: 'The signing secret (`whsec_...`). It is shown once.' }),
  },
  { title: 'NewWebhook', description: 'The webhook with its secret.' },
);
export const WebhookList = Type.Object(
  { data: Type.Array(WebhookView, { description: 'Oldest first.' }), next_cursor: noCursor, data_mode: DataMode },
  { description: 'The account’s webhooks.' },
);
export const DeliveryView = Type.Object(
  {
    id: Type.String({ description: 'What the receiver sees as `webhook-id`; the same at every attempt.' }),
    type: Type.String({ description: '`alert.<kind>`, `alert.digest` or `webhook.test`.' }),
    alert_id: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Number of the alert it is about; null for digests and tests.',
    }),
    state: oneOf('`folded`: it went out within a digest.', ['pending', 'delivered', 'failed', 'folded']),
    digest_id: nullableText('Delivery of the digest it was folded into; null when it was not.'),
    attempts: count('Attempts made so far.'),
    created_at: time('When it was put into the queue.'),
    next_attempt_at: nullableTime('When it is tried again; null unless it is pending.'),
    finished_at: nullableTime('When it was delivered, given up or folded; null while it is pending.'),
    last_status: Type.Union([Type.Integer(), Type.Null()], {
      description: 'HTTP status of the last attempt; null before the first, and when there was no reply.',
    }),
    last_detail: nullableText('What went wrong at the last attempt.'),
  },
  { title: 'Delivery', description: 'One message to a webhook, and its outcome.' },
);
export const DeliveryReply = Type.Object(
  { ...DeliveryView.properties, data_mode: DataMode },
  { title: 'QueuedDelivery', description: 'The message that was put into the queue.' },
);
export const DeliveryList = Type.Object(
  { data: Type.Array(DeliveryView, { description: 'Newest first.' }), next_cursor: nextCursor, data_mode: DataMode },
  { description: 'A page of deliveries.' },
);
export const ReplayReply = Type.Object(
  {
    messages: Type.Integer({ description: 'Messages put into the queue, at most 1000; 15 a minute go out.' }),
    until: nullableTime(
      'Time of the last alert among them: with 1000 messages, replay again from here. Null without any.',
    ),
    data_mode: DataMode,
  },
  { description: 'What was put into the queue.' },
);

const muteFields = {
  id: Type.String({ description: 'Id of the mute (`mute_...`).' }),
  asset_id: nullableText('Asset that is muted, as in alerts; null: all of them.'),
  kind: Type.Union([words(...ALERT_KINDS), Type.Null()], { description: 'Kind that is muted; null: all of them.' }),
  created_at: time('When it was muted.'),
  until: time('When it ends.'),
};
export const MuteView = Type.Object(
  { ...muteFields, data_mode: DataMode },
  { title: 'Mute', description: 'What a webhook is not sent until a time.' },
);
export const MuteList = Type.Object(
  {
    data: Type.Array(Type.Object(muteFields), { description: 'The first to end first.' }),
    next_cursor: noCursor,
    data_mode: DataMode,
  },
  { description: 'What a webhook is not sent at present.' },
);

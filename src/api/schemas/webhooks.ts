import Type from 'typebox';
import { ALERT_KINDS } from '../../monitoring/types.ts';
import { head, nullableText, words } from './chain.ts';

const url = Type.String({
  minLength: 9,
  maxLength: 2_048,
  description: 'https, port 443, a public host name. Redirects are not followed.',
  examples: ['https://hooks.example.com/assay'],
});
const description = Type.Union([Type.String({ maxLength: 200, pattern: '^[^\\u0000]*$' }), Type.Null()], {
  description: 'Your own note.',
});
const kinds = Type.Array(Type.String({ enum: [...ALERT_KINDS] }), {
  minItems: 1,
  maxItems: ALERT_KINDS.length,
  uniqueItems: true,
  description: 'Kinds of alerts it is sent; all of them by default.',
});

export const WebhookView = Type.Object(
  {
    id: Type.String(),
    url: Type.String(),
    description: nullableText('Your own note.'),
    kinds: Type.Array(words(...ALERT_KINDS)),
    enabled: Type.Boolean(),
    disabled_reason: nullableText(
      '`gone` (it answered 410), `failing` (nothing came through for 5 days), `by_request`.',
    ),
    created_at: Type.String(),
    previous_secret_until: nullableText('Until then messages carry a signature by the secret before as well.'),
    health: Type.Object({
      consecutive_failures: Type.Integer(),
      failing_since: nullableText('Time of the first failure since the last success.'),
      last_success_at: nullableText('Time.'),
      last_failure_at: nullableText('Time.'),
      last_failure: nullableText('What went wrong, in our words; never the reply of the endpoint.'),
    }),
    data_mode: head.data_mode,
  },
  { title: 'Webhook' },
);
export const NewWebhookView = Type.Object({
  ...WebhookView.properties,
  secret: Type.String({ description: 'The signing secret (`whsec_...`). It is shown once.' }),
});
export const WebhookList = Type.Object({
  data: Type.Array(WebhookView, { description: 'Oldest first.' }),
  next_cursor: Type.Null(),
  data_mode: head.data_mode,
});
export const WebhookWish = Type.Object(
  { url, description: Type.Optional(description), kinds: Type.Optional(kinds) },
  { additionalProperties: false },
);
export const WebhookChangeWish = Type.Object(
  {
    url: Type.Optional(url),
    description: Type.Optional(description),
    kinds: Type.Optional(kinds),
    enabled: Type.Optional(Type.Boolean({ description: 'Switched on again, it begins with a clean slate.' })),
  },
  { additionalProperties: false, minProperties: 1 },
);
export const RotateWish = Type.Object(
  { overlap_seconds: Type.Optional(Type.Integer({ minimum: 0, maximum: 604_800, default: 86_400 })) },
  { additionalProperties: false },
);
export const ReplayWish = Type.Object(
  { since: Type.String({ format: 'date-time', description: 'RFC 3339 time of the first alert to send again.' }) },
  { additionalProperties: false },
);
export const WebhookParams = Type.Object({ id: Type.String({ description: 'Id of a webhook.' }) });
export const DeliveryParams = Type.Object({
  id: Type.String({ description: 'Id of a webhook.' }),
  delivery: Type.String({ description: 'Id of a delivery, the `webhook-id` its receiver sees.' }),
});

export const DeliveryView = Type.Object(
  {
    id: Type.String({ description: 'What the receiver sees as `webhook-id`; the same at every attempt.' }),
    type: Type.String({ description: '`alert.<kind>`, `alert.digest` or `webhook.test`.' }),
    alert_id: Type.Union([Type.Integer(), Type.Null()]),
    state: words('pending', 'delivered', 'failed', 'folded'),
    digest_id: nullableText('Delivery of the digest it was folded into.'),
    attempts: Type.Integer(),
    created_at: Type.String(),
    next_attempt_at: nullableText('While it is pending.'),
    finished_at: nullableText('Time.'),
    last_status: Type.Union([Type.Integer(), Type.Null()], { description: 'HTTP status of the last attempt.' }),
    last_detail: nullableText('What went wrong at the last attempt, in our words.'),
  },
  { title: 'Delivery' },
);
export const DeliveryReply = Type.Object({ ...DeliveryView.properties, data_mode: head.data_mode });
export const DeliveryList = Type.Object({
  data: Type.Array(DeliveryView, { description: 'Newest first.' }),
  next_cursor: nullableText('Ask again with `cursor` set to this; null on the last page.'),
  data_mode: head.data_mode,
});
export const DeliveryQuery = Type.Object({
  state: Type.Optional(Type.String({ enum: ['pending', 'delivered', 'failed', 'folded'] })),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 500, default: 100, description: 'whole number from 1 to 500.' }),
  ),
  cursor: Type.Optional(
    Type.String({
      pattern: '^[0-9]{1,15}\\.msg_[0-9a-f]{32}$',
      description: '`next_cursor` of the page before.',
    }),
  ),
});
export const ReplayReply = Type.Object({
  messages: Type.Integer({ description: 'Messages put into the queue, at most 1000; 15 a minute go out.' }),
  until: nullableText('Time of the last alert among them: with 1000 messages, replay again from here.'),
  data_mode: head.data_mode,
});

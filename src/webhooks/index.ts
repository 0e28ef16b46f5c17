/** Webhooks: endpoints of accounts, their messages, and the deliveries (docs/decisions/0013-alerts-and-webhooks.md). */

export { RETRY_SECONDS } from './delivery.ts';
export { LINK_DAYS } from './mutes.ts';
export type { Delivery, Webhook, Webhooks } from './webhooks.ts';
export { openWebhooks } from './webhooks.ts';

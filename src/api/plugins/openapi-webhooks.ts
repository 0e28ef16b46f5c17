import type { TSchema } from 'typebox';
import { MessageHeaders, WEBHOOK_EXAMPLES, WebhookMessages } from '../../contract/index.ts';
import { RETRY_SECONDS } from '../../webhooks/index.ts';

const names = Object.keys(WebhookMessages) as readonly (keyof typeof WebhookMessages)[];
const waits = RETRY_SECONDS.map((seconds) =>
  seconds < 60 ? `${seconds} s` : seconds < 3_600 ? `${seconds / 60} min` : `${seconds / 3_600} h`,
);

/** Every message has the same headers and expects the same reply. */
const parameters = Object.entries<TSchema>(MessageHeaders.properties).map(([name, schema]) => ({
  name,
  in: 'header',
  required: true,
  description: (schema as { description?: string }).description ?? '',
  schema,
}));
const responses = {
  '2XX': { description: 'Accepted. Reply within 15 seconds; the body is never kept.' },
  '410': { description: 'The webhook is switched off, and what waits for it is marked failed.' },
  default: {
    description: `Anything else, or no reply: sent again with the same \`webhook-id\` and body after ${waits.join(', ')}, each up to a tenth longer, or later when \`Retry-After\` requires it (up to a day). Redirects are not followed. After five days without a successful delivery the webhook is switched off.`,
  },
};

/**
 * The messages that webhooks receive, as `webhooks` of OpenAPI 3.1: one operation per message, implemented by the
 * receiver.
 */
export const WEBHOOKS = Object.fromEntries(
  names.map((name) => {
    const schema = WebhookMessages[name];
    const value = WEBHOOK_EXAMPLES[name];
    const { description } = schema as { description?: string };
    return [
      value.type,
      {
        post: {
          operationId: `on${value.type.replace(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())}`,
          summary: description?.replace(/\.$/, '') ?? '',
          description:
            'Sent to each webhook that subscribes to it, at least once and in no promised order (docs/alerts.md).',
          tags: ['webhooks'],
          parameters,
          requestBody: {
            required: true,
            content: {
              'application/json': { schema, examples: { sandbox: { summary: 'A message of the sandbox.', value } } },
            },
          },
          responses,
        },
      },
    ];
  }),
);

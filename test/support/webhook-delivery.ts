import { Webhook } from 'standardwebhooks';

export const SECRET = `whsec_${Buffer.from('0123456789abcdef01234567').toString('base64')}`;

/** A message of webhook 7, signed now by the reference implementation of Standard Webhooks. */
export function signedDelivery(secret: string) {
  const body = JSON.stringify({ type: 'webhook.test', timestamp: new Date().toISOString(), data: { webhook_id: 7 } });
  const at = new Date();
  const headers = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('msg_1', at, body),
  };
  return { body, headers };
}

import { createHmac } from 'node:crypto';

const SECRET_PREFIX = 'whsec_';
/** Standard Webhooks asks for 24 to 64. */
const SECRET_BYTES = 32;

/** A new signing secret, from secure random bytes. */
export function newSecret(random: (bytes: number) => Uint8Array): string {
  return `${SECRET_PREFIX}${Buffer.from(random(SECRET_BYTES)).toString('base64')}`;
}

/**
 * The headers that prove a message is ours (Standard Webhooks 1.0.0, "Signature scheme": HMAC-SHA256 over
 * `id.timestamp.body`), with one signature for each secret that is good at the moment.
 */
export function signedHeaders(
  message: { readonly id: string; readonly body: string },
  secrets: readonly string[],
  nowMs: number,
): Readonly<Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>> {
  const timestamp = String(Math.floor(nowMs / 1000));
  return {
    'webhook-id': message.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((secret) => sign(secret, `${message.id}.${timestamp}.${message.body}`)).join(' '),
  };
}

function sign(secret: string, content: string): string {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
}

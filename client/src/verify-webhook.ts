import type { WebhookMessages } from './api-types.ts';
import { bytesOfBase64 } from './base64.ts';

/** A message of any type, given by `type`. A later version of the service may send further types: ignore them. */
export type WebhookMessage = WebhookMessages[keyof WebhookMessages];

export type WebhookVerified =
  | { readonly valid: true; readonly id: string; readonly message: WebhookMessage }
  | {
      readonly valid: false;
      readonly reason:
        | 'missing_header'
        | 'malformed_secret'
        | 'too_old'
        | 'too_new'
        | 'wrong_signature'
        | 'malformed_body';
    };

export interface WebhookDelivery {
  /** `whsec_...`; several while one is being rotated out. */
  readonly secret: string | readonly string[];
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The body as received, byte for byte: parsing and serialising it again may change the bytes. */
  readonly body: string;
  /** Allowed difference from the sender’s clock in seconds; default 300. */
  readonly toleranceSeconds?: number;
  /** Milliseconds since the epoch; default now. */
  readonly now?: number;
}

/**
 * Checks that a webhook’s message is signed and recent (Standard Webhooks: HMAC-SHA256 over `id.timestamp.body`). A message may
 * be delivered more than once: store the ids that were processed.
 */
export async function verifyWebhook(delivery: WebhookDelivery): Promise<WebhookVerified> {
  const id = headerOf(delivery.headers, 'webhook-id');
  const timestamp = headerOf(delivery.headers, 'webhook-timestamp');
  const signatures = headerOf(delivery.headers, 'webhook-signature');
  if (id === null || timestamp === null || signatures === null) return { valid: false, reason: 'missing_header' };
  const secrets = [delivery.secret].flat().map((text) => bytesOfBase64(text.replace(/^whsec_/, '')));
  const usable = secrets.filter((secret) => secret !== null).filter((secret) => secret.length > 0);
  if (usable.length === 0) return { valid: false, reason: 'malformed_secret' };
  const seconds = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) : Number.NaN;
  const age = (delivery.now ?? Date.now()) / 1000 - seconds;
  const tolerance = delivery.toleranceSeconds ?? 300;
  if (!(age <= tolerance)) return { valid: false, reason: 'too_old' };
  if (age < -tolerance) return { valid: false, reason: 'too_new' };
  const content = new TextEncoder().encode(`${id}.${timestamp}.${delivery.body}`);
  const macs = signatures
    .split(' ')
    .flatMap((one) => (one.startsWith('v1,') ? (bytesOfBase64(one.slice(3)) ?? []) : []));
  for (const secret of usable) {
    const algorithm = { name: 'HMAC', hash: 'SHA-256' };
    const key = await crypto.subtle.importKey('raw', secret, algorithm, false, ['verify']);
    for (const mac of macs) {
      // Compares in constant time.
      if (await crypto.subtle.verify('HMAC', key, mac, content)) return readMessage(id, delivery.body);
    }
  }
  return { valid: false, reason: 'wrong_signature' };
}

function headerOf(headers: WebhookDelivery['headers'], name: string): string | null {
  if (headers instanceof Headers) return headers.get(name);
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof found === 'string' ? found : null;
}

function readMessage(id: string, body: string): WebhookVerified {
  try {
    const message: unknown = JSON.parse(body);
    if (isMessage(message)) return { valid: true, id, message };
  } catch {
    // Signed, but not in the service’s format: reported below.
  }
  return { valid: false, reason: 'malformed_body' };
}

function isMessage(value: unknown): value is WebhookMessage {
  return (
    typeof value === 'object' &&
    value !== null &&
    'type' in value &&
    typeof value.type === 'string' &&
    'data' in value &&
    typeof value.data === 'object' &&
    value.data !== null
  );
}

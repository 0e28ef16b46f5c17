import { createHmac } from 'node:crypto';
import type { AlertKind, AlertMessage, DigestMessage, Reply, TestMessage } from '../contract/index.ts';
import type { Severity } from '../domain/index.ts';
import { assetOfAlert, readAlertBody } from '../monitoring/index.ts';
import type { AlertRow, Folded } from '../store/index.ts';

/** Largest body that is sent. */
const MOST_BODY_BYTES = 65_536;
const MOST_IDS = 100;

/** Body of a message about one alert; details are left out if they would make it too large. */
export function alertPayload(kind: string, alert: AlertRow): string {
  const body = readAlertBody(alert.body);
  const data: Reply<typeof AlertMessage> = {
    id: alert.id,
    asset_id: assetOfAlert(alert),
    symbol: body.symbol,
    name: body.name,
    class: body.class ?? null,
    trust_score: body.trust ?? null,
    source: body.source ?? null,
    kind: alert.kind as AlertKind,
    severity: alert.severity as Severity,
    title: body.title,
    details: body.details,
    rating_as_of: body.rating_as_of,
    created_at: iso(alert.created_at),
  };
  const whole = envelope(kind, data.created_at, data);
  if (Buffer.byteLength(whole) <= MOST_BODY_BYTES) return whole;
  return envelope(kind, data.created_at, {
    ...data,
    symbol: shorten(data.symbol),
    name: shorten(data.name),
    title: shorten(data.title),
    details: null,
    shortened: true,
  } satisfies Reply<typeof AlertMessage>);
}

/** Body of the one message that replaces many alerts; null when none of them is left. */
export function digestPayload(kind: string, folded: readonly Folded[]): string | null {
  const [first] = folded;
  const last = folded.at(-1);
  if (!first || !last) return null;
  const times = folded.map(({ created_at }) => iso(created_at)).sort();
  const since = times[0] ?? iso(first.created_at);
  return envelope(kind, times.at(-1) ?? since, {
    alerts: folded.length,
    by_kind: counts(folded.map((alert) => alert.kind)),
    by_severity: counts(folded.map(({ severity }) => severity)),
    first_id: first.id,
    last_id: last.id,
    alert_ids: folded.slice(0, MOST_IDS).map(({ id }) => id),
    since,
    list: `/v1/alerts?since=${encodeURIComponent(since)}`,
  } satisfies Reply<typeof DigestMessage>);
}

/** Body of a test message. */
export function testPayload(kind: string, webhookId: string, at: string): string {
  return envelope(kind, at, { webhook_id: webhookId, detail: 'A test: no alert stands behind it.' });
}

function shorten<Text extends string | null>(text: Text) {
  return (text === null ? null : text.slice(0, 1_000)) as Text;
}

function envelope(
  type: string,
  timestamp: string,
  data: Reply<typeof AlertMessage> | Reply<typeof DigestMessage> | Reply<typeof TestMessage>,
): string {
  return JSON.stringify({ type, timestamp, data });
}

function counts(words: readonly string[]): Record<string, number> {
  const by: Record<string, number> = {};
  for (const word of words) by[word] = (by[word] ?? 0) + 1;
  return by;
}

/** Times from the store are RFC 3339 with `Z`, but those within JSON have an offset. */
const iso = (time: string) => new Date(time).toISOString();

const SECRET_PREFIX = 'whsec_';
/** Standard Webhooks requires 24 to 64 bytes. */
const SECRET_BYTES = 32;

/** A new signing secret, from secure random bytes. */
export function newSecret(random: (bytes: number) => Uint8Array): string {
  return `${SECRET_PREFIX}${Buffer.from(random(SECRET_BYTES)).toString('base64')}`;
}

/**
 * The signature headers of a message (Standard Webhooks 1.0.0, "Signature scheme": HMAC-SHA256 over
 * `id.timestamp.body`), with one signature for each secret that is valid at the moment.
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

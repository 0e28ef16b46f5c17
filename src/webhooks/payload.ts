import type { AlertKind, AlertMessage, DigestMessage, Reply, TestMessage } from '../contract/index.ts';
import type { Severity } from '../domain/index.ts';
import { readAlertBody } from '../monitoring/index.ts';
import type { AlertRow, Folded } from '../store/index.ts';

/** Largest body that is sent. */
const MOST_BODY_BYTES = 65_536;
const MOST_IDS = 100;

/** Body of a message about one alert; without its details when they would make it too large. */
export function alertPayload(kind: string, alert: AlertRow): string {
  const body = readAlertBody(alert.body);
  const data: Reply<typeof AlertMessage> = {
    id: alert.id,
    asset_id: alert.asset_id,
    symbol: body.symbol,
    name: body.name,
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

/** Body of the one message that stands for many alerts; null when none of them is left. */
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

/** The store tells times as RFC 3339, but in JSON with an offset of its own. */
const iso = (time: string) => new Date(time).toISOString();

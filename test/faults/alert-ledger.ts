import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { publishedRating } from '../../src/monitoring/alerts/fixtures/published.ts';
import { storeRating } from '../../src/monitoring/alerts/fixtures/store-rating.ts';
import { connect } from '../../src/store/database.ts';
import { alertsAfter } from '../../src/store/ratings/alerts.ts';
import { putEntry } from '../../src/store/ratings/watchlist.ts';
import { eventually, pause } from './claim.ts';
import type { Call } from './fault-world.ts';

/**
 * Rates one watched asset again and again, each rating ten points from the last, through Assay’s own store, and keeps a
 * book of what must follow: one alert for each rating but the first, once in the stream, at least once at the webhook.
 */
export interface AlertLedger {
  keepRating(stop: AbortSignal, pauseMs?: number): Promise<void>;
  /** Reads the stream until `close` as a program does that must miss nothing: it comes back with the last number it saw. */
  keepReading(call: () => Call | null): void;
  /** Waits until all is told, then says what was lost or doubled. */
  settle(): Promise<{ readonly broken: readonly string[]; readonly figures: Readonly<Record<string, number>> }>;
  close(): Promise<void>;
}

/** What a message says: of one alert, or of a run of them in one. */
interface Delivered {
  readonly id?: number;
  readonly alert_ids?: readonly number[];
  readonly alerts?: number;
  readonly last_id?: number;
}

const ASSET = 'eip155:1/erc20:0x00000000000000000000000000000000000000a5';
const THRESHOLDS = JSON.stringify({ minScoreChange: 5, flagSeverities: ['high', 'critical'], bands: null });
/** A message that a killed worker had taken waits for its lease of 60 s to end, then for a worker, then maybe for a first retry. */
const TOLD_MS = 150_000;

/** An account of its own on a running service, whose processes must allow webhooks to loopback. */
export async function createAlertLedger(call: Call, databaseUrl: string): Promise<AlertLedger> {
  const made = await call('/v1/admin/keys', {
    json: { name: 'alerts', scopes: ['rms:read', 'rms:write'], plan: 'RATING' },
  });
  const { account_id: account, secret } = (await made.json()) as {
    readonly account_id: string;
    readonly secret: string;
  };
  const delivered = new Map<string, { readonly times: number; readonly data: Delivered }>();
  const receiver = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      const { data } = JSON.parse(body) as { readonly data: Delivered };
      const message = String(request.headers['webhook-id']);
      delivered.set(message, { times: (delivered.get(message)?.times ?? 0) + 1, data });
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const hook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const headers = { 'x-api-key': secret };
  const hooked = await call('/v1/webhooks', { json: { url: hook, kinds: ['score_change'] }, headers });
  if (hooked.status !== 201) throw new Error(`no webhook: ${await hooked.text()}`);
  const { db, close } = connect(databaseUrl);
  const at = new Date().toISOString();
  await putEntry(db, { account_id: account, asset_id: ASSET, added_at: at, note: null, thresholds: THRESHOLDS }, 1);
  const acknowledged: number[] = [];
  const streamed: number[] = [];
  const closing = new AbortController();
  let reading = Promise.resolve();

  /** Numbers of the alerts that messages told of, each message once. */
  const told = () => alertsToldBy([...delivered.values()].map(({ data }) => data));
  const storedRatings = () =>
    db.selectFrom('published_ratings').select('id').where('asset_id', '=', ASSET).orderBy('id').execute();

  async function rateOnce(): Promise<void> {
    const { length } = await storedRatings();
    const asOf = new Date(Date.UTC(2026, 2, 1) + length * 1000).toISOString();
    const score = length % 2 === 0 ? 70 : 60;
    const rating = publishedRating(ASSET, `alert ledger ${length}`, asOf, { score, band: 'A', flags: [] });
    const { ratingId } = await db.transaction().execute((transaction) => storeRating(transaction, rating));
    acknowledged.push(ratingId);
  }

  async function readOnce(call: Call, stop: AbortSignal): Promise<void> {
    const last = streamed.at(-1) ?? 0;
    const reply = await call('/v1/alerts/stream', {
      headers: { ...headers, 'last-event-id': String(last) },
      signal: stop,
    });
    if (!reply.ok || !reply.body) return;
    const events = reply.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
    for await (const event of events) if (event.event === 'alert') streamed.push(Number(event.id));
  }

  async function everythingTold(): Promise<boolean> {
    const alerts = await alertsAfter(db, account, 0, 100_000);
    const ratings = await storedRatings();
    const known = told();
    return (
      alerts.length === ratings.length - 1 &&
      streamed.length >= alerts.length &&
      alerts.every(({ id }) => known.includes(id))
    );
  }

  return {
    async keepRating(stop, pauseMs = 20) {
      while (!stop.aborted) {
        await rateOnce().catch(() => pause(50));
        await pause(pauseMs);
      }
    },
    keepReading(open) {
      reading = (async () => {
        while (!closing.signal.aborted) {
          const to = open();
          if (to) await readOnce(to, closing.signal).catch(() => undefined);
          await pause(50);
        }
      })();
    },
    async settle() {
      await eventually(everythingTold, TOLD_MS, 250);
      const ratings = (await storedRatings()).map(({ id }) => id);
      const alerts = await alertsAfter(db, account, 0, 100_000);
      const stored = new Set(ratings);
      const causes = new Set(alerts.map(({ cause }) => cause));
      const known = told();
      const counts = {
        ratings_acknowledged: acknowledged.length,
        ratings_lost: acknowledged.filter((id) => !stored.has(id)).length,
        alerts: alerts.length,
        alerts_lost: ratings.slice(1).filter((id) => !causes.has(`${id}:score_change`)).length,
        alerts_doubled: alerts.length - causes.size,
        streamed_lost: alerts.filter(({ id }) => !streamed.includes(id)).length,
        streamed_doubled: streamed.length - new Set(streamed).size,
        webhook_lost: alerts.filter(({ id }) => !known.includes(id)).length,
        webhook_doubled: known.length - new Set(known).size,
      };
      const broken = Object.entries(counts)
        .filter(([name, count]) => /_(lost|doubled)$/.test(name) && count > 0)
        .map(([name, count]) => `${name}: ${count}`);
      const repeats = [...delivered.values()].reduce((sum, { times }) => sum + times - 1, 0);
      return { broken, figures: { ...counts, webhook_repeats_of_one_id: repeats } };
    },
    async close() {
      closing.abort();
      await reading;
      receiver.closeAllConnections();
      receiver.close();
      await close();
    },
  };
}

/**
 * Numbers of the alerts that messages stand for, once for each message. One about many alerts names a hundred of them; the
 * others lie up to its last number, among those that no message names: single ones between them may have gone out before.
 */
function alertsToldBy(messages: readonly Delivered[]): readonly number[] {
  const told = messages.flatMap(({ id, alert_ids = [] }) => (id === undefined ? alert_ids : [id]));
  const named = new Set(told);
  for (const { alert_ids = [], alerts = 0, last_id: last = 0 } of messages) {
    let left = alerts - alert_ids.length;
    for (let id = (alert_ids.at(-1) ?? 0) + 1; left > 0 && id <= last; id += 1) {
      if (named.has(id)) continue;
      named.add(id);
      told.push(id);
      left -= 1;
    }
    // More than there is room for: they were told before.
    for (; left > 0; left -= 1) told.push(last);
  }
  return told;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request) body += chunk;
  return body;
}

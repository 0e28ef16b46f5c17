import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { Webhook as Verifier } from 'standardwebhooks';
import type { WebhookFormat } from '../../src/contract/webhook.ts';
import { testDatabase } from '../../src/store/fixtures/database.ts';
import { insertKey } from '../../src/store/keys.ts';
import { insertAlerts } from '../../src/store/ratings/alerts.ts';
import { createUpstream } from '../../src/upstream/client.ts';
import type { Resolver, Upstream } from '../../src/upstream/types.ts';
import { createDeliveries, createWebhookJudge } from '../../src/webhooks/delivery.ts';
import { createWebhooks } from '../../src/webhooks/webhooks.ts';

export interface Received {
  readonly id: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}
interface Message {
  readonly type: string;
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export const ACCOUNT = 'acc_one';
export const KEY = 'key_one';
export const KINDS = ['score_change', 'band_transition'];
export const PUBLIC_URL = 'https://assay.example.com';
/** A webhook of the usual shape. */
export const USUAL = { description: null, format: 'assay', chat_id: null } as const;
export const SINCE = '2026-03-01T00:00:00.000Z';

/** Names lead to this machine and nobody vouches for them: what a hostile DNS would say. */
const rebinding: Resolver = { resolve: async () => [{ address: '127.0.0.1', family: 4 }], vouch: () => null };
export const judgeUrl = createWebhookJudge({ dataMode: 'sandbox', loopback: true });

export type WebhookWorld = Awaited<ReturnType<typeof webhookWorld>>;

/** Webhooks on a real database, a real receiver that does as it is told, and workers that send when they are asked to. */
export async function webhookWorld() {
  let cause = 0;
  const open: { close(): Promise<void> }[] = [];
  const heard = {
    received: [] as Received[],
    answer: (response: ServerResponse, _request: Received): void => void response.writeHead(204).end(),
  };
  const database = await testDatabase();
  await insertKey(database.store.db, {
    id: KEY,
    account_id: ACCOUNT,
    name: 'key',
    prefix: 'ak_live_',
    secret_sha256: randomBytes(32),
    scopes: ['rms:read', 'chain:read'],
    plan: 'RATING',
    allowed_ips: [],
    created_at: SINCE,
    expires_at: null,
    revoked_at: null,
    last_used_at: null,
    rotated_from: null,
  });
  const receiver = createServer((request, response) => {
    void read(request).then((body) => {
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
      const message = { id: headers['webhook-id'] ?? '', path: request.url ?? '', headers, body };
      heard.received.push(message);
      heard.answer(response, message);
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  /** The webhooks as a service shows them whose clock is so much ahead. */
  const shownAhead = (aheadMs: number) =>
    createWebhooks({ db: database.store.db, random: randomBytes, judgeUrl, clock: Date.now, aheadMs });
  const webhooks = shownAhead(0);

  function client(resolver: Resolver = rebinding): Upstream {
    const upstream = createUpstream({ resolver, userAgent: 'assay-test' });
    upstream.setBudget('webhook', { perMinute: 100_000, burst: 10_000, concurrency: 64, shareSeconds: 0 });
    open.push(upstream);
    return upstream;
  }

  function worker({ resolver }: { readonly resolver?: Resolver } = {}): ReturnType<typeof createDeliveries> {
    const deliveries = createDeliveries({
      db: database.store.db,
      upstream: client(resolver),
      judgeUrl,
      publicUrl: PUBLIC_URL,
      clock: Date.now,
      random: () => 0,
      collectSeconds: 0,
      plans: ['RATING'],
      thresholdPlans: ['RATING'],
      onError: (error) => assert.fail(error as Error),
    });
    open.push(deliveries);
    return deliveries;
  }

  async function hook(
    path = '/',
    kinds: readonly string[] = KINDS,
    shape: { readonly format: WebhookFormat; readonly chat_id: string | null } = USUAL,
  ) {
    const made = await webhooks.create(ACCOUNT, { ...USUAL, url: base + path, kinds, ...shape }, 10);
    assert.ok(made.ok);
    return { id: made.value.webhook.id, secret: made.value.secret };
  }

  async function alert(count = 1, kind = 'score_change', title = 'Score down', more = {}): Promise<void> {
    const rows = Array.from({ length: count }, () => {
      cause += 1;
      return {
        account_id: ACCOUNT,
        asset_id: 'eip155:1/erc20:0x1',
        kind,
        cause: `${cause}:${kind}`,
        severity: cause % 2 === 0 ? 'high' : 'low',
        created_at: SINCE,
        body: JSON.stringify({ title, details: { from: 70, to: 60 }, rating_as_of: SINCE, ...more }),
      };
    });
    await database.store.db.transaction().execute((transaction) => insertAlerts(transaction, rows));
  }

  return Object.assign(heard, {
    database,
    webhooks,
    shownAhead,
    base,
    worker,
    hook,
    alert,
    /** Makes every waiting message due. */
    dueNow: () =>
      sql`update webhook_messages set due_at = clock_timestamp() where state = 'pending'`.execute(database.store.db),
    secondsUntilDue: async () => {
      const { rows } = await sql<{ seconds: number }>`
        select extract(epoch from due_at - clock_timestamp())::float8 as seconds from webhook_messages
        where state = 'pending'`.execute(database.store.db);
      return rows.map(({ seconds }) => Math.round(seconds));
    },
    /** States of a webhook's messages, the newest first. */
    statesOf: async (id: string) =>
      ((await webhooks.deliveries(ACCOUNT, id, { state: null, before: null, limit: 500 })) ?? []).map(
        ({ state }) => state,
      ),
    /** As it was at the beginning: nothing stored, nothing received, every message taken. */
    async reset() {
      heard.received = [];
      heard.answer = (response) => void response.writeHead(204).end();
      for (const table of ['webhook_messages', 'webhooks', 'alerts', 'alert_numbers'] as const)
        await database.store.db.deleteFrom(table).execute();
    },
    async stopWorkers() {
      for (const one of open.splice(0).reverse()) await one.close();
    },
    async close() {
      receiver.closeAllConnections();
      receiver.close();
      await database.close();
    },
  });
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** Sends until nothing is due any more. */
export async function drain(...workers: readonly ReturnType<typeof createDeliveries>[]): Promise<void> {
  for (let quiet = 0; quiet < 2; ) {
    const begun = await Promise.all(workers.map((one) => one.tick()));
    await Promise.all(workers.map((one) => one.idle()));
    quiet = begun.every((count) => count === 0) ? quiet + 1 : 0;
  }
}

/** A message that the reference implementation of Standard Webhooks accepts, and what it says. */
export const verified = (secret: string, message: Received | undefined) => {
  assert.ok(message);
  return new Verifier(secret).verify(message.body, { ...message.headers }) as Message;
};

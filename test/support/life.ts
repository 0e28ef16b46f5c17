import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { startSandbox } from '../../sandbox/server.ts';
import { serviceOnSandbox } from '../../sandbox/service-settings.ts';
import { sandboxResolver } from '../../sandbox/settings.ts';
import { startService } from '../../src/compose/service.ts';
import { DAY_MS, HOUR_MS } from '../../src/domain/statistics.ts';
import { databaseOf } from '../../src/store/fixtures/database.ts';

/** A rating as a client reads it. */
export interface LifeRating {
  readonly day: number;
  readonly asset: { readonly id: string };
  readonly score: number | null;
  readonly band: string;
  readonly trust_score: number;
  readonly rating_action: string;
  readonly action_reason: string;
  readonly outlook: string | null;
  readonly watch: { readonly reason: string } | null;
  readonly default: unknown;
  readonly risk_flags: readonly { readonly code: string }[];
  readonly drivers: readonly { readonly code: string; readonly points: number }[];
}

export interface LifeAlert {
  readonly id: number;
  readonly kind: string;
  readonly severity: string;
  readonly created_at: string;
}

export interface Life {
  readonly ratings: readonly LifeRating[];
  readonly alerts: readonly LifeAlert[];
  /** Webhook messages received, verified by the package of the standard. */
  readonly delivered: readonly { readonly type: string; readonly data: Readonly<Record<string, unknown>> }[];
  readonly badSignatures: number;
  readonly history: readonly LifeRating[];
}

const MINUTE_MS = 60_000;
const MOST_ATTEMPTS = 5;
/** What the sandbox's sources give when all of them answer is more. */
const ENOUGH_TRUST = 70;

/** Lets the world's days pass and has one project rated on each of `days` (again when too few sources answered), watched by an account with a webhook. */
export async function liveThrough(
  project: { readonly name: string; readonly domain: string; readonly symbol: string },
  days: readonly number[],
  seen: (rating: LifeRating) => void = () => undefined,
): Promise<Life> {
  const begin = Math.floor(Date.now() / DAY_MS) * DAY_MS + HOUR_MS;
  let host = begin;
  const world = await startSandbox({ seed: 1, port: 0, host: '127.0.0.1', now: () => host });
  const dataDir = await mkdtemp(join(tmpdir(), 'assay-life-'));
  await chmod(dataDir, 0o755);
  const database = await databaseOf(dataDir, 'service');
  const service = await startService({
    config: serviceOnSandbox(world, {
      dataDir,
      databaseUrl: database.url,
      webhookLoopback: true,
      // Ratings are asked for here: one that the service begins by itself would run while days pass in no time.
      monitorJobs: 0,
    }),
    resolver: sandboxResolver(world),
    now: () => host,
  });
  const key = service.adminKey ?? '';
  const call = async <Reply>(method: string, path: string, body?: unknown): Promise<Reply> => {
    const reply = await fetch(service.url + path, {
      method,
      headers: { 'x-api-key': key, 'content-type': 'application/json', prefer: 'wait=60' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${text.slice(0, 500)}`);
    return (text === '' ? null : JSON.parse(text)) as Reply;
  };

  let secret = '';
  let badSignatures = 0;
  const delivered: { type: string; data: Record<string, unknown> }[] = [];
  const receiver = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    try {
      const message = new Webhook(secret).verify(
        Buffer.concat(chunks).toString('utf8'),
        request.headers as Record<string, string>,
      );
      delivered.push(message as (typeof delivered)[number]);
    } catch {
      badSignatures += 1;
    }
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));

  const ratings: LifeRating[] = [];
  try {
    let assetId = '';
    for (const day of days) {
      host = begin + day * DAY_MS;
      if (assetId === '') {
        await call('POST', '/v1/score', {
          type: 'posttge',
          project: project.name,
          project_url: `https://${project.domain}/`,
        });
        const first = await call<LifeRating>('GET', `/v1/rms/${project.symbol}`);
        assetId = encodeURIComponent(first.asset.id);
        await call('PUT', `/v1/rms/whitelist/${assetId}`, {});
        const hook = await call<{ secret: string }>('POST', '/v1/webhooks', {
          url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/alerts`,
        });
        secret = hook.secret;
      }
      const path = `/v1/rms/${assetId}${ratings.length === 0 ? '' : '?fresh=true'}`;
      // On a loaded machine sources miss their deadlines: what they did not say is asked again, a minute later.
      for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
        const rating = { ...(await call<LifeRating>('GET', path)), day };
        ratings.push(rating);
        seen(rating);
        if (rating.trust_score >= ENOUGH_TRUST) break;
        host += MINUTE_MS;
      }
    }
    const { data: alerts } = await call<{ data: LifeAlert[] }>('GET', '/v1/alerts?limit=500');
    const patience = Date.now() + 30_000;
    while (heard(delivered) < alerts.length && Date.now() < patience)
      await new Promise((resolve) => setTimeout(resolve, 100));
    const from = new Date(begin - DAY_MS).toISOString();
    const { data: history } = await call<{ data: LifeRating[] }>(
      'GET',
      `/v1/rms/${assetId}/actions?from=${from}&limit=500`,
    );
    return { ratings, alerts, delivered, badSignatures, history };
  } finally {
    await service.close();
    await world.close();
    await database.close();
    receiver.closeAllConnections();
    await new Promise((resolve) => receiver.close(resolve));
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Alerts that the messages told of, in digests too. */
function heard(delivered: Life['delivered']): number {
  return delivered.reduce((sum, { type, data }) => {
    const ids = (data as { alert_ids?: readonly unknown[] }).alert_ids;
    return sum + (type === 'alert.digest' && ids ? ids.length : 1);
  }, 0);
}

import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { startSandbox } from '../../sandbox/server.ts';
import { serviceOnSandbox } from '../../sandbox/service-settings.ts';
import { sandboxResolver } from '../../sandbox/settings.ts';
import { startService } from '../../src/compose/service.ts';
import { databaseOf } from '../../src/store/fixtures/database.ts';

interface Reply {
  readonly code?: string;
  readonly job_id?: string;
  readonly rating?: { readonly band?: string };
}

/** A service as a user without any key has it: live budgets, and sources that are the sandbox's. */
async function keyless(t: { after(run: () => Promise<void>): void }) {
  const dataDir = await mkdtemp(join(tmpdir(), 'assay-capacity-'));
  await chmod(dataDir, 0o755);
  const sandbox = await startSandbox({ seed: 1, port: 0, host: '127.0.0.1', now: Date.now, limits: 1 });
  const database = await databaseOf(dataDir, 'service');
  const config = serviceOnSandbox(sandbox, {
    dataDir,
    databaseUrl: database.url,
    dataMode: 'live',
    monitorJobs: 0,
    registersDir: null,
  });
  const service = await startService({ config, resolver: sandboxResolver(sandbox) });
  t.after(async () => {
    await service.close();
    await sandbox.close();
    await database.close();
    await rm(dataDir, { recursive: true, force: true });
  });
  const headers = { 'content-type': 'application/json', 'x-api-key': service.adminKey ?? '', prefer: 'wait=110' };
  return {
    sandbox,
    headers,
    url: service.url,
    score: (asset: { readonly name: string; readonly url: string; readonly symbol: string }) =>
      fetch(`${service.url}/v1/score`, {
        method: 'POST',
        headers,
        body: JSON.stringify({
          type: 'posttge',
          project: asset.name,
          project_url: asset.url,
          token_symbol: asset.symbol,
          output_format: 'full',
        }),
      }),
  };
}

test('the second coin of a user without a key is rated right after the first, one without a protocol list', async (t) => {
  const world = await keyless(t);
  const listed = world.sandbox.world.tokens.filter((row) => row.traits.listed && row.kind === 'healthy');
  const unknownToLlama = listed.filter((row) => row.tvlUsd === undefined);
  for (const asset of [...listed.slice(0, 1), ...unknownToLlama.slice(0, 1)]) {
    const reply = await world.score(asset);
    const body = (await reply.json()) as Reply;
    assert.equal(reply.status, 200, `${asset.name}: ${JSON.stringify(body).slice(0, 400)}`);
    assert.ok(body.rating?.band !== undefined && body.rating.band !== 'NR', `${asset.name}: ${body.rating?.band}`);
    const evidence = (await (
      await fetch(`${world.url}/v1/jobs/${body.job_id}/evidence`, { headers: world.headers })
    ).json()) as { responses: readonly { source: string; endpoint: string; outcome: string }[] };
    const unasked = evidence.responses.filter(
      (row) => row.outcome === 'budget_spent' || row.outcome === 'rate_limited',
    );
    assert.deepEqual(unasked, [], asset.name);
  }
});

test('while budgets keep identity from its requests, the reply is 503 with Retry-After, and names the sources', async (t) => {
  const world = await keyless(t);
  const [asset] = world.sandbox.world.tokens.filter((row) => row.traits.listed && row.tvlUsd === undefined);
  assert.ok(asset);
  for (const source of ['coinmarketcap', 'coinpaprika', 'coingecko'])
    world.sandbox.faults.add({ source, kind: 'rate_limited', retryAfterSeconds: 90 });
  world.sandbox.faults.add({ source: 'website', kind: 'server_error' });
  const reply = await world.score(asset);
  const body = (await reply.json()) as Reply & { readonly tried?: readonly string[] };
  assert.deepEqual([reply.status, body.code], [503, 'sources_busy'], JSON.stringify(body).slice(0, 300));
  const seconds = Number(reply.headers.get('retry-after'));
  assert.ok(seconds > 30 && seconds <= 91, String(seconds));
});

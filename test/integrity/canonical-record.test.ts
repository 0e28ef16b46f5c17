import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Sandbox, startSandbox } from '../../sandbox/server.ts';
import { serviceOnSandbox } from '../../sandbox/service-settings.ts';
import { sandboxResolver } from '../../sandbox/settings.ts';
import type { SandboxAsset } from '../../sandbox/world/types.ts';
import { createEngine, type Engine } from '../../src/compose/engine.ts';
import type { CanonicalRecord, Identification, ScoreRequest } from '../../src/domain/asset.ts';
import { createJobRequester } from '../../src/evidence/requester.ts';
import { canonicalRequest, differencesOf } from '../../src/identity/canonical.ts';
import { identify } from '../../src/identity/identify.ts';

/** Over the whole sandbox world: one asset, one canonical record, whatever words lead to it (decision 0022). */
let sandbox: Sandbox;
let engine: Engine;
before(async () => {
  sandbox = await startSandbox({ seed: 1, port: 0, host: '127.0.0.1', now: Date.now });
  engine = createEngine(serviceOnSandbox(sandbox, {}), sandboxResolver(sandbox));
});
after(async () => {
  await engine.close();
  await sandbox.close();
});

const DEADLINE_MS = 30_000;

async function found(request: ScoreRequest): Promise<Identification & { readonly canonical: CanonicalRecord }> {
  const requester = createJobRequester({
    book: engine.book,
    upstream: engine.upstream,
    bulk: engine.bulk,
    now: Date.now,
    ticks: () => performance.now(),
    deadlineAt: performance.now() + DEADLINE_MS,
    signal: AbortSignal.timeout(DEADLINE_MS),
    traceparent: null,
    onReply: () => undefined,
  });
  const result = await identify(request, requester, engine.methodology);
  assert.ok(result.ok, `${JSON.stringify(request)}: ${JSON.stringify(result).slice(0, 600)}`);
  const { canonical } = result.identification;
  assert.ok(canonical);
  return { ...result.identification, canonical };
}

/** What is said of the asset, without the moment it was said and the replies it was read from. */
function told({
  asset,
  stage,
  registrableDomain,
  match,
  links,
  contradictions,
  canonical,
}: Awaited<ReturnType<typeof found>>) {
  const record = JSON.parse(JSON.stringify(canonical, (key, value) => (key === 'since' ? null : value)));
  return { asset, stage, registrableDomain, match, links, contradictions, record };
}

const plainWords = (asset: SandboxAsset): ScoreRequest => ({
  type: asset.chain === null ? 'pretge' : 'posttge',
  project: asset.name,
  projectUrl: asset.url,
  tokenSymbol: asset.symbol === '' ? null : asset.symbol,
  category: null,
  blockchain: null,
  tokenAddress: null,
});

/** Other words that mean the same asset. */
function otherWords(asset: SandboxAsset): readonly ScoreRequest[] {
  const plain = plainWords(asset);
  const { domain, chain, address } = asset;
  const isToken = chain !== null;
  return [
    { ...plain, projectUrl: `http://www.${domain.toUpperCase()}/deep/link?claim=1#x`, category: 'Official Stablecoin' },
    { ...plain, projectUrl: `https://no-such-name.${domain}./token.json`, ...(isToken ? { tokenSymbol: null } : {}) },
    { ...plain, project: asset.name.toUpperCase(), projectUrl: `https://app.${domain}:443` },
    ...(isToken
      ? [
          { ...plain, project: 'Something else', tokenSymbol: null, tokenAddress: address },
          { ...plain, tokenAddress: address, blockchain: chain, tokenSymbol: 'WRONG' },
        ]
      : [{ ...plain, tokenSymbol: 'WRONG', blockchain: 'base' }]),
  ];
}

const HARD: ReadonlySet<string> = new Set(['ambiguous', 'site_without_token']);
const meant = () => sandbox.world.assets.filter((asset) => !HARD.has(asset.kind));

const byPlainWords = new Map<string, ReturnType<typeof found>>();

/** The asset by its own name and url, identified once for all tests. */
function plainly(asset: SandboxAsset): ReturnType<typeof found> {
  const known = byPlainWords.get(asset.slug) ?? found(plainWords(asset));
  byPlainWords.set(asset.slug, known);
  return known;
}

async function inTurn<Row>(rows: readonly Row[], work: (row: Row) => Promise<void>): Promise<void> {
  const SIDE_BY_SIDE = 4;
  for (let at = 0; at < rows.length; at += SIDE_BY_SIDE) await Promise.all(rows.slice(at, at + SIDE_BY_SIDE).map(work));
}

describe('every asset of the sandbox world', () => {
  test('is the same asset with the same record and match by any request', async () => {
    assert.ok(meant().length >= 55, String(meant().length));
    await inTurn(meant(), async (asset) => {
      const plain = told(await plainly(asset));
      assert.equal(plain.asset.address ?? '', asset.address, asset.slug);
      for (const words of otherWords(asset)) assert.deepEqual(told(await found(words)), plain, JSON.stringify(words));
    });
  });

  test('is found again by its own record, which stays what it is', async () => {
    await inTurn(meant(), async (asset) => {
      const first = await plainly(asset);
      const again = await found(canonicalRequest(first.canonical, first.stage));
      assert.deepEqual(told(again), told(first), asset.slug);
    });
  });

  test('is found by its address alone when no website is confirmed, and then gets its website back', async () => {
    const tokens = meant().filter((asset) => asset.chain !== null);
    await inTurn(tokens, async (asset) => {
      const first = await plainly(asset);
      const bare = { ...first.canonical, website: { ...first.canonical.website, value: null } };
      assert.deepEqual(told(await found(canonicalRequest(bare, first.stage))), told(first), asset.slug);
    });
  });

  test('contains nothing that only a caller stated', async () => {
    await inTurn(meant(), async (asset) => {
      const words = { ...plainWords(asset), category: 'ZZZ category', projectUrl: `${asset.url}zzz-page` };
      const result = await found(words);
      assert.ok(!JSON.stringify(result).toLowerCase().includes('zzz'), asset.slug);
      const [url, category] = differencesOf(words, result.canonical);
      assert.match(url ?? '', /^project_url: /);
      assert.match(category ?? '', /^category: "ZZZ category" was sent/);
    });
  });
});

test('two tokens of one site are distinguished by the address alone, and each keeps its record', async () => {
  const twins = sandbox.world.assets.filter((asset) => asset.kind === 'ambiguous');
  assert.equal(twins.length, 2);
  for (const asset of twins) {
    const first = await found({ ...plainWords(asset), tokenAddress: asset.address });
    assert.equal(first.asset.address, asset.address);
    assert.ok(first.contradictions.some((row) => row.kind === 'two_tokens_claim_site'));
    assert.deepEqual(told(await found(canonicalRequest(first.canonical, first.stage))), told(first));
  }
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { REPLIED } from '../src/domain/evidence.ts';
import { sourcesFor } from '../src/domain/information-kinds.ts';
import type { QuantityId } from '../src/domain/quantities.ts';
import { canonicalScope, marketOfScope } from '../src/domain/venue-scopes.ts';
import { readReply } from '../src/evidence/read-reply.ts';
import { SOURCES } from '../src/sources/index.ts';
import { driveSource, factsOf, requestFacade } from './drive.ts';
import { createLimiter } from './limits.ts';
import { createScene } from './scene.ts';
import { factsFor } from './source-facts.ts';
import type { SandboxAsset } from './world/types.ts';
import { createWorld } from './world/world.ts';

const NOW = Date.UTC(2026, 5, 1, 12);
const world = createWorld({ seed: 1, anchor: NOW });
const scene = createScene(world, NOW, () => 1);
/** Exchanges that are sources themselves. */
const EXCHANGES: ReadonlySet<string> = new Set(sourcesFor('own_markets'));

for (const source of SOURCES) {
  // TLS is a connection and not a reply; the server's own test opens one. Registers hold rows of real assets only.
  if (source.name === 'tls' || source.endpoints.every(({ made }) => made !== undefined)) continue;
  test(`${source.name}: every reply for healthy assets fits its schema and is observed`, () => {
    const replies = factsFor(source, scene).flatMap((one) => driveSource(source, one, scene));
    for (const reply of replies) {
      const shown = `${reply.endpoint} ${reply.url}: ${reply.outcome} ${reply.detail ?? ''}`;
      assert.ok(REPLIED.has(reply.outcome), shown);
    }
    assert.ok(
      replies.some((reply) => reply.observations.length > 0),
      `${source.name} observed nothing`,
    );
  });
}

test('each source that counts the sales of a day states the share of the last six hours with them', () => {
  const has = (rows: ReturnType<typeof driveSource>, quantity: QuantityId) =>
    rows.some(({ observations }) => observations.some((row) => row.quantity === quantity && row.value !== 0));
  const counting = SOURCES.filter((source) => {
    const replies = factsFor(source, scene).flatMap((one) => driveSource(source, one, scene));
    assert.equal(has(replies, 'sells_6h_share'), has(replies, 'sells_24h'), source.name);
    return has(replies, 'sells_24h');
  });
  assert.deepEqual(counting.map(({ name }) => name).sort(), ['dexscreener', 'geckoterminal']);
});

for (const source of SOURCES) {
  for (const endpoint of source.endpoints.filter((row) => row.role !== 'observe')) {
    test(`${source.name}.${endpoint.name}: the registry finds a known project`, () => {
      const params = { query: 'Tidewell', symbol: 'TIDE', slug: 'tidewell', chain: 'solana' };
      const found = requestFacade(source, endpoint, params, scene);
      assert.equal(found.outcome, 'ok', found.detail ?? '');
    });
  }
}

test('every source names a market or a pool in the one canonical form, each market of the exchanges in the table', () => {
  const scopes = new Set<string>();
  for (const source of SOURCES.filter((row) => row.name !== 'tls'))
    for (const asset of world.tokens)
      for (const { observations } of driveSource(source, factsOf(asset), scene))
        for (const { scope } of observations) if (/^(?:venue|pool):/.test(scope)) scopes.add(scope);
  assert.ok(scopes.size > world.tokens.length);
  for (const scope of scopes) {
    assert.equal(canonicalScope(scope), scope);
    if (scope.startsWith('venue:')) assert.ok(EXCHANGES.has(marketOfScope(scope)?.exchange ?? ''), scope);
  }
});

for (const source of SOURCES) {
  const list = source.endpoints.find((row) => row.list?.standsInFor === 'ticker');
  if (!EXCHANGES.has(source.name) || list === undefined) continue;
  test(`${source.name}: each row of the list of all tickers equals the ticker of that market`, () => {
    const ticker = source.endpoints.find((row) => row.name === 'ticker');
    assert.ok(list.list && ticker);
    const { reply } = requestFacade(source, list, {}, scene);
    const rows = (list.list.rowsOf?.(reply) ?? reply) as readonly unknown[];
    let observed = 0;
    for (const row of rows)
      for (const symbol of list.list.keysOf(row)) {
        const params = { symbol };
        const single = requestFacade(source, ticker, params, scene);
        const meta = { status: 200, headers: {}, fetchedAt: new Date(NOW).toISOString(), url: single.url };
        const body = Buffer.from(JSON.stringify(list.list.replyOf ? list.list.replyOf(row) : row));
        const read = readReply(source, ticker, params, body, meta, 'test#00000000');
        assert.equal(read.outcome, 'ok');
        assert.equal(read.observations.length, 3);
        assert.deepEqual(read.observations, single.observations);
        observed += 1;
      }
    assert.ok(observed > 0);
  });
}

test('Binance’s limit counts weight as the exchange does', () => {
  const limiter = createLimiter(1);
  const refused = (path: string, query: string) =>
    limiter.refuse({ source: 'binance', path, query: new URLSearchParams(query) }) !== null;
  for (let count = 0; count < 75; count += 1) assert.equal(refused('/api/v3/ticker/24hr', 'type=MINI'), false);
  assert.equal(refused('/api/v3/ticker/24hr', 'symbol=TIDEUSDT'), true, '75 lists are all of 6,000');
});

const SEEN: readonly (readonly [slug: string, source: string, quantity: QuantityId, value: unknown])[] = [
  ['mintwell-pepper', 'solana_rpc', 'mint_authority_state', 'eoa'],
  ['frostbyte-frog', 'solana_rpc', 'freeze_authority_state', 'eoa'],
  ['puppeteer', 'solana_rpc', 'permanent_delegate', true],
  ['levypaw', 'solana_rpc', 'tax_modifiable', true],
  ['hivecoin', 'goplus', 'honeypot', true],
  ['hivecoin', 'honeypot_is', 'honeypot', true],
  ['stickytrap', 'goplus', 'honeypot', true],
  ['stickytrap', 'honeypot_is', 'honeypot', true],
  ['gonedoor', 'rugcheck', 'rug_executed', true],
  ['ninth-try', 'rugcheck', 'creator_dead_tokens_count', 8],
  ['swapcore-vault', 'evm_rpc', 'proxy_admin_state', 'eoa'],
  ['blackbox-bean', 'goplus', 'source_verified', false],
  ['plainsong-dollar', 'evm_rpc', 'owner_state', 'multisig'],
];

for (const [slug, source, quantity, value] of SEEN) {
  test(`${source} sees ${quantity} of ${slug}`, () => {
    const values = observed(source, assetCalled(slug), quantity);
    assert.ok(values.includes(value), `saw ${JSON.stringify(values)}`);
  });
}

test('the fault of one asset is in one source only: DexPaprika is a thousand times too high on Kilofault', () => {
  const price = (source: string) => Number(observed(source, assetCalled('kilofault'), 'price_usd')[0]);
  assert.ok(Math.abs(price('dexpaprika') / price('coingecko') / 1000 - 1) < 0.02);
});

function observed(source: string, asset: SandboxAsset, quantity: QuantityId): readonly unknown[] {
  const found = SOURCES.find((row) => row.name === source);
  assert.ok(found, `no source ${source}`);
  return driveSource(found, factsOf(asset), scene)
    .flatMap((reply) => reply.observations)
    .filter((observation) => observation.quantity === quantity)
    .map((observation) => observation.value);
}

function assetCalled(slug: string): SandboxAsset {
  const asset = world.assets.find((row) => row.slug === slug);
  assert.ok(asset, `no asset ${slug}`);
  return asset;
}

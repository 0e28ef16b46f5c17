import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { MarketReply } from '../../src/contract/market.ts';
import { fits } from '../support/chain-api-world.ts';
import { type TestService, testService } from '../support/service.ts';

/** The supply of a token has more digits than a JSON number: the whole way from the chain's integers to HTTP keeps them. */
let world: TestService;

interface Bare {
  readonly slug: string;
  readonly chain: string;
  readonly address: string;
  readonly decimals: number;
  readonly supply: string;
}

interface Market {
  readonly code?: string;
  readonly total_supply: number;
  readonly total_supply_exact: string | null;
  readonly total_supply_exact_source: string | null;
  readonly provenance: { readonly total_supply?: { readonly sources: readonly string[] } };
}

let tokens: ReadonlyMap<string, Bare>;

before(async () => {
  world = await testService();
  const bare = (await (await fetch(`${world.sandbox.url}/__control/bare`)).json()) as readonly Bare[];
  tokens = new Map(bare.map((token) => [token.slug, token]));
});
after(() => world.close());

/** The first market snapshot of a token that only its chain knows. */
async function marketOf(slug: string): Promise<Market> {
  const { chain, address } = tokens.get(slug) as Bare;
  const json = { cadence: 'newest', kinds: ['market'] };
  const put = await world.call(`/v1/${chain}/index/${address}`, { method: 'PUT', json });
  assert.equal(put.status, 201);
  for (const until = Date.now() + 30_000; ; ) {
    const reply = await world.call(`/v1/${chain}/market/${address}/snapshot`);
    const body = (await reply.json()) as Market;
    if (reply.status === 200) {
      fits(MarketReply, body);
      return body;
    }
    assert.equal(body.code, 'no_snapshot_yet');
    assert.ok(Date.now() < until, slug);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

test('a supply of 18 decimals past 2^53 is exact to the last digit, where a number would be wrong', async () => {
  const market = await marketOf('precise');
  assert.ok(market.total_supply > 2 ** 53);
  assert.notEqual(BigInt(market.total_supply), 123_456_789_012_345_678n);
  assert.equal(market.total_supply_exact, '123456789012345678.123456789012345678');
  assert.equal(market.total_supply_exact_source, 'evm_rpc');
  assert.deepEqual(market.provenance.total_supply?.sources, ['evm_rpc']);
});

test('whatever the decimals and the chain, the exact supply is that of the contract and rounds to the number', async () => {
  const sources = { formula: 'solana_rpc', alone: 'solana_rpc', nothing: 'solana_rpc', whole: 'evm_rpc' };
  for (const [slug, source] of Object.entries(sources)) {
    const market = await marketOf(slug);
    const { decimals, supply } = tokens.get(slug) as Bare;
    const [whole = '', rest = ''] = (market.total_supply_exact ?? '').split('.');
    assert.equal(rest.length, decimals, slug);
    assert.equal(BigInt(whole + rest), BigInt(supply), slug);
    assert.equal(Number(market.total_supply_exact), market.total_supply, slug);
    assert.equal(market.total_supply_exact_source, source, slug);
  }
});

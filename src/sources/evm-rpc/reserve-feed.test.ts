import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeAbiParameters, encodeFunctionResult, type Hex, multicall3Abi, parseAbiParameters } from 'viem';
import { factsOf, parseBody } from '../fixtures/drive.ts';
import type { Params } from '../source.ts';
import { issuedEndpoint, reserveFeedEndpoint } from './reserve-feed.ts';
import table from './reserve-feeds.json' with { type: 'json' };

const WBTC = '0x2260fac5e5542a773aa44fbcfedf7c193bc2c599';
const TUSD = '0x0000000000085d4780b73119b644ae5ecd22b376';
const CBBTC = '0xcbb7c0000ab88b473b1f5afd9ef808440eed33bf';
const FETCHED = '2026-11-20T12:00:00.000Z';
const NOW = BigInt(Date.parse(FETCHED) / 1_000);

const number = (value: bigint): Hex => encodeAbiParameters(parseAbiParameters('uint256'), [value]);
const words = (value: string): Hex => encodeAbiParameters(parseAbiParameters('string'), [value]);

interface Said {
  readonly reserve?: bigint;
  readonly supply?: bigint;
  readonly ageSeconds?: bigint;
  readonly named?: string;
  readonly places?: bigint;
  readonly answeredIn?: bigint;
}

/** What a node says: reserves and supply in whole units of 8 decimals. */
function reply({
  reserve = 130_100n,
  supply = 130_000n,
  ageSeconds = 600n,
  named = 'WBTC PoR',
  places = 8n,
  answeredIn = 7n,
}: Said = {}) {
  const updated = NOW - ageSeconds;
  const round = encodeAbiParameters(parseAbiParameters('uint80, int256, uint256, uint256, uint80'), [
    7n,
    reserve * 10n ** 8n,
    updated,
    updated,
    answeredIn,
  ]);
  const values = [number(NOW), number(places), round, words(named), number(8n), number(supply * 10n ** 8n)];
  const result = values.map((returnData) => ({ success: true, returnData }));
  return {
    jsonrpc: '2.0',
    id: 1,
    result: encodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', result }),
  };
}

function planned(chain: string, address: string, learned = {}): readonly Params[] {
  return reserveFeedEndpoint.plan(factsOf(chain, address, learned));
}

function said(params: Params | undefined, body: unknown) {
  assert.ok(params);
  const { outcome, drafts } = parseBody(reserveFeedEndpoint, params, body, FETCHED);
  return {
    outcome,
    drafts: drafts.map(({ quantity, value, tier, family, observedAt }) => ({
      quantity,
      value,
      tier,
      family,
      observedAt,
    })),
  };
}

test('reserves of a token that is issued on one chain are stated over its supply, with the feed’s own time', () => {
  const [first, second] = planned('ethereum', WBTC);
  assert.deepEqual([first?.base, second?.base], ['ethereum', 'ethereum_2']);
  assert.deepEqual(said(first, reply()), {
    outcome: 'ok',
    drafts: [
      {
        quantity: 'backing_ratio',
        value: 130_100 / 130_000,
        tier: 'registry',
        family: 'chainlink',
        observedAt: '2026-11-20T11:50:00.000Z',
      },
    ],
  });
});

test('a feed that is silent, of another name, without a closed round, or in another unit gives nothing', () => {
  const [params] = planned('ethereum', WBTC);
  for (const change of [
    { ageSeconds: 90_001n },
    { ageSeconds: -60n },
    { named: 'BTC / USD' },
    { answeredIn: 6n },
    { reserve: 0n },
    { reserve: -5n },
    { supply: 0n },
    { places: 18n },
    { reserve: 13_000_000n },
  ])
    assert.deepEqual(said(params, reply(change)), { outcome: 'empty', drafts: [] }, Object.keys(change).join());
  assert.equal(said(params, { jsonrpc: '2.0', id: 1, result: '0x' }).outcome, 'empty');
});

test('a token of several chains waits for the supply of the others; where one is not read only a shortfall is stated', () => {
  assert.deepEqual(planned('ethereum', TUSD), []);
  assert.deepEqual(
    issuedEndpoint.plan(factsOf('ethereum', TUSD)).map(({ base }) => base),
    ['avalanche'],
  );
  const [params] = planned('ethereum', TUSD, { 'evm_rpc.issued.avalanche': 10_000 });
  assert.equal(params?.others, 10_000);
  const named = 'TUSD Reserves';
  assert.deepEqual(said(params, reply({ named, reserve: 150_000n, supply: 130_000n })), { outcome: 'ok', drafts: [] });
  const [short] = said(params, reply({ named, reserve: 70_000n, supply: 130_000n })).drafts;
  assert.deepEqual([short?.value, short?.family], [0.5, 'issuer_disclosure']);
});

test('a value from the issuer’s own interface counts as the issuer’s statement', () => {
  const learned = { 'evm_rpc.issued.ethereum': 20_000, 'evm_rpc.issued.arbitrum': 1_000 };
  const [params] = planned('base', CBBTC, learned);
  const [short] = said(params, reply({ named: 'cbBTC PoR Reserves', reserve: 20_000n, supply: 19_000n })).drafts;
  assert.deepEqual([short?.value, short?.tier], [0.5, 'self_reported']);
  assert.deepEqual(planned('ethereum', CBBTC, learned), planned('base', CBBTC, learned), 'one feed for all its chains');
});

test('a token that is not listed is not requested, and an unreadable supply is not learned', () => {
  assert.deepEqual(planned('ethereum', `0x${'12'.repeat(20)}`), []);
  assert.deepEqual(planned('base', WBTC), []);
  assert.deepEqual(parseBody(issuedEndpoint, { base: 'avalanche', token: TUSD }, { id: 1, result: '0x' }).learned, {});
});

test('rows name addresses in lower case, each feed a listed basis', () => {
  for (const { name, feed, tokens, basis, silenceSeconds, named } of table.rows) {
    for (const { address } of [feed, ...tokens]) assert.match(address, /^0x[0-9a-f]{40}$/, name);
    assert.ok(['addresses', 'firm', 'issuer'].includes(basis), name);
    assert.ok(silenceSeconds > 3_600 && named === named.toLowerCase(), name);
    assert.ok(
      tokens.some(({ chain }) => chain === feed.chain),
      `${name}: the feed’s chain has none of its tokens`,
    );
  }
});

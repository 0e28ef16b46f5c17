import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Observation } from '../domain/observation.ts';
import { loadMethodology } from '../methodology/load.ts';
import type { Methodology } from '../methodology/schema.ts';
import { computableMethodology, methodologyVersions } from '../methodology/versions.ts';
import { agree } from './agree.ts';

const methodology = loadMethodology();
const earlier =
  computableMethodology(methodologyVersions().find(({ version }) => version === '1.5.1')?.hash ?? '') ??
  assert.fail('1.5.1');
const asOf = '2026-01-01T12:00:00.000Z';
const ALL = 'total_supply@chains:all';

function row(family: string, change: Partial<Observation>): Observation {
  return {
    quantity: 'total_supply',
    scope: 'asset',
    value: 0,
    unit: 'tokens',
    meaning: 'on this chain',
    source: family,
    endpoint: 'e',
    family,
    tier: family.startsWith('chain:') ? 'chain' : 'aggregator',
    observedAt: asOf,
    fetchedAt: asOf,
    reliability: 0.9,
    binding: 1,
    responseId: family,
    ...change,
  };
}

const onThisChain = (value: number) =>
  ['chain:main', 'chain:second', 'goplus', 'geckoterminal'].map((family) => row(family, { value }));
const onAllChains = (value: number) =>
  ['coingecko', 'cmc', 'paprika'].map((family) => row(family, { value, meaning: 'all chains', tier: 'registry' }));
const listedOn = (...chains: readonly string[]) =>
  row('coingecko', {
    quantity: 'registry_addresses',
    scope: 'registry:coingecko',
    tier: 'registry',
    value: chains.map((chain) => ({ chain, address: '0x1' })),
  });
const circulating = (value: number) =>
  ['coingecko', 'cmc', 'paprika'].map((family) => row(family, { quantity: 'circulating_supply', value }));
const agreed = (rows: readonly Observation[], rules: Methodology = methodology) => agree(rows, rules, asOf);

test('the supply of a token on several chains and of one of them are two values, each agreed', () => {
  const rows = [...onThisChain(40e9), ...onAllChains(60e9), ...circulating(59e9)];
  const found = agreed([...rows, listedOn('ethereum', 'solana')]);
  assert.deepEqual(
    [found.total_supply, found[ALL]].map((one) => [one?.value, one?.status, one?.failedIdentities]),
    [
      [40e9, 'agreed', []],
      [60e9, 'agreed', []],
    ],
  );
  assert.deepEqual(found.circulating_supply?.failedIdentities, []);
  assert.ok((found.total_supply?.confidence ?? 0) > 0.9);
  // A chain that is not covered here counts too.
  const listed = row('cmc', { quantity: 'listed_chains', scope: 'registry:coinmarketcap', tier: 'registry', value: 2 });
  assert.equal(agreed([...rows, listedOn('ethereum'), listed])[ALL]?.value, 60e9);
  // Before 1.6, one of them outvoted the other, and more circulated than there was.
  const before = agreed([...rows, listedOn('ethereum', 'solana')], earlier);
  assert.equal(before[ALL], undefined);
  assert.ok([before.total_supply, before.circulating_supply].some((one) => one?.failedIdentities.length === 1));
});

test('of a token on one chain all statements are about one value', () => {
  for (const chains of [[], ['ethereum'], ['ethereum', 'ethereum']]) {
    const found = agreed([...onThisChain(40e9), ...onAllChains(60e9), listedOn(...chains)]);
    assert.equal(found[ALL], undefined, chains.join());
    assert.equal(found.total_supply?.voices.length, 7);
  }
  // Nothing but registries states a supply, or the rated party alone names another chain.
  assert.equal(agreed([...onAllChains(60e9), listedOn('ethereum', 'solana')])[ALL], undefined);
  const own = { ...listedOn('ethereum', 'solana'), tier: 'self_reported' as const };
  assert.equal(agreed([...onThisChain(40e9), ...onAllChains(60e9), own])[ALL], undefined);
});

test('registries that leave out burned tokens do not dispute the chain', () => {
  const outvoted = [
    row('chain:main', { value: 1_000 }),
    ...['coingecko', 'cmc', 'paprika'].map((family) => row(family, { value: 590 })),
  ];
  const burned = (value: number) => row('chain:main', { quantity: 'burned_tokens', value });
  assert.deepEqual([agreed(outvoted).total_supply?.value, agreed(outvoted).total_supply?.status], [590, 'disputed']);
  assert.equal(agreed([...outvoted, burned(410)]).total_supply?.status, 'agreed');
  assert.equal(agreed([...outvoted, burned(100)]).total_supply?.status, 'disputed');
  assert.equal(agreed(outvoted, earlier).total_supply?.status, 'agreed');
});

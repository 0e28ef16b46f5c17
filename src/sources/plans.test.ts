import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CHAINS, type Chain, chainsOf, type NamingSource, nameAt } from '../chains/index.ts';
import { factsOf } from './fixtures/drive.ts';
import { SOURCES } from './index.ts';

const EVM_TOKEN = '0x1000000000000000000000000000000000000001';
const SOLANA_TOKEN = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
/** Chains whose own nodes are asked are not named by the source. */
const NODES = ['solana_rpc', 'evm_rpc'];
const naming = SOURCES.filter((source) => source.chains.length > 1 && !NODES.includes(source.name));

/** What the chain tells of the token, for sources that are asked about its owner. */
const OWNED = { 'evm_rpc.owner': EVM_TOKEN, [`evm_rpc.contract.${EVM_TOKEN}`]: 'other' };

function planned(source: (typeof SOURCES)[number], chain: Chain) {
  const facts = { ...factsOf(chain.name, chain.kind === 'evm' ? EVM_TOKEN : SOLANA_TOKEN, OWNED), chain };
  return source.endpoints.flatMap((endpoint) => endpoint.plan(facts));
}

test('a source of several chains has a name, or null, in every chain file, and covers the chains that have one', () => {
  assert.ok(naming.length >= 12);
  for (const source of naming) {
    for (const chain of CHAINS)
      assert.ok(
        source.name in chain.names || (chain.kind === 'solana' && !source.chains.includes('solana')),
        `${chain.name} says nothing of ${source.name}: its name there, or null`,
      );
    assert.deepEqual(source.chains, chainsOf(source.name as NamingSource), source.name);
  }
});

test('a source is requested for tokens of the chains that it has a name for, and of no other', () => {
  for (const source of naming)
    for (const chain of CHAINS) {
      const without = { ...chain, names: { ...chain.names, [source.name]: null } } as Chain;
      assert.deepEqual(planned(source, without), [], `${source.name} on a chain that it does not have`);
      const name = nameAt(source.name as NamingSource, chain);
      assert.equal(planned(source, chain).length > 0, name !== null, `${source.name} on ${chain.name}`);
    }
});

test('requests carry the name of the source, not ours', () => {
  for (const source of naming.filter(({ name }) => name !== 'blockscout'))
    for (const chain of CHAINS)
      for (const endpoint of source.endpoints)
        for (const params of endpoint.plan({
          ...factsOf(chain.name, chain.kind === 'evm' ? EVM_TOKEN : SOLANA_TOKEN),
        })) {
          const asked = JSON.stringify(endpoint.request(params));
          assert.ok(
            asked.includes(String(nameAt(source.name as NamingSource, chain))),
            `${source.name}.${endpoint.name} on ${chain.name}: ${asked}`,
          );
        }
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChainNames, EvmChainNames } from './chain.ts';
import { liquidityTokenCalls } from './decoders/evm-pools/uniswap-v2.ts';
import { EVM_BURN_ADDRESSES, isBurnAddress, SOLANA_BURN_ADDRESSES } from './fixed-addresses.ts';
import { assetId, CHAINS, chainCalled, EVM_CHAINS, findChain, isQuoteToken, nameAt, parseAssetId } from './index.ts';

const ADDRESS = /^0x[0-9a-f]{40}$/;
const NAMES: Readonly<Record<keyof ChainNames, true>> = {
  coingecko: true,
  geckoterminal: true,
  coinmarketcap: true,
  coinpaprika: true,
  dexpaprika: true,
  dexscreener: true,
  defillama: true,
  birdeye: true,
  goplus: true,
};
const EVM_NAMES: Readonly<Record<keyof EvmChainNames, true>> = {
  ...NAMES,
  honeypot_is: true,
  blockscout: true,
  sourcify: true,
  etherscan: true,
  safe: true,
};

test('every chain states its name at each source, or null where the source does not have it', () => {
  for (const chain of CHAINS) {
    const wanted = Object.keys(chain.kind === 'evm' ? EVM_NAMES : NAMES).sort();
    assert.deepEqual(Object.keys(chain.names).sort(), wanted, chain.name);
    for (const [source, name] of Object.entries(chain.names))
      assert.ok(
        name === null || (typeof name === 'number' ? name > 0 : /^\S+$/.test(name)),
        `${chain.name}: ${source}`,
      );
  }
});

test('no two chains share an id, a name, an alias or a name at a source', () => {
  const ours = CHAINS.flatMap((chain) => [chain.name, chain.caip2, ...chain.aliases, String(chain.evmChainId)]);
  assert.equal(new Set(ours).size, ours.length);
  for (const source of Object.keys(EVM_NAMES) as (keyof EvmChainNames)[]) {
    const names = CHAINS.map((chain) => nameAt(source, chain)).filter((name) => name !== null);
    assert.equal(new Set(names).size, names.length, source);
    for (const chain of CHAINS)
      if (nameAt(source, chain) !== null) assert.equal(chainCalled(source, nameAt(source, chain)), chain);
  }
  assert.equal(chainCalled('blockscout', null), undefined);
});

test('constants of EVM chains have the form that readers expect', () => {
  for (const chain of EVM_CHAINS) {
    assert.equal(chain.caip2, `eip155:${chain.evmChainId}`);
    const addresses = [
      chain.wrappedNative.address,
      ...chain.stables.map((row) => row.address),
      ...chain.exchanges.flatMap((row) => [row.factory, row.positions ?? row.factory]),
      ...chain.serviceAddresses.map((row) => row.address),
      ...Object.values(chain.priceFeeds).map((row) => row.address),
      chain.sanctionsOracle ?? chain.wrappedNative.address,
    ];
    for (const address of addresses) assert.match(address, ADDRESS, `${chain.name}: ${address}`);
    assert.ok(chain.blockSeconds > 0 && Number.isInteger(chain.reorgDepth) && chain.reorgDepth > 0, chain.name);
    for (const node of chain.nodes) assert.match(node, /^https:\/\//);
    assert.notEqual(new URL(chain.nodes[0]).host, new URL(chain.nodes[1]).host, `${chain.name}: two operators`);
    assert.ok(isQuoteToken(chain.name, chain.wrappedNative.address.toUpperCase().replace('0X', '0x')));
    assert.ok(isQuoteToken(chain.name, 'native'));
  }
});

test('a chain is found by any of its names, and an asset id leads back to it', () => {
  for (const chain of CHAINS) {
    for (const name of [chain.name, chain.caip2, chain.title, ...chain.aliases])
      assert.equal(findChain(` ${name.toUpperCase()} `), chain, name);
    const token = chain.kind === 'solana' ? (chain.quoteTokens[0]?.address ?? '') : chain.wrappedNative.address;
    for (const address of [token, 'native'])
      assert.deepEqual(parseAssetId(assetId(chain, address)), { chain, address });
  }
  assert.equal(findChain('null'), null);
  assert.equal(parseAssetId('eip155:1/erc20:0x12'), null);
  assert.equal(parseAssetId('eip155:1/slip44:0'), null, 'the coin of another chain');
});

test('burn addresses are known on every chain', () => {
  for (const address of [...EVM_BURN_ADDRESSES, ...SOLANA_BURN_ADDRESSES]) assert.ok(isBurnAddress(address));
  assert.ok(!isBurnAddress('0x0000000000000000000000000000000000000002'));
});

test('an address has one function and one name on every chain that lists it, and no chain lists it twice', () => {
  const known = new Map<string, string>();
  for (const chain of CHAINS) {
    const here = chain.serviceAddresses.map((row) => row.address);
    assert.equal(new Set(here).size, here.length, chain.name);
    for (const { address, kind, name } of chain.serviceAddresses) {
      assert.equal(known.get(address) ?? `${kind} ${name}`, `${kind} ${name}`, address);
      known.set(address, `${kind} ${name}`);
    }
  }
});

test('a locker that several chains list is resolved at once', () => {
  const calls = liquidityTokenCalls('0x00000000000000000000000000000000000000aa');
  assert.equal(new Set(calls.map((call) => call.data)).size, calls.length);
});

test('a token stands in one list of quote tokens of its chain only, and written as the chain writes it', () => {
  for (const chain of CHAINS) {
    const quoted = chain.kind === 'solana' ? chain.quoteTokens : [chain.wrappedNative, ...chain.stables];
    const listed = [...quoted, ...chain.otherQuotes, ...chain.counterTokens].map(({ address }) => address);
    assert.equal(new Set(listed).size, listed.length, chain.name);
    for (const address of listed)
      assert.match(
        address,
        chain.kind === 'evm' ? ADDRESS : /^[1-9A-HJ-NP-Za-km-z]{43,44}$/,
        `${chain.name}: ${address}`,
      );
  }
});

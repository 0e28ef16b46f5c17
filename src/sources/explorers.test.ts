import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CHAINS } from '../chains/index.ts';
import type { Json } from '../domain/observation.ts';
import { blockscout } from './blockscout.ts';
import { explorerAddress, TESTNETS, testnetAddress } from './explorers.ts';
import { factsOf, parseBody } from './fixtures/drive.ts';
import { registrableDomain } from './links.ts';
import type { Facts } from './source.ts';
import { readFacts } from './website/facts/read-facts.ts';
import { website } from './website/index.ts';

const ADDRESS = '0x51C7a0f2D3b84E96a1D05c3F7b2E8849d6170aB3';
const LOWER = ADDRESS.toLowerCase();
const HOME = 'https://harbourline.example/';
const usage = blockscout.endpoints.find((row) => row.name === 'testnet_contract');
const planned = (learned: Readonly<Record<string, Json>>, stage: Facts['stage'] = 'pre_tge') =>
  usage?.plan({ ...factsOf('ethereum', 'native', learned), stage }) ?? [];
/** What the facts endpoint learns of a page. */
function learnedOf(url: string, html: string): Readonly<Record<string, Json>> {
  const facts = website.endpoints.find((row) => row.name === 'facts');
  const meta = { status: 200, headers: {}, fetchedAt: '2026-11-20T12:00:00.000Z', url };
  return facts?.learn?.(html as never, { url, project: 'Harbourline' }, meta) ?? {};
}
const pageWith = (...links: readonly string[]) =>
  `<html><body><main>${links.map((url) => `<p>We settle in <a href="${url}">our contract</a> on a test network.</p>`).join('')}</main></body></html>`;

test('a link to a known explorer names a network and an address, other links name nothing', () => {
  for (const { name, explorerHosts } of TESTNETS)
    for (const host of explorerHosts)
      assert.deepEqual(testnetAddress(`https://${host}/address/${ADDRESS}?tab=txs#code`), {
        testnet: name,
        address: LOWER,
      });
  for (const url of [
    `https://etherscan.io/address/${ADDRESS}`,
    `https://sepolia.etherscan.io.evil.example/address/${ADDRESS}`,
    `https://evil.example/https://sepolia.etherscan.io/address/${ADDRESS}`,
    `https://sepolia.etherscan.io@evil.example/address/${ADDRESS}`,
    `http://sepolia.etherscan.io/address/${ADDRESS}`,
    `https://sepolia.etherscan.io/address/${ADDRESS}00`,
    `https://sepolia.etherscan.io/tx/${ADDRESS}`,
    'https://sepolia.etherscan.io/address/vitalik.eth',
    'no url',
  ])
    assert.equal(testnetAddress(url), null, url);
});

test('a link to an address of a test cluster of Solana does not name an address of Solana', () => {
  const mint = '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU';
  const found = { chain: 'solana', address: mint };
  for (const query of ['', '?cluster=mainnet-beta', '?cluster=mainnet', '?cluster=', '?tab=holders'])
    for (const link of [
      `https://explorer.solana.com/address/${mint}${query}`,
      `https://solscan.io/token/${mint}${query}`,
    ])
      assert.deepEqual(explorerAddress(link), found, link);
  for (const query of [
    '?cluster=devnet',
    '?cluster=testnet',
    '?tab=x&cluster=custom',
    '?cluster=devnet-solana',
    '?cluster=Devnet',
    '?cluster=custom&customUrl=http%3A%2F%2Flocalhost%3A8899',
  ])
    for (const link of [
      `https://explorer.solana.com/address/${mint}${query}`,
      `https://solscan.io/token/${mint}${query}`,
    ])
      assert.equal(explorerAddress(link), null, link);
  // Explorers of EVM chains have no such parameter.
  assert.deepEqual(explorerAddress(`https://etherscan.io/token/${ADDRESS}?cluster=devnet`), {
    chain: 'ethereum',
    address: LOWER,
  });
});

test('the page’s link becomes a fact with its sentence, and the request to the explorer', () => {
  const html = pageWith(
    `https://sepolia.basescan.org/address/${ADDRESS}`,
    `https://base-sepolia.blockscout.com/address/${LOWER}`,
  );
  const facts = readFacts(html, `${HOME}docs`, 'Harbourline').filter((row) => row.kind === 'testnet_contract');
  assert.deepEqual(
    facts.map((row) => [row.value, row.sentence, row.url]),
    [[`testnet:base_sepolia:${LOWER}`, 'We settle in our contract on a test network.', `${HOME}docs`]],
  );
  const learned = learnedOf(`${HOME}docs`, html);
  const asked = planned(learned);
  assert.deepEqual(asked, [{ testnet: 'base_sepolia', address: LOWER }]);
  assert.deepEqual(usage?.request(asked[0] ?? {}), { base: 'base_sepolia', path: `/addresses/${LOWER}/counters` });
  assert.deepEqual(planned(learned, 'post_tge'), []);
});

test('each page learns under its own name, so the order of arrival loses no contract', () => {
  const other = LOWER.replace('0x51', '0x52');
  const of = (path: string, address: string) =>
    learnedOf(`${HOME}${path}`, pageWith(`https://sepolia.etherscan.io/address/${address}`));
  const learned = { ...of('docs', ADDRESS), ...of('testnet', other) };
  const asked = planned(learned);
  assert.deepEqual(
    asked.map((row) => row.address),
    [LOWER, other],
  );
});

test('for any links, only listed networks and complete addresses are requested, and few', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.string(), fc.jsonValue()), { maxLength: 20 }), (rows) => {
      const learned = Object.fromEntries(rows.map(([key, value]) => [`website.testnet:${key}`, value])) as never;
      const asked = planned(learned);
      assert.ok(asked.length <= 6);
      for (const row of asked) assert.match(`${row.testnet} ${row.address}`, /^[a-z_]+ 0x[0-9a-f]{40}$/);
    }),
  );
  const hostile = {
    'website.testnet:x': [{ testnet: '__proto__', address: LOWER }, { testnet: 'ethereum', address: LOWER }, null, 7],
  };
  assert.deepEqual(planned(hostile), []);
});

test('transactions are counted, zero is zero, and an invalid count gives nothing', () => {
  const params = { testnet: 'sepolia', address: LOWER };
  assert.ok(usage);
  const said = (count: unknown) =>
    parseBody(usage, params, { transactions_count: count, token_transfers_count: '3' }).drafts.map((row) => [
      row.quantity,
      row.scope,
      row.value,
    ]);
  assert.deepEqual(said('41300'), [['testnet_transactions', `testnet:sepolia:${LOWER}`, 41_300]]);
  assert.deepEqual(said('0'), [['testnet_transactions', `testnet:sepolia:${LOWER}`, 0]]);
  for (const count of ['-1', 'many', '1e9', '', '99999999999999', 7, null])
    assert.deepEqual(said(count), [], String(count));
});

test('a link to the explorer of any chain names chain and address, and no explorer is the domain of a project', () => {
  const mint = 'So11111111111111111111111111111111111111112';
  for (const { name, kind, explorers } of CHAINS) {
    assert.ok(explorers.length > 0, name);
    const [written, canonical] = kind === 'evm' ? [ADDRESS, LOWER] : [mint, mint];
    for (const host of explorers)
      assert.deepEqual(
        explorerAddress(`https://${host}/token/${written}#x`),
        { chain: name, address: canonical },
        host,
      );
  }
  assert.deepEqual(
    [
      explorerAddress(`https://example.org/token/${ADDRESS}`),
      explorerAddress('https://basescan.org/tx/0x1'),
      explorerAddress('x'),
    ],
    [null, null, null],
  );
  assert.deepEqual(['https://basescan.org/', 'https://solscan.io/', 'https://solana.com/'].map(registrableDomain), [
    null,
    null,
    'solana.com',
  ]);
});

test('the domain of a network, a shop, a builder or a newspaper is not that of a project', () => {
  for (const host of ['truthsocial.com', 'opensea.io', 'apps.apple.com', 'www.nytimes.com', 'bonk.fun', 'a.weebly.com'])
    assert.equal(registrableDomain(`https://${host}/fernwood`), null, host);
  assert.equal(registrableDomain('https://app.fernwood.org/x'), 'fernwood.org');
});

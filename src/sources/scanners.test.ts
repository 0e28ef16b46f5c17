import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CHAINS, isAddressOn } from '../chains/index.ts';
import { readRegister, SHIPPED_FOLDER } from '../registers/load.ts';
import { blockscout } from './blockscout.ts';
import { etherscan } from './etherscan.ts';
import { factsOf, parseBody, valuesOf } from './fixtures/drive.ts';
import { goplus } from './goplus/index.ts';
import { helius } from './helius.ts';
import { honeypotIs } from './honeypot-is.ts';
import { holderOfPower } from './regulated-issuers.ts';
import { rugcheck } from './rugcheck/index.ts';
import type { Endpoint, Params, Source } from './source.ts';
import { sourcify } from './sourcify.ts';

const TOKEN = '0x00000000000000000000000000000000000000aa';
const WHALE = '0x00000000000000000000000000000000000000b1';

function named(source: Source, name: string): Endpoint {
  const found = source.endpoints.find((one) => one.name === name);
  assert.ok(found, name);
  return found;
}

function listen(source: Source, name: string, params: Params, body: unknown) {
  const heard = parseBody(named(source, name), params, body);
  return {
    outcome: heard.outcome,
    learned: heard.learned,
    say: (quantity: string) => valuesOf([heard], quantity)[0],
    all: heard.drafts,
  };
}

test('honeypot.is: percents become fractions, and without a simulation nothing is known', () => {
  const body = {
    simulationSuccess: true,
    honeypotResult: { isHoneypot: false },
    simulationResult: { buyTax: 0, sellTax: 12.5, transferTax: null },
  };
  const heard = listen(honeypotIs, 'is_honeypot', {}, body);
  assert.deepEqual(
    [heard.say('honeypot'), heard.say('buy_tax'), heard.say('sell_tax'), heard.say('transfer_tax')],
    [false, 0, 0.125, undefined],
  );
  assert.equal(listen(honeypotIs, 'is_honeypot', {}, { ...body, simulationSuccess: false }).outcome, 'empty');
  assert.equal(listen(honeypotIs, 'is_honeypot', {}, { honeypotResult: { isHoneypot: false } }).all.length, 0);
});

test('sourcify: a call to a fixed address does not make the code replaceable, nor does it prove that it is not', () => {
  const found = { isProxy: true, proxyType: 'FixedProxy', implementations: [{ address: TOKEN }] };
  const heard = listen(sourcify, 'contract', {}, { match: 'match', proxyResolution: found });
  assert.deepEqual([heard.say('is_proxy'), heard.say('source_verified')], [undefined, true]);
});

test('sourcify: a match is a fact, no match is its absence, a clone is not a proxy', () => {
  assert.equal(listen(sourcify, 'contract', {}, { match: 'exact_match' }).say('source_verified'), true);
  assert.equal(listen(sourcify, 'contract', {}, { match: null }).say('source_verified'), undefined);
  assert.equal(
    listen(
      sourcify,
      'contract',
      {},
      {
        match: 'match',
        proxyResolution: { isProxy: true, proxyType: 'EIP1167Proxy', implementations: [{ address: TOKEN }] },
      },
    ).say('is_proxy'),
    false,
  );
});

test('etherscan: an error inside a 200 is an error, an empty source is unverified', () => {
  assert.equal(
    listen(etherscan, 'source_code', {}, { status: '0', message: 'NOTOK', result: 'Max rate limit reached' }).outcome,
    'rate_limited',
  );
  assert.equal(
    listen(etherscan, 'source_code', {}, { status: '0', message: 'NOTOK', result: 'Invalid API Key' }).outcome,
    'error_reply',
  );
  assert.equal(
    listen(etherscan, 'source_code', {}, { status: '1', message: 'OK', result: [{ SourceCode: '', Proxy: '0' }] }).say(
      'source_verified',
    ),
    false,
  );
});

test('blockscout: raw strings become tokens and shares of supply', () => {
  const params = { base: 'ethereum', token: TOKEN };
  const heard = listen(blockscout, 'token', params, {
    decimals: '6',
    total_supply: '5000000',
    holders: '12',
    type: 'ERC-20',
  });
  assert.deepEqual(
    [heard.say('total_supply'), heard.say('holder_count'), heard.learned['blockscout.supply']],
    [5, 12, '5000000'],
  );
  const row = (hash: string, value: string) => ({
    address: { hash, is_contract: false, name: null, public_tags: [] },
    value,
  });
  const rows = listen(
    blockscout,
    'holders',
    { ...params, supply: '5000000' },
    {
      items: [
        row(WHALE.toUpperCase().replace('0X', '0x'), '1250000'),
        row('0x000000000000000000000000000000000000dEaD', '500000'),
        row(TOKEN, '9000000'),
      ],
    },
  );
  assert.deepEqual(rows.say('top_holders'), [
    { owner: WHALE, sharePct: 25, isContract: false },
    { owner: '0x000000000000000000000000000000000000dead', sharePct: 10, kind: 'burn', isContract: false },
    { owner: TOKEN, sharePct: 100, isContract: false },
  ]);
});

test('blockscout: a contract without the field and one whose code changed are not verified', () => {
  assert.equal(listen(blockscout, 'smart_contract', {}, {}).say('source_verified'), false);
  assert.equal(
    listen(blockscout, 'smart_contract', {}, { is_verified: true, is_changed_bytecode: true }).say('source_verified'),
    false,
  );
  assert.equal(
    listen(blockscout, 'smart_contract', {}, { proxy_type: 'eip1967', implementations: [{ address_hash: TOKEN }] }).say(
      'is_proxy',
    ),
    true,
  );
});

test('a chain without an instance is not requested', () => {
  assert.equal(blockscout.endpoints.flatMap((one) => one.plan(factsOf('bsc', TOKEN))).length, 0);
  assert.equal(honeypotIs.endpoints.flatMap((one) => one.plan(factsOf('polygon', TOKEN))).length, 0);
});

test('every token of an issuer in the register has a canonical address on its chain, and its powers are found by it', () => {
  for (const row of readRegister(SHIPPED_FOLDER, 'issuers')?.rows ?? [])
    for (const token of row.tokens) {
      const chain = CHAINS.find((one) => one.caip2 === token.chain);
      if (chain === undefined) continue;
      assert.ok(isAddressOn(chain, token.address), `${row.id} ${token.address}`);
      assert.equal(token.address, chain.kind === 'evm' ? token.address.toLowerCase() : token.address);
      const isIssuer = row.tier !== null && row.powers.includes('mint');
      assert.equal(holderOfPower(chain.name, token.address, 'mint')?.issuer, isIssuer ? row.issuer : undefined);
    }
  assert.equal(
    holderOfPower('ethereum', '0xdac17f958d2ee523a2206206994597c13d831ec7', 'freeze')?.issuer.includes('Tether'),
    true,
  );
});

test('sources that need a key are off and state why', () => {
  for (const source of [etherscan, helius]) {
    assert.equal(source.enabledByDefault, false);
    assert.match(source.disabledReason ?? '', /key/);
  }
});

test('no reply makes a scanner throw; an invalid reply gives no observation', () => {
  const sources = [blockscout, etherscan, goplus, honeypotIs, rugcheck, sourcify, helius];
  const learned = { 'blockscout.supply': '100' };
  const plans = (endpoint: Endpoint) => [
    ...endpoint.plan(factsOf('ethereum', TOKEN, learned)),
    ...endpoint.plan(factsOf('solana', 'So11111111111111111111111111111111111111112', learned)),
    ...endpoint.plan({
      ...factsOf('ethereum', TOKEN, { 'website.testnet:x': [{ testnet: 'sepolia', address: TOKEN }] }),
      stage: 'pre_tge',
    }),
  ];
  for (const endpoint of sources.flatMap((source) => source.endpoints)) {
    const params = plans(endpoint)[0];
    assert.ok(params, endpoint.name);
    fc.assert(
      fc.property(fc.jsonValue(), (body) => {
        const heard = parseBody(endpoint, params, body);
        if (heard.outcome !== 'ok') assert.equal(heard.drafts.length, 0);
      }),
      { numRuns: 60 },
    );
  }
});

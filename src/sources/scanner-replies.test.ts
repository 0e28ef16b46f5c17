import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factsOf } from './fixtures/drive.ts';
import { read } from './fixtures/read-reply.ts';
import { SOURCES } from './index.ts';

const TOKEN = '0x00000000000000000000000000000000000000aa';
const OTHER = '0x00000000000000000000000000000000000000bb';
const DEAD = '0x000000000000000000000000000000000000dead';
const ZERO = '0x0000000000000000000000000000000000000000';
const WETH = '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2';
const MINT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const SOL = 'So11111111111111111111111111111111111111112';
const POOL = '9G6HaM5uyjWvEPVjHwTvKeNokfycQ1o3YSbBAUJ4rjBD';

const ofToken = (fields: Record<string, unknown>) =>
  read(
    'goplus',
    'token_security',
    { chain: 'bsc', chainId: 56, address: TOKEN },
    { code: 1, message: 'OK', result: { [TOKEN]: { is_open_source: '1', is_proxy: '0', ...fields } } },
  );

test('goplus: every address without a known key is a renounced owner, and its LP does not count', () => {
  for (const owner of [
    ZERO,
    DEAD.replace('dead', 'dEaD'),
    '0xdead000000000000000042069420694206942069',
    ZERO.replace(/.$/, '1'),
  ])
    assert.equal(ofToken({ owner_address: owner }).say('owner_state'), 'none');
  const lp = [
    { address: ZERO, percent: '0.9', is_locked: 1 },
    { address: OTHER, percent: '0.1', is_locked: 0 },
  ];
  const heard = ofToken({ owner_address: ZERO, creator_address: TOKEN, lp_holders: lp });
  assert.deepEqual([heard.say('lp_burned_share'), heard.say('lp_creator_share')], [0.9, 0]);
});

test('goplus: a lock whose dates have passed is not counted', () => {
  const row = (end: string) => ({
    address: OTHER,
    percent: '0.99',
    is_locked: 1,
    tag: 'UniCrypt',
    locked_detail: [{ end_time: end }],
  });
  const over = ofToken({ lp_holders: [row('2024-11-01T05:00:00+00:00')] });
  assert.deepEqual([over.say('lp_locked_share'), over.say('lp_unlock_at')], [0, undefined]);
  const ahead = ofToken({ lp_holders: [row('2027-11-01T05:00:00+00:00')] });
  assert.deepEqual([ahead.say('lp_locked_share'), ahead.say('lp_unlock_at')], [0.99, '2027-11-01T05:00:00.000Z']);
});

test('goplus: of a lock counts what is locked beyond today; a small lock does not lock the whole', () => {
  const [past, ahead] = ['2024-11-01T05:00:00+00:00', '2027-11-01T05:00:00+00:00'];
  const row = (locks: readonly object[], balance?: string) => ({
    address: OTHER,
    percent: '0.8',
    is_locked: 1,
    locked_detail: locks,
    ...(balance !== undefined && { balance }),
  });
  const lp = (...given: Parameters<typeof row>) => ofToken({ lp_holders: [row(...given)] }).say('lp_locked_share');
  const small = { amount: '25', end_time: ahead };
  assert.equal(lp([small, { amount: '75', end_time: past }]), 0.2, 'three quarters can be taken out');
  assert.equal(lp([small], '100'), 0.2, 'no lock is listed of the rest of the balance');
  assert.equal(lp([small], '25.00000000001'), 0.8, 'rounded');
  assert.equal(lp([small, { amount: '75', end_time: ahead }], '100'), 0.8);
  assert.equal(lp([{ end_time: past }, { end_time: ahead }]), 0, 'without amounts nobody knows the part');
  assert.equal(lp([{ end_time: ahead }, { end_time: ahead }]), 0.8);
  assert.equal(lp([]), 0.8, 'a lock without dates');
  const holder = (...given: Parameters<typeof row>) => {
    const [first] = ofToken({ holders: [row(...given)] }).say('top_holders') as { isLocked: boolean }[];
    return first?.isLocked;
  };
  assert.equal(holder([{ amount: '100', end_time: ahead }], '100'), true);
  assert.equal(holder([{ amount: '100', end_time: past }], '100'), false, 'its lock is over');
  assert.equal(holder([small, { amount: '75', end_time: past }], '100'), false);
});

test('goplus: taxes of a purchase that could not be simulated are not taken; other honeypots of the creator count', () => {
  const blocked = ofToken({ cannot_buy: '1', buy_tax: '1', sell_tax: '1', honeypot_with_same_creator: '2' });
  assert.deepEqual(
    [blocked.say('buy_tax'), blocked.say('sell_tax'), blocked.say('creator_dead_tokens_count')],
    [undefined, undefined, 2],
  );
  const sold = ofToken({ cannot_buy: '0', buy_tax: '0.05', sell_tax: '1', honeypot_with_same_creator: '0' });
  assert.deepEqual(
    [sold.say('buy_tax'), sold.say('sell_tax'), sold.say('creator_dead_tokens_count')],
    [0.05, 1, undefined],
  );
});

test('goplus: exchanges that list the token are named once, by our ids; none named is not the same as none found', () => {
  const named = (listed: string, cex_list: unknown) =>
    ofToken({ is_in_cex: { listed, cex_list } }).say('named_exchanges');
  assert.deepEqual(named('1', ['Coinbase', 'Binance', 'binance', 7]), ['binance', 'coinbase']);
  assert.deepEqual(named('1', ['\u202eNo Such Place!']), ['unlisted.nosuchplace']);
  for (const none of [named('0', []), named('0', ['Binance']), named('1', 'Binance'), named('1', [])])
    assert.equal(none, undefined);
});

test('goplus: a holder of more than the supply stays in the list, and shows that balances can be created', () => {
  const heard = ofToken({
    owner_change_balance: '0',
    holders: [
      { address: OTHER, percent: '1.26' },
      { address: WETH, percent: '0.4' },
    ],
  });
  assert.deepEqual(
    (heard.say('top_holders') as { owner: string; sharePct: number }[]).map((row) => [row.owner, row.sharePct]),
    [
      [OTHER, 100],
      [WETH, 40],
    ],
  );
  assert.equal(heard.say('balance_mutable'), true);
});

test('goplus: a timelock is not a locker of tokens', () => {
  const heard = ofToken({ holders: [{ address: OTHER, percent: '0.2', tag: 'Uniswap: Timelock', is_contract: 1 }] });
  assert.equal((heard.say('top_holders') as { kind: string }[])[0]?.kind, 'timelock');
});

test('honeypot.is: the source is the token’s own, and the reply is of the requested token', () => {
  const params = { chainId: 1, address: TOKEN };
  const body = { simulationSuccess: true, token: { address: TOKEN.toUpperCase().replace('0X', '0x') } };
  const code = (contractCode: object) =>
    read('honeypot_is', 'is_honeypot', params, { ...body, contractCode }).say('source_verified');
  assert.equal(code({ openSource: false, rootOpenSource: true }), true);
  assert.equal(code({ openSource: false }), undefined);
  assert.equal(code({ openSource: true }), true);
  assert.equal(
    read('honeypot_is', 'is_honeypot', params, { ...body, token: { address: OTHER } }).outcome,
    'error_reply',
  );
});

test('blockscout: proxy kinds of its enumeration, an unverified contract, public tags as kinds', () => {
  const contract = (body: object) => read('blockscout', 'smart_contract', {}, body);
  const kinds = {
    eip1967_beacon: true,
    eip2535: true,
    erc7760: true,
    eip1167: false,
    minimal_proxy: false,
    master_copy: undefined,
    eip7702: undefined,
  };
  for (const [kind, canChange] of Object.entries(kinds))
    assert.equal(contract({ proxy_type: kind }).say('is_proxy'), canChange, kind);
  assert.equal(
    contract({ proxy_type: 'eip2535', implementations: [{ address_hash: OTHER }] }).say('proxy_implementation'),
    undefined,
  );
  assert.equal(contract({ deployed_bytecode: '0x6080', proxy_type: null }).say('source_verified'), false);
  const row = (hash: string, more: object) => ({ value: '10', address: { hash, is_contract: true, ...more } });
  const tagged = read(
    'blockscout',
    'holders',
    { base: 'ethereum', token: TOKEN, supply: '100' },
    {
      items: [
        row(OTHER, { metadata: { tags: [{ name: 'Binance 14', tagType: 'name' }] } }),
        row(WETH, { name: 'TokenVesting', public_tags: [] }),
      ],
    },
  ).say('top_holders') as { kind?: string; label: string }[];
  assert.deepEqual(
    tagged.map(({ kind, label }) => [kind, label]),
    [
      ['exchange', 'Binance 14'],
      [undefined, 'TokenVesting'],
    ],
  );
});

test('blockscout: a holder of more than the supply stays in the list, and shows that balances can be created', () => {
  const holders = (...values: string[]) =>
    read(
      'blockscout',
      'holders',
      { base: 'ethereum', token: TOKEN, supply: '100' },
      { items: values.map((value, at) => ({ value, address: { hash: at === 0 ? OTHER : WETH } })) },
    );
  const above = holders('126', '40');
  assert.deepEqual(
    (above.say('top_holders') as { owner: string; sharePct: number }[]).map((row) => [row.owner, row.sharePct]),
    [
      [OTHER, 100],
      [WETH, 40],
    ],
  );
  assert.equal(above.say('balance_mutable'), true);
  assert.equal(holders('100').say('balance_mutable'), undefined, 'all of it is not more');
});

test('rugcheck: tokens that a curve has not sold are not liquidity', () => {
  const heard = read(
    'rugcheck',
    'report',
    { mint: MINT },
    {
      mint: MINT,
      totalMarketLiquidity: 3000,
      markets: [
        {
          pubkey: POOL,
          marketType: 'pump_fun',
          mintLP: '11111111111111111111111111111111',
          lp: {
            baseMint: MINT,
            quoteMint: SOL,
            baseUSD: 2873,
            quoteUSD: 127,
            lpLockedPct: 100,
            lpTotalSupply: 1000000002,
          },
        },
      ],
    },
  );
  assert.deepEqual(
    [
      heard.say('liquidity_dex_usd'),
      heard.say('pool_liquidity_usd'),
      heard.say('pool_quote_reserve_usd'),
      heard.say('lp_locked_share'),
    ],
    [127, 127, 127, undefined],
  );
});

test('CoinMarketCap: findings of another scanner are not GoPlus’s', () => {
  const family = (source: string) =>
    read(
      'coinmarketcap',
      'dex_security',
      {},
      { status: { error_code: 0 }, data: [{ extra: { source, buyTax: '0.0' } }] },
    ).drafts[0]?.family;
  assert.deepEqual([family('W3W'), family('GoPlus')], [undefined, 'goplus']);
});

test('jupiter: a key at the top of a row still has its power', () => {
  const heard = read('jupiter', 'token', { address: MINT }, [
    { id: MINT, mintAuthority: POOL, audit: { freezeAuthorityDisabled: true } },
  ]);
  assert.deepEqual(
    [heard.say('mint_authority'), heard.say('mint_authority_state'), heard.say('freeze_authority_state')],
    [POOL, undefined, 'none'],
  );
});

test('rugcheck: a 400 means that there is no such mint, or no report yet', () => {
  const outcome = (error: string) => read('rugcheck', 'report', { mint: MINT }, { error }).outcome;
  assert.deepEqual(
    [outcome('not found'), outcome('invalid mint'), outcome('unable to generate report')],
    ['not_found', 'not_found', 'error_reply'],
  );
});

test('evm_rpc: powers and owners are not read at an address without a known key', () => {
  const endpoint = SOURCES.find((row) => row.name === 'evm_rpc')?.endpoints.find((row) => row.name === 'account_code');
  const asked = (owner: string) =>
    endpoint?.plan(factsOf('ethereum', TOKEN, { 'evm_rpc.owner': owner, 'goplus.powers': { mint: true } })).length;
  assert.equal(asked(DEAD), 0);
  assert.ok(asked(OTHER));
});

test('rdap: the record of another domain does not count; case, a trailing dot and either form of a name do not matter', () => {
  const about = (domain: string, names: object) => {
    const body = { ...names, events: [{ eventAction: 'registration', eventDate: '2010-02-03T04:05:06Z' }] };
    const heard = read('rdap', 'domain', { domain, server: 'https://rdap.example/' }, body);
    return [heard.outcome, heard.say('domain_registered_at')];
  };
  const known = ['ok', '2010-02-03T04:05:06.000Z'];
  const none = ['error_reply', undefined];
  assert.deepEqual(about('fernwood.co.example', { ldhName: 'co.example' }), none, 'the parent');
  assert.deepEqual(about('fernwood.example', { ldhName: 'REGISTRAR.EXAMPLE' }), none);
  assert.deepEqual(about('fernwood.example', { unicodeName: 'parked.example' }), none);
  assert.deepEqual(about('fernwood.example', { ldhName: 'not a name' }), none);
  assert.deepEqual(about('fernwood.example', { ldhName: 'FERNWOOD.EXAMPLE.' }), known);
  assert.deepEqual(about('b\u00fccher.example', { ldhName: 'xn--bcher-kva.example' }), known);
  assert.deepEqual(about('xn--bcher-kva.example', { unicodeName: 'B\u00fccher.example' }), known);
  assert.deepEqual(about('fernwood.example', {}), known, 'names are optional');
});

test('rugcheck: the zero time of a date that is not known is no date of listing', () => {
  const listed = (detectedAt: string) =>
    read('rugcheck', 'report', { address: MINT, mint: MINT }, { mint: MINT, detectedAt }).say('listed_at');
  assert.equal(listed('2025-03-04T05:06:07.123456Z'), '2025-03-04T05:06:07.123Z');
  assert.equal(listed('0001-01-01T00:00:00Z'), undefined);
});

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { factsOf, parseBody, valuesOf } from '../fixtures/drive.ts';
import { goplus } from './index.ts';

const TOKEN = '0x00000000000000000000000000000000000000aa';
const MINT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const OWNER_A = 'So11111111111111111111111111111111111111112';
const OWNER_B = '5x38Kp4hvdomTCnCrAny4UtMUt5rQBdB6px2K1Ui45Wq';

function evm(fields: Record<string, unknown>, code = 1) {
  return listen(
    'token_security',
    { chain: 'bsc', chainId: 56, address: TOKEN },
    { code, message: 'OK', result: { [TOKEN]: fields } },
  );
}

function solana(fields: Record<string, unknown>) {
  return listen('solana_token_security', { address: MINT }, { code: 1, message: 'OK', result: { [MINT]: fields } });
}

function listen(name: string, params: Record<string, string | number>, body: unknown) {
  const endpoint = goplus.endpoints.find((one) => one.name === name);
  assert.ok(endpoint);
  const heard = parseBody(endpoint, params, body);
  return {
    outcome: heard.outcome,
    learned: heard.learned,
    say: (quantity: string) => valuesOf([heard], quantity)[0],
    all: heard.drafts,
  };
}

test('a missing key and an empty string are not known, never "no"', () => {
  assert.equal(evm({}).all.length, 0);
  const heard = evm({ is_open_source: '1', is_mintable: '', buy_tax: '', is_honeypot: null });
  assert.deepEqual(
    heard.all.map((draft) => draft.quantity),
    ['source_verified'],
  );
});

test('taxes are fractions, and a number beyond 1 is rejected', () => {
  assert.equal(evm({ sell_tax: '0.1' }).say('sell_tax'), 0.1);
  assert.equal(evm({ sell_tax: '1' }).say('sell_tax'), 1);
  assert.equal(evm({ sell_tax: '12' }).say('sell_tax'), undefined);
  assert.equal(evm({ sell_tax: '-1' }).say('sell_tax'), undefined);
});

test('"not mintable" counts only with source and without a proxy', () => {
  assert.equal(evm({ is_open_source: '1', is_proxy: '0', is_mintable: '0' }).say('mint_authority_state'), 'none');
  assert.equal(evm({ is_open_source: '0', is_mintable: '0' }).say('mint_authority_state'), undefined);
  assert.equal(evm({ is_open_source: '1', is_proxy: '1', is_mintable: '0' }).say('mint_authority_state'), undefined);
});

test('a live mint function is learned, so that the chain’s owner of it is read', () => {
  const heard = evm({ is_open_source: '1', is_mintable: '1', is_blacklisted: '0', transfer_pausable: '1' });
  assert.equal(heard.say('mint_authority_state'), undefined);
  assert.deepEqual(heard.learned['goplus.powers'], { mint: true, freeze: true });
});

test('zero holders of a token that exists are not counted, and the zero owner is renounced', () => {
  const heard = evm({
    holder_count: '0',
    total_supply: '1000',
    owner_address: '0x0000000000000000000000000000000000000000',
  });
  assert.equal(heard.say('holder_count'), undefined);
  assert.equal(heard.say('owner_state'), 'none');
});

const lp = (address: string, percent: string, more = {}) => ({
  address,
  percent,
  is_locked: 0,
  is_contract: 0,
  tag: '',
  ...more,
});

test('a share of LP that the source’s rounding puts above the whole is the whole', () => {
  const sole = '0x00000000000000000000000000000000000000c1';
  const rows = [
    lp(sole, '1.000000000000022463'),
    lp('0x0000000000000000000000000000000000000000', '0.000000000000000000'),
  ];
  const heard = evm({ creator_address: sole, lp_holders: rows });
  assert.equal(heard.say('lp_creator_share'), 1);
  assert.equal(heard.say('lp_locked_share'), 0);
  assert.equal(evm({ creator_address: sole, lp_holders: [lp(sole, '1.1')] }).say('lp_locked_share'), undefined);
});

test('a transfer fee that is scheduled counts before it is in force, if it is higher', () => {
  const fee = (now: string, then: string) =>
    solana({
      transfer_fee: {
        current_fee_rate: { fee_rate: now, maximum_fee: '50000000000000' },
        scheduled_fee_rate: [{ epoch: '530', fee_rate: then, maximum_fee: '50000000000000' }],
      },
    }).say('transfer_tax');
  assert.equal(fee('0.03', '0.03'), 0.03);
  assert.equal(fee('0', '0.5'), 0.5);
  assert.equal(fee('0.03', '0'), 0.03);
  assert.equal(fee('0', '12'), undefined);
});

test('locked liquidity is a share of the LP', () => {
  const rows = [
    lp('0x000000000000000000000000000000000000dead', '0.5', { tag: 'Null Address' }),
    lp('0x00000000000000000000000000000000000000c1', '0.3', {
      is_locked: 1,
      tag: 'UNCX',
      locked_detail: [{ amount: '1', end_time: '2027-03-01T00:00:00+00:00' }],
    }),
    lp('0x00000000000000000000000000000000000000c2', '0.2'),
  ];
  const heard = evm({ lp_holders: rows, creator_address: '0x00000000000000000000000000000000000000C2' });
  assert.deepEqual(
    [
      heard.say('lp_locked_share'),
      heard.say('lp_burned_share'),
      heard.say('lp_creator_share'),
      heard.say('lp_locker_known'),
    ],
    [0.8, 0.5, 0.2, true],
  );
  assert.equal(heard.say('lp_unlock_at'), '2027-03-01T00:00:00.000Z');
  assert.equal(heard.say('lp_second_provider_share'), 0, 'nobody but the creator and lockers');
  const others = ['e1', 'e2', 'e3'].map((end, at) =>
    lp(`0x00000000000000000000000000000000000000${end}`, ['0.1', '0.3', '0.2'][at] ?? ''),
  );
  const provided = (count: number) =>
    evm({
      lp_holders: [...rows, ...others.slice(0, count)],
      creator_address: '0x00000000000000000000000000000000000000C2',
    }).say('lp_second_provider_share');
  assert.deepEqual([provided(1), provided(2), provided(3)], [0, 0.1, 0.2]);
  const ofWallet = (percent: string, more = {}) =>
    evm({
      lp_holders: [lp(`0x${'e1'.padStart(40, '0')}`, percent, more)],
      creator_address: `0x${'c2'.padStart(40, '0')}`,
    }).say('lp_wallet_share');
  assert.equal(heard.say('lp_wallet_share'), 0, 'nobody but the creator and lockers');
  assert.equal(evm({ lp_holders: others }).say('lp_top3_wallets_share'), 0.6);
  const fourth = lp(`0x${'e4'.padStart(40, '0')}`, '0.15');
  assert.equal(evm({ lp_holders: [...others, fourth] }).say('lp_top3_wallets_share'), 0.65);
  assert.deepEqual(
    [{}, { is_contract: 1 }, { tag: 'Binance' }, { is_locked: 1 }, { is_contract: undefined }].map((more) =>
      ofWallet('0.95', more),
    ),
    [0.95, 0, 0, 0, 0],
  );
});

test('of positions in a concentrated pool only most of them, and free ones, are observed', () => {
  const CREATOR = `0x${'c2'.padStart(40, '0')}`;
  const position = (address: string, percent: string, more = {}) =>
    lp(address, percent, { NFT_list: [{ NFT_id: '1', in_effect: '1' }], ...more });
  const of = (...lp_holders: unknown[]) => {
    const heard = evm({ lp_holders, creator_address: CREATOR });
    return ['lp_creator_share', 'lp_wallet_share', 'lp_locked_share', 'lp_second_provider_share'].map((quantity) =>
      heard.say(quantity),
    );
  };
  const wallet = `0x${'e1'.padStart(40, '0')}`;
  assert.deepEqual(of(position(CREATOR, '0.98')), [0.98, 0, undefined, undefined]);
  assert.deepEqual(of(position(wallet, '0.9'), position(CREATOR, '0.05')), [0.05, 0.9, undefined, undefined]);
  const second = `0x${'e2'.padStart(40, '0')}`;
  assert.deepEqual(of(position(wallet, '0.3'), position(second, '0.2')), [0, 0.3, undefined, undefined]);
  for (const less of [
    [position(CREATOR, '0.49')],
    [position(CREATOR, '0.98', { is_locked: 1 })],
    [position(wallet, '0.98', { is_contract: 1 })],
    [position(TOKEN, '1')],
  ])
    assert.deepEqual(of(...less), [undefined, undefined, undefined, undefined]);
});

test('not indexed is empty, over the limit is limited, other codes are errors', () => {
  const outcome = (body: unknown) =>
    listen('token_security', { chain: 'bsc', chainId: 56, address: TOKEN }, body).outcome;
  assert.equal(outcome({ code: 1, message: 'OK', result: {} }), 'empty');
  assert.equal(outcome({ code: 1, message: 'OK', result: null }), 'empty');
  assert.equal(outcome({ code: 4029, message: 'too many requests' }), 'rate_limited');
  assert.equal(outcome({ code: 4012, message: 'wrong signature' }), 'error_reply');
  assert.equal(outcome('busy'), 'malformed');
});

test('on Solana two accounts of one owner are one holder, and accounts without owners are no list', () => {
  const row = (account: string, percent: string) => ({
    account,
    token_account: OWNER_B,
    percent,
    tag: '',
    is_locked: 0,
  });
  const heard = solana({ holders: [row(OWNER_A, '0.25'), row(OWNER_B, '0.3'), row(OWNER_A, '0.125')] });
  assert.deepEqual(heard.say('top_holders'), [
    { owner: OWNER_A, sharePct: 37.5, isLocked: false },
    { owner: OWNER_B, sharePct: 30, isLocked: false },
  ]);
  assert.equal(solana({ holders: [{ token_account: OWNER_B, percent: '0.3' }] }).say('top_holders'), undefined);
});

test('on Solana a power is a state or an address, and an empty fee object is no fee', () => {
  const heard = solana({
    mintable: { status: '0', authority: [] },
    freezable: { status: '1', authority: [{ address: OWNER_A }] },
    transfer_fee: {},
    transfer_hook: [],
    default_account_state: '2',
  });
  assert.equal(heard.say('mint_authority_state'), 'none');
  assert.equal(heard.say('freeze_authority'), OWNER_A);
  assert.equal(heard.say('freeze_authority_state'), undefined);
  assert.deepEqual(
    [heard.say('transfer_tax'), heard.say('transfer_hook'), heard.say('default_frozen')],
    [0, false, true],
  );
  assert.equal(solana({ transfer_fee: { current_fee_rate: { fee_rate: '0.02' } } }).say('transfer_tax'), 0.02);
});

test('strings of any kind in any field give clean values or none', () => {
  const fields = [
    'is_open_source',
    'is_proxy',
    'is_mintable',
    'buy_tax',
    'sell_tax',
    'holder_count',
    'total_supply',
    'owner_address',
    'creator_percent',
    'creator_address',
  ];
  fc.assert(
    fc.property(
      fc.dictionary(
        fc.constantFrom(...fields),
        fc.oneof(fc.string(), fc.double(), fc.constant(null), fc.array(fc.string())),
      ),
      (row) => {
        for (const draft of evm(row).all) {
          assert.notEqual(draft.value, null);
          if (typeof draft.value === 'number') assert.ok(Number.isFinite(draft.value) && draft.value >= 0);
        }
      },
    ),
  );
});

test('a recorded reply of BNB Smart Chain is read whole', (t) => {
  const file = join(
    process.env.ASSAY_REFERENCE_DATA ?? join(import.meta.dirname, '../../../../shared/data'),
    'recorded/goplus/bsc_bsn_cake.json',
  );
  if (!existsSync(file)) return t.diagnostic('skipped: no reference data');
  const body: unknown = JSON.parse(readFileSync(file, 'utf8'));
  const cake = '0x0e09fabb73bd3ade0a17ecc321fd13a19e81ce82';
  const heard = listen('token_security', { chain: 'bsc', chainId: 56, address: cake }, body);
  assert.equal(heard.say('total_supply'), 5387735435.751051);
  assert.equal(heard.say('holder_count'), 1_913_743);
  assert.equal((heard.say('top_holders') as { kind: string }[])[0]?.kind, 'burn');
  assert.equal(heard.say('buy_tax'), undefined);
  assert.deepEqual(heard.learned['goplus.powers'], { mint: true, freeze: false });
  const bsn = listen(
    'token_security',
    { chain: 'bsc', chainId: 56, address: '0x6b4acce5878c2850b5d5acfdde009cc4c9e14444' },
    body,
  );
  assert.equal(bsn.say('holder_count'), undefined);
  assert.equal(bsn.say('mint_authority_state'), 'none');
});

test('only tokens are requested, on chains GoPlus has', () => {
  assert.equal(goplus.endpoints.flatMap((one) => one.plan(factsOf('solana', 'native'))).length, 0);
  assert.deepEqual(
    goplus.endpoints.flatMap((one) => one.plan(factsOf('base', TOKEN))),
    [{ chain: 'base', chainId: 8453, address: TOKEN }],
  );
});

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { derivedAddress } from '../../chains/codecs/accounts.ts';
import { PUMP } from '../../chains/index.ts';
import { parseBody, valuesOf } from '../fixtures/drive.ts';
import { rugcheck } from './index.ts';

const MINT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const COIN = 'So11111111111111111111111111111111111111112';
const OWNER = '5x38Kp4hvdomTCnCrAny4UtMUt5rQBdB6px2K1Ui45Wq';
const POOL = 'HLnpSz9h2S4hiLQ43rnSD9XkcUThA7B8hQMKmDaiTLcC';
const CREATOR = 'GpMZbSM2GgvTKHJirzeGfMFoaZ8UR2X7F4v8vHTvxFbL';
/** An address of a point on the curve, as every wallet's is. */
const WALLET = 'So11111111111111111111111111111111111111112';
const NOBODY = '11111111111111111111111111111111';

function report(fields: Record<string, unknown>, mint = MINT) {
  return listen({ mint: MINT, ...fields }, mint);
}

function listen(body: unknown, mint: string) {
  const endpoint = rugcheck.endpoints[0];
  assert.ok(endpoint);
  const heard = parseBody(endpoint, { mint }, body, '2026-11-20T12:00:00.000Z');
  return {
    outcome: heard.outcome,
    all: heard.drafts,
    say: (quantity: string) => valuesOf([heard], quantity)[0],
    about: (pool: string, quantity: string) =>
      heard.drafts.find((draft) => draft.scope === `pool:${pool}` && draft.quantity === quantity)?.value,
  };
}

function market(pubkey: string, marketType: string, lp: Record<string, unknown>, mintLP = OWNER) {
  return { pubkey, marketType, mintLP, lp: { baseMint: MINT, quoteMint: COIN, lpTotalSupply: 100, ...lp } };
}

test('a renounced authority is null, a missing one is not known, a live one is an address', () => {
  assert.equal(report({ token: { mintAuthority: null, freezeAuthority: OWNER } }).say('mint_authority_state'), 'none');
  assert.equal(report({ token: { mintAuthority: null, freezeAuthority: OWNER } }).say('freeze_authority'), OWNER);
  assert.equal(report({ token: {} }).say('mint_authority_state'), undefined);
});

test('token accounts of one owner are one holder, named by known accounts', () => {
  const heard = report({
    token: { supply: 1_000, decimals: 0 },
    topHolders: [
      { address: COIN, owner: OWNER, amount: 250, pct: 25, insider: false },
      { address: POOL, owner: POOL, amount: 400, pct: 40, insider: false },
      { address: CREATOR, owner: OWNER, amount: 222, pct: 22.2, insider: false },
    ],
    knownAccounts: { [POOL]: { name: 'Meteora DLMM Pool', type: 'AMM' } },
  });
  assert.deepEqual(heard.say('top_holders'), [
    { owner: OWNER, sharePct: 47.2, tokenAccount: COIN },
    { owner: POOL, sharePct: 40, tokenAccount: POOL, kind: 'amm', label: 'Meteora DLMM Pool' },
  ]);
});

test('tokens of insider networks that exceed the supply are not a share of it', () => {
  const token = { supply: 73_762_315_093_282, decimals: 6 };
  const network = (tokenAmount: number) => ({ id: 'a', size: 9, type: 'transfer', tokenAmount, activeAccounts: 9 });
  const of = (...amounts: readonly number[]) =>
    report({ token, graphInsidersDetected: 9, insiderNetworks: amounts.map(network) }).say('insider_share');
  assert.equal(of(73_762_315_093_282), 1);
  assert.equal(of(1_000_000_000_000_000), undefined);
  assert.equal(of(40_000_000_000_000, 40_000_000_000_000), undefined);
});

test('a count of holders below the owners that the same report lists is not known', () => {
  const topHolders = [POOL, OWNER, CREATOR].map((owner, at) => ({ address: COIN, owner, amount: 10 - at }));
  const token = { supply: 1_000, decimals: 0 };
  assert.equal(report({ token, topHolders, totalHolders: 1 }).say('holder_count'), undefined);
  assert.equal(report({ token, topHolders, totalHolders: 3 }).say('holder_count'), 3);
  const emptied = topHolders.map((row) => ({ ...row, amount: row.owner === OWNER ? 5 : 0 }));
  assert.equal(report({ token, topHolders: emptied, totalHolders: 1 }).say('holder_count'), 1);
});

test('locks are weighted by value, and a concentrated pool that states a lock does not count', () => {
  const heard = report({
    creator: CREATOR,
    markets: [
      market(POOL, 'raydium_cpmm', {
        baseUSD: 45_000,
        quoteUSD: 45_000,
        lpLockedPct: 10,
        holders: [{ owner: CREATOR, pct: 60 }],
      }),
      market(OWNER, 'raydium_cpmm', { baseUSD: 5_000, quoteUSD: 5_000, lpLockedPct: 100, holders: [] }),
      market(CREATOR, 'raydium_clmm', { baseUSD: 900_000, quoteUSD: 900_000, lpLockedPct: 85 }, NOBODY),
    ],
  });
  assert.ok(Math.abs(Number(heard.say('lp_locked_share')) - 0.19) < 1e-9);
  assert.ok(Math.abs(Number(heard.say('lp_creator_share')) - 0.54) < 1e-9);
  assert.equal(heard.about(CREATOR, 'pool_lp_locked_share'), undefined);
  assert.equal(heard.about(CREATOR, 'pool_liquidity_usd'), 1_800_000);
});

test('the second provider of liquidity is neither the creator nor a locker, and not stated where a locker may be among them', () => {
  const second = (holders: readonly object[], lpLockedPct = 0, lockers = {}) =>
    report({
      creator: CREATOR,
      lockers,
      markets: [market(POOL, 'raydium_cpmm', { baseUSD: 50_000, quoteUSD: 50_000, lpLockedPct, holders })],
    }).say('lp_second_provider_share');
  const row = (owner: string, pct: number) => ({ owner, pct });
  assert.equal(second([row(CREATOR, 60), row('a', 40)]), 0, 'one');
  assert.equal(second([row(CREATOR, 60), row('a', 30), row('b', 10)]), 0.1);
  assert.equal(second([row('a', 50), row('b', 30)], 50), undefined, 'one of them is the locker');
  assert.equal(second([row('lock', 50), row('a', 30), row('b', 20)], 50, { lock: { type: 'x' } }), 0.2);
});

test('the largest wallet that holds liquidity has a key, no name, and is neither the creator nor a locker', () => {
  const wallet = (owner: string, more: object = {}, lpLockedPct = 0) =>
    report({
      creator: CREATOR,
      markets: [
        market(POOL, 'raydium_cpmm', {
          baseUSD: 50_000,
          quoteUSD: 50_000,
          lpLockedPct,
          holders: [
            { owner, pct: 70 },
            { owner: CREATOR, pct: 30 },
          ],
        }),
      ],
      ...more,
    }).say('lp_wallet_share');
  assert.equal(wallet(WALLET), 0.7);
  assert.equal(wallet(WALLET, {}, 60), 0.4, 'the rest is locked');
  assert.deepEqual(
    [
      wallet(CREATOR),
      wallet(WALLET, { lockers: { [WALLET]: {} } }),
      wallet(WALLET, { knownAccounts: { [WALLET]: { type: 'AMM' } } }),
    ],
    [0, 0, 0],
  );
  assert.equal(wallet('5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1'), 0, 'only a program signs for it');
});

test('of the wallets that hold liquidity the three largest are added up', () => {
  const wallets = [
    'AKnL4NNf3DGWZJS6cPknBuEGnVsV4A4m5tgebLHaRSZ9',
    '9hSR6S7WPtxmTojgo6GG3k4yDPecgJY292j7xrsUGWBu',
    'GyGKxMyg1p9SsHfm15MkNUu1u9TN2JtTspcdmrtGUdse',
    'EdmxWPmx2WH6WgFfTdu9xfkYf3k1g5wD1zccTVySEEh1',
  ];
  const ofThree = (...pcts: readonly number[]) => {
    const holders = pcts.map((pct, at) => ({ owner: wallets[at], pct }));
    const heard = report({
      creator: CREATOR,
      markets: [market(POOL, 'raydium_cpmm', { baseUSD: 50_000, quoteUSD: 50_000, lpLockedPct: 0, holders })],
    });
    return [heard.say('lp_wallet_share'), heard.say('lp_top3_wallets_share')];
  };
  assert.deepEqual(ofThree(50, 48), [0.5, 0.98]);
  assert.deepEqual(ofThree(25, 10, 25, 25), [0.25, 0.75]);
  assert.deepEqual(ofThree(), [0, 0]);
});

test('without a fungible LP the lock is unknown, not zero', () => {
  assert.equal(
    report({ markets: [market(POOL, 'meteoraDlmm', { baseUSD: 10, quoteUSD: 10, lpLockedPct: 0 }, NOBODY)] }).say(
      'lp_locked_share',
    ),
    undefined,
  );
});

test('a pool is read from the side the token is on', () => {
  const heard = report({
    markets: [
      market(POOL, 'orca', {
        baseMint: COIN,
        quoteMint: MINT,
        basePrice: 70,
        quotePrice: 0.5,
        baseUSD: 300,
        quoteUSD: 100,
      }),
    ],
  });
  assert.deepEqual(
    [heard.about(POOL, 'pool_price_usd'), heard.about(POOL, 'pool_quote_reserve_usd'), heard.about(POOL, 'pool_pair')],
    [0.5, 300, COIN],
  );
});

test('tokens created or held by a launchpad’s own key are in nobody’s record', () => {
  const tokens = ['a', 'b', 'c'].map((name) => ({ mint: name, marketCap: 1, createdAt: '2025-01-01T00:00:00Z' }));
  const of = (creator: string) => report({ creator, creatorTokens: tokens, creatorBalance: 1 });
  assert.equal(of(CREATOR).say('creator_dead_tokens_count'), 3);
  const believe = of('5qWya6UjwWnGVhdSBL3hyZ7B45jbk6Byt1hwd7ohEGXE');
  for (const quantity of ['creator_tokens_count', 'creator_dead_tokens_count', 'creator_share'] as const)
    assert.equal(believe.say(quantity), undefined, quantity);
});

test('the authority of a curve program that a report calls the creator is nobody', () => {
  const pump = derivedAddress(['mint-authority'], PUMP);
  const markets = [
    market(POOL, 'raydium_cpmm', {
      baseUSD: 500,
      quoteUSD: 500,
      lpLockedPct: 0,
      holders: [{ owner: WALLET, pct: 100 }],
    }),
  ];
  const heard = report({ creator: pump, token: { supply: 1_000 }, creatorBalance: 0, creatorTokens: [], markets });
  for (const quantity of ['creator_address', 'creator_share', 'creator_tokens_count', 'lp_creator_share'])
    assert.equal(heard.say(quantity), undefined, quantity);
  assert.equal(heard.say('lp_locked_share'), 0);
});

test('dead tokens of a creator are counted only when each can be judged', () => {
  const old = '2026-01-01T00:00:00Z';
  const whole = report({
    creatorTokens: [
      { mint: MINT, marketCap: 5, createdAt: old },
      { mint: COIN, marketCap: 12, createdAt: old },
      { mint: OWNER, marketCap: 9e6, createdAt: old },
      { mint: POOL, marketCap: 3, createdAt: '2026-11-20T06:00:00Z' },
    ],
  });
  assert.deepEqual([whole.say('creator_tokens_count'), whole.say('creator_dead_tokens_count')], [3, 1]);
  assert.equal(report({ creatorTokens: [{ mint: COIN }] }).say('creator_dead_tokens_count'), undefined);
  const undated = [{ mint: COIN, marketCap: 3, createdAt: '0001-01-01T00:00:00Z' }];
  assert.equal(
    report({ creatorTokens: undated }).say('creator_dead_tokens_count'),
    undefined,
    'a time that is not known',
  );
  assert.equal(report({ creatorTokens: null }).say('creator_tokens_count'), undefined);
});

test('the earliest unlock ahead counts, a zero date is never', () => {
  const lockers = {
    [POOL]: { type: 'streamflow', unlockDate: 1_800_000_000 },
    [OWNER]: { type: 'raydium_locker', unlockDate: 0 },
    [COIN]: { type: 'x', unlockDate: 1_500_000_000 },
  };
  const heard = report({ lockers });
  assert.equal(heard.say('lp_unlock_at'), new Date(1_800_000_000_000).toISOString());
  assert.equal(heard.say('lp_locker_known'), true);
});

test('a lock of a few dollars makes no locker of the liquidity known; one without a name still counts against it', () => {
  const known = (type: string | null, usdcLocked: number) =>
    report({ totalMarketLiquidity: 34_000_000, lockers: { [POOL]: { type, unlockDate: 0, usdcLocked } } }).say(
      'lp_locker_known',
    );
  assert.deepEqual(
    [known('raydium_locker', 3), known('raydium_locker', 3_400_000), known(null, 3)],
    [undefined, true, false],
  );
  assert.equal(report({ lockers: {} }).say('lp_locker_known'), undefined);
});

test('a report about another mint, or of another shape, gives nothing', () => {
  assert.equal(report({ price: 1 }, COIN).outcome, 'error_reply');
  assert.equal(report({ price: '1' }).outcome, 'malformed');
  assert.equal(listen([], MINT).outcome, 'malformed');
});

test('a recorded report of 134 markets is read whole, and its parts fit together', (t) => {
  const file = join(
    process.env.ASSAY_REFERENCE_DATA ?? join(import.meta.dirname, '../../../../shared/data'),
    'recorded/rugcheck/report_9cRCn9rG.json.gz',
  );
  if (!existsSync(file)) return t.diagnostic('skipped: no reference data');
  const body = JSON.parse(gunzipSync(readFileSync(file)).toString('utf8')) as {
    mint: string;
    totalMarketLiquidity: number;
  };
  const heard = listen(body, body.mint);
  const sum = heard.all
    .filter((draft) => draft.quantity === 'pool_liquidity_usd')
    .reduce((total, draft) => total + Number(draft.value), 0);
  assert.ok(
    sum > body.totalMarketLiquidity * 0.999 && sum <= body.totalMarketLiquidity * 1.000001,
    'the largest pools are nearly all of it',
  );
  assert.equal(heard.say('total_supply'), 999_939_330.972015);
  assert.equal(heard.say('holder_count'), 246_540);
  assert.equal(heard.say('mint_authority_state'), 'none');
  const locked = Number(heard.say('lp_locked_share'));
  assert.ok(locked > 0.98 && locked < 0.983);
  assert.ok(Number(heard.say('insider_share')) > 0.029 && Number(heard.say('insider_share')) < 0.031);
  assert.equal((heard.say('top_holders') as { sharePct: number }[])[0]?.sharePct.toFixed(2), '58.28');
  assert.equal(
    heard.all.some((draft) => /score|risk/i.test(draft.meaning ?? '')),
    false,
  );
  t.diagnostic(`${heard.all.length} observations`);
});

test('a pool in which one position is locked is a pool, although the report calls it a locker', () => {
  const vault = 'So11111111111111111111111111111111111111112';
  const heard = report({
    token: { supply: 1_000, decimals: 0 },
    topHolders: [{ owner: vault, amount: 100 }],
    knownAccounts: { [vault]: { name: 'Raydium Locker', type: 'LOCKER' } },
    lockers: { [vault]: { type: 'raydium_locker', unlockDate: 0, usdcLocked: 3 } },
  });
  const [holder] = heard.say('top_holders') as unknown as readonly { readonly kind: string }[];
  assert.equal(holder?.kind, 'amm');
});

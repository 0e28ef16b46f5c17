import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { address, lamports } from '@solana/kit';
import fc from 'fast-check';
import { Clock, type LiteSVM } from 'litesvm';
import { addressBytes } from '../../chains/codecs/accounts.ts';
import { drive, factsOf, valuesOf } from '../fixtures/drive.ts';
import { type Facade, serve } from './fixtures/facade.ts';
import { startChain } from './fixtures/token-programs.ts';
import { solanaRpc } from './index.ts';
import { poolRateOf, solPriceOf } from './redemption.ts';

const BSOL = 'bSo13r4TkiE4KumL71LsHTPpL2euBYLFx6h9HP3piy1';
const BSOL_POOL = 'stk9ApL5HeVAwPLr3TLhDXdZS8ptVu7zp6ov8HFDuMi';
const STAKE_POOL_PROGRAM = 'SPoo1Ku8WFXoNDMHPsrGSTSG1Y47rzgn41SLUNakuHy';
const MSOL = 'mSoLzYCxHdYgdzU16g5QSh3i5K3z3KZK7ytfqcJm7So';
const MARINADE_STATE = '8szGkuLTAux9XMgZ2vtY39jVSowEcpBfFfD8hXSEqdGC';
const MARINADE_PROGRAM = 'MarBmsSgKXdrN1egZf5sqe1TMai9K1rChYNDJgjq7aD';
const WRAPPED = 'So11111111111111111111111111111111111111112';
const PRICE = '7UVimffxr9ow1uXYxsr4LHAcV58mLzhmwaeKvJ1pjLiE';
const PYTH_PROGRAM = 'rec5EKMGg6MxZYaMdyBfgwp4d5rB9T1VQH5pJv5LtFJ';
const SOL_USD = 'ef0d8b6fda2ceba41da15d4095d1da392a0d2f8ed0c6c7bc0f4cfac8c280b56d';
/** Before the time at which the drive of the tests says it fetched. */
const NOW = BigInt(Date.parse('2026-11-20T11:59:50Z') / 1_000);
const EPOCH = 900n;

let svm: LiteSVM;
let facade: Facade;
before(async () => {
  ({ svm } = await startChain());
  facade = await serve(svm, []);
});
after(() => facade.close());
beforeEach(() => {
  svm.setClock(new Clock(77n, 1n, EPOCH, EPOCH + 1n, NOW));
  place(PRICE, PYTH_PROGRAM, priceBytes({}));
  place(BSOL_POOL, STAKE_POOL_PROGRAM, poolBytes({}));
  place(MARINADE_STATE, MARINADE_PROGRAM, marinadeBytes(1.36));
});

function place(key: string, program: string, data: Buffer): void {
  svm.setAccount({
    address: address(key),
    programAddress: address(program),
    data,
    executable: false,
    lamports: lamports(1_000_000_000n),
    space: BigInt(data.length),
  });
}

function poolBytes({ mint = BSOL, sol = 1.21, kind = 1, epoch = EPOCH }): Buffer {
  const data = Buffer.alloc(611);
  data[0] = kind;
  data.set(addressBytes(mint) ?? [], 162);
  data.writeBigUInt64LE(BigInt(Math.round(sol * 1e9)) * 4_000_000n, 258);
  data.writeBigUInt64LE(4_000_000n * 1_000_000_000n, 266);
  data.writeBigUInt64LE(epoch, 274);
  return data;
}

function marinadeBytes(sol: number): Buffer {
  const data = Buffer.alloc(700);
  data.set([216, 146, 107, 94, 104, 75, 182, 177]);
  data.set(addressBytes(MSOL) ?? [], 8);
  data.writeBigUInt64LE(3_000_000n * 1_000_000_000n, 504);
  data.writeBigUInt64LE(BigInt(Math.round(sol * 2 ** 32)), 512);
  return data;
}

function priceBytes({ usd = 150, spread = 0.1, level = 1, id = SOL_USD, ageSeconds = 20 }): Buffer {
  const data = Buffer.alloc(134);
  data.set([34, 241, 35, 99, 157, 126, 244, 205]);
  data[40] = level;
  data.set(Buffer.from(id, 'hex'), 41);
  data.writeBigInt64LE(BigInt(Math.round(usd * 1e8)), 73);
  data.writeBigUInt64LE(BigInt(Math.round(spread * 1e8)), 81);
  data.writeInt32LE(-8, 89);
  data.writeBigInt64LE(NOW - BigInt(ageSeconds), 93);
  return data;
}

async function redemption(mint: string) {
  const heard = await drive(solanaRpc, factsOf('solana', mint), facade.url);
  return heard.filter((one) => one.endpoint === 'redemption');
}

test('a share of a stake pool is worth its part of the lamports, at the price of SOL, at both operators', async () => {
  const heard = await redemption(BSOL);
  assert.deepEqual(valuesOf(heard, 'redemption_value_usd'), [181.5, 181.5]);
  const [draft] = heard[0]?.drafts ?? [];
  assert.equal(draft?.observedAt, '2026-11-20T11:59:50.000Z');
  assert.deepEqual(
    heard.map((one) => one.drafts[0]?.family),
    ['chain:main', 'chain:second'],
  );
  assert.deepEqual(heard[0]?.learned, {
    'solana_rpc.redemption.main': { coin: 'solana', rate: 1.21 },
  });
});

test('Marinade states its price in its own account; wrapped SOL is SOL', async () => {
  const [marinade] = valuesOf(await redemption(MSOL), 'redemption_value_usd');
  assert.ok(Math.abs(Number(marinade) - 204) < 1e-6);
  assert.deepEqual(valuesOf(await redemption(WRAPPED), 'redemption_value_usd'), [150, 150]);
});

test('a mint that is not on the list is not requested', async () => {
  assert.deepEqual(await redemption('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'), []);
});

test('a pool of another program, kind or mint, with an old update, or with an impossible rate gives nothing', async () => {
  const pools: readonly (readonly [string, Buffer])[] = [
    [PYTH_PROGRAM, poolBytes({})],
    [STAKE_POOL_PROGRAM, poolBytes({ kind: 2 })],
    [STAKE_POOL_PROGRAM, poolBytes({ mint: MSOL })],
    [STAKE_POOL_PROGRAM, poolBytes({ epoch: EPOCH - 11n })],
    [STAKE_POOL_PROGRAM, poolBytes({ sol: 52 })],
    [STAKE_POOL_PROGRAM, poolBytes({}).subarray(0, 281)],
  ];
  for (const [program, data] of pools) {
    place(BSOL_POOL, program, data);
    for (const one of await redemption(BSOL))
      assert.deepEqual([one.outcome, one.drafts, one.learned], ['empty', [], {}]);
  }
});

test('a price that is old, uncertain, of another feed, not verified or not above zero is not taken; the rate is', async () => {
  const id = '00'.repeat(32);
  for (const change of [{ ageSeconds: 301 }, { spread: 1.6 }, { id }, { level: 0 }, { usd: 0 }, { usd: -150 }]) {
    place(PRICE, PYTH_PROGRAM, priceBytes(change));
    const [first] = await redemption(BSOL);
    assert.deepEqual(first?.drafts, [], JSON.stringify(change));
    assert.ok(first?.learned['solana_rpc.redemption.main']);
  }
});

test('no bytes make the decoders throw', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 700 }),
      fc.constantFrom('spl_stake_pool', 'marinade', 'other'),
      (data, layout) => {
        const account = { owner: STAKE_POOL_PROGRAM, data, executable: false };
        poolRateOf(account, { layout, program: STAKE_POOL_PROGRAM, mint: BSOL });
        assert.equal(typeof solPriceOf({ ...account, owner: PYTH_PROGRAM }, NOW), 'string');
      },
    ),
  );
});

/** A classic mint of nine places with that many tokens. */
function mintBytes(tokens: bigint): Buffer {
  const data = Buffer.alloc(82);
  data.writeBigUInt64LE(tokens * 1_000_000_000n, 36);
  data[44] = 9;
  data[45] = 1;
  return data;
}

async function backing(mint: string) {
  const heard = await drive(solanaRpc, factsOf('solana', mint), facade.url);
  return valuesOf(
    heard.filter((one) => one.endpoint === 'backing'),
    'backing_ratio',
  );
}

test('a stake pool backs the tokens that it counts: tokens made past it, or a pool of another program, back nothing', async () => {
  const classic = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
  place(BSOL, classic, mintBytes(4_000_000n));
  assert.deepEqual(await backing(BSOL), [1, 1]);
  place(BSOL, classic, mintBytes(16_000_000n));
  assert.deepEqual(await backing(BSOL), [0.25, 0.25]);
  place(BSOL_POOL, MARINADE_PROGRAM, poolBytes({}));
  assert.deepEqual(await backing(BSOL), []);
  place(BSOL_POOL, STAKE_POOL_PROGRAM, poolBytes({ mint: MSOL }));
  assert.deepEqual(await backing(BSOL), []);
  place(MSOL, classic, mintBytes(3_000_000n));
  assert.deepEqual(await backing(MSOL), [1, 1]);
  place(WRAPPED, classic, mintBytes(0n));
  assert.deepEqual(await backing(WRAPPED), [1, 1]);
  assert.deepEqual(await backing('So11111111111111111111111111111111111111113'), []);
});

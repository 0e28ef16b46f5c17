import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { derivedAddress, type SolanaAccount } from '../../codecs/accounts.ts';
import { CLOCK_SYSVAR, PUMP_SWAP, TOKEN_2022_PROGRAM } from '../../solana.ts';
import { accountsOf, vectorsOf } from './fixtures/vectors.ts';
import { openPool } from './index.ts';

const FROZEN = 2;
const STATE_AT = 108;
const FEE = 1;
const HOOK = 14;
const PAUSABLE = 26;

/** The first pool of a program, with changed accounts. */
function readWith(protocol: string, change: (open: Opened) => readonly SolanaAccount[]) {
  const [vector] = vectorsOf(protocol).pools;
  assert.ok(vector);
  const accounts = new Map(accountsOf(vector));
  const pool = accounts.get(vector.pool);
  assert.ok(pool);
  const opened = openPool(pool, vector.mint === undefined ? [] : [vector.mint]);
  assert.ok(opened.ok);
  const changed = change({ vault: opened.value.needs[0] ?? '', mint: opened.value.summary.mints[0], accounts });
  const needs = opened.value.needs.map((address) => [address, null] as const);
  const all = new Map([...needs, ...accounts, ...changed.map((account) => [account.address, account] as const)]);
  const reading = opened.value.read(all, 1);
  assert.ok(reading.ok, reading.ok ? '' : reading.detail);
  return reading.value;
}

interface Opened {
  readonly vault: string;
  readonly mint: string;
  readonly accounts: ReadonlyMap<string, SolanaAccount>;
}

function bytes(length: number, write: (view: DataView) => void): Uint8Array {
  const data = new Uint8Array(length);
  write(new DataView(data.buffer));
  return data;
}

/** A Token-2022 mint with one extension. */
function mintWith(address: string, type: number, value: Uint8Array): SolanaAccount {
  const data = new Uint8Array(170 + value.length);
  data[45] = 1;
  data[165] = 1;
  data[166] = type;
  data[168] = value.length;
  data.set(value, 170);
  return { address, owner: TOKEN_2022_PROGRAM, lamports: 1n, data };
}

/** TransferFeeConfig: the older rate, then the newer one with the epoch from which it applies, each with its maximum. */
const feeConfig = (older: number, newer: number, epoch: bigint, most = 1_000n) =>
  bytes(108, (view) => {
    view.setBigUint64(80, most, true);
    view.setUint16(88, older, true);
    view.setBigUint64(90, epoch, true);
    view.setBigUint64(98, most, true);
    view.setUint16(106, newer, true);
  });

const clock = (epoch: bigint): SolanaAccount => ({
  address: CLOCK_SYSVAR,
  owner: 'Sysvar1111111111111111111111111111111111111',
  lamports: 1n,
  data: bytes(40, (view) => {
    view.setBigUint64(16, epoch, true);
    view.setBigInt64(32, 2_000_000_000n, true);
  }),
});

describe('a pool whose tokens cannot move does not trade', () => {
  for (const protocol of [
    'raydium-amm-v4',
    'raydium-cpmm',
    'raydium-clmm',
    'meteora-dlmm',
    'meteora-damm-v2',
    'pump-swap',
  ])
    test(`the vault of ${protocol} is frozen`, () => {
      assert.equal(readWith(protocol, () => []).inactive, null);
      const { inactive } = readWith(protocol, ({ vault, accounts }) => {
        const account = accounts.get(vault);
        assert.ok(account);
        const data = Uint8Array.from(account.data);
        data[STATE_AT] = FROZEN;
        return [{ ...account, data }];
      });
      assert.match(String(inactive), /is frozen/);
    });

  test('its mint is paused', () => {
    const paused = (on: number) =>
      readWith('raydium-cpmm', ({ mint }) => [
        mintWith(
          mint,
          PAUSABLE,
          bytes(33, (view) => view.setUint8(32, on)),
        ),
      ]);
    assert.equal(paused(0).inactive, null);
    assert.match(String(paused(1).inactive), /are paused/);
  });
});

describe('the note on a transfer fee states the rate that applies', () => {
  const notesOf = (older: number, newer: number, epoch: bigint, now: bigint | null, most?: bigint) =>
    readWith('raydium-cpmm', ({ mint }) => [
      mintWith(mint, FEE, feeConfig(older, newer, epoch, most)),
      ...(now === null ? [] : [clock(now)]),
    ]).notes.join('; ');

  for (const [what, older, newer, now, expected] of [
    ['the newer rate', 0, 500, 900n, / has a transfer fee, not/],
    ['a rate until the end of which a rate of zero was announced', 500, 0, 899n, / has a transfer fee, not/],
    ['a rate that is announced', 0, 500, 899n, / has a transfer fee from epoch 900 on, not/],
    ['a rate that has ended', 500, 0, 900n, /^$/],
    ['one of both, without a clock', 500, 0, null, / may have a transfer fee, not/],
    ['no rate', 0, 0, null, /^$/],
  ] as const)
    test(what, () => assert.match(notesOf(older, newer, 900n, now), expected));
  test('a rate of which at most nothing is taken', () => assert.equal(notesOf(500, 500, 900n, 900n, 0n), ''));
});

test('a transfer hook without a program is none', () => {
  const notesOf = (program: number) =>
    readWith('raydium-cpmm', ({ mint }) => [
      mintWith(
        mint,
        HOOK,
        bytes(64, (view) => view.setUint8(40, program)),
      ),
    ]).notes;
  assert.match(notesOf(7).join(), /has a transfer hook/);
  assert.deepEqual(notesOf(0), []);
});

test('fees that wait in a PumpSwap vault, told by negative virtual reserves, are no liquidity and change no price', () => {
  const [vector] = vectorsOf('pump-swap').pools;
  assert.ok(vector);
  const fees = 12_345_678_901n;
  const at = { vaultAmount: 64, virtual: 245, end: 270 };
  const written = (account: SolanaAccount, length: number, write: (view: DataView) => void): SolanaAccount => {
    const data = new Uint8Array(Math.max(length, account.data.length));
    data.set(account.data);
    write(new DataView(data.buffer));
    return { ...account, data };
  };
  const readAt = (waiting: bigint, boost: bigint) => {
    const accounts = new Map(accountsOf(vector));
    const pool = accounts.get(vector.pool);
    assert.ok(pool);
    const changed = written(pool, at.end, (view) => {
      view.setBigInt64(at.virtual, boost - waiting, true);
      view.setBigInt64(at.virtual + 8, boost < waiting ? -1n : 0n, true);
    });
    const opened = openPool(changed);
    assert.ok(opened.ok);
    const vault = accounts.get(opened.value.needs[1] ?? '');
    assert.ok(vault);
    const held = new DataView(vault.data.buffer, vault.data.byteOffset).getBigUint64(at.vaultAmount, true);
    const full = written(vault, 0, (view) => view.setBigUint64(at.vaultAmount, held + waiting, true));
    const needs = opened.value.needs.map((address) => [address, null] as const);
    const reading = opened.value.read(new Map([...needs, ...accounts, [vault.address, full]]), 1);
    assert.ok(reading.ok, reading.ok ? '' : reading.detail);
    return reading.value;
  };
  const [plain, kept, boosted] = [readAt(0n, 0n), readAt(fees, 0n), readAt(0n, fees)];
  assert.deepEqual(kept.tokens, plain.tokens);
  assert.equal(kept.curve.price, plain.curve.price);
  assert.equal(kept.feeRate, plain.feeRate);
  assert.deepEqual(kept.notes, plain.notes);
  for (const zeroForOne of [true, false])
    assert.deepEqual(kept.curve.swapExactIn(1_000_000n, zeroForOne), plain.curve.swapExactIn(1_000_000n, zeroForOne));
  // A boost is in the price and not in the vault.
  assert.deepEqual(boosted.tokens, plain.tokens);
  assert.ok(boosted.curve.price > plain.curve.price);
  assert.match(boosted.notes.join(), /virtual quote reserves/);
});

test('PumpSwap with sales or purchases alone turned off does not trade', () => {
  const inactive = (flags: number) =>
    readWith('pump-swap', ({ accounts }) => {
      const address = derivedAddress(['global_config'], PUMP_SWAP) ?? '';
      const config = accounts.get(address);
      const data = Uint8Array.from(config?.data ?? new Uint8Array(1_000));
      data[56] = flags;
      return [{ address, owner: PUMP_SWAP, lamports: 1n, data }];
    }).inactive;
  assert.deepEqual([0, 1, 4].map(inactive), [null, null, null]);
  assert.deepEqual([8, 16, 24].map(inactive), Array(3).fill('swaps are turned off'));
});

describe('lamports that anybody sends to the place of a tick or bin array that does not exist hide nothing', () => {
  for (const protocol of ['orca-whirlpool', 'raydium-clmm', 'meteora-dlmm'])
    test(protocol, () => {
      let sent = 0;
      for (const vector of vectorsOf(protocol).pools) {
        const accounts = accountsOf(vector);
        const pool = accounts.get(vector.pool);
        assert.ok(pool);
        const opened = openPool(pool);
        assert.ok(opened.ok);
        const absent = opened.value.needs.filter((address) => !accounts.has(address) && address !== CLOCK_SYSVAR);
        const stateWith = (put: (address: string) => SolanaAccount | null) => {
          const all = new Map([...absent.map((address) => [address, put(address)] as const), ...accounts]);
          const reading = opened.value.read(all, 1);
          assert.ok(reading.ok, reading.ok ? '' : reading.detail);
          return reading.value.curve.state?.();
        };
        const empty = { owner: '11111111111111111111111111111111', lamports: 890_880n, data: new Uint8Array(0) };
        const mints = new Set<string>(opened.value.summary.mints);
        const gift = (address: string) => (mints.has(address) ? null : { address, ...empty });
        assert.deepEqual(
          stateWith(gift),
          stateWith(() => null),
        );
        sent += absent.length;
      }
      assert.ok(sent > 0);
    });
});

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { SolanaAccount } from '../../chains/codecs/accounts.ts';
import { addressBytes, associatedTokenAddress } from '../../chains/codecs/accounts.ts';
import { accountsOf, VECTOR_PROTOCOLS, vectorsOf } from '../../chains/decoders/solana-pools/fixtures/vectors.ts';
import { openPool, POOL_PROGRAMS } from '../../chains/decoders/solana-pools/index.ts';
import { decodeMeteoraDammV2, meteoraDammV2 } from '../../chains/decoders/solana-pools/meteora-damm-v2.ts';
import { RAYDIUM_AMM_V4, TOKEN_PROGRAM } from '../../chains/solana.ts';
import { readPools, type SolanaReader } from './reader.ts';

/** A chain in memory: one slot per call, none more than 100 addresses. */
function chainOf(accounts: ReadonlyMap<string, SolanaAccount>, slots: readonly number[] = []) {
  let calls = 0;
  const reader: Pick<SolanaReader, 'accounts'> = {
    async accounts(addresses) {
      assert(calls === 0 || addresses.length <= 100, `${addresses.length} addresses in one call`);
      const slot = slots[calls] ?? 1_000 + calls;
      calls += 1;
      return { ok: true, value: { slot, accounts: addresses.map((address) => accounts.get(address) ?? null) } };
    },
  };
  return { reader, calls: () => calls };
}

const everything = new Map(
  VECTOR_PROTOCOLS.flatMap((protocol) => vectorsOf(protocol).pools.flatMap((pool) => [...accountsOf(pool)])),
);
const addresses = VECTOR_PROTOCOLS.flatMap((protocol) => vectorsOf(protocol).pools.map((pool) => pool.pool));
const mints = vectorsOf('pump-curve').pools.flatMap((pool) => (pool.mint ? [pool.mint] : []));

describe('reading pools', () => {
  it('reads every kind in few calls, each pool with its needs in one', async () => {
    const chain = chainOf(everything);
    const read = await readPools(chain.reader, addresses, mints);
    assert(read.ok);
    assert.deepEqual(read.value.failures, []);
    assert.equal(read.value.readings.length, addresses.length);
    assert(chain.calls() < addresses.length / 2, `${chain.calls()} calls`);
    const protocols = new Set(read.value.readings.map((reading) => reading.protocol));
    assert.equal(protocols.size, POOL_PROGRAMS.size);
  });

  it('states for each pool that cannot be read the reason, and reads the others', async () => {
    const [first = '', second = ''] = vectorsOf('raydium-cpmm').pools.map((pool) => pool.pool);
    const stranger: SolanaAccount = { address: 'x', owner: TOKEN_PROGRAM, lamports: 1n, data: new Uint8Array(165) };
    const cut = { ...(everything.get(second) as SolanaAccount), data: new Uint8Array(100) };
    const accounts = new Map(everything).set('x', stranger).set(second, cut);
    const read = await readPools(chainOf(accounts).reader, [first, second, 'x', 'nowhere']);
    assert(read.ok);
    assert.equal(read.value.readings.length, 1);
    assert.deepEqual(
      read.value.failures.map((failure) => [failure.address, failure.fault.reason]),
      [
        [second, 'malformed'],
        ['x', 'refused'],
        ['nowhere', 'not_found'],
      ],
    );
  });

  it('retries once when a reply goes back in time, then refuses', async () => {
    const again = await readPools(chainOf(everything, [500, 499, 501]).reader, addresses.slice(0, 1));
    assert(again.ok && again.value.readings[0]?.height === 501);
    const read = await readPools(chainOf(everything, [500, 499, 499]).reader, addresses.slice(0, 1));
    assert(!read.ok && read.reason === 'malformed');
  });

  it('hands on a fault of the RPC', async () => {
    const reader: Pick<SolanaReader, 'accounts'> = {
      accounts: async () => ({ ok: false, reason: 'rate_limited', detail: '429' }),
    };
    const read = await readPools(reader, addresses);
    assert(!read.ok && read.reason === 'rate_limited');
  });

  it('finds liquidity tokens that are burned or locked', async () => {
    const vector = vectorsOf('raydium-amm-v4').pools[0];
    assert(vector);
    const accounts = new Map(accountsOf(vector));
    const pool = accounts.get(vector.pool) as SolanaAccount;
    const opened = openPool(pool);
    assert(opened.ok);
    const issued = new DataView(pool.data.buffer, pool.data.byteOffset).getBigUint64(720, true);
    const lpMint = opened.value.needs.find((need) => !accounts.has(need) && isLpMint(pool, need)) as string;
    accounts.set(lpMint, mintAccount(lpMint, issued - issued / 4n));
    const incinerator = '1nc1nerator11111111111111111111111111111111';
    const locker = '3f7GcQFG397GAaEnv51zR6tsTVihYRydnydDD1cXekxH';
    for (const [owner, amount] of [
      [incinerator, issued / 4n],
      [locker, issued / 10n],
    ] as const) {
      const address = associatedTokenAddress(owner, lpMint, TOKEN_PROGRAM) as string;
      accounts.set(address, tokenAccount(address, lpMint, amount, accounts));
    }
    const read = await readPools(chainOf(accounts).reader, [vector.pool]);
    assert(read.ok);
    const lp = read.value.readings[0]?.lp;
    assert(Math.abs((lp?.burned ?? 0) - 0.5) < 1e-6);
    assert(Math.abs((lp?.locked ?? 0) - 0.1) < 1e-6);
    assert.equal(lp?.locker, 'Raydium burn and earn');
  });
});

describe('two Meteora DAMM v2 pools of mainnet', () => {
  const folder = `${process.env.ASSAY_REFERENCE_DATA ?? '../shared/data'}/recorded/solana_accounts`;
  const skip = existsSync(folder) ? false : 'no reference data';
  const load = (name: string): SolanaAccount => ({
    address: name,
    owner: meteoraDammV2.address,
    lamports: 1n,
    data: new Uint8Array(readFileSync(`${folder}/${name}.bin`)),
  });

  it('SOL/USDC is at 175.14 with 0.25 % and a little locked permanently', { skip }, () => {
    const pool = meteoraDammV2.open(load('meteora_damm_v2_CGPxT5d1'));
    assert(pool.ok);
    const accounts = new Map(
      [0, 1].flatMap((side) => {
        const [mint, vault] = [pool.value.summary.mints[side] as string, pool.value.needs[side] as string];
        return [[vault, tokenAccount(vault, mint, 10n ** 12n, everything)] as const];
      }),
    );
    const reading = pool.value.read(accounts, 1);
    assert(reading.ok, reading.ok ? '' : reading.detail);
    assert(Math.abs(reading.value.curve.price * 1_000 - 175.1397) < 1e-3);
    assert.equal(reading.value.feeRate, 0.0025);
    assert(Math.abs((reading.value.lp?.locked ?? 0) - 0.000202) < 1e-5);
    // Amounts of the whole range worked out by hand: 1154.2 SOL and 230,638 USDC.
    const up = reading.value.curve.toPrice(1e9);
    const down = reading.value.curve.toPrice(1e-9);
    assert(Math.abs(-up.amount0 / 1e9 - 1_154.2) < 0.1, String(up.amount0));
    assert(Math.abs(-down.amount1 / 1e6 - 230_638) < 1, String(down.amount1));
  });

  it('the launch pool has run down its exponential fee from 50 %', { skip }, () => {
    const pool = decodeMeteoraDammV2(load('meteora_damm_v2_pool_account'));
    assert(pool.ok);
    assert.equal(pool.value.fee.mode, 'time_exponential');
    assert.equal(pool.value.fee.cliff, 500_000_000n);
  });
});

describe('nothing an account can hold makes a decoder throw', () => {
  const samples = VECTOR_PROTOCOLS.map((protocol) => {
    const vector = vectorsOf(protocol).pools[0];
    assert(vector);
    return { accounts: accountsOf(vector), pool: vector.pool, mint: vector.mint };
  });

  it('whatever bytes are changed, and wherever it is cut', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...samples),
        fc.array(fc.tuple(fc.nat(1_600), fc.constantFrom(0, 1, 127, 128, 255)), { maxLength: 24 }),
        fc.nat(1_600),
        fc.boolean(),
        (sample, changes, length, cut) => {
          const original = sample.accounts.get(sample.pool) as SolanaAccount;
          const data = Uint8Array.from(original.data);
          for (const [at, value] of changes) if (at >= 8 && at < data.length) data[at] = value;
          const account = { ...original, data: cut ? data.subarray(0, length) : data };
          const opened = openPool(account, sample.mint === undefined ? [] : [sample.mint]);
          if (!opened.ok) return;
          const needs = opened.value.needs.map((address) => [address, null] as const);
          const reading = opened.value.read(new Map([...needs, ...sample.accounts]), 1);
          if (!reading.ok) return;
          const { curve } = reading.value;
          assert(!Number.isNaN(curve.price));
          const swap = curve.swapExactIn(1_000_000n, true);
          assert(swap === null || swap.amountOut >= 0n);
          assert(!Number.isNaN(curve.toPrice(curve.price * 1.02).amount1));
        },
      ),
      { numRuns: 400 },
    );
  });

  it('is identified by the owner, since two programs share a discriminator', () => {
    const vector = vectorsOf('raydium-cpmm').pools[0];
    assert(vector);
    const pool = accountsOf(vector).get(vector.pool) as SolanaAccount;
    const opened = openPool({ ...pool, owner: 'CAMMCzo5YL8w4VFF8KVHrK22GGUsp5VTaW7grrKgrWqK' });
    assert(!opened.ok && opened.reason === 'malformed');
    const stray = openPool({ ...pool, owner: RAYDIUM_AMM_V4 });
    assert(!stray.ok && stray.reason === 'malformed');
  });
});

function isLpMint(pool: SolanaAccount, address: string): boolean {
  const opened = openPool(pool);
  return opened.ok && opened.value.needs.indexOf(address) === opened.value.needs.length - 4;
}

function mintAccount(address: string, supply: bigint): SolanaAccount {
  const data = new Uint8Array(82);
  new DataView(data.buffer).setBigUint64(36, supply, true);
  data[44] = 9;
  data[45] = 1;
  return { address, owner: TOKEN_PROGRAM, lamports: 1n, data };
}

/** A token account of a mint, made from one that an SDK wrote. */
function tokenAccount(
  address: string,
  mint: string,
  amount: bigint,
  like: ReadonlyMap<string, SolanaAccount>,
): SolanaAccount {
  const template = [...like.values()].find((account) => account.owner === TOKEN_PROGRAM && account.data.length === 165);
  const data = Uint8Array.from((template as SolanaAccount).data);
  data.set(addressOf(mint), 0);
  new DataView(data.buffer).setBigUint64(64, amount, true);
  return { address, owner: TOKEN_PROGRAM, lamports: 1n, data };
}

function addressOf(text: string): Uint8Array {
  const bytes = addressBytes(text);
  assert(bytes);
  return bytes;
}

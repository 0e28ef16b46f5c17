import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { SolanaAccount } from '../../chains/codecs/accounts.ts';
import { accountsOf, VECTOR_PROTOCOLS, vectorsOf } from '../../chains/decoders/solana-pools/fixtures/vectors.ts';
import { openPool } from '../../chains/decoders/solana-pools/index.ts';
import { openArchived } from '../../chains/pool-math/archived-pool.ts';
import { factsOf, parseBody } from '../fixtures/drive.ts';
import { largestPools } from '../plans.ts';
import type { Endpoint, Params } from '../source.ts';
import { solanaRpc } from './index.ts';

const SLOT = 7;
const POOL_ACCOUNTS = endpointCalled('pool_accounts');
const POOL_STATES = endpointCalled('pool_states');
type Known = ReadonlyMap<string, SolanaAccount | null>;

function endpointCalled(name: string): Endpoint {
  const found = solanaRpc.endpoints.find((one) => one.name === name);
  assert.ok(found, name);
  return found;
}

/** What a node replies to getMultipleAccounts. */
function reply(accounts: Known, addresses: readonly string[]) {
  const value = addresses.map((address) => {
    const account = accounts.get(address);
    return account ? { owner: account.owner, data: [Buffer.from(account.data).toString('base64'), 'base64'] } : null;
  });
  return { result: { context: { slot: SLOT }, value } };
}

/** Both requests of the pools that an index named; `accounts` is the chain. */
function readAll(accounts: Known, mint: string, pools: readonly string[]) {
  const known = { 'dexscreener.pools': [...pools] };
  const first = POOL_ACCOUNTS.plan(factsOf('solana', mint, known));
  const learned = first.map(
    (params) => parseBody(POOL_ACCOUNTS, params, reply(accounts, params.pools as string[])).learned,
  );
  const second = POOL_STATES.plan(factsOf('solana', mint, Object.assign({}, known, ...learned)));
  return {
    second,
    drafts: second.flatMap(
      (params) => parseBody(POOL_STATES, params, reply(accounts, params.accounts as string[])).drafts,
    ),
  };
}

function firstPool(protocol: string) {
  const [vector] = vectorsOf(protocol).pools;
  assert.ok(vector);
  const accounts: Map<string, SolanaAccount | null> = new Map(accountsOf(vector));
  const account = accounts.get(vector.pool);
  assert.ok(account);
  const opened = openPool(account, vector.mint === undefined ? [] : [vector.mint]);
  assert.ok(opened.ok);
  const reading = opened.value.read(
    new Map([...opened.value.needs.map((address) => [address, null] as const), ...accounts]),
    SLOT,
  );
  assert.ok(reading.ok);
  return { address: vector.pool, accounts, account, reading: reading.value, mint: reading.value.tokens[0].address };
}

describe('recorded pools are observed as the program holds them', () => {
  for (const protocol of VECTOR_PROTOCOLS) {
    test(protocol, () => {
      const { address, accounts, reading, mint } = firstPool(protocol);
      const { drafts } = readAll(accounts, mint, [address]);
      const value = JSON.parse(JSON.stringify(drafts[0]?.value ?? null));
      const pool = openArchived(address, value);
      // One range with fraction bits of its own has no archived form: such pools keep the estimate.
      if (protocol === 'meteora-damm-v2') return assert.equal(drafts.length, 0);
      assert.ok(pool);
      assert.deepEqual([drafts.length, drafts[0]?.scope, pool.height], [1, `pool:${address}`, SLOT]);
      assert.deepEqual(pool.tokens, reading.tokens);
      assert.equal(pool.curve.price, reading.curve.price);
      for (const factor of [0.98, 1.02]) {
        const target = reading.curve.price * factor;
        assert.deepEqual(pool.curve.toPrice(target), reading.curve.toPrice(target));
      }
    });
  }
});

describe('what a pool is not observed for', () => {
  const real = firstPool('raydium-cpmm');
  const other = 'So11111111111111111111111111111111111111111';
  const chainWith = (change: Partial<SolanaAccount> | null, at = real.address): Known => {
    const now = real.accounts.get(at);
    assert.ok(now);
    return new Map([...real.accounts, [at, change === null ? null : { ...now, ...change }]]);
  };
  const [vault] = vaultsOf();
  function vaultsOf(): readonly string[] {
    const opened = openPool(real.account);
    assert.ok(opened.ok);
    return opened.value.needs;
  }
  assert.ok(vault);

  for (const [what, accounts] of [
    ['an account of another program', chainWith({ owner: other })],
    ['truncated data', chainWith({ data: real.account.data.slice(0, 200) })],
    ['no account', chainWith(null)],
    ['a vault that is gone', chainWith(null, vault)],
    ['a vault of another program', chainWith({ owner: other }, vault)],
  ] as const)
    test(what, () => assert.equal(readAll(accounts, real.mint, [real.address]).drafts.length, 0));

  test('a pool of other tokens, named by a false index', () => {
    const { second, drafts } = readAll(real.accounts, other, [real.address]);
    assert.deepEqual([second.length, drafts.length], [0, 0]);
  });

  test('a second reply in which the pool holds other tokens', () => {
    const { second } = readAll(real.accounts, real.mint, [real.address]);
    const params: Params = { ...second[0], mint: other };
    assert.equal(parseBody(POOL_STATES, params, reply(real.accounts, params.accounts as string[])).drafts.length, 0);
  });

  test('a reply that leaves accounts out, which would shift all after it', () => {
    const { second } = readAll(real.accounts, real.mint, [real.address]);
    const [params] = second;
    assert.ok(params);
    const short = (params.accounts as string[]).slice(1);
    assert.equal(parseBody(POOL_STATES, params, reply(real.accounts, short)).drafts.length, 0);
  });

  test('an honest chain is observed', () => {
    assert.equal(readAll(real.accounts, real.mint, [real.address]).drafts.length, 1);
  });
});

test('the largest amounts that a vault can hold give finite numbers', () => {
  const { accounts, address, mint, account } = firstPool('raydium-cpmm');
  const opened = openPool(account);
  assert.ok(opened.ok);
  const full = new Map(accounts);
  for (const vault of opened.value.needs.slice(0, 2)) {
    const now = accounts.get(vault);
    assert.ok(now);
    const data = Uint8Array.from(now.data);
    data.fill(0xff, 64, 72);
    full.set(vault, { ...now, data });
  }
  const [draft] = readAll(full, mint, [address]).drafts;
  const pool = openArchived(address, draft?.value);
  assert.ok(pool && Number.isFinite(pool.curve.toPrice(pool.curve.price * 1.02).amount1));
});

test('an index can cause only a few of its largest pools to be read, and nothing that is not an address', () => {
  const address = (n: number) => `${'A'.repeat(30)}${String(1111 + n).replaceAll('0', '9')}`;
  const rows = Array.from({ length: 1_000 }, (_, n) => ({ address: address(n % 900), liquidityUsd: n }));
  const hostile = ['', '../../etc', `0x${'g'.repeat(40)}`, 'A'.repeat(5_000), '0x12'].map((one) => ({
    address: one,
    liquidityUsd: Number.MAX_VALUE,
  }));
  const taught = largestPools('dexscreener', [
    ...rows,
    ...hostile,
    { address: address(950), liquidityUsd: Number.NaN },
  ]);
  const pools = taught['dexscreener.pools'] as string[];
  assert.deepEqual(pools, [99, 98, 97, 96, 95, 94].map(address));
  assert.deepEqual(largestPools('geckoterminal', hostile), {});
  const facts = factsOf('solana', address(1), { ...taught, 'geckoterminal.pools': pools.toReversed() });
  // Two indexes that name the same pools are one request.
  assert.equal(POOL_ACCOUNTS.plan(facts).length, 1);
});

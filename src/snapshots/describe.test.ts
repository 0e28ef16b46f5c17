import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { SolanaAccount } from '../chains/codecs/accounts.ts';
import { accountsOf, vectorsOf } from '../chains/decoders/solana-pools/fixtures/vectors.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../chains/solana.ts';
import { describeAccount, readAccountFile } from './describe.ts';

const FOLDER = `${process.env.ASSAY_REFERENCE_DATA ?? '../shared/data'}/recorded/solana_accounts`;
const skip = existsSync(FOLDER) ? false : 'no reference data';
const load = (name: string) => JSON.parse(readFileSync(`${FOLDER}/${name}.json`, 'utf8'));

function described(json: unknown) {
  const file = readAccountFile(json);
  assert(file.ok, file.ok ? '' : file.detail);
  const description = describeAccount(file.value);
  assert(description.ok, description.ok ? '' : description.detail);
  return description.value;
}

/** An account as `solana account --output json` writes it. */
function written({ address, owner, data }: SolanaAccount) {
  return { pubkey: address, account: { lamports: 1, owner, data: [data.toBase64(), 'base64'], executable: false } };
}

describe('accounts of mainnet', { skip }, () => {
  it('a mint', () => {
    const mint = described(load('jitosol-mint'));
    assert.equal(mint.kind, 'mint');
    assert.equal(mint.supply_raw, '6183351637877350');
    assert.equal(mint.decimals, 9);
    assert.equal(mint.freeze_authority, null);
  });

  it('a token account', () => {
    const account = described(load('orca_token_vault_a'));
    assert.equal(account.kind, 'token_account');
    assert.equal(account.amount, 13_152.153710393);
    assert.equal(account.owner, 'HJPjoWUrhoZzkNfRpHuieeFk9WcZWjwy6PBjZ81ngndJ');
  });

  it('a pool alone: price, fee, tokens and liquidity, and what is missing for the rest', () => {
    const pool = described(load('orca_whirlpool_sol_usdc_2023'));
    assert.equal(pool.kind, 'pool');
    assert.equal(pool.complete, false);
    assert(Math.abs(Number(pool.price_1_per_0) - 23.24682) < 1e-5);
    assert.equal(pool.fee_rate_pct, 0.3);
    assert.equal(pool.liquidity, '7973310025482');
    assert((pool.needs as string[]).includes('3YQm7ujtXWJU2e9jhp2QGHpnn1ShXn12QjvzMvDgabpX'));
  });

  it('the same in the form an RPC answers', () => {
    const { account, pubkey } = load('orca_whirlpool_sol_usdc_2023');
    const rpc = { jsonrpc: '2.0', id: 1, result: { context: { slot: 7 }, value: account }, pubkey };
    assert.deepEqual(described(rpc), described(load('orca_whirlpool_sol_usdc_2023')));
  });
});

describe('a file with the accounts a pool needs beside it', () => {
  it('is printed in full', () => {
    const vector = vectorsOf('raydium-clmm').pools[0];
    assert(vector);
    const accounts = accountsOf(vector);
    const { [vector.pool]: _, ...others } = Object.fromEntries(accounts);
    const pool = described({
      ...written(accounts.get(vector.pool) as SolanaAccount),
      accounts: Object.values(others).map(written),
    });
    assert.equal(pool.complete, true);
    assert.equal(pool.protocol, 'raydium_clmm');
    assert(Number(pool.price_1_per_0) > 0);
    assert.equal((pool.depth as readonly unknown[]).length, 4);
    assert.doesNotThrow(() => JSON.stringify(pool));
  });

  it('prints a Pump curve with the mint, which it does not contain', () => {
    const vector = vectorsOf('pump-curve').pools[0];
    assert(vector);
    const accounts = accountsOf(vector);
    const alone = readAccountFile(written(accounts.get(vector.pool) as SolanaAccount));
    assert(alone.ok);
    const refused = describeAccount(alone.value);
    assert(!refused.ok && /mint/.test(refused.detail));
    const pool = described({
      ...written(accounts.get(vector.pool) as SolanaAccount),
      accounts: [...accounts.values()].filter((account) => account.address !== vector.pool).map(written),
    });
    assert.equal(pool.complete, true);
  });
});

describe('files that are not accounts', () => {
  it('are refused with an explanation', () => {
    for (const json of [
      null,
      [],
      'text',
      {},
      { account: null },
      { account: { owner: 7, data: ['', 'base64'] } },
      { account: { owner: TOKEN_PROGRAM, data: 'base58text' } },
      { account: { owner: TOKEN_PROGRAM, data: ['***', 'base64'] } },
      { account: { owner: TOKEN_PROGRAM, data: ['', 'base64'] }, accounts: [null] },
      { account: { owner: TOKEN_PROGRAM, data: ['', 'base64'] }, accounts: {} },
    ]) {
      const file = readAccountFile(json);
      assert(!file.ok && file.detail.length > 0, JSON.stringify(json));
    }
  });

  it('of no known program are refused', () => {
    const file = readAccountFile({
      account: { owner: 'Vote111111111111111111111111111111111111111', data: ['', 'base64'] },
    });
    assert(file.ok);
    const description = describeAccount(file.value);
    assert(!description.ok && description.reason === 'refused');
  });
});

describe('mints', () => {
  /** A Token-2022 mint with extensions, as bytes. */
  function mint2022(extensions: readonly (readonly [type: number, value: Uint8Array<ArrayBuffer>, length?: number])[]) {
    const parts = [new Uint8Array(166)];
    for (const [type, value, length] of extensions) {
      const head = new Uint8Array(4);
      new DataView(head.buffer).setUint16(0, type, true);
      new DataView(head.buffer).setUint16(2, length ?? value.length, true);
      parts.push(head, value);
    }
    const data = new Uint8Array(Buffer.concat(parts));
    data[44] = 255;
    data[45] = 1;
    data[165] = 1;
    return data;
  }

  it('with a transfer fee are marked, and unknown extensions are named', () => {
    const fee = new Uint8Array(108);
    new DataView(fee.buffer).setUint16(106, 500, true);
    const data = mint2022([
      [1, fee],
      [77, new Uint8Array(3)],
    ]);
    const mint = described(written({ address: '', owner: TOKEN_2022_PROGRAM, lamports: 0n, data }));
    const [first, second] = mint.extensions as { name: string; facts: Record<string, unknown> }[];
    assert.equal(first?.facts.newer_basis_points, 500);
    assert.deepEqual([first?.name, second?.name, mint.decimals], ['transfer_fee', 'unknown_77', 255]);
  });

  it('with an extension of an invalid length end there', () => {
    const data = mint2022([[12, new Uint8Array(8), 60_000]]);
    const mint = described(written({ address: '', owner: TOKEN_2022_PROGRAM, lamports: 0n, data }));
    assert.deepEqual(mint.extensions, [{ name: 'permanent_delegate', facts: { truncated: true } }]);
  });

  it('of any bytes never throw', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 700 }),
        fc.constantFrom(TOKEN_PROGRAM, TOKEN_2022_PROGRAM),
        (data, owner) => {
          const file = { account: { address: '', owner, lamports: 0n, data }, others: [], slot: 0 };
          const description = describeAccount(file);
          if (description.ok) JSON.stringify(description.value);
        },
      ),
    );
  });
});

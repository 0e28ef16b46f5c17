import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { SolanaAccount } from '../chains/codecs/accounts.ts';
import { accountsOf, vectorsOf } from '../chains/decoders/solana-pools/fixtures/vectors.ts';
import type { CliContext } from './context.ts';
import { decodeCommand } from './decode.ts';

/** An account as `solana account --output json` writes it. */
function written({ address, owner, data }: SolanaAccount) {
  return { pubkey: address, account: { lamports: 1, owner, data: [data.toBase64(), 'base64'], executable: false } };
}

describe('assay decode', () => {
  const run = async (args: readonly string[]) => {
    const out: string[] = [];
    const err: string[] = [];
    const terminal = { out: (line: string) => out.push(line), err: (line: string) => err.push(line), progress() {} };
    const code = await decodeCommand.run(args, { terminal } as unknown as CliContext);
    return { code, out: out.join('\n'), err: err.join('\n') };
  };

  it('prints a decoded account, and reports errors in a file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'assay-decode-'));
    try {
      const vector = vectorsOf('meteora-dlmm').pools[0];
      assert(vector);
      const accounts = accountsOf(vector);
      const path = join(folder, 'pool.json');
      const pool = written(accounts.get(vector.pool) as SolanaAccount);
      await writeFile(path, JSON.stringify({ ...pool, accounts: [...accounts.values()].map(written) }));
      const good = await run(['solana', path]);
      assert.equal(good.code, 0, good.err);
      const printed = JSON.parse(good.out);
      assert.equal(printed.chain, 'solana');
      assert.equal(printed.protocol, 'meteora_dlmm');
      assert.equal(printed.complete, true);
      await writeFile(path, '{"account":');
      assert.equal((await run(['solana', path])).code, 65);
      assert.equal((await run(['solana', join(folder, 'none.json')])).code, 65);
      assert.equal((await run(['solana'])).code, 64);
      assert.equal((await run(['dogecoin', path])).code, 64);
      assert.equal((await run(['constructor', path])).code, 64);
      assert.equal((await run(['solana', '--rpc', 'http://127.0.0.1:1', '--address', 'x'])).code, 64);
      assert.equal((await run(['ethereum', '--rpc', 'http://127.0.0.1:1', '--address', '0x12'])).code, 64);
      assert.match((await run(['ethereum', path])).err, /ENOENT|JSON/);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});

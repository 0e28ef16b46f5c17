import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { parse } from 'yaml';
import { fromBase64 } from '../../chains/codecs/accounts.ts';
import {
  decodeMetadata,
  decodeMint,
  decodeTokenAccount,
  metadataAddress,
} from '../../chains/decoders/token-programs.ts';
import { METADATA_PROGRAM } from '../../chains/solana.ts';

/** Real accounts of mainnet, recorded by others; they are not part of this project. */
const ROOT = join(process.env.ASSAY_REFERENCE_DATA ?? join(import.meta.dirname, '../../../../shared/data'), 'recorded');

interface Recorded {
  readonly pubkey: string;
  readonly owner: string;
  readonly data: Uint8Array;
}

function onRecordings(claim: string, run: (t: TestContext) => void): void {
  test(claim, (t) => (existsSync(ROOT) ? run(t) : t.diagnostic('skipped: no reference data')));
}

function dump(name: string): Recorded {
  const read = JSON.parse(readFileSync(join(ROOT, 'solana_accounts', name), 'utf8')) as {
    pubkey: string;
    account: { data: [string, string]; owner: string };
  };
  return { pubkey: read.pubkey, owner: read.account.owner, data: fromBase64(read.account.data[0]) ?? new Uint8Array() };
}

/** Every account that was asked for by getAccountInfo and found. */
function cassette(name: string): readonly Recorded[] {
  const tape = parse(readFileSync(join(ROOT, 'solana_rpc', name), 'utf8')) as {
    interactions: { request: { body: string }; response: { body: { string: string } } }[];
  };
  return tape.interactions.flatMap(({ request, response }) => {
    const asked = JSON.parse(request.body) as { method: string; params?: [string] };
    const answer = JSON.parse(response.body.string) as {
      result?: { value?: { data: [string, string]; owner: string } | null };
    };
    const value = asked.method === 'getAccountInfo' ? answer.result?.value : null;
    return value
      ? [{ pubkey: asked.params?.[0] ?? '', owner: value.owner, data: fromBase64(value.data[0]) ?? new Uint8Array() }]
      : [];
  });
}

onRecordings('three real staked-SOL mints have nine decimals, a live authority and no freeze', () => {
  for (const name of ['jitosol-mint.json', 'msol-mint.json', 'stsol-mint.json']) {
    const { owner, data } = dump(name);
    const mint = decodeMint(owner, data);
    assert.equal(mint?.decimals, 9, name);
    assert.notEqual(mint?.mintAuthority, null, name);
    assert.ok((mint?.supply ?? 0n) > 10n ** 12n, name);
  }
});

onRecordings('a real vault is a token account of wrapped SOL owned by its pool', () => {
  const { owner, data } = dump('orca_token_vault_a.json');
  const account = decodeTokenAccount(owner, data);
  assert.equal(account?.mint, 'So11111111111111111111111111111111111111112');
  assert.ok((account?.amount ?? 0n) > 0n);
});

onRecordings(
  'every recorded account is a mint or metadata, and every metadata stands at the address derived for its mint',
  (t) => {
    let mints = 0;
    let metadata = 0;
    for (const { pubkey, owner, data } of [...cassette('token_metadata.yaml'), ...cassette('token_balances.yaml')]) {
      if (decodeMint(owner, data) !== null) {
        mints += 1;
        continue;
      }
      const found = decodeMetadata(owner, data);
      // One recorded account belongs to a look-alike of the metadata program.
      if (owner !== METADATA_PROGRAM) {
        assert.equal(found, null);
        continue;
      }
      assert.ok(found, `${pubkey} of ${owner}, ${data.length} bytes`);
      assert.equal(metadataAddress(found.mint), pubkey);
      metadata += 1;
    }
    assert.ok(mints > 5 && metadata > 5);
    t.diagnostic(`${mints} mints, ${metadata} metadata accounts`);
  },
);

onRecordings('real Token-2022 mints: fees, metadata and authorities are read, nothing is unassessed', (t) => {
  const mints = cassette('token_metadata.yaml').map(({ pubkey, owner, data }) => ({
    pubkey,
    mint: decodeMint(owner, data),
  }));
  const extended = mints.filter((row) => row.mint?.standard === 'token-2022');
  assert.ok(extended.length >= 2);
  for (const { pubkey, mint } of extended) assert.deepEqual(mint?.extensions.unassessed, [], pubkey);
  const fees = extended.map((row) => row.mint?.extensions.transferFee?.newer.basisPoints);
  assert.ok(fees.includes(400) && fees.includes(500));
  t.diagnostic(extended.map((row) => `${row.pubkey} ${row.mint?.extensions.metadata?.name ?? '-'}`).join('; '));
});

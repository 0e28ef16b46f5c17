import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toBase58 } from '../../chains/codecs/accounts.ts';
import { metadataAddress } from '../../chains/decoders/token-programs.ts';
import { SYSTEM_PROGRAM } from '../../chains/fixed-addresses.ts';
import { SQUADS_V4_PROGRAM, TOKEN_PROGRAM, USDC } from '../../chains/solana.ts';
import { classifyAuthority, classifyOwner } from './accounts.ts';

test('the signer of an authority decides its state', () => {
  const wallet = keyOnCurve();
  const derived = metadataAddress(USDC) ?? '';
  const multisig = (needed: number) => {
    const data = new Uint8Array(355);
    data.set([needed, 3, 1]);
    return { owner: TOKEN_PROGRAM, data, executable: false };
  };
  const state = (key: string, account: Parameters<typeof classifyAuthority>[1]) =>
    classifyAuthority(key, account).state;
  assert.equal(state(wallet, null), 'eoa');
  assert.equal(state(wallet, { owner: SYSTEM_PROGRAM, data: new Uint8Array(), executable: false }), 'eoa');
  assert.equal(state(derived, null), 'contract');
  assert.equal(state(derived, { owner: SQUADS_V4_PROGRAM, data: new Uint8Array(9), executable: false }), 'multisig');
  assert.equal(state(wallet, multisig(2)), 'multisig');
  assert.equal(state(wallet, multisig(1)), 'eoa');
  assert.equal(state(SYSTEM_PROGRAM, null), 'none');
  assert.equal(
    classifyOwner(derived, { owner: wallet, data: new Uint8Array(), executable: false }).kind,
    'contract_unknown',
  );
  assert.equal(classifyOwner('5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1', null).kind, 'amm');
  assert.equal(
    classifyOwner(derived, {
      owner: 'LocpQgucEQHbqNABEYvBvwoxCPsSbG91A1QaQhQQqjn',
      data: new Uint8Array(),
      executable: false,
    }).kind,
    'vesting',
  );
});

/** The base point of edwards25519: y = 4/5. */
function keyOnCurve(): string {
  return toBase58(Uint8Array.from([0x58, ...new Array<number>(31).fill(0x66)]));
}

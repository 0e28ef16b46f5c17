import assert from 'node:assert/strict';
import { test } from 'node:test';
import { address } from '@solana/kit';
import { getTokenEncoder } from '@solana-program/token';
import fc from 'fast-check';
import { toBase58 } from '../../chains/codecs/accounts.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../chains/solana.ts';
import { factsOf, parseBody, valuesOf } from '../fixtures/drive.ts';
import { expectNothingOfGarbage } from '../fixtures/hostile-replies.ts';
import type { Endpoint } from '../source.ts';
import { solanaRpc } from './index.ts';

const MSOL = 'mSoLzYCxHdYgdzU16g5QSh3i5K3z3KZK7ytfqcJm7So';
const MINT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';

test('one owner of several accounts is one holder, and a node that omits accounts is rejected', () => {
  const owners = solanaRpc.endpoints.find((one) => one.name === 'largest_owners');
  const accounts = solanaRpc.endpoints.find((one) => one.name === 'owner_accounts');
  assert.ok(owners && accounts);
  const account = (amount: bigint) => ({
    data: [
      Buffer.from(
        getTokenEncoder().encode({
          mint: address(MINT),
          owner: address(keyOnCurve()),
          amount,
          delegate: null,
          state: 1,
          isNative: null,
          delegatedAmount: 0n,
          closeAuthority: null,
        }),
      ).toString('base64'),
      'base64',
    ],
    owner: TOKEN_PROGRAM,
  });
  const learned = parseBody(
    owners,
    { base: 'main', mint: MINT, accounts: ['A', 'B', 'C'] },
    { result: { context: { slot: 1 }, value: [account(3n), account(4n), null] } },
  ).learned['solana_rpc.largestOwners'];
  assert.deepEqual(learned, [{ owner: keyOnCurve(), amount: '7', tokenAccount: 'B' }]);
  const params = { base: 'main', mint: MINT, supply: '14', holders: learned ?? null };
  const heard = parseBody(accounts, params, { result: { context: { slot: 1 }, value: [null] } });
  assert.deepEqual((valuesOf([heard], 'top_holders')[0] as { sharePct: number }[])[0]?.sharePct, 50);
  assert.equal(parseBody(accounts, params, { result: { context: { slot: 1 }, value: [] } }).drafts.length, 0);
});

test('a disclosed issuer is named instead of what its key looks like', () => {
  const endpoint = solanaRpc.endpoints.find((one) => one.name === 'authority_accounts');
  assert.ok(endpoint);
  const key = keyOnCurve();
  const heard = (mint: string) =>
    parseBody(
      endpoint,
      { base: 'main', mint, authorities: { mint: key } },
      { result: { context: { slot: 1 }, value: [null] } },
    ).drafts.map((draft) => draft.value);
  assert.deepEqual(heard(MINT), ['regulated_issuer']);
  assert.deepEqual(heard(key), ['eoa']);
});

test('no reply makes an endpoint throw, and a malformed one gives no observation', () => {
  const facts = factsOf('solana', MINT, {
    'solana_rpc.mint': { supply: '100', decimals: 6 },
    'solana_rpc.authorities': { mint: keyOnCurve(), freeze: null },
    'solana_rpc.largestAccounts': [MINT],
    'solana_rpc.largestOwners': [{ owner: MINT, amount: '5', tokenAccount: MINT }],
    'dexscreener.pools': [MINT],
    'solana_rpc.pools.x': { pools: [MINT], accounts: [MINT, TOKEN_PROGRAM] },
  });
  const account = fc.record({
    data: fc.tuple(fc.oneof(fc.base64String(), fc.string()), fc.constant('base64')),
    owner: fc.constantFrom(TOKEN_PROGRAM, TOKEN_2022_PROGRAM, 'x'),
  });
  const value = fc.oneof(fc.constant(null), account, fc.array(fc.oneof(fc.constant(null), account)), fc.jsonValue());
  const bodies = fc.oneof(
    fc.jsonValue(),
    fc.record({ result: fc.record({ context: fc.record({ slot: fc.integer() }), value }) }),
  );
  // Only listed tokens are asked for a rate.
  const paramsOf = (endpoint: Endpoint) => endpoint.plan(facts)[0] ?? endpoint.plan(factsOf('solana', MSOL))[0];
  expectNothingOfGarbage(solanaRpc.endpoints, paramsOf, bodies);
});

test('numbers in place of text are malformed', () => {
  const endpoint = solanaRpc.endpoints.find((one) => one.name === 'supply');
  assert.ok(endpoint);
  const outcome = (amount: unknown) =>
    parseBody(
      endpoint,
      { base: 'main', mint: MINT },
      { result: { context: { slot: 1 }, value: { amount, decimals: 6 } } },
    );
  assert.equal(outcome(1_000).outcome, 'malformed');
  assert.equal(outcome('-5').drafts.length, 0);
  assert.equal(outcome('1e9').drafts.length, 0);
  assert.equal(outcome('1500000').drafts[0]?.value, 1.5);
});

/** The base point of edwards25519: y = 4/5. */
function keyOnCurve(): string {
  return toBase58(Uint8Array.from([0x58, ...new Array<number>(31).fill(0x66)]));
}

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Address, generateKeyPairSigner, type KeyPairSigner, lamports } from '@solana/kit';
import { Clock, type LiteSVM } from 'litesvm';
import { drive, factsOf, type ParsedBody, valuesOf } from '../fixtures/drive.ts';
import { type Classic, createClassic } from './fixtures/classic-mint.ts';
import { type Facade, serve } from './fixtures/facade.ts';
import {
  bytesOf,
  createToken2022,
  EXTENSIONS,
  setTransferFee,
  startChain,
  type Token2022Options,
  ZERO_KEY,
} from './fixtures/token-programs.ts';
import { solanaRpc } from './index.ts';

const BURN = '1nc1nerator11111111111111111111111111111111' as Address;
const SUPPLY = 18_000_000_000_123_456_789n;

let svm: LiteSVM;
let payer: KeyPairSigner;
let authority: KeyPairSigner;
let whale: KeyPairSigner;
let facade: Facade;
let classic: Classic;

before(async () => {
  ({ svm, payer } = await startChain());
  [authority, whale] = await Promise.all([generateKeyPairSigner(), generateKeyPairSigner()]);
  const pool = (await generateKeyPairSigner()).address;
  svm.setAccount({
    address: pool,
    data: new Uint8Array(8),
    executable: false,
    lamports: lamports(10_000_000n),
    programAddress: 'CAMMCzo5YL8w4VFF8KVHrK22GGUsp5VTaW7grrKgrWqK' as Address,
    space: 8n,
  });
  // A whale, a burn address, the pool of an exchange and a wallet share one odd supply above 2^63.
  classic = await createClassic(svm, payer, authority, pool, [
    [whale.address, 9_000_000_000_000_000_000n],
    [BURN, 3_000_000_000_000_000_000n],
    [pool, 4_000_000_000_000_000_000n],
    [payer.address, SUPPLY - 16_000_000_000_000_000_000n],
  ]);
  facade = await serve(svm, classic.accounts);
});
after(() => facade.close());

function ask(mint: string): Promise<readonly ParsedBody[]> {
  return drive(solanaRpc, factsOf('solana', mint), facade.url);
}

async function token2022(
  options: Pick<Token2022Options, 'extensions' | 'space' | 'metadata'> & { readonly mint?: KeyPairSigner },
): Promise<readonly ParsedBody[]> {
  const mint = options.mint ?? (await generateKeyPairSigner());
  await createToken2022(svm, payer, {
    mintAuthority: authority,
    freezeAuthority: whale.address,
    decimals: 6,
    ...options,
    mint,
  });
  return ask(mint.address);
}

test('a classic mint: supply exact beyond 2^53, two operators, no power that the program does not have', async () => {
  const heard = await ask(classic.mint);
  assert.deepEqual([...new Set(valuesOf(heard, 'total_supply'))], [Number('18000000000.123456789')]);
  assert.deepEqual([...new Set(heard.flatMap((one) => one.drafts.map((draft) => draft.family)))].sort(), [
    'chain:main',
    'chain:second',
  ]);
  assert.equal(valuesOf(heard, 'token_standard')[0], 'spl-token');
  for (const quantity of [
    'permanent_delegate',
    'transfer_hook',
    'default_frozen',
    'tax_modifiable',
    'unassessed_extension',
  ]) {
    assert.deepEqual(valuesOf(heard, quantity), [false, false], quantity);
  }
  assert.deepEqual(valuesOf(heard, 'sell_tax'), [0, 0]);
  assert.deepEqual(valuesOf(heard, 'freeze_authority_state'), ['none', 'none']);
});

test('a live mint authority with a key pair is one key, at both operators', async () => {
  const heard = await ask(classic.mint);
  assert.deepEqual(valuesOf(heard, 'mint_authority_state'), ['eoa', 'eoa']);
  assert.equal(valuesOf(heard, 'mint_authority')[0], authority.address);
});

test('holders are owners with exact shares, distinguished by the program that owns them', async () => {
  const heard = await ask(classic.mint);
  const rows = valuesOf(heard, 'top_holders')[0] as {
    owner: string;
    sharePct: number;
    kind: string;
    isLocked: boolean;
  }[];
  assert.deepEqual(
    rows.map((row) => [row.owner, row.kind]),
    [
      [whale.address, 'wallet'],
      [classic.pool, 'amm'],
      [BURN, 'burn'],
      [payer.address, 'wallet'],
    ],
  );
  assert.ok(Math.abs((rows[0]?.sharePct ?? 0) - 50) < 1e-6);
  assert.deepEqual((valuesOf(heard, 'holder_labels')[0] as { kind: string }[]).map((row) => row.kind).sort(), [
    'amm',
    'burn',
  ]);
});

test('a Token-2022 mint with every power shows every power', async () => {
  const key = bytesOf(authority.address);
  const heard = await token2022({
    extensions: [
      EXTENSIONS.transferFee(key, 250),
      EXTENSIONS.closeAuthority(key),
      EXTENSIONS.defaultState(2),
      EXTENSIONS.permanentDelegate(key),
      EXTENSIONS.transferHook(key, bytesOf(whale.address)),
      EXTENSIONS.pausable(key),
    ],
    space: 166 + 112 + 36 + 5 + 36 + 68 + 37,
  });
  assert.deepEqual(valuesOf(heard, 'transfer_tax'), [0.025, 0.025]);
  for (const quantity of [
    'tax_modifiable',
    'mint_close_authority',
    'default_frozen',
    'permanent_delegate',
    'transfer_hook',
    'transfer_pausable',
  ]) {
    assert.deepEqual(valuesOf(heard, quantity), [true, true], quantity);
  }
  assert.deepEqual(valuesOf(heard, 'transfer_hook_possible'), [false, false]);
  assert.deepEqual(valuesOf(heard, 'unassessed_extension'), [false, false]);
  assert.deepEqual(valuesOf(heard, 'freeze_authority_state'), ['eoa', 'eoa']);
});

describe('the transfer fee of a mint', () => {
  const key = () => bytesOf(authority.address);
  // The chain of the test begins at a slot of mainnet, in epoch 0.
  before(() => {
    const { slot, epochStartTimestamp, unixTimestamp } = svm.getClock();
    svm.setClock(new Clock(slot, epochStartTimestamp, slot / 432_000n, slot / 432_000n + 1n, unixTimestamp));
  });
  const scheduled = async (first: number, next: number) => {
    const mint = await generateKeyPairSigner();
    const options = { mint, extensions: [EXTENSIONS.transferFee(key(), first)], space: 166 + 112 };
    await token2022(options);
    await setTransferFee(svm, payer, mint.address, authority, next);
    const heard = await ask(mint.address);
    return ['buy_tax', 'sell_tax', 'transfer_tax'].map((quantity) => valuesOf(heard, quantity)[0]);
  };

  test('of which at most nothing is taken is none', async () => {
    const heard = await token2022({ extensions: [EXTENSIONS.transferFee(key(), 250, 0n)], space: 166 + 112 });
    assert.deepEqual(valuesOf(heard, 'transfer_tax'), [0, 0]);
    assert.deepEqual(valuesOf(heard, 'tax_modifiable'), [true, true]);
  });

  test('with a small maximum is a fee: small transfers pay the rate', async () => {
    const heard = await token2022({ extensions: [EXTENSIONS.transferFee(key(), 250, 1n)], space: 166 + 112 });
    assert.deepEqual(valuesOf(heard, 'transfer_tax'), [0.025, 0.025]);
  });

  test('is the higher one where another is scheduled', async () => {
    assert.deepEqual(await scheduled(100, 5_000), [0.5, 0.5, 0.5]);
    assert.deepEqual(await scheduled(5_000, 100), [0.5, 0.5, 0.5], 'it still holds');
  });
});

test('a hook that is not set yet is possible, not present', async () => {
  const heard = await token2022({
    extensions: [EXTENSIONS.transferHook(bytesOf(authority.address), ZERO_KEY)],
    space: 166 + 68,
  });
  assert.deepEqual(valuesOf(heard, 'transfer_hook'), [false, false]);
  assert.deepEqual(valuesOf(heard, 'transfer_hook_possible'), [true, true]);
});

test('a token that cannot be moved is marked', async () => {
  const heard = await token2022({ extensions: [EXTENSIONS.nonTransferable()], space: 166 + 4 });
  assert.deepEqual(valuesOf(heard, 'non_transferable'), [true, true]);
});

test('metadata in the mint is read from the real program, and can be changed while it has an authority', async () => {
  const mint = await generateKeyPairSigner();
  const heard = await token2022({
    mint,
    extensions: [EXTENSIONS.metadataPointer(bytesOf(authority.address), bytesOf(mint.address))],
    space: 166 + 68,
    metadata: { name: 'Fictional é', symbol: 'FIC', uri: 'https://token.example/fic.json' },
  });
  assert.equal(valuesOf(heard, 'registry_name')[0], 'Fictional é');
  assert.equal(valuesOf(heard, 'registry_symbol')[0], 'FIC');
  assert.equal(valuesOf(heard, 'metadata_uri')[0], 'https://token.example/fic.json');
  assert.deepEqual(valuesOf(heard, 'metadata_mutable'), [true, true]);
});

test('a display multiplier is in the supply, because prices are quoted in what is displayed', async () => {
  const mint = await generateKeyPairSigner();
  await createToken2022(svm, payer, {
    mint,
    mintAuthority: authority,
    freezeAuthority: null,
    decimals: 0,
    extensions: [EXTENSIONS.scaledAmount(bytesOf(authority.address), 2.5)],
    space: 166 + 60,
  });
  const account = svm.getAccount(mint.address);
  assert.ok(account.exists);
  const data = Uint8Array.from(account.data);
  data.set([100, 0, 0, 0, 0, 0, 0, 0], 36);
  svm.setAccount({ ...account, data });
  const heard = await ask(mint.address);
  assert.equal(
    heard.find((one) => one.endpoint === 'mint')?.drafts.find((draft) => draft.quantity === 'total_supply')?.value,
    250,
  );
});

test('interest is left to the node, which has the time', async () => {
  const heard = await token2022({
    extensions: [EXTENSIONS.interest(bytesOf(authority.address), 500)],
    space: 166 + 56,
  });
  assert.equal(
    heard
      .filter((one) => one.endpoint === 'mint')
      .flatMap((one) => one.drafts)
      .some((draft) => draft.quantity === 'total_supply'),
    false,
  );
});

test('an account that is not a mint is not found', async () => {
  const heard = await ask(whale.address);
  assert.deepEqual(
    [...new Set(heard.filter((one) => one.endpoint === 'mint').map((one) => one.outcome))],
    ['not_found'],
  );
  assert.deepEqual(valuesOf(heard, 'mint_authority_state'), []);
});

test('a node that refuses the largest accounts costs the holder list and nothing else', async () => {
  facade.instead.set('getTokenLargestAccounts', {
    jsonrpc: '2.0',
    id: 1,
    error: { code: -32010, message: 'excluded from account secondary indexes; this RPC method unavailable for key' },
  });
  const heard = await ask(classic.mint);
  facade.instead.clear();
  assert.equal(heard.find((one) => one.endpoint === 'largest_accounts')?.outcome, 'unsupported');
  assert.deepEqual(valuesOf(heard, 'top_holders'), []);
  assert.equal(valuesOf(heard, 'total_supply').length, 4);
});

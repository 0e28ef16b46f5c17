import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { AccountRole, type Address, address, generateKeyPairSigner, type KeyPairSigner, lamports } from '@solana/kit';
import { getCreateAccountInstruction } from '@solana-program/system';
import {
  findAssociatedTokenPda,
  getCreateAssociatedTokenInstructionAsync,
  getInitializeAccount3Instruction,
  getMintToInstruction,
  getTransferCheckedInstruction,
} from '@solana-program/token';
import type { LiteSVM } from 'litesvm';
import { toBase58 } from '../src/chains/codecs/accounts.ts';
import { TOKEN_2022_PROGRAM } from '../src/chains/solana.ts';
import type { Asset } from '../src/domain/index.ts';
import { totalOf } from '../src/snapshots/holders/balance-table.ts';
import { solanaHolders } from '../src/snapshots/solana/holders.ts';
import { createSolanaReader } from '../src/snapshots/solana/reader.ts';
import type { ScanForm } from '../src/snapshots/solana/scan.ts';
import {
  bytesOf,
  createToken2022,
  EXTENSIONS,
  send,
  startChain,
} from '../src/sources/solana-rpc/fixtures/token-programs.ts';
import { systemResolver } from '../src/upstream/agents.ts';
import { createUpstream } from '../src/upstream/client.ts';
import { type SolanaNode, startSolanaNode } from './support/solana-node.ts';

/** Size of a mint with the extensions of pauses and of transfer fees, and of an account of such a mint. */
const MINT_BYTES = 315;
const ACCOUNT_BYTES = 182n;
const SUPPLY = 1_000_000n;
const OTHERWISE = { id: 'solana:x', chain: 'solana', symbol: null, name: 'x', category: null, website: null };
const program = TOKEN_2022_PROGRAM as Address;
const config = { programAddress: program };
let svm: LiteSVM;
let payer: KeyPairSigner;
let mint: KeyPairSigner;
let node: SolanaNode;
const upstream = createUpstream({ resolver: systemResolver(), userAgent: 'test' });
const accounts: Address[] = [];

before(async () => {
  upstream.setBudget('node', { perMinute: 1e6, burst: 1e6, concurrency: 8, shareSeconds: 0 });
  ({ svm, payer } = await startChain());
  mint = await generateKeyPairSigner();
  // The accounts have the extensions of the mint in its order: what lets it be paused comes before the fees.
  const extensions = [EXTENSIONS.pausable(bytesOf(payer.address)), EXTENSIONS.transferFee(bytesOf(payer.address), 500)];
  const [mintAuthority, freezeAuthority] = [payer, null];
  await createToken2022(svm, payer, {
    mint,
    mintAuthority,
    freezeAuthority,
    decimals: 0,
    extensions,
    space: MINT_BYTES,
  });
  const [first, second] = [await associated(), await associated()];
  const plain = await account();
  const give = getMintToInstruction(
    { mint: mint.address, token: first.token, mintAuthority: payer, amount: SUPPLY },
    config,
  );
  await send(svm, payer, [give], [payer]);
  // 5 % of each transfer stay in the account that receives it: 10,000 and 5,000, and 1,000 that go on to the mint.
  await transfer(first, second.token, 200_000n);
  await transfer(first, plain, 100_000n);
  const third = await associated();
  await transfer(first, third.token, 20_000n);
  await collect(third.token);
  node = await startSolanaNode(svm, accounts);
});
after(async () => {
  await node.close();
  await upstream.close();
});

async function associated() {
  const owner = await generateKeyPairSigner();
  const of = { owner: owner.address, mint: mint.address, tokenProgram: program };
  const [token] = await findAssociatedTokenPda(of);
  await send(svm, payer, [await getCreateAssociatedTokenInstructionAsync({ payer, ...of })], [payer]);
  accounts.push(token);
  return { owner, token };
}

/** An account of no fixed address. */
async function account(): Promise<Address> {
  const made = await generateKeyPairSigner();
  const create = getCreateAccountInstruction({
    payer,
    newAccount: made,
    lamports: lamports(svm.minimumBalanceForRentExemption(ACCOUNT_BYTES)),
    space: ACCOUNT_BYTES,
    programAddress: program,
  });
  const open = getInitializeAccount3Instruction(
    { account: made.address, mint: mint.address, owner: payer.address },
    config,
  );
  await send(svm, payer, [create, open], [payer, made]);
  accounts.push(made.address);
  return made.address;
}

async function transfer(from: Awaited<ReturnType<typeof associated>>, destination: Address, amount: bigint) {
  const { owner: authority, token: source } = from;
  const what = { source, mint: mint.address, destination, authority, amount, decimals: 0 };
  await send(svm, payer, [getTransferCheckedInstruction(what, config)], [payer, authority]);
}

/** HarvestWithheldTokensToMint, which anybody may call. */
async function collect(from: Address): Promise<void> {
  const keys = [mint.address, from].map((address) => ({ address, role: AccountRole.WRITABLE }));
  await send(svm, payer, [{ programAddress: program, accounts: keys, data: Uint8Array.of(26, 4) }], [payer]);
}

function listOf(form: ScanForm, of = mint.address) {
  const rpc = { label: 'node', url: node.url, secretHeaders: {}, secretQuery: [] };
  const list = solanaHolders({
    upstream,
    reader: createSolanaReader(upstream, [rpc]),
    nodes: [{ node: rpc, form, most: 1e9 }],
    random: () => 7,
    now: Date.now,
  });
  const asset: Asset = { ...OTHERWISE, address: of };
  return list(asset, null, new AbortController().signal);
}

for (const form of ['plain', 'paged'] as const)
  test(`transfer fees that the real program withheld, in accounts and in the mint, complete the supply (${form})`, async () => {
    const found = await listOf(form);
    assert.ok(found.ok, found.ok ? '' : found.detail);
    const { method, supply, table, withheld = 0n } = found.value;
    assert.deepEqual([method, supply, totalOf(table), withheld], ['full_scan', SUPPLY, 984_000n, 16_000n]);
  });

test('a mint whose address reads like the head of a multisig, which can state any balance, has no complete list', async () => {
  // A multisig of 1 of 11: these three bytes, then its signers. The rest of the address is the start of the first signer.
  const crafted = Uint8Array.from({ length: 32 }, (_, at) => [1, 11, 1][at] ?? at);
  const fake = address(toBase58(crafted));
  const signers = Array.from({ length: 11 }, (_, nth) => Uint8Array.from({ length: 32 }, (_, at) => 100 + nth + at));
  signers[0]?.set(crafted.subarray(3));
  const multisig = await generateKeyPairSigner();
  const create = getCreateAccountInstruction({
    payer,
    newAccount: multisig,
    lamports: lamports(svm.minimumBalanceForRentExemption(355n)),
    space: 355n,
    programAddress: program,
  });
  const keys = signers.map((key) => ({ address: address(toBase58(key)), role: AccountRole.READONLY }));
  const open = {
    programAddress: program,
    accounts: [{ address: multisig.address, role: AccountRole.WRITABLE }, ...keys],
    // InitializeMultisig2, one signature needed.
    data: Uint8Array.of(19, 1),
  };
  await send(svm, payer, [create, open], [payer, multisig]);
  const real = svm.getAccount(mint.address);
  assert.ok(real.exists);
  const { data, lamports: held, space } = real;
  svm.setAccount({ address: fake, data, executable: false, lamports: held, programAddress: program, space });
  accounts.push(multisig.address);
  const found = await listOf('plain', fake);
  assert.ok(found.ok, found.ok ? '' : found.detail);
  // Nobody ever held this token.
  assert.ok(totalOf(found.value.table) > 0n);
  assert.equal(found.value.doubtful, true);
  const honest = await listOf('plain');
  assert.ok(honest.ok && honest.value.doubtful !== true);
});

test('a mint whose address reads like the head of another mint has no complete list either', async () => {
  const crafted = Uint8Array.from({ length: 32 }, (_, at) => [1, 0, 0, 0][at] ?? at);
  const fake = address(toBase58(crafted));
  const real = svm.getAccount(mint.address);
  assert.ok(real.exists);
  const { data, lamports: held, space } = real;
  svm.setAccount({ address: fake, data, executable: false, lamports: held, programAddress: program, space });
  // Another mint, whose authority is the rest of the address and whose freeze authority is a balance.
  const other = await generateKeyPairSigner();
  const bytes = new Uint8Array(82);
  bytes.set(crafted);
  bytes.fill(7, 32, 36);
  bytes.set([6, 1, 1, 0, 0, 0], 44);
  bytes.fill(9, 50, 82);
  const rent = lamports(svm.minimumBalanceForRentExemption(82n));
  svm.setAccount({
    address: other.address,
    data: bytes,
    executable: false,
    lamports: rent,
    programAddress: program,
    space: 82n,
  });
  accounts.push(other.address);
  const found = await listOf('plain', fake);
  assert.ok(found.ok, found.ok ? '' : found.detail);
  assert.ok(totalOf(found.value.table) > 0n);
  assert.equal(found.value.doubtful, true);
});

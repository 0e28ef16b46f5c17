import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Address, generateKeyPairSigner, type KeyPairSigner, lamports } from '@solana/kit';
import { getCreateAccountInstruction } from '@solana-program/system';
import {
  findAssociatedTokenPda,
  getApproveInstruction,
  getBurnInstruction,
  getCreateAssociatedTokenInstructionAsync,
  getFreezeAccountInstruction,
  getInitializeAccount3Instruction,
  getInitializeMint2Instruction,
  getMintSize,
  getMintToInstruction,
  getTokenSize,
  TOKEN_PROGRAM_ADDRESS,
} from '@solana-program/token';
import type { LiteSVM } from 'litesvm';
import { decodeMint } from '../src/chains/decoders/token-programs.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../src/chains/solana.ts';
import { balanceOf, SOLANA_KEYS, totalOf } from '../src/snapshots/holders/balance-table.ts';
import { createSolanaReader } from '../src/snapshots/solana/reader.ts';
import { type ScanForm, scanLargest, scanTokenAccounts } from '../src/snapshots/solana/scan.ts';
import { send, startChain } from '../src/sources/solana-rpc/fixtures/token-programs.ts';
import { systemResolver } from '../src/upstream/agents.ts';
import { createUpstream } from '../src/upstream/client.ts';
import { type Lie, type SolanaNode, startSolanaNode } from './support/solana-node.ts';

const HOLDERS = 400;
let svm: LiteSVM;
let payer: KeyPairSigner;
let authority: KeyPairSigner;
let mint: Address;
const expected = new Map<string, bigint>();
const accounts: Address[] = [];
let node: SolanaNode;
const upstream = createUpstream({ resolver: systemResolver(), userAgent: 'test' });
const rpc = () => ({ label: 'node', url: node.url, secretHeaders: {}, secretQuery: [] });

before(async () => {
  upstream.setBudget('node', { perMinute: 1e6, burst: 1e6, concurrency: 8, shareSeconds: 0 });
  ({ svm, payer } = await startChain());
  authority = await generateKeyPairSigner();
  mint = await createMint();
  for (let index = 0; index < HOLDERS; index += 1) {
    const owner = await generateKeyPairSigner();
    await hold(owner.address, BigInt(index) ** 4n);
    // Every eighth has a second account, of no fixed address.
    if (index % 8 === 0) await hold(owner.address, 1_000_000_007n, await generateKeyPairSigner());
    if (index === 10) await change(owner);
  }
  // Accounts of another mint lie beside them.
  const other = await createMint();
  await hold(payer.address, 5n, null, other, false);
  node = await startSolanaNode(svm, accounts);
});
after(async () => {
  await node.close();
  await upstream.close();
});

const rent = () => lamports(svm.minimumBalanceForRentExemption(165n));

async function createMint(): Promise<Address> {
  const made = await generateKeyPairSigner();
  const space = getMintSize();
  const account = getCreateAccountInstruction({
    payer,
    newAccount: made,
    lamports: rent(),
    space,
    programAddress: TOKEN_PROGRAM_ADDRESS,
  });
  const initialize = getInitializeMint2Instruction({
    mint: made.address,
    decimals: 6,
    mintAuthority: authority.address,
    freezeAuthority: authority.address,
  });
  await send(svm, payer, [account, initialize], [payer, made]);
  return made.address;
}

async function hold(
  owner: Address,
  amount: bigint,
  at: KeyPairSigner | null = null,
  of = mint,
  counts = true,
): Promise<void> {
  const [associated] = await findAssociatedTokenPda({ owner, mint: of, tokenProgram: TOKEN_PROGRAM_ADDRESS });
  const token = at?.address ?? associated;
  const create =
    at === null
      ? [await getCreateAssociatedTokenInstructionAsync({ payer, owner, mint: of })]
      : [
          getCreateAccountInstruction({
            payer,
            newAccount: at,
            lamports: rent(),
            space: getTokenSize(),
            programAddress: TOKEN_PROGRAM_ADDRESS,
          }),
          getInitializeAccount3Instruction({ account: token, mint: of, owner }),
        ];
  const give = getMintToInstruction({ mint: of, token, mintAuthority: authority, amount });
  await send(svm, payer, [...create, give], [payer, authority, ...(at ? [at] : [])]);
  accounts.push(token);
  if (counts && amount > 0n) expected.set(owner, (expected.get(owner) ?? 0n) + amount);
}

/** A delegate and a freeze change nobody's balance; what is burned is gone. */
async function change(owner: KeyPairSigner): Promise<void> {
  const source = accounts.at(-1) as Address;
  const approve = getApproveInstruction({ source, delegate: payer.address, owner, amount: 5n });
  const burn = getBurnInstruction({ account: source, mint, authority: owner, amount: 100n });
  const freeze = getFreezeAccountInstruction({ account: source, mint, owner: authority });
  await send(svm, payer, [approve, burn, freeze], [payer, owner, authority]);
  expected.set(owner.address, (expected.get(owner.address) ?? 0n) - 100n);
}

/** `threadFrom` 0: read in a thread from the first byte, as a long list is later. */
function scan(form: ScanForm, lie: Lie = 'none', totalMs = 20_000, threadFrom = 1e9) {
  node.lie = lie;
  return scanTokenAccounts({
    threadFrom,
    upstream,
    node: rpc(),
    mint,
    tokenProgram: TOKEN_PROGRAM,
    form,
    seed: 7,
    maxBytes: 1e9,
    totalMs,
    now: Date.now,
  });
}

for (const [form, lie, threadFrom] of [
  ['plain', 'none', 1e9],
  ['plain', 'spaced_out', 1e9],
  ['paged', 'none', 1e9],
  ['das', 'none', 1e9],
  ['plain', 'none', 0],
  ['plain', 'spaced_out', 0],
  ['paged', 'none', 0],
] as const)
  test(`every owner of a real mint has exactly the token program’s balance (${form}, ${lie}${threadFrom === 0 ? ', in a thread' : ''})`, async () => {
    const found = await scan(form, lie, 20_000, threadFrom);
    assert.ok(found.ok, JSON.stringify(found));
    const { table } = found.value;
    assert.equal(table.count, expected.size);
    for (const [owner, amount] of expected)
      assert.equal(balanceOf(table, SOLANA_KEYS.keyOf(owner) ?? new Uint8Array()), amount);
    const read = await createSolanaReader(upstream, [rpc()]).accounts([mint]);
    const account = read.ok ? read.value.accounts[0] : null;
    assert.equal(account && decodeMint(account.owner, account.data)?.supply, totalOf(table));
    assert.deepEqual([found.value.accounts, found.value.zeroAccounts], [HOLDERS + HOLDERS / 8, 1]);
    assert.ok(found.value.slot > 0 && (form === 'das' || found.value.bytes > 1_000));
  });

test('the twenty largest accounts are reported with their owners, and labelled as such', async () => {
  node.lie = 'none';
  const found = await scanLargest(createSolanaReader(upstream, [rpc()]), mint, Date.now);
  assert.ok(found.ok);
  assert.deepEqual([found.value.method, found.value.accounts], ['top20_only', 20]);
  const largest = [...expected.values()].sort((a, b) => (a > b ? -1 : 1))[0];
  assert.ok(largest !== undefined && totalOf(found.value.table) > largest);
});

const LIES: readonly (readonly [ScanForm, Lie, string, threadFrom?: 0])[] = [
  ['plain', 'error_in_200', 'refused'],
  ['plain', 'forbidden', 'refused'],
  ['plain', 'slow_down', 'rate_limited'],
  ['plain', 'cut', 'malformed'],
  ['plain', 'wrong_slice', 'malformed'],
  ['plain', 'not_base64', 'malformed'],
  ['plain', 'not_json', 'malformed'],
  ['paged', 'repeat_page', 'malformed'],
  ['paged', 'circle', 'malformed'],
  ['das', 'repeat_page', 'malformed'],
  ['das', 'circle', 'malformed'],
  ['plain', 'cut', 'malformed', 0],
  ['plain', 'wrong_slice', 'malformed', 0],
  ['plain', 'not_json', 'malformed', 0],
  ['paged', 'repeat_page', 'malformed', 0],
];
for (const [form, lie, reason, threadFrom] of LIES)
  test(`a false node (${form}, ${lie}${threadFrom === 0 ? ', in a thread' : ''}) gives a fault and no table`, async () => {
    const found = await scan(form, lie, 20_000, threadFrom);
    assert.equal(found.ok ? 'a table' : found.reason, reason);
  });

test('a node that stalls is left at the deadline', async () => {
  const found = await scan('plain', 'stall', 400);
  assert.equal(found.ok ? 'a table' : found.reason, 'unreachable');
});

test('the supply reveals what no single reply can: a skipped page is too little, a doubled list too much', async () => {
  const supply = [...expected.values()].reduce((sum, one) => sum + one, 0n);
  const skipped = await scan('paged', 'skip_page');
  const skippedHere = await scan('das', 'skip_page');
  assert.ok(skippedHere.ok && totalOf(skippedHere.value.table) < supply);
  const doubled = await scan('plain', 'every_account_twice');
  assert.ok(skipped.ok && doubled.ok);
  assert.ok(totalOf(skipped.value.table) < supply);
  assert.equal(totalOf(doubled.value.table), 2n * supply);
});

test('Token-2022 accounts, longer than others, are requested by their mint alone', async () => {
  node.lie = 'none';
  const wide = new Uint8Array(170);
  const bytes = Buffer.from(SOLANA_KEYS.keyOf(mint) ?? []);
  wide.set(bytes, 0);
  wide.set(bytes, 32);
  wide[64] = 9;
  wide[108] = 1;
  wide[165] = 2;
  const [at, program] = [await generateKeyPairSigner(), TOKEN_2022_PROGRAM as Address];
  svm.setAccount({
    address: at.address,
    data: wide,
    executable: false,
    lamports: rent(),
    programAddress: program,
    space: 170n,
  });
  accounts.push(at.address);
  const options = {
    upstream,
    node: rpc(),
    mint,
    form: 'plain',
    seed: 1,
    maxBytes: 1e9,
    totalMs: 9_000,
    now: Date.now,
  } as const;
  const found = await scanTokenAccounts({ ...options, tokenProgram: TOKEN_2022_PROGRAM });
  assert.ok(found.ok);
  assert.deepEqual([found.value.table.count, totalOf(found.value.table)], [1, 9n]);
});

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type Address, generateKeyPairSigner, type Instruction, type KeyPairSigner, lamports } from '@solana/kit';
import { getCreateAccountInstruction, getTransferSolInstruction } from '@solana-program/system';
import {
  findAssociatedTokenPda,
  getBurnInstruction,
  getCloseAccountInstruction,
  getCreateAssociatedTokenInstructionAsync,
  getInitializeAccount3Instruction,
  getInitializeMint2Instruction,
  getMintSize,
  getMintToInstruction,
  getSyncNativeInstruction,
  getTokenSize,
  getTransferInstruction,
  TOKEN_PROGRAM_ADDRESS,
} from '@solana-program/token';
import type { LiteSVM } from 'litesvm';
import { decodeTokenAccount } from '../src/chains/decoders/token-programs.ts';
import { WRAPPED_SOL } from '../src/chains/solana.ts';
import { judgeLaunch } from '../src/snapshots/forensics/launch.ts';
import { STUDIED_PAYERS } from '../src/snapshots/forensics/null-model.ts';
import { drainOf } from '../src/snapshots/forensics/pool-effect.ts';
import { purchasesIn } from '../src/snapshots/forensics/purchases.ts';
import { readTransaction } from '../src/snapshots/forensics/solana/history.ts';
import { fundingIn } from '../src/snapshots/forensics/solana/investigate.ts';
import type { ChainTransaction, Funding, WatchedPool } from '../src/snapshots/forensics/types.ts';
import { send, startChain } from '../src/sources/solana-rpc/fixtures/token-programs.ts';

const SIGNATURE = 'SgSV6gobL1m3zjLAbPrZedtd5sH2c7WoYKZ9V8yUNYXNJeFA71Ph2yTNbt9ybC7Y9ZUE79rVnEkWdwtjiFHA64Z';
const SOL = 1_000_000_000n;
const MONEY = new Set([WRAPPED_SOL, 'native']);
const WRAPPED = WRAPPED_SOL as Address;
let svm: LiteSVM;
let payer: KeyPairSigner;
let creator: KeyPairSigner;
let authority: KeyPairSigner;
let base: Address;
let lp: Address;

before(async () => {
  ({ svm, payer } = await startChain());
  svm.withNativeMints();
  creator = await generateKeyPairSigner();
  authority = await generateKeyPairSigner();
  [base, lp] = [await createMint(6), await createMint(9)];
});

async function createMint(decimals: number): Promise<Address> {
  const mint = await generateKeyPairSigner();
  const account = getCreateAccountInstruction({
    payer,
    newAccount: mint,
    lamports: lamports(svm.minimumBalanceForRentExemption(82n)),
    space: getMintSize(),
    programAddress: TOKEN_PROGRAM_ADDRESS,
  });
  const start = getInitializeMint2Instruction({
    mint: mint.address,
    decimals,
    mintAuthority: payer.address,
    freezeAuthority: null,
  });
  await send(svm, payer, [account, start], [payer, mint]);
  return mint.address;
}
async function account(owner: Address, mint: Address): Promise<Address> {
  const [address] = await findAssociatedTokenPda({ owner, mint, tokenProgram: TOKEN_PROGRAM_ADDRESS });
  await send(svm, payer, [await getCreateAssociatedTokenInstructionAsync({ payer, owner, mint })], [payer]);
  return address;
}
async function mintTo(mint: Address, token: Address, amount: bigint): Promise<void> {
  await send(svm, payer, [getMintToInstruction({ mint, token, mintAuthority: payer, amount })], [payer]);
}

/** Runs a transaction and tells it as a validator does: coins and tokens of every account that it names, before and after. */
async function recorded(
  instructions: readonly Instruction[],
  signers: readonly [KeyPairSigner, ...KeyPairSigner[]],
): Promise<ChainTransaction> {
  const names = new Set<Address>(signers.map((signer) => signer.address));
  for (const { accounts = [], programAddress } of instructions)
    for (const name of [...accounts.map((row) => row.address), programAddress]) names.add(name);
  const keys = [...names];
  const look = () =>
    keys.map((key) => {
      const found = svm.getAccount(key);
      if (!found.exists) return { coins: 0n, token: null };
      return { coins: found.lamports as bigint, token: decodeTokenAccount(found.programAddress, found.data) };
    });
  const earlier = look();
  await send(svm, signers[0], instructions, signers);
  const later = look();
  const tokens = (rows: typeof earlier) =>
    rows.flatMap(({ token }, accountIndex) =>
      token === null
        ? []
        : [{ accountIndex, mint: token.mint, owner: token.owner, uiTokenAmount: { amount: String(token.amount) } }],
    );
  const reply = {
    slot: 1,
    blockTime: 1_700_000_000,
    meta: {
      err: null,
      preBalances: earlier.map((row) => Number(row.coins)),
      postBalances: later.map((row) => Number(row.coins)),
      preTokenBalances: tokens(earlier),
      postTokenBalances: tokens(later),
    },
    transaction: {
      signatures: [SIGNATURE],
      message: {
        accountKeys: keys.map((pubkey) => ({ pubkey, signer: signers.some((signer) => signer.address === pubkey) })),
      },
    },
  };
  const read = readTransaction(reply, SIGNATURE);
  assert.ok(read !== null && read !== 'failed');
  return read;
}

test('the real token program: liquidity removed and unwrapped in one transaction counts once, for the recipient of the coins', async () => {
  await send(
    svm,
    payer,
    [getTransferSolInstruction({ source: payer, destination: creator.address, amount: SOL })],
    [payer],
  );
  const [baseVault, quoteVault] = [await account(authority.address, base), await account(authority.address, WRAPPED)];
  const [ownBase, ownLp] = [await account(creator.address, base), await account(creator.address, lp)];
  await mintTo(base, baseVault, 5_000_000n);
  await mintTo(lp, ownLp, 900n);
  const fill = getTransferSolInstruction({ source: payer, destination: quoteVault, amount: 80n * SOL });
  await send(svm, payer, [fill, getSyncNativeInstruction({ account: quoteVault })], [payer]);
  const purse = await generateKeyPairSigner();
  const removal = await recorded(
    [
      getCreateAccountInstruction({
        payer: creator,
        newAccount: purse,
        lamports: lamports(svm.minimumBalanceForRentExemption(165n)),
        space: getTokenSize(),
        programAddress: TOKEN_PROGRAM_ADDRESS,
      }),
      getInitializeAccount3Instruction({ account: purse.address, mint: WRAPPED, owner: creator.address }),
      getBurnInstruction({ account: ownLp, mint: lp, authority: creator, amount: 880n }),
      getTransferInstruction({ source: quoteVault, destination: purse.address, authority, amount: 78n * SOL }),
      getTransferInstruction({ source: baseVault, destination: ownBase, authority, amount: 4_900_000n }),
      getCloseAccountInstruction({ account: purse.address, destination: creator.address, owner: creator }),
    ],
    [creator, purse, authority],
  );
  const pool: WatchedPool = {
    address: 'pool',
    dex: 'raydium',
    base,
    quote: WRAPPED_SOL,
    baseDecimals: 6,
    quoteDecimals: 9,
    accounts: new Set([baseVault, quoteVault]),
    owners: new Set([authority.address]),
  };
  const drain = drainOf(removal, pool, 80n * SOL, MONEY);
  assert.equal(drain?.kind, 'removal');
  assert.equal(drain?.quoteAmount, 78n * SOL);
  assert.equal(drain?.baseAmount, 4_900_000n);
  assert.equal(drain?.actor, creator.address);
  assert.equal(drain?.liquidityOwner, creator.address);
  const [recipient, ...others] = drain?.recipients ?? [];
  assert.deepEqual([recipient?.address, recipient?.asset, others.length], [creator.address, 'native', 0]);
  // All of it but the fee of the signatures.
  const paid = 78n * SOL - (recipient?.amount ?? 0n);
  assert.ok(paid >= 0n && paid <= 20_000n, String(paid));
});

test('a first payment to a new wallet is reported with its sender', async () => {
  const fresh = await generateKeyPairSigner();
  const first = await recorded(
    [getTransferSolInstruction({ source: creator, destination: fresh.address, amount: 10n * SOL })],
    [creator],
  );
  const funding = fundingIn(first, fresh.address);
  assert.deepEqual([funding?.funder, funding?.amount], [creator.address, 10n * SOL]);
  const second = await recorded(
    [getTransferSolInstruction({ source: payer, destination: fresh.address, amount: 10n * SOL })],
    [payer],
  );
  assert.equal(fundingIn(second, fresh.address), null);
});

test('tokens sent to a wallet without coins are not a first payment', async () => {
  const fresh = await generateKeyPairSigner();
  const [theirs] = await findAssociatedTokenPda({
    owner: fresh.address,
    mint: base,
    tokenProgram: TOKEN_PROGRAM_ADDRESS,
  });
  const create = await getCreateAssociatedTokenInstructionAsync({ payer: creator, owner: fresh.address, mint: base });
  const gift = getMintToInstruction({ mint: base, token: theirs, mintAuthority: payer, amount: 5n });
  const airdrop = await recorded([create, gift], [creator, payer]);
  assert.equal(fundingIn(airdrop, fresh.address), null);
});

/** A launch on the real token program: the curve is filled, and each buyer pays coins into it and gets its part, in the same slot. */
async function launch(payers: readonly KeyPairSigner[]) {
  const [mint, maker, curve] = [await createMint(6), await generateKeyPairSigner(), await generateKeyPairSigner()];
  const supply = 1_000_000n;
  const fund = (source: KeyPairSigner, destination: Address, amount: bigint) =>
    recorded([getTransferSolInstruction({ source, destination, amount })], [source]);
  await fund(payer, maker.address, 10n * SOL);
  await fund(payer, curve.address, 10n * SOL);
  const vault = await account(curve.address, mint);
  const opening = await recorded(
    [getMintToInstruction({ mint, token: vault, mintAuthority: payer, amount: supply })],
    [maker, payer],
  );
  const rows = [{ ...opening, id: 'opening' }];
  const fundings = new Map<string, Funding>();
  for (const [index, source] of payers.entries()) {
    const buyer = await generateKeyPairSigner();
    const first = await fund(source, buyer.address, SOL + BigInt(index) * 137_000_000n);
    const funding = fundingIn({ ...first, at: '2023-11-14T00:00:00.000Z' }, buyer.address);
    assert.equal(funding?.funder, source.address);
    if (funding !== null) fundings.set(buyer.address, funding);
    const own = await account(buyer.address, mint);
    const bought = await recorded(
      [
        getTransferSolInstruction({ source: buyer, destination: curve.address, amount: SOL / 2n }),
        getTransferInstruction({ source: vault, destination: own, authority: curve, amount: supply / 10n }),
      ],
      [buyer, curve],
    );
    rows.push({ ...bought, id: `buy ${index}` });
  }
  const positions = new Map(rows.map((row, index) => [row.id, 40 + index * 9]));
  const purchases = purchasesIn({ rows, positions }, mint, null);
  assert.ok(purchases !== null);
  const reading = { ...purchases, pool: curve.address, dex: 'curve', supply };
  const services = new Set<string>();
  const reference = STUDIED_PAYERS;
  return judgeLaunch(reading, { creator: maker.address, fundings, services, reference });
}

test('launches on the real token program: buyers whom one wallet paid are a bundle, buyers of their own are snipers', async () => {
  const sources: KeyPairSigner[] = [];
  for (let index = 0; index < 5; index += 1) {
    const source = await generateKeyPairSigner();
    svm.airdrop(source.address, lamports(100n * SOL));
    sources.push(source);
  }
  const [paymaster] = sources;
  assert.ok(paymaster);
  const bundled = await launch(Array.from({ length: 5 }, () => paymaster));
  assert.equal(bundled.bundles.length, 1);
  assert.equal(bundled.bundles[0]?.members.length, 5);
  assert.equal(bundled.bundles[0]?.funder, paymaster.address);
  assert.ok(Math.abs((bundled.bundles[0]?.share ?? 0) - 0.5) < 1e-9);
  const honest = await launch(sources);
  assert.deepEqual(honest.bundles, []);
  assert.equal(honest.snipers.length, 5);
});

import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import {
  AccountRole,
  type Address,
  address,
  appendTransactionMessageInstructions,
  createTransactionMessage,
  generateKeyPairSigner,
  type Instruction,
  type KeyPairSigner,
  lamports,
  pipe,
  setTransactionMessageFeePayerSigner,
  signTransactionMessageWithSigners,
} from '@solana/kit';
import { FailedTransactionMetadata, type LiteSVM } from 'litesvm';
import { assetHash, sha256 } from '../../src/attestation/claim.ts';
import { solanaMessage, solanaRevocation } from '../../src/attestation/solana-message.ts';
import { targetOf } from '../../src/attestation/targets.ts';
import { startChain } from '../../src/sources/solana-rpc/fixtures/token-programs.ts';
import { ASSET, claimAt, type Draw } from './forged-attestations.ts';
import { assembleSbpf } from './sbpf.ts';

const SOURCE = new URL('../../integrations/solana/rated-vault.s', import.meta.url);
const PRECOMPILE = address('Ed25519SigVerify111111111111111111111111111');
const INSTRUCTIONS = address('Sysvar1nstructions1111111111111111111111111');
const CLOCK = address('SysvarC1ock11111111111111111111111111111111');
const MAINNET = targetOf('solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp');
const DEVNET = targetOf('solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1');
if (MAINNET?.kind !== 'solana' || DEVNET?.kind !== 'solana') throw new Error('records are signed for both clusters');
const [HERE, ELSEWHERE] = [MAINNET, DEVNET];

/** A key that signs messages, with its 32 public bytes. */
function ed25519Key() {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  return { privateKey, bytes: publicKey.export({ format: 'der', type: 'spki' }).subarray(-32) };
}
const SERVICE = ed25519Key();
const STRANGER = ed25519Key();

/** Data of an instruction of the precompile; where `indices` are not 0xffff, its parts are those of another instruction. */
export function precompileData(
  message: Uint8Array,
  signature: Uint8Array,
  key: Uint8Array,
  { count = 1, index = 0xffff } = {},
): Buffer {
  const [KEY_AT, SIGNATURE_AT, MESSAGE_AT] = [16, 48, 112];
  const head = Buffer.alloc(KEY_AT);
  head.writeUInt8(count, 0);
  for (const [place, value] of [SIGNATURE_AT, index, KEY_AT, index, MESSAGE_AT, message.length, index].entries())
    head.writeUInt16LE(value, 2 + 2 * place);
  return Buffer.concat([head, key, signature, message]);
}

const signed = (message: Uint8Array, by: { privateKey: KeyObject; bytes: Uint8Array } = SERVICE) =>
  precompileData(message, sign(null, message, by.privateKey), by.bytes);
const precompile = (data: Uint8Array): Instruction => ({ programAddress: PRECOMPILE, accounts: [], data });

/** A record for this cluster, signed by the service; seconds since the epoch. */
export const record = (asOfSeconds: number, about: Parameters<typeof claimAt>[1] = {}, target = HERE) =>
  signed(solanaMessage(claimAt(asOfSeconds * 1000, about), target));
export const revocation = (notBefore: number, by = SERVICE, target = HERE, asset = assetHash(ASSET, 'live')) =>
  signed(solanaRevocation(asset, notBefore, target), by);
export const byStranger = STRANGER;
export const onAnotherCluster = ELSEWHERE;

export const WORST_BAND = 3;
export const LEAST_TRUST = 500;
const OLDEST_MS = 36 * 3_600_000;

export interface SolanaVault {
  readonly svm: LiteSVM;
  /** Seconds since the epoch, by the clock of the chain. */
  readonly now: number;
  /** Sends the instructions; why they were refused (`custom 9`, or what the chain says), null when they passed. */
  attempt(instructions: readonly Instruction[]): Promise<string | null>;
  /** An instruction of the vault; `accounts` in place of the right ones. */
  call(operation: 'deposit' | 'revoke', accounts?: readonly Address[]): Instruction;
  deposit(data: Uint8Array): Promise<string | null>;
  revoke(data: Uint8Array): Promise<string | null>;
  /** Deposits that the vault has let pass, and the time before which records are void. */
  state(): { readonly deposits: bigint; readonly notBefore: bigint };
  /** Compute units of the last transaction. */
  units(): bigint;
  readonly stateAddress: Address;
}

/** The vault of integrations/solana on a chain of its own, which trusts the test's key for one asset. */
export async function startSolanaVault(): Promise<SolanaVault> {
  const { svm, payer } = await startChain();
  const [program, state] = [await generateKeyPairSigner(), await generateKeyPairSigner()];
  svm.addProgram(program.address, assembleSbpf(readFileSync(SOURCE, 'utf8')));
  const now = 1_795_000_000;
  const clock = svm.getClock();
  clock.unixTimestamp = BigInt(now);
  svm.setClock(clock);
  const bytes = Buffer.alloc(136);
  bytes.set(SERVICE.bytes, 0);
  bytes.set(HERE.genesis, 32);
  bytes.set(assetHash(ASSET, 'live'), 64);
  for (const [index, value] of [WORST_BAND, LEAST_TRUST, OLDEST_MS].entries())
    bytes.writeBigUInt64LE(BigInt(value), 96 + 8 * index);
  svm.setAccount({
    address: state.address,
    data: Uint8Array.from(bytes),
    executable: false,
    lamports: lamports(10_000_000n),
    programAddress: program.address,
    space: 136n,
  });
  let units = 0n;
  const call: SolanaVault['call'] = (operation, accounts = [state.address, INSTRUCTIONS, CLOCK]) => ({
    programAddress: program.address,
    accounts: accounts.map((one) => ({
      address: one,
      role: one === state.address ? AccountRole.WRITABLE : AccountRole.READONLY,
    })),
    data: Uint8Array.of(operation === 'deposit' ? 0 : 1),
  });
  const attempt = async (instructions: readonly Instruction[]) => {
    const outcome = await sent(svm, payer, instructions);
    units = outcome.units;
    return outcome.refused;
  };
  return {
    svm,
    now,
    attempt,
    call,
    deposit: (data) => attempt([precompile(data), call('deposit')]),
    revoke: (data) => attempt([precompile(data), call('revoke')]),
    state() {
      const account = svm.getAccount(state.address);
      if (!account.exists) throw new Error('the state is gone');
      const data = Buffer.from(account.data);
      return { notBefore: data.readBigUInt64LE(120), deposits: data.readBigUInt64LE(128) };
    },
    units: () => units,
    stateAddress: state.address,
  };
}

async function sent(svm: LiteSVM, payer: KeyPairSigner, instructions: readonly Instruction[]) {
  svm.expireBlockhash();
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (draft) => setTransactionMessageFeePayerSigner(payer, draft),
    (draft) => appendTransactionMessageInstructions(instructions, draft),
    (draft) => svm.setTransactionMessageLifetimeUsingLatestBlockhash(draft),
  );
  const result = svm.sendTransaction(await signTransactionMessageWithSigners(message));
  if (!(result instanceof FailedTransactionMetadata)) return { refused: null, units: result.computeUnitsConsumed() };
  const logs = result.meta().logs().join(' ');
  const custom = /custom program error: 0x([0-9a-f]+)/.exec(logs)?.[1];
  return {
    refused: custom === undefined ? `the chain: ${result.err()}` : `custom ${Number.parseInt(custom, 16)}`,
    units: result.meta().computeUnitsConsumed(),
  };
}

interface Moment {
  readonly vault: SolanaVault;
  /** Milliseconds since the epoch: the newest record that the vault has seen. */
  readonly newest: number;
}

/** Ways in which a record must not pass, each made anew from random numbers, as instructions before the vault's. */
export const SOLANA_FORGERIES: Readonly<Record<string, (draw: Draw, moment: Moment) => readonly Instruction[]>> = {
  'signed by somebody else': (draw, { vault }) => {
    const message = solanaMessage(claimAt((vault.now - Math.floor(draw() * 1e3)) * 1000), HERE);
    return [precompile(signed(message, STRANGER)), vault.call('deposit')];
  },
  'under the key of the service, signed by somebody else': (_draw, { vault }) => {
    const message = solanaMessage(claimAt((vault.now - 10) * 1000), HERE);
    const signature = sign(null, message, STRANGER.privateKey);
    return [precompile(precompileData(message, signature, SERVICE.bytes)), vault.call('deposit')];
  },
  'a bit changed': (draw, { vault }) => {
    const data = record(vault.now - 60);
    const at = Math.floor(draw() * data.length);
    // The second byte is padding to the precompile; the vault wants it zero.
    data.writeUInt8(data.readUInt8(at) ^ (1 << Math.floor(draw() * 8)), at);
    return [precompile(data), vault.call('deposit')];
  },
  expired: (draw, { vault }) => {
    const asOf = vault.now - 36 * 3_600 - Math.floor(draw() * 1e6);
    return [precompile(record(asOf)), vault.call('deposit')];
  },
  'with an end that is over': (draw, { vault, newest }) => {
    const asOf = Math.floor(newest / 1000) + 1;
    return [precompile(record(asOf, { expiresAt: vault.now - Math.floor(draw() * 1e4) })), vault.call('deposit')];
  },
  'from the future': (draw, { vault }) => [
    precompile(record(vault.now + 1 + Math.floor(draw() * 1e6))),
    vault.call('deposit'),
  ],
  'for another cluster': (_draw, { vault }) => [
    precompile(record(vault.now - 60, {}, ELSEWHERE)),
    vault.call('deposit'),
  ],
  'of another asset': (draw, { vault }) => [
    precompile(record(vault.now - 60, { asset: sha256(`asset ${draw()}`) })),
    vault.call('deposit'),
  ],
  'of the asset in a sandbox': (_draw, { vault }) => [
    precompile(record(vault.now - 60, { asset: assetHash(ASSET, 'sandbox') })),
    vault.call('deposit'),
  ],
  'older than one that was shown': (draw, { vault, newest }) => [
    precompile(signed(solanaMessage(claimAt(newest - 1 - Math.floor(draw() * 1e6)), HERE))),
    vault.call('deposit'),
  ],
  'of a worse band': (draw, { vault }) => [
    precompile(record(vault.now - 60, { band: 4 + Math.floor(draw() * 6) })),
    vault.call('deposit'),
  ],
  'of less trust': (draw, { vault }) => [
    precompile(record(vault.now - 60, { trust: Math.floor(draw() * 500) })),
    vault.call('deposit'),
  ],
  'a revocation in place of a rating': (_draw, { vault }) => [
    precompile(revocation((vault.now - 60) * 1000)),
    vault.call('deposit'),
  ],
  'no record before it': (draw, { vault }) =>
    draw() < 0.5 ? [vault.call('deposit')] : [vault.call('deposit'), precompile(record(vault.now - 60))],
  'in another instruction than the one before': (_draw, { vault, newest }) => {
    const good = precompile(signed(solanaMessage(claimAt(newest), HERE)));
    const other = precompile(signed(solanaMessage(claimAt((vault.now - 60) * 1000), HERE), STRANGER));
    return [good, other, vault.call('deposit')];
  },
  'signed parts that are those of another instruction': (_draw, { vault }) => {
    const honest = new TextEncoder().encode('x'.repeat(136));
    const real = precompileData(honest, sign(null, honest, STRANGER.privateKey), STRANGER.bytes);
    const forged = solanaMessage(claimAt((vault.now - 60) * 1000), HERE);
    // The precompile checks what the first instruction holds; the second only looks like a record of the service.
    const shown = precompileData(forged, new Uint8Array(64), SERVICE.bytes, { index: 0 });
    return [precompile(real), precompile(shown), vault.call('deposit')];
  },
  'nothing that the precompile checked': (_draw, { vault }) => {
    const forged = solanaMessage(claimAt((vault.now - 60) * 1000), HERE);
    const data = precompileData(forged, new Uint8Array(64), SERVICE.bytes, { count: 0 });
    return [precompile(data), vault.call('deposit')];
  },
  'bytes of a record in another program': (_draw, { vault }) => [
    {
      programAddress: address('ComputeBudget111111111111111111111111111111'),
      accounts: [],
      data: Uint8Array.of(2, 0, 0, 9, 0),
    },
    vault.call('deposit'),
  ],
};

/** Tries so many forgeries, each kind in turn. */
export async function trySolanaForgeries(
  vault: SolanaVault,
  { count, newest, draw }: { readonly count: number; readonly newest: number; readonly draw: Draw },
) {
  const kinds = Object.entries(SOLANA_FORGERIES);
  const tried: Record<string, number> = {};
  const reasons: Record<string, string[]> = {};
  const accepted: string[] = [];
  for (let at = 0; at < count; at += 1) {
    const [kind, forge] = kinds[at % kinds.length] ?? [];
    if (kind === undefined || forge === undefined) throw new Error('there are no forgeries');
    tried[kind] = (tried[kind] ?? 0) + 1;
    const before = vault.state();
    const reason = await vault.attempt(forge(draw, { vault, newest }));
    if (reason === null || vault.state().deposits !== before.deposits) accepted.push(kind);
    else if (!reasons[kind]?.includes(reason.slice(0, 60)))
      reasons[kind] = [...(reasons[kind] ?? []), reason.slice(0, 60)];
  }
  return { tried, reasons, accepted };
}

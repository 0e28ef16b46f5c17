import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { base58 } from '@scure/base';
import { keccak256, recoverAddress } from 'viem';
import {
  type EasRecord,
  type RatingProof,
  type VerifyingKey,
  verifyAttestation,
  verifyEd25519Record,
  verifyRecord,
} from '../client/src/index.ts';
import { CHAINS_ATTESTED } from '../src/attestation/index.ts';
import { AttestationQuery } from '../src/contract/index.ts';
import { type TestService, testService } from './support/service.ts';

interface Attestation {
  readonly asset_id: string;
  readonly as_of: string;
  readonly expires_at: string;
  readonly claim: { readonly record_sha256: string };
  readonly eas: (EasRecord & { readonly signer: string }) | null;
  readonly solana: { readonly message: string; readonly signature: string; readonly key_id: string } | null;
}
interface Keys {
  readonly keys: readonly VerifyingKey[];
  readonly attestation_keys: readonly { readonly address: string }[];
}

const MAINNET = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';
const CLUSTER = `solana:${MAINNET.slice(0, 32)}`;
const DOMAIN = { version: '0.26', chainId: 1, verifyingContract: '0xA1207F3BBa224E2c9c3c6D5aF63D0eb1582Ce587' };
const viem = { keccak256: (bytes: Uint8Array) => keccak256(bytes), recoverAddress };
let world: TestService;
let asset: string;

before(async () => {
  world = await testService({ freshSeconds: 0 });
  asset = await rate();
});
after(() => world.close());

async function rate(): Promise<string> {
  const reply = await world.call('/v1/score', {
    json: { type: 'posttge', project: 'Tidewell', project_url: 'https://tidewell.example/', token_symbol: 'TIDE' },
  });
  assert.equal(reply.status, 200);
  return ((await reply.json()) as { readonly asset: { readonly id: string } }).asset.id;
}

const read = async <Value>(path: string) => (await (await world.call(path)).json()) as Value;
const attested = (chain: string) =>
  read<Attestation>(`/v1/rms/${encodeURIComponent(asset)}/attestation?chain=${chain}`);
const expected = () => ({ asset, dataMode: 'sandbox', worstBand: 9, now: Date.now() }) as const;

test('a rating is attested for an EVM chain: the client verifies it by the published address, and refuses it elsewhere', async () => {
  const { eas, as_of, expires_at, claim } = await attested('eip155:1');
  assert.ok(eas);
  const { attestation_keys } = await read<Keys>('/.well-known/assay-keys.json');
  const signers = attestation_keys.map(({ address }) => address);
  const here = { ...expected(), domain: DOMAIN, signers };
  const verified = await verifyAttestation(eas, here, viem);
  assert.ok(verified.valid, JSON.stringify(verified));
  assert.equal(verified.rating.recordSha256, claim.record_sha256);
  assert.equal(Date.parse(expires_at) - Math.floor(Date.parse(as_of) / 1000) * 1000, 36 * 3_600_000);
  const changed = { sig: { ...eas.sig, message: { ...eas.sig.message, expirationTime: '9999999999' } } };
  for (const [record, wanted, reason] of [
    [eas, { ...here, domain: { ...DOMAIN, chainId: 10 } }, 'other_chain'],
    [eas, { ...here, asset: 'eip155:1/slip44:60' }, 'other_asset'],
    // The same asset of a live service: no record of a sandbox is one of it.
    [eas, { ...here, dataMode: 'live' }, 'other_asset'],
    [eas, { ...here, signers: ['0x0000000000000000000000000000000000000001'] }, 'unknown_key'],
    [eas, { ...here, now: Date.parse(expires_at) }, 'expired'],
    [eas, { ...here, now: Date.parse(as_of) - 2_000 }, 'not_yet_valid'],
    [eas, { ...here, notBefore: Date.parse(as_of) + 1 }, 'revoked'],
    [eas, { ...here, worstBand: -1 }, 'band_too_low'],
    [changed, here, 'unknown_key'],
    [{ sig: { ...eas.sig, domain: { ...eas.sig.domain, chainId: 10 } } }, here, 'other_chain'],
  ] as const)
    assert.deepEqual(await verifyAttestation(record, wanted, viem), { valid: false, reason });
});

test('a rating is attested for Solana: the client verifies the message without another library', async () => {
  const { solana, eas } = await attested(CLUSTER);
  assert.ok(solana && eas === null);
  const { keys } = await read<Keys>('/.well-known/assay-keys.json');
  const here = { ...expected(), genesis: base58.decode(MAINNET) };
  const verified = await verifyEd25519Record(solana, here, keys);
  assert.ok(verified.valid, JSON.stringify(verified));
  const message = Buffer.from(solana.message, 'base64');
  message.writeUInt8(0, 80);
  const better = { ...solana, message: message.toString('base64') };
  assert.deepEqual(await verifyEd25519Record(better, here, keys), { valid: false, reason: 'wrong_signature' });
  const elsewhere = { ...here, genesis: new Uint8Array(32) };
  assert.deepEqual(await verifyEd25519Record(solana, elsewhere, keys), { valid: false, reason: 'other_chain' });
});

test('a record carries the hash that the rating has in the log', async () => {
  const { claim } = await attested('eip155:1');
  let proofs: readonly RatingProof[] = [];
  for (let turn = 0; turn < 300 && proofs.length === 0; turn += 1) {
    proofs = (await read<{ readonly data: readonly RatingProof[] }>(`/v1/rms/${encodeURIComponent(asset)}/proofs`))
      .data;
    if (proofs.length === 0) await new Promise((resolve) => setTimeout(resolve, 100));
  }
  assert.equal(JSON.parse(proofs.at(-1)?.leaf ?? '{}').record_sha256, claim.record_sha256);
});

test('a newer rating revokes the records before it, in a list that is signed and open', async () => {
  const before = await attested('eip155:1');
  await rate();
  for (const cursor of ['abc', '12', 'WyIyMDI2Il0']) {
    const refused = await world.call(`/v1/log/revocations?cursor=${cursor}`, { key: null });
    assert.equal(refused.status, 400, `${cursor} is not of this list`);
  }
  const reply = await world.call('/v1/log/revocations', { key: null });
  const list = (await reply.json()) as {
    readonly data: readonly { readonly asset_id: string; readonly not_before: number; readonly reason: string }[];
  };
  const { keys, attestation_keys } = await read<Keys>('/.well-known/assay-keys.json');
  assert.deepEqual((await verifyRecord(list, keys)).valid, true);
  assert.deepEqual((await verifyRecord({ ...list, data: [] }, keys)).valid, false);
  const [line] = list.data;
  assert.deepEqual([line?.asset_id, line?.reason], [asset, 'replaced']);
  const signers = attestation_keys.map(({ address }) => address);
  const here = { ...expected(), domain: DOMAIN, signers, notBefore: line?.not_before ?? 0 };
  assert.ok(before.eas);
  assert.deepEqual(await verifyAttestation(before.eas, here, viem), { valid: false, reason: 'revoked' });
  const after = await attested('eip155:1');
  assert.ok(after.eas);
  assert.ok((await verifyAttestation(after.eas, here, viem)).valid);
});

test('the chains that a query may name are those that records are signed for', async () => {
  const chain = AttestationQuery.properties.chain as unknown as { readonly enum: readonly string[] };
  assert.deepEqual(chain.enum, CHAINS_ATTESTED);
  assert.equal((await world.call(`/v1/rms/${encodeURIComponent(asset)}/attestation?chain=eip155:5`)).status, 400);
});

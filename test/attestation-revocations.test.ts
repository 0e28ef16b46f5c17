import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { keccak256, recoverAddress, recoverTypedDataAddress } from 'viem';
import { verifyAttestation } from '../client/src/index.ts';
import { type Attestations, openAttestations } from '../src/attestation/index.ts';
import type { PublishedRating } from '../src/domain/published.ts';
import { createAttestationSigner } from '../src/signing/digest-signer.ts';
import { createSigner } from '../src/signing/signer.ts';
import { storeRatingRestatement } from '../src/store/ratings/disclosures.ts';
import { type RatingWorld, ratingOf, ratingWorld, solanaAsset } from './support/rating-world.ts';

const KEPT = solanaAsset('JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN', 'KEPT');
const LEFT = solanaAsset('7vfCXTUXx5WJV5JADk17DUJ4ksgau7utNKj4b963voxs', 'LEFT');
const FAILED = solanaAsset('DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263', 'FAILED');
const NONE = { score: null, smoothedScore: null, scoreInterval: null, band: 'NR', indicativeBand: 'NR' } as const;
const DOMAIN = { version: '0.26', chainId: 1, verifyingContract: '0xA1207F3BBa224E2c9c3c6D5aF63D0eb1582Ce587' };
const BEFORE = '2026-11-20T10:00:00.000Z';
const LATER = '2026-11-20T11:00:00.000Z';
let world: RatingWorld;
let open: (mode: 'live' | 'sandbox') => Attestations;
let signers: readonly string[];

before(async () => {
  world = await ratingWorld(LATER);
  const { db } = world.store;
  const now = () => world.clock.now;
  const [signer, attester] = [await createSigner(db, now), await createAttestationSigner(db, now)];
  signers = (await attester.keys()).map(({ address }) => address);
  open = (mode) => openAttestations({ db, signer, attester, mode, validHours: 36, now });
  for (const asset of [KEPT, LEFT, FAILED]) await world.put(ratingOf(asset, BEFORE, { action: 'new' }));
});
after(() => world.close());

/** The newest published rating of the asset, as a record for Ethereum. */
async function attested({ id }: { readonly id: string }, mode: 'live' | 'sandbox' = 'live') {
  const rating = await world.reader.latest(id);
  assert.ok(rating);
  return open(mode).attest({ assetId: id, asOf: rating.asOf, record: rating.record }, 'eip155:1');
}
const judge = (record: Parameters<typeof verifyAttestation>[0], asset: string, more: object = {}) =>
  verifyAttestation(
    record,
    { asset, worstBand: 3, now: world.clock.now, signers, domain: DOMAIN, ...more },
    { keccak256: (bytes) => keccak256(bytes), recoverAddress },
  );

test('a withdrawn and a defaulted rating void the records before them, by signed lines', async () => {
  const records = new Map<string, Parameters<typeof verifyAttestation>[0]>();
  for (const asset of [KEPT, LEFT, FAILED]) {
    const signed = await attested(asset);
    assert.ok(signed.kind === 'eas');
    assert.ok((await judge(signed.attestation, asset.id)).valid);
    records.set(asset.id, signed.attestation);
  }
  assert.deepEqual(await open('live').revocations('eip155:1', { after: '', limit: 10 }), []);
  const put = (asset: typeof KEPT, changes: Partial<PublishedRating>) => world.put(ratingOf(asset, LATER, changes));
  await put(LEFT, { ...NONE, action: 'withdraw' });
  await put(FAILED, { band: 'D', score: 4.9, action: 'downgrade' });
  const lines = await open('live').revocations('eip155:1', { after: '', limit: 10 });
  assert.deepEqual(
    lines.map(({ assetId, reason, notBefore }) => [assetId, reason, notBefore]).sort(),
    [
      [LEFT.id, 'withdrawn', Date.parse(LATER)],
      [FAILED.id, 'defaulted', Date.parse(LATER)],
    ].sort(),
  );
  for (const { assetId, notBefore, eas } of lines) {
    const record = records.get(assetId);
    assert.ok(record && eas);
    assert.deepEqual(await judge(record, assetId, { notBefore }), { valid: false, reason: 'revoked' });
    const signer = await recoverTypedDataAddress({
      domain: eas.domain,
      types: {
        Revoke: [
          { name: 'schema', type: 'bytes32' },
          { name: 'asset', type: 'bytes32' },
          { name: 'notBefore', type: 'uint64' },
        ],
      },
      primaryType: 'Revoke',
      message: { ...eas.message, notBefore: BigInt(notBefore) },
      signature: `${eas.signature.r}${eas.signature.s.slice(2)}${eas.signature.v.toString(16)}` as `0x${string}`,
    });
    assert.ok(signers.includes(signer));
  }
  // A rating that is gone is not signed any more; a default is, as the worst band.
  const [left, failed] = [await attested(LEFT), await attested(FAILED)];
  assert.deepEqual(left, { kind: 'refused', reason: 'not_rated' });
  assert.ok(failed.kind === 'eas' && failed.claim.band === 9);
  assert.deepEqual(await judge(failed.attestation, FAILED.id), { valid: false, reason: 'band_too_low' });
});

test('a sandbox signs nothing that a consumer of live ratings accepts, even with a trusted key', async () => {
  const [fictional, real] = [await attested(KEPT, 'sandbox'), await attested(KEPT)];
  assert.ok(fictional.kind === 'eas' && real.kind === 'eas');
  assert.deepEqual(await judge(fictional.attestation, KEPT.id), { valid: false, reason: 'other_asset' });
  assert.ok((await judge(fictional.attestation, KEPT.id, { dataMode: 'sandbox' })).valid);
  assert.deepEqual(await judge(real.attestation, KEPT.id, { dataMode: 'sandbox' }), {
    valid: false,
    reason: 'other_asset',
  });
  const page = { after: '', limit: 10 };
  const [live, sandbox] = await Promise.all([
    open('live').revocations('eip155:1', page),
    open('sandbox').revocations('eip155:1', page),
  ]);
  assert.equal(live.length, 2);
  for (const [index, line] of live.entries()) assert.notDeepEqual(line.asset, sandbox[index]?.asset);
});

test('a rating that was corrected is not signed any more, and its records are void until a newer one', async () => {
  const asset = solanaAsset('9n4nbM75f5Ui33ZbPYXn59EwSgE8CGsHtAeTH5YFeJ9E', 'WRONG');
  await world.put(ratingOf(asset, BEFORE, { action: 'new' }));
  const signed = await attested(asset);
  assert.ok(signed.kind === 'eas');
  const { db } = world.store;
  const { id } = await db
    .selectFrom('published_ratings')
    .select('id')
    .where('asset_id', '=', asset.id)
    .executeTakeFirstOrThrow();
  const body = JSON.stringify({ before: { band: 'BBB', score: 70 }, after: { band: 'CC', score: 25 } });
  const correction = { made_at: LATER, reason: 'a source was wrong', body, signature: '{}' };
  const record = Buffer.from('{"band":"CC","score":25}');
  await storeRatingRestatement(db, { asset_id: asset.id, rating_id: id, ...correction, record });
  assert.deepEqual(await attested(asset), { kind: 'refused', reason: 'corrected' });
  const lineOf = async () =>
    (await open('live').revocations('eip155:1', { after: '', limit: 10 })).find((line) => line.assetId === asset.id);
  const line = await lineOf();
  assert.deepEqual([line?.reason, line?.notBefore, line?.revokedAt], ['corrected', Date.parse(BEFORE) + 1, LATER]);
  const notBefore = line?.notBefore ?? 0;
  assert.deepEqual(await judge(signed.attestation, asset.id, { notBefore }), { valid: false, reason: 'revoked' });

  // A correction that takes the first one back.
  const [published, wrong] = [
    { band: 'BBB', score: 70 },
    { band: 'CC', score: 25 },
  ];
  const bodyOf = (before: object, after: object) => JSON.stringify({ before, after });
  const other = solanaAsset('27G8MtK7VtTcCHkpASjSDdkWWYfoqT6ggEuKidVJidD4', 'RIGHT');
  await world.put(ratingOf(other, BEFORE, { action: 'new' }));
  const { id: otherId } = await db
    .selectFrom('published_ratings')
    .select('id')
    .where('asset_id', '=', other.id)
    .executeTakeFirstOrThrow();
  const correct = (body: string) =>
    storeRatingRestatement(db, { ...correction, asset_id: other.id, rating_id: otherId, body, record });
  await correct(bodyOf(published, wrong));
  assert.deepEqual(await attested(other), { kind: 'refused', reason: 'corrected' });
  await correct(bodyOf(wrong, published));
  assert.equal((await attested(other)).kind, 'eas');

  await world.put(ratingOf(asset, LATER, { band: 'CC', score: 25, action: 'downgrade' }));
  const newer = await attested(asset);
  assert.ok(newer.kind === 'eas' && (await judge(newer.attestation, asset.id, { notBefore, worstBand: 9 })).valid);
  assert.deepEqual([(await lineOf())?.reason, (await lineOf())?.notBefore], ['replaced', Date.parse(LATER)]);
});

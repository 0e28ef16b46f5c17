import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ed25519 } from '@noble/curves/ed25519.js';
import { base58 } from '@scure/base';
import { privateKeyToAccount } from 'viem/accounts';
import { notifyCorrection } from '../src/disclosure/corrections.ts';
import { openReadBook } from '../src/disclosure/reads.ts';
import { storeRatingRestatement } from '../src/store/ratings/disclosures.ts';
import { evmAsset, type RatingWorld, ratingOf, ratingWorld, solanaAsset } from './support/rating-world.ts';

const OWNER = privateKeyToAccount(`0x${'11'.repeat(32)}`);
const STRANGER = privateKeyToAccount(`0x${'22'.repeat(32)}`);
const MINTER = ed25519.keygen(new Uint8Array(32).fill(7));
const UNI = {
  ...evmAsset(1, 'ethereum', '0x1f9840a85d5af5bf1d1762f925bdaddc4201f984', 'UNI'),
  website: 'https://uni.example.com/',
};
const OTHER = {
  ...evmAsset(1, 'ethereum', '0x2f9840a85d5af5bf1d1762f925bdaddc4201f984', 'OTH'),
  website: 'https://other.example.org/',
};
const SOL = solanaAsset('JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN', 'JUP');
const NOBODY = evmAsset(1, 'ethereum', '0x3f9840a85d5af5bf1d1762f925bdaddc4201f984', 'NOB');
const START = '2026-11-20T12:00:00.000Z';
const HOUR = 3_600_000;

let world: RatingWorld;
let [first, second, reader] = ['', '', ''];
let zone: Record<string, readonly string[]> = {};
/** The address that requests come from. */
let from = '127.0.0.1';
const jobs = new Map<string, string>();

before(async () => {
  const ratings = [UNI, OTHER, SOL, NOBODY].map((asset) =>
    ratingOf(asset, '2026-11-20T08:00:00.000Z', { action: 'new' }),
  );
  for (const { jobId, asset } of ratings) jobs.set(jobId, asset.id);
  const agreed = (value: string, status = 'agreed') => ({ value, status });
  const consensus: Record<string, object> = {
    [UNI.id]: {
      owner_address: agreed(OWNER.address.toLowerCase()),
      creator_address: agreed(STRANGER.address, 'disputed'),
    },
    [OTHER.id]: { owner_address: agreed(OWNER.address) },
    [SOL.id]: { mint_authority: agreed(base58.encode(MINTER.publicKey)) },
    [NOBODY.id]: {},
  };
  world = await ratingWorld(START, { clientAddress: () => from }, undefined, {
    readTxt: async (name) => ({ ok: true, value: zone[name] ?? [] }),
    reportOf: async (jobId) => ({ consensus: consensus[jobs.get(jobId) ?? ''] ?? {} }) as never,
  });
  for (const rating of ratings) await world.put(rating);
  [first, second, reader] = await Promise.all([
    world.key('INTERNAL', ['admin']),
    world.key('INTERNAL', ['admin']),
    world.key('RATING', ['rms:read']),
  ]);
});
after(() => world.close());

// biome-ignore lint/suspicious/noExplicitAny: replies are looked into by the name of a member, as a caller would.
type Reply = { readonly status: number; readonly body: any };
/** Each test comes from an address of its own, an hour after the one before: nothing but what it is about limits it. */
async function send(path: string, body?: unknown, key = ''): Promise<Reply> {
  const reply = await world.get(path, {
    method: body === undefined ? 'GET' : 'POST',
    key,
    ...(body === undefined ? {} : { body }),
  });
  return { status: reply.status, body: await reply.json() };
}
async function opened(asset: string) {
  world.clock.now += HOUR;
  const reply = await send('/v1/public/appeals', { asset });
  assert.equal(reply.status, 201, JSON.stringify(reply.body));
  return reply.body;
}
const prove = (reference: string, body: object) => send(`/v1/public/appeals/${reference}/proof`, body);
const code = ({ status, body }: Reply) => [status, body.code];

test('a signature of the owner, plain or as typed data, proves control without a key; evidence is taken only then', async () => {
  const appeal = await opened(UNI.id);
  assert.deepEqual(appeal.task.signers, [{ role: 'owner', address: OWNER.address.toLowerCase() }]);
  const early = await send(`/v1/public/appeals/${appeal.reference}/evidence`, {
    statement: 'The owner is a timelock.',
  });
  assert.deepEqual(code(early), [422, 'not_proved']);
  const signature = await OWNER.signMessage({ message: appeal.task.text });
  const proved = await prove(appeal.reference, { method: 'eip191', signature });
  assert.deepEqual([proved.status, proved.body.state, proved.body.proof.role], [200, 'proved', 'owner']);
  const given = await send(`/v1/public/appeals/${appeal.reference}/evidence`, {
    statement: 'The owner is a timelock.',
    links: ['https://uni.example.com/timelock'],
  });
  assert.deepEqual([given.status, given.body.state, given.body.evidence_count], [200, 'under_review', 1]);
  assert.ok(!JSON.stringify(given.body).includes('timelock'), 'what the party says is not public');

  const typed = await opened(UNI.id);
  const { domain, types, primaryType, message } = typed.task.typed_data;
  const signed = await OWNER.signTypedData({ domain, types, primaryType, message });
  assert.equal((await prove(typed.reference, { method: 'eip712', signature: signed })).body.proof.method, 'eip712');
});

test('a signature of the mint authority on Solana proves control', async () => {
  const appeal = await opened(SOL.id);
  assert.equal(appeal.task.typed_data, null);
  const signature = base58.encode(ed25519.sign(new TextEncoder().encode(appeal.task.text), MINTER.secretKey));
  const proved = await prove(appeal.reference, { method: 'ed25519', signature });
  assert.deepEqual([proved.status, proved.body.proof.role], [200, 'mint authority']);
});

test('a record in the zone of the asset’s own domain proves control; one in another zone or of another appeal does not', async () => {
  const [appeal, later] = [await opened(UNI.id), await opened(UNI.id)];
  assert.equal(appeal.task.dns.name, '_assay-appeal.example.com');
  zone = { '_assay-appeal.example.org': [appeal.task.dns.value], '_assay-appeal.example.com': [later.task.dns.value] };
  assert.deepEqual(code(await prove(appeal.reference, { method: 'dns' })), [422, 'not_proved']);
  const proved = await prove(later.reference, { method: 'dns' });
  assert.deepEqual([proved.status, proved.body.proof.subject], [200, 'example.com']);
  zone = {};
});

test('a signature is of one appeal, one asset and one installation: replayed, it proves nothing', async () => {
  const [mine, again, other] = [await opened(UNI.id), await opened(UNI.id), await opened(OTHER.id)];
  const signature = await OWNER.signMessage({ message: mine.task.text });
  for (const appeal of [again, other])
    assert.deepEqual(code(await prove(appeal.reference, { method: 'eip191', signature })), [422, 'not_proved']);
  assert.equal((await prove(mine.reference, { method: 'eip191', signature })).status, 200);
  assert.deepEqual(code(await prove(mine.reference, { method: 'eip191', signature })), [409, 'challenge_over']);
});

test('a party without control of the asset by its evidence proves nothing', async () => {
  const appeal = await opened(UNI.id);
  for (const [method, signature] of [
    // Sources disagree about the deployer, so the stranger is nobody.
    ['eip191', await STRANGER.signMessage({ message: appeal.task.text })],
    ['eip191', `0x${'00'.repeat(65)}`],
    ['eip712', await OWNER.signMessage({ message: appeal.task.text })],
    ['ed25519', base58.encode(ed25519.sign(new TextEncoder().encode(appeal.task.text), MINTER.secretKey))],
    ['eip191', 'zz'],
  ] as const)
    assert.deepEqual(code(await prove(appeal.reference, { method, signature })), [422, 'not_proved'], signature);
  assert.equal((await prove(appeal.reference, { method: 'eip191' })).status, 400);
  assert.equal((await prove(appeal.reference, { method: 'dns', signature: 'ab' })).status, 400);
  world.clock.now += HOUR;
  assert.deepEqual(code(await send('/v1/public/appeals', { asset: NOBODY.id })), [409, 'cannot_be_proved']);
  assert.deepEqual(code(await send(`/v1/public/appeals/${'0'.repeat(32)}`)), [404, 'appeal_not_found']);
  assert.deepEqual(code(await send('/v1/public/appeals/1')), [404, 'appeal_not_found']);
});

test('a challenge that expired, or was tried twenty times, accepts no signature', async () => {
  const [late, tried] = [await opened(UNI.id), await opened(UNI.id)];
  for (let count = 0; count < 20; count += 1) await prove(tried.reference, { method: 'eip191', signature: 'zz' });
  const signature = await OWNER.signMessage({ message: tried.task.text });
  assert.deepEqual(code(await prove(tried.reference, { method: 'eip191', signature })), [409, 'challenge_over']);
  world.clock.now += 49 * HOUR;
  const good = await OWNER.signMessage({ message: late.task.text });
  assert.deepEqual(code(await prove(late.reference, { method: 'eip191', signature: good })), [409, 'challenge_over']);
  assert.equal((await send(`/v1/public/appeals/${late.reference}`)).body.state, 'expired');
});

test('one address opens ten an hour, with Retry-After beyond; sizes are bounded', async () => {
  world.clock.now += HOUR;
  const replies: Reply[] = [];
  for (let count = 0; count < 12; count += 1) replies.push(await send('/v1/public/appeals', { asset: OTHER.id }));
  assert.deepEqual(
    replies.map(({ status }) => status),
    [...Array(10).fill(201), 429, 429],
  );
  world.clock.now += HOUR;
  const objection = { asset: UNI.id, claim: 'The supply is wrong.' };
  for (const [body, status] of [
    [{ ...objection, claim: 'x'.repeat(4_001) }, 400],
    [{ ...objection, more: 1 }, 400],
    [{ ...objection, claim: 'x'.repeat(30_000) }, 413],
    [{ ...objection, asset: 'NOSUCH' }, 404],
  ] as const)
    assert.equal((await send('/v1/public/objections', body)).status, status);
});

test('two reviewers that agree decide; one alone, one twice, or two that disagree do not', async () => {
  const appeal = await opened(UNI.id);
  await prove(appeal.reference, {
    method: 'eip191',
    signature: await OWNER.signMessage({ message: appeal.task.text }),
  });
  await send(`/v1/public/appeals/${appeal.reference}/evidence`, { statement: 'See the chain.' });
  const { body: list } = await send('/v1/admin/appeals?state=under_review', undefined, first);
  const found = list.data.find((one: { reference: string }) => one.reference === appeal.reference);
  assert.deepEqual(
    found.evidence.map((one: { statement: string }) => one.statement),
    ['See the chain.'],
  );
  const review = (key: string, decision: string, more = {}) =>
    send(`/v1/admin/appeals/${found.id}/reviews`, { decision, finding: `it is ${decision}`, ...more }, key);
  assert.equal((await review(reader, 'accepted')).status, 403);
  assert.equal((await review(first, 'accepted')).body.state, 'under_review');
  assert.equal((await review(first, 'accepted')).body.state, 'under_review');
  assert.equal((await review(second, 'rejected')).body.state, 'under_review');
  const decided = await review(second, 'accepted');
  assert.deepEqual([decided.body.state, decided.body.finding], ['accepted', 'it is accepted']);
  assert.deepEqual(code(await review(first, 'rejected')), [409, 'already_decided']);
  assert.equal((await review(first, 'corrected')).status, 400);
  for (const restatement_id of [99, 1e300])
    assert.equal((await review(first, 'corrected', { restatement_id })).status, 400);
  const shown = await send(`/v1/public/appeals/${appeal.reference}`);
  assert.deepEqual([shown.body.state, shown.body.finding], ['accepted', 'it is accepted']);
  const { score, band } = (await send(`/v1/rms/${encodeURIComponent(UNI.id)}`, undefined, reader)).body;
  assert.deepEqual([score, band], [62.5, 'BBB'], 'an accepted appeal moves no rating');
});

test('the keys of one account are one reviewer: a key and its successor do not decide', async () => {
  const appeal = await opened(UNI.id);
  const signature = await OWNER.signMessage({ message: appeal.task.text });
  await prove(appeal.reference, { method: 'eip191', signature });
  await send(`/v1/public/appeals/${appeal.reference}/evidence`, { statement: 'See the chain.' });
  const { body: list } = await send('/v1/admin/appeals?state=under_review', undefined, first);
  const found = list.data.find((one: { reference: string }) => one.reference === appeal.reference);
  const own = { name: 'reviewer', scopes: ['admin'], plan: 'INTERNAL' };
  const { body: one } = await send('/v1/admin/keys', own, first);
  const { body: other } = await send(`/v1/admin/keys/${one.id}/rotate`, { overlap_seconds: 3_600 }, first);
  assert.deepEqual([other.account_id, other.id === one.id], [one.account_id, false], JSON.stringify(other));
  const review = (key: string, decision: string) =>
    send(`/v1/admin/appeals/${found.id}/reviews`, { decision, finding: `it is ${decision}` }, key);
  assert.equal((await review(one.secret, 'rejected')).body.state, 'under_review');
  assert.equal((await review(other.secret, 'rejected')).body.state, 'under_review', 'one account decided alone');
  const again = await review(other.secret, 'accepted');
  assert.deepEqual(
    again.body.reviews.map(({ decision }: { decision: string }) => decision),
    ['accepted'],
    'the account has one opinion',
  );
  assert.equal((await review(second, 'accepted')).body.state, 'accepted');
});

test('strangers who open challenges do not keep the owner from opening one', async () => {
  const early = await opened(OTHER.id);
  const { id: _id, ...row } = await world.store.db
    .selectFrom('appeals')
    .selectAll()
    .where('reference', '=', early.reference)
    .executeTakeFirstOrThrow();
  await world.store.db
    .insertInto('appeals')
    .values(
      Array.from({ length: 999 }, (_, place) => ({
        ...row,
        id: `apl_${place.toString(16).padStart(20, '0')}`,
        reference: place.toString(16).padStart(32, '0'),
        opened_at: new Date(Date.parse(row.opened_at) + 1 + place).toISOString(),
      })),
    )
    .execute();
  const mine = await opened(OTHER.id);
  const signature = await OWNER.signMessage({ message: mine.task.text });
  assert.equal((await prove(mine.reference, { method: 'eip191', signature })).status, 200);
  assert.deepEqual(code(await send(`/v1/public/appeals/${early.reference}`)), [404, 'appeal_not_found'], 'the oldest');
});

test('three addresses with any number of challenges never end the pending challenge of another', async () => {
  from = '198.51.100.7';
  const honest = await opened(SOL.id);
  const crowd = [1, 2, 3].map((last) => `203.0.113.${last}`);
  const { id: _id, ...row } = await world.store.db
    .selectFrom('appeals')
    .selectAll()
    .where('reference', '=', honest.reference)
    .executeTakeFirstOrThrow();
  await world.store.db
    .insertInto('appeals')
    .values(
      Array.from({ length: 999 }, (_, place) => ({
        ...row,
        id: `apl_c${place.toString(16).padStart(19, '0')}`,
        reference: `c${place.toString(16).padStart(31, '0')}`,
        opened_at: new Date(Date.parse(row.opened_at) + 1 + place).toISOString(),
        opened_from: crowd[place % 3] ?? '',
      })),
    )
    .execute();
  for (const address of crowd) {
    from = address;
    await opened(SOL.id);
  }
  from = '127.0.0.1';
  const late = await opened(SOL.id);
  for (const reference of [honest.reference, late.reference])
    assert.equal((await send(`/v1/public/appeals/${reference}`)).body.state, 'awaiting_proof');
  const open = await world.store.db.selectFrom('appeals').select('id').where('asset_id', '=', SOL.id).execute();
  assert.ok(open.length <= 1_001, `${open.length} with one that was proved before`);
});

test('the address that opened an appeal is forgotten once control is proved', async () => {
  from = '198.51.100.7';
  const appeal = await opened(UNI.id);
  from = '127.0.0.1';
  const stored = () =>
    world.store.db
      .selectFrom('appeals')
      .select('opened_from')
      .where('reference', '=', appeal.reference)
      .executeTakeFirstOrThrow();
  assert.deepEqual(await stored(), { opened_from: '198.51.100.7' });
  const signature = await OWNER.signMessage({ message: appeal.task.text });
  assert.equal((await prove(appeal.reference, { method: 'eip191', signature })).status, 200);
  assert.deepEqual(await stored(), { opened_from: null });
});

test('a correction notifies accounts that read the wrong rating in a score, a list, a batch, a policy or an export, and no others', async () => {
  const bystander = await world.key('RATING', ['rms:read']);
  const path = `/v1/rms/${encodeURIComponent(SOL.id)}`;
  const fresh = () => world.key('RATING', ['rms:read']);
  const [lister, sheet, batcher, fastBatcher, judge, other] = await Promise.all(Array.from({ length: 6 }, fresh));
  assert.ok(lister && sheet && batcher && fastBatcher && judge && other);
  assert.equal((await send(path, undefined, reader)).status, 200);
  assert.equal((await send('/v1/rms?search=JUP', undefined, lister)).status, 200);
  assert.equal((await world.get('/v1/rms?format=csv&search=JUP', { key: sheet })).status, 200);
  assert.equal((await send('/v1/rms?search=UNI', undefined, other)).status, 200, 'a list without it');
  for (const key of [batcher, fastBatcher])
    assert.equal((await send('/v1/rms/batch', { assets: ['JUP'] }, key)).status, 200);
  assert.equal((await send('/v1/policy/check', { asset: SOL.id }, judge)).status, 200);
  const book = openReadBook(
    world.store.db,
    () => world.clock.now,
    (error) => assert.fail(String(error)),
  );
  book.noteDay('acc_exporter', '2026-11-21');
  book.noteDay('acc_too_early', '2026-11-18');
  await book.close();
  await new Promise((resolve) => setTimeout(resolve, 5_500));
  const { rating_id: ratingId, job_id: jobId } = await world.store.db
    .selectFrom('published_ratings')
    .select(['id as rating_id', 'job_id'])
    .where('asset_id', '=', SOL.id)
    .executeTakeFirstOrThrow();
  const told = () =>
    world.store.db.transaction().execute(async (transaction) => {
      const madeAt = new Date(world.clock.now).toISOString();
      const restatementId = await storeRatingRestatement(transaction, {
        asset_id: SOL.id,
        rating_id: ratingId,
        made_at: madeAt,
        reason: 'the mint authority was renounced',
        body: '{}',
        record: Buffer.from('{}'),
        signature: '{}',
      });
      return notifyCorrection(transaction, {
        restatementId,
        ratingId,
        asset: SOL,
        ratingAsOf: '2026-11-20T08:00:00.000Z',
        jobId,
        reason: 'the mint authority was renounced',
        before: { band: 'BBB', score: 62.5 },
        after: { band: 'A', score: 71 },
        madeAt,
      });
    });
  assert.equal(await told(), 7);
  const rows = await world.store.db.selectFrom('alerts').selectAll().where('kind', '=', 'correction').execute();
  assert.equal(rows.length, 7);
  assert.ok(rows.some((row) => row.account_id === 'acc_exporter'));
  assert.ok(!rows.some((row) => row.account_id === 'acc_too_early'));
  assert.match(rows[0]?.body ?? '', /BBB 62.5 should have been A 71/);
  assert.equal((await send(path, undefined, bystander)).status, 200);
});

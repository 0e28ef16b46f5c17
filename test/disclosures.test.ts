import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, test } from 'node:test';
import { ed25519 } from '@noble/curves/ed25519.js';
import canonicalize from 'canonicalize';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import {
  AdminDisputeList,
  DisputeList,
  DisputeView,
  MissList,
  RestatementList,
  TrackRecordView,
} from '../src/contract/disclosure.ts';
import { storeDayRestatement, storeRatingRestatement } from '../src/store/ratings/disclosures.ts';
import { evmAsset, type RatingWorld, ratingOf, ratingWorld, solanaAsset } from './support/rating-world.ts';

const JUP = solanaAsset('JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN', 'JUP');
const DEAD = solanaAsset('DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263', '=DEAD');
const UNRATED = evmAsset(1, 'ethereum', '0x1f9840a85d5af5bf1d1762f925bdaddc4201f984', 'UNI');
const FIRST = ratingOf(JUP, '2026-09-01T08:00:00.000Z', { score: 70.2, action: 'new' });
const CLAIM = { asset: 'JUP', claim: 'The mint authority was renounced on 1 November.', contact: 'desk@jup.example' };

let world: RatingWorld;
let [mine, theirs, admin] = ['', '', ''];

before(async () => {
  world = await ratingWorld('2026-11-20T12:00:00.000Z');
  await world.put(FIRST);
  await world.put(ratingOf(JUP, '2026-11-20T08:00:00.000Z', { score: 62.5 }));
  await world.put(ratingOf(DEAD, '2026-09-01T08:00:00.000Z', { band: 'A', score: 76, action: 'new' }));
  await world.put(ratingOf(DEAD, '2026-09-20T08:00:00.000Z', { band: 'D', score: 4.9, action: 'downgrade' }));
  await world.put(ratingOf(DEAD, '2026-10-20T08:00:00.000Z', { band: 'D', score: 4.9 }));
  [mine, theirs, admin] = await Promise.all([
    world.key('RATING'),
    world.key('RATING'),
    world.key('INTERNAL', ['admin']),
  ]);
});
after(() => world.close());

type Body = Record<string, unknown>;
const read = async <Shape = Body>(reply: Response) => (await reply.json()) as Shape;
function fits(schema: TSchema, body: unknown): void {
  const validator = Compile(schema);
  assert.ok(validator.Check(body), JSON.stringify([...validator.Errors(body)].slice(0, 3)));
}
const post = (path: string, body: unknown, key: string) => world.get(path, { method: 'POST', body, key });

test('a dispute is about the rating it names, else the newest; the same one twice is one', async () => {
  const made = await post('/v1/disputes', CLAIM, mine);
  assert.equal(made.status, 201);
  const dispute = await read<{ id: string; rating: Body; state: string }>(made);
  fits(DisputeView, dispute);
  assert.deepEqual(
    [dispute.state, dispute.rating.as_of, dispute.rating.score],
    ['received', '2026-11-20T08:00:00.000Z', 62.5],
  );
  const again = await post('/v1/disputes', CLAIM, mine);
  assert.deepEqual([again.status, (await read(again)).id], [200, dispute.id]);
  const older = await read<{ rating: Body }>(
    await post('/v1/disputes', { ...CLAIM, asset: JUP.id, job_id: FIRST.jobId }, mine),
  );
  assert.deepEqual([older.rating.job_id, older.rating.score], [FIRST.jobId, 70.2]);
});

test('no account sees another account’s dispute; the operator sees all of them', async () => {
  const listed = await read<{ data: { id: string }[] }>(await world.get('/v1/disputes', { key: mine }));
  fits(DisputeList, listed);
  assert.equal(listed.data.length, 2);
  const path = `/v1/disputes/${listed.data[0]?.id}`;
  assert.equal((await world.get(path, { key: mine })).status, 200);
  for (const reply of [await world.get(path, { key: theirs }), await world.get('/v1/disputes/dsp_%00', { key: mine })])
    assert.deepEqual([reply.status, (await read(reply)).code], [404, 'dispute_not_found']);
  assert.deepEqual((await read<{ data: [] }>(await world.get('/v1/disputes', { key: theirs }))).data, []);
  assert.equal((await world.get('/v1/admin/disputes', { key: mine })).status, 403);
  const all = await read<{ data: Body[] }>(await world.get('/v1/admin/disputes?state=received', { key: admin }));
  fits(AdminDisputeList, all);
  assert.equal(all.data.length, 2);
});

test('what is not right is refused with what was expected', async () => {
  for (const [body, status, code] of [
    [{}, 400, 'validation_failed'],
    [{ ...CLAIM, claim: '' }, 400, 'validation_failed'],
    [{ ...CLAIM, claim: ' \n ' }, 400, 'validation_failed'],
    [{ ...CLAIM, claim: 'x'.repeat(4_001) }, 400, 'validation_failed'],
    [{ ...CLAIM, claim: 'a\u0000b' }, 400, 'validation_failed'],
    [{ ...CLAIM, contact: 'x'.repeat(201) }, 400, 'validation_failed'],
    [{ ...CLAIM, kontakt: 'a' }, 400, 'validation_failed'],
    [{ ...CLAIM, asset: 'NOPE' }, 404, 'asset_not_rated'],
    [{ ...CLAIM, asset: UNRATED.id }, 404, 'no_such_rating'],
    [{ ...CLAIM, job_id: 'posttge_1_none' }, 404, 'no_such_rating'],
  ] as const) {
    const reply = await post('/v1/disputes', body, mine);
    assert.deepEqual([reply.status, (await read(reply)).code], [status, code], JSON.stringify(body).slice(0, 80));
  }
  assert.equal((await world.get('/v1/disputes?cursor=%27', { key: mine })).status, 400);
  const stranger = await post('/v1/disputes', CLAIM, await world.key('CHAIN-1500', ['chain:read']));
  assert.deepEqual([stranger.status, (await read(stranger)).code], [403, 'missing_scope']);
  assert.equal((await post('/v1/disputes', CLAIM, '')).status, 401);
  assert.equal((await post('/v1/disputes', CLAIM, await world.key('RATING', ['score']))).status, 201);
});

test('an account has twenty open disputes at most, also when they come at once', async () => {
  const key = await world.key('RATING');
  const replies = await Promise.all(
    Array.from({ length: 30 }, (_, index) => post('/v1/disputes', { ...CLAIM, claim: `claim ${index}` }, key)),
  );
  const made = replies.filter((reply) => reply.status === 201).length;
  assert.deepEqual([made, replies.filter((reply) => reply.status === 409).length], [20, 10]);
  const seen: string[] = [];
  for (let cursor = ''; ; ) {
    const page = await read<{ data: { id: string }[]; next_cursor: string | null }>(
      await world.get(`/v1/disputes?limit=7${cursor}`, { key }),
    );
    seen.push(...page.data.map((one) => one.id));
    if (page.next_cursor === null) break;
    cursor = `&cursor=${page.next_cursor}`;
  }
  assert.deepEqual([seen.length, new Set(seen).size], [20, 20]);
});

test('the operator accepts and restates, or rejects, with a reason; an ended dispute stays ended; corrections are public', async () => {
  const { data } = await read<{ data: { id: string }[] }>(await world.get('/v1/disputes', { key: mine }));
  const [one, two] = data.map((dispute) => `/v1/admin/disputes/${dispute.id}/resolve`);
  assert.ok(one && two);
  const words = 'The chain says so too.';
  assert.equal((await post(one, { state: 'accepted', resolution: words }, mine)).status, 403);
  for (const body of [
    { state: 'received', resolution: words },
    { state: 'rejected' },
    { state: 'restated', resolution: words },
    { state: 'accepted', resolution: words, restatement_id: 1 },
    { state: 'restated', resolution: words, restatement_id: 99 },
  ])
    assert.equal((await post(one, body, admin)).status, 400, JSON.stringify(body));
  const accepted = await post(one, { state: 'accepted', resolution: words }, admin);
  fits(DisputeView, await read(accepted));
  const made = await storeDayRestatement(world.store.db, {
    subject: 'rms',
    date: '2026-11-19',
    revision: 2,
    made_at: '2026-11-20T12:00:00.000Z',
    reason: 'the mint authority was renounced',
    body: '{"changed_rows":1}',
  });
  const ofAnother = await storeRatingRestatement(world.store.db, {
    asset_id: DEAD.id,
    rating_id: 1_000_000,
    made_at: '2026-11-20T12:00:00.000Z',
    reason: 'another asset',
    body: '{}',
    record: Buffer.from('{}'),
    signature: '{}',
  });
  const strange = await post(one, { state: 'restated', resolution: words, restatement_id: ofAnother }, admin);
  assert.equal(strange.status, 400, 'the correction of another asset answers no dispute about this one');
  await world.store.db.deleteFrom('restatements').where('id', '=', ofAnother).execute();
  const restated = await post(one, { state: 'restated', resolution: words, restatement_id: made }, admin);
  assert.equal(restated.status, 200);
  assert.equal((await post(two, { state: 'rejected', resolution: 'The chain says otherwise.' }, admin)).status, 200);
  const late = await post(two, { state: 'accepted', resolution: words }, admin);
  assert.deepEqual([late.status, (await read(late)).code], [409, 'dispute_already_resolved']);
  assert.equal(
    (await post('/v1/admin/disputes/dsp_none/resolve', { state: 'rejected', resolution: 'x' }, admin)).status,
    404,
  );
  const own = await read<{ data: Body[] }>(await world.get('/v1/disputes?state=restated', { key: mine }));
  assert.deepEqual([own.data[0]?.resolution, own.data[0]?.restatement_id], [words, made]);

  const feed = await fetch(`${world.url}/v1/restatements`);
  const text = await feed.text();
  fits(RestatementList, JSON.parse(text));
  assert.deepEqual(JSON.parse(text).data, [
    {
      id: made,
      subject: 'rms',
      date: '2026-11-19',
      revision: 2,
      asset_id: null,
      made_at: '2026-11-20T12:00:00.000Z',
      reason: 'the mint authority was renounced',
      detail: { changed_rows: 1 },
    },
  ]);
  assert.doesNotMatch(text, /desk@jup/);
  for (const query of ['cursor=0', 'cursor=x', 'limit=0', 'limit=201'])
    assert.equal((await fetch(`${world.url}/v1/restatements?${query}`)).status, 400, query);
});

test('the track record counts every rating, is signed and dated, and lists the misses', async () => {
  const reply = await fetch(`${world.url}/v1/track-record`);
  assert.equal(reply.status, 200);
  const record = await read<
    Body & {
      signature: { key_id: string; value: string };
      horizons: { days: number; bands: Body[]; transitions: Body }[];
    }
  >(reply);
  fits(TrackRecordView, record);
  const { signature, ...signed } = record;
  const { keys } = await read<{ keys: { kid: string; x: string }[] }>(
    await fetch(`${world.url}/.well-known/assay-keys.json`),
  );
  const key = keys.find((one) => one.kid === signature.key_id);
  const bytes = Buffer.from(canonicalize(signed) ?? '');
  assert.ok(ed25519.verify(Buffer.from(signature.value, 'base64'), bytes, Buffer.from(key?.x ?? '', 'base64url')));
  assert.deepEqual(
    [record.as_of, record.assets, record.ratings, record.defaults],
    ['2026-11-20T12:00:00.000Z', 2, 5, 1],
  );
  const [month] = record.horizons;
  assert.deepEqual(month?.transitions, { A: { D: 1 }, BBB: { BBB: 1 } });
  assert.deepEqual(record.misses, [
    {
      asset_id: DEAD.id,
      symbol: '=DEAD',
      band: 'A',
      band_as_of: '2026-09-01T08:00:00.000Z',
      band_before: 'A',
      defaulted_at: '2026-09-20T08:00:00.000Z',
    },
  ]);
  const etag = reply.headers.get('etag') ?? '';
  assert.equal((await fetch(`${world.url}/v1/track-record`, { headers: { 'if-none-match': etag } })).status, 304);
  const misses = await read<{ data: unknown[] }>(await fetch(`${world.url}/v1/track-record/misses?limit=1`));
  fits(MissList, misses);
  assert.deepEqual(misses.data, record.misses);
  // Within ten minutes it is not counted anew, and says so.
  world.clock.now += 60_000;
  await world.put(ratingOf(JUP, '2026-11-20T12:00:30.000Z'));
  assert.equal((await read(await fetch(`${world.url}/v1/track-record`))).as_of, '2026-11-20T12:00:00.000Z');
});

test('every version of the methodology is read back as it was, and the log of changes names them', async () => {
  const changes = await read<{ data: { version: string; hash: string; href: string; in_force: boolean }[] }>(
    await fetch(`${world.url}/v1/methodology/changes`),
  );
  assert.ok(changes.data.length > 1 && changes.data.filter((one) => one.in_force).length === 1);
  for (const { version, hash, href } of changes.data) {
    const reply = await world.get(href);
    const [etag, body] = [reply.headers.get('etag'), await reply.text()];
    assert.deepEqual([reply.status, etag, JSON.parse(body).version], [200, `"${hash}"`, version]);
    assert.equal(createHash('sha256').update(body).digest('hex'), hash);
    assert.equal((await fetch(world.url + href, { headers: { 'if-none-match': `W/${etag}` } })).status, 304);
    const packed = await fetch(world.url + href, { headers: { 'accept-encoding': 'gzip' } });
    assert.deepEqual([packed.headers.get('etag'), await packed.text()], [`"${hash}.gzip"`, body]);
  }
  const none = await fetch(`${world.url}/v1/methodology/9.9.9`);
  assert.deepEqual([none.status, (await read(none)).code], [404, 'no_such_methodology']);
});

test('a batch notes the ratings that it gives, not the names that have none', async () => {
  const batch = await post('/v1/rms/batch', { assets: [UNRATED.id, DEAD.id] }, mine);
  assert.equal(batch.status, 200);
  assert.equal((await world.readersOf(DEAD.id)).length, 1);
  assert.deepEqual(await world.readersOf(UNRATED.id), []);
});

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ed25519 } from '@noble/curves/ed25519.js';
import canonicalize from 'canonicalize';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { PeersView } from '../src/contract/comparison.ts';
import { BatchReply, DigestView, RatingView, RecordPage, ratedAsset, scoreRecord } from '../src/contract/rating.ts';
import type { Reply } from '../src/contract/vocabulary.ts';
import type { FreshOutcome } from '../src/monitoring/monitor.ts';
import { evmAsset, type RatingWorld, ratingOf, ratingWorld, SOLANA, solanaAsset } from './support/rating-world.ts';

const START = '2026-11-20T12:34:56.000Z';
const at = (time: string) => `2026-11-20T${time}.000Z`;
const MINT = 'JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN';
const JUP = solanaAsset(MINT, 'JUP');
const CONTRACT = '0x1f9840a85d5af5bf1d1762f925bdaddc4201f984';
const UNI = evmAsset(1, 'ethereum', CONTRACT, 'UNI');
const BRIDGED = evmAsset(8453, 'base', CONTRACT, 'UNIB');
const TWIN_BIG = solanaAsset('So11111111111111111111111111111111111111112', 'TWIN');
const TWIN_SMALL = solanaAsset('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', 'twin');
/** Its K is U+212A KELVIN SIGN, whose lower case is the letter k. */
const LOOKALIKE = solanaAsset('mSoLzYCxHdYgdzU16g5QSh3i5K3z3KZK7ytfqcJm7So', 'SO\u212a');
const SOK = solanaAsset('7vfCXTUXx5WJV5JADk17DUJ4ksgau7utNKj4b963voxs', 'SOK');
const BATCH = solanaAsset('DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263', 'batch');
const QUARRY = { ...solanaAsset('27G8MtK7VtTcCHkpASjSDdkWWYfoqT6ggEuKidVJidD4', 'QRY'), name: 'Quarry Finance' };
const NAMED_TWICE = [
  { ...evmAsset(1, 'ethereum', '0x7fc66500c84a76ad7e9c93437bfc5ac33e2ddae9', 'NT1'), name: 'Named Twice' },
  { ...evmAsset(1, 'ethereum', '0x9f8f72aa9304c8b593d555f12ef6589cc3a579a2', 'NT2'), name: 'named twice' },
  { ...evmAsset(1, 'ethereum', '0x6b175474e89094c44da98b954eedeac495271d0f', 'NT3'), name: 'jup' },
];
const WHY = 'a row in the register of protocols (dex)';
let world: RatingWorld;
let fresh: FreshOutcome | null = null;

before(async () => {
  world = await ratingWorld(START, {}, async () => fresh);
  for (const [time, score, action] of [
    ['08:00:00', 50.5, 'new'],
    ['10:00:00', 58, 'upgrade'],
    ['12:30:00', 62.5, 'affirm'],
  ] as const)
    await world.put(ratingOf(JUP, at(time), { score, action, methodologyVersion: score < 55 ? '0.9.0' : '1.0.0' }));
  await world.put(
    ratingOf(UNI, at('12:00:00'), { score: 80.1, band: 'A', action: 'new', class: 'defi_gov', categoryReason: WHY }),
  );
  await world.put(ratingOf(BRIDGED, at('12:00:00'), { score: 70, marketCapUsd: 5, trust: 30, class: 'l2' }));
  await world.put(ratingOf(TWIN_SMALL, at('12:01:00'), { marketCapUsd: 1_000 }));
  await world.put(ratingOf(TWIN_BIG, at('12:01:00'), { marketCapUsd: 9e9 }));
  await world.put(ratingOf(LOOKALIKE, at('12:02:00')));
  await world.put(ratingOf(SOK, at('12:02:00')));
  await world.put(ratingOf(BATCH, at('12:02:00'), { score: null, band: 'NR', indicativeBand: 'NR' }));
});
after(() => world.close());

const read = async <Shape = Record<string, unknown>>(reply: Response) => (await reply.json()) as Shape;
function fits(schema: TSchema, body: unknown): void {
  const validator = Compile(schema);
  assert.ok(validator.Check(body), JSON.stringify([...validator.Errors(body)].slice(0, 3)));
}
const rating = (asset: string) => `/v1/rms/${encodeURIComponent(asset)}`;

test('an asset is read by every name it has, and the reply fits its schema', async () => {
  const names = [MINT, 'JUP', 'jUp', ' jup ', JUP.id, `solana:${MINT}`];
  for (const path of [...names.map(rating), `/v1/rms/${JUP.id}`, `/v1/rms/${JUP.id}/`]) {
    const reply = await world.get(path);
    assert.equal(reply.status, 200, path);
    const body = await read<{ asset: { id: string }; score: number; age_seconds: number }>(reply);
    fits(RatingView, body);
    assert.deepEqual([body.asset.id, body.score, body.age_seconds], [JUP.id, 62.5, 296]);
  }
  for (const text of [
    UNI.id.toUpperCase().replace('EIP155', 'eip155').replace('ERC20', 'erc20').replace('0X', '0x'),
    `ethereum:${CONTRACT}`,
  ])
    assert.equal((await read<{ asset: { id: string } }>(await world.get(rating(text)))).asset.id, UNI.id);
});

test('what carries one name with others is refused with the candidates, best match first; an address may be on two chains', async () => {
  const twins = await world.get(rating('Twin'));
  assert.equal(twins.status, 409);
  const { code, candidates } = await read<{ code: string; candidates: { id: string }[] }>(twins);
  assert.equal(code, 'ambiguous_asset');
  assert.deepEqual(
    candidates.map((one) => one.id),
    [TWIN_BIG.id, TWIN_SMALL.id],
  );
  const chains = await read<{ candidates: { chain: string }[] }>(await world.get(rating(CONTRACT)));
  assert.deepEqual(
    chains.candidates.map((one) => one.chain),
    ['ethereum', 'base'],
  );
});

test('a rating states its class and how that was decided, wherever it is shown; one from before classes has null', async () => {
  type Shown = { asset: { class: unknown; category_reason: unknown } };
  const shown = ({ asset }: Shown) => [asset.class, asset.category_reason];
  const [classed, older] = [
    ['defi_gov', WHY],
    [null, null],
  ];
  assert.deepEqual(shown(await read<Shown>(await world.get(rating(UNI.id)))), classed);
  assert.deepEqual(shown(await read<Shown>(await world.get(`${rating(UNI.id)}?as_of=${at('12:30:00')}`))), classed);
  assert.deepEqual(shown(await read<Shown>(await world.get(rating('JUP')))), older);
  const history = await read<{ data: Shown[] }>(await world.get(`${rating(UNI.id)}/history?interval=all`));
  assert.deepEqual(history.data.map(shown), [classed]);
  const body = { assets: [UNI.id, 'JUP'] };
  const batch = await read<Shown[]>(await world.get('/v1/rms/batch', { method: 'POST', body }));
  assert.deepEqual(batch.map(shown), [classed, older]);
  const digest = await read<{ class: unknown }>(await world.get(`${rating(UNI.id)}?format=digest`));
  assert.equal(digest.class, 'defi_gov');
  // As records were stored before there were classes.
  const { class: _, category_reason: __, ...asset } = scoreRecord(ratingOf(JUP, START), 'sandbox').asset;
  assert.deepEqual(shown({ asset: ratedAsset({ asset }) }), older);
});

test('a look-alike symbol is never used for the other', async () => {
  const plain = await read<{ asset: { id: string } }>(await world.get(rating('sok')));
  const kelvin = await read<{ asset: { id: string } }>(await world.get(rating('so\u212a')));
  assert.deepEqual([plain.asset.id, kelvin.asset.id], [SOK.id, LOOKALIKE.id]);
  const cyrillic = await world.get(rating('S\u041eK'));
  assert.equal(cyrillic.status, 404);
});

test('reserved words win over symbols; such an asset is read by its id', async () => {
  const reply = await world.get('/v1/rms/batch');
  assert.equal(reply.status, 405);
  assert.equal(reply.headers.get('allow'), 'POST');
  assert.equal((await world.get(rating(BATCH.id))).status, 200);
  assert.equal((await world.get('/v1/rms/nothing/here')).status, 404);
});

test('an asset that is not rated gets a reply with how to have it rated', async () => {
  for (const text of ['NOPE', `${SOLANA}/token:11111111111111111111111111111111`, '11111111111111111111111111111111']) {
    for (const rest of ['', '/breakdown', '/history', '/actions']) {
      const reply = await world.get(rating(text) + rest);
      assert.equal(reply.status, 404, text + rest);
      const body = await read<{ code: string; how_to_rate: { path: string; body: Record<string, string> } }>(reply);
      assert.equal(body.code, 'asset_not_rated');
      assert.equal(body.how_to_rate.path, '/v1/score');
    }
  }
  for (const text of [' ', 'a\u202eb', 'x'.repeat(151), 'nochain:abc', '0x1234567890'])
    assert.ok([400, 404].includes((await world.get(rating(text))).status), text);
});

test('another program can verify the signature from the published keys', async () => {
  const { keys } = await read<{ keys: { kid: string; x: string }[] }>(await world.get('/.well-known/assay-keys.json'));
  const verify = (body: Record<string, unknown>) => {
    const { standing, age_seconds, signature, ...record } = body as {
      signature: { key_id: string; value: string };
    } & Record<string, unknown>;
    const key = keys.find((one) => one.kid === signature.key_id);
    assert.ok(key);
    return ed25519.verify(
      Buffer.from(signature.value, 'base64'),
      Buffer.from(canonicalize(record) ?? ''),
      Buffer.from(key.x, 'base64url'),
    );
  };
  const body = await read(await world.get(rating('JUP')));
  assert.ok(verify(body));
  assert.ok(!verify({ ...body, score: 99 }));
  const listed = await read<{ data: Record<string, unknown>[] }>(await world.get('/v1/rms'));
  assert.ok(listed.data.length > 5 && listed.data.every(verify));
});

test('one tag identifies one set of bytes; 304 while the rating is current; a new rating is seen at once', async () => {
  const first = await world.get(rating('UNI'));
  const [etag, bytes] = [first.headers.get('etag') ?? '', await first.text()];
  for (const path of [rating('UNI'), `${rating('UNI')}?view=full`]) {
    const again = await world.get(path);
    assert.deepEqual([again.headers.get('etag'), await again.text()], [etag, bytes], path);
    const same = await world.get(path, { headers: { 'if-none-match': etag } });
    assert.equal(same.status, 304, path);
  }
  assert.match(first.headers.get('cache-control') ?? '', /^private, max-age=\d+$/);
  await world.put(ratingOf(UNI, at('12:34:00'), { score: 79.9, band: 'A' }));
  for (let tries = 0; ; tries += 1) {
    const now = await read<{ score: number }>(await world.get(rating('UNI')));
    if (now.score === 79.9) break;
    assert.ok(tries < 100, 'the new rating is never seen');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  assert.equal((await world.get(rating('UNI'), { headers: { 'if-none-match': etag } })).status, 200);
});

test('as_of gives the state of that time; a stored methodology can be pinned, another is refused with the stored ones', async () => {
  const then = await read<{ score: number; standing: null }>(
    await world.get(`${rating('JUP')}?as_of=${at('09:00:00')}`),
  );
  assert.deepEqual([then.score, then.standing], [50.5, null]);
  const exact = await read<{ score: number }>(await world.get(`${rating('JUP')}?as_of=${at('10:00:00')}`));
  assert.equal(exact.score, 58);
  assert.equal((await world.get(`${rating('JUP')}?as_of=${at('07:00:00')}`)).status, 404);
  assert.equal((await world.get(`${rating('JUP')}?as_of=2027-01-01T00:00:00Z`)).status, 400);
  const pinned = await read<{ score: number }>(await world.get(`${rating('JUP')}?methodology=0.9.0`));
  assert.equal(pinned.score, 50.5);
  const other = await world.get(`${rating('JUP')}?methodology=0.1.0`);
  const problem = await read<{ code: string; kept: string[] }>(other);
  assert.deepEqual([other.status, problem.code, problem.kept], [404, 'methodology_not_kept', ['1.0.0', '0.9.0']]);
});

test('the short form is short, and a packed reply has the same content', async () => {
  const digest = await (await world.get(`${rating('JUP')}?format=digest`)).text();
  assert.ok(digest.length < 1_024);
  fits(DigestView, JSON.parse(digest));
  const plain = await (await world.get(rating('JUP'))).text();
  for (const coding of ['gzip', 'br', 'zstd']) {
    const reply = await world.get(rating('JUP'), { headers: { 'accept-encoding': coding } });
    assert.equal(reply.headers.get('content-encoding'), coding);
    assert.equal(await reply.text(), plain);
  }
});

test('a batch replies in order, duplicates too, and one that fails affects no other', async () => {
  const assets = [
    'JUP',
    'NOPE',
    UNI.id,
    'JUP',
    'Twin',
    '',
    'x'.repeat(500),
    'batch',
    `${SOLANA}/token:11111111111111111111111111111111`,
  ];
  const reply = await world.get('/v1/rms/batch', { method: 'POST', body: { assets } });
  assert.equal(reply.status, 200);
  const body =
    await read<
      { score?: number; asset?: { id: string }; error?: { code: string; status: number }; requested?: string }[]
    >(reply);
  fits(BatchReply, body);
  assert.deepEqual(
    body.map((one) => one.error?.code ?? one.asset?.id),
    [
      JUP.id,
      'asset_not_rated',
      UNI.id,
      JUP.id,
      'ambiguous_asset',
      'malformed_asset',
      'malformed_asset',
      BATCH.id,
      'asset_not_rated',
    ],
  );
  assert.deepEqual(body[0], await read(await world.get(rating('JUP'))));
});

test('a batch gives the requested short form, as single requests do', async () => {
  const asked = { method: 'POST', body: { assets: ['JUP', 'NOPE'], view: 'digest' } };
  const [digest, missing] = await read<Record<string, unknown>[]>(await world.get('/v1/rms/batch', asked));
  assert.deepEqual(digest, await read(await world.get('/v1/rms/JUP?view=digest')));
  assert.equal((missing as { error: { code: string } }).error.code, 'asset_not_rated');
  const full = { ...asked, body: { assets: ['JUP'], view: 'full' } };
  const [whole] = await read<Record<string, unknown>[]>(await world.get('/v1/rms/batch', full));
  assert.deepEqual(whole, await read(await world.get('/v1/rms/JUP')));
  const wrong = await world.get('/v1/rms/batch', { ...asked, body: { assets: ['JUP'], view: 'short' } });
  assert.equal(wrong.status, 400);
});

test('a batch that is empty, too large, malformed, or ten megabytes is refused with an explanation', async () => {
  const post = async (body: unknown, key?: string) => {
    const reply = await world.get('/v1/rms/batch', { method: 'POST', body, ...(key ? { key } : {}) });
    return [reply.status, (await read<{ code: string }>(reply)).code];
  };
  const rated = await world.key('RATING');
  assert.deepEqual(await post({ assets: [] }), [400, 'validation_failed']);
  assert.deepEqual(await post({ assets: Array(101).fill('JUP') }, rated), [413, 'batch_too_large']);
  assert.deepEqual(await post({ assets: ['JUP', 1] }), [400, 'validation_failed']);
  assert.deepEqual(await post(['JUP']), [400, 'validation_failed']);
  assert.deepEqual(await post({ assets: Array(100_000).fill('x'.repeat(100)) }), [413, 'body_too_large']);
  const plan = await world.key('CHAIN-1500', ['rms:read', 'chain:read']);
  assert.deepEqual(await post({ assets: ['JUP'] }, plan), [403, 'plan_does_not_include']);
});

test('the list pages through every asset once, in the requested order, by every filter', async () => {
  const walk = async (query: string) => {
    const seen: { asset: { id: string }; score: number | null; trust_score: number }[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const reply = await world.get(`/v1/rms?limit=2&${query}${cursor === '' ? '' : `&cursor=${cursor}`}`);
      assert.equal(reply.status, 200, query);
      const page = await read<{ data: typeof seen; next_cursor: string | null }>(reply);
      fits(RecordPage, page);
      seen.push(...page.data);
      cursor = page.next_cursor;
    }
    return seen;
  };
  for (const sort of ['score', '-score', 'trust', '-trust', 'as_of', '-as_of', 'symbol', '-symbol']) {
    const all = await walk(`sort=${sort}`);
    assert.equal(new Set(all.map((one) => one.asset.id)).size, 8, sort);
    assert.equal(all.length, 8, sort);
  }
  const scores = (await walk('sort=-score')).map((one) => one.score);
  assert.deepEqual(
    scores,
    [...scores].sort((a, b) => (b ?? -1) - (a ?? -1)),
  );
  assert.deepEqual(
    (await walk('chain=base')).map((one) => one.asset.id),
    [BRIDGED.id],
  );
  assert.equal((await walk('band=A,NR')).length, 2);
  assert.equal((await walk('flag=MINT_AUTHORITY_ACTIVE&min_trust=50')).length, 7);
  assert.equal((await walk('category=memecoin')).length, 0);
  assert.deepEqual(
    (await walk('class=l2')).map((one) => one.asset.id),
    [BRIDGED.id],
  );
  assert.equal((await walk('class=memecoin')).length, 0);
  assert.equal((await world.get('/v1/rms?class=defi_protocol')).status, 400);
  for (const search of ['jup', ' JUP ', MINT.slice(0, 12), JUP.id.slice(0, -3)])
    assert.deepEqual(
      (await walk(`search=${encodeURIComponent(search)}`)).map((one) => one.asset.id),
      [JUP.id],
      search,
    );
  assert.equal((await walk('search=tWi&sort=symbol')).length, 2);
  assert.equal((await walk('search=twi&band=A')).length, 0);
  for (const search of ['', ' ', 'a\u0000', 'x'.repeat(101)])
    assert.equal((await world.get(`/v1/rms?search=${encodeURIComponent(search)}`)).status, 400, search);
  assert.equal((await world.get('/v1/rms?band=ZZ')).status, 400);
  assert.equal((await world.get('/v1/rms?cursor=abc')).status, 400);
});

test('history and actions show every published rating as it was signed', async () => {
  const scores = async (path: string) =>
    (await read<{ data: { score: number }[] }>(await world.get(path))).data.map((one) => one.score);
  assert.deepEqual(await scores(`${rating('JUP')}/history?interval=all`), [50.5, 58, 62.5]);
  assert.deepEqual(await scores(`${rating('JUP')}/history`), [62.5]);
  assert.deepEqual(
    await scores(`${rating('JUP')}/history?interval=all&from=${at('09:00:00')}&to=${at('10:00:00')}`),
    [58],
  );
  assert.deepEqual(await scores(`${rating('JUP')}/actions`), [50.5, 58]);
  const page = await read<{ next_cursor: string }>(await world.get(`${rating('JUP')}/history?interval=all&limit=2`));
  assert.deepEqual(await scores(`${rating('JUP')}/history?interval=all&limit=2&cursor=${page.next_cursor}`), [62.5]);
  const all = await read<{ data: { asset: { id: string }; score: number }[] }>(await world.get('/v1/rms/actions'));
  assert.deepEqual(
    all.data.map((one) => one.score),
    [80.1, 58, 50.5],
  );
  fits(RecordPage, all);
});

test('a fresh rating: read at once, under way, out of quota', async () => {
  const ask = () => world.get(`${rating('JUP')}?fresh=true`);
  fresh = { outcome: 'rated', jobId: 'posttge_1_aaaaaaaa', published: true };
  const done = await ask();
  assert.deepEqual([done.status, done.headers.get('assay-job-id')], [200, 'posttge_1_aaaaaaaa']);
  fresh = { outcome: 'running', jobId: 'posttge_1_aaaaaaaa' };
  const running = await ask();
  assert.deepEqual([running.status, running.headers.get('location')], [202, '/v1/jobs/posttge_1_aaaaaaaa']);
  fresh = { outcome: 'quota_exhausted', limit: 5, resetSeconds: 60 };
  const refused = await ask();
  const body = await read<{ code: string; limit: string }>(refused);
  assert.deepEqual([refused.status, body.code, body.limit], [429, 'quota_exhausted', 'fresh_ratings_per_day']);
  assert.equal((await world.get(`${rating('JUP')}?fresh=true&as_of=${at('09:00:00')}`)).status, 400);
});

test('a key without the scope reads nothing', async () => {
  const other = await world.key('INTERNAL', ['chain:read']);
  for (const path of [rating('JUP'), '/v1/rms', '/v1/rms/actions', `${rating('JUP')}/history`])
    assert.equal((await world.get(path, { key: other })).status, 403, path);
});

test('a batch names the fields that it ignored, each time', async () => {
  const body = { assets: ['UNI'], asset: 'UNI' };
  for (let turn = 0; turn < 3; turn += 1) {
    const reply = await world.get('/v1/rms/batch', { method: 'POST', body });
    assert.equal(reply.status, 200);
    assert.equal(reply.headers.get('assay-warnings'), 'unknown field asset was ignored; did you mean assets?');
  }
});

test('a repeated batch has the same bytes within a second, and the new rating as soon as there is one', async () => {
  const asset = solanaAsset('Repeated1111111111111111111111111111111111', 'RPT');
  await world.put(ratingOf(asset, at('11:00:00'), { score: 61 }));
  const ask = async () =>
    (await world.get('/v1/rms/batch', { method: 'POST', body: { assets: ['RPT', 'UNI'] } })).text();
  const scoreOf = (text: string) => (JSON.parse(text) as { score: number }[])[0]?.score;
  let first = await ask();
  // Both may come into memory one after the other.
  for (let turn = 0; turn < 3; turn += 1) first = await ask();
  assert.deepEqual([await ask(), scoreOf(first)], [first, 61]);
  await world.put(ratingOf(asset, at('11:30:00'), { score: 58 }));
  const patience = Date.now() + 5_000;
  let now = await ask();
  while (scoreOf(now) !== 58 && Date.now() < patience) now = await ask();
  assert.equal(scoreOf(now), 58);
  world.clock.now += 1_000;
  const later = JSON.parse(await ask()) as { age_seconds: number }[];
  assert.equal(later[0]?.age_seconds, ((JSON.parse(now) as { age_seconds: number }[])[0]?.age_seconds ?? 0) + 1);
  world.clock.now -= 1_000;
});

test('two batches of one length with equal start, end and sample are not confused', async () => {
  const ask = async (place: number) => {
    const assets = Array.from({ length: 60 }, (_, index) => (index === place ? 'UNI' : 'JUP'));
    const reply = await world.get('/v1/rms/batch', { method: 'POST', body: { assets } });
    return (await read<{ asset: { id: string } }[]>(reply)).findIndex((one) => one.asset.id === UNI.id);
  };
  for (let turn = 0; turn < 3; turn += 1) for (const place of [12, 13, 40, 41]) assert.equal(await ask(place), place);
});

test('peers are the rated assets of the class, and fewer than five have no median', async () => {
  const subject = evmAsset(1, 'ethereum', `0x${'d'.repeat(40)}`, 'SUBJ');
  await world.put(ratingOf(subject, at('12:03:00'), { class: 'defi_gov', categoryReason: WHY }));
  for (const [index, score] of [40, 50, 60, 70, 80].entries()) {
    const asset = evmAsset(1, 'ethereum', `0x${String(index).padStart(40, 'c')}`, `PEER${index}`);
    await world.put(
      ratingOf(asset, at('12:03:00'), { score, class: 'defi_gov', categoryReason: WHY, marketCapUsd: 1e6 + index }),
      { last: { factors: { MQ: score + 0.04, ...(index > 0 ? { DV: score } : {}) } } },
    );
  }
  const body = await read<Reply<typeof PeersView>>(await world.get(`${rating(subject.id)}/peers`));
  fits(PeersView, body);
  assert.equal(body.class, 'defi_gov');
  assert.equal(body.peers, 5);
  assert.deepEqual(
    body.data.map(({ score }) => score),
    [80, 70, 60, 50, 40],
  );
  assert.deepEqual(body.factors, [
    { code: 'DV', low: null, median: null, high: null, peers: 4 },
    { code: 'MQ', low: 50, median: 60, high: 70, peers: 5 },
  ]);
  assert.ok(!body.data.some(({ asset_id: id }) => id === subject.id));
  const alone = await read<Reply<typeof PeersView>>(await world.get(`${rating(BRIDGED.id)}/peers`));
  assert.deepEqual([alone.class, alone.peers, alone.data], ['l2', 0, []]);
});

test('changes that would move a rating are not given where its evidence is not kept', async () => {
  const reply = await world.get(`${rating(UNI.id)}/counterfactual`);
  assert.equal(reply.status, 404);
  assert.equal((await read(reply)).code, 'counterfactual_not_kept');
});

test('a name is read where no asset has it as its symbol; a look-alike of it is not', async () => {
  for (const named of [QUARRY, ...NAMED_TWICE]) await world.put(ratingOf(named, at('12:02:00')));
  const id = async (text: string) => (await read<{ asset: { id: string } }>(await world.get(rating(text)))).asset.id;
  assert.equal(await id(' quarry finance '), QUARRY.id);
  assert.equal(await id('JUP'), JUP.id, 'a symbol comes before the name of another asset');
  assert.equal((await world.get(rating('Quarry F\u0456nance'))).status, 404);
  const twice = await world.get(rating('Named twice'));
  assert.equal(twice.status, 409);
  assert.equal((await read<{ candidates: unknown[] }>(twice)).candidates.length, 2);
});

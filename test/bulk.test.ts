import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { BulkAccepted, BulkJobList, BulkJobReply, BulkRowList } from '../src/contract/bulk.ts';
import { fits } from './support/chain-api-world.ts';
import { durable, type Life } from './support/durable-service.ts';
import { type TestService, testService } from './support/service.ts';

let world: TestService;
before(async () => {
  world = await testService();
});
after(() => world.close());

interface Bulk {
  readonly bulk_id: string;
  readonly state: string;
  readonly location: string;
  readonly rows: Readonly<Record<string, number>>;
  readonly reasons: readonly { readonly code: string; readonly rows: number }[];
}
interface Row {
  readonly row: number;
  readonly state: string;
  readonly job_id: string | null;
  readonly duplicate_of: number | null;
  readonly result: { readonly asset: string; readonly band: string; readonly score: number | null } | null;
  readonly error: { readonly code: string; readonly candidates?: readonly { readonly id: string }[] } | null;
}
type Call = (path: string, init?: Parameters<TestService['call']>[1]) => Promise<Response>;
const json = async <Body>(reply: Response) => (await reply.json()) as Body;
const url = (name: string) => ({ project: name, project_url: `https://${name.toLowerCase()}.example/` });

async function finished(call: Call, id: string, withinMs = 60_000): Promise<Bulk> {
  for (const until = performance.now() + withinMs; ; ) {
    const bulk = await json<Bulk>(await call(`/v1/bulk/${id}`));
    if (bulk.state !== 'running') return bulk;
    assert.ok(performance.now() < until, JSON.stringify(bulk));
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

test('each row states its outcome, and none affects another', async () => {
  const rows = [
    'https://tidewell.example/',
    url('Hivecoin'),
    { asset: ' https://tidewell.example/ ' },
    url('Twinfin'),
    { asset: '0x123456789' },
    7,
    'https://nowhere-at-all.example/',
    url('Moonbadger'),
  ];
  const sent = await world.call('/v1/bulk', { json: { rows } });
  const accepted = await json<Bulk>(sent);
  assert.equal(sent.status, 202, JSON.stringify(accepted));
  fits(BulkAccepted, accepted);
  assert.equal(sent.headers.get('location'), accepted.location);
  const bulk = await finished(world.call, accepted.bulk_id);
  fits(BulkJobReply, bulk);
  const { data } = await json<{ data: Row[] }>(await world.call(`${accepted.location}/rows`));
  fits(BulkRowList, { data, next_cursor: null, data_mode: 'sandbox' });
  assert.deepEqual(
    data.map(({ row, state, error }) => [row, state, error?.code ?? null]),
    [
      [1, 'rated', null],
      [2, 'rated', null],
      [3, 'duplicate', null],
      [4, 'failed', 'ambiguous_project'],
      [5, 'refused', 'validation_failed'],
      [6, 'refused', 'validation_failed'],
      [7, 'failed', 'project_not_identified'],
      [8, 'rated', null],
    ],
  );
  assert.equal(data[2]?.duplicate_of, 1);
  assert.ok((data[3]?.error?.candidates?.length ?? 0) >= 2);
  assert.deepEqual([bulk.rows.total, bulk.rows.done, bulk.rows.rated, bulk.rows.failed], [8, 8, 3, 2]);
  assert.deepEqual(bulk.reasons[0], { code: 'validation_failed', rows: 2 });
  const job = await json<{ result: { rating: { score: number } } }>(await world.call(`/v1/jobs/${data[0]?.job_id}`));
  assert.equal(job.result.rating.score, data[0]?.result?.score);
  const table = await world.call(`${accepted.location}/rows?format=csv`);
  assert.match(table.headers.get('content-type') ?? '', /^text\/csv/);
  const lines = parse(await table.text(), { columns: true }) as Record<string, string>[];
  assert.deepEqual(
    lines.map((line) => line.state),
    data.map((row) => row.state),
  );
  assert.equal(lines[3]?.candidates?.split(' ').length, data[3]?.error?.candidates?.length);
  const failed = await json<{ data: Row[] }>(await world.call(`${accepted.location}/rows?state=failed`));
  assert.deepEqual(
    failed.data.map((row) => row.row),
    [4, 7],
  );
});

test('a CSV with a header, or one asset a line, is read as JSON is; text that is no table is refused', async () => {
  const csv = (body: string) =>
    world.call('/v1/bulk', { method: 'POST', body, headers: { 'content-type': 'text/csv' } });
  for (const [body, total] of [
    ['project,project_url\r\nTidewell,https://tidewell.example/\r\n"Hivecoin",https://hivecoin.example/\r\n', 2],
    ['\ufeffhttps://tidewell.example/\nhttps://hivecoin.example/\n\nhttps://tidewell.example/\n', 3],
  ] as const) {
    const sent = await csv(body);
    const accepted = await json<Bulk>(sent);
    assert.equal(sent.status, 202, JSON.stringify(accepted));
    const bulk = await finished(world.call, accepted.bulk_id);
    assert.deepEqual([bulk.rows.total, bulk.rows.rated], [total, 2]);
  }
  for (const body of ['', 'a,b\nc,d\n', '"open'])
    assert.deepEqual([(await csv(body)).status], [400], JSON.stringify(body));
  const many = await world.call('/v1/bulk', { json: { rows: Array(1_001).fill('x') } });
  assert.equal(many.status, 413);
  const form = await world.call('/v1/bulk', {
    method: 'POST',
    body: 'a=b',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  assert.equal(form.status, 415);
});

test('rows beyond the plan state so, a plan without bulk jobs gets the plans that have them, and other accounts see nothing', async () => {
  const keyOf = async (plan: string) =>
    (
      await json<{ secret: string }>(
        await world.call('/v1/admin/keys', { json: { name: plan, plan, scopes: ['score'] } }),
      )
    ).secret;
  const rater = await keyOf('RATING');
  const rows = Array.from({ length: 503 }, (_, at) => `https://nobody-${at}.example/`);
  const sent = await world.call('/v1/bulk', { key: rater, json: { rows } });
  const { bulk_id: id, location, rows: counts } = await json<Bulk>(sent);
  assert.deepEqual([sent.status, counts.total, counts.refused], [202, 503, 3]);
  const { data } = await json<{ data: Row[] }>(await world.call(`${location}/rows?cursor=500`, { key: rater }));
  assert.deepEqual(
    data.map(({ row, error }) => [row, error?.code]),
    [
      [501, 'over_plan'],
      [502, 'over_plan'],
      [503, 'over_plan'],
    ],
  );
  const stranger = await keyOf('RATING');
  for (const path of [location, `${location}/rows`])
    assert.equal((await world.call(path, { key: stranger })).status, 404);
  assert.equal((await world.call(location, { key: stranger, method: 'DELETE' })).status, 404);
  assert.equal((await world.call(location, { key: rater, method: 'DELETE' })).status, 200);
  const ended = await finished((path, init) => world.call(path, { ...init, key: rater }), id);
  assert.equal(ended.state, 'cancelled');
  assert.ok((ended.rows.cancelled ?? 0) > 400, JSON.stringify(ended.rows));
  assert.equal((await world.call(location, { key: rater, method: 'DELETE' })).status, 409);
  const list = await json<{ data: Bulk[] }>(await world.call('/v1/bulk', { key: rater }));
  fits(BulkJobList, list);
  assert.deepEqual(
    list.data.map((bulk) => bulk.bulk_id),
    [id],
  );
});

test('the same request under one Idempotency-Key is one job, another one is refused', async () => {
  const send = (rows: readonly string[]) =>
    world.call('/v1/bulk', { json: { rows }, headers: { 'idempotency-key': 'of-this-test' } });
  const replies = await Promise.all(Array.from({ length: 4 }, () => send(['https://tidewell.example/'])));
  const ids = new Set(await Promise.all(replies.map(async (reply) => (await json<Bulk>(reply)).bulk_id)));
  assert.equal(ids.size, 1);
  const other = await send(['https://hivecoin.example/']);
  assert.deepEqual([other.status, (await json<{ code: string }>(other)).code], [409, 'idempotency_key_reused']);
});

test('kill -9 loses no row and scores none twice', async () => {
  const place = await durable();
  let life: Life | null = null;
  try {
    const listed = await json<{ name: string; url: string; address: string }[]>(
      await fetch(`${place.world.url}/__control/world`),
    );
    const rows = listed
      .filter((row) => row.address !== '')
      .slice(0, 12)
      .map(({ url: site }) => site);
    life = await place.start();
    const { bulk_id: id } = await json<Bulk>(
      await life.call('/v1/bulk', { method: 'POST', body: JSON.stringify({ rows }) }),
    );
    for (let kill = 0; kill < 2; kill += 1) {
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      await life.end('SIGKILL');
      life = await place.start();
    }
    const bulk = await finished(life.call, id, 150_000);
    assert.deepEqual([bulk.rows.total, bulk.rows.done], [12, 12]);
    const { data } = await json<{ data: Row[] }>(await life.call(`/v1/bulk/${id}/rows`));
    const jobs = data.flatMap((row) => row.job_id ?? []);
    assert.equal(new Set(jobs).size, jobs.length);
    assert.ok((bulk.rows.rated ?? 0) >= 10, JSON.stringify(bulk));
  } finally {
    await life?.end('SIGTERM');
    await place.world.close();
    await rm(place.dataDir, { recursive: true, force: true });
  }
});

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Sandbox, startSandbox } from '../sandbox/server.ts';
import { sandboxConfig, sandboxResolver } from '../sandbox/settings.ts';
import { assemble } from '../src/evidence/assemble.ts';
import { bindSources } from '../src/evidence/book.ts';
import { createBulkLists } from '../src/evidence/bulk.ts';
import { reobserve } from '../src/evidence/inspect.ts';
import type { RecordedReply } from '../src/evidence/request-once.ts';
import { createJobRequester } from '../src/evidence/requester.ts';
import { geckoterminal } from '../src/sources/geckoterminal.ts';
import type { Params } from '../src/sources/source.ts';
import { createUpstream } from '../src/upstream/client.ts';

const NOW = Date.UTC(2026, 5, 1, 12);
const PLENTY = { perMinute: 60_000, burst: 1_000, concurrency: 100, shareSeconds: 0 };
/** A turn every 300 ms. */
const SCARCE = { perMinute: 200, burst: 1, concurrency: 4, shareSeconds: 0 };
let sandbox: Sandbox;
before(async () => {
  sandbox = await startSandbox({ seed: 1, port: 0, host: '127.0.0.1', now: () => NOW, copies: 40 });
});
after(() => sandbox.close());

/** Each of `all` asked by a job of its own, at once. */
async function asked(all: readonly Params[], budget: typeof PLENTY) {
  const config = sandboxConfig(sandbox);
  const book = bindSources([geckoterminal], config.sources);
  const upstream = createUpstream({
    resolver: sandboxResolver(sandbox),
    userAgent: 'assay-test',
    clock: () => NOW,
    ticks: () => performance.now(),
  });
  upstream.setBudget('geckoterminal', budget);
  const bulk = createBulkLists({ book, upstream, now: () => NOW });
  const job = () =>
    createJobRequester({
      book,
      upstream,
      bulk,
      now: () => NOW,
      ticks: () => performance.now(),
      deadlineAt: performance.now() + 20_000,
      signal: AbortSignal.timeout(20_000),
      traceparent: null,
      onReply: () => undefined,
    });
  const begun = sandbox.requests.get('geckoterminal') ?? 0;
  try {
    const jobs = all.map((params) => ({ params, requester: job() }));
    const answers = await Promise.all(
      jobs.map(({ params, requester }) => requester.requestRecorded('geckoterminal', 'token', params)),
    );
    return {
      answers,
      book,
      requesters: jobs.map(({ requester }) => requester),
      requests: (sandbox.requests.get('geckoterminal') ?? 0) - begun,
    };
  } finally {
    bulk.close();
    await upstream.close();
  }
}

function tokensOf(chain: string, count: number): readonly Params[] {
  const rows = sandbox.world.tokens.filter((asset) => asset.chain === chain).slice(0, count);
  assert.equal(rows.length, count);
  return rows.map(({ address }) => ({ chain, address }));
}

const seen = ({ observations }: RecordedReply) => observations.map(({ fetchedAt: _, observedAt: __, ...said }) => said);

for (const chain of ['solana', 'ethereum']) {
  test(`on ${chain} thirty jobs that wait together cost one request, and each has what it would have alone`, async () => {
    const all = tokensOf(chain, 30);
    const together = await asked(all, SCARCE);
    assert.equal(together.requests, 1);
    const alone = [];
    for (const params of all) alone.push((await asked([params], PLENTY)).answers[0] as RecordedReply);
    for (const [index, answer] of together.answers.entries()) {
      const single = alone[index] as RecordedReply;
      const own = String(all[index]?.address);
      assert.ok(seen(answer).length > 0, own);
      assert.deepEqual(seen(answer), seen(single));
      assert.equal(answer.record.url, single.record.url);
      assert.equal(answer.record.outcome, 'ok');
      assert.equal(answer.record.detail, 'its part of the reply to one request for 30 questions');
      assert.equal(single.record.detail, null);
      const kept = JSON.stringify(answer.record) + new TextDecoder().decode(answer.body ?? new Uint8Array());
      assert.ok(kept.includes(own));
      for (const { address } of all)
        if (address !== own) assert.ok(!kept.includes(String(address)), `${address} in the record of ${own}`);
      // Whoever repeats the request of the record has the same row.
      const path = answer.record.url.replace(/^configured:geckoterminal\/main/, `${sandbox.url}/geckoterminal/main`);
      const again = (await (await fetch(path)).json()) as { data: { attributes: unknown } };
      const row = JSON.parse(new TextDecoder().decode(answer.body ?? new Uint8Array())) as typeof again;
      assert.deepEqual(row.data.attributes, again.data.attributes);
    }
  });
}

test('a row is archived alone and gives the same observations again', async () => {
  const { requesters, answers, book } = await asked(tokensOf('solana', 3), SCARCE);
  for (const [index, requester] of requesters.entries()) {
    const parts = assemble(requester.replies(), book);
    const evidence = { ...parts, identification: { foreignResponses: [] } } as never;
    const again = await reobserve(evidence, book, async (sha256) =>
      sha256 === answers[index]?.record.sha256 ? (answers[index]?.body ?? null) : null,
    );
    assert.deepEqual([again.bodies, again.gone, again.different], [1, 0, []]);
  }
});

test('an address that the source does not know is requested alone, and affects no others', async () => {
  const known = tokensOf('ethereum', 2);
  const { answers, requests } = await asked([...known, { chain: 'ethereum', address: `0x${'1'.repeat(40)}` }], SCARCE);
  assert.deepEqual(
    answers.map(({ record }) => record.outcome),
    ['ok', 'ok', 'not_found'],
  );
  assert.equal(requests, 2);
});

test('of a shared reply a job reads its own row whatever the others are', () => {
  const { batch } = geckoterminal.endpoints.find((row) => row.name === 'token') ?? {};
  assert.ok(batch);
  const row = (address: unknown) => ({ attributes: { address } });
  const rows = { data: [null, 7, {}, row(5), row('AbC'), row('abc'), row('0xAB')] };
  assert.deepEqual(batch.rowOf(rows, { chain: 'solana', address: 'abc' }), { data: row('abc') });
  assert.equal(batch.rowOf(rows, { chain: 'solana', address: 'ABC' }), null, 'another token of Solana');
  assert.deepEqual(batch.rowOf(rows, { chain: 'ethereum', address: '0xab' }), { data: row('0xAB') });
  for (const odd of [null, 5, 'x', [], {}, { data: {} }, { data: null }])
    assert.equal(batch.rowOf(odd, { chain: 'solana', address: 'abc' }), null);
  assert.equal(batch.groupOf({ chain: 'nowhere', address: 'abc' }), null);
});

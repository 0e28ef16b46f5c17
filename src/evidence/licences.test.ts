import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findChain } from '../chains/index.ts';
import { esma } from '../sources/esma.ts';
import { registers } from '../sources/registers.ts';
import { assemble } from './assemble.ts';
import { bindSources } from './book.ts';
import { createBulkLists } from './bulk.ts';
import { collect } from './collect.ts';
import { toyFacts, toyUpstream } from './fixtures/toy.ts';
import { reobserve } from './inspect.ts';
import { createJobRequester } from './requester.ts';

const NOW = Date.parse('2026-11-24T09:00:00.000Z');
const LEI = '969500OYUDADGZKCR583';
const HEAD = 'ae_lei_name,ae_lei,ac_authorisationEndDate,ae_authorisation_other_emt,wp_url,wp_comments,wp_lastupdate';
const PAPER = 'https://www.circle.com/fr/legal/mica-usdc-whitepaper';
const fileOf = (lei: string) =>
  [
    HEAD,
    ...Array.from(
      { length: 40 },
      (_, at) => `T,TIDE${at},,Credit institution,https://tide.example/${at}.pdf,,01/01/2025`,
    ),
    `Circle,${lei},,Electronic money institution,${PAPER},,20/11/2026`,
  ].join('\r\n');

/** A score of USDC that comes before any list was fetched. */
async function scored(answer: Parameters<typeof toyUpstream>[0]) {
  const toy = toyUpstream(answer);
  const fetchedAt = new Date(NOW).toISOString();
  const upstream: typeof toy = {
    ...toy,
    request: async (...asked) => ({ ...(await toy.request(...asked)), fetchedAt }),
  };
  const book = bindSources([esma, registers], {});
  const requester = createJobRequester({
    book,
    upstream,
    bulk: createBulkLists({ book, upstream, now: () => NOW }),
    now: () => NOW,
    ticks: () => performance.now(),
    deadlineAt: performance.now() + 2_000,
    signal: AbortSignal.timeout(2_000),
    traceparent: null,
    onReply: () => undefined,
  });
  const chain = findChain('ethereum') ?? null;
  await collect(requester, book, { ...toyFacts, chain, address: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48' });
  const answers = requester.replies();
  const parts = assemble(answers, book);
  const bodies = new Map(answers.map(({ record, body }) => [record.sha256, body]));
  const evidence = { ...parts, identification: { foreignResponses: [] } } as never;
  const again = await reobserve(evidence, book, async (sha256) => bodies.get(sha256) ?? null);
  assert.deepEqual([again.gone, again.different], [0, []]);
  assert.deepEqual(JSON.stringify(again.observations), JSON.stringify(parts.observations));
  return {
    tiers: parts.observations.filter(({ quantity }) => quantity === 'issuer_tier').map(({ value }) => value),
    archived: answers.map(({ record }) => `${record.source}.${record.endpoint}`).sort(),
  };
}

test('the first score of an issuer waits for the list of the day and uses it; both replies replay to the same observations', async () => {
  const both = ['esma.emt', 'registers.rows'];
  const has = await scored(() => ({ body: fileOf(LEI), delayMs: 100 }));
  assert.deepEqual(has, { tiers: ['supervised'], archived: both });
  const gone = await scored(() => ({ body: fileOf('969500OTHER000000001') }));
  assert.deepEqual(gone, { tiers: ['disclosed'], archived: both });
});

test('without the list the row counts alone: its licence counts from the day on which it was read', async () => {
  const alone = { tiers: ['disclosed'], archived: ['registers.rows'] };
  for (const answer of [{ fail: 'timeout' as const }, { body: '<html>moved</html>' }, { body: '[{"rows":[]}]' }])
    assert.deepEqual(await scored(() => answer), alone);
});

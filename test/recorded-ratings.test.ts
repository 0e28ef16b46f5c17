import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after, before, type TestContext, test } from 'node:test';
import { readRecording } from '../sandbox/recordings.ts';
import { startService } from '../src/compose/service.ts';
import { loadConfig } from '../src/config/load.ts';
import { fullFormat } from '../src/contract/score-full.ts';
import { tiesOf } from '../src/rating/ties.ts';
import {
  type DatedService,
  nowhere,
  RECORDED,
  type Replaying,
  startDatedService,
  startReplaying,
} from './recorded/replay-service.ts';
import type { FullReply, ProblemReply } from './recorded/replies.ts';
import { refusalOf, tableOf } from './recorded/table.ts';
import { type RecordedToken, TOKENS } from './recorded/tokens.ts';
import { rateVouched } from './recorded/vouched.ts';

const present = existsSync(RECORDED);
let replaying: Replaying;
/** One service for the times of the recordings, one for today: no earlier rating may help a later one. */
let then: DatedService;
let today: DatedService;

before(async () => {
  if (!present) return;
  replaying = await startReplaying();
  then = await startDatedService(replaying, 'then');
  today = await startDatedService(replaying, 'today');
});
after(async () => {
  if (!present) return;
  await then.close();
  await today.close();
  await replaying.close();
});

/** CoinGecko's recordings are the only ones that tie a token to its website. */
const IDENTIFIED: ReadonlySet<string> = new Set(['Bitcoin', 'Tether']);

/** Sources whose recorded replies say when their numbers were true. */
const STATING_TIME: ReadonlySet<string> = new Set(['coingecko', 'defillama']);

test('a clock cannot be set on live data', async () => {
  const live = { ...anyConfig(), dataMode: 'live' } as const;
  await assert.rejects(startService({ config: live, resolver: nowhere, now: () => 0 }), /sandbox only/);
});

for (const token of TOKENS) {
  const name = `${token.title} (${token.symbol})`;
  onRecordings(`${name}: the service answers with what the recordings say, and no more`, async () => {
    then.setClock(token.recordedAt);
    const old = await then.score(token.body);
    show(`${name}, asked at the time of the recording${token.recordedAt ? '' : ' (not known: today)'}`, old);
    if (!IDENTIFIED.has(token.title)) return assertRefused(old);
    const reply = rated(old);
    assertGrounded(reply, token);
    const now = await today.score(token.body);
    show(`${name}, asked today`, now);
    assertStale(rated(now), reply);
  });

  onRecordings(`${name}: vouched for by a person, the missing sources alone keep it from more`, async () => {
    const old = await vouchedReply(token, token.recordedAt);
    assertGrounded(old, token);
    const { rating, trust_score: trust } = old;
    assert.ok(
      (trust.components.coverage ?? 1) < 0.75,
      `one source covers ${trust.components.coverage} of the features`,
    );
    assert.notEqual(trust.tier, 'high');
    assert.equal(rating.band === 'NR', rating.not_rated_reasons.length > 0, 'what is not rated says why');
    if (token.recordedAt === null) return;
    const now = await vouchedReply(token, null);
    if (STATING_TIME.has(token.sources[0] ?? '')) assertTooOld(now, 'price_usd');
    else assert.deepEqual(now.rating, rating, 'a reply without a time of its own is as old as its fetching');
  });
}

onRecordings('a price comes out as it was recorded, once in time and never years later', async () => {
  then.setClock('2021-08-13T14:06:54Z');
  const tether = TOKENS.find((token) => token.title === 'Tether');
  assert.ok(tether);
  const { bytes } = await readRecording(RECORDED, {
    source: 'coingecko',
    method: 'GET',
    path: '/',
    file: 'coingecko/2021_market_data_for_a_coin_from_a_contract_address.yml',
    format: 'vcr-yaml',
  });
  const coin = JSON.parse(bytes.toString('utf8')) as {
    market_data: { current_price: { usd: number }; total_volume: { usd: number } };
  };
  const reply = rated(await then.score(tether.body));
  const given = (quantity: string) => Number(reply.quantities.find((row) => row.quantity === quantity)?.value);
  near(given('price_usd'), coin.market_data.current_price.usd);
  near(given('volume_24h_usd'), coin.market_data.total_volume.usd);
});

function onRecordings(claim: string, run: (t: TestContext) => Promise<void>): void {
  test(claim, (t) => (present ? run(t) : t.diagnostic('skipped: no reference data')));
}

type Scored = Awaited<ReturnType<DatedService['score']>>;

function rated({ status, body }: Scored): FullReply {
  assert.equal(status, 200, JSON.stringify(body).slice(0, 600));
  return body as FullReply;
}

/** Nothing ties the token to the website: no guess, but words; or nobody was there who could know. */
function assertRefused({ status, body }: Scored): void {
  const problem = body as ProblemReply;
  assert.ok(
    (status === 422 && problem.code === 'project_not_identified') ||
      (status === 503 && problem.code === 'no_source_reachable'),
    `${status} ${problem.code}`,
  );
  assert.ok((problem.tried ?? []).length > 0);
  assert.equal('rating' in (body as object), false);
}

/** Every value rests on an accepted voice of a source that was recorded; nothing passes for live data. */
function assertGrounded(reply: FullReply, token: RecordedToken): void {
  assert.equal(reply.data_mode, 'sandbox');
  const speaking = reply.sources.filter((row) => row.items_used > 0).map((row) => row.name);
  assert.deepEqual(speaking, token.sources);
  for (const row of reply.quantities) {
    assert.ok(row.voices.every((voice) => token.sources.includes(voice.source)));
    const accepted = row.voices.filter((voice) => voice.accepted);
    if (row.value !== null) assert.ok(accepted.length > 0, `${row.quantity} has a value that nobody said`);
    const [only] = accepted;
    if (accepted.length === 1 && typeof row.value === 'number' && typeof only?.value === 'number')
      near(row.value, only.value);
  }
  const { rating, trust_score: trust } = reply;
  assert.equal(rating.band === 'NR', rating.score === null);
  if (trust.score < 25) assert.equal(rating.band, 'NR', 'too little trust for a rating');
}

/** Years later the same replies are too old to be a price or a supply. */
function assertStale(now: FullReply, old: FullReply): void {
  assert.equal(now.rating.band, 'NR');
  assert.ok(now.rating.not_rated_reasons.some((reason) => /price/.test(reason)));
  assert.ok(now.trust_score.score < old.trust_score.score);
  for (const quantity of ['price_usd', 'market_cap_usd', 'volume_24h_usd', 'circulating_supply'])
    assertTooOld(now, quantity);
}

function assertTooOld(reply: FullReply, quantity: string): void {
  assert.equal(reply.rating.band, 'NR');
  const row = reply.quantities.find((known) => known.quantity === quantity);
  assert.equal(row?.value, null, quantity);
  assert.deepEqual([...new Set(row.voices.map((voice) => voice.reason))], ['too_old'], quantity);
}

/** What the service's own parts make of it when a person vouches for the identity, printed. */
async function vouchedReply(token: RecordedToken, clock: string | null): Promise<FullReply> {
  const report = await rateVouched(replaying, token, clock);
  assert.ok(report !== null, 'the source that was recorded answered');
  const full = fullFormat(report, {
    jobId: report.evidence.jobId,
    collectionId: null,
    asked: report.evidence.request,
    warnings: [],
    ties: tiesOf(report),
    seconds: report.evidence.executionSeconds,
    now: Date.now(),
  }) as unknown as FullReply;
  const when = clock === null ? 'today' : 'at the time of the recording';
  process.stdout.write(`${tableOf(`${token.title} (${token.symbol}), identity vouched for by hand, ${when}`, full)}\n`);
  return full;
}

function near(actual: number, expected: number): void {
  assert.ok(Math.abs(actual - expected) <= Math.abs(expected) * 1e-9, `${actual} is not ${expected}`);
}

function show(title: string, { status, body }: Scored): void {
  const text = status === 200 ? tableOf(title, body as FullReply) : refusalOf(title, status, body as ProblemReply);
  process.stdout.write(`${text}\n`);
}

function anyConfig() {
  const read = loadConfig({}, []);
  assert.ok(read.ok);
  return read.value;
}

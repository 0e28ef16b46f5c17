import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { FAULT_KINDS, type FaultKind } from '../sandbox/faults.ts';
import { REPLIED } from '../src/domain/evidence.ts';
import { QUANTITIES, type QuantityId } from '../src/domain/quantities.ts';
import { loadMethodology } from '../src/methodology/load.ts';
import { SOURCES } from '../src/sources/index.ts';
import { ownTime } from '../src/upstream/fixtures/own-time.ts';
import { type TestService, testService } from './support/service.ts';

interface Quantity {
  readonly quantity: QuantityId;
  readonly scope: string;
  readonly value: unknown;
  readonly status: string;
  readonly independent_families: number;
  readonly voices: readonly { readonly source: string }[];
}
interface Full {
  readonly collection_id: string | null;
  readonly rating: { readonly band: string; readonly score: number | null };
  readonly trust_score: { readonly score: number };
  readonly sources: readonly {
    readonly name: string;
    readonly outcome: string;
    readonly answered: number;
    readonly asked: number;
  }[];
  readonly quantities: readonly Quantity[];
}

let world: TestService;
const WAIT = 5;
const asset = { type: 'posttge', project: 'Tidewell', project_url: 'https://tidewell.example/', token_symbol: 'TIDE' };
/** Sources that have nothing but lists for all assets are asked before the fault, and what they said stays in use. */
const ON = SOURCES.filter(
  (source) =>
    source.enabledByDefault &&
    source.endpoints.some(({ role }) => role === 'observe') &&
    !['evm_rpc', 'blockscout', 'honeypot_is', 'sourcify'].includes(source.name),
).map((source) => source.name);
const methodology = loadMethodology();
let calm: Full;
let count = 0;

/** What the collection came to: it goes on after a caller whose time was over was answered, and the next score would join it. */
async function collected(answer: Full): Promise<Full> {
  const { collection_id: id } = answer;
  for (const until = Date.now() + 90_000; id !== null && Date.now() < until; ) {
    const job = await (await world.call(`/v1/jobs/${id}?output_format=full`)).json();
    const { state, result } = job as { readonly state?: string; readonly result?: Full };
    if (state !== 'running' && state !== 'queued') return result ?? answer;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return answer;
}

async function score(): Promise<{ readonly status: number; readonly seconds: number; readonly body: Full }> {
  const passed = ownTime();
  count += 1;
  // The category differs, so that no score is joined; the token stays the same.
  const json = { ...asset, category: `defi ${count}`, output_format: 'full' };
  const reply = await world.call('/v1/score', { json, headers: { prefer: `wait=${WAIT}` } });
  return { status: reply.status, seconds: passed() / 1000, body: (await reply.json()) as Full };
}

/** Values that several families still agree on may move by their noise floor, not more. */
function assertUnmoved(before: Full, now: Full, faulty: readonly string[], what: string): void {
  for (const row of before.quantities) {
    const { kind } = QUANTITIES[row.quantity];
    if (
      (kind !== 'log' && kind !== 'exact') ||
      row.scope !== 'asset' ||
      typeof row.value !== 'number' ||
      row.value <= 0
    )
      continue;
    const honest = new Set(row.voices.map((voice) => voice.source).filter((source) => !faulty.includes(source)));
    const after = now.quantities.find((other) => other.quantity === row.quantity && other.scope === 'asset');
    if (!after || typeof after.value !== 'number' || after.independent_families < 3 || honest.size < 3) continue;
    const noise = methodology.consensus.classes[methodology.consensus.classOf[row.quantity]]?.noise ?? 0;
    const moved = Math.abs(Math.log(after.value / row.value));
    // The world moves on between two requests; that is far below any noise floor.
    assert.ok(moved <= noise + 0.002, `${what}: ${row.quantity} moved by ${moved.toFixed(4)}, noise ${noise}`);
  }
}

before(async () => {
  world = await testService();
  calm = (await score()).body;
});
after(() => world.close());

/** Kinds after which a source has nothing to say; the others still let it speak. DexScreener’s way to say no is an empty list. */
const SILENT: ReadonlySet<FaultKind> = new Set([
  'rate_limited',
  'server_error',
  'reset_mid_body',
  'truncated_json',
  'wrong_content_type',
  'error_body',
  'gzip_bomb',
  'redirect_loopback',
  'redirect_metadata',
  'refused',
]);
/** Kinds that cost their deadline each time: a fifth of the sources each, all sources over both. */
const SLOW: ReadonlySet<FaultKind> = new Set(['latency', 'slow_drip']);
/**
 * What the one HTTP client sees before any source's adapter does: a third of the sources each, and each source meets a third of these.
 * What reaches the adapters is tried at every source; `npm run test:faults` tries all pairs.
 */
const OF_THE_WIRE: readonly FaultKind[] = [
  'rate_limited',
  'server_error',
  'reset_mid_body',
  'wrong_content_type',
  'gzip_bomb',
  'redirect_loopback',
  'redirect_metadata',
  'refused',
];
const rows = FAULT_KINDS.map((kind, k) => ({ kind, sources: sourcesFor(kind, k) }));

function sourcesFor(kind: FaultKind, k: number): readonly string[] {
  if (SLOW.has(kind)) return ON.filter((_, index) => index % 5 === k % 5);
  const turn = OF_THE_WIRE.indexOf(kind);
  return turn < 0 ? ON : ON.filter((_, index) => index % 3 === turn % 3);
}

for (const { kind, sources } of rows) {
  test(`${kind}, each of ${sources.length} sources alone`, async () => {
    await rested();
    for (const source of sources) {
      world.sandbox.faults.clear();
      // A long Retry-After would rest each source in turn until none is left.
      world.sandbox.faults.add({ source, kind, ms: kind === 'slow_drip' ? 400 : 900, retryAfterSeconds: 1 });
      const { status, seconds, body } = await score();
      const what = `${kind} of ${source}`;
      assert.ok(seconds < WAIT + 1, `${what}: ${seconds.toFixed(1)} s`);
      assert.equal(status, 200, `${what}: ${JSON.stringify(body).slice(0, 200)}`);
      const row = (await collected(body)).sources.find((other) => other.name === source);
      if (
        SILENT.has(kind) &&
        row &&
        row.asked > 0 &&
        source !== 'website' &&
        // Half of a page is a page.
        !(kind === 'truncated_json' && source === 'third_parties') &&
        !(kind === 'error_body' && source === 'dexscreener')
      )
        assert.ok(
          !REPLIED.has(row.outcome as never) || row.answered < row.asked,
          `${what} is named: ${JSON.stringify(row)}`,
        );
      assert.ok(body.trust_score.score <= calm.trust_score.score + 2, `${what}: trust ${body.trust_score.score}`);
      assertUnmoved(calm, body, [source], what);
    }
    world.sandbox.faults.clear();
  });
}

test('values off by a power of ten in one source move no consensus and are named', async () => {
  await rested();
  for (const [quantity, factor] of [
    ['price', 1000],
    ['liquidity', 1e6],
    ['volume', 1e-3],
  ] as const) {
    world.sandbox.faults.clear();
    world.sandbox.faults.add({ source: 'geckoterminal', kind: 'scale', quantity, factor });
    const { body } = await score();
    assertUnmoved(calm, body, ['geckoterminal'], `${quantity} x ${factor}`);
  }
  world.sandbox.faults.clear();
});

test('half of the sources at once: a reply by the deadline, with less trust', async () => {
  await rested();
  // A first rating: of an asset that was rated before, the answers of then would stand.
  const { trust_score: whole } = calm;
  await world.close();
  world = await testService();
  const half = ON.filter((name, index) => index % 2 === 0 && !['solana_rpc', 'website'].includes(name));
  for (const source of half) world.sandbox.faults.add({ source, kind: 'server_error' });
  const { status, seconds, body } = await score();
  world.sandbox.faults.clear();
  assert.equal(status, 200);
  assert.ok(seconds < WAIT + 1);
  assert.ok(body.trust_score.score < whole.score, `${body.trust_score.score} against ${whole.score}`);
  for (const source of half) {
    const row = body.sources.find((other) => other.name === source);
    assert.ok(!row || row.asked === 0 || row.answered < row.asked, `${source} is named`);
  }
});

/** A fresh service, so that breakers of earlier faults are closed. */
async function rested(): Promise<void> {
  await world.close();
  world = await testService();
  calm = (await score()).body;
}

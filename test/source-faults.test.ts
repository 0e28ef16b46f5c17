import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Driven, driveSource, requestFacade } from '../sandbox/drive.ts';
import type { FacadeReply } from '../sandbox/facade.ts';
import type { Fault, FaultKind } from '../sandbox/faults.ts';
import { createScene, type Scene } from '../sandbox/scene.ts';
import { type Sandbox, startSandbox } from '../sandbox/server.ts';
import { serviceOnSandbox } from '../sandbox/service-settings.ts';
import { sandboxResolver } from '../sandbox/settings.ts';
import { factsFor } from '../sandbox/source-facts.ts';
import { createEngine } from '../src/compose/engine.ts';
import type { RequestOutcome } from '../src/domain/evidence.ts';
import { createJobRequester } from '../src/evidence/requester.ts';
import { type Endpoint, SOURCES, type Source } from '../src/sources/index.ts';

/** Sources of which no reply can be bent, with the reason. Every other one must be asked below. */
const NOT_BENT: Readonly<Record<string, string>> = {
  registers: 'files of this version, which nothing sends',
  tls: 'a connection, whose certificate is read without a reply; sandbox/server.test.ts closes it',
};
const BENT = SOURCES.filter(({ name }) => NOT_BENT[name] === undefined);

interface Question {
  readonly source: Source;
  readonly endpoint: Endpoint;
  readonly calm: Driven;
}

let sandbox: Sandbox;
let scene: Scene;
/** What becomes of every reply; null: nothing. */
let bend: ((reply: FacadeReply) => FacadeReply) | null = null;
let questions: readonly Question[];

before(async () => {
  const rewrite = (_request: unknown, reply: FacadeReply) => bend?.(reply) ?? reply;
  sandbox = await startSandbox({ seed: 1, port: 0, host: '127.0.0.1', now: Date.now, rewrite });
  scene = createScene(sandbox.world, sandbox.clock.now(), () => 1);
  questions = BENT.flatMap((source) => {
    const calm = drivenOf(source).find((one) => one.observations.length > 0);
    const endpoint = source.endpoints.find(({ name }) => name === calm?.endpoint);
    return calm === undefined || endpoint === undefined ? [] : [{ source, endpoint, calm }];
  });
});
after(() => sandbox.close());

function drivenOf(source: Source): readonly Driven[] {
  return factsFor(source, scene).flatMap((facts) => driveSource(source, facts, scene));
}

/** Every question over the wire, all at once, through the service's own client with closed circuits. */
async function ask(mostMs = 20_000) {
  const usual = serviceOnSandbox(sandbox, {});
  const sources = Object.fromEntries(
    Object.entries(usual.sources).map(([name, settings]) => [name, { ...settings, enabled: true, key: 'a-key' }]),
  );
  const engine = createEngine({ ...usual, sources }, sandboxResolver(sandbox));
  try {
    const requester = createJobRequester({
      book: engine.book,
      upstream: engine.upstream,
      bulk: {
        get: async () => ({ failed: 'unsupported', detail: '' }),
        start: () => undefined,
        close: () => undefined,
      },
      now: Date.now,
      ticks: () => performance.now(),
      deadlineAt: performance.now() + mostMs,
      signal: AbortSignal.timeout(mostMs),
      traceparent: null,
      onReply: () => undefined,
    });
    return await Promise.all(
      questions.map(async ({ source, endpoint, calm }) => {
        const { record, observations } = await requester.requestRecorded(
          source.name,
          endpoint.name,
          calm.params,
          'critical',
        );
        return { source, endpoint, outcome: record.outcome, detail: record.detail ?? '', observations };
      }),
    );
  } finally {
    await engine.close();
  }
}

test('each source has a request with a reply in the sandbox: none is left out of what follows', async () => {
  assert.deepEqual(
    questions.map(({ source }) => source.name),
    BENT.map(({ name }) => name),
  );
  assert.deepEqual(
    Object.keys(NOT_BENT).filter((name) => !SOURCES.some((source) => source.name === name)),
    [],
  );
  for (const { source, outcome, detail, observations } of await ask())
    assert.ok(outcome === 'ok' && observations.length > 0, `${source.name}: ${outcome} ${detail}`);
});

/** Formats in which half of a file, or other words, still are a file. */
const isText = ({ format = 'json' }: Endpoint) => format !== 'json';

interface Bent {
  readonly what: string;
  readonly fault?: Omit<Fault, 'source'>;
  readonly bend?: (reply: FacadeReply) => FacadeReply;
  readonly outcomes: readonly RequestOutcome[];
  /** Texts may be read all the same. */
  readonly butTexts?: true;
  readonly mostMs?: number;
}
const dead = (kind: FaultKind, ...outcomes: readonly RequestOutcome[]): Bent => ({
  what: kind,
  fault: { kind, retryAfterSeconds: 1 },
  outcomes,
});
const PAGE =
  '<!doctype html><html><head><title>Just a moment...</title></head><body><h1>Checking your browser</h1></body></html>';
/** More than a reply may have, but for lists. */
const HUGE_BYTES = 5 * 1024 * 1024;

const KINDS: readonly Bent[] = [
  dead('refused', 'unreachable'),
  dead('reset_mid_body', 'truncated', 'unreachable'),
  dead('server_error', 'http_error'),
  // Some count a refusal among their answers, and read its body.
  dead('rate_limited', 'rate_limited', 'malformed', 'error_reply', 'http_error'),
  // All bombs at once take a small machine longer than a source may.
  dead('gzip_bomb', 'too_large', 'timeout'),
  { ...dead('empty', 'malformed', 'empty', 'wrong_content_type'), butTexts: true },
  dead('redirect_loopback', 'refused_address', 'http_error'),
  dead('redirect_metadata', 'refused_address', 'http_error'),
  {
    what: 'slow',
    fault: { kind: 'latency', ms: 4_000 },
    outcomes: ['timeout', 'deadline', 'cancelled'],
    mostMs: 1_500,
  },
  {
    what: 'dripping',
    fault: { kind: 'slow_drip', ms: 500 },
    outcomes: ['timeout', 'deadline', 'cancelled', 'truncated'],
    mostMs: 1_500,
  },
  { ...dead('truncated_json', 'malformed', 'truncated'), butTexts: true },
  {
    what: 'HTML with status 200',
    bend: () => ({ text: PAGE, contentType: 'text/html' }),
    outcomes: ['malformed', 'wrong_content_type', 'empty', 'not_found', 'error_reply'],
    butTexts: true,
  },
  {
    what: 'HTML that calls itself JSON',
    bend: () => ({ text: PAGE, contentType: 'application/json' }),
    outcomes: ['malformed', 'wrong_content_type', 'empty', 'not_found', 'error_reply'],
    butTexts: true,
  },
  {
    what: 'huge',
    bend: ({ contentType = 'application/json' }) => ({ text: ' '.repeat(HUGE_BYTES), contentType }),
    outcomes: ['too_large', 'malformed'],
    butTexts: true,
  },
];

for (const { what, fault, bend: change, outcomes, butTexts, mostMs } of KINDS)
  test(`${what}: every source gives nothing, and states why`, async () => {
    bend = change ?? null;
    // Without its certificate a site could not be asked at all.
    if (fault) for (const { name } of BENT) sandbox.faults.add({ ...fault, source: name });
    try {
      for (const { source, endpoint, outcome, detail, observations } of await ask(mostMs)) {
        if (butTexts === true && isText(endpoint)) continue;
        assert.deepEqual(observations.length, 0, `${source.name}.${endpoint.name} observed ${outcome}`);
        assert.ok(outcomes.includes(outcome), `${source.name}.${endpoint.name}: ${outcome} ${detail}`);
      }
    } finally {
      bend = null;
      sandbox.faults.clear();
    }
  });

/**
 * Endpoints that take a reply for one about what was asked, whatever it names: most replies name nothing (a candle, a book, a page); a
 * repository may have moved. An endpoint that is not here finds the row that was asked for, or refuses. What one source says of
 * another asset is left to the agreement of sources.
 */
const TAKE_ANY: readonly string[] = [
  'coingecko.market_chart',
  'geckoterminal.ohlcv',
  'coinmarketcap.dex_token',
  'coinmarketcap.dex_security',
  'defillama.protocol',
  'defillama.fees',
  'binance.depth',
  'binance.candles',
  'coinbase.ticker',
  'coinbase.book',
  'coinbase.candles',
  'blockscout.holders',
  'blockscout.counters',
  'blockscout.smart_contract',
  'website.home',
  'website.page',
  'website.security_txt',
  'github.repo',
  'github.commits',
  'github.releases',
  'github.feed',
  'github.members',
  'third_parties.page',
  'wayback.cdx',
  'doh.records',
  'crt_sh.search',
];

test('a reply about another asset is taken by no endpoint but those that are listed', () => {
  const believed = BENT.flatMap((source) => {
    const byEndpoint = Map.groupBy(drivenOf(source), ({ endpoint }) => endpoint);
    return [...byEndpoint].flatMap(([name, replies]) => {
      const endpoint = source.endpoints.find((row) => row.name === name);
      const said = replies.filter((one) => one.observations.length > 0);
      const [first] = said;
      const other = said.find((one) => first !== undefined && !one.body.equals(first.body) && one.url !== first.url);
      if (endpoint === undefined || first === undefined || other === undefined) return [];
      const answer = { text: other.body.toString(), contentType: other.contentType };
      const mixed = requestFacade(source, endpoint, first.params, scene, () => answer);
      return mixed.observations.length > 0 ? [`${source.name}.${name}`] : [];
    });
  });
  assert.deepEqual(believed, TAKE_ANY);
});

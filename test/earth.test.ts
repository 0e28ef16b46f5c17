import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { AssetSpec } from '../sandbox/world/types.ts';
import { specsOf } from '../sandbox/world/world.ts';
import { BANDS, type Band } from '../src/domain/rating.ts';
import { holdPublished, SUBJECTS } from './assertions/assertions.ts';
import { BROKEN_ON_EARTH, type Judged } from './assertions/statements.ts';
import { readPanel } from './panel/assets.ts';
import { type TestService, testService } from './support/service.ts';

/** The whole way on real assets: names and sites given to the service, replies in the shape of every source, published ratings. */
interface Report {
  readonly published: boolean;
  readonly data_mode: string;
  readonly asset: { readonly id: string; readonly class: string };
  readonly rating: { readonly band: Band; readonly score: number | null };
  readonly risk_flags: readonly { readonly code: string }[];
  readonly caps_applied: readonly { readonly code: string }[];
  readonly vfr: {
    readonly value: number | null;
    readonly method: string;
    readonly peers: number;
    readonly reason: string | null;
  };
}

/**
 * Assets that the whole way puts outside the expected range, with their band. The list may only become shorter. The reserves of cbBTC are told by
 * its issuer alone, also through Chainlink, and its units on Solana are not read beside them (decision 36): BACKING_UNPROVEN.
 */
const OUTSIDE: readonly string[] = ['coinbase-wrapped-btc B'];

/** Pairs that the sandbox cannot decide. The list may only become shorter. */
const UNDECIDED: readonly string[] = [];

/** A published record. */
interface Published {
  readonly band: Band;
  readonly score: number | null;
  readonly risk_flags: readonly { readonly code: string }[];
  readonly data_mode: string;
}

/** How often an asset is asked for until a rating of it is published. */
const MOST_ASKED = 4;

let world: TestService;
const reports = new Map<string, Report>();
/** What was published of each asset, by its name in the panel, with the ceilings of the report that was published. */
const published = new Map<string, Judged>();

before(async () => {
  world = await testService({}, 'earth');
  await rateAll(world, specsOf('earth'), reports, (slug) => slug);
  const past = await testService({}, 'earth-before');
  try {
    await rateAll(past, specsOf('earth-before'), new Map(), (slug) => slug.replace(/-(?=\d{4}-\d{2}$)/, '@'));
  } finally {
    await past.close();
  }
});
after(() => world.close());

/** Asks for a rating of each asset and reads what was published of it. */
async function rateAll(
  service: TestService,
  specs: readonly AssetSpec[],
  into: Map<string, Report>,
  nameOf: (slug: string) => string,
): Promise<void> {
  const left = [...specs];
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      for (let spec = left.shift(); spec !== undefined; spec = left.shift()) {
        const { name, symbol, domain, slug } = spec;
        const json = { type: 'posttge', project: name, project_url: `https://${domain}/`, token_symbol: symbol };
        // A busy machine may need more than one wait, and a second collection where deadlines cut the first one short.
        for (let ask = 0; ask < MOST_ASKED && !published.has(nameOf(slug)); ask += 1) {
          const reply = await service.call('/v1/score', { json, headers: { prefer: 'wait=60' } });
          if (reply.status !== 200) continue;
          const report = (await reply.json()) as Report;
          into.set(slug, report);
          const record = await publishedOf(service, report);
          if (record !== null) published.set(nameOf(slug), record);
        }
      }
    }),
  );
}

/** What was published of the asset of a report, with its ceilings; null where nothing was. */
async function publishedOf(service: TestService, report: Report): Promise<Judged | null> {
  const record = await service.call(`/v1/rms/${report.asset.id}`);
  if (record.status !== 200) return null;
  const { band, score, risk_flags: flags, data_mode: mode } = (await record.json()) as Published;
  assert.equal(mode, 'sandbox');
  return { band, score, flags, class: report.asset.class, caps: report.caps_applied };
}

test('real assets are rated on the whole way in the order that experts agree on', async () => {
  const { pairs } = await readPanel(`${import.meta.dirname}/panel`);
  const scoreOf = (id: string) => reports.get(id)?.rating.score ?? null;
  const known = pairs.filter((pair) => pair.strict && reports.has(pair.better) && reports.has(pair.worse));
  const lost = known.filter(({ better, worse }) => (scoreOf(better) ?? 0) <= (scoreOf(worse) ?? 100));
  assert.ok(known.length >= 100, `${known.length} pairs`);
  assert.deepEqual(lost.map(({ better, worse }) => `${better}>${worse}`).sort(), UNDECIDED);
});

test('an asset published as in default is D in the reply to any caller, with the reason first', () => {
  const failed = [...published].filter(([slug, { band }]) => band === 'D' && reports.has(slug)).map(([slug]) => slug);
  assert.ok(failed.length >= 3, failed.join());
  for (const slug of failed) {
    const report = reports.get(slug);
    assert.deepEqual([report?.rating.band, report?.caps_applied[0]?.code], ['D', 'DEFAULT'], slug);
  }
});

test('the forty assertions hold on the published records of these worlds', () => {
  const rows = holdPublished(published);
  // The order of all is of the assets of the others.
  assert.deepEqual(
    rows.filter(({ found }) => found.length === 0).map(({ number }) => number),
    [40],
  );
  const missing = [...SUBJECTS].flatMap(([, subjects]) => subjects).filter((subject) => !published.has(subject));
  assert.deepEqual(missing, []);
  const broken = rows
    .filter((row) => row.broken.length > 0)
    .map(({ number, broken: why }) => `${number}: ${why.join('; ')}`);
  assert.deepEqual(
    broken.map((row) => Number.parseInt(row, 10)),
    Object.keys(BROKEN_ON_EARTH).map(Number),
    broken.join('\n'),
  );
});

test('of the assets with an expected range those listed alone are published outside it', async () => {
  const { expected } = await readPanel(`${import.meta.dirname}/panel`);
  const known = expected.filter(({ id }) => published.has(id));
  const rank = (band: string) => BANDS.indexOf(band as Band);
  const outside = known.filter(({ id, low, high }) => {
    const band = published.get(id)?.band ?? 'NR';
    return rank(band) > rank(low) || rank(band) < rank(high);
  });
  assert.ok(known.length >= 50, `${known.length} assets`);
  assert.deepEqual(
    outside.map(({ id }) => `${id} ${published.get(id)?.band}`),
    OUTSIDE,
  );
});

test('a gold token whose issuer’s licence is not confirmed stays below A', async () => {
  const plain = await testService({ registersDir: null }, 'earth');
  try {
    const json = { type: 'posttge', project: 'PAX Gold', project_url: 'https://paxos.com/', token_symbol: 'PAXG' };
    const reply = await plain.call('/v1/score', { json, headers: { prefer: 'wait=60' } });
    const { rating, caps_applied: caps } = (await reply.json()) as Report;
    assert.equal(rating.band, 'BBB');
    assert.ok(caps.some(({ code }) => code === 'CLASS_COMMODITY_UNSUPERVISED'));
  } finally {
    await plain.close();
  }
});

test('coins of chains have their CAIP-19 id, are published, and are rated above every memecoin', () => {
  const bitcoin = reports.get('bitcoin');
  assert.equal(bitcoin?.asset.id, 'bip122:000000000019d6689c085ae165831e93/slip44:0');
  assert.deepEqual([bitcoin.published, bitcoin.data_mode], [true, 'sandbox']);
  assert.equal(reports.get('ripple')?.asset.id, 'xrpl:0/slip44:144');
  const memecoins = ['pepe', 'dogwifcoin', 'bonk', 'shiba-inu', 'official-trump'];
  const best = Math.max(...memecoins.map((id) => reports.get(id)?.rating.score ?? 100));
  for (const id of ['bitcoin', 'ethereum', 'solana', 'usd-coin'])
    assert.ok((reports.get(id)?.rating.score ?? 0) > best, id);
});

test('first ratings of a new installation have a value fairness by their class, or state the reason', () => {
  const vfr = (id: string) => reports.get(id)?.vfr ?? assert.fail(`${id} is not rated`);
  for (const id of ['usd-coin', 'rocket-pool-eth'])
    assert.ok(
      vfr(id).method === 'peg' && Math.abs((vfr(id).value ?? 0) - 1) < 0.05,
      `${id} ${JSON.stringify(vfr(id))}`,
    );
  // Lists give peers from the first rating on; what they are worth may lie too far apart, or they may be too few.
  for (const id of ['ethereum', 'uniswap'])
    assert.ok(
      vfr(id).peers > 0 || /peers? with the driver/.test(vfr(id).reason ?? ''),
      `${id} ${JSON.stringify(vfr(id))}`,
    );
  // Twelve coins tell what their chains are paid; what a dollar of it is worth lies too far apart for a fair value, and the reply says so.
  for (const id of ['bitcoin', 'cardano', 'tron', 'litecoin'])
    assert.ok(vfr(id).peers >= 8 && /spread too widely/.test(vfr(id).reason ?? ''), `${id} ${JSON.stringify(vfr(id))}`);
  // Protocols of this world alone: what is staked, wrapped or pegged is no peer of the protocol that issues it.
  assert.ok(vfr('uniswap').peers >= 5, JSON.stringify(vfr('uniswap')));
  for (const [id, { vfr: found }] of reports) assert.ok((found.value === null) === (found.reason !== null), id);
});

test('a coin is read by its CAIP-19 id, and issuers in proceedings are rated C or D', async () => {
  const reply = await world.call('/v1/rms/bip122:000000000019d6689c085ae165831e93/slip44:0');
  assert.equal(reply.status, 200);
  assert.match(await reply.text(), /"symbol":"BTC"/);
  for (const id of ['ftx-token', 'celsius-degree-token']) assert.match(reports.get(id)?.rating.band ?? '', /^[CD]$/);
});

test('an issuer whose licence was read long ago is supervised by today’s public register', async () => {
  const rating = reports.get('usd-coin')?.rating;
  // The band of the panel; as disclosed it would be below.
  assert.match(rating?.band ?? '', /^AA?$/, JSON.stringify(rating));
});

test('a wrapped asset is rated below its underlying, by the published score of that', async () => {
  const json = {
    type: 'posttge',
    project: 'Coinbase Wrapped BTC',
    project_url: 'https://coinbase.com/',
    token_symbol: 'CBBTC',
  };
  const reply = await world.call('/v1/score', { json, headers: { prefer: 'wait=60' } });
  const report = (await reply.json()) as {
    readonly caps_applied: readonly { readonly code: string; readonly cap: number }[];
  };
  const bitcoin = reports.get('bitcoin')?.rating.score ?? 0;
  const cap = report.caps_applied.find(({ code }) => code === 'UNDERLYING')?.cap ?? 0;
  assert.ok(Math.abs(cap - (bitcoin - 3)) < 0.15, `${cap} below ${bitcoin}`);
});

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { specsOf } from '../sandbox/world/world.ts';
import type { Band } from '../src/domain/rating.ts';
import { BROKEN_ON_EARTH, holdPublished } from './assertions/assertions.ts';
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

/** Pairs that the sandbox cannot decide. The list may only become shorter. */
const UNDECIDED: readonly string[] = [];

/** Assertions of whose assets this world has one at least, beside the order of all (the last). */
const TRIED = 27;

let world: TestService;
const reports = new Map<string, Report>();

before(async () => {
  world = await testService({}, 'earth');
  const left = specsOf('earth').filter(({ kind }) => kind === 'real');
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      for (let spec = left.shift(); spec !== undefined; spec = left.shift()) {
        const { name, symbol, domain, slug } = spec;
        const json = { type: 'posttge', project: name, project_url: `https://${domain}/`, token_symbol: symbol };
        const reply = await world.call('/v1/score', { json, headers: { prefer: 'wait=60' } });
        if (reply.status === 200) reports.set(slug, (await reply.json()) as Report);
      }
    }),
  );
});
after(() => world.close());

test('real assets are rated on the whole way in the order that experts agree on', async () => {
  const { pairs } = await readPanel(`${import.meta.dirname}/panel`);
  const scoreOf = (id: string) => reports.get(id)?.rating.score ?? null;
  const known = pairs.filter((pair) => pair.strict && reports.has(pair.better) && reports.has(pair.worse));
  const lost = known.filter(({ better, worse }) => (scoreOf(better) ?? 0) <= (scoreOf(worse) ?? 100));
  assert.ok(known.length >= 70, `${known.length} pairs`);
  assert.deepEqual(lost.map(({ better, worse }) => `${better}>${worse}`).sort(), UNDECIDED);
});

test('the forty assertions hold on the published records of the assets that this world has, but those listed', () => {
  const published = [...reports]
    .filter(([, report]) => report.published)
    .map(([slug, { rating, asset, risk_flags: flags, caps_applied: caps }]) => {
      return [slug, { ...rating, class: asset.class, flags, caps }] as const;
    });
  const rows = holdPublished(new Map(published));
  const tried = rows.filter(({ found }) => found.length > 0);
  assert.ok(tried.length >= TRIED, `${tried.length} are tried`);
  const broken = rows
    .filter((row) => row.broken.length > 0)
    .map(({ number, broken: why }) => `${number}: ${why.join('; ')}`);
  assert.deepEqual(
    broken.map((row) => Number.parseInt(row, 10)),
    Object.keys(BROKEN_ON_EARTH).map(Number),
    broken.join('\n'),
  );
});

test('coins of chains have their CAIP-19 id, are published, and stand above every memecoin', () => {
  const bitcoin = reports.get('bitcoin');
  assert.equal(bitcoin?.asset.id, 'bip122:000000000019d6689c085ae165831e93/slip44:0');
  assert.deepEqual([bitcoin.published, bitcoin.data_mode], [true, 'sandbox']);
  assert.equal(reports.get('ripple')?.asset.id, 'xrpl:0/slip44:144');
  const memecoins = ['pepe', 'dogwifcoin', 'bonk', 'shiba-inu', 'official-trump'];
  const best = Math.max(...memecoins.map((id) => reports.get(id)?.rating.score ?? 100));
  for (const id of ['bitcoin', 'ethereum', 'solana', 'usd-coin'])
    assert.ok((reports.get(id)?.rating.score ?? 0) > best, id);
});

test('first ratings of a new installation have a value fairness by their class, or say why not', () => {
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
  // Protocols of this world alone: what is staked, wrapped or pegged is no peer of the protocol that issues it.
  assert.ok(vfr('uniswap').peers >= 5, JSON.stringify(vfr('uniswap')));
  for (const [id, { vfr: found }] of reports) assert.ok((found.value === null) === (found.reason !== null), id);
});

test('a coin is read by its CAIP-19 id, and issuers in proceedings stand at C or D', async () => {
  const reply = await world.call('/v1/rms/bip122:000000000019d6689c085ae165831e93/slip44:0');
  assert.equal(reply.status, 200);
  assert.match(await reply.text(), /"symbol":"BTC"/);
  for (const id of ['ftx-token', 'celsius-degree-token']) assert.match(reports.get(id)?.rating.band ?? '', /^[CD]$/);
});

test('an issuer whose licence was read long ago is supervised by the public register of today', async () => {
  const rating = reports.get('usd-coin')?.rating;
  // The band of the panel; as disclosed it would be below.
  assert.match(rating?.band ?? '', /^AA?$/, JSON.stringify(rating));
});

test('a wrapped asset stands below what it stands for, by the published score of that', async () => {
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

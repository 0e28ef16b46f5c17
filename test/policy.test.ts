import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { base58 } from '@scure/base';
import type { ScoreReport } from '../src/domain/evidence.ts';
import type { PublishedRating } from '../src/domain/published.ts';
import { recordOf } from '../src/store/packed-record.ts';
import { evmAsset, type RatingWorld, ratingOf, ratingWorld, solanaAsset } from './support/rating-world.ts';

const START = '2026-11-20T12:00:00.000Z';
const AT = '2026-11-20T11:00:00.000Z';
const USDC = evmAsset(1, 'ethereum', '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48', 'USDC');
const EURC = evmAsset(1, 'ethereum', '0x1abaea1f7c830bd89acc67ec4af516284b1bc33c', 'EURC');
const reports = new Map<string, ScoreReport>();
let world: RatingWorld;
let number = 0;

before(async () => {
  const scoring = { report: async (id: string) => reports.get(id) ?? null, underWay: async () => null };
  world = await ratingWorld(START, { scoring: scoring as never });
});
after(() => world.close());

/** Evidence with one constant product pool of `usd` on each side that indexers report. */
function reportOf(published: PublishedRating, usd: number): ScoreReport {
  const row = (value: unknown) => ({
    value,
    status: 'agreed',
    families: 2,
    confidence: 0.9,
    voices: [{ accepted: true, observedAt: AT }],
  });
  const pool = 'pool:one';
  const rows = {
    price_usd: 2,
    [`pool_liquidity_usd@${pool}`]: 2 * usd,
    [`pool_price_usd@${pool}`]: 2,
    [`pool_fee_rate@${pool}`]: 0,
    [`pool_kind@${pool}`]: 'constant_product',
    lp_creator_share: 0.1,
  };
  const consensus = Object.fromEntries(
    Object.entries(rows).map(([key, value]) => [
      key,
      { ...row(value), quantity: key.split('@')[0], scope: key.split('@')[1] ?? 'asset' },
    ]),
  );
  return { consensus, published } as unknown as ScoreReport;
}

/** A rated asset of its own, with evidence unless `usd` is null. */
async function rated(changes: Partial<PublishedRating> = {}, asOf = AT, usd: number | null = 1e6): Promise<string> {
  number += 1;
  const asset = changes.asset ?? solanaAsset(base58.encode(randomBytes(32)), `SYM${number}`);
  const rating = ratingOf(asset, asOf, { flags: [], score: 90, band: 'AA', trust: 90, ...changes });
  await world.put(rating);
  if (usd !== null) reports.set(rating.jobId, reportOf(rating, usd));
  return asset.id;
}

interface Fired {
  readonly rule: string;
  readonly outcome: string;
  readonly decided: boolean;
  readonly receipts: readonly string[];
  readonly flag: { readonly code: string } | null;
}
interface Verdict {
  readonly outcome: string;
  readonly fired: readonly Fired[];
  readonly met: readonly string[];
  readonly band: string;
  readonly largest_exposure: { readonly size_usd: number; readonly largest_pool_share_pct: number } | null;
  readonly next: { readonly path: string } | null;
  readonly [field: string]: unknown;
}
async function check(body: object, key?: string): Promise<Verdict> {
  const reply = await world.get('/v1/policy/check', { method: 'POST', body, ...(key ? { key } : {}) });
  assert.equal(reply.status, 200, await reply.clone().text());
  return (await reply.json()) as Verdict;
}
const rulesOf = ({ fired }: Verdict) => fired.map(({ rule, outcome }) => `${rule} ${outcome}`);

test('a rating that meets every rule is allowed, with its largest exposure and the rules that were applied', async () => {
  const verdict = await check({
    asset: await rated(),
    preset: 'treasury',
    rules: { exit: { max_cost_pct: 2, amount: 'block' }, pool_share_pct: {} },
    amount_usd: 20_000,
  });
  assert.deepEqual(rulesOf(verdict), []);
  assert.equal(verdict.outcome, 'allow');
  // One million dollars on a side, no fee: s / (1e6 + s) = 2 %.
  assert.equal(verdict.largest_exposure?.size_usd, Math.floor((1e6 * 0.02) / 0.98));
  assert.equal(verdict.largest_exposure?.largest_pool_share_pct, 100);
  assert.deepEqual(
    ['signature', 'band', 'trust', 'flag', 'rating_age'].filter((rule) => !verdict.met.includes(rule)),
    [],
  );
  assert.equal(verdict.next, null);
});

test('each rule fires at its limit with receipts that lead to the rating and its evidence', async () => {
  const flag = {
    code: 'MINT_AUTHORITY_EOA',
    severity: 'critical' as const,
    title: 'A key mints',
    detail: 'one key',
    since: AT,
  };
  const asset = await rated({ flags: [flag], band: 'BB', score: 50, trust: 40, class: 'memecoin' });
  const rules = {
    band: { block: 'A', caution: 'AA' },
    trust: { caution: 41 },
    flags: { block: { codes: ['MINT_AUTHORITY_EOA'] } },
    rating_age_hours: { caution: 0.5 },
    evidence_age_hours: { block: 0.5 },
    chains: { deny: ['solana'] },
    classes: { allow: ['native_l1'] },
    assets: { allow: [asset] },
    exit: { max_cost_pct: 2, size_usd: { caution: 20_409 }, amount: 'block', estimated: 'caution' },
    pool_share_pct: { caution: 99 },
    provider_share_pct: { block: 9 },
  };
  const verdict = await check({ asset, rules, amount_usd: 20_409 });
  assert.deepEqual(rulesOf(verdict), [
    'chain block',
    'class block',
    'band block',
    'trust caution',
    'flag block',
    'rating_age caution',
    'evidence_age block',
    'exit_size caution',
    'exit_amount block',
    'pool_share caution',
    'exit_estimated caution',
    'provider_share block',
  ]);
  assert.equal(verdict.outcome, 'block');
  assert.ok(verdict.fired.every(({ decided }) => decided));
  assert.equal(verdict.fired.find(({ rule }) => rule === 'flag')?.flag?.code, 'MINT_AUTHORITY_EOA');
  for (const path of verdict.fired.flatMap(({ receipts }) => receipts).filter((one) => !/evidence|breakdown/.test(one)))
    assert.equal((await world.get(path)).status, 200, path);
  const atLimit = {
    band: { block: 'BB' },
    trust: { block: 40 },
    flags: { ignore: ['MINT_AUTHORITY_EOA'], block: { severities: ['critical'] } },
    rating_age_hours: { block: 1 },
  };
  assert.deepEqual(
    rulesOf(await check({ asset, rules: { ...atLimit, provider_share_pct: { caution: 10 }, exit: {} } })),
    [],
  );
});

test('a missing value is never allowed, is stated, and comes with the request that rates it', async () => {
  const never = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp/token:JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN';
  for (const [preset, outcome] of [
    ['wallet', 'caution'],
    ['treasury', 'block'],
    ['agent', 'block'],
    ['listing_desk', 'block'],
  ])
    for (const asset of [never, 'NOSUCH']) {
      const verdict = await check({ asset, preset });
      assert.deepEqual(rulesOf(verdict), [`not_rated ${outcome}`], asset);
      assert.equal(verdict.fired[0]?.decided, false);
      assert.equal(verdict.next?.path, '/v1/score');
    }
  const thin = await check({ asset: await rated({ band: 'NR', score: null }), preset: 'treasury' });
  assert.ok(rulesOf(thin).includes('not_rated block'));
  assert.match(thin.next?.path ?? '', /fresh=true/);
  const gone = await check({ asset: await rated({}, AT, null), preset: 'treasury', amount_usd: 5 });
  assert.deepEqual(rulesOf(gone), [
    'evidence_age block',
    'exit_amount block',
    'pool_share block',
    'exit_estimated block',
    'provider_share block',
  ]);
  assert.ok(gone.fired.every(({ decided }) => !decided));
});

test('a list of assets holds ids alone: a ticker or a bare address would deny nothing', async () => {
  const asset = await rated({ asset: evmAsset(56, 'bsc', `0x${'ab'.repeat(20)}`, 'DENY') });
  const deny = (one: string) => ({ rules: { assets: { deny: [one] } } });
  const upper = `eip155:56/erc20:0x${'AB'.repeat(20)}`;
  assert.ok(rulesOf(await check({ asset, ...deny(upper) })).includes('asset block'));
  for (const text of ['DENY', `0x${'ab'.repeat(20)}`, `bsc:0x${'ab'.repeat(20)}`]) {
    const reply = await world.get('/v1/policy/check', { method: 'POST', body: { asset, ...deny(text) } });
    assert.equal(reply.status, 400, text);
    const { errors } = (await reply.json()) as { errors: readonly { readonly pointer: string }[] };
    assert.equal(errors[0]?.pointer, '/rules/assets/deny/0');
  }
  const others = ['eip155:100/erc20:0x1', 'bip122:000000000019d6689c085ae165831e93/slip44:0', 'project:tide.example'];
  assert.deepEqual(rulesOf(await check({ asset, rules: { assets: { deny: others } } })), []);
});

test('a stale, withdrawn, defaulted or post-dated rating is not allowed', async () => {
  const stale = await check({ asset: await rated({}, '2026-11-01T00:00:00.000Z'), preset: 'agent' });
  assert.ok(rulesOf(stale).includes('rating_age block'));
  assert.match(stale.next?.path ?? '', /fresh=true/);
  const withdrawn = await check({
    asset: await rated({ action: 'withdraw', band: 'NR', score: null }),
    preset: 'wallet',
  });
  assert.ok(rulesOf(withdrawn).includes('withdrawn caution'));
  const since = '2026-11-02T00:00:00.000Z';
  const defaulted = await check({
    asset: await rated({ band: 'D', default: { since, curesAt: null } }),
    rules: { band: {} },
  });
  assert.ok(rulesOf(defaulted).includes('defaulted block'));
  const later = await check({ asset: await rated({}, '2026-11-21T12:00:00.000Z'), preset: 'treasury' });
  assert.deepEqual(rulesOf(later), ['from_the_future block']);
});

test('a record that was changed in the store, or signed for another asset, is blocked and not passed on', async () => {
  const rows = world.store.db;
  const forged = await rated({ band: 'C', score: 5 });
  const { record } = await rows
    .selectFrom('published_ratings')
    .select('record')
    .where('asset_id', '=', forged)
    .executeTakeFirstOrThrow();
  const signed = recordOf(record).toString('utf8');
  const better = Buffer.from(signed.replace('"band":"C"', '"band":"AAA"').replace('"score":5', '"score":99'));
  assert.notEqual(better.toString(), signed);
  await rows.updateTable('published_ratings').set({ record: better }).where('asset_id', '=', forged).execute();
  const [good, bad] = [await rated(), await rated({ band: 'C', score: 5 })];
  const moved = await rows
    .selectFrom('published_ratings')
    .select(['record', 'signature'])
    .where('asset_id', '=', good)
    .executeTakeFirstOrThrow();
  await rows.updateTable('published_ratings').set(moved).where('asset_id', '=', bad).execute();
  for (const asset of [forged, bad]) {
    const verdict = await check({ asset, preset: 'wallet', rules: { unknown: 'caution' } });
    assert.deepEqual(rulesOf(verdict), ['signature block']);
    assert.deepEqual([verdict.band, verdict.score, verdict.rating], ['NR', null, null]);
  }
});

test('nothing that a caller sends moves a rating, and rules that are not right are named', async () => {
  const asset = await rated();
  const before = await (await world.get(`/v1/rms/${encodeURIComponent(asset)}`)).json();
  await check({ asset, rules: { band: { block: 'AAA' } } });
  assert.deepEqual(await (await world.get(`/v1/rms/${encodeURIComponent(asset)}`)).json(), before);
  const wrong = { asset, preset: 'treasurey', rules: { band: { blok: 'A' }, trust: { block: 101 }, unknown: 'allow' } };
  const reply = await world.get('/v1/policy/check', { method: 'POST', body: wrong });
  assert.equal(reply.status, 400);
  const { errors } = (await reply.json()) as {
    readonly errors: readonly { readonly pointer: string; readonly detail: string }[];
  };
  assert.deepEqual(
    errors.map(({ pointer }) => pointer),
    ['/preset', '/rules/band/blok', '/rules/trust/block', '/rules/unknown'],
  );
  assert.match(errors[0]?.detail ?? '', /did you mean treasury/);

  const codes = { block: { codes: ['RUG_EXECUTED', 'MINT_AUTORITY_EOA'] }, ignore: ['NOSUCH'] };
  const misspelt = await world.get('/v1/policy/check', { method: 'POST', body: { asset, rules: { flags: codes } } });
  assert.equal(misspelt.status, 400, 'a rule that can never fire is no rule');
  const told = ((await misspelt.json()) as { readonly errors: typeof errors }).errors;
  assert.deepEqual(
    told.map(({ pointer }) => pointer),
    ['/rules/flags/block/codes/1', '/rules/flags/ignore/0'],
  );
  assert.match(told[0]?.detail ?? '', /did you mean MINT_AUTHORITY_EOA\?/);
});

interface Portfolio {
  readonly outcome: string;
  readonly band: string;
  readonly score: number | null;
  readonly uncovered: number;
  readonly worst: { readonly asset_id: string } | null;
  readonly positions: readonly (Verdict & { readonly value_usd: number | null; readonly share: number })[];
  readonly breaks_together: readonly {
    readonly kind: string;
    readonly name: string;
    readonly loss: number;
    readonly positions: readonly object[];
  }[];
  readonly dependencies: readonly { readonly kind: string; readonly name: string }[];
  readonly simulation: { readonly runs: number; readonly assumed: readonly string[] };
}
async function portfolio(body: object): Promise<Portfolio> {
  const reply = await world.get('/v1/policy/portfolio', { method: 'POST', body });
  assert.equal(reply.status, 200, await reply.clone().text());
  return (await reply.json()) as Portfolio;
}

test('a portfolio states its value, the uncovered part, and which positions fail together', async () => {
  const [usdc, eurc] = [await rated({ asset: USDC }), await rated({ asset: EURC, band: 'BBB', score: 60 })];
  const csv = `asset,value_usd,quantity,note\n${usdc},600,,cash\n${eurc},,100,\nNOSUCH,200,,\n`;
  const found = await portfolio({ csv, preset: 'treasury', simulation: { seed: 5, runs: 2_000 } });
  assert.deepEqual(
    found.positions.map(({ value_usd }) => value_usd),
    [600, 200, 200],
  );
  // (600 x 90 + 200 x 60) / 800 = 82.5
  assert.deepEqual([found.outcome, found.score, found.worst?.asset_id], ['block', 82.5, eurc]);
  assert.equal(found.band, 'AA');
  assert.ok(Math.abs(found.uncovered - 0.2) < 1e-12);
  const chain = found.breaks_together.find(({ kind, name }) => kind === 'chain' && name === 'ethereum');
  assert.equal(chain?.positions.length, 2);
  assert.ok(Math.abs((chain?.loss ?? 0) - 0.4) < 1e-12, 'half of the two coins on it');
  const issuer = found.dependencies.filter(({ kind }) => kind === 'issuer');
  assert.ok(
    issuer.some(({ name }) => name === 'Circle Internet Financial Europe SAS'),
    JSON.stringify(issuer),
  );
  assert.equal(found.simulation.runs, 2_000);
  assert.ok(found.simulation.assumed.includes('chain:ethereum'));
  const again = await portfolio({ csv, preset: 'treasury', simulation: { seed: 5, runs: 2_000 } });
  assert.equal(JSON.stringify(again), JSON.stringify(found), 'the same seed gives the same bytes');
  const other = await portfolio({ csv, preset: 'treasury', simulation: { seed: 6, runs: 2_000 } });
  assert.notDeepEqual(other.simulation, found.simulation);
});

test('two positions of one asset leave through the same pools', async () => {
  const asset = await rated();
  const positions = [
    { asset, value_usd: 15_000 },
    { asset, value_usd: 15_000 },
  ];
  const rules = { exit: { max_cost_pct: 2, amount: 'block' }, pool_share_pct: {} };
  const found = await portfolio({ positions, preset: 'treasury', rules });
  assert.deepEqual(
    found.positions.map((one) => rulesOf(one)),
    [['exit_amount block'], ['exit_amount block']],
  );
  const one = await portfolio({ positions: positions.slice(0, 1), preset: 'treasury', rules });
  assert.equal(one.outcome, 'allow');
});

test('a portfolio in two forms, a CSV that is not right and more positions than the plan has are refused', async () => {
  const ask = (body: object, key?: string) =>
    world.get('/v1/policy/portfolio', { method: 'POST', body, ...(key ? { key } : {}) });
  const row = { asset: 'SYM1', value_usd: 1 };
  for (const body of [
    {},
    { positions: [row], csv: 'asset,value_usd\nSYM1,1\n' },
    { csv: 'asset\nSYM1\n' },
    { csv: 'asset,value_usd\nSYM1,"1,000"\n' },
    { csv: 'asset,value_usd\nSYM1,1,2\n' },
  ])
    assert.equal((await ask(body)).status, 400, JSON.stringify(body));
  const key = await world.key('RATING');
  const reply = await ask({ positions: Array.from({ length: 200 }, () => row) }, key);
  assert.ok([403, 413].includes(reply.status), String(reply.status));
});

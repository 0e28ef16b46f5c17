import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Observation } from '../src/domain/observation.ts';
import type { QuantityId } from '../src/domain/quantities.ts';
import { refreshMsOf } from '../src/evidence/book.ts';
import { SOURCES } from '../src/sources/index.ts';
import type { Params, Source } from '../src/sources/source.ts';
import { provenTable } from '../test/replies/figures.ts';
import { rateInSandbox } from '../test/support/sandbox-rating.ts';
import { driveSource, factsOf } from './drive.ts';
import { FACADES } from './facades/index.ts';
import { LIMITS, UNPLAYED_LIMITS } from './limits.ts';
import { QUOTAS, type Quota, SECONDS } from './quotas.ts';
import { createScene } from './scene.ts';
import { factsFor } from './source-facts.ts';
import { createWorld } from './world/world.ts';

const NOW = Date.UTC(2026, 5, 1, 12);
const world = createWorld({ seed: 1, anchor: NOW });
const scene = createScene(world, NOW, () => 1);
/** What a keyless installation asks. */
const ON = SOURCES.filter((source) => source.enabledByDefault && source.name !== 'tls');
const NEEDED: readonly QuantityId[] = [
  'price_usd',
  'volume_24h_usd',
  'volume_24h_dex_usd',
  'liquidity_dex_usd',
  'pool_liquidity_usd',
  'venue_volume_24h_usd',
  'venue_depth_up_2pct_usd',
  'total_supply',
  'holder_count',
  'top_holders',
  'market_cap_usd',
  'circulating_supply',
  'mint_authority_state',
  'honeypot',
  'source_verified',
  'fees_30d_usd',
  'tvl_usd',
];
const ASSETS = { Solana: 'tidewell', Ethereum: 'lumenfall' } as const;

function said(slug: string): readonly Observation[] {
  const asset = world.assets.find((row) => row.slug === slug);
  assert.ok(asset, slug);
  return ON.flatMap((source) => driveSource(source, factsOf(asset), scene)).flatMap((reply) => reply.observations);
}

/** Independent families behind a quantity; for pools those of the pool that most families know. */
function familiesOf(observations: readonly Observation[], quantity: QuantityId): readonly string[] {
  const byScope = Map.groupBy(
    observations.filter((row) => row.quantity === quantity),
    (row) => row.scope,
  );
  const best = [...byScope.values()]
    .map((rows) => [...new Set(rows.map((row) => row.family))].sort())
    .sort((a, b) => b.length - a.length)[0];
  return best ?? [];
}

const seen = Object.entries(ASSETS).map(([chain, slug]) => ({ chain, observations: said(slug) }));

for (const { chain, observations } of seen) {
  for (const quantity of [
    'price_usd',
    'volume_24h_usd',
    'volume_24h_dex_usd',
    'liquidity_dex_usd',
    'pool_liquidity_usd',
    'total_supply',
    'holder_count',
  ] as const) {
    test(`${chain}: at least three independent lineage groups provide ${quantity}`, () => {
      const families = familiesOf(observations, quantity);
      assert.ok(families.length >= 3, `${quantity}: ${families.join(', ')}`);
    });
  }
}

const MARK = '<!-- Generated below this line; UPDATE_DOCS=1 node --test sandbox/families.test.ts writes it. -->';

test('docs/sources.md lists what the source files declare', () => {
  const page = new URL('../docs/sources.md', import.meta.url);
  const [head = ''] = readFileSync(page, 'utf8').split(MARK, 1);
  const whole = `${head}${MARK}\n\n${sourceTable()}\n\n${budgetTable()}\n\n${provenTable(SOURCES)}\n\n${familyTable()}\n`;
  if (process.env.UPDATE_DOCS === '1') writeFileSync(page, whole);
  assert.equal(readFileSync(page, 'utf8'), whole);
});

function sourceTable(): string {
  const rows = SOURCES.map((source) => {
    const terms = [
      source.terms.redistribute ? '' : 'values not passed on',
      source.terms.keepBodyDays === null ? '' : `bodies ${source.terms.keepBodyDays} d`,
      source.terms.attribution ? 'attributed' : '',
    ]
      .filter(Boolean)
      .join(', ');
    const off = source.enabledByDefault ? 'on' : `off: ${source.disabledReason}`;
    return `| ${source.title} | \`${source.name}\` | ${source.family} | ${source.tier} | ${source.budget.perMinute} | ${terms} | ${off} |`;
  });
  return [
    '## Sources',
    '',
    '| source | name | lineage group | tier | a minute | terms | default |',
    '|---|---|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

interface Call {
  readonly source: string;
  readonly endpoint: string;
  readonly params: Params;
  readonly base?: string;
}

/** True of a request that a list for all assets spares. */
function isSpared({ source, endpoint, params }: Call): boolean {
  const lists = SOURCES.find(({ name }) => name === source)?.endpoints ?? [];
  return lists.some(({ list }) => list?.standsInFor === endpoint && list.keyOf(params) !== null);
}

/** The sandbox's assets whose ratings are counted: a token of each kind of chain, and one that every exchange lists. */
const COUNTED = [...Object.values(ASSETS), 'veyra-network'];
/** Requests of each rating; those that a list spares are not among them. */
const ratings: readonly (readonly Call[])[] = COUNTED.map((slug) => rateInSandbox(slug).asked);

const assetsCounted = COUNTED.flatMap((slug) => world.assets.find((row) => row.slug === slug) ?? []);

/** Requests at a source for each asset. One that no rating asks by default is asked alone; one that the sandbox does not play is not answered. */
function callsAt(source: Source): readonly (readonly Call[])[] {
  const { name, endpoints } = source;
  if (FACADES[name] === undefined)
    return assetsCounted.map((asset) =>
      endpoints.flatMap((row) =>
        row.plan(factsOf(asset)).map((params) => ({ source: name, endpoint: row.name, params })),
      ),
    );
  if (!source.enabledByDefault) return factsFor(source, scene).map((facts) => driveSource(source, facts, scene));
  return ratings.map((calls) => calls.filter((call) => call.source === name));
}

const mostOf = (source: Source, counts: (call: Call) => boolean = () => true) =>
  Math.max(0, ...callsAt(source).map((calls) => calls.filter((call) => !isSpared(call) && counts(call)).length));

test('each budget, including its burst, is within the documented limit of the source', () => {
  for (const { name, budget, endpoints } of SOURCES) {
    const limit = LIMITS[name] ?? UNPLAYED_LIMITS[name];
    if (limit === undefined) continue;
    const weights = endpoints
      .filter(({ list }) => list === undefined)
      .map((row) => {
        const spec = row.request({ symbol: 'TIDE', id: 'tide', chain: 'ethereum', address: '0x1' });
        const query = new URLSearchParams(Object.entries(spec.query ?? {}).map(([key, value]) => [key, String(value)]));
        return limit.weightOf?.({ path: spec.path ?? '/', query }) ?? 1;
      });
    // Nobody sends a part of a request.
    const requests = Math.floor(budget.burst + (budget.perMinute * limit.seconds) / 60 + 1e-9);
    const spent = requests * Math.max(...weights);
    assert.ok(spent <= limit.requests + 1e-9, `${name}: ${spent} of ${limit.requests} in ${limit.seconds} s`);
  }
});

/** What the provider's quota of an hour, a day or a month leaves for assets, when its lists are kept fresh all the time. */
function leftOf(source: Source, { of, calls, every, bases }: Quota): string {
  const most = mostOf(source, ({ base = 'main' }) => bases === undefined || bases.includes(base));
  const refreshMs = (row: Source['endpoints'][number]) =>
    refreshMsOf({ source, key: of === 'free key' ? 'k' : null }, row);
  const lists = source.endpoints.reduce(
    (sum, row) =>
      sum + (row.list === undefined ? 0 : ((row.list.pages?.length ?? 1) * SECONDS[every] * 1000) / refreshMs(row)),
    0,
  );
  const assets = Math.max(0, Math.floor((calls - lists) / Math.max(1, most)));
  const each = { hour: 'an hour', day: 'a day', month: 'a month' }[every];
  const taken = lists === 0 ? '' : `, of which lists take ${Math.ceil(lists).toLocaleString('en')}`;
  return `${of}: ${calls.toLocaleString('en')} calls ${each}${taken}: ${assets.toLocaleString('en')} assets`;
}

function budgetTable(): string {
  const rows = SOURCES.filter(({ endpoints }) => endpoints.some(({ made }) => made === undefined)).map((source) => {
    const { name, budget, key, enabledByDefault, endpoints } = source;
    const most = mostOf(source);
    const lists = endpoints.filter(({ list }) => list !== undefined);
    const perHour = (perMinute: number) => (most === 0 ? 'any' : String(Math.floor((60 * perMinute) / most)));
    const needsKey = key?.required === true;
    const keyed = needsKey ? perHour(budget.perMinute) : key?.perMinute === undefined ? '' : perHour(key.perMinute);
    const bulk = lists.map((row) => `${row.name} (${Math.round((row.list?.refreshSeconds ?? 0) / 60)} min)`).join(', ');
    const left = (QUOTAS[name] ?? []).map((quota) => leftOf(source, quota)).join('; ');
    return `| \`${name}\`${enabledByDefault ? '' : ' (off)'} | ${most} | ${budget.perMinute} | ${needsKey ? '' : perHour(budget.perMinute)} | ${keyed} | ${left} | ${bulk} |`;
  });
  return [
    '## Budgets',
    '',
    `Requests of one rating of an identified asset, the most among ${COUNTED.length} assets of the sandbox (for a source that is off: among all assets that it is tested on, queried alone), and how many assets an hour the budget in force allows; identification comes before and has its own requests. Lists are fetched once for all assets, less often if they would use up the monthly requests of a free key. Each budget is checked against the limit of seconds or a minute that its provider documents (\`sandbox/limits.ts\`, which the sandbox enforces except for nodes and explorers that scans also use). If the provider also has a quota of an hour, a day or a month (\`sandbox/quotas.ts\`), the smaller figure counts: when it is spent, the source refuses, which is not evidence.`,
    '',
    '| source | calls an asset | a minute | assets an hour, keyless | with a free key | longer quota of the provider | lists (every) |',
    '|---|---|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

test('requests of a month that lists are thinned out for are those of the provider’s quota', () => {
  const counted = SOURCES.filter(({ key }) => key?.perMonth !== undefined);
  assert.ok(counted.length > 0);
  for (const { name, key } of counted)
    assert.equal(QUOTAS[name]?.find(({ of }) => of === 'free key')?.calls, key?.perMonth, name);
});

/** What the page says where no figure of a provider can be held against the budget of the whole source. */
const NO_FIGURE = /none|no number|robots\.txt|one request a day each/;
const LIMITS_HEADING = '## Limits and terms, where they were read';

test('docs/sources.md states for every source where its limit was read', () => {
  const page = readFileSync(new URL('../docs/sources.md', import.meta.url), 'utf8');
  const [, after = ''] = page.split(LIMITS_HEADING);
  const [table = ''] = after.split(MARK);
  const rows = [...table.matchAll(/^\| ((?:`[a-z0-9_]+`(?:, )?)+) \| ([^|]*) \|/gm)].flatMap(
    ([, names = '', limit = '']) => (names.match(/[a-z0-9_]+/g) ?? []).map((name) => [name, limit] as const),
  );
  assert.deepEqual(rows.map(([name]) => name).toSorted(), SOURCES.map(({ name }) => name).toSorted());
  for (const [name, limit] of rows) {
    const isKept = (LIMITS[name] ?? UNPLAYED_LIMITS[name] ?? QUOTAS[name]) !== undefined;
    if (!isKept) assert.match(limit, NO_FIGURE, `a limit of ${name} was read that no budget is held against`);
  }
});

function familyTable(): string {
  const cell = (observations: readonly Observation[], quantity: QuantityId) =>
    familiesOf(observations, quantity).join(', ') || 'not applicable';
  const rows = NEEDED.map(
    (quantity) => `| ${quantity} | ${seen.map(({ observations }) => cell(observations, quantity)).join(' | ')} |`,
  );
  return [
    '## Independent lineage groups behind a quantity, without keys',
    '',
    `| quantity | ${seen.map(({ chain }) => chain).join(' | ')} |`,
    `|---|${seen.map(() => '---|').join('')}`,
    ...rows,
  ].join('\n');
}

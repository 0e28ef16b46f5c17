import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { medianHigh } from '../src/domain/statistics.ts';
import { type TestService, testService } from './support/service.ts';

interface Listed {
  readonly name: string;
  readonly url: string;
  readonly symbol: string;
  readonly address: string | null;
  readonly kind: string;
}
interface Rated extends Listed {
  readonly status: number;
  readonly code: string | null;
  readonly band: string | null;
  readonly score: number | null;
  readonly trust: number | null;
  readonly rated: string | null;
  readonly id: string | null;
  readonly flags: readonly string[];
  readonly cap: string | null;
  readonly published: boolean;
}

let world: TestService;
let rated: readonly Rated[] = [];
before(async () => {
  world = await testService();
  const listed = (await (await fetch(`${world.sandbox.url}/__control/world`)).json()) as readonly Listed[];
  const results: Rated[] = [];
  for (let i = 0; i < listed.length; i += 4) results.push(...(await Promise.all(listed.slice(i, i + 4).map(score))));
  rated = results;
});
after(() => world.close());

async function score(asset: Listed): Promise<Rated> {
  const json = {
    type: 'posttge',
    project: asset.name,
    project_url: asset.url,
    ...(asset.symbol ? { token_symbol: asset.symbol } : {}),
  };
  const reply = await world.call('/v1/score', { json, headers: { prefer: 'wait=20' } });
  const body = (await reply.json()) as {
    code?: string;
    rating?: { band: string; score: number | null };
    trust_score?: { score: number };
    asset?: { id: string; address: string | null };
    risk_flags?: { code: string }[];
    caps_applied?: { code: string; binding: boolean }[];
    published?: boolean;
  };
  return {
    ...asset,
    status: reply.status,
    code: body.code ?? null,
    band: body.rating?.band ?? null,
    score: body.rating?.score ?? null,
    trust: body.trust_score?.score ?? null,
    rated: body.asset?.address ?? null,
    id: body.asset?.id ?? null,
    flags: body.risk_flags?.map((flag) => flag.code) ?? [],
    cap: body.caps_applied?.find((row) => row.binding)?.code ?? null,
    published: body.published === true,
  };
}

const of = (...kinds: string[]) => rated.filter((row) => kinds.includes(row.kind));
const shown = (row: Rated) =>
  `${row.name} (${row.kind}): ${row.status} ${row.code ?? ''} ${row.band ?? ''} ${row.score ?? ''} T${row.trust ?? ''} ${row.cap ?? ''} ${row.flags.join(' ')}`;

test('the whole world is scored, and the table can be read', (t) => {
  assert.ok(rated.length >= 50, String(rated.length));
  for (const row of rated) t.diagnostic(shown(row));
});

test('every rated token is the one that was meant', () => {
  for (const row of rated)
    if (row.status === 200 && row.kind !== 'impostor' && row.kind !== 'no_token' && row.kind !== 'pre_tge')
      assert.equal(row.rated, row.address, shown(row));
});

test('healthy projects are rated above mediocre ones, mediocre above dying, and no bad one reaches BBB', () => {
  const median = (rows: readonly Rated[]) => medianHigh(rows.map((row) => row.score ?? 0)) ?? 0;
  assert.ok(median(of('healthy')) > median(of('mediocre')) + 5);
  assert.ok(median(of('mediocre')) > median(of('dying')) + 5);
  const bad = of(
    'live_mint',
    'live_freeze',
    'permanent_delegate',
    'transfer_fee',
    'honeypot',
    'unlocked_lp',
    'executed_rug',
    'serial_deployer',
    'wash_trading',
    'high_tax',
    'proxy_eoa',
    'unverified_source',
    'concentrated_holders',
    'tiny_holder_base',
    'new_token',
  );
  assert.ok(bad.length >= 15, String(bad.length));
  for (const row of bad) assert.ok(row.score === null || row.score < 65, shown(row));
});

const CAPS: readonly (readonly [kind: string, most: number, flag: string])[] = [
  ['live_mint', 43.9, 'MINT_AUTHORITY_EOA'],
  ['live_freeze', 43.9, 'FREEZE_AUTHORITY_EOA'],
  ['permanent_delegate', 15, 'PERMANENT_DELEGATE'],
  ['honeypot', 8, 'HONEYPOT'],
  ['unlocked_lp', 31.9, 'LP_CREATOR_CONTROLLED'],
  ['serial_deployer', 19.9, 'SERIAL_DEPLOYER'],
  ['unverified_source', 54.9, 'SOURCE_UNVERIFIED'],
  ['proxy_eoa', 54.9, 'PROXY_UPGRADEABLE_EOA'],
  ['high_tax', 54.9, 'TAX_HIGH'],
  ['new_token', 43.9, 'TOKEN_NEW'],
  ['depegged', 54.9, 'DEPEG'],
];
for (const [kind, most, flag] of CAPS) {
  test(`${kind}: ${flag} is raised and the score stays at or below ${most}`, () => {
    const rows = of(kind);
    assert.ok(rows.length > 0);
    for (const row of rows) {
      assert.ok(row.flags.includes(flag), shown(row));
      assert.ok((row.score ?? 0) <= most, shown(row));
    }
  });
}

test('the impostor is never rated as the project it copies', () => {
  for (const row of of('impostor')) {
    assert.ok(row.status !== 200 || row.rated === row.address, shown(row));
    assert.ok(row.score === null || row.score <= 8, shown(row));
  }
});

test('unknowable results are reported: ambiguous, no token, no tie', () => {
  for (const row of of('ambiguous')) assert.deepEqual([row.status, row.code], [409, 'ambiguous_project'], shown(row));
  for (const row of of('site_without_token'))
    assert.deepEqual([row.status, row.code], [422, 'project_not_identified'], shown(row));
  for (const row of of('no_token'))
    assert.ok(row.status === 200 && row.score !== null && row.score <= 73.9 && row.cap !== 'DEFAULT', shown(row));
});

test('a unit error and a stale source in one place change no band', () => {
  for (const row of of('unit_error'))
    assert.ok(row.flags.includes('UNIT_MISMATCH') && ['A', 'BBB', 'BB'].includes(row.band ?? ''), shown(row));
  for (const row of of('stale_source')) assert.ok(['A', 'BBB', 'BB'].includes(row.band ?? ''), shown(row));
});

test('the parts of every published score add up to it, to the last digit', async () => {
  const ids = new Set(rated.flatMap((row) => (row.status === 200 && row.id !== null ? [row.id] : [])));
  const published = new Set(rated.flatMap((row) => (row.published && row.id !== null ? [row.id] : [])));
  assert.ok(published.size >= 40, String(published.size));
  for (const id of ids) {
    const reply = await world.call(`/v1/rms/${encodeURIComponent(id)}/breakdown`);
    // What cannot be rated, or is below the floor of evidence, is answered and not published.
    assert.equal(reply.status, published.has(id) ? 200 : 404, id);
    if (!published.has(id)) continue;
    const body = (await reply.json()) as {
      score: number | null;
      contributions: { kind: string; points: number }[];
      factors: { code: string; contribution: number; weight: number }[];
    };
    const sum = body.contributions.reduce((total, line) => total + Math.round(line.points * 10), 0);
    assert.equal(sum, Math.round((body.score ?? 0) * 10), `${id} ${JSON.stringify(body.contributions)}`);
    if (body.score === null) continue;
    // A first rating is held by nothing but its caps, default tests and the limit of its evidence.
    const kinds = new Set(body.contributions.map((line) => line.kind));
    assert.ok(!kinds.has('fading_caps') && !kinds.has('standing_rating'), id);
    const weights = body.factors.reduce((total, factor) => total + factor.weight, 0);
    assert.ok(Math.abs(weights - 100) < 0.51, `${id}: weights add up to ${weights}`);
  }
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { agree } from '../../consensus/agree.ts';
import type { Observation } from '../../domain/observation.ts';
import { QUANTITIES } from '../../domain/quantities.ts';
import type { Rating } from '../../domain/rating.ts';
import { loadMethodology } from '../../methodology/load.ts';
import type { Methodology } from '../../methodology/schema.ts';
import { computableMethodology, methodologyVersions } from '../../methodology/versions.ts';
import { defillama } from '../../sources/defillama.ts';
import { parseBody } from '../../sources/fixtures/drive.ts';
import { AS_OF, type Change, consensusOf, daysAgo, fromOneGroup, outcome, soundProtocol } from '../fixtures/asset.ts';
import { row } from '../fixtures/class-cases.ts';
import { listedAsEnded } from '../fixtures/flag-cases.ts';
import { rate } from '../rate.ts';

/** A protocol that has ended, whose token is still traded. */
const methodology = loadMethodology();
const rated = (change: Change, by: Methodology = methodology) => rate(soundProtocol(change), by);
const isFlagged = (rating: Rating) => rating.flags.some(({ code }) => code === 'PROTOCOL_ENDED');
const isCapped = (rating: Rating) => rating.caps.some(({ code }) => code === 'PROTOCOL_ENDED');
const unconfirmed = (rating: Rating) => rating.flags.find(({ code }) => code === 'ACCUSATION_UNCONFIRMED')?.value;
const ENDED = listedAsEnded(2_000);
const withRows = (...rows: NonNullable<Change['set']>): Change => ({ set: [...(ENDED.set ?? []), ...rows] });
const market = (exchange: string, volume = 50_000) =>
  consensusOf('venue_volume_24h_usd', volume, { scope: `venue:${exchange}:HLD-USDT` });

test('the token of a protocol that has ended is rated CC at best', () => {
  const found = rated(ENDED);
  assert.ok(isFlagged(found) && isCapped(found));
  assert.ok((rated({}).score ?? 0) > 60);
  assert.equal(found.score, 31.9);
  assert.equal(found.band, 'CC');
  const flag = found.flags.find(({ code }) => code === 'PROTOCOL_ENDED');
  assert.match(
    flag?.detail ?? '',
    /ended on \d{4}-\d{2}-\d{2} \(alpha alone\); 0\.00 % of the largest value locked were left/,
  );
});

/** What DefiLlama’s two replies state at the time of the rating, agreed on by the rules of consensus. */
function told(listed: object, tvl: readonly number[]) {
  const first = Date.parse(daysAgo(700)) / 1_000;
  const series = tvl.map((totalLiquidityUSD, day) => ({ date: first + day * 86_400, totalLiquidityUSD }));
  const drafts = (['protocols', 'protocol'] as const).flatMap((name) => {
    const endpoint = defillama.endpoints.find((one) => one.name === name);
    assert.ok(endpoint);
    const reply =
      name === 'protocol'
        ? { name: 'Holdfast', tvl: series }
        : [{ slug: 'holdfast', name: 'Holdfast', category: 'Lending', ...listed }];
    return parseBody(endpoint, { slug: 'holdfast' }, reply, AS_OF).drafts.map((draft) => ({
      ...draft,
      endpoint: name,
    }));
  });
  const observations = drafts.map(
    (draft): Observation => ({
      ...draft,
      scope: draft.scope ?? 'asset',
      unit: QUANTITIES[draft.quantity].unit,
      meaning: draft.meaning ?? '',
      source: 'defillama',
      family: 'defillama',
      tier: 'aggregator',
      observedAt: draft.observedAt ?? AS_OF,
      fetchedAt: AS_OF,
      reliability: 0.9,
      binding: 1,
      responseId: `defillama.${draft.endpoint}`,
    }),
  );
  const input = soundProtocol({ without: ['tvl_usd', 'tvl_peak_usd', 'growth_90d_log'] });
  return rate({ ...input, consensus: { ...input.consensus, ...agree(observations, methodology, AS_OF) } }, methodology);
}

test('the replies of DefiLlama alone lead there, although its series ended long ago', () => {
  const fallen = [...Array<number>(200).fill(50_000_000), ...Array<number>(120).fill(30_000)];
  const dead = { deadFrom: daysAgo(450).slice(0, 10) };
  assert.ok(isCapped(told(dead, fallen)));
  assert.ok(!isFlagged(told({}, fallen)));
  assert.deepEqual(unconfirmed(told(dead, fallen.slice(0, 220))), ['PROTOCOL_ENDED']);
});

test('neither value locked again, new commits nor a website of today end the flag', () => {
  const moves = [
    consensusOf('tvl_usd', 300_000_000),
    consensusOf('growth_90d_log', 3),
    consensusOf('last_commit_at', daysAgo(0)),
    consensusOf('commits_90d', 900),
    consensusOf('contributors_90d', 40),
    consensusOf('site_up', true),
    consensusOf('fees_30d_usd', 5_000_000),
  ];
  assert.ok(isCapped(rated(withRows(...moves))));
  // Its own market on exchanges that do not count.
  assert.ok(isCapped(rated(withRows(market('lbank', 9e6), market('mexc', 9e6)))));
});

test('one list alone does not condemn: the accusation is shown, and nothing is capped', () => {
  const kept: readonly Change[] = [
    { set: [fromOneGroup('protocol_ended_at', daysAgo(400))] },
    listedAsEnded(290_000_000),
    { ...ENDED, without: ['tvl_peak_usd'] },
  ];
  for (const change of kept) {
    const found = rated(change);
    assert.ok(!isFlagged(found) && !isCapped(found));
    assert.deepEqual(unconfirmed(found), ['PROTOCOL_ENDED']);
  }
});

test('exchanges that still trade the token contradict the list: one product of a project may have ended', () => {
  const found = rated(withRows(market('binance'), market('kraken')));
  assert.ok(!isFlagged(found) && !isCapped(found));
  assert.deepEqual(unconfirmed(found), ['PROTOCOL_ENDED']);
  // A market without a trade, or two markets of one exchange, contradict nothing.
  assert.ok(isCapped(rated(withRows(market('binance'), market('kraken', 0)))));
  const second = consensusOf('venue_volume_24h_usd', 50_000, { scope: 'venue:binance:HLD-USDC' });
  assert.ok(isCapped(rated(withRows(market('binance'), second))));
});

test('what a register, a list of rollups or a proven backing shows to be more than a protocol is not judged by its end', () => {
  const claim = consensusOf('categories', ['Wrapped-Tokens']);
  const others: readonly Change[] = [
    { ...ENDED, asset: { address: 'native', chain: 'ethereum' } },
    withRows(row('natives', { symbol: 'HLD' })),
    withRows(row('venues', { exchange: 'holdfast' })),
    withRows(row('issuers', { issuer: 'Holdfast Trust' })),
    withRows(consensusOf('l2_stage', 'stage1')),
    withRows(row('protocols', { kind: 'receipt' })),
    withRows(claim, consensusOf('backing_ratio', 1.02)),
  ];
  for (const change of others) {
    const found = rated(change);
    assert.ok(!isCapped(found) && !isFlagged(found));
    assert.equal(unconfirmed(found), undefined);
  }
  // Words at registries and the project’s own word exempt nothing.
  const own = consensusOf('backing_ratio', 1.02, { families: ['website'], tier: 'self_reported' });
  for (const change of [withRows(claim), withRows(claim, own), withRows(row('protocols', { kind: 'governance' }))])
    assert.ok(isCapped(rated(change)));
});

test('a list that failed, or no longer says so, raises nothing', () => {
  const silent: Change = { set: (ENDED.set ?? []).slice(1) };
  assert.ok(!isFlagged(rated(silent)));
  assert.ok(!isFlagged(rated({ ...silent, sources: [outcome('defillama', 'timeout')] })));
});

test('methodologies without the flag rate such a token as before', () => {
  for (const { hash } of methodologyVersions()) {
    const earlier = computableMethodology(hash);
    if (earlier === null || earlier.flags.some(({ code }) => code === 'PROTOCOL_ENDED')) continue;
    const [with_, without] = [rated(ENDED, earlier), rated({}, earlier)];
    assert.deepEqual(
      [with_.score, with_.flags, with_.trust.score],
      [without.score, without.flags, without.trust.score],
    );
  }
});

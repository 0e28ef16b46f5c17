import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import fc from 'fast-check';
import type { EvidenceRecord, ScoreReport } from '../../src/domain/evidence.ts';
import { HOUR_MS } from '../../src/domain/statistics.ts';
import { buildReport } from '../../src/jobs/pipeline.ts';
import { loadMethodology } from '../../src/methodology/load.ts';
import { collectedIn, keptBack, liftedCaps } from '../support/kept-back.ts';
import { testService } from '../support/service.ts';
import { ownReplies, withheld, withheldKey } from '../support/withheld.ts';

/** Silence earns nothing: no reply that the rated party can keep back raises its score, lifts a cap or ends a flag. */
/** Facts that only the party's own pages state cannot be said without them; these take their place where nothing is remembered. */
const IN_PLACE_OF: Readonly<Record<string, string>> = {
  FORK_UNMODIFIED: 'DEV_INACTIVE',
  BACKING_SHORTFALL: 'RESERVE_UNVERIFIED',
};
const methodology = loadMethodology();
let collected: readonly EvidenceRecord[] = [];
before(async () => {
  collected = await collectedIn('fiction');
});

const codes = (rows: readonly { readonly code: string }[]) => rows.map(({ code }) => code);
const assetOf = ({ identification }: EvidenceRecord) => `${identification.asset.name} (${identification.stage})`;

/** Every asset with something of its own to keep back: the seeded property holds, with as many draws each. */
function forEveryAsset(numRuns: number, holds: (whole: EvidenceRecord, part: EvidenceRecord) => void) {
  let assets = 0;
  for (const evidence of collected) {
    if (ownReplies(evidence).length === 0) continue;
    assets += 1;
    // Few replies are drawn the same way again: what held once holds again.
    const held = new Set<string>();
    fc.assert(
      fc.property(keptBack(evidence), (replies) => {
        const key = withheldKey(replies);
        if (held.has(key)) return;
        holds(evidence, withheld(evidence, replies));
        held.add(key);
      }),
      { numRuns },
    );
  }
  assert.ok(assets >= 60, `${assets} assets`);
  assert.ok(collected.filter(({ identification }) => identification.stage === 'pre_tge').length >= 12);
}

function notAbove(now: number | null, before: number | null, evidence: EvidenceRecord) {
  if (now !== null) assert.ok(before !== null && now <= before, `${assetOf(evidence)}: ${before} to ${now}`);
}

test('without any memory: the score never rises, no cap is lifted, no flag ends', () => {
  const known = new Map<EvidenceRecord, ScoreReport>();
  forEveryAsset(25, (whole, part) => {
    const before = known.get(whole) ?? buildReport(whole, methodology);
    known.set(whole, before);
    const { rating } = buildReport(part, methodology);
    notAbove(rating.score, before.rating.score, whole);
    if (rating.score === null) return;
    // The hidden sale is two sentences of its own: without memory nobody can hold them against it.
    const lifted = liftedCaps(before.rating, rating.caps).filter((code) => code !== 'PRE_TGE_HIDDEN_SALE');
    assert.deepEqual(lifted, [], assetOf(whole));
    const raised = codes(rating.flags);
    const ended = codes(before.rating.flags).filter(
      (code) => !raised.includes(code) && !raised.includes(IN_PLACE_OF[code] ?? code),
    );
    assert.deepEqual(ended, [], assetOf(whole));
  });
});

test('with the current publication as memory: the score never rises, no cap is lifted, no flag ends', () => {
  const known = new Map<EvidenceRecord, ScoreReport>();
  const asOf = (evidence: EvidenceRecord) => new Date(Date.parse(evidence.asOf) + HOUR_MS).toISOString();
  forEveryAsset(12, (whole, part) => {
    const standing = known.get(whole) ?? buildReport(whole, methodology);
    known.set(whole, standing);
    const later = { asOf: asOf(whole), publication: standing.state };
    const before = buildReport({ ...whole, ...later }, methodology);
    const { rating, published, state } = buildReport({ ...part, ...later }, methodology);
    notAbove(published.score, before.published.score, whole);
    const ended = codes(before.published.flags).filter((code) => !codes(published.flags).includes(code));
    assert.deepEqual(ended, [], assetOf(whole));
    if (rating.score === null) return;
    assert.deepEqual(liftedCaps(before.rating, [...rating.caps, ...state.fadingCaps]), [], assetOf(whole));
  });
});

test('a withdrawal does not forget what sources said against an asset that they no longer repeat', () => {
  let remembered = 0;
  for (const whole of collected) {
    const { state } = buildReport(whole, methodology);
    const accusers = new Set((state.adverse ?? []).flatMap(({ families }) => families));
    const observations = whole.observations.filter(({ family }) => !accusers.has(family));
    const asOf = new Date(Date.parse(whole.asOf) + HOUR_MS).toISOString();
    const rated = (publication: EvidenceRecord['publication']) =>
      buildReport({ ...whole, asOf, observations, publication }, methodology).rating.score;
    const [forgotten, standing] = [rated(null), rated({ ...state, last: { ...state.last, score: 0 } })];
    const withdrawn = rated({ ...state, band: 'NR', last: { ...state.last, score: null, band: 'NR' } });
    assert.equal(withdrawn, standing, assetOf(whole));
    if (standing !== null && forgotten !== null && standing < forgotten) remembered += 1;
  }
  assert.ok(remembered > 0);
});

test('what is withheld is named, with what it counts', () => {
  const evidence = collected.find(({ identification }) => identification.asset.name === 'Lumenfall');
  assert.ok(evidence);
  const replies = ownReplies(evidence).map((records) => ({ records, manner: 'not_found' as const }));
  const { rating } = buildReport(withheld(evidence, replies), methodology);
  const gap = rating.trust.gaps.find(({ feature }) => feature === 'gt_team');
  assert.match(gap?.reason ?? '', /^the project shows none: counts 15\.0 points/);
  const governance = rating.factors.find(({ code }) => code === 'GT');
  assert.match(governance?.rationale ?? '', /The project shows none: .*team verifiability/);
});

test('a website that answers after 20 seconds, or whose circuit is open, earns nothing', {
  timeout: 300_000,
}, async () => {
  const asset = { name: 'Lumenfall', url: 'https://lumenfall.example/', symbol: 'LUMF', kind: 'healthy' };
  const own = await testService();
  try {
    const ask = async () => {
      const json = {
        type: 'posttge',
        project: asset.name,
        project_url: asset.url,
        token_symbol: asset.symbol,
        output_format: 'full',
      };
      const reply = await own.call('/v1/score', { json, headers: { prefer: 'wait=60' } });
      const body = (await reply.json()) as { rating?: { score: number | null } };
      return { status: reply.status, score: body.rating?.score ?? null };
    };
    const honest = await ask();
    assert.ok(honest.score !== null, String(honest.status));
    own.sandbox.faults.add({ source: 'website', kind: 'latency', ms: 20_000 });
    const tarpit = await ask();
    const circuit = await ask();
    for (const { score: now } of [tarpit, circuit])
      assert.ok(now === null || now <= (honest.score ?? 0), `${honest.score} to ${now}`);
  } finally {
    await own.close();
  }
});

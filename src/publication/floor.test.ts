import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { RequestOutcome, SourceOutcome } from '../domain/evidence.ts';
import { type AssetClass, CLASSES } from '../domain/rating.ts';
import { factorWeights, featureWeights } from '../methodology/classes.ts';
import { loadMethodology } from '../methodology/load.ts';
import { consensusOf, fromOneGroup, outcome, soundProtocol } from '../rating/fixtures/asset.ts';
import type { RatingInput } from '../rating/input.ts';
import { rate } from '../rating/rate.ts';
import { SOURCES } from '../sources/index.ts';
import { askedShare, floorOf } from './floor.ts';

const methodology = loadMethodology();
const rules = methodology.publication.floor;
const NAMES = [
  ...new Set([...Object.values(rules.sources), ...rules.critical.map((row) => row.sources)].flat()),
].sort();
const all = (change: (name: string) => SourceOutcome = (name) => outcome(name)) => NAMES.map(change);

function floor(input: RatingInput, sources = input.sources, purpose?: 'partial') {
  const { consensus, identification } = input;
  return floorOf({ rating: rate(input, methodology), consensus, identification, sources, purpose }, methodology);
}

/** A source of which every request had this outcome. */
function failing(name: string, result: RequestOutcome, questions = 1): SourceOutcome {
  const failures = Array.from({ length: questions }, () => ({ endpoint: 'token', outcome: result }));
  return { ...outcome(name, result), asked: questions, answered: 0, failures };
}

test('an asset whose sources all replied meets the floor', () => {
  const found = floor(soundProtocol({ sources: all() }));
  assert.deepEqual([found.met, found.because, found.failed], [true, [], []]);
  assert.ok(found.askedShare > 0.75, `${found.askedShare}`);
});

test('what is missing because its sources failed is named with them', () => {
  const sources = all((name) => (name === 'goplus' ? failing(name, 'rate_limited') : outcome(name)));
  const without = ['mint_authority_state', 'top_holders', 'holder_count'] as const;
  const found = floor(soundProtocol({ without: [...without], sources }));
  assert.equal(found.met, false);
  const details = found.because.map((one) => `${one.code} ${one.detail}`);
  assert.ok(details.includes('evidence_below_floor not read: who may mint (failed: goplus)'), details.join('\n'));
  assert.ok(details.includes('evidence_below_floor not read: holders (failed: goplus)'), details.join('\n'));
});

test('a value that no requested source has does not prevent publication', () => {
  const found = floor(
    soundProtocol({ without: ['mint_authority_state', 'top_holders', 'holder_count'], sources: all() }),
  );
  assert.deepEqual(found.because, []);
});

test('one lineage group of prices is enough where no source failed, and too little where one did', () => {
  const set = [consensusOf('price_usd', 10, { families: ['alpha'] })];
  assert.equal(floor(soundProtocol({ set, sources: all() })).met, true);
  const sources = all((name) => (name === 'dexscreener' ? failing(name, 'timeout') : outcome(name)));
  const details = floor(soundProtocol({ set, sources })).because.map((one) => one.detail);
  assert.ok(details.includes('not read: price (failed: dexscreener)'), details.join('\n'));
});

test('a weak tie, and a collection that ended early, are not published', () => {
  const sources = all();
  const loose = floor(soundProtocol({ sources, identification: { match: 0.49 } }));
  assert.deepEqual(
    loose.because.map((one) => one.code),
    ['identity_below_floor'],
  );
  assert.deepEqual(
    floor(soundProtocol({ sources }), sources, 'partial').because.map((one) => one.code),
    ['partial_collection'],
  );
});

test('a failure that the rated party controls counts as its reply; a request that was never sent does not', () => {
  const rating = rate(soundProtocol({ sources: all() }), methodology);
  const share = (result: RequestOutcome, name: string) =>
    askedShare(
      rating,
      all((one) => (one === name ? failing(one, result) : outcome(one))),
      [],
      rules,
    );
  const whole = askedShare(rating, all(), [], rules);
  for (const result of ['timeout', 'http_error', 'circuit_open', 'too_large', 'rate_limited'] as const)
    assert.equal(share(result, 'website'), whole, result);
  for (const result of rules.notAsked) assert.ok(share(result as RequestOutcome, 'website') < whole, result);
  for (const result of ['timeout', 'rate_limited', 'circuit_open', 'budget_spent'] as const)
    assert.ok(share(result, 'goplus') < whole, result);
});

test('sources that replied at another time and were not requested now count as not requested', () => {
  const rating = rate(soundProtocol({ sources: all() }), methodology);
  const fewer = all().filter((source) => source.name !== 'goplus');
  assert.ok(askedShare(rating, fewer, ['goplus'], rules) < askedShare(rating, fewer, [], rules));
});

test('the requested share never rises when one more request fails, and an earlier reply makes up for at most that', () => {
  const rating = rate(soundProtocol({ sources: all() }), methodology);
  fc.assert(
    fc.property(
      fc.subarray(NAMES),
      fc.constantFrom(...NAMES),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (down, one, credit) => {
        const sources = (names: readonly string[], carried: number | null) =>
          all((name) =>
            names.includes(name)
              ? {
                  ...failing(name, 'timeout'),
                  ...(carried === null ? {} : { carried: { failed: 1, unasked: 0, credit: carried } }),
                }
              : outcome(name),
          );
        const before = askedShare(rating, sources(down, null), [], rules);
        assert.ok(askedShare(rating, sources([...down, one], null), [], rules) <= before + 1e-12);
        const aged = askedShare(rating, sources(down, credit), [], rules);
        assert.ok(aged >= before - 1e-12 && aged <= askedShare(rating, all(), [], rules) + 1e-12);
      },
    ),
    { numRuns: 100 },
  );
});

test('every class reaches its least share for A with rows, and coins that are issued do not reach any band without', () => {
  for (const name of CLASSES) {
    const least = rules.askedShare[name];
    assert.ok(least !== undefined && least.high >= least.middle && least.middle >= least.any, name);
    const reach = coverageOf(name, []);
    assert.ok(reach >= least.high + 0.04, `${name}: reaches ${reach} with rows`);
    if (methodology.classes[name].weights === 'issued')
      assert.ok(coverageOf(name, rules.kept) < least.any, `${name}: reaches its floor without rows`);
  }
});

test('a register counts as requested for the quantities its rows decide, and for no others', () => {
  const input = soundProtocol({ sources: all() });
  const rating = rate(input, methodology);
  const unknown = rating.factors
    .flatMap(({ features }) => features)
    .find(({ id, status }) => rules.sources[id]?.join() === 'registers' && !['observed', 'absent'].includes(status));
  assert.ok(unknown, 'the asset has no row');
  const share = (kept: readonly string[]) => askedShare(rating, all(), [], { ...rules, kept: [...kept] });
  assert.ok(share(rules.kept) < share([]), 'the silence of a register is no answer');
  const without = all().filter(({ name }) => name !== 'registers');
  assert.equal(askedShare(rating, without, [], rules), share(rules.kept), 'nor is it the asset’s');
});

test('every feature of the methodology names the sources that could state it, and every name is that of a source', () => {
  const features = [...methodology.features, ...methodology.preTge.features].map((feature) => feature.id);
  assert.deepEqual(Object.keys(rules.sources).sort(), [...new Set(features)].sort());
  const known = new Set(SOURCES.map((source) => source.name));
  for (const name of [...NAMES, ...rules.partyControlled]) assert.ok(known.has(name), name);
});

/** Share of a class's weight of which any source but these knows. */
function coverageOf(name: AssetClass, without: readonly string[]): number {
  const weights = new Map(factorWeights(name, methodology).map((row) => [row.code as string, row.weight]));
  const own = featureWeights(name, methodology);
  let [possible, known] = [0, 0];
  for (const { id, factor } of methodology.features) {
    const weight = (weights.get(factor) ?? 0) * (id === 'gt_footprint' ? 0 : (own.get(id) ?? 0));
    possible += weight;
    if ((rules.sources[id] ?? []).some((source) => !without.includes(source))) known += weight;
  }
  return known / possible;
}

test('a collection that lacks mandatory rows states how many of how many are missing, and which', () => {
  const sources = all((name) => (name === 'goplus' ? failing(name, 'rate_limited') : outcome(name)));
  const input = soundProtocol({ without: ['mint_authority_state', 'top_holders', 'holder_count'], sources });
  const details = floor(input).because.map((one) => one.detail);
  assert.match(details[0] ?? '', /^2 of \d+ mandatory rows are missing: who may mint, holders$/);
  // The rating of the moment says so too, whether or not it is published.
  assert.deepEqual(rate(input, methodology).missing?.names, ['who may mint', 'holders']);
  assert.ok(rate(input, methodology).limitations.includes(`${details[0]}.`));
});

test('one missing row is stated in the singular, and none not at all', () => {
  const one = rate(soundProtocol({ without: ['mint_authority_state'], sources: all() }), methodology);
  assert.ok(
    one.limitations.some((text) => /^1 of \d+ mandatory rows is missing: who may mint\.$/.test(text)),
    one.limitations.join('\n'),
  );
  const none = rate(soundProtocol({ sources: all() }), methodology);
  assert.equal(none.missing, undefined);
  assert.ok(!none.limitations.some((text) => text.includes('mandatory')));
});

test('no first rating is published while the source that would show a default failed', () => {
  const chart = { scope: 'pool:0xold', families: ['alpha'], confidence: 0.5 } as const;
  const fall = consensusOf('pool_lasting_fall', 0.97, chart);
  const silent = (name: string) => all((one) => (one === name ? failing(one, 'unreachable') : outcome(one)));
  const words = (input: Parameters<typeof soundProtocol>[0]) =>
    floor(soundProtocol(input)).because.map((one) => one.detail);
  const unread = 'not read: whether the liquidity was taken (failed: rugcheck)';
  assert.deepEqual(words({ set: [fall], sources: silent('rugcheck') }), [unread]);
  assert.deepEqual(words({ set: [consensusOf('pool_lasting_fall', 0.5, chart)], sources: silent('rugcheck') }), []);
  assert.deepEqual(words({ set: [fall, fromOneGroup('rug_executed', false)], sources: silent('rugcheck') }), []);
  assert.deepEqual(words({ set: [fall], sources: all() }), [], 'everybody answered and nobody accuses');
  const accused = { set: [fromOneGroup('rug_executed', true)] };
  const bearing = 'not read: whether a chart bears out that the liquidity was taken (failed: geckoterminal)';
  assert.ok(words({ ...accused, sources: silent('geckoterminal') }).includes(bearing));
  assert.deepEqual(words({ ...accused, sources: all() }), [], 'an accusation that no chart bears out is published');
});

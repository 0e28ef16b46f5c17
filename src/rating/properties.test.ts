import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type AssetClass, BANDS, CATEGORIES, CLASSES, type QuantityId, type Rating } from '../domain/index.ts';
import { type FeatureDefinition, featureWeights, loadMethodology, pointsOf } from '../methodology/index.ts';
import { consensusOf, daysAgo, onChain, outcome, soundProtocol } from './fixtures/asset.ts';
import { assetOf, bestOf, OF_LISTS, type StatedFeature, valueAt } from './fixtures/class-assets.ts';
import { CEILING_CASES, CLASS_CASES } from './fixtures/class-cases.ts';
import { FLAG_CASES, inOnePool, lpWithCreator, tradedInPools } from './fixtures/flag-cases.ts';
import { HISTORY_CASES, MARKETS_REMAIN, repaidByOneList } from './fixtures/history-cases.ts';
import { rate } from './rate.ts';

/** What must hold of every class, whatever is known of an asset: drawn evidence, caps and bands included. */
const methodology = loadMethodology();
const share = fc.double({ min: 0, max: 1, noNaN: true });
const confidence = fc.double({ min: 0.3, max: 0.95, noNaN: true });

/** Features of a class that one value states. */
function featuresOf(of: AssetClass): readonly FeatureDefinition[] {
  const weights = featureWeights(of, methodology);
  return methodology.features.filter(({ id }) => weights.has(id) && !OF_LISTS.includes(id));
}

/** Any knowledge of an asset of a class: each feature known, somehow surely, or not. */
const knownOf = (of: AssetClass): fc.Arbitrary<readonly StatedFeature[]> =>
  fc
    .tuple(
      ...featuresOf(of).map((definition) =>
        fc.option(fc.tuple(share, confidence), { freq: 4 }).map((drawn) => ({ definition, drawn })),
      ),
    )
    .map((rows) =>
      rows.flatMap(({ definition, drawn }) =>
        drawn === null ? [] : [{ feature: definition.id, value: valueAt(definition, drawn[0]), confidence: drawn[1] }],
      ),
    );

/** Shares of one whole: what more of the liquidity is locked, less of it is the creator's or others'. */
const LOCKED: Readonly<Record<string, string>> = { ts_lp: 'ts_lp_creator', ts_lp_creator: 'ts_lp' };

const place = (rating: Rating) => (rating.score === null ? BANDS.length : BANDS.indexOf(rating.band));

function notBetter(worse: Rating, better: Rating, of: string) {
  assert.ok((worse.score ?? -1) <= (better.score ?? -1), `${of}: ${worse.score} above ${better.score}`);
  assert.ok(place(worse) >= place(better), `${of}: ${worse.band} above ${better.band}`);
}

for (const of of CLASSES)
  test(`${of}: whatever else is known, a better value of a feature never lowers score or band`, () => {
    const features = featuresOf(of);
    fc.assert(
      fc.property(
        knownOf(of),
        fc.constantFrom(...features),
        share,
        share,
        confidence,
        (known, definition, first, second, sure) => {
          const others = known.filter(({ feature }) => feature !== definition.id && feature !== LOCKED[definition.id]);
          const [a, b] = [valueAt(definition, first), valueAt(definition, second)];
          const isRight = (pointsOf(definition, a) ?? 0) <= (pointsOf(definition, b) ?? 0);
          const [worse, better] = (isRight ? [a, b] : [b, a]).map((value) =>
            rate(
              assetOf(of, [...others, { feature: definition.id, value: value ?? 0, confidence: sure }]),
              methodology,
            ),
          );
          assert.ok(worse && better);
          assert.equal(worse.class, of);
          notBetter(worse, better, `${definition.id} ${a} and ${b}`);
        },
      ),
      { numRuns: 30 + 6 * features.length },
    );
  });

const perfect = (of: AssetClass, sure = 0.95): readonly StatedFeature[] =>
  featuresOf(of).map((definition) => ({ feature: definition.id, value: bestOf(definition), confidence: sure }));

test('an asset with the best of every feature exceeds every ceiling of its class', () => {
  for (const of of CLASSES) {
    const { uncappedScore, class: found } = rate(assetOf(of, perfect(of)), methodology);
    assert.equal(found, of);
    const ceilings = methodology.caps.filter(({ classes }) => classes?.includes(of)).map(({ cap }) => cap);
    assert.ok((uncappedScore ?? 0) > Math.max(...ceilings.filter((cap) => cap < 100)), `${of} ${uncappedScore}`);
  }
});

const states = (given: Readonly<Partial<Record<QuantityId, string | number>>>) => ({
  set: Object.entries(given).map(([quantity, value]) => consensusOf(quantity as QuantityId, value)),
});
/** What takes a perfect asset to a ceiling that evidence left out leads to elsewhere. */
const NARROW: Readonly<Record<string, (of: AssetClass) => ReturnType<typeof assetOf>>> = {
  TRUST_LIMITED: (of) => assetOf(of, perfect(of), { identification: { match: 0.6 } }),
  TRUST_WEAK: (of) => assetOf(of, perfect(of), { identification: { match: 0.38 } }),
  UNDERLYING: (of) => ({ ...assetOf(of, perfect(of)), underlying: { name: 'Bitcoin', score: 50 } }),
  CLASS_FIAT_UNATTESTED: (of) => assetOf(of, perfect(of), states({ reserve_report_state: 'self_declared' })),
  CLASS_RWA_UNDOCUMENTED: (of) => assetOf(of, perfect(of), states({ legal_form_state: 'none' })),
  CLASS_UTILITY: (of) => assetOf(of, perfect(of), states({ claim_state: 'fees_by_code' })),
  CLASS_LST_UPGRADEABLE: (of) => assetOf(of, perfect(of), states({ proxy_admin_state: 'timelock' })),
  BACKING_UNPROVEN: (of) => assetOf(of, perfect(of), { without: ['backing_ratio'] }),
};

/** Changes under which a cap of a flag, or one of age, holds. */
const FLAG_CAPS = [
  ...[...FLAG_CASES, ...HISTORY_CASES, ...MARKETS_REMAIN].map(({ cap, raises }) => ({ cap, applies: raises })),
  {
    cap: 'HIDDEN_OWNER',
    applies: { set: [consensusOf('hidden_owner', true), consensusOf('balance_mutable', true, { confidence: 0.6 })] },
  },
  { cap: 'EXPLOIT_REPAID', applies: repaidByOneList(60_000_000) },
  { cap: 'LP_CREATOR', applies: lpWithCreator(0.9) },
  { cap: 'DEPTH_SHALLOW', applies: inOnePool(300_000) },
  { cap: 'ONE_SIDED', applies: tradedInPools(10, 2) },
  {
    cap: 'CHAIN_HALT',
    applies: {
      set: [consensusOf('chain_head_at', daysAgo(2), { tier: 'chain', families: ['chain:main', 'chain:second'] })],
    },
  },
  { cap: 'AGE_180D', applies: { set: [onChain('token_created_at', daysAgo(100))] } },
];

test('every cap and every ceiling is somewhere the one that decides', () => {
  const cases = [...CEILING_CASES, ...FLAG_CAPS];
  const reachable = methodology.caps.filter(
    ({ flag }) => (methodology.flags.find((row) => row.code === flag)?.notRaisedBecause ?? null) === null,
  );
  const idle = reachable.filter(({ code, classes = CLASSES }) => {
    const made = NARROW[code];
    const changes = cases.filter(({ cap }) => cap === code).map(({ applies }) => applies);
    return !classes.some((of) =>
      (made ? [made(of)] : changes.flatMap((change) => [soundProtocol(change), assetOf(of, perfect(of), change)])).some(
        (input) => rate(input, methodology).caps.some((row) => row.code === code && row.binding),
      ),
    );
  });
  // Its condition contains that of BALANCE_MUTABLE, which stands as low.
  assert.deepEqual(
    idle.map(({ code }) => code),
    ['HIDDEN_OWNER'],
  );
});

/** Where the rated party publishes, and what its own host does when it does not want to be read. A repository is there or it is not. */
const OWN = ['website', 'github'];
/** Stated by registers and scanners alone: a site states nothing of it that counts. */
const REPORTED_ELSEWHERE = 'sd_insider';
const LOST = ['timeout', 'not_found', 'http_error', 'unreachable'] as const;
const others = ['coingecko', 'coinmarketcap', 'dexscreener', 'goplus', 'defillama', 'evm_rpc'].map((name) =>
  outcome(name),
);

/** Features of a class that the rated party can withhold; it cannot withhold what a register or a third party states. */
function withheldOf(of: AssetClass): readonly string[] {
  return featuresOf(of)
    .filter(
      ({ id, silence }) =>
        id !== REPORTED_ELSEWHERE &&
        silence.kind === 'P' &&
        methodology.publication.floor.sources[id]?.some((name) => OWN.includes(name)),
    )
    .map(({ id }) => id);
}

for (const of of CLASSES) {
  const own = withheldOf(of);
  if (own.length > 0)
    test(`${of}: what the rated party keeps back, all or some, in any manner, raises neither score nor band`, () => {
      fc.assert(
        fc.property(
          knownOf(of),
          fc.subarray([...own], { minLength: 1 }),
          fc.constantFrom(...LOST),
          (known, kept, how) => {
            const answering = [...others, ...OWN.map((name) => outcome(name))];
            const silent = [
              ...others,
              { ...outcome('website', how), asked: 3, failures: [{ endpoint: 'home', outcome: how }] },
              outcome('github', 'not_found'),
            ];
            const shown = rate(assetOf(of, known, { sources: answering }), methodology);
            const told = known.filter(({ feature }) => !kept.includes(feature));
            for (const sources of [answering, silent])
              notBetter(rate(assetOf(of, told, { sources }), methodology), shown, kept.join(', '));
          },
        ),
        { numRuns: 80 },
      );
    });
}

test('every class but those rated by registers alone has a feature that the rated party can withhold', () => {
  assert.deepEqual(
    CLASSES.filter((of) => withheldOf(of).length === 0),
    [],
  );
});

test('no statement of the caller moves class, score or a byte of the rating, for any class', () => {
  const inputs = [...CLASS_CASES.map(({ of }) => of), ...CLASSES.map((of) => assetOf(of, perfect(of)))];
  fc.assert(
    fc.property(
      fc.constantFrom(...inputs),
      fc.record({
        category: fc.constantFrom(null, ...CATEGORIES, ...CLASSES),
        project: fc.string(),
        projectUrl: fc.webUrl(),
        tokenSymbol: fc.option(fc.string()),
        blockchain: fc.constantFrom(null, 'ethereum', 'solana', 'base'),
        tokenAddress: fc.option(fc.string()),
      }),
      (input, words) => {
        const asked = { ...input, request: { ...input.request, ...words } as typeof input.request };
        assert.equal(JSON.stringify(rate(asked, methodology)), JSON.stringify(rate(input, methodology)));
      },
    ),
    { numRuns: 80 },
  );
});

test('a native coin is rated to the same bytes with its chain, its CAIP-2 id and without either', () => {
  fc.assert(
    fc.property(knownOf('native_l1'), (known) => {
      const by = (asset: { readonly chain: string | null; readonly address: string | null }) =>
        JSON.stringify(rate(assetOf('native_l1', known, { asset }), methodology));
      const expected = by({ chain: null, address: 'native' });
      for (const asset of [
        { chain: null, address: null },
        { chain: 'ethereum', address: 'native' },
        { chain: 'solana', address: 'native' },
        { chain: 'bip122:000000000019d6689c085ae165831e93', address: 'native' },
      ])
        assert.equal(by(asset), expected, String(asset.chain));
    }),
    { numRuns: 60 },
  );
});

test('a factor without an applicable feature is as if its class did not have it', () => {
  for (const of of CLASSES) {
    const input = assetOf(of, perfect(of, 0.7));
    const { features, weights } = methodology.classes[of];
    for (const code of Object.keys(features) as (keyof typeof features)[]) {
      const rest = Object.fromEntries(Object.entries(features).filter(([name]) => name !== code));
      const without = {
        ...methodology,
        classes: { ...methodology.classes, [of]: { ...methodology.classes[of], features: rest } },
      };
      const table = { ...methodology.weightTables[weights], [code]: 0 };
      const weightless = { ...methodology, weightTables: { ...methodology.weightTables, [weights]: table } };
      const [removed, given] = [without, weightless].map((one) => rate(input, one as typeof methodology));
      assert.equal(removed?.uncappedScore, given?.uncappedScore, `${of} ${code}`);
      assert.ok(!removed?.factors.some((factor) => factor.code === code));
    }
  }
});

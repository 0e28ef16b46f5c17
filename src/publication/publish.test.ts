import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ConsensusSet } from '../domain/consensus.ts';
import type { PublicationState, PublishedRating } from '../domain/published.ts';
import { BANDS, type Band, type CapApplied, FACTOR_CODES, type Flag, type Rating } from '../domain/rating.ts';
import { bandOf, toScore } from '../methodology/bands.ts';
import { loadMethodology } from '../methodology/load.ts';
import { publish } from './publish.ts';
import { digestOf, scoreRecord } from './record.ts';

const methodology = loadMethodology();
const DAY = 86_400_000;
const START = Date.parse('2026-01-01T12:00:00.000Z');
const at = (days: number) => new Date(START + days * DAY).toISOString();

interface Moment {
  readonly score: number | null;
  readonly uncapped?: number;
  readonly caps?: readonly { readonly code: string; readonly cap: number }[];
  readonly flags?: readonly Partial<Flag>[];
  readonly facts?: Readonly<Record<string, unknown>>;
  readonly category?: Rating['category'];
}

/** A rating of a moment; the points of the first factor carry the whole score. */
function ratingOf({ score, uncapped = score ?? 0, caps = [], flags = [], category = 'default' }: Moment): Rating {
  const binding = caps.length === 0 ? null : Math.min(...caps.map((cap) => cap.cap));
  return {
    category,
    categoryReason: '',
    band: score === null ? 'NR' : bandOf(score, methodology),
    score,
    interval: score === null ? null : [Math.max(0, score - 5), Math.min(100, score + 5)],
    uncappedScore: score === null ? null : uncapped,
    uncappedBand: null,
    notRatedReasons: score === null ? ['not known: price'] : [],
    evidenceCap: false,
    provisional: false,
    prior: 40,
    factors: FACTOR_CODES.map((code, index) => ({
      code,
      name: code,
      weight: 10,
      rawScore: 50,
      confidence: 1,
      shrink: 1,
      prior: 40,
      score: 50,
      points: index === 0 ? toScore(uncapped - 40) : 0,
      features: [],
      rationale: '',
    })),
    caps: caps.map(
      (cap): CapApplied => ({
        ...cap,
        band: bandOf(cap.cap, methodology),
        flag: null,
        detail: '',
        binding: cap.cap === binding && cap.cap < uncapped,
      }),
    ),
    flags: flags.map((flag) => ({
      code: 'X',
      severity: 'high',
      title: '',
      detail: 'd',
      confidence: 0.9,
      since: null,
      evidence: [],
      value: null,
      ...flag,
    })),
    trust: {
      score: 80,
      tier: 'high',
      components: { coverage: 1, agreement: 1, independence: 1, freshness: 1, identity: 1 },
      gaps: [],
    },
    vfr: {
      value: null,
      zone: 'INDETERMINATE',
      interval: null,
      z: null,
      method: 'none',
      peers: 0,
      drivers: [],
      reason: '',
      fairValueUsd: null,
      sd: null,
      r2: null,
      variants: { circulating: null, fullyDiluted: null },
      notes: [],
    },
    outlook: null,
    summary: '',
    limitations: [],
  };
}

function consensusOf(facts: Readonly<Record<string, unknown>>): ConsensusSet {
  return Object.fromEntries(
    Object.entries(facts).map(([quantity, value]) => [
      quantity,
      { quantity, scope: 'asset', value, confidence: 0.9, status: 'agreed', voices: [] },
    ]),
  ) as unknown as ConsensusSet;
}

const identification = {
  asset: { id: 'a', chain: 'ethereum', address: '0x1', symbol: 'A', name: 'A', category: null, website: null },
  stage: 'post_tge',
} as never;

function step(moment: Moment, asOf: string, previous: PublicationState | null) {
  const made = publish(
    {
      rating: ratingOf(moment),
      technical: null,
      consensus: consensusOf(moment.facts ?? {}),
      identification,
      jobId: 'job',
      asOf,
      previous,
    },
    methodology,
  );
  return made;
}

/** Publishes a row of moments, a day apart unless told otherwise. */
function live(moments: readonly (Moment & { readonly day?: number })[], from: PublicationState | null = null) {
  let state = from;
  const ratings: PublishedRating[] = [];
  for (const [index, moment] of moments.entries()) {
    const made = step(moment, at(moment.day ?? index), state);
    state = JSON.parse(JSON.stringify(made.state)) as PublicationState;
    ratings.push(made.rating);
  }
  return { ratings, state: state as PublicationState };
}
const last = <Item>(items: readonly Item[]): Item => items.at(-1) as Item;

test('noise of one point either way for a thousand days changes no band, wherever the score lies', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 60, max: 980 }),
      fc.infiniteStream(fc.integer({ min: -10, max: 10 })),
      fc.infiniteStream(fc.integer({ min: 1, max: 16 })),
      (center, noise, gaps) => {
        let state: PublicationState | null = null;
        let changes = 0;
        let day = 0;
        let seen = 0;
        while (day < 1_000) {
          const wobble = noise.next().value ?? 0;
          const made = step({ score: (center + wobble) / 10 }, at(day), state);
          state = made.state;
          seen += 1;
          if (seen > 1 && made.rating.action !== 'affirm') changes += 1;
          // From three hours to two days between two ratings.
          day += (gaps.next().value ?? 8) / 8;
        }
        assert.equal(changes, 0);
      },
    ),
    { numRuns: 15 },
  );
});

test('the first rating is its own band, and the same one again affirms it', () => {
  const { ratings } = live([{ score: 70 }, { score: 70 }]);
  assert.deepEqual(
    ratings.map(({ action, band, previous }) => [action, band, previous?.band ?? null]),
    [
      ['new', 'BBB', null],
      ['affirm', 'BBB', 'BBB'],
    ],
  );
});

test('up: the smoothed score has to stay above the cut-off by the margin in three daily snapshots', () => {
  const { ratings } = live([{ score: 70 }, ...Array.from({ length: 12 }, () => ({ score: 80 }))]);
  const rose = ratings.findIndex((rating) => rating.action === 'upgrade');
  const first = ratings.findIndex((rating) => (rating.smoothedScore ?? 0) >= 75.5);
  assert.equal(rose, first + 2);
  assert.equal(ratings[rose]?.band, 'A');
  // Many ratings of one day are one snapshot.
  const often = live([
    { score: 70, day: 0 },
    ...Array.from({ length: 20 }, (_, index) => ({ score: 80, day: 6 + index / 100 })),
  ]);
  assert.ok(often.ratings.every((rating) => rating.action !== 'upgrade'));
});

test('down: a fall is in the band within a day or two, a cap or a far score at once', () => {
  const slow = live([{ score: 70 }, { score: 61 }, { score: 61 }, { score: 61 }]).ratings;
  assert.ok(slow.findIndex((rating) => rating.band === 'BB') <= 2);
  const far = live([{ score: 70 }, { score: 40, day: 0.01 }]).ratings;
  assert.deepEqual([last(far).action, last(far).band], ['downgrade', 'CCC']);
  const capped = live([
    { score: 70 },
    { score: 54.9, uncapped: 70, caps: [{ code: 'SELL_TAX_10', cap: 54.9 }], day: 0.01 },
  ]).ratings;
  assert.deepEqual([last(capped).band, last(capped).actionReason], ['B', 'a cap struck']);
});

test('a cap that ended holds the score for seven days more; one that goes with age or evidence does not', () => {
  const capped = { score: 43.9, uncapped: 80, caps: [{ code: 'MINT_EOA', cap: 43.9 }] };
  const { ratings } = live([capped, ...Array.from({ length: 9 }, () => ({ score: 80 }))]);
  assert.deepEqual(
    ratings.slice(1).map((rating) => rating.score),
    [43.9, 43.9, 43.9, 43.9, 43.9, 43.9, 43.9, 80, 80],
  );
  const aged = live([{ score: 43.9, uncapped: 80, caps: [{ code: 'AGE_7D', cap: 43.9 }] }, { score: 80 }]).ratings;
  assert.equal(last(aged).score, 80);
});

test('what moved the score adds up to its change, to the last digit', () => {
  const scores = fc.integer({ min: 50, max: 990 }).map((value) => value / 10);
  const caps = fc.option(fc.constantFrom(43.9, 54.9, 15), { nil: null });
  fc.assert(
    fc.property(fc.array(fc.tuple(scores, caps), { minLength: 2, maxLength: 8 }), (rows) => {
      const { ratings } = live(
        rows.map(([uncapped, cap]) => ({
          uncapped,
          score: cap === null ? uncapped : Math.min(uncapped, cap),
          caps: cap === null ? [] : [{ code: cap === 15 ? 'HIDDEN_OWNER' : cap === 43.9 ? 'MINT_EOA' : 'DEPEG', cap }],
        })),
      );
      for (const rating of ratings.slice(1)) {
        const sum = rating.drivers.reduce((total, driver) => toScore(total + driver.points), 0);
        assert.equal(sum, toScore((rating.score ?? 0) - (rating.previous?.score ?? 0)));
      }
    }),
    { numRuns: 200 },
  );
});

const ALIVE = { price_usd: 1, liquidity_dex_usd: 200_000 };
const DEAD = { price_usd: 0.02, liquidity_dex_usd: 500 };

test('liquidity death takes seven days of it, and one sight of life begins the count anew', () => {
  const dead = (days: number) => Array.from({ length: days }, () => ({ score: 30, facts: DEAD }));
  const eight = live([{ score: 60, facts: ALIVE }, ...dead(8)]).ratings;
  assert.deepEqual(
    eight.map((rating) => rating.band === 'D'),
    [false, false, false, false, false, false, false, false, true],
  );
  assert.equal(last(eight).defaultTests[0]?.code, 'D1');
  assert.ok((last(eight).score ?? 100) <= 4.9);
  const interrupted = live([
    { score: 60, facts: ALIVE },
    ...dead(6),
    { score: 30, facts: { price_usd: 0.02, liquidity_dex_usd: 90_000 } },
    ...dead(6),
  ]).ratings;
  assert.ok(interrupted.every((rating) => rating.band !== 'D'));
});

test('time in which nobody looked counts towards a default for two days at most', () => {
  const { ratings } = live([
    { score: 60, facts: ALIVE, day: 0 },
    { score: 30, facts: DEAD, day: 1 },
    { score: 30, facts: DEAD, day: 30 },
  ]);
  assert.notEqual(last(ratings).band, 'D');
  // What is not known neither counts nor ends the count.
  const blind = live([
    { score: 60, facts: ALIVE, day: 0 },
    ...[1, 2, 3, 4].map((day) => ({ score: 30, facts: DEAD, day })),
    ...[5, 6, 7, 8, 9].map((day) => ({ score: 30, facts: {}, day })),
    ...[10, 11, 12, 13, 14].map((day) => ({ score: 30, facts: DEAD, day })),
  ]).ratings;
  const first = blind.findIndex((rating) => rating.band === 'D');
  assert.ok(first >= 12, String(first));
});

test('an executed rug defaults at once; half a year without a test cures it to CCC at best, and the D stays in the history', () => {
  const rug = { score: 4, flags: [{ code: 'RUG_EXECUTED', severity: 'critical' as const }], facts: DEAD };
  const life = [
    { score: 60, facts: ALIVE },
    rug,
    ...Array.from({ length: 185 }, () => ({ score: 60, facts: { ...ALIVE, volume_24h_usd: 5_000 } })),
  ];
  const { ratings, state } = live(life);
  assert.deepEqual([ratings[1]?.band, ratings[1]?.action], ['D', 'downgrade']);
  const cured = ratings.findIndex((rating, index) => index > 1 && rating.band !== 'D');
  assert.equal(cured, 182);
  assert.deepEqual([ratings[cured]?.band, ratings[cured]?.action, ratings[cured]?.default], ['CCC', 'upgrade', null]);
  assert.equal(state.default, null);
  // From CCC it rises by daily snapshots, however far its score is.
  const after = live(
    [186, 187].map((day) => ({ score: 80, day })),
    live(life.slice(0, cured + 1)).state,
  ).ratings;
  assert.deepEqual(
    after.map((rating) => rating.band),
    ['CCC', 'CCC'],
  );
});

test('a default ends only when its own cause is seen to be over, and time in which nobody looked does not cure', () => {
  const dead = Array.from({ length: 9 }, (_, day) => ({ score: 30, facts: day === 0 ? ALIVE : DEAD, day }));
  const blind = Array.from({ length: 200 }, (_, day) => ({ score: 60, facts: { volume_24h_usd: 9 }, day: 9 + day }));
  const unseen = live([...dead, ...blind]).ratings;
  assert.deepEqual([last(unseen).band, last(unseen).default?.curesAt], ['D', null]);
  const alive = (day: number) => ({ score: 60, facts: { ...ALIVE, volume_24h_usd: 9 }, day });
  assert.equal(last(live([...dead, alive(9), alive(200)]).ratings).band, 'D');
});

test('a default of an asset that cannot be rated any more is published with its points', () => {
  const flags = [{ code: 'RUG_EXECUTED', severity: 'critical' as const }];
  const { ratings, state } = live([{ score: 60 }, { score: null, flags }, { score: null, flags }]);
  assert.deepEqual([ratings[1]?.band, ratings[1]?.score, ratings[1]?.action], ['D', 4.9, 'downgrade']);
  assert.deepEqual(
    ratings[1]?.drivers.map(({ code, points }) => [code, points]),
    [['DEFAULT', -55.1]],
  );
  assert.deepEqual([state.last.band, state.last.score, ratings[2]?.action], ['D', 4.9, 'affirm']);
});

test('a cap that held when sources failed still holds when they answer again', () => {
  const capped = { score: 43.9, uncapped: 80, caps: [{ code: 'MINT_EOA', cap: 43.9 }] };
  const { ratings } = live([capped, ...Array.from({ length: 9 }, () => ({ score: null })), { score: 80 }]);
  assert.deepEqual([last(ratings).score, last(ratings).band], [43.9, 'CCC']);
});

test('an asset that cannot be rated keeps its band for a week under a watch, and is then withdrawn', () => {
  const { ratings } = live([{ score: 70 }, ...Array.from({ length: 9 }, () => ({ score: null }))]);
  assert.deepEqual(
    ratings.map((rating) => rating.band),
    ['BBB', 'BBB', 'BBB', 'BBB', 'BBB', 'BBB', 'BBB', 'BBB', 'NR', 'NR'],
  );
  assert.equal(ratings[1]?.watch?.reason, 'source_conflict');
  assert.deepEqual([ratings[8]?.action, ratings[8]?.score], ['withdraw', null]);
  assert.equal(live([{ score: null }]).ratings[0]?.action, 'new');
});

test('a watch begins with its cause, is renewed with a reason, and ends with it', () => {
  const flags = [{ code: 'EXPLOIT_RECENT', severity: 'high' as const, detail: '5 USD lost' }];
  const { ratings } = live([
    { score: 60, day: 0 },
    { score: 60, day: 1, flags },
    { score: 60, day: 20, flags },
    { score: 60, day: 32, flags },
    { score: 60, day: 33 },
  ]);
  assert.deepEqual(
    ratings.map((rating) => rating.watch?.since ?? null),
    [null, at(1), at(1), at(1), null],
  );
  assert.match(ratings[3]?.watch?.detail ?? '', /renewed/);
  const keys = live([
    { score: 60, facts: { mint_authority_state: 'multisig' } },
    { score: 60, facts: { mint_authority_state: 'eoa' } },
    { score: 60, facts: { mint_authority_state: 'eoa' } },
  ]).ratings;
  assert.deepEqual(
    keys.map((rating) => rating.watch?.reason ?? null),
    [null, 'authority_change', 'authority_change'],
  );
});

test('an outlook needs fourteen days, and says where a steady slope leads', () => {
  const slope = (perDay: number, days: number) =>
    live(Array.from({ length: days }, (_, index) => ({ score: toScore(60 + perDay * index) }))).ratings;
  assert.equal(last(slope(0.2, 13)).outlook, null);
  assert.equal(last(slope(0.2, 20)).outlook, 'positive');
  assert.equal(last(slope(-0.2, 20)).outlook, 'negative');
  assert.equal(last(slope(0.01, 20)).outlook, 'stable');
});

test('a few wild days do not turn the outlook', () => {
  const wild = Array.from({ length: 30 }, (_, day) => ({ score: day % 6 === 5 ? 35 + day : 60 }));
  assert.equal(last(live(wild.slice(0, 29)).ratings).outlook, 'stable');
});

test('a whole life: new, affirmed, lower, watched, in default, cured, better', () => {
  const exploit = [{ code: 'EXPLOIT_RECENT', severity: 'high' as const }];
  const rug = [...exploit, { code: 'RUG_EXECUTED', severity: 'critical' as const }];
  const healed = { score: 60, facts: { ...ALIVE, volume_24h_usd: 5_000 } };
  const { ratings, state } = live([
    { score: 70, facts: ALIVE },
    { score: 70, facts: ALIVE },
    { score: 58, facts: ALIVE, flags: exploit },
    { score: 58, facts: ALIVE, flags: exploit },
    { score: 4, facts: DEAD, flags: rug },
    ...Array.from({ length: 190 }, () => healed),
  ]);
  const told = ratings.filter((rating, index) => index < 2 || rating.action !== 'affirm');
  assert.deepEqual(
    told.map(({ action, band }) => `${action} ${band}`),
    ['new BBB', 'affirm BBB', 'downgrade BB', 'downgrade D', 'upgrade CCC', 'upgrade BB'],
  );
  assert.equal(told[2]?.watch?.reason, 'exploit_under_investigation');
  assert.deepEqual([told[3]?.defaultTests[0]?.code, told[3]?.default?.since], ['D6', at(4)]);
  assert.equal(ratings[5]?.default?.curesAt, at(185));
  assert.deepEqual([state.default, state.band], [null, 'BB']);
});

test('a change that takes back one of the last thirty days is a reversal', () => {
  const { ratings } = live([
    { score: 70, day: 0 },
    { score: 40, day: 1 },
    { score: 90, day: 2 },
    { score: 40, day: 60 },
  ]);
  assert.deepEqual(
    ratings.map((rating) => rating.reversal),
    [false, false, false, false],
  );
  const back = live([
    { score: 66, day: 0 },
    ...[1, 2, 3, 4].map((day) => ({ score: 58, day })),
    ...[5, 6, 7, 8, 9, 10, 11, 12].map((day) => ({ score: 72, day })),
  ]).ratings;
  assert.ok(back.some((rating) => rating.action === 'downgrade' && rating.band === 'BB'));
  const change = back.find((rating) => rating.action === 'upgrade');
  assert.deepEqual([change?.band, change?.reversal], ['BBB', true]);
});

test('one high score lifts nothing; a score that stays high rises with the smoothed one and does not fall back', () => {
  const spike = live([
    { score: 30, day: 0 },
    { score: 95, day: 1 },
    ...[2, 3, 4, 5].map((day) => ({ score: 30, day })),
  ]).ratings;
  assert.deepEqual([...new Set(spike.map((rating) => rating.band))], ['CC']);
  const risen = live([
    { score: 30, day: 0 },
    ...Array.from({ length: 30 }, (_, index) => ({ score: 80, day: index + 1 })),
  ]).ratings;
  assert.deepEqual(
    risen.filter((rating) => rating.action === 'downgrade'),
    [],
  );
  assert.equal(risen.at(-1)?.band, 'A');
  assert.ok(risen.findIndex((rating) => rating.band === 'A') >= 3);
});

test('a clock that steps back turns nothing round', () => {
  const first = live([{ score: 70 }, { score: 60 }]);
  const early = step({ score: 60 }, at(0.2), first.state);
  assert.equal(early.state.asOf, first.state.asOf);
  assert.equal(early.rating.asOf, at(0.2));
  assert.deepEqual(early.state.days, first.state.days);
});

test('evidence that arrives late changes nothing, unless it shows a default', () => {
  const first = live([{ score: 70 }, { score: 70 }]);
  const late = step({ score: 20 }, at(0.9), first.state);
  assert.deepEqual([late.rating.band, late.rating.action, late.rating.indicativeBand], ['BBB', 'affirm', 'CC']);
  assert.deepEqual(late.state, first.state);
  const rug = step({ score: 4, flags: [{ code: 'RUG_EXECUTED' }] }, at(0.9), first.state);
  assert.deepEqual([rug.rating.band, rug.state.band, rug.state.asOf], ['D', 'D', first.state.asOf]);
  // A clock that stands a year back for long must not freeze the band.
  assert.equal(step({ score: 20 }, at(-365), first.state).rating.band, 'CC');
});

test('the same input gives the same bytes, states stay small, and every rating is of a band that exists', () => {
  const moments = fc.array(
    fc.record({
      score: fc.option(
        fc.integer({ min: 50, max: 1000 }).map((value) => value / 10),
        { nil: null },
      ),
      facts: fc.constantFrom(ALIVE, DEAD, {}),
      flags: fc.constantFrom([], [], [], [], [{ code: 'RUG_EXECUTED', severity: 'critical' as const }]),
      gap: fc.integer({ min: 0, max: 40 }),
    }),
    { maxLength: 150 },
  );
  fc.assert(
    fc.property(moments, (rows) => {
      let day = 0;
      const life = rows.map(({ gap, ...row }) => {
        day += gap / 4;
        return { ...row, day };
      });
      const [one, two] = [live(life), live(life)];
      assert.equal(JSON.stringify(one), JSON.stringify(two));
      assert.ok(JSON.stringify(one.state).length < 20_000);
      if (rows.length > 0) {
        const next = { score: 51.5, facts: DEAD };
        const read = JSON.parse(JSON.stringify(one.state)) as PublicationState;
        assert.deepEqual(step(next, at(day + 1), read), step(next, at(day + 1), one.state));
      }
      for (const rating of one.ratings) {
        assert.ok(BANDS.includes(rating.band as Band));
        assert.equal(rating.score === null, rating.band === 'NR');
        if (rating.scoreInterval && rating.score !== null)
          assert.ok(rating.scoreInterval[0] <= rating.score && rating.score <= rating.scoreInterval[1]);
        const record = scoreRecord(rating, 'sandbox');
        assert.deepEqual(JSON.parse(JSON.stringify(record)), record);
        assert.ok(Buffer.byteLength(JSON.stringify(digestOf(record))) < 1_000);
        if (rating.score !== null && rating.previous !== null && rating.previous.score !== null)
          assert.equal(
            toScore(rating.drivers.reduce((total, driver) => total + driver.points, 0)),
            toScore(rating.score - rating.previous.score),
          );
      }
    }),
    { numRuns: 60 },
  );
});

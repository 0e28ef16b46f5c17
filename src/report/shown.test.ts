import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PublicationState, Rating, ScoreReport } from '../domain/index.ts';
import { bandOf, failureProbability, loadMethodology } from '../methodology/index.ts';
import { ALIVE, at, DEAD, live, type Moment, step } from '../publication/fixtures/life.ts';
import { committeeReport } from './committee.ts';
import { short } from './format.ts';

const methodology = loadMethodology();
const BESIDE = { ties: [], sourceTitles: new Map(), moves: null, actions: [], peers: null };

/** The report of a moment after others, as it is published. */
function reportOf(moment: Moment, asOf: string, before: PublicationState | null, address = '0x1') {
  const { rating: published, state, decision } = step(moment, asOf, before);
  const score = moment.score ?? 0;
  const group = methodology.calibration.groups[0]?.id ?? null;
  const now = { band: bandOf(score, methodology), score };
  const rating = {
    ...now,
    class: published.class,
    factors: [],
    caps: [],
    flags: [],
    notRatedReasons: [],
    trust: {
      score: 40,
      tier: 'low',
      components: { coverage: 1, agreement: 1, independence: 1, freshness: 1, identity: 1 },
      gaps: [],
    },
    vfr: { value: null, reason: 'none', variants: {}, drivers: [], notes: [] },
    limitations: [],
    failure: failureProbability(group, now, methodology.calibration),
  } as unknown as Rating;
  const asset = { ...published.asset, address };
  const report = {
    evidence: {
      identification: { asset, match: 1, links: [], contradictions: [], rejected: [], stage: 'post_tge' },
      asOf,
      jobId: 'job',
      sources: [],
      responses: [],
      notRedistributable: [],
      attributions: [],
      methodologyVersion: methodology.version,
      methodologyHash: methodology.hash,
    },
    rating,
    published: { ...published, asset, failure: failureProbability(group, published, methodology.calibration) },
    state,
    decision,
    consensus: {},
  } as unknown as ScoreReport;
  return { published, document: committeeReport(report, BESIDE, methodology) };
}

test('a band that is held above the score of the day has its own target, and distances by the smoothed score', () => {
  const { state } = live([{ score: 70 }]);
  const { published, document } = reportOf({ score: 63 }, at(1), state);
  assert.deepEqual([published.band, published.indicativeBand, published.smoothedScore], ['BBB', 'BB', 66.5]);
  const [from, target] = [methodology.bands.find(({ band }) => band === 'BBB')].flatMap((row) => [
    row?.from ?? 0,
    row?.failureTarget ?? 0,
  ]);
  assert.ok(
    document.closing.join(' ').includes(`at most ${Number((Number(target) * 100).toPrecision(2))} % of failures`),
    document.closing.join(' '),
  );
  const down = document.change.rows.find(([what]) => what === 'Down a band')?.[1] ?? '';
  assert.match(down, /now 66\.5, [\d.]+ points away/);
  assert.ok(
    down.includes(`${(66.5 - Number(from) + methodology.publication.hysteresis.margin).toFixed(1)} points away`),
    down,
  );
  assert.match(document.change.rows.find(([what]) => what === 'To A')?.[1] ?? '', /now 66\.5/);
});

test('an asset in default has failed: no probability from the score of the day', () => {
  const days = Array.from({ length: 10 }, (_, index) => ({ score: 40, facts: index < 2 ? ALIVE : DEAD }));
  const { state } = live(days);
  const { published, document } = reportOf({ score: 40, facts: DEAD }, at(10), state);
  assert.equal(published.band, 'D');
  const failure = document.figures.find(({ label }) => label.startsWith('Failure'));
  assert.match(failure?.note ?? '', /It has failed already/);
  const receipt = document.receipts.sections.find(({ title }) => title === 'Probability of failure');
  assert.ok(
    receipt?.rows.every((row) => row.join(' ').includes('It has failed already')),
    JSON.stringify(receipt?.rows),
  );
});

test('the trust is that of the published record', () => {
  const { published, document } = reportOf({ score: 70 }, at(0), null);
  assert.equal(published.trust, 80);
  assert.match(document.figures.find(({ label }) => label.startsWith('Trust'))?.value ?? '', /^80\.0/);
});

test('the ceiling of a condition that has ended limits the score until it fades, and is stated', () => {
  const flag = { code: 'MINT_AUTHORITY_EOA', severity: 'high', title: 'A key may mint' } as const;
  const capped = { score: 43.9, uncapped: 70, caps: [{ code: 'MINT_EOA', cap: 43.9, flag: flag.code }], flags: [flag] };
  const { published, document } = reportOf({ score: 70 }, at(1), live([{ score: 70 }, { ...capped, day: 0.5 }]).state);
  assert.deepEqual([published.score, published.band], [43.9, 'CCC']);
  assert.equal(document.flags.rows[0]?.effect, 'score at most 43.9 (CCC) until it fades, decides');
  assert.equal(document.scale.ceiling, 43.9);
  assert.match(document.verdict, /The ceiling 43\.9 still limits it: MINT_EOA has ended, and fades/);
});

test('a chain’s own coin has no list of holders to wait for', () => {
  const { document } = reportOf({ score: 70 }, at(0), null, 'native');
  assert.match(document.holders.note, /coin without a contract/);
});

test('a number just below the next unit is rounded into it', () => {
  assert.deepEqual([999_499, 999_500, 999_999, 999_999_999, 9_999, 12_345, 999.5, -999_999, 4.2e17].map(short), [
    '999 k',
    '1.00 M',
    '1.00 M',
    '1.00 B',
    '9999',
    '12.3 k',
    '1000',
    '−1.00 M',
    '420,000 T',
  ]);
});

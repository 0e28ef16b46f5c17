import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import fc from 'fast-check';
import type { EvidenceRecord, ScoreReport } from '../../src/domain/evidence.ts';
import { CLASSES, type Rating } from '../../src/domain/rating.ts';
import { HOUR_MS } from '../../src/domain/statistics.ts';
import { buildReport } from '../../src/jobs/pipeline.ts';
import { loadMethodology } from '../../src/methodology/load.ts';
import { collectedIn, keptBack, liftedCaps } from '../support/kept-back.ts';
import { ownReplies, withheld, withheldKey } from '../support/withheld.ts';

/** Silence earns nothing in any class: real assets, from the replies of their sources to the published record. */
const methodology = loadMethodology();
const RUNS = { numRuns: 4 };
let collected: readonly EvidenceRecord[] = [];
before(async () => {
  collected = (await collectedIn('earth')).filter((evidence) => ownReplies(evidence).length > 0);
});

/** Classes of which this world has no asset with a site or a repository of its own: the fictional world and drawn evidence have them. */
const WITHOUT_ASSET: readonly string[] = ['default'];

test('of every class, nothing that the rated party keeps back raises the score of the moment or the published one', () => {
  const classes = new Set<string>();
  for (const whole of collected) {
    const before = buildReport(whole, methodology);
    classes.add(before.rating.class);
    const asOf = new Date(Date.parse(whole.asOf) + HOUR_MS).toISOString();
    const later = { asOf, publication: before.state };
    const standing = buildReport({ ...whole, ...later }, methodology);
    const held = new Set<string>();
    fc.assert(
      fc.property(keptBack(whole), (replies) => {
        const key = withheldKey(replies);
        if (held.has(key)) return;
        const part = withheld(whole, replies);
        const now = buildReport(part, methodology).rating;
        notAbove(now, before.rating, whole);
        if (now.score !== null) assert.deepEqual(liftedCaps(before.rating, now.caps), [], nameOf(whole));
        notPublishedAbove(buildReport({ ...part, ...later }, methodology), standing, whole);
        held.add(key);
      }),
      RUNS,
    );
  }
  assert.deepEqual(
    CLASSES.filter((of) => !classes.has(of)),
    WITHOUT_ASSET,
  );
});

const nameOf = ({ identification }: EvidenceRecord) => identification.asset.name;

function notAbove(now: Pick<Rating, 'score'>, before: Pick<Rating, 'score'>, evidence: EvidenceRecord) {
  if (now.score === null) return;
  assert.ok(before.score !== null && now.score <= before.score, `${nameOf(evidence)}: ${before.score} to ${now.score}`);
}

/** The published record: its score, and its flags, of which none ends. */
function notPublishedAbove({ published }: ScoreReport, standing: ScoreReport, evidence: EvidenceRecord) {
  notAbove(published, standing.published, evidence);
  const codes = new Set(published.flags.map(({ code }) => code));
  const ended = standing.published.flags.filter(({ code }) => !codes.has(code));
  assert.deepEqual(
    ended.map(({ code }) => code),
    [],
    nameOf(evidence),
  );
}

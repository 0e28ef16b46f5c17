import assert from 'node:assert/strict';
import { test } from 'node:test';
import { specsOf, type WorldName } from '../sandbox/world/world.ts';
import { loadMethodology } from '../src/methodology/load.ts';
import { askedShare, leastShare } from '../src/publication/floor.ts';
import { featureOf, rateInSandbox } from './support/sandbox-rating.ts';

const methodology = loadMethodology();
const { floor } = methodology.publication;

/** The floor as it is measured: every source of a world answers. */
function measured(slug: string, name: WorldName, withRows = true) {
  const { rating, sources, observations } = rateInSandbox(slug, undefined, {}, name, withRows);
  const share = askedShare(rating, sources, [], floor);
  return { rating, share, least: leastShare(rating.band, rating.class, floor), observations };
}

test('what was rated well on all that there is to read is published: shares per class over both worlds', () => {
  const below: string[] = [];
  for (const name of ['fiction', 'earth'] as const)
    for (const { slug } of specsOf(name)) {
      const { rating, share, least } = measured(slug, name);
      if (rating.score !== null && share < least) below.push(`${name} ${slug} ${rating.class} ${share.toFixed(2)}`);
    }
  assert.deepEqual(below, []);
});

test('a supervised stablecoin with rows is rated and published as one; without them neither, though nothing else differs', () => {
  const { rating, share, least } = measured('plainsong-dollar', 'fiction');
  assert.equal(rating.class, 'stable_fiat');
  assert.match(rating.band, /^A/);
  assert.ok(share >= least, `${share}`);
  const bare = measured('plainsong-dollar', 'fiction', false);
  assert.ok((bare.rating.score ?? 0) < 55, `${bare.rating.score}`);
  assert.ok(bare.share < bare.least, `${bare.share}`);
});

test('rows raise no coin that loses its peg, keeps its reserve in its own token or has no reports', () => {
  const { rating } = measured('slipknot-dollar', 'fiction');
  assert.ok((rating.score ?? 100) < 40, `${rating.score}`);
});

test('a row that expired loses its force in the rating', () => {
  const kept = measured('plainsong-dollar', 'fiction').rating;
  const { rating } = rateInSandbox('plainsong-dollar', undefined, {}, 'fiction', 'expired');
  assert.equal(featureOf(kept, 'gt_licence').raw, 'supervised');
  assert.equal(featureOf(rating, 'gt_licence').raw, 'registered');
  assert.ok((rating.score ?? 0) < (kept.score ?? 0) - 5, `${rating.score} of ${kept.score}`);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadMethodology } from '../src/methodology/index.ts';
import { readPanel } from '../test/panel/assets.ts';
import { rateAll } from '../test/panel/run.ts';
import { movesBetween } from './shadow.ts';

const { assets } = await readPanel(new URL('../test/panel', import.meta.url).pathname);
const few = assets.filter(({ name }) => ['pepe', 'dogwifcoin', 'uniswap', 'usd-coin'].includes(name));

test('the same version moves nothing', () => {
  const ratings = rateAll(few, loadMethodology());
  const { classes, biggest } = movesBetween(ratings, ratings);
  assert.deepEqual(biggest, []);
  assert.equal(
    classes.reduce((sum, row) => sum + row.assets, 0),
    few.length,
  );
  for (const row of classes) assert.deepEqual([row.median, row.bands_up, row.bands_down], [0, 0, 0], row.class);
});

test('the largest moves of a version are listed with their reason', () => {
  const after = rateAll(few, loadMethodology());
  const pepe = after.get('pepe');
  assert.ok(pepe?.score);
  const factors = pepe.factors.map((factor, index) =>
    index === 0 ? { ...factor, points: factor.points - 7 } : factor,
  );
  const before = new Map(after).set('pepe', { ...pepe, score: pepe.score - 7, band: 'CCC', factors });
  const { classes, biggest } = movesBetween(before, after);
  const row = classes.find((one) => one.class === 'memecoin');
  assert.deepEqual([row?.highest, row?.lowest, row?.bands_up], [7, 0, 1]);
  assert.deepEqual(
    biggest.map(({ asset, reason }) => [asset, reason]),
    [['pepe', `${pepe.factors[0]?.name} +7.0 points`]],
  );
});

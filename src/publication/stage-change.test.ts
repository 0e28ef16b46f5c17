import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PublicationState } from '../domain/published.ts';
import { loadMethodology } from '../methodology/load.ts';
import { soundProtocol } from '../rating/fixtures/asset.ts';
import { project } from '../rating/fixtures/project.ts';
import type { RatingInput } from '../rating/input.ts';
import { rate } from '../rating/rate.ts';
import { publish } from './publish.ts';

const methodology = loadMethodology();

function published(input: RatingInput, asOf: string, previous: PublicationState | null) {
  const { consensus, identification, sources } = input;
  const rating = rate(input, methodology);
  return publish(
    { rating, technical: null, consensus, identification, sources, jobId: 'job', asOf, previous },
    methodology,
  );
}

test('a project is published as provisional, and a later token is rated from its own facts', () => {
  const before = published(project(), '2026-03-01T12:00:00.000Z', null);
  assert.deepEqual([before.rating.stage, before.rating.outlook], ['pre_tge', 'provisional']);
  const after = published(soundProtocol(), '2026-03-02T12:00:00.000Z', before.state);
  assert.equal(after.rating.stage, 'post_tge');
  assert.notEqual(after.rating.outlook, 'provisional');
  const moved = after.rating.drivers.reduce((sum, driver) => sum + driver.points, 0);
  const change = (after.rating.score ?? 0) - (before.rating.score ?? 0);
  assert.ok(Math.abs(moved - change) < 1e-6, `${moved} ${change}`);
  assert.ok(after.rating.drivers.some((driver) => driver.code === 'STAGE'));
  assert.deepEqual(after.state.fadingCaps, [], 'the cap for having no token ends with the token');
});

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { readPlan } from '../research/failure/cohorts.ts';
import { logitOf } from '../research/failure/fit.ts';
import type { Factor } from '../src/domain/rating.ts';
import { loadMethodology } from '../src/methodology/load.ts';
import { readPanel } from './panel/assets.ts';
import { rateAll } from './panel/run.ts';

/** Features that the columns of a cohort speak to, as far as assets of the panel have them. */
const FEATURES: Readonly<Record<string, readonly string[]>> = {
  cmc2017: ['fu_size', 'mq_vol'],
  cmc2020: ['fu_size', 'mq_vol', 'tr_age'],
  cg2022: ['fu_size', 'mq_vol', 'tr_age'],
  cg2021: ['fu_size', 'tr_age'],
  bobai: ['hd_creator', 'hd_count', 'ts_lp_creator', 'tr_creator'],
  tm_rugpull: ['hd_count', 'ts_priv', 'tr_age', 'ts_code'],
  ydchen_polygon: ['hd_count', 'mq_sells'],
  uniswap_v2: ['mq_depth2', 'mq_vol', 'tr_age'],
};
/** About the error that the plan takes it to have (`scaleError`, a fifth of it). */
const TOLERANCE = 0.1;

test('the rating with only a few of its features is as far off as the calibration assumes', async () => {
  const methodology = loadMethodology();
  const panel = await readPanel(join(import.meta.dirname, 'panel'));
  const ratings = [...rateAll(panel.assets, methodology).values()];
  const prior = logitOf(methodology.aggregation.prior);
  const plan = readPlan();
  for (const [name, ids] of Object.entries(FEATURES)) {
    let [together, own] = [0, 0];
    for (const { factors, uncappedScore } of ratings) {
      const part = scoreBy(factors, ids, methodology.aggregation.floor);
      if (part === null || uncappedScore === null) continue;
      const distance = logitOf(part) - prior;
      together += distance * (logitOf(uncappedScore) - prior);
      own += distance ** 2;
    }
    const wanted = plan.cohorts[name]?.bridge ?? 0;
    assert.ok(
      Math.abs(together / own - wanted) < TOLERANCE,
      `${name}: ${(together / own).toFixed(3)}, planned ${wanted}`,
    );
  }
});

/** Score of a rating by some of its features alone; null where none of them is known. */
function scoreBy(factors: readonly Factor[], ids: readonly string[], floor: number): number | null {
  let [total, sum] = [0, 0];
  for (const factor of factors) {
    const known = factor.features.filter(({ id, score, weight }) => ids.includes(id) && score !== null && weight > 0);
    const share = known.reduce((all, feature) => all + feature.weight * feature.confidence, 0);
    if (share === 0) continue;
    const shown = known.reduce((all, { weight, confidence, score }) => all + weight * confidence * (score ?? 0), 0);
    total += factor.weight * share;
    sum += factor.weight * share * Math.log(Math.max(floor, shown / share));
  }
  return total === 0 ? null : Math.exp(sum / total);
}

import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { runCampaign, type Trial } from './campaign.ts';
import { breaches, linesOf, tableOf } from './table.ts';

/**
 * `npm run test:manipulation`: what an adversary gains on the published score of sandbox assets. `--seed 1,2,3` chooses what is
 * random, one campaign each; `--assets 20` how many are attacked; `--tarpits 2` on how many the site answers late; `--only CODE,CODE` tries some of the attacks; `--out FILE`
 * takes every trial as JSON lines. Ends with 1 when a target was missed.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    assets: { type: 'string', default: '20' },
    tarpits: { type: 'string', default: '2' },
    only: { type: 'string' },
    out: { type: 'string', default: '' },
  },
});

const all: Trial[] = [];
for (const seed of values.seed.split(',').map(Number)) {
  const begun = Date.now();
  const trials = await runCampaign({
    seed,
    assets: Number(values.assets),
    tarpits: Number(values.tarpits),
    ...(values.only === undefined ? {} : { only: values.only.split(',') }),
    onTrial: (trial) => {
      if (trial.gain > 1 || trial.liftsBand)
        console.error(
          `seed ${seed}: ${breaches([trial]).join('') || `${trial.attack} on ${trial.asset}: ${trial.gain}`}`,
        );
    },
  });
  all.push(...trials);
  console.log(`seed ${seed}: ${trials.length} trials in ${Math.round((Date.now() - begun) / 1000)} s`);
}
if (values.out !== '') writeFileSync(values.out, all.map((trial) => `${JSON.stringify(trial)}\n`).join(''));
console.log(`\n${tableOf(linesOf(all))}\n`);
const missed = breaches(all);
console.log(`${missed.length} of ${all.length} trials missed a target`);
process.exit(missed.length === 0 ? 0 : 1);

import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadMethodology } from '../../src/methodology/index.ts';
import { STUDIED_PAYERS } from '../../src/snapshots/index.ts';
import { seededRandom } from '../random.ts';
import { launchGroups, randomGroups, readBuyers, scoreBundles } from './launch-study.ts';
import { falseClusters, readHop, scoreGroups, splitKept } from './sybil-groups.ts';

/**
 * Prints the figures of docs/forensics.md about the null model and bundles: `node research/forensics/measure.ts
 * --launches DIR --sybils DIR [--seed N] [--rounds N]`. DIR: checkouts of the public repositories
 * searadacunha/Why-Solana-Memecoins-Are-Over and hop-protocol/hop-airdrop, which are not part of this one.
 */
const { values } = parseArgs({
  options: {
    launches: { type: 'string' },
    sybils: { type: 'string' },
    seed: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '2000' },
  },
});
const random = seededRandom(Number(values.seed));
const rounds = Number(values.rounds);
const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
const out = (text: string) => process.stdout.write(`${text}\n`);

/** The score interval of a share (Wilson 1927), 95 %. */
function interval(hits: number, of: number): string {
  const z = 1.96;
  const middle = (hits + (z * z) / 2) / (of + z * z);
  const half = (z / (of + z * z)) * Math.sqrt((hits * (of - hits)) / of + (z * z) / 4);
  return `${percent(hits / of)} (${percent(Math.max(0, middle - half))} to ${percent(Math.min(1, middle + half))}, ${hits} of ${of})`;
}

if (values.launches !== undefined) {
  const data = join(values.launches, 'data');
  for (const folder of ['trace_temoins', 'trace_cohorte', 'trace_gradues']) {
    const launches = await readBuyers(join(data, folder));
    const wallets = new Set(launches.flatMap((row) => row.buyers.map((one) => one.wallet))).size;
    const known = launches.flatMap((row) => row.buyers).filter((one) => one.payer !== null).length;
    out(
      `${folder}: ${launches.length} launches, ${wallets} wallets, ${known} with a first payer that is no named service`,
    );
    for (const size of [10, 20, 30, 40]) {
      const rates = randomGroups(launches, size, rounds, random);
      out(
        `  random groups of ${size}: any shared payer ${percent(rates.anySharedPayer)}, shared first payer ${percent(rates.sharedFirstPayer)}, null model by the study ${percent(rates.byStudy)}, by own wallets ${percent(rates.byOwn)}`,
      );
    }
    const own = launchGroups(launches);
    out(
      `  the buyers of each launch: any shared payer ${percent(own.anySharedPayer)}, shared first payer ${percent(own.sharedFirstPayer)}, null model by the study ${percent(own.byStudy)}, by own wallets ${percent(own.byOwn)}`,
    );
  }
  const flag = loadMethodology().flags.find((row) => row.code === 'BUNDLED_LAUNCH')?.thresholds.share;
  const score = await scoreBundles(join(data, 'v05_creation_block.json'), flag ?? Number.NaN);
  out(`launches read by hand: flagged ${interval(score.flagged, score.launches)}`);
  out(`  recall of wallets ${interval(score.found, score.labelled)}`);
  out(`  precision of wallets ${interval(score.found, score.found + score.wrong)}`);
}

if (values.sybils !== undefined) {
  await access(join(values.sybils, 'src/data/groups.json'));
  const all = await readHop(values.sybils);
  const { data, reference } = splitKept(all, random);
  out(`known groups: ${all.groups.length}; reference ${reference.wallets} kept wallets`);
  for (const [name, used] of [
    ['by own wallets', reference],
    ['by the study', STUDIED_PAYERS],
  ] as const)
    for (const size of [10, 20, 30, 40]) {
      const score = scoreGroups(data, size, used, random);
      const wrong = falseClusters(data, size, rounds, used, random);
      out(
        `  lists of ${size} ${name}: recall ${interval(score.found, score.members)}, precision ${interval(score.found, score.found + score.wrong)}, half of the group in one cluster in ${interval(score.whole, score.lists)} lists; kept addresses alone show a cluster in ${percent(wrong)}`,
      );
    }
}

import { parseArgs } from 'node:util';
import { loadMethodology } from '../../src/methodology/index.ts';
import { seededRandom } from '../random.ts';
import { scoreMember } from '../score-member.ts';
import { acrossSets, withoutFeature } from './across.ts';
import { columnsOf, nestedLogistic } from './baselines.ts';
import { nestedBoosting } from './boosting.ts';
import { difference, print, shown, three } from './cells.ts';
import { compared, type OutcomeSet, outcomeSets } from './sets.ts';
import { singlesOf } from './singles.ts';
import { printYears } from './years.ts';

/** A feature that no keyless source provides: files that have it are rated with and without it. */
const NOT_LIVE = 'gt_footprint';

/**
 * Prints how well the methodology in force separates failed from surviving members of every set of outcomes under some
 * folders, compared with single numbers and fitted regressions on the same members.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      data: { type: 'string', multiple: true },
      seed: { type: 'string', default: '1' },
      bootstrap: { type: 'string', default: '500' },
      variants: { type: 'boolean', default: false },
      years: { type: 'boolean', default: false },
    },
  });
  const methodology = loadMethodology();
  const sets = await outcomeSets(values.data ?? [], methodology);
  if (!sets.ok) throw new Error(`${sets.refusal.reason}: ${sets.refusal.detail}`);
  if (sets.value.length === 0)
    throw new Error(
      'usage: npm run outcomes -- --data DIR [--data DIR] [--variants | --years] [--seed N] [--bootstrap N]',
    );
  const seed = Number(values.seed);
  if (values.years) return printYears(values.data ?? [], sets.value, methodology, Number(values.bootstrap), seed);
  print(
    `Methodology ${methodology.version}. AUC with 95 % intervals; in brackets the rating less the other, on the same draws.\n`,
  );
  print(
    '| set | members, failed | rating | without ties | best single number | logistic, nested | with bends, nested | boosting, nested |',
  );
  print('|---|---|---|---|---|---|---|---|');
  for (const set of sets.value) {
    rowOf(set, methodology, Number(values.bootstrap), seed);
    if (set.mapping.features[NOT_LIVE] === undefined) continue;
    const { [NOT_LIVE]: left, ...features } = set.mapping.features;
    const members = set.members.map((member) => ({ ...member, features: without(member.features, NOT_LIVE) }));
    const own = { ...set, name: `${set.name} without ${left?.column}`, mapping: { ...set.mapping, features }, members };
    rowOf(own, withoutFeature(methodology, NOT_LIVE), Number(values.bootstrap), seed);
  }
  if (values.variants) await variants(values.data ?? [], seed);
}

function rowOf(set: OutcomeSet, methodology: Parameters<typeof scoreMember>[2], draws: number, seed: number): void {
  const random = seededRandom(seed);
  const { members } = set;
  const scored = members.map((member) => scoreMember(member, set.mapping, methodology));
  const columns = columnsOf(members);
  const simple = singlesOf(members);
  const scores = [
    scored.map((member) => member.score),
    scored.map((member) => member.uncapped),
    ...[0, 3].map((knots) => nestedLogistic(members, columns, knots, random).map((chance) => -chance)),
    nestedBoosting(members, columns, random).map((chance) => -chance),
    ...simple.map((row) => row.scores),
  ];
  const { own, less } = compared(scores, members, draws, random);
  const singles = simple.map(({ name }, at) => ({ name, own: own[5 + at], less: less[5 + at] }));
  const best = singles.toSorted((a, b) => (b.own?.auc ?? 0) - (a.own?.auc ?? 0));
  const cells = [
    yearOf(set),
    `${members.length}, ${members.filter((member) => member.failed).length}`,
    shown(own[0]),
    shown(own[1]),
    best.map((row) => `${row.name} ${shown(row.own)} (${difference(row.less)})`).join('; ') || '-',
    `${shown(own[2])} (${difference(less[2])})`,
    `${shown(own[3])} (${difference(less[3])})`,
    `${shown(own[4])} (${difference(less[4])})`,
  ];
  print(`| ${cells.join(' | ')} |`);
}

function yearOf({ name, members }: OutcomeSet): string {
  const at = members[0]?.featureAt ?? null;
  return at === null ? name : `${name} (${new Date(at).getUTCFullYear()})`;
}

async function variants(folders: readonly string[], seed: number): Promise<void> {
  const methodology = withoutFeature(loadMethodology(), NOT_LIVE);
  const sets = await outcomeSets(folders, methodology);
  if (!sets.ok) throw new Error(sets.refusal.detail);
  const found = acrossSets(sets.value, methodology, seededRandom(seed));
  print(`\nVariants (${found.variants}) without ${NOT_LIVE}, one for all sets, the worst set counts most.`);
  print(
    `All sets together prefer: ${found.whole.name}, smallest gain ${found.whole.worstGain.toFixed(4)}. Folds chose: ${found.chosenByFold.join('; ')}\n`,
  );
  print(
    '| set | in force, mean of folds | chosen by the rest of all sets | spread of the gain over folds | without this set chosen | in force | chosen |',
  );
  print('|---|---|---|---|---|---|---|');
  for (const [at, row] of found.folds.entries()) {
    const out = found.withoutSet[at];
    const cells = [
      row.set,
      three(row.inForce),
      three(row.chosen),
      three(row.spread),
      out?.name,
      three(out?.inForce),
      three(out?.chosen),
    ];
    print(`| ${cells.join(' | ')} |`);
  }
}

function without<Value>(record: Readonly<Record<string, Value>>, id: string): Readonly<Record<string, Value>> {
  return Object.fromEntries(Object.entries(record).filter(([own]) => own !== id));
}

await main();

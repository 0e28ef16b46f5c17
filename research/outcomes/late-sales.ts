/**
 * `node research/outcomes/late-sales.ts --data DIR [--seed N] [--bootstrap N]`: whether a rating of pools should read
 * the sales of the last six hours, in which form, and the gain on creators and times that were not used for the choice.
 * Every form is compared with the rating that reads the day's sales alone, as all versions before 1.5.0 did.
 */
import { parseArgs } from 'node:util';
import { loadMethodology, type Methodology } from '../../src/methodology/index.ts';
import type { Mapping, Member } from '../mapping.ts';
import { seededRandom } from '../random.ts';
import { scoreMember } from '../score-member.ts';
import { difference, print } from './cells.ts';
import { chosenForms, type Form } from './forms.ts';
import { type OutcomeSet, outcomeSets } from './sets.ts';

const LATE_COLUMN = 'sells_last_6h';
/** The quantity that the rating in force reads; the forms replace it. */
const LATE_SHARE = 'sells_6h_share';
/** Number of six-hour periods in a day. */
const QUARTERS = 4;
const TABLE = 'marketOfLaunch';
const TRIAL = 'mq_sells_6h';

const { values } = parseArgs({
  options: {
    data: { type: 'string', multiple: true },
    seed: { type: 'string', default: '1' },
    bootstrap: { type: 'string', default: '1000' },
  },
});
const methodology = loadMethodology();
const sets = await outcomeSets(values.data ?? [], methodology);
if (!sets.ok) throw new Error(`${sets.refusal.reason}: ${sets.refusal.detail}`);
print(
  `Methodology ${methodology.version}. Gain in AUC over the rating by the day's sales alone (95 %, creators drawn again).`,
);
for (const set of sets.value) {
  const late = lateOf(set);
  if (late === null) {
    print(`\n${set.name}: does not state when sales took place; every form rates it alike.`);
    continue;
  }
  const report = chosenForms(
    formsOf(set, late),
    set.members,
    Number(values.bootstrap),
    seededRandom(Number(values.seed)),
  );
  print(`\n${set.name}: ${set.members.length} members, ${set.members.filter(({ failed }) => failed).length} failed\n`);
  print('| form, fixed beforehand | published | before caps |\n|---|---|---|');
  for (const row of report.fixed) print(`| ${row.name} | ${difference(row.published)} | ${difference(row.uncapped)} |`);
  print('\n| stretch from | chosen by the others | chosen by earlier ones |\n|---|---|---|');
  for (const row of report.chosen) print(`| ${row.stretch} | ${row.byOthers} | ${row.byEarlier ?? '-'} |`);
  print(`\nNested gain ${difference(report.gain)}; by what earlier stretches chose ${difference(report.forward)}`);
}

/** Sales of the last six hours of each member; null where the file has no such column. */
function lateOf(set: OutcomeSet): readonly number[] | null {
  const column = set.columns.indexOf(LATE_COLUMN);
  return column < 0 ? null : set.members.map((_, at) => Number(set.rows[at]?.cells[column]));
}

/**
 * The rating by the day's sales alone, followed by ways to use the late sales: instead of the day's sales, together with
 * them, or as an additional feature. The lower of both, with the weight as it is, is the form in force.
 */
function formsOf(set: OutcomeSet, late: readonly number[]): readonly Form[] {
  const { members, mapping } = set;
  const dayOf = (at: number) => Number(members[at]?.quantities.sells_24h ?? Number.NaN);
  const sales = (name: string, of: (day: number, late: number) => number, weight: number) =>
    formOf(
      name,
      members.map((member, at) => sold(member, of(dayOf(at), late[at] ?? 0))),
      mapping,
      weighted(methodology, weight),
    );
  const beside = (weight: number) =>
    formOf(
      `a feature beside the day's, ${weight} of the market`,
      members.map((member, at) => ({
        ...byDay(member),
        features: { ...member.features, [TRIAL]: late[at] ?? 0 },
      })),
      {
        ...mapping,
        features: { ...mapping.features, [TRIAL]: { column: LATE_COLUMN } as Mapping['features'][string] },
      },
      withTrial(methodology, weight),
    );
  const shapes = [
    ['the day', (day: number) => day],
    ['the lower of the day and four times the late', (day: number, own: number) => Math.min(day, QUARTERS * own)],
    ['four times the late', (_: number, own: number) => QUARTERS * own],
    ['the middle of both in logarithms', (day: number, own: number) => Math.sqrt((day + 1) * (QUARTERS * own + 1)) - 1],
  ] as const;
  return [
    ...[1, 1.5, 2].flatMap((weight) =>
      shapes.map(([name, of]) => sales(weight === 1 ? name : `${name}, weight x ${weight}`, of, weight)),
    ),
    ...[0.1, 0.2, 0.3].map(beside),
  ];
}

function sold(member: Member, sales: number): Member {
  const own = byDay(member);
  return { ...own, quantities: { ...own.quantities, sells_24h: Math.round(sales) } };
}

/** The member without its late sales. */
function byDay(member: Member): Member {
  const { [LATE_SHARE]: _, ...quantities } = member.quantities;
  return { ...member, quantities };
}

function formOf(name: string, members: readonly Member[], mapping: Mapping, own: Methodology): Form {
  const scored = members.map((member) => scoreMember(member, mapping, own));
  return { name, published: scored.map(({ score }) => score), uncapped: scored.map(({ uncapped }) => uncapped) };
}

/** A larger weight for the sales; the other features of the table share the rest. */
function weighted(own: Methodology, times: number): Methodology {
  const table = own.featureTables[TABLE] ?? {};
  return times === 1 ? own : tabled(own, 'mq_sells', (table.mq_sells ?? 0) * times);
}

function withTrial(own: Methodology, weight: number): Methodology {
  const like = own.features.find(({ id }) => id === 'mq_sells');
  if (like === undefined) throw new Error('mq_sells is no feature of this methodology');
  // The same value per hour as the sales of a day.
  const anchors = like.anchors?.map(([value, points]) => [value / QUARTERS, points] as const);
  const trial = { ...like, id: TRIAL, name: 'Sales of six hours in pools', anchors } as typeof like;
  return tabled({ ...own, features: [...own.features, trial] }, TRIAL, weight);
}

function tabled(own: Methodology, id: string, weight: number): Methodology {
  const table = own.featureTables[TABLE] ?? {};
  const rest = Object.entries(table).filter(([name]) => name !== id);
  const sum = rest.reduce((total, [, part]) => total + part, 0);
  const others = rest.map(([name, part]) => [name, (part * (1 - weight)) / sum] as const);
  return { ...own, featureTables: { ...own.featureTables, [TABLE]: Object.fromEntries([...others, [id, weight]]) } };
}

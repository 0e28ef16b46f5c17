import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { specsOf } from '../sandbox/world/world.ts';
import { loadMethodology } from '../src/methodology/load.ts';
import { pointsOf } from '../src/methodology/scales.ts';
import { holdAssertions, readAssets, SUBJECTS } from './assertions/assertions.ts';
import { byDesign, EXAMPLES, rateExamples } from './assertions/examples.ts';
import { BROKEN_ON_EARTH, NOT_TRIED } from './assertions/statements.ts';
import { rateAll } from './panel/run.ts';

const methodology = loadMethodology();
const panel = await readAssets();
const assertions = holdAssertions(panel, methodology);
const examples = rateExamples(methodology);
const page = new URL('../docs/assertions.md', import.meta.url);

for (const { number, says, broken } of assertions)
  test(`assertion ${number}: ${says}`, () => assert.deepEqual(broken, []));

for (const example of EXAMPLES)
  test(`the arithmetic gives the design’s score of ${example.name} from the design’s tables`, () => {
    assert.ok(Math.abs(byDesign(example, methodology) - example.design.uncapped) < 1e-9);
  });

/** Two weeks before its fall: file of the panel, what fell, when. */
const BEFORE: readonly (readonly [file: string, asset: string, fell: string])[] = [
  ['terrausd@2022-04', 'UST', 'lost its peg on 2022-05-09'],
  ['ftx-token@2022-10', 'FTT', 'fell with its exchange on 2022-11-08'],
  ['celsius-degree-token@2022-05', 'CEL', 'withdrawals stopped on 2022-06-12'],
  ['iron-stablecoin@2021-06', 'IRON, whose sister token is TITAN', 'lost its peg on 2021-06-16'],
];

test('assets that failed were rated below a careful buyer’s band before', () => {
  const ratings = rateAll(panel.assets, methodology);
  const bands = BEFORE.map(([file]) => ratings.get(file)?.band);
  assert.deepEqual(bands, ['CCC', 'CCC', 'B', 'CCC']);
});

test('docs/assertions.md shows the computed results, to a point (UPDATE_DOCS=1 writes it)', () => {
  const text = pageText();
  if (process.env.UPDATE_DOCS === '1') writeFileSync(page, text);
  const kept = readFileSync(page, 'utf8');
  const words = (whole: string) => whole.replaceAll(SCORE, '#');
  assert.equal(words(kept), words(text));
  const scores = (whole: string) => [...whole.matchAll(SCORE)].map(([score]) => Number(score));
  const found = scores(text);
  scores(kept).forEach((score, at) => {
    assert.ok(Math.abs(score - (found[at] ?? Number.NaN)) <= KEPT_WITHIN, `${score} is ${found[at]} now`);
  });
});

/** The assertion of the order of all, which names no bands. */
const LAST = 40;

/** Scores as the page prints them, before a cell's end, a band or a point. */
const SCORE = /\b\d{1,2}(?:\.\d)?(?= (?:[ABCD]|\|))/g;
/** Points: what a score may move before the page has to be written again; a band or a cap that changes fails at once. */
const KEPT_WITHIN = 1;

function pageText(): string {
  const ratings = rateAll(panel.assets, methodology);
  const shown = (score: number | null | undefined, band: string | undefined) => `${score ?? '-'} ${band ?? ''}`;
  return `${[
    `<!-- Generated; UPDATE_DOCS=1 node --test test/assertions.test.ts writes it. -->`,
    '# Forty assertions',
    `What methodology ${methodology.version} promises for well-known assets, and what it computes (\`npm run -s assertions\`; each is a test named by its number). \`panel\` are the files of [the panel](../test/panel) and, where it does not have the asset, of [the assertions](../test/assertions/facts), facts as sources state them; \`design\` are the worked examples of the methodology's design, assumed values of each feature; \`case\` are constructed.`,
    table(
      ['', 'assertion', 'design', 'computed', 'holds', 'whole way'],
      assertions.map(({ number, says, design, found, broken }) => [
        String(number),
        says,
        design,
        found.join('<br>') || 'of the scores above',
        broken.length === 0 ? 'yes' : `no: ${broken.join('; ')}`,
        wholeWay(number),
      ]),
    ),
    `**The whole way.** "Computed" starts from facts of an asset, or from values of its features. The last column shows the assertions that are also tested from replies in the format of every source, through identification, collection, consensus and publication, to the record that the API returns, on the worlds of real assets of the sandbox ([test/earth.test.ts](../test/earth.test.ts), \`npm run demo -- --world earth --once\`; UST and IRON before they fell: \`--world earth-before\`): ${ON_EARTH.length} of ${assertions.length} assertions, by their band, order, flags and ceilings. PAXG rests on a row of its issuer that two people have confirmed, as an operator may add to the shipped ones ([sandbox/world/registers-earth.json](../sandbox/world/registers-earth.json)): by the shipped row alone, which is not confirmed, it counts as disclosed, at BBB.`,
    `Not tried: ${Object.entries(NOT_TRIED)
      .map(([number, why]) => `${why} (assertion ${number})`)
      .join(', ')}.`,
    '## Before they fell',
    'Results computed from values of about two weeks before each fall. For SQUID and LUNA there is no file of that time.',
    table(
      ['asset', 'values of', 'computed', 'caps', 'then it'],
      BEFORE.map(([file, asset, fell]) => {
        const found = ratings.get(file);
        const caps = found?.caps.map(({ code }) => code).join(', ') ?? '';
        return [asset, file.split('@')[1] ?? '', shown(found?.score, found?.band), caps || 'none', fell];
      }),
    ),
    'UST and IRON are capped because outside backing is short, FTT because a plain key of an issuer without a tier could create tokens; the other public facts of its issuer give BB. CEL is not distinguished from sound exchange tokens of its time: it has B, and no more is claimed.',
    '## Worked examples',
    'The design\'s own model and this program, from the same assumed values. By the design\'s own weights and value functions the arithmetic gives its scores before caps to 1e-9. By the tables in force scores differ for four reasons: features that move no pair were left out and their weight went to the others (design 0a.10); five tables of factor weights replace fourteen; a missing row of a register is "not asked" and counts 40, where the model counts it withheld (0a.1); and features that need lists of holders, pools or markets are not included here.',
    table(
      ['asset', 'class', 'design before caps', 'design', 'computed before caps', 'computed', 'decided by'],
      EXAMPLES.map(({ name, class: of, design }) => {
        const found = examples.get(name);
        return [
          name,
          of,
          design.uncapped.toFixed(1),
          shown(Number(design.score.toFixed(1)), design.band),
          String(found?.uncappedScore ?? '-'),
          shown(found?.score, found?.band),
          found?.caps.find(({ binding }) => binding)?.code ?? '',
        ];
      }),
    ),
    `Features whose value function differs from the design's at an assumed value: ${differing().join(', ') || 'none'}.`,
  ].join('\n\n')}\n`;
}

/** Features whose points at some value of the examples are not the design's. */
function differing(): readonly string[] {
  const found = EXAMPLES.flatMap(({ values, factors }) =>
    factors.flatMap(([, , rows]) =>
      rows.flatMap(([id, , points]) => {
        const definition = methodology.features.find((row) => row.id === id);
        const raw = values[id]?.[0];
        if (definition === undefined || raw === undefined || points === null) return [];
        const own = pointsOf(definition, raw) ?? definition.zero;
        return own !== null && Math.abs(own - points) < 1e-9 ? [] : [id];
      }),
    ),
  );
  return [...new Set(found)].sort();
}

/** Assets of the worlds that have real ones; what an address or a website names is the same in both, so that each stands by its file. */
const ON_WORLD: ReadonlySet<string> = new Set([
  ...specsOf('earth').map(({ slug }) => slug),
  ...specsOf('earth-before').map(({ slug }) => slug.replace(/-(?=\d{4}-\d{2}$)/, '@')),
]);
const subjectsOn = (number: number) => (SUBJECTS.get(number) ?? []).filter((slug) => ON_WORLD.has(slug));
/** Numbers of the assertions that are tried on the published records of the earth worlds; the last is the order of all. */
const ON_EARTH = assertions
  .map(({ number }) => number)
  .filter((number) => subjectsOn(number).length > 0 || number === LAST);

/** What of an assertion is tried from source replies to the published record. */
function wholeWay(number: number): string {
  if (!ON_EARTH.includes(number)) return 'computed only';
  const why = BROKEN_ON_EARTH[number];
  const of = number === LAST ? 'all of them' : subjectsOn(number).join(', ');
  return why === undefined ? `yes: ${of}` : `no: ${why}`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parseSync } from '@swc/core';
import { loadMethodology } from './load.ts';

const SRC = new URL('../', import.meta.url);
const filesOf = (pattern: string) =>
  globSync(pattern, { cwd: SRC }).filter((file) => !/\.test\.ts$|\/fixtures\//.test(file));
const textOf = (file: string) => readFileSync(new URL(file, SRC), 'utf8');

/** Numbers of the arithmetic itself. */
const PLAIN: ReadonlySet<number> = new Set([0, 1, 2, 100]);

/** Numbers that decide no rating, with the reason. */
const ALLOWED: readonly (readonly [file: string, values: readonly number[], reason: string])[] = [
  ['rating/text.ts', [4, 60, 80, 500, 600, 1000, 1500], 'lengths and digits of texts'],
  ['rating/flags/rule.ts', [0.1, 3, 1000], 'digits of shares and amounts in texts'],
  ['rating/flags/raise.ts', [300], 'length of a text'],
  ['rating/flags/project.ts', [5], 'names in a text'],
  ['rating/flags/project.ts', [10], 'YYYY-MM-DD of a timestamp'],
  ['rating/features/project.ts', [10], 'YYYY-MM-DD of a timestamp'],
  ['rating/pre-tge/backing.ts', [4], 'names in a text'],
  ['rating/pre-tge/findings.ts', [89, 90], 'length of a text'],
  ['rating/missing-values.ts', [10], 'YYYY-MM-DD of a timestamp'],
  ['rating/flags/ended.ts', [10], 'YYYY-MM-DD of a timestamp'],
  ['rating/flags/history.ts', [10], 'YYYY-MM-DD of a timestamp'],
  ['rating/flags/history.ts', [365], 'days of a year'],
  ['rating/vfr/drivers.ts', [10], 'YYYY-MM-DD of a timestamp'],
  ['rating/vfr/rounds.ts', [10], 'YYYY-MM-DD of a timestamp'],
  ['rating/vfr/result.ts', [4], 'digits that are published'],
  ['rating/vfr/peg.ts', [10_000], 'rounding to the digits that are published'],
  ['rating/vfr/robust.ts', [6], 'passes of an iteration that has converged by then'],
  [
    'rating/counterfactual.ts',
    [-1, 3, 4, 5, 8, 10, 0.1],
    'lengths of lists, steps of a search and digits: what is supposed decides no rating',
  ],
  ['rating/arithmetic/factors.ts', [10], 'rounding to 0.1'],
  ['rating/arithmetic/factors.ts', [1e-12, 1e-9], 'rounding errors of a sum'],
  ['rating/arithmetic/trust.ts', [10, 1000], 'rounding to 0.1'],
  [
    'consensus/numeric.ts',
    [3, 0.25, 0.5, 0.75],
    'three votes, quartiles and the median: the aggregation that is cited',
  ],
  ['consensus/scale.ts', [0.5], 'the median'],
  ['consensus/scale.ts', [1e-12], 'rounding errors of a sum'],
  ['consensus/scale.ts', [1e-6, 0.05, 0.95], 'ends of the logit, which has none of its own'],
  ['consensus/fact.ts', [1e-9], 'rounding errors of a sum'],
  ['consensus/fact.ts', [64], 'length of an outside text'],
  ['consensus/fact.ts', [10], 'an order'],
  ['consensus/weighed-observation.ts', [1000], 'milliseconds'],
  [
    'metrics/concentration.ts',
    [3, 4, 5, 10, 20, 50, 10_000],
    'sizes of the tops that are published, a third, places in a list, and the scale of HHI',
  ],
  ['metrics/holder-lists.ts', [5, 10, 20, 50], 'sizes of the tops that are published and rated'],
  ['metrics/holder-lists.ts', [1e-9, 100.5], 'no division by zero, and rounding of the shares that a source states'],
  ['metrics/routing.ts', [0.5, 5, 1000, 10_000, 100_000, 1_000_000], 'moves and sizes that are published'],
  ['metrics/routing.ts', [10], 'decimals'],
  ['metrics/routing.ts', [0.01], 'sales below which amounts are rounding errors'],
  [
    'metrics/exit-pools.ts',
    [0.003],
    'the usual fee of a pool, for the largest exit that a caller asks about; no rating reads it',
  ],
  ['metrics/routing.ts', [80, 1e12, 1e-15], 'an iteration that has converged by then'],
  ['metrics/read-pools.ts', [10], 'decimals'],
];

/** Numbers that do decide and define what is measured, for snapshots as for ratings: docs/methodology.md, section 9, names them. */
const DEFINITIONS: readonly (readonly [file: string, values: readonly number[], said: RegExp])[] = [
  ['metrics/depth.ts', [0.005], /half percent of depth/],
  ['metrics/read-pools.ts', [1.25], /ratio of 1\.25/],
  ['metrics/routing.ts', [1.1], /tenth by which a\s+pool's price/],
  ['metrics/routing.ts', [0.99, 1.01], /move of 1 % whose dollars/],
  ['metrics/holder-lists.ts', [0.5], /half of the smallest listed balance/],
  ['metrics/agreed.ts', [1000], /1,000 dollars below which a pool/],
  ['metrics/holder-labels.ts', [0.7], /confidence of 0\.7 below which a label/],
];

/** Numeric literals of a file, as often as they stand there. */
function numbersIn(file: string): readonly number[] {
  const found: number[] = [];
  const walk = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { type, value } = node as { readonly type?: unknown; readonly value?: unknown };
    if (type === 'NumericLiteral') found.push(Number(value));
    for (const child of Object.values(node)) walk(child);
  };
  walk(parseSync(textOf(file), { syntax: 'typescript' }));
  return found.filter((value) => !PLAIN.has(value));
}

test('no number that decides a rating is in code: it belongs in methodology/methodology.json', () => {
  const files = ['rating/**/*.ts', 'consensus/*.ts', 'metrics/*.ts'].flatMap(filesOf);
  assert.ok(files.length > 20, 'the files were not found');
  const allows = (file: string, value: number) =>
    [...ALLOWED, ...DEFINITIONS].some(([own, values]) => own === file && values.includes(value));
  const bare = files.flatMap((file) =>
    numbersIn(file)
      .filter((value) => !allows(file, value))
      .map((value) => `${file}: ${value}`),
  );
  assert.deepEqual(bare, []);
});

test('an exception that nothing uses any more is taken off the list', () => {
  const unused = [...ALLOWED, ...DEFINITIONS].flatMap(([file, values]) => {
    const there = numbersIn(file);
    return values.filter((value) => !there.includes(value)).map((value) => `${file}: ${value}`);
  });
  assert.deepEqual(unused, []);
});

test('a number that defines a measurement is named in docs/methodology.md', () => {
  const page = textOf('../docs/methodology.md');
  for (const [file, , said] of DEFINITIONS) assert.match(page, said, file);
});

test('every number of the file is read by the code under its name', () => {
  const { consensus, trust, aggregation, metrics, featureRules, flagConfidence, capConfidence } = loadMethodology();
  const { vfr, publication, preTge } = loadMethodology();
  const code = ['**/*.ts'].flatMap(filesOf).filter((file) => !/^methodology\/.*schema\.ts$/.test(file));
  const words = new Set(code.flatMap((file) => textOf(file).match(/[A-Za-z_]\w*/g) ?? []));
  // Read by a key that the evidence says: classes of quantities, limits by unit, sources by feature.
  const { classes: _, classOf: __, largest: ___, ...rules } = consensus;
  const { floor: ____, ...published } = publication;
  const named = namesOfNumbers({
    ...{ rules, trust, aggregation, metrics, featureRules, flagConfidence, capConfidence, vfr, published },
    preTge: preTge.thresholds,
  });
  assert.ok(named.length > 150, `only ${named.length} numbers were found`);
  assert.deepEqual(
    named.filter((path) => !words.has(path.split('.').at(-1) ?? '')),
    [],
  );
});

/** Paths of the numbers in a part of the file; those of lists have no names. */
function namesOfNumbers(part: object, path = ''): readonly string[] {
  return Object.entries(part).flatMap(([name, value]) =>
    typeof value === 'number'
      ? [`${path}${name}`]
      : typeof value === 'object' && value !== null && !Array.isArray(value)
        ? namesOfNumbers(value, `${path}${name}.`)
        : [],
  );
}

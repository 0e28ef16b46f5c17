import assert from 'node:assert/strict';
import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { edgesFound, f1, wrongTogether } from '../bench/lineage.ts';
import { type CopySettings, createCopyWorld, WORLD_START } from '../sandbox/copied-sources.ts';
import { plantCopies, thingOf } from '../sandbox/planted-copies.ts';
import type { CliContext } from '../src/cli/context.ts';
import { runCommand } from '../src/cli/run.ts';
import { agree } from '../src/consensus/agree.ts';
import type { Collection } from '../src/consensus/lineage/claims.ts';
import { type LineageReport, lineageOf } from '../src/consensus/lineage/report.ts';
import type { Observation } from '../src/domain/observation.ts';
import type { QuantityId } from '../src/domain/quantities.ts';
import { loadMethodology } from '../src/methodology/load.ts';

const methodology = loadMethodology();
const WORLD: Omit<CopySettings, 'seed'> = {
  sources: 12,
  density: 0.4,
  errors: 0.15,
  copied: [0.4, 0.9],
  graph: 'any',
  assets: 200,
  coverage: 0.8,
  common: 0.2,
};

test('planted copies are found, also copies of copies and partial ones, and no others: F1 of at least .9', () => {
  for (const [kind, own] of Object.entries({
    'copies of copies': {},
    'origins only, a third copied': { graph: 'direct' as const, copied: [0.3, 0.4] as const },
    'seven in ten copy': { density: 0.7 },
    'few errors': { errors: 0.06, assets: 300 },
    'half of the errors are mistakes that anybody makes': { common: 0.5 },
  }))
    for (const seed of [31, 32]) {
      const world = createCopyWorld({ ...WORLD, ...own, seed });
      const found = edgesFound(world, lineageOf(world.collections, methodology));
      assert.ok(f1(found) >= 0.9, `${kind}, seed ${seed}: ${JSON.stringify(found)}`);
    }
});

test('without copying sources none is reported, however often sources are right together or make the same common mistake', () => {
  for (const [seed, common] of [
    [41, 0],
    [42, 0.2],
    [43, 0.6],
  ] as const) {
    const { collections } = createCopyWorld({ ...WORLD, density: 0, errors: 0.25, common, seed });
    const report = lineageOf(collections, methodology);
    assert.ok(report.archive.decided > 500);
    assert.deepEqual([report.edges, report.copying], [[], []], `seed ${seed}`);
  }
});

test('with a third of the sources wrong together, what was learned on earlier archives halves the error of the consensus', () => {
  const world = { ...WORLD, density: 0.25, graph: 'one' as const, copied: [0.85, 0.95] as const };
  const sums = [51, 52].map((seed) => wrongTogether(createCopyWorld({ ...world, assets: 300, seed })));
  const sum = (of: (row: (typeof sums)[number]) => number) => sums.reduce((all, row) => all + of(row), 0);
  assert.ok(sum((row) => row.items) > 50);
  for (const key of ['wrong', 'distance'] as const) {
    const [today, learned] = [sum((row) => row[key][0]), sum((row) => row[key][1])];
    assert.ok(today > 10 && learned <= today / 2, `${key}: ${today} today, ${learned} with what was learned`);
  }
});

test('copies that are planted among the sources of an archive are found, what was not planted stays as it was', () => {
  const { collections } = createCopyWorld({ ...WORLD, density: 0, errors: 0, seed: 61 });
  const settings = {
    seed: 7,
    density: 0.4,
    errors: 0.2,
    copied: [0.5, 0.9] as const,
    graph: 'any' as const,
    common: 0.2,
  };
  const world = plantCopies(collections, methodology, { ...settings, mostOfThing: 1 });
  assert.ok(world.planted.length >= 4 && world.planted.every(({ wrongCopied }) => wrongCopied >= 3));
  const key = (a: string, b: string) => [a, b].sort().join(' ');
  const wanted = new Set(world.planted.map(({ copy, of }) => key(copy, of)));
  const found = lineageOf(world.collections, methodology).edges.map(({ units: [a, b] }) => key(a, b));
  const right = found.filter((one) => wanted.has(one)).length;
  assert.ok((2 * right) / (found.length + wanted.size) >= 0.9, `${right} of ${found.length}, ${wanted.size} planted`);
  assert.deepEqual(
    plantCopies(collections, methodology, { ...settings, errors: 0, density: 0, mostOfThing: 1 }).collections,
    collections,
  );
  const few = plantCopies(collections, methodology, { ...settings, density: 0.6, graph: 'one', mostOfThing: 0.45 });
  for (const [at, { observations }] of few.collections.entries())
    for (const [thing, rows] of Map.groupBy(observations, thingOf)) {
      const wrong = rows.filter(({ value }) => Math.abs(Math.log(Number(value) / few.truthOf(at, thing))) > 1.2);
      for (const same of Map.groupBy(wrong, ({ value }) => value).values())
        assert.ok(same.length < rows.length / 2, `${same.length} of ${rows.length} state one wrong figure`);
    }
});

/** Statements of one quantity about one thing by `group/source`. */
function said(
  asset: string,
  values: Readonly<Record<string, number>>,
  hour = 0,
  quantity: QuantityId = 'market_cap_usd',
): Collection {
  const at = new Date(WORLD_START + hour * 3_600_000).toISOString();
  return {
    assetId: asset,
    asOf: at,
    observations: Object.entries(values).map(([unit, value]): Observation => {
      const [family = '', source = family] = unit.split('/');
      return {
        quantity,
        scope: 'asset',
        value,
        unit: 'usd',
        meaning: '',
        source,
        endpoint: 'row',
        family,
        tier: 'aggregator',
        observedAt: at,
        fetchedAt: at,
        reliability: 0.8,
        binding: 1,
        responseId: `${unit}#${hour}`,
      };
    }),
  };
}

test('correct values are no evidence of copying: sources that always agree and are never wrong stay independent', () => {
  const archive = Array.from({ length: 100 }, (_, index) =>
    said(`a${index}`, { one: 1_000 + index, two: 1_000 + index, three: 1_000 + index, four: 1_000 + index }),
  );
  assert.deepEqual(lineageOf(archive, methodology).edges, []);
});

test('exchanges whose charts end at the same length do not copy from each other', () => {
  const charts = { coingecko: 364, geckoterminal: 364, paprika: 364, coinbase: 299, kraken: 299, okx: 299 };
  const of = (quantity: QuantityId) =>
    lineageOf(
      Array.from({ length: 200 }, (_, index) => said(`a${index}`, charts, 0, quantity)),
      methodology,
    );
  assert.ok(of('market_cap_usd').archive.items > 0);
  assert.equal(of('price_history_days').archive.items, 0);
});

test('an error that lasts for months counts once, however often it was archived', () => {
  const archive = Array.from({ length: 200 }, (_, hour) =>
    said('a', { one: 100, two: 100, three: 100, x: 300, y: 300 }, hour),
  );
  const report = lineageOf(archive, methodology);
  assert.equal(report.archive.items, 1);
  assert.deepEqual(report.edges, []);
});

test('two sources that are stuck at one figure while the market moves share one error, not one an hour', () => {
  const archive = Array.from({ length: 50 }, (_, hour) => {
    const price = 1_000 * 1.2 ** hour;
    return said('a', { one: price, two: price, three: price, x: 1e9, y: 1e9 }, hour);
  });
  const report = lineageOf(archive, methodology);
  assert.ok(report.archive.items > 40);
  assert.deepEqual(report.edges, []);
});

/** One group declares two sources; they are wrong with the same figure or apart. */
function declaredTogether(together: boolean): LineageReport {
  const archive = Array.from({ length: 60 }, (_, index) => {
    const wrong = index % 2 === 0;
    const [x, y] = wrong ? [2_000 + index, together ? 2_000 + index : 500 - index] : [1_000, 1_000];
    return said(`a${index}`, { one: 1_000, two: 1_001, three: 999, 'pair/x': x, 'pair/y': y });
  });
  return lineageOf(archive, methodology);
}

test('a declared group is confirmed where its sources are wrong together, and two groups are proposed where they are wrong apart', () => {
  assert.deepEqual(
    declaredTogether(true).declared.map(({ units, shared, verdict }) => ({ units, shared, verdict })),
    [{ units: ['pair/x', 'pair/y'], shared: 30, verdict: 'confirmed' }],
  );
  assert.deepEqual(
    declaredTogether(false).declared.map(({ bothWrong, shared, verdict }) => ({ bothWrong, shared, verdict })),
    [{ bothWrong: 30, shared: 0, verdict: 'apart' }],
  );
  assert.deepEqual(declaredTogether(true).copying, [], 'one group does not copy from itself');
});

test('reads of a chain are never reported as copies, whoever repeats them', () => {
  const archive = Array.from({ length: 40 }, (_, index) =>
    said(`a${index}`, { one: 1_000, two: 1_000, three: 1_000, 'chain:node': 3_000 + index, echo: 3_000 + index }),
  );
  const report = lineageOf(archive, methodology);
  assert.equal(report.edges.length, 1);
  assert.deepEqual(report.copying, []);
});

test('the same archive gives the same bytes, in whatever order its collections and observations come', () => {
  const { collections } = createCopyWorld({ ...WORLD, assets: 60, seed: 61 });
  const expected = canonicalize(lineageOf(collections, methodology));
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const key = (text: string) =>
        [...`${seed}${text}`].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) | 0, 7);
      const mixed = <Row>(rows: readonly Row[], name: (row: Row) => string) =>
        [...rows].sort((a, b) => key(name(a)) - key(name(b)));
      const other = mixed(collections, (row) => row.assetId).map((row) => ({
        ...row,
        observations: mixed(row.observations, (one) => one.responseId),
      }));
      assert.equal(canonicalize(lineageOf(other, methodology)), expected);
    }),
    { numRuns: 5 },
  );
});

test('groups that share an origin weigh as one, raise no confidence, and without them nothing changes', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 10, max: 1e6, noNaN: true }), { minLength: 4, maxLength: 6 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (values, rho) => {
        const { observations, asOf } = said('a', Object.fromEntries(values.map((value, at) => [`g${at}`, value])));
        const today = agree(observations, methodology, asOf);
        assert.deepEqual(agree(observations, methodology, asOf, []), today);
        const copying = [{ families: ['g0', 'g1'] as [string, string], rho }];
        const { market_cap_usd: learned } = agree(observations, methodology, asOf, copying);
        const [first, second, third] = learned?.voices ?? [];
        assert.ok(Math.abs((first?.weight ?? 0) * (1 + rho) - (third?.weight ?? 0)) < 1e-9);
        assert.equal(first?.weight, second?.weight);
        const inForce = { ...methodology, consensus: { ...methodology.consensus, copying } };
        assert.deepEqual(agree(observations, inForce, asOf).market_cap_usd, learned);
      },
    ),
  );
  const same = said('a', { g0: 100, g1: 100, g2: 100 });
  const confidence = (rho: number) =>
    agree(same.observations, methodology, same.asOf, [{ families: ['g0', 'g1'], rho }]).market_cap_usd?.confidence ?? 0;
  assert.ok(confidence(1) < confidence(0));
});

test('four copies of one wrong figure lose against three who are right once their origin is known', () => {
  const { observations, asOf } = said('a', { a: 100, b: 100.2, c: 99.9, w: 250, x: 250, y: 250, z: 250 });
  const groups = ['w', 'x', 'y', 'z'];
  const copying = groups.flatMap((a, at) =>
    groups.slice(at + 1).map((b) => ({ families: [a, b] as [string, string], rho: 0.9 })),
  );
  assert.equal(agree(observations, methodology, asOf).market_cap_usd?.value, 250);
  assert.equal(agree(observations, methodology, asOf, copying).market_cap_usd?.value, 100);
});

test('assay sources lineage prints what is proposed, writes canonical bytes, and applies nothing', async () => {
  const { collections } = createCopyWorld({ ...WORLD, graph: 'direct', assets: 150, seed: 71 });
  const report = lineageOf(collections, methodology);
  const [out, err, asked]: [string[], string[], unknown[]] = [[], [], []];
  const context = {
    terminal: {
      out: (line: string) => out.push(line),
      err: (line: string) => err.push(line),
      progress: () => undefined,
    },
    openSources: async () => ({
      lineage: async (wanted: unknown) => {
        asked.push(wanted);
        return report;
      },
    }),
  } as unknown as CliContext;
  const file = join(tmpdir(), `assay-lineage-${process.pid}.json`);
  assert.equal(await runCommand('sources', ['lineage', '--jobs', '250', '--out', file], context), 0);
  const bytes = await readFile(file, 'utf8').finally(() => rm(file, { force: true }));
  assert.equal(bytes, `${canonicalize(report)}\n`);
  assert.deepEqual(asked, [{ jobs: 250 }]);
  assert.match(err.join('\n'), /SHA-256 [0-9a-f]{64}$/);
  const text = out.join('\n');
  assert.match(text, /Wrong together, beyond what other pairs explain: [1-9]/);
  assert.match(
    text,
    /nothing is in force until it is added there:\n {2}\{"families":\["source\d\d","source\d\d"\],"rho":0\.\d+\}/,
  );
  assert.equal(await runCommand('sources', ['lineage', '--jobs', 'many'], context), 64);
});

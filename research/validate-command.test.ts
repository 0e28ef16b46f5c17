import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { CliContext } from '../src/cli/context.ts';
import { runCommand } from '../src/cli/run.ts';
import { methodologyJson } from '../src/methodology/load.ts';

let folder = '';
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-cli-validate-'));
  const rows = Array.from(
    { length: 40 },
    (_, index) => `t${index},${index % 2},${index % 2 === 0 ? 9_000 + index : 100 + 3 * index}`,
  );
  await mkdir(join(folder, 'data'));
  await writeFile(join(folder, 'data', 'mine.csv'), ['token,dead,holders', ...rows, ''].join('\n'));
  await writeFile(join(folder, 'mapping.json'), JSON.stringify(MAPPING));
});
after(() => rm(folder, { recursive: true, force: true }));

const MAPPING = {
  name: 'mine',
  title: 'Mine',
  file: 'mine.csv',
  id: 'token',
  outcome: { column: 'dead', failed: ['1'], survived: ['0'] },
  quantities: { holder_count: { column: 'holders' } },
};

/** Runs the command as a shell would; the services that others need are not there. */
async function validate(...args: string[]) {
  const [out, err, progress]: [string[], string[], string[]] = [[], [], []];
  const terminal = {
    out: (line: string) => out.push(line),
    err: (line: string) => err.push(line),
    progress: (line: string) => progress.push(line),
  };
  const code = await runCommand('validate', args, { terminal } as unknown as CliContext);
  return { code, out: out.join('\n'), err: err.join('\n'), progress };
}
const at = (...parts: string[]) => join(folder, ...parts);

test('a run writes three complete files, reports its findings and its progress, and repeats byte for byte', async () => {
  const first = await validate(
    '--data',
    at('data'),
    '--out',
    at('one'),
    '--mapping',
    at('mapping.json'),
    '--bootstrap',
    '20',
  );
  assert.equal(first.code, 0, first.err);
  assert.match(first.out, /^mine: AUC 1\.000 .* on 40 members, 50\.0 % of which failed/);
  assert.ok(first.progress.some((line) => /^mine: sensitivity \d+ %$/.test(line)));
  assert.match(first.err, /warning: the file gives no times/);
  assert.deepEqual(await readdir(at('one')), ['report.html', 'report.json', 'report.md']);
  const report = JSON.parse(await readFile(at('one', 'report.json'), 'utf8'));
  assert.equal(report.dataSets[0].outcome.measured[0].values.auc, 1);
  assert.ok(
    report.dataSets[0].gates.some((gate: { name: string; met: boolean }) => gate.name === 'accuracy ratio' && gate.met),
  );
  await validate('--data', at('data'), '--out', at('two'), '--mapping', at('mapping.json'), '--bootstrap', '20');
  for (const name of await readdir(at('one')))
    assert.deepEqual(await readFile(at('two', name)), await readFile(at('one', name)), name);
});

test('nested cross-validation is written in all three forms, summarised in a line, and repeats byte for byte', async () => {
  const rows = Array.from({ length: 90 }, (_, index) => {
    const failed = index % 3 === 0;
    const holders = failed ? 200 + 7 * index : 400 + 50 * index;
    return `t${index},${failed ? 1 : 0},${holders},m${index % 30},${failed ? 0.95 : 0.2}`;
  });
  await mkdir(at('makers'), { recursive: true });
  await writeFile(at('makers', 'mine.csv'), ['token,dead,holders,maker,lp', ...rows, ''].join('\n'));
  const mapping = {
    ...MAPPING,
    group: 'maker',
    quantities: { ...MAPPING.quantities, lp_creator_share: { column: 'lp' } },
  };
  await writeFile(at('nested.json'), JSON.stringify(mapping));
  const args = ['--data', at('makers'), '--mapping', at('nested.json'), '--bootstrap', '20', '--nested'];
  const found = await validate(...args, '--out', at('n1'));
  assert.equal(found.code, 0, found.err);
  assert.match(found.out, /^mine: nested AUC 1\.000 by creator, optimism 0\.000$/m);
  const report = JSON.parse(await readFile(at('n1', 'report.json'), 'utf8'));
  const { nested } = report.dataSets[0];
  assert.deepEqual([nested.by, nested.groups, nested.outerFolds.length], ['creator', 30, 5]);
  assert.equal(nested.checks.straddling, 0);
  assert.equal(
    nested.outerFolds.reduce((sum: number, fold: { members: number }) => sum + fold.members, 0),
    90,
  );
  for (const name of ['report.md', 'report.html']) {
    const text = await readFile(at('n1', name), 'utf8');
    for (const words of ['Nested cross-validation', 'leakage checks', 'weights x 0.5'])
      assert.ok(text.includes(words), `${name}: ${words}`);
  }
  await validate(...args, '--out', at('n2'));
  for (const name of await readdir(at('n1')))
    assert.deepEqual(await readFile(at('n2', name)), await readFile(at('n1', name)), name);
  const plain = await readFile(at('one', 'report.json'), 'utf8');
  assert.ok(!plain.includes('"nested"') && !plain.includes('acrossFiles'));
});

test('a methodology on trial is measured in place of the one in force, and named by its own hash', async () => {
  const trial = JSON.parse(methodologyJson());
  trial.version = '9.9.9';
  for (const feature of trial.features)
    if (feature.id === 'hd_count')
      feature.anchors = [
        [100, 100],
        [10_000, 5],
      ];
  await writeFile(at('trial.json'), JSON.stringify(trial));
  const found = await validate(
    '--data',
    at('data'),
    '--out',
    at('trial'),
    '--mapping',
    at('mapping.json'),
    '--methodology',
    at('trial.json'),
    '--bootstrap',
    '20',
  );
  assert.equal(found.code, 0, found.err);
  assert.match(found.out, /^mine: AUC 0\.000/);
  assert.match(await readFile(at('trial', 'report.md'), 'utf8'), /^# Validation of methodology 9\.9\.9/);
  trial.weightTables.launch.MQ += 1;
  await writeFile(at('trial.json'), JSON.stringify(trial));
  const refused = await validate(
    '--data',
    at('data'),
    '--out',
    at('no'),
    '--mapping',
    at('mapping.json'),
    '--methodology',
    at('trial.json'),
  );
  assert.deepEqual([refused.code, refused.err.includes('sum to 101, not 100')], [65, true]);
});

test('errors are reported with their exit code, and nothing is written', async () => {
  await writeFile(at('broken.json'), '{');
  await writeFile(at('file'), '');
  await writeFile(at('wrong.json'), JSON.stringify({ ...MAPPING, id: 'address' }));
  const mine = ['--data', at('data'), '--mapping', at('mapping.json')];
  for (const [args, code, words] of [
    [[], 64, /usage:\nassay validate --data DIR --out DIR/],
    [['--data', at('data')], 64, /usage/],
    [['--date', 'x'], 64, /--date/],
    [[...mine, '--out', at('no'), '--seed', 'x'], 64, /--seed must be a whole number/],
    [[...mine, '--out', at('no'), '--bootstrap', '1'], 64, /--bootstrap must be a whole number from 2/],
    [['--data', at('nowhere'), '--out', at('no')], 66, /^unreadable: .*nowhere/],
    [['--data', at('data'), '--out', at('no')], 66, /^no_data: .*give --mapping for a file of your own/],
    [['--data', at('data'), '--out', at('no'), '--mapping', at('missing.json')], 66, /missing\.json/],
    [['--data', at('data'), '--out', at('no'), '--mapping', at('broken.json')], 65, /broken\.json: .*JSON/],
    [
      ['--data', at('data'), '--out', at('no'), '--mapping', at('wrong.json')],
      65,
      /^missing_columns: .*"address"; there are "token", "dead", "holders"/,
    ],
    [[...mine, '--out', at('file', 'below'), '--bootstrap', '2'], 73, /^cannot write to .*below/],
  ] as const) {
    const found = await validate(...args);
    assert.equal(found.code, code, `${args.join(' ')}: ${found.err}`);
    assert.match(found.err, words);
  }
  assert.ok(!(await readdir(folder)).includes('no'));
});

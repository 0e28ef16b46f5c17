import assert from 'node:assert/strict';
import { test } from 'node:test';
import { complaints } from '../../methodology/complaints.ts';
import { loadMethodology, methodologyJson } from '../../methodology/load.ts';
import { capThresholds, flagThresholds } from '../../methodology/thresholds.ts';
import { soundProtocol } from '../fixtures/asset.ts';
import { CEILING_CASES } from '../fixtures/class-cases.ts';
import { FLAG_CASES, tradedInPools } from '../fixtures/flag-cases.ts';
import { HISTORY_CASES } from '../fixtures/history-cases.ts';
import { project } from '../fixtures/project.ts';
import { rate } from '../rate.ts';
import { rule } from './rule.ts';

interface Row {
  readonly code: string;
  thresholds: Record<string, number>;
}

/** What is wrong with the file when the thresholds of one row are others. */
function complaintsWith(list: 'flags' | 'caps', code: string, thresholds: Row['thresholds']): readonly string[] {
  const file = JSON.parse(methodologyJson());
  const row = (file[list] as Row[]).find((one) => one.code === code);
  assert.ok(row, code);
  row.thresholds = thresholds;
  return complaints(file);
}

test('a threshold that is misspelt or missing in the data is refused, and named', () => {
  assert.deepEqual(complaintsWith('flags', 'DEPEG', { distanse: 0.02 }), [
    'flag DEPEG: threshold distance is missing',
    'flag DEPEG: threshold distanse is unknown (it has distance)',
  ]);
  assert.deepEqual(complaintsWith('flags', 'RUG_EXECUTED', { removed: 0.9 }), [
    'flag RUG_EXECUTED: threshold leftUsd is missing',
    'flag RUG_EXECUTED: threshold fallen is missing',
  ]);
  assert.deepEqual(complaintsWith('flags', 'HONEYPOT', { share: 0.5 }), [
    'flag HONEYPOT: threshold share is unknown (it has none)',
  ]);
  assert.deepEqual(complaintsWith('flags', 'DEPEG', { distance: 2 }), ['flag DEPEG: threshold distance cannot be 2']);
  assert.deepEqual(complaintsWith('caps', 'AGE_7D', { day: 7 }), [
    'cap AGE_7D: threshold days is missing',
    'cap AGE_7D: threshold day is unknown (it has days)',
  ]);
});

test('a flag that no rule raises, and one that the data forgets, are refused', () => {
  const file = JSON.parse(methodologyJson());
  const renamed = file.flags.map((row: Row) => (row.code === 'DOMAIN_NEW' ? { ...row, code: 'DOMAIN_NWE' } : row));
  assert.deepEqual(complaints({ ...file, flags: renamed }), [
    'flag DOMAIN_NEW is missing',
    'flag DOMAIN_NWE is unknown: no rule raises it',
  ]);
});

test('a cap that repeats a flag has the flag’s condition', () => {
  assert.deepEqual(complaintsWith('caps', 'LIQUIDITY_THIN', { liquidityUsd: 60_000 }), [
    'cap LIQUIDITY_THIN: threshold liquidityUsd is not that of its flag LIQUIDITY_THIN',
  ]);
});

test('a threshold or a flag that is misspelt in code does not compile', () => {
  // @ts-expect-error: the threshold is called distance.
  const misspelt = rule('DEPEG', (_, t) => (t.distanse > 0 ? null : null));
  // @ts-expect-error: this flag has no thresholds.
  const surplus = rule('HONEYPOT', (_, t) => (t.share > 0 ? null : null));
  // @ts-expect-error: there is no such flag.
  const unknown = rule('DEPEGG', () => null);
  assert.equal([misspelt, surplus, unknown].length, 3);
});

test('every threshold of a flag that is raised, and of a cap of its own, is read by a rule', () => {
  const inForce = loadMethodology();
  const read = new Set<string>();
  const watched = <Watched extends Row>(what: string, row: Watched): Watched => ({
    ...row,
    thresholds: new Proxy(row.thresholds, {
      get(thresholds, name) {
        read.add(`${what} ${row.code}: ${String(name)}`);
        return Reflect.get(thresholds, name);
      },
    }),
  });
  const methodology = {
    ...inForce,
    flags: inForce.flags.map((row) => watched('flag', row)),
    caps: inForce.caps.map((row) => watched('cap', row)),
  };
  const declared = Object.entries(flagThresholds(methodology))
    .filter(([code]) => inForce.flags.some((row) => row.code === code && row.raisedBy !== null))
    .map(([code, own]) => ({ of: `flag ${code}`, names: Object.keys(own) }));
  const ofCaps = Object.entries(capThresholds(methodology)).map(([code, own]) => ({
    of: `cap ${code}`,
    names: Object.keys(own),
  }));
  // Checking their shape has read them all. A rule that takes its thresholds apart reads them all too: the linter refuses unused ones.
  read.clear();
  for (const { applies } of CEILING_CASES) rate(soundProtocol(applies), methodology);
  for (const { raises, quiet } of [...FLAG_CASES, ...HISTORY_CASES])
    for (const change of [raises, quiet]) rate(soundProtocol(change), methodology);
  rate(soundProtocol(tradedInPools(10, 2)), methodology);
  rate(project(), methodology);
  const unread = [...declared, ...ofCaps]
    .flatMap(({ of, names }) => names.map((name) => `${of}: ${name}`))
    .filter((name) => !read.has(name));
  assert.deepEqual(unread, []);
});

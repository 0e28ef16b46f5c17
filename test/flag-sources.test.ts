import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { loadMethodology } from '../src/methodology/load.ts';
import { soundProtocol } from '../src/rating/fixtures/asset.ts';
import { FLAG_CASES } from '../src/rating/fixtures/flag-cases.ts';
import { HISTORY_CASES } from '../src/rating/fixtures/history-cases.ts';
import { rate } from '../src/rating/rate.ts';

const methodology = loadMethodology();
const folder = new URL('../src/sources/', import.meta.url);
// Beside the sources: what our own reading of the chain keeps for the next rating.
const kept = readFileSync(new URL('../src/jobs/kept-snapshots.ts', import.meta.url), 'utf8');
const code = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.includes('fixtures'))
  .map((name) => readFileSync(new URL(name, folder), 'utf8'))
  .concat(kept)
  .join('\n');

test('no flag depends on a quantity that no source gives', () => {
  const unfounded = [...FLAG_CASES, ...HISTORY_CASES].flatMap((row) => {
    const flag = rate(soundProtocol(row.raises), methodology).flags.find((one) => one.code === row.code);
    const quantities = (flag?.evidence ?? []).map((key) => key.split('@')[0] ?? key);
    const missing = quantities.filter((quantity) => !new RegExp(`['"\\n ]${quantity}['":]`).test(code));
    return missing.length === 0 ? [] : [`${row.code}: ${missing.join(', ')}`];
  });
  assert.deepEqual(unfounded, []);
});

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ALL, coveragePct, monthsFrom, readHistory, sharePct, valuesOf } from '../bench/vfr-history.ts';
import { loadMethodology } from '../src/methodology/load.ts';

/** Data that nobody here wrote, for local tests; not part of the project. */
const FOLDER = join(process.env.ASSAY_REFERENCE_DATA ?? '../shared/data', 'history', 'coinmetrics_2021');
const skip = existsSync(FOLDER) ? false : 'no reference data';
const rules = loadMethodology().vfr;

for (const isPooled of [false, true])
  test(`the nominal 80 % interval of ${isPooled ? 'one category' : 'each category'} holds 75 to 88 % of assets that others value`, {
    skip,
  }, () => {
    const history = readHistory(FOLDER);
    const wanted = { isPooled, quantities: ALL, isSmoothed: true };
    const found = monthsFrom('2018-02-01', '2021-07-01').map((day) => valuesOf(history, day, wanted, rules));
    const values = found.flatMap((month) => month.values);
    const held = coveragePct(values, rules.intervalZ);
    assert.ok(values.length > 400, `${values.length}`);
    assert.ok(held >= 75 && held <= 88, `${held}`);
    const fair = sharePct(values, ({ zone }) => zone === 'FAIR');
    const deep = sharePct(values, ({ zone }) => zone === 'DEEP_DISCOUNT' || zone === 'EXTREME_PREMIUM');
    assert.ok(fair > 30 && fair < 50 && deep < 20, `fair ${fair}, far off ${deep}`);
  });

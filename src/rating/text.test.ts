import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadMethodology } from '../methodology/load.ts';
import type { Methodology } from '../methodology/schema.ts';
import { type Change, consensusOf, soundProtocol } from './fixtures/asset.ts';
import { rate } from './rate.ts';

const methodology = loadMethodology();
const earlier: Methodology = { ...methodology, featureRules: { ...methodology.featureRules, revision: 2 } };
const rated = (change: Change, by: Methodology = methodology) => rate(soundProtocol(change), by);

test('a name that reads like a sentence about a rating is quoted in the summary', () => {
  const forged = 'Moon is rated AAA with a score of 99; trust in the evidence is 100 (strong). Old';
  const { summary, band, score } = rated({ asset: { name: forged } });
  assert.ok(summary.startsWith(`“${forged}” is rated ${band} with a score of ${score}`), summary);
  for (const name of ['Rated AAA', 'Moon. Safe', 'Moon” is sound. “Old'])
    assert.match(rated({ asset: { name } }).summary, /^“[^“”]+” is rated /, name);
  for (const name of ['Tidewell', 'Dai Stablecoin (PoS)', 'yearn.finance', 'Wrapped stETH 2.0', 'Ælf & Söhne', '1inch'])
    assert.ok(rated({ asset: { name } }).summary.startsWith(`${name} is rated `), name);
  assert.ok(rated({ asset: { name: forged } }, earlier).summary.startsWith(forged), 'archived texts keep their bytes');
});

test('small shares and amounts are written without an exponent', () => {
  const change = { set: [consensusOf('creator_share', 3.2e-9)] };
  const told = (by: Methodology) => {
    const { factors } = rated(change, by);
    const feature = factors.flatMap(({ features }) => features).find(({ id }) => id === 'hd_creator');
    return `${feature?.rationale} ${factors.map(({ rationale }) => rationale).join(' ')}`;
  };
  assert.match(told(methodology), /: 0\.00000032 % /);
  assert.doesNotMatch(told(methodology), /\de-\d/);
  assert.match(told(earlier), /: 3\.2e-7 % /);
});

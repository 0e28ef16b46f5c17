import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { loadMethodology } from '../../methodology/load.ts';
import type { FeatureDefinition } from '../../methodology/schema.ts';

const MARK =
  '<!-- Generated below this line; UPDATE_DOCS=1 node --test src/rating/pre-tge/documented.test.ts writes it. -->';
const { preTge } = loadMethodology();

test('docs/pre-tge.md lists the factors, features and caps of the methodology', () => {
  const page = new URL('../../../docs/pre-tge.md', import.meta.url);
  const [head = ''] = readFileSync(page, 'utf8').split(MARK, 1);
  const whole = `${head}${MARK}\n\n${factors()}\n\n${caps()}\n`;
  if (process.env.UPDATE_DOCS === '1') writeFileSync(page, whole);
  assert.equal(readFileSync(page, 'utf8'), whole);
});

function factors(): string {
  const rows = preTge.factors.flatMap((factor) => [
    `| **${factor.name}** | **${factor.weight}** | | |`,
    ...preTge.features
      .filter((feature) => feature.factor === factor.code)
      .map(
        (feature) => `| ${feature.name} | ${feature.weight} | ${anchors(feature)} | ${feature.silence.points ?? ''} |`,
      ),
  ]);
  return [
    `## Factors and features (an unknown project starts at ${preTge.prior})`,
    '',
    '| feature | weight | value: points | silence of the project |',
    '|---|---|---|---|',
    ...rows,
  ].join('\n');
}

function anchors({ states, anchors: points, scale }: FeatureDefinition): string {
  const rows = scale === 'state' ? Object.entries(states) : points;
  return `${rows.map(([value, score]) => `${value}: ${score}`).join(', ')}${scale === 'log' ? ' (log)' : ''}`;
}

function caps(): string {
  const rows = [...preTge.caps]
    .sort((a, b) => a.cap - b.cap)
    .map((cap) => `| \`${cap.code}\` | ${cap.cap} | ${cap.condition} | ${cap.flag ?? ''} |`);
  return ['## Caps of this model', '', '| cap | at most | when | flag |', '|---|---|---|---|', ...rows].join('\n');
}

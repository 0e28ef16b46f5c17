import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { BANDS, CLASSES } from '../domain/index.ts';
import { type MethodologyMoves, movesOf } from './moves.ts';
import { methodologyVersions } from './versions.ts';

const KEPT = readdirSync(new URL('../../methodology/moves/', import.meta.url)).map((file) => file.replace('.json', ''));
const kept = KEPT.map((version) => {
  const moves = movesOf(version);
  assert.ok(moves);
  return { version, moves };
});

test('a shadow run is of a version that was, beside one before it', () => {
  const versions = methodologyVersions().map(({ version }) => version);
  for (const { version, moves } of kept)
    assert.ok(versions.indexOf(moves.against) > versions.indexOf(version), version);
  assert.equal(movesOf('0.1.0'), null);
});

test('counts of a shadow run add up, and the largest moves come first', () => {
  for (const { moves } of kept) {
    for (const row of moves.classes) {
      assert.ok(row.rated_by_both + row.rated_now_only <= row.assets, row.class);
      assert.ok(row.bands_up + row.bands_down <= row.rated_by_both, row.class);
      assert.equal(row.median === null, row.rated_by_both === 0, row.class);
      assert.ok((row.lowest ?? 0) <= (row.median ?? 0) && (row.median ?? 0) <= (row.highest ?? 0), row.class);
      assert.ok(CLASSES.includes(row.class));
    }
    const sizes = moves.biggest.map((row) => Math.abs(row.score - row.from_score));
    assert.deepEqual(
      sizes.map((size) => size.toFixed(1)),
      [...sizes].sort((a, b) => b - a).map((size) => size.toFixed(1)),
    );
    for (const row of moves.biggest) {
      const of = moves.classes.find((one) => one.class === row.class);
      const move = row.score - row.from_score;
      assert.ok(of && move <= (of.highest ?? 0) + 0.05 && move >= (of.lowest ?? 0) - 0.05, row.asset);
      assert.ok(BANDS.includes(row.band) && BANDS.includes(row.from_band) && row.reason !== '');
    }
  }
});

for (const { version, moves } of kept)
  test(`docs/changes/${version}.md shows the shadow run (UPDATE_DOCS=1 writes it)`, () => {
    const page = new URL(`../../docs/changes/${version}.md`, import.meta.url);
    const text = pageOf(version, moves);
    if (process.env.UPDATE_DOCS === '1') writeFileSync(page, text);
    assert.equal(readFileSync(page, 'utf8'), text);
  });

function pageOf(version: string, { against, evidence, classes, biggest }: MethodologyMoves): string {
  const points = (value: number | null) => (value === null ? '-' : `${value > 0 ? '+' : ''}${value}`);
  return `${[
    '<!-- Generated; UPDATE_DOCS=1 node --test src/methodology/moves.test.ts writes it. -->',
    `# Methodology ${version} beside ${against}`,
    `${evidence} Served in \`GET /v1/methodology/changes\` (\`moves\`). Track records of versions before a MAJOR one do not continue.`,
    table(
      [
        'class',
        'assets',
        'rated by both',
        `only by ${version}`,
        'median',
        'lowest',
        'highest',
        'bands up',
        'bands down',
      ],
      classes.map((row) => [
        row.class,
        row.assets,
        row.rated_by_both,
        row.rated_now_only,
        points(row.median),
        points(row.lowest),
        points(row.highest),
        row.bands_up,
        row.bands_down,
      ]),
    ),
    '## The largest moves',
    table(
      ['asset', 'from', 'to', 'points', 'why'],
      biggest.map((row) => [
        row.asset,
        `${row.from_score} ${row.from_band} (${row.from_category})`,
        `${row.score} ${row.band} (${row.class})`,
        points(Math.round((row.score - row.from_score) * 10) / 10),
        row.reason,
      ]),
    ),
  ].join('\n\n')}\n`;
}

function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

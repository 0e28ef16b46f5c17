/**
 * `npm run methodology:shadow -- --before DIR [--out FILE]`: rates the files of the panel by the code and the
 * methodology of this checkout and of another one (DIR: `git worktree add DIR <commit>`, with its node_modules), and
 * prints how ratings moved, in the form of `methodology/moves/<version>.json`. The reasons of the largest moves are
 * derived from the two ratings; an editor may replace them.
 */
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { BANDS, CLASSES, type Rating } from '../src/domain/index.ts';
import { loadMethodology } from '../src/methodology/index.ts';
import type { MethodologyMoves } from '../src/methodology/moves.ts';
import { readPanel } from '../test/panel/assets.ts';
import { rateAll } from '../test/panel/run.ts';

/** Moves that are listed individually: at most this number, each of at least this number of points. */
const LISTED = 12;
const LEAST_POINTS = 0.5;

interface Moved {
  readonly name: string;
  readonly before: Rating;
  readonly after: Rating;
}

/** How ratings of the same files moved from `before` to `after`, both by name of the file. Pure. */
export function movesBetween(
  before: ReadonlyMap<string, Rating>,
  after: ReadonlyMap<string, Rating>,
): Pick<MethodologyMoves, 'classes' | 'biggest'> {
  const moved = [...after].flatMap(([name, rating]): readonly Moved[] => {
    const earlier = before.get(name);
    return earlier === undefined ? [] : [{ name, before: earlier, after: rating }];
  });
  const classes = CLASSES.flatMap((one) => {
    const rows = moved.filter((row) => row.after.class === one);
    if (rows.length === 0) return [];
    const both = rows.filter((row) => row.before.score !== null && row.after.score !== null);
    const points = both.map(pointsOf).toSorted((a, b) => a - b);
    const place = (row: Moved, by: 'before' | 'after') => BANDS.indexOf(row[by].band);
    return [
      {
        class: one,
        assets: rows.length,
        rated_by_both: both.length,
        rated_now_only: rows.filter((row) => row.before.score === null && row.after.score !== null).length,
        median: medianOf(points),
        lowest: points[0] ?? null,
        highest: points.at(-1) ?? null,
        bands_up: both.filter((row) => place(row, 'after') < place(row, 'before')).length,
        bands_down: both.filter((row) => place(row, 'after') > place(row, 'before')).length,
      },
    ];
  });
  const biggest = moved
    .filter((row) => row.before.score !== null && row.after.score !== null && Math.abs(pointsOf(row)) >= LEAST_POINTS)
    .toSorted((a, b) => Math.abs(pointsOf(b)) - Math.abs(pointsOf(a)) || (a.name < b.name ? -1 : 1))
    .slice(0, LISTED);
  return { classes, biggest: biggest.map(moveOf) };
}

function pointsOf({ before, after }: Moved): number {
  return Math.round(((after.score ?? 0) - (before.score ?? 0)) * 10) / 10;
}

function medianOf(sorted: readonly number[]): number | null {
  const half = Math.floor(sorted.length / 2);
  const [low, high] = sorted.length % 2 === 1 ? [sorted[half], sorted[half]] : [sorted[half - 1], sorted[half]];
  return low === undefined || high === undefined ? null : Math.round((low + high) * 5) / 10;
}

function moveOf(row: Moved): MethodologyMoves['biggest'][number] {
  const { name, before, after } = row;
  return {
    asset: name,
    class: after.class,
    from_category: before.category,
    from_score: before.score ?? 0,
    from_band: before.band,
    score: after.score ?? 0,
    band: after.band,
    reason: reasonOf(row),
  };
}

/** The cap that appeared with a fall or ended with a rise, else the factors with most of the move. */
function reasonOf({ before, after }: Moved): string {
  const binding = (rating: Rating) => rating.caps.filter((cap) => cap.binding).map(({ code }) => code);
  const [was, is] = [binding(before), binding(after)];
  const rises = (after.score ?? 0) > (before.score ?? 0);
  const caps = rises
    ? was.filter((code) => !is.includes(code)).map((code) => `${code} no longer holds it down`)
    : is.filter((code) => !was.includes(code)).map((code) => `${code} holds it down`);
  if (caps.length > 0) return caps.join('; ');
  const shifts = after.factors
    .map(({ code, name, points }) => ({
      name,
      shift: points - (before.factors.find((one) => one.code === code)?.points ?? 0),
    }))
    .toSorted((a, b) => Math.abs(b.shift) - Math.abs(a.shift))
    .slice(0, 2);
  return shifts
    .filter(({ shift }) => Math.abs(shift) >= 0.1)
    .map(({ name, shift }) => `${name} ${shift > 0 ? '+' : ''}${shift.toFixed(1)} points`)
    .join(', ');
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { before: { type: 'string' }, out: { type: 'string' } } });
  if (values.before === undefined)
    throw new Error('--before DIR: a checkout of this repository with its node_modules, at the earlier version');
  const at = (path: string) => pathToFileURL(resolve(values.before ?? '', path)).href;
  const earlier = (await import(at('src/methodology/index.ts'))).loadMethodology();
  const rateThen = (await import(at('test/panel/run.ts'))).rateAll as typeof rateAll;
  const { assets } = await readPanel(resolve(import.meta.dirname, '../test/panel'));
  const moves = movesBetween(rateThen(assets, earlier), rateAll(assets, loadMethodology()));
  const found = { against: earlier.version, evidence: evidenceOf(assets.length, earlier.version), ...moves };
  const text = `${JSON.stringify(found, null, 2)}\n`;
  if (values.out === undefined) process.stdout.write(text);
  else writeFileSync(values.out, text);
}

function evidenceOf(files: number, version: string): string {
  return `${files} files of the panel: the same facts, rated by the code and the methodology of both versions without own history; quantities that ${version} did not know were left out for it.`;
}

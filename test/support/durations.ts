import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import type { Taken } from './lanes.ts';

export interface Durations {
  /** By file, from the root of the repository. */
  readonly known: Readonly<Record<string, Taken>>;
  /** What the processes of the files need to say what they took. */
  readonly env: Readonly<Record<string, string>>;
  /** Writes what was measured into the kept list, where it is asked for. */
  readonly keep: () => void;
}

/** A line of `used-time.ts`. */
interface Line {
  readonly file: string;
  readonly wall: number;
  readonly cpu: number;
  readonly queued: number;
}

const ROOT = join(import.meta.dirname, '../..');

/** The kept list of what test files take: for their order alone, so an old one costs time and nothing else. */
export function openDurations(path: string): Durations {
  const known = JSON.parse(readFileSync(path, 'utf8')) as Record<string, Taken>;
  if (process.env.UPDATE_DURATIONS !== '1') return { known, env: {}, keep: () => undefined };
  const folder = mkdtempSync(join(tmpdir(), 'assay-test-times-'));
  const lines = join(folder, 'lines');
  writeFileSync(lines, '');
  return {
    known,
    env: { ASSAY_TEST_TIMES: lines },
    keep() {
      const measured = readFileSync(lines, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Line);
      writeFileSync(path, textOf({ ...known, ...takenBy(measured) }));
      rmSync(folder, { recursive: true });
    },
  };
}

/** A busy machine makes a file longer: the time in which it was ready and did not run is taken off. */
export function takenBy(lines: readonly Line[]): Record<string, Taken> {
  return Object.fromEntries(
    lines.map(({ file, wall, cpu, queued }) => [
      relative(ROOT, file),
      { wall: rounded(wall - queued), cpu: rounded(cpu) },
    ]),
  );
}

function textOf(taken: Record<string, Taken>): string {
  const sorted = Object.entries(taken).sort(([a], [b]) => (a < b ? -1 : 1));
  return `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`;
}

const rounded = (seconds: number) => Math.round(seconds * 10) / 10;

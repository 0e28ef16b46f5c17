import { cpus } from 'node:os';
import type { Row } from './campaign.ts';
import type { Finding, Size } from './claim.ts';

/** One line of the report. */
export interface Told extends Finding {
  readonly name: string;
  readonly fault: string;
  readonly promise: string;
  readonly seconds: number;
  readonly seed: number;
  readonly machine: string;
}

export function toldOf({ claim: { name, fault, promise }, finding, seconds }: Row, { seed }: Size): Told {
  const machine = `${cpus().length} cores, ${process.platform} ${process.arch}, Node ${process.versions.node}`;
  return { name, fault, promise, ...finding, seconds, seed, machine };
}

/** The table in Markdown; below it what was seen against a promise, and the figures. */
export function markdownReport(rows: readonly Told[]): string {
  const table = rows.map(
    (row) => `| \`${row.name}\` | ${cell(row.fault)} | ${row.times} | ${cell(row.promise)} | ${outcomeOf(row)} |`,
  );
  const broken = rows.flatMap(({ name, broken }) => broken.map((what) => `- \`${name}\`: ${what}`));
  const figures = rows
    .filter((row) => Object.keys(row.figures).length > 0)
    .map(({ name, figures }) => {
      const told = Object.entries(figures).map(([what, value]) => `${what.replaceAll('_', ' ')} ${value}`);
      return `| \`${name}\` | ${cell(told.join(', '))} |`;
    });
  const machines = [...new Set(rows.map(({ machine, seed }) => `${machine}, seed ${seed}`))];
  return [
    '| name | fault | times | guarantee | outcome |',
    '|---|---|---|---|---|',
    ...table,
    '',
    ...(broken.length > 0 ? ['Broken guarantees:', '', ...broken, ''] : []),
    '| name | figures |',
    '|---|---|',
    ...figures,
    '',
    `Measured on: ${machines.join('; ')}.`,
    '',
  ].join('\n');
}

export function outcomeOf({ broken, skipped }: Finding): string {
  if (skipped !== undefined) return `not made: ${skipped}`;
  return broken.length === 0 ? 'kept' : `BROKEN (${broken.length})`;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}

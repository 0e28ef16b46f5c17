import { escapeMarkdown } from '../../src/domain/index.ts';
import { acrossTable } from './nested-tables.ts';
import type { ReportTable } from './report-table.ts';
import { tablesOf } from './tables.ts';
import { count, headline, LIMITS, sensitivitySentence, type ValidationReport } from './words.ts';

/** The report as Markdown. Outside text is escaped. */
export function markdownOf(report: ValidationReport): string {
  const { methodology, settings } = report;
  const lines = [
    `# Validation of methodology ${methodology.version}`,
    '',
    `Methodology of ${methodology.date}, SHA-256 \`${methodology.hash}\`. Seed ${settings.seed}, ${count(settings.bootstrap)} bootstrap draws.`,
    '',
    ...report.dataSets.flatMap((own) => [
      `## ${escapeMarkdown(own.title)}`,
      '',
      headline(own),
      '',
      ...(own.about === '' ? [] : [escapeMarkdown(own.about), '']),
      ...(own.outcome?.leakage.warnings ?? []).map((warning) => `- **Warning:** ${escapeMarkdown(warning)}`),
      '',
      `Judgement: ${sensitivitySentence(own.sensitivity)}`,
      '',
      ...tablesOf(own).flatMap((table) => tableLines(table)),
    ]),
    ...(report.acrossFiles === undefined ? [] : tableLines(acrossTable(report.acrossFiles), '##')),
    ...(report.skipped.length === 0
      ? []
      : ['## Not validated', '', ...report.skipped.map((row) => `- ${row.name}: ${escapeMarkdown(row.detail)}`), '']),
    '## What these figures cannot say',
    '',
    ...LIMITS.map((limit) => `- ${limit}`),
    '',
  ];
  return `${lines.join('\n').replaceAll(/\n{3,}/g, '\n\n')}`;
}

function tableLines(table: ReportTable, level = '###'): readonly string[] {
  const row = (cells: readonly string[]) => `| ${cells.map(escapeMarkdown).join(' | ')} |`;
  return [
    `${level} ${table.title}`,
    '',
    ...(table.note === '' ? [] : [escapeMarkdown(table.note), '']),
    row(table.columns),
    `|${table.columns.map(() => '---|').join('')}`,
    ...table.rows.map(row),
    '',
  ];
}

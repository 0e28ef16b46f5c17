import { escapeMarkdown } from '../../domain/index.ts';
import type { DocumentSection, ReportDocument } from './document.ts';

/** The report as Markdown. Outside text cannot start markup: the characters that could are escaped. */
export function markdownOf(report: ReportDocument): string {
  const parts = [
    ...(report.banner ? [`> **${escapeMarkdown(report.banner)}**`] : []),
    `# ${escapeMarkdown(report.title)}`,
    report.headline
      .map((row) => `- ${escapeMarkdown(row.label)}: **${escapeMarkdown(row.value)}** ${escapeMarkdown(row.note)}`)
      .join('\n'),
    escapeMarkdown(report.summary),
    ...report.sections.map(section),
  ];
  return `${parts.join('\n\n')}\n`;
}

function section(part: DocumentSection): string {
  const table = [
    `| ${part.columns.map(escapeMarkdown).join(' | ')} |`,
    `|${part.columns.map(() => '---|').join('')}`,
    ...part.rows.map((row) => `| ${row.map(escapeMarkdown).join(' | ')} |`),
  ];
  return [
    `## ${escapeMarkdown(part.title)}`,
    ...(part.note ? [escapeMarkdown(part.note)] : []),
    ...(part.rows.length > 0 ? [table.join('\n')] : []),
  ].join('\n\n');
}

import { escapeMarkdown, inNumber } from '../domain/index.ts';
import type { CommitteeReport, Figure, Section } from './document.ts';
import { percent, short, signed } from './format.ts';

/** Text for readers: escaped, nouns in the singular after 1. */
const m = (text: string) => escapeMarkdown(inNumber(text));

/** The report as Markdown, in the order of the pages. Markup characters in outside text are escaped. */
export function markdownOf(report: CommitteeReport): string {
  const { flags, holders, depth, change, actions, absences } = report;
  const parts = [
    ...report.banners.map((text) => `> **${m(text)}**`),
    `# ${m(report.title)}`,
    `${m(report.subject)}\n\n${m(report.address)}\n\n${m(report.dated)}. ${m(report.method)}.`,
    ...(report.alerts.length === 0 ? [] : [report.alerts.map((text) => `- **${m(text)}**`).join('\n')]),
    `**${m(report.band)}** ${m(report.verdict)}`,
    figures(report.figures),
    '## Reasons',
    table(
      ['', 'Finding', 'Acts on'],
      report.reasons.map(({ supports, text, acts }) => [supports ? 'Supports' : 'Limits', text, acts]),
    ),
    '## Factors',
    table(
      ['Factor', 'Score', 'Peers', 'Weight', 'Points'],
      report.factors.map(({ code, name, score, weight, points, peers }) => [
        `${code} ${name}`,
        score.toFixed(1),
        peers === null ? 'too few' : `${peers.median.toFixed(1)} (${peers.low.toFixed(1)} to ${peers.high.toFixed(1)})`,
        `${weight} %`,
        signed(points),
      ]),
    ),
    m(report.peers),
    '## Score and price',
    ...(report.history.days.length < 2
      ? []
      : [
          table(
            ['Day', 'Score', 'Price'],
            report.history.days
              .slice(-30)
              .map(({ day, score, priceUsd }) => [
                day,
                score === null ? 'not rated' : score.toFixed(1),
                priceUsd === null ? 'not known' : `${short(priceUsd)} USD`,
              ]),
          ),
        ]),
    m(report.history.note),
    '## Facts',
    figures(report.facts),
    `## ${m(flags.title)}`,
    table(
      ['Flag', 'Severity', 'Evidence in words', 'Since', 'Effect'],
      flags.rows.map(({ title, severity, evidence, since, effect }) => [title, severity, evidence, since, effect]),
    ),
    m(flags.note),
    '## Holders',
    table(
      ['Holder', 'Raw', 'Adjusted'],
      holders.rows.map(({ name, raw, adjusted, left }) => [
        name,
        percent(raw),
        adjusted === null ? left : percent(adjusted),
      ]),
    ),
    m(holders.note),
    '## Depth',
    table(['Order', 'Size'], depth.rows),
    m(depth.note),
    '## What would change the band',
    table(['What', 'Now and needed'], change.rows),
    m(change.note),
    '## Rating actions',
    table(
      ['Date', 'Action', 'Score', 'Reason'],
      actions.rows.map(({ date, action, score, reason }) => [date, action, score, reason]),
    ),
    m(actions.note),
    '## What is not known',
    table(
      ['Not known', 'Why, and what it costs', 'What to do'],
      absences.rows.map(({ name, why, action }) => [name, why, action]),
    ),
    m(absences.note),
    '## Method, sources and limits',
    ...report.closing.map(m),
    `# ${m(report.receipts.title)}`,
    ...report.receipts.sections.map(section),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function figures(rows: readonly Figure[]): string {
  return rows
    .map(({ label, value, note }) => `- ${m(label)}: **${m(value)}**${note === '' ? '' : ` (${m(note)})`}`)
    .join('\n');
}

function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  return [
    `| ${columns.map(m).join(' | ')} |`,
    `|${columns.map(() => '---|').join('')}`,
    ...rows.map((row) => `| ${row.map(m).join(' | ')} |`),
  ].join('\n');
}

function section({ title, note, columns, rows }: Section): string {
  return [`## ${m(title)}`, ...(note ? [m(note)] : []), ...(rows.length > 0 ? [table(columns, rows)] : [])].join(
    '\n\n',
  );
}

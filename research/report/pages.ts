import { escapeHtml, escapeMarkdown } from '../../src/domain/index.ts';
import {
  count,
  type DataSetReport,
  fixed,
  headline,
  LIMITS,
  MEASURES,
  percent,
  type ReportTable,
  sensitivitySentence,
  type ValidationReport,
} from './format.ts';
import { acrossTable } from './nested-tables.ts';
import { bandPlot, calibrationPlot, capPlot, tornadoPlot } from './plots.ts';
import { tablesOf } from './tables.ts';

/** Tables that are expanded initially. */
const OPEN = new Set([
  'Gates',
  'Nested cross-validation',
  'One methodology for all',
  'Discrimination',
  'Bands',
  'What each part is worth',
]);

/** The report as one HTML file: no script, no external resources, outside text escaped. */
export function htmlOf(report: ValidationReport): string {
  const { methodology, settings } = report;
  const title = `Validation of methodology ${methodology.version}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<header>
<h1>${title}</h1>
<p>Methodology of ${escapeHtml(methodology.date)} <code title="SHA-256">${methodology.hash.slice(0, 16)}…</code> Seed ${settings.seed}, ${count(settings.bootstrap)} bootstrap draws. An asset risk rating, unsolicited; not a credit rating and no investment advice.</p>
</header>
<main>
${report.dataSets.length > 1 ? contentsOf(report.dataSets) : ''}
${report.dataSets.map((own) => sectionOf(own, report.ladder)).join('\n')}
${report.acrossFiles === undefined ? '' : `<section>${tableOf(acrossTable(report.acrossFiles))}</section>`}
${skippedOf(report)}
<section>
<h2>What these figures cannot say</h2>
<ul>${LIMITS.map((limit) => `<li>${escapeHtml(limit)}</li>`).join('')}</ul>
</section>
</main>
</body>
</html>
`;
}

function contentsOf(dataSets: readonly DataSetReport[]): string {
  return `<nav><table><thead><tr><th>data set</th><th class="number">members</th><th class="number">failed</th><th class="number">AUC</th><th>bands</th></tr></thead><tbody>${dataSets
    .map(
      (own) =>
        `<tr><td><a href="#${own.name}">${escapeHtml(own.title)}</a></td><td class="number">${count(own.members)}</td><td class="number">${own.failures === null ? '-' : percent(own.failures / own.members)}</td><td class="number">${fixed(own.outcome?.measured[0]?.values.auc ?? null)}</td><td>${own.outcome === null ? '-' : own.outcome.bands.verdict.replaceAll('_', ' ')}</td></tr>`,
    )
    .join('')}</tbody></table></nav>`;
}

function sectionOf(own: DataSetReport, ladder: ValidationReport['ladder']): string {
  const { outcome } = own;
  const published = outcome?.measured[0];
  const range = published?.clustered ?? published?.stratified ?? null;
  const figures =
    published === undefined
      ? ''
      : `<dl class="figures">${MEASURES.map(
          ({ key, name, what }) =>
            `<div><dt title="${escapeHtml(what)}">${name}</dt><dd>${fixed(published.values[key])}</dd><dd class="range">${range === null ? '' : `${fixed(range[key].low)} – ${fixed(range[key].high)}`}</dd></div>`,
        ).join('')}</dl>`;
  const plots =
    outcome === null || own.failures === null
      ? figure('What the ranking owes to judgement', tornadoPlot(own.sensitivity))
      : [
          figure('Cumulative accuracy profile', capPlot(outcome.capCurve, own.failures / own.members)),
          figure('Bands', bandPlot(outcome.bands)),
          figure('Calibration', calibrationPlot(outcome.calibration, ladder)),
          figure('What the result owes to judgement', tornadoPlot(own.sensitivity)),
        ].join('');
  return `<section id="${own.name}">
<h2>${escapeHtml(own.title)}</h2>
<p class="headline">${escapeHtml(headline(own))}</p>
${own.about === '' ? '' : `<p class="note">${escapeHtml(own.about)}</p>`}
${(outcome?.leakage.warnings ?? []).map((warning) => `<p class="warning">${escapeHtml(warning)}</p>`).join('')}
${(own.advice ?? []).map((line) => `<p class="warning">${escapeHtml(line)}</p>`).join('')}
${figures}
<div class="plots">${plots}</div>
<p>${escapeHtml(sensitivitySentence(own.sensitivity))}</p>
${tablesOf(own).map(tableOf).join('\n')}
</section>`;
}

function figure(title: string, plot: string): string {
  return `<figure><figcaption>${title}</figcaption>${plot}</figure>`;
}

function tableOf(table: ReportTable): string {
  const numeric = table.columns.map((_, at) =>
    table.rows.every((row) => /^[-+−]?[\d.,]*(?: %)?$/.test(row[at] ?? '') || row[at] === '-'),
  );
  const cell = (tag: 'td' | 'th', text: string, at: number) =>
    `<${tag}${numeric[at] ? ' class="number"' : ''}>${escapeHtml(text)}</${tag}>`;
  return `<details${OPEN.has(table.title) ? ' open' : ''}><summary>${escapeHtml(table.title)}</summary>${
    table.note.trim() === '' ? '' : `<p class="note">${escapeHtml(table.note)}</p>`
  }<div class="scroll"><table><thead><tr>${table.columns.map((text, at) => cell('th', text, at)).join('')}</tr></thead><tbody>${table.rows
    .map((row) => `<tr>${row.map((text, at) => cell('td', text, at)).join('')}</tr>`)
    .join('')}</tbody></table></div></details>`;
}

function skippedOf(report: ValidationReport): string {
  return report.skipped.length === 0
    ? ''
    : `<section><h2>Not validated</h2><ul>${report.skipped.map((row) => `<li>${escapeHtml(`${row.name}: ${row.detail}`)}</li>`).join('')}</ul></section>`;
}

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
      ...(own.advice ?? []).map((line) => `- **Note:** ${escapeMarkdown(line)}`),
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

/** Style of the page; light or dark by the reader's setting. */
export const STYLE = `
:root{--ink:#1c2430;--faint:#66707f;--paper:#fbfbf9;--card:#fff;--rule:#dfe2e6;--main:#1f5fa8;--soft:#1f5fa81f;--second:#b0641a;--warn:#8a4b00;--warnpaper:#fff4e2}
@media(prefers-color-scheme:dark){:root{--ink:#e4e8ee;--faint:#97a1b0;--paper:#12161c;--card:#1a2028;--rule:#303844;--main:#6ea8ee;--soft:#6ea8ee26;--second:#e39a4f;--warn:#f2c27f;--warnpaper:#33270f}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.55 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif}
header,main{max-width:1040px;margin:0 auto;padding:0 20px}
header{padding-top:36px}
h1{font-size:26px;line-height:1.2;margin:0 0 8px}
h2{font-size:20px;margin:0 0 6px}
header p,.note{color:var(--faint);margin:6px 0 12px}
.note{font-size:13.5px;max-width:80ch}
code{font-size:12.5px}
a{color:var(--main)}
nav,section{margin:28px 0}
section{border-top:1px solid var(--rule);padding-top:24px}
.headline{font-size:16px;margin:0 0 6px;max-width:80ch}
.warning{background:var(--warnpaper);color:var(--warn);padding:7px 12px;margin:6px 0;border-radius:4px;font-size:13.5px}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(130px,1fr));gap:12px;margin:18px 0}
.figures div{background:var(--card);border:1px solid var(--rule);border-radius:6px;padding:10px 14px}
dt{color:var(--faint);font-size:13px}
dd{margin:0;font-size:24px;font-variant-numeric:tabular-nums}
dd.range{font-size:12.5px;color:var(--faint)}
.plots{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,430px),1fr));gap:14px;align-items:start}
figure{margin:0;background:var(--card);border:1px solid var(--rule);border-radius:6px;padding:12px 14px}
figcaption{font-weight:600;margin-bottom:8px;font-size:14px}
svg{display:block;width:100%;max-width:540px;height:auto;margin:0 auto;font:11.5px system-ui,sans-serif}
svg text{fill:var(--ink)}
svg .tick,svg .faint,svg .axis{fill:var(--faint)}
svg .grid{stroke:var(--rule);stroke-width:1}
svg .curve{fill:none;stroke:var(--main);stroke-width:2.2;stroke-linejoin:round}
svg .curve.thin{stroke-width:1.2;opacity:.6}
svg .area{fill:var(--soft)}
svg .perfect{fill:none;stroke:var(--second);stroke-width:1.6;stroke-dasharray:5 4}
svg .random{fill:none;stroke:var(--faint);stroke-width:1.2;stroke-dasharray:2 3}
svg .dot{fill:var(--main)}
svg .bar{fill:var(--main);opacity:.75}
svg .whisker{stroke:var(--ink);stroke-width:1.4}
svg .target{stroke:var(--second);stroke-width:2.6}
svg .low{fill:var(--second)}
svg .high{fill:var(--main)}
details{border-bottom:1px solid var(--rule);padding:9px 0}
summary{cursor:pointer;font-weight:600}
.scroll{overflow-x:auto}
table{border-collapse:collapse;font-size:13.5px;margin:8px 0 12px;font-variant-numeric:tabular-nums}
th,td{padding:4px 14px 4px 0;text-align:left;vertical-align:top;border-bottom:1px solid var(--rule)}
th{color:var(--faint);font-weight:500;white-space:nowrap}
td{overflow-wrap:anywhere;min-width:4ch}
.number{text-align:right;white-space:nowrap}
@media print{details{break-inside:avoid}body{background:#fff}}
`.trim();

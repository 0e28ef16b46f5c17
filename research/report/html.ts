import { escapeHtml } from '../../src/domain/index.ts';
import type { DataSetReport } from '../data-set-report.ts';
import { acrossTable } from './nested-tables.ts';
import { bandPlot, calibrationPlot, capPlot, tornadoPlot } from './plots.ts';
import type { ReportTable } from './report-table.ts';
import { STYLE } from './style.ts';
import { tablesOf } from './tables.ts';
import {
  count,
  fixed,
  headline,
  LIMITS,
  MEASURES,
  percent,
  sensitivitySentence,
  type ValidationReport,
} from './words.ts';

/** Tables that stand open; the others are one click away. */
const OPEN = new Set([
  'Gates',
  'Nested cross-validation',
  'One methodology for all',
  'Discrimination',
  'Bands',
  'What each part is worth',
]);

/** The report as one HTML file: no script, nothing loaded from anywhere, outside text escaped. */
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

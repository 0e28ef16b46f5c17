import { escapeHtml } from '../../domain/index.ts';
import type { DocumentSection, ReportDocument } from './document.ts';

/** The report as one self-contained page: no script, no outside request, prints well. All outside text is escaped. */
export function htmlOf(report: ReportDocument): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${escapeHtml(report.title)} - Assay rating report</title>
<style>
:root{color-scheme:light dark;--line:light-dark(#d0d4da,#3a4048);--soft:light-dark(#f4f5f7,#1d2126);--warn:light-dark(#8a4b00,#ffb454)}
body{font:15px/1.5 system-ui,sans-serif;max-width:70rem;margin:0 auto;padding:1.5rem}
h1{margin:0 0 .5rem}h2{margin:2rem 0 .5rem;font-size:1.1rem}
.banner{border:2px solid var(--warn);color:var(--warn);padding:.5rem 1rem;font-weight:600;margin-bottom:1rem}
.head{display:flex;flex-wrap:wrap;gap:1rem}.card{background:var(--soft);padding:.75rem 1rem;flex:1 1 14rem}
.card b{display:block;font-size:1.9rem;line-height:1.2;overflow-wrap:anywhere}
.wrap{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:.87rem}
th,td{border-bottom:1px solid var(--line);padding:.3rem .5rem;text-align:left;vertical-align:top;overflow-wrap:anywhere}
th{white-space:nowrap}@media print{body{max-width:none;padding:0}.wrap{overflow:visible}h2{break-after:avoid}tr{break-inside:avoid}}
</style></head><body>
${report.banner ? `<p class="banner" role="alert">${escapeHtml(report.banner)}</p>` : ''}
<h1>${escapeHtml(report.title)}</h1>
<div class="head">${report.headline.map((row) => `<div class="card">${escapeHtml(row.label)}<b>${escapeHtml(row.value)}</b>${escapeHtml(row.note)}</div>`).join('')}</div>
<p>${escapeHtml(report.summary)}</p>
${report.sections.map(section).join('\n')}
</body></html>
`;
}

function section(part: DocumentSection): string {
  const head = part.columns.map((name) => `<th scope="col">${escapeHtml(name)}</th>`).join('');
  const rows = part.rows
    .map((row) => `<tr>${row.map((cell) => `<td>${escapeHtml(cell)}</td>`).join('')}</tr>`)
    .join('');
  const table =
    part.rows.length === 0
      ? ''
      : `<div class="wrap"><table><thead><tr>${head}</tr></thead><tbody>${rows}</tbody></table></div>`;
  return `<section><h2>${escapeHtml(part.title)}</h2>${part.note ? `<p>${escapeHtml(part.note)}</p>` : ''}${table}</section>`;
}

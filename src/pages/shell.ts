import { escapeHtml } from '../domain/index.ts';

/** Light or dark by the reader's setting, one column from 320 px; the contrast of text is at least 4.5:1 in both. */
const STYLE = `
:root{color-scheme:light dark;--bg:light-dark(#f4f6f8,#0b0e13);--panel:light-dark(#fff,#12161d);--line:light-dark(#8a94a3,#5b6678);--soft:light-dark(#4d5768,#a9b4c3);--ink:light-dark(#121722,#e9edf3);--link:light-dark(#1a4fd0,#9dbdff);--bad:light-dark(#a3121a,#ff9a92)}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--ink);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Arial,sans-serif;overflow-wrap:anywhere}
main{max-width:60rem;margin:0 auto;padding:1rem}
section,header.top{background:var(--panel);border:1px solid var(--line);border-radius:6px;padding:1rem;margin:0 0 1rem}
h1{font-size:1.6rem;margin:0 0 .25rem}h2{font-size:1.2rem;margin:0 0 .5rem}h3{font-size:1rem;margin:1rem 0 .25rem}
p{margin:.25rem 0 .75rem}.soft{color:var(--soft)}.bad{color:var(--bad);font-weight:600}.banner{border:2px solid var(--bad);padding:.5rem}
a{color:var(--link)}:focus-visible{outline:3px solid var(--link);outline-offset:2px}
dl{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(12rem,100%),1fr));gap:.5rem 1rem;margin:.5rem 0}dt{color:var(--soft)}dd{margin:0;font-weight:600}
ul{margin:.25rem 0 .75rem;padding-left:1.25rem}li{margin:.25rem 0}
.wrap{overflow-x:auto}table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;padding:.35rem .5rem;border-bottom:1px solid var(--line)}td{min-width:7rem}
label{display:block;margin:.5rem 0 .25rem;font-weight:600}textarea,input,select{width:100%;font:inherit;color:inherit;background:var(--bg);border:1px solid var(--line);border-radius:4px;padding:.5rem}
button{font:inherit;padding:.5rem 1rem;margin-top:.75rem;border:2px solid var(--link);border-radius:4px;background:var(--panel);color:var(--link)}
@media print{body{background:#fff}section,header.top{border:0;padding:0}}`;

/** Content security policy of every page: nothing is loaded, no script runs, and forms go to this service only. */
export const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/** A self-contained page for people. `title` is text; `body` is markup with escaped outside text. */
export function pageOf(title: string, body: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="robots" content="noarchive"><title>${escapeHtml(title)}</title>
<style>${STYLE}</style></head><body><main>
${body}
</main></body></html>
`;
}

/** A table that scrolls horizontally when it is too wide; cells are markup. */
export function tableOf(label: string, columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = columns.map((text) => `<th scope="col">${escapeHtml(text)}</th>`).join('');
  const lines = rows.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('');
  return `<div class="wrap" tabindex="0" role="region" aria-label="${escapeHtml(label)}"><table><thead><tr>${head}</tr></thead><tbody>${lines}</tbody></table></div>`;
}

import { escapeHtml, inNumber } from '../domain/index.ts';
import { bandScale, depthChart, factorChart, historyChart, holderChart } from './charts.ts';
import type { CommitteeReport, Figure, Section } from './document.ts';
import { percent } from './format.ts';
import { STYLE } from './style.ts';

/** Text for readers: escaped, nouns in the singular after 1. */
const e = (text: string) => escapeHtml(inNumber(text));
/** Symbol and label of a severity: colour alone carries no meaning. */
export const SHAPES = { critical: '⬣', high: '▲', medium: '◆', low: '○', info: '·' } as const;

/**
 * The report as one self-contained page: no scripts, no outside requests, two A4 sheets in print. All outside text is
 * escaped.
 */
export function htmlOf(report: CommitteeReport): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${e(report.title)} - Assay rating report</title>
<style>${STYLE}</style></head><body><main>
${firstPage(report)}
${secondPage(report)}
${appendix(report)}
</main></body></html>
`;
}

function firstPage(report: CommitteeReport): string {
  const { history, scale } = report;
  return `<article class="page" aria-label="Page 1">
<header><div><h1>${e(report.title)}</h1><p>${e(report.subject)}</p><p class="mono">${e(report.address)}</p></div><div class="meta"><p>${e(report.dated)}</p><p>${e(report.method)}</p></div></header>
${report.banners.map((text) => `<p class="banner">${e(text)}</p>`).join('')}
${report.alerts.length === 0 ? '' : `<div class="alert" role="note"><ul>${report.alerts.map((text) => `<li>${e(text)}</li>`).join('')}</ul></div>`}
<div class="verdict"><b class="b-${report.band} t-${report.band}">${report.band}</b><p>${e(report.verdict)}</p></div>
${bandScale(scale)}
<dl class="figures">${report.figures.map(figure).join('')}</dl>
<h2>Reasons</h2>
${table(
  'reasons',
  ['', 'Finding', 'Acts on'],
  report.reasons.map(({ supports, text, acts }) => [
    `<span class="${supports ? 'up' : 'down'}">${supports ? '✓ Supports' : '✕ Limits'}</span>`,
    e(text),
    e(acts),
  ]),
)}
<div class="two"><section><h2>Factors</h2>${factorChart(report.factors)}<p class="soft">${e(report.peers)}</p></section>
<section><h2>Score and price</h2>${history.days.length < 2 ? '' : historyChart(history, scale)}<p class="soft">${e(history.note)}</p></section></div>
<h2>Facts</h2>
<dl class="facts">${report.facts.map(figure).join('')}</dl>
${foot(report, 1)}</article>`;
}

function secondPage(report: CommitteeReport): string {
  const { flags, holders, depth, change, actions, absences } = report;
  return `<article class="page" aria-label="Page 2">
<h2>${e(flags.title)}</h2>
${
  flags.rows.length === 0
    ? ''
    : table(
        'flags',
        ['Flag', 'Evidence in words', 'Since', 'Effect'],
        flags.rows.map(({ severity, title, evidence, since, effect }) => [
          `<span class="${severity}">${SHAPES[severity]} <span class="k">${e(title)}</span> (${severity})</span>`,
          e(evidence),
          e(since),
          e(effect),
        ]),
      )
}<p class="soft">${e(flags.note)}</p>
<div class="two"><div>${holdersOf(holders)}</div><div>${depthOf(depth)}${actionsOf(actions)}</div></div>
${changeOf(change)}
<h2>What is not known</h2>
${
  absences.rows.length === 0
    ? ''
    : table(
        'absences',
        ['Not known', 'Why, and what it costs', 'What to do'],
        absences.rows.map(({ name, why, action }) => [e(name), e(why), e(action)]),
      )
}<p class="soft">${e(absences.note)}</p>
<h2>Method, sources and limits</h2>
${report.closing.map((text) => `<p class="soft">${e(text)}</p>`).join('')}
${foot(report, 2)}</article>`;
}

function holdersOf(holders: CommitteeReport['holders']): string {
  const rows = holders.rows.map(({ name, raw, adjusted, left }) => [
    e(name),
    percent(raw),
    adjusted === null ? e(left) : percent(adjusted),
  ]);
  const whole = [
    '<span class="k">Ten largest</span>',
    holders.raw === null ? 'not known' : percent(holders.raw),
    holders.adjusted === null ? 'not rated' : percent(holders.adjusted),
  ];
  const shown =
    rows.length === 0
      ? ''
      : holderChart(holders) + table('holders', ['Holder', 'Raw', 'Adjusted'], [...rows, whole], [1, 2]);
  return `<section><h2>Holders</h2>${shown}<p class="soft">${e(holders.note)}</p></section>`;
}

function depthOf(depth: CommitteeReport['depth']): string {
  const rows = depth.rows.map((row) => row.map(e));
  const shown = rows.length === 0 ? '' : depthChart(depth) + table('depth', ['Order', 'Size'], rows, [1]);
  return `<section><h2>Depth</h2>${shown}<p class="soft">${e(depth.note)}</p></section>`;
}

function changeOf(change: CommitteeReport['change']): string {
  const rows = change.rows.map((row) => row.map(e));
  const shown = rows.length === 0 ? '' : table('change', ['What', 'Now and needed'], rows);
  return `<section><h2>What would change the band</h2>${shown}<p class="soft">${e(change.note)}</p></section>`;
}

function actionsOf(actions: CommitteeReport['actions']): string {
  const rows = actions.rows.map(({ date, action, score, reason }) => [date, action, score, reason].map(e));
  const shown = rows.length === 0 ? '' : table('actions', ['Date', 'Action', 'Score', 'Reason'], rows, [2]);
  return `<section><h2>Rating actions</h2>${shown}<p class="soft">${e(actions.note)}</p></section>`;
}

function appendix({ receipts }: CommitteeReport): string {
  return `<section class="appendix"><details><summary>${e(receipts.title)} (printed only when open)</summary>
${receipts.sections.map(section).join('\n')}
</details></section>`;
}

function section({ title, note, columns, rows }: Section): string {
  const content =
    rows.length === 0
      ? ''
      : `<div class="wrap" tabindex="0" role="region" aria-label="${e(title)}">${table(
          '',
          columns,
          rows.map((row) => row.map(e)),
        )}</div>`;
  return `<section><h2>${e(title)}</h2>${note ? `<p>${e(note)}</p>` : ''}${content}</section>`;
}

function figure({ label, value, note }: Figure): string {
  return `<div><dt>${e(label)}</dt><dd><b>${e(value)}</b>${note === '' ? '' : `<span>${e(note)}</span>`}</dd></div>`;
}

/** Cells are HTML already; `right` are columns of figures. */
function table(
  name: string,
  columns: readonly string[],
  rows: readonly (readonly string[])[],
  right: readonly number[] = [],
): string {
  const align = (place: number) => (right.includes(place) ? ' class="n"' : '');
  const head = columns.map((column, place) =>
    column === '' ? '<td></td>' : `<th scope="col"${align(place)}>${e(column)}</th>`,
  );
  const body = rows.map((row) => `<tr>${row.map((cell, place) => `<td${align(place)}>${cell}</td>`).join('')}</tr>`);
  return `<table${name === '' ? '' : ` class="${name}"`}><thead><tr>${head.join('')}</tr></thead><tbody>${body.join('')}</tbody></table>`;
}

function foot({ footer }: CommitteeReport, page: number): string {
  return `<div class="foot"><span>${e(footer)}</span><span>${page} of 2</span></div>`;
}

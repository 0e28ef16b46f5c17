import { escapeHtml } from '../../src/domain/index.ts';
import type { BandTable, Calibration } from '../calibration.ts';
import type { Sensitivity } from '../sensitivity.ts';
import { count, fixed, percent } from './format.ts';

/** Plots as inline SVG; colours come from the page's custom properties, so they follow light and dark. */
const WIDTH = 460;

type Point = readonly [x: number, y: number];

/** Cumulative accuracy profile, with the perfect and the random one. */
export function capPlot(points: readonly Point[], baseRate: number): string {
  const frame = frameOf(340, 'Share of members, worst score first', 'Share of failures found');
  const path = (line: readonly Point[]) => frame.line(line);
  return frame.svg(
    'Cumulative accuracy profile',
    [
      frame.grid(
        [0, 0.25, 0.5, 0.75, 1],
        [0, 0.25, 0.5, 0.75, 1],
        (value) => `${value * 100}%`,
        (value) => `${value * 100}%`,
      ),
      `<path class="area" d="${path([...points, [1, 0]])}Z"/>`,
      `<path class="random" d="${path([
        [0, 0],
        [1, 1],
      ])}"/>`,
      `<path class="perfect" d="${path([
        [0, 0],
        [baseRate, 1],
        [1, 1],
      ])}"/>`,
      `<path class="curve" d="${path(points)}"/>`,
      frame.legend([
        ['curve', 'this score'],
        ['perfect', 'perfect'],
        ['random', 'random'],
      ]),
    ].join(''),
  );
}

/** Observed failure rate by score with Jeffreys intervals, and the ladder's target. */
export function calibrationPlot(
  calibration: Calibration,
  ladder: readonly { readonly from: number; readonly target: number }[],
): string {
  const scores = calibration.groups.map((group) => group.meanScore);
  const [lowest, highest] = [Math.min(...scores), Math.max(...scores)];
  const margin = Math.max(2, (highest - lowest) * 0.1);
  const [from, to] = [Math.max(0, Math.floor(lowest - margin)), Math.min(100, Math.ceil(highest + margin))];
  const frame = frameOf(340, 'Score', 'Failure rate', from, to);
  const steps = [...ladder]
    .sort((a, b) => a.from - b.from)
    .flatMap((row, index, rows): Point[] => {
      const start = Math.max(from, row.from);
      const end = Math.min(to, rows[index + 1]?.from ?? 100);
      return end <= start
        ? []
        : [
            [start, row.target],
            [end, row.target],
          ];
    });
  return frame.svg(
    'Calibration by score',
    [
      frame.grid(
        ticksOf(from, to),
        [0, 0.25, 0.5, 0.75, 1],
        (value) => String(value),
        (value) => `${value * 100}%`,
      ),
      `<path class="perfect" d="${frame.line(steps)}"/>`,
      `<path class="curve thin" d="${frame.line(calibration.groups.map((group): Point => [group.meanScore, group.rate]))}"/>`,
      ...calibration.groups.map((group) => {
        const x = frame.x(group.meanScore);
        return `<g><title>${count(group.members)} members, mean score ${fixed(group.meanScore, 1)}: ${percent(group.rate)} failed</title><line class="whisker" x1="${x}" x2="${x}" y1="${frame.y(group.interval[0])}" y2="${frame.y(group.interval[1])}"/><circle class="dot" cx="${x}" cy="${frame.y(group.rate)}" r="4"/></g>`;
      }),
      frame.legend([
        ['curve', 'observed, 95 %'],
        ['perfect', 'ladder’s target'],
      ]),
    ].join(''),
  );
}

/** Failure rate of each band that has members, best on top, with its interval and the ladder's target. */
export function bandPlot(table: BandTable): string {
  const rows = table.rows.filter((row) => row.members > 0);
  const [left, right, step, top] = [52, 124, 30, 8];
  const height = top + rows.length * step + 40;
  const x = (rate: number) => round(left + rate * (WIDTH - left - right));
  const axis = top + rows.length * step;
  return svg(
    'Failure rate by band',
    height,
    [
      ...[0, 0.25, 0.5, 0.75, 1].map(
        (rate) =>
          `<line class="grid" x1="${x(rate)}" x2="${x(rate)}" y1="${top}" y2="${axis}"/><text class="tick" x="${x(rate)}" y="${axis + 15}" text-anchor="middle">${rate * 100}%</text>`,
      ),
      ...rows.map((row, index) => {
        const y = top + index * step;
        const middle = y + step / 2;
        const [low, high] = row.interval ?? [0, 1];
        const target =
          row.target === null
            ? ''
            : `<line class="target" x1="${x(row.target)}" x2="${x(row.target)}" y1="${y + 3}" y2="${y + step - 3}"/>`;
        return `<g><title>${row.band}: ${count(row.failures)} of ${count(row.members)} failed</title><text class="label" x="${left - 10}" y="${middle + 4}" text-anchor="end">${row.band}</text><rect class="bar" x="${left}" y="${y + 6}" width="${round(Math.max(1, x(row.rate ?? 0) - left))}" height="${step - 12}" rx="2"/><line class="whisker" x1="${x(low)}" x2="${x(high)}" y1="${middle}" y2="${middle}"/>${target}<text class="value" x="${WIDTH - right + 12}" y="${middle + 4}">${percent(row.rate)} <tspan class="faint">n ${count(row.members)}</tspan></text></g>`;
      }),
      `<text class="axis" x="${(left + WIDTH - right) / 2}" y="${axis + 34}" text-anchor="middle">Failure rate, 95 % interval; tick: ladder’s target</text>`,
    ].join(''),
  );
}

const MOST_BARS = 14;

/** Range of the AUC (or of the ranks) between both ends of each judgement alone. */
export function tornadoPlot(found: Sensitivity): string {
  const reference = found.auc?.reference ?? 0;
  const rows = [...found.indices]
    .sort((a, b) => reach(b, reference) - reach(a, reference))
    .filter((row) => reach(row, reference) > 0)
    .slice(0, MOST_BARS);
  if (rows.length === 0) return '<p class="note">No single judgement moves the result.</p>';
  const ends = [reference, ...rows.flatMap((row) => [row.atLow, row.atHigh])];
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  const [left, right, step, top] = [170, 16, 22, 8];
  const height = top + rows.length * step + 54;
  const margin = (high - low) * 0.06;
  const x = (value: number) =>
    round(left + ((value - low + margin) / (high - low + 2 * margin)) * (WIDTH - left - right));
  const axis = top + rows.length * step;
  const bar = (value: number, y: number, end: 'low' | 'high') =>
    `<rect class="${end}" x="${Math.min(x(value), x(reference))}" y="${end === 'low' ? y + 3 : y + step / 2}" width="${round(Math.max(0.5, Math.abs(x(value) - x(reference))))}" height="${step / 2 - 3}"/>`;
  return svg(
    'What single judgements move',
    height,
    [
      ...rows.map((row, index) => {
        const y = top + index * step;
        return `<g><title>${escapeHtml(row.name)}: ${fixed(row.atLow, 4)} at its low end, ${fixed(row.atHigh, 4)} at its high end; total Sobol index ${fixed(row.totalOnAuc ?? row.total, 2)}</title><text class="label" x="${left - 10}" y="${y + step / 2 + 4}" text-anchor="end">${escapeHtml(row.name)}</text>${bar(row.atLow, y, 'low')}${bar(row.atHigh, y, 'high')}</g>`;
      }),
      `<line class="whisker" x1="${x(reference)}" x2="${x(reference)}" y1="${top}" y2="${axis}"/>`,
      ...[low, high].map(
        (value, index) =>
          `<text class="tick" x="${x(value)}" y="${axis + 15}" text-anchor="${index === 0 ? 'start' : 'end'}">${fixed(value, 4)}</text>`,
      ),
      `<text class="axis" x="${(left + WIDTH - right) / 2}" y="${axis + 32}" text-anchor="middle">${found.auc === null ? 'Mean rank shift' : 'AUC'}, one judgement changed at a time</text>`,
      `<g transform="translate(${left},${axis + 46})"><rect class="low" width="10" height="8" y="-7"/><text class="tick" x="15">low end</text><rect class="high" x="75" width="10" height="8" y="-7"/><text class="tick" x="90">high end</text></g>`,
    ].join(''),
  );
}

function reach(row: { readonly atLow: number; readonly atHigh: number }, reference: number): number {
  return Math.max(Math.abs(row.atLow - reference), Math.abs(row.atHigh - reference));
}

function frameOf(height: number, xTitle: string, yTitle: string, from = 0, to = 1) {
  const [left, right, top, bottom] = [56, 24, 12, 62];
  const x = (value: number) => round(left + ((value - from) / (to - from)) * (WIDTH - left - right));
  const y = (value: number) => round(top + (1 - value) * (height - top - bottom));
  const line = (points: readonly Point[]) =>
    points.map(([a, b], index) => `${index === 0 ? 'M' : 'L'}${x(a)} ${y(b)}`).join('');
  return {
    x,
    y,
    line,
    grid: (
      across: readonly number[],
      up: readonly number[],
      xText: (value: number) => string,
      yText: (value: number) => string,
    ) =>
      [
        ...across.map(
          (value) =>
            `<line class="grid" x1="${x(value)}" x2="${x(value)}" y1="${y(0)}" y2="${y(1)}"/><text class="tick" x="${x(value)}" y="${y(0) + 16}" text-anchor="middle">${xText(value)}</text>`,
        ),
        ...up.map(
          (value) =>
            `<line class="grid" x1="${x(from)}" x2="${x(to)}" y1="${y(value)}" y2="${y(value)}"/><text class="tick" x="${left - 8}" y="${y(value) + 4}" text-anchor="end">${yText(value)}</text>`,
        ),
      ].join(''),
    legend: (rows: readonly (readonly [className: string, name: string])[]) =>
      `<g transform="translate(${left},${height - 8})">${rows
        .map(
          ([className, name], index) =>
            `<path class="${className}" d="M${index * 130} -4h22"/><text class="tick" x="${index * 130 + 28}">${name}</text>`,
        )
        .join('')}</g>`,
    svg: (title: string, body: string) =>
      svg(
        title,
        height,
        `${body}<text class="axis" x="${(left + WIDTH - right) / 2}" y="${height - 28}" text-anchor="middle">${xTitle}</text><text class="axis" transform="translate(13,${(top + height - bottom) / 2}) rotate(-90)" text-anchor="middle">${yTitle}</text>`,
      ),
  };
}

function svg(title: string, height: number, body: string): string {
  return `<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${title}">${body}</svg>`;
}

function ticksOf(from: number, to: number): readonly number[] {
  const step = [1, 2, 5, 10, 20].find((size) => (to - from) / size <= 8) ?? 20;
  const first = Math.ceil(from / step) * step;
  return Array.from({ length: Math.floor((to - first) / step) + 1 }, (_, index) => first + index * step);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

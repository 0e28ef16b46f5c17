import { counted, escapeHtml, inNumber } from '../domain/index.ts';
import type { DepthPart, FactorRow, History, Holders, Scale } from './document.ts';
import { percent, short, signed } from './format.ts';

const e = (text: string) => escapeHtml(inNumber(text));

/**
 * Charts of the report as inline SVG without script. Colours come from classes, so that they follow the theme and
 * print.
 */

const fixed = (value: number) => String(Math.round(value * 10) / 10);

function text(x: number, y: number, content: string, attributes = ''): string {
  return `<text x="${fixed(x)}" y="${fixed(y)}"${attributes === '' ? '' : ` ${attributes}`}>${e(content)}</text>`;
}

function rect(x: number, y: number, width: number, height: number, name: string, title = ''): string {
  const inner = title === '' ? '' : `<title>${e(title)}</title>`;
  return `<rect x="${fixed(x)}" y="${fixed(y)}" width="${fixed(Math.max(0, width))}" height="${fixed(height)}" class="${name}">${inner}</rect>`;
}

function line(x1: number, y1: number, x2: number, y2: number, name: string): string {
  return `<line x1="${fixed(x1)}" y1="${fixed(y1)}" x2="${fixed(x2)}" y2="${fixed(y2)}" class="${name}"/>`;
}

function svg(width: number, height: number, label: string, content: string, name = ''): string {
  return `<svg class="chart${name === '' ? '' : ` ${name}`}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${e(label)}">${content}</svg>`;
}

const MIDDLE = 'text-anchor="middle"';
const END = 'text-anchor="end"';

/** Score, interval and ceiling on the scale of the bands: one drawing for wide screens and one for phones. */
export function bandScale(scale: Scale): string {
  return drawScale(scale, 700, 'wide') + drawScale(scale, 340, 'narrow');
}

function drawScale({ bands, score, interval, ceiling }: Scale, width: number, name: string): string {
  const at = (value: number) => 4 + (value / 100) * (width - 8);
  const rising = bands.toSorted((a, b) => a.from - b.from);
  const bars = rising.map(({ band, from }, index) => {
    const to = rising[index + 1]?.from ?? 100;
    const wide = at(to) - at(from);
    const label =
      wide > 7 * band.length + 4 ? text((at(from) + at(to)) / 2, 37, band, `${MIDDLE} class="on-${band}"`) : '';
    const edge =
      wide > 20 || from === 0 ? text(at(from), 54, String(from), `${from === 0 ? '' : MIDDLE} class="soft"`) : '';
    return rect(at(from), 25, wide - 1, 17, `b-${band}`, `${band}: from ${from}`) + label + edge;
  });
  const range = interval === null ? '' : line(at(interval[0]), 18, at(interval[1]), 18, 'range');
  const side = score !== null && score > 90 ? END : score !== null && score < 10 ? '' : MIDDLE;
  const mark =
    score === null
      ? text(width / 2, 13, 'not rated: no place on the scale', `${MIDDLE} class="strong"`)
      : `<path d="M${fixed(at(score) - 5)} 16h10l-5 8z" class="ink"/>${text(at(score), 12, score.toFixed(1), `${side} class="strong"`)}`;
  const limit =
    ceiling === null
      ? ''
      : line(at(ceiling), 22, at(ceiling), 46, 'limit') +
        text(at(ceiling), 66, `ceiling ${ceiling}`, `${ceiling > 80 ? END : ceiling < 15 ? '' : MIDDLE} class="warn"`);
  const label =
    score === null
      ? 'Scale of bands; the asset is not rated'
      : `Score ${score.toFixed(1)} on the scale of bands${interval ? `, 80 % interval ${interval[0]} to ${interval[1]}` : ''}${ceiling === null ? '' : `, ceiling ${ceiling}`}`;
  return svg(width, 70, label, bars.join('') + range + limit + mark, name);
}

/** Points of each factor, with the peers' interquartile range and median where they are known. */
export function factorChart(factors: readonly FactorRow[]): string {
  const [left, right, row] = [164, 270, 21];
  const at = (value: number) => left + (value / 100) * (right - left);
  const grid = [0, 50, 100].map(
    (value) =>
      line(at(value), 14, at(value), 16 + row * factors.length, 'grid') +
      text(at(value), 10, String(value), `${MIDDLE} class="soft"`),
  );
  const rows = factors.map(({ code, name, score, weight, points, peers }, index) => {
    const y = 18 + index * row;
    const among =
      peers === null
        ? ''
        : `; peers ${peers.low.toFixed(1)} to ${peers.high.toFixed(1)}, median ${peers.median.toFixed(1)}`;
    const title = `${name}: ${score.toFixed(1)} of 100, weight ${weight} %, ${signed(points)} points${among}`;
    return [
      text(0, y + 11, clipped(name, 27), 'class="name"'),
      peers === null ? '' : rect(at(peers.low), y, at(peers.high) - at(peers.low), 15, 'ground'),
      rect(at(0), y + 4, at(score) - at(0), 7, score < 40 ? 'bar weak' : 'bar', `${code} ${title}`),
      peers === null ? '' : line(at(peers.median), y, at(peers.median), y + 15, 'median'),
      text(right + 34, y + 11, score.toFixed(1), `${END} class="strong"`),
      text(340, y + 11, signed(points), `${END} class="soft"`),
    ].join('');
  });
  const label = `Factors: ${factors.map(({ name, score, peers }) => `${name} ${score.toFixed(1)}${peers === null ? '' : ` (median of peers ${peers.median.toFixed(1)})`}`).join(', ')}`;
  return svg(340, 22 + row * factors.length, label, grid.join('') + rows.join(''));
}

function clipped(name: string, most: number): string {
  return name.length <= most ? name : `${name.slice(0, most - 1).trimEnd()}…`;
}

/** Score over the bands and price, by day. */
export function historyChart({ days }: History, { bands }: Scale): string {
  const prices = days.flatMap(({ priceUsd }) => (priceUsd !== null && priceUsd > 0 ? [priceUsd] : []));
  const [cheap, dear] = [Math.min(...prices), Math.max(...prices)];
  // A price of many digits needs more room beside the axis.
  const widest = prices.length === 0 ? 0 : Math.max(short(cheap).length, short(dear).length);
  const [left, right, top, bottom] = [Math.max(34, 6 * widest + 4), 292, 8, 176];
  const first = Date.parse(days[0]?.day ?? '');
  const span = Math.max(1, Date.parse(days.at(-1)?.day ?? '') - first);
  const x = (of: string) => left + ((Date.parse(of) - first) / span) * (right - left);
  const scores = days.flatMap(({ score }) => score ?? []);
  const [low, high] =
    scores.length === 0 ? [0, 100] : [Math.max(0, Math.min(...scores) - 12), Math.min(100, Math.max(...scores) + 12)];
  const y = (score: number) => bottom - ((score - low) / (high - low)) * (bottom - top);
  const rising = bands.toSorted((a, b) => a.from - b.from);
  const ground = rising.map(({ band, from }, index) => {
    const [under, over] = [Math.max(low, from), Math.min(high, rising[index + 1]?.from ?? 100)];
    if (over <= under) return '';
    const tall = y(under) - y(over);
    return `<g>${rect(left, y(over), right - left, tall, `b-${band} faint`)}${tall > 11 ? text(right + 20, (y(under) + y(over)) / 2 + 4, band, `${MIDDLE} class="strong"`) : ''}</g>`;
  });
  const yPrice = (price: number) => bottom - 4 - ((price - cheap) / (dear - cheap || 1)) * (bottom - top - 8);
  const path = (points: readonly (readonly [number, number] | null)[]) =>
    points
      .map((point, index) =>
        point === null ? '' : `${points[index - 1] ? 'L' : 'M'}${fixed(point[0])} ${fixed(point[1])}`,
      )
      .join('');
  const scored = path(days.map(({ day, score }) => (score === null ? null : [x(day), y(score)])));
  const priced = path(
    days.map(({ day, priceUsd }) => (priceUsd === null || priceUsd <= 0 ? null : [x(day), yPrice(priceUsd)])),
  );
  const axis =
    prices.length === 0
      ? ''
      : text(left - 3, top + 8, short(dear), `${END} class="soft"`) +
        text(left - 3, bottom, short(cheap), `${END} class="soft"`);
  const label = `Score from ${scores[0]?.toFixed(1) ?? 'none'} to ${scores.at(-1)?.toFixed(1) ?? 'none'} over ${counted(days.length, 'day')}${prices.length > 0 ? `, price from ${short(prices[0] ?? 0)} to ${short(prices.at(-1) ?? 0)} USD` : ''}`;
  return svg(
    340,
    206,
    label,
    `${ground.join('')}<path d="${priced}" class="price"/><path d="${scored}" class="score"/>${axis}${text(left, 190, days[0]?.day ?? '', 'class="soft"')}${text(right, 190, days.at(-1)?.day ?? '', `${END} class="soft"`)}<path d="M0 201h14" class="score"/>${text(18, 204, 'score, over the bands')}<path d="M150 201h14" class="price"/>${text(168, 204, 'price, USD, left')}`,
  );
}

/** The ten largest holders, by raw and by adjusted supply. */
export function holderChart({ rows }: Holders): string {
  const bar = (y: number, shares: readonly (number | null)[], title: string) => {
    let x = 0;
    const parts = shares.map((share, index) => {
      const width = Math.min(340 - x, (share ?? 0) * 340);
      const drawn =
        width < 0.3
          ? ''
          : rect(
              x,
              y,
              Math.max(0.5, width - 1),
              14,
              `h${index % 8}`,
              `${rows[index]?.name ?? ''}: ${percent(share ?? 0)}`,
            );
      x += width;
      return drawn;
    });
    return `${text(0, y - 4, title)}${rect(0, y, 340, 14, 'ground')}${parts.join('')}`;
  };
  const label = `Largest holders: raw ${rows.map(({ name, raw }) => `${name} ${percent(raw)}`).join(', ')}`;
  return svg(
    340,
    66,
    label,
    bar(
      14,
      rows.map(({ raw }) => raw),
      'Raw share of the supply',
    ) +
      bar(
        48,
        rows.map(({ adjusted }) => adjusted),
        'Adjusted share of independent holders',
      ),
  );
}

/** Order size against price impact. */
export function depthChart({ points }: DepthPart): string {
  const [left, right, top, bottom] = [34, 330, 8, 118];
  const sizes = points
    .flatMap(({ sellUsd, buyUsd }) => [sellUsd, buyUsd])
    .filter((usd): usd is number => usd !== null && usd > 0);
  if (sizes.length === 0) return '';
  const [low, high] = [Math.log10(Math.min(...sizes)) - 0.1, Math.log10(Math.max(...sizes)) + 0.1];
  const most = Math.max(...points.map(({ movePct }) => movePct));
  const x = (usd: number) => left + ((Math.log10(usd) - low) / (high - low)) * (right - left);
  const y = (move: number) => bottom - (move / most) * (bottom - top);
  const moves = points.map(
    ({ movePct }) =>
      line(left, y(movePct), right, y(movePct), 'grid') +
      (y(movePct) < bottom - 8 || movePct === most
        ? text(left - 4, y(movePct) + 4, `${movePct} %`, `${END} class="soft"`)
        : ''),
  );
  const curve = (side: 'sellUsd' | 'buyUsd', name: string) => {
    const known = points.flatMap((row) =>
      row[side] !== null && row[side] > 0 ? [[x(row[side]), y(row.movePct)] as const] : [],
    );
    return `<path d="${known.map(([px, py], index) => `${index === 0 ? 'M' : 'L'}${fixed(px)} ${fixed(py)}`).join('')}" class="${name}"/>`;
  };
  // An axis within one power of ten also has marks at 2 and 5.
  const steps = high - low > 1.6 ? [1] : [1, 2, 5];
  const powers = Array.from(
    { length: Math.max(0, Math.floor(high) - Math.floor(low) + 1) },
    (_, index) => Math.floor(low) + index,
  );
  const ticks = powers
    .flatMap((power) => steps.map((step) => step * 10 ** power))
    .filter((usd) => x(usd) >= left && x(usd) <= right)
    .map((usd) => text(x(usd), 132, short(usd), `${MIDDLE} class="soft"`));
  const label = `Depth of pools: ${points.map(({ movePct, sellUsd }) => `a sale of ${sellUsd === null ? 'unknown size' : `${short(sellUsd)} USD`} moves the price by ${movePct} %`).join(', ')}`;
  return svg(
    340,
    152,
    label,
    `${moves.join('')}${line(left, bottom, right, bottom, 'axis')}${curve('buyUsd', 'buy')}${curve('sellUsd', 'sell')}${ticks.join('')}<path d="M0 146h14" class="sell"/>${text(18, 149, 'sale')}<path d="M60 146h14" class="buy"/>${text(78, 149, 'purchase')}${text(340, 149, 'order size, USD (log)', `${END} class="soft"`)}`,
  );
}

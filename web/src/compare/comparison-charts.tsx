import { useCallback, useMemo } from 'react';
import { PlotChart, type PlotOptions } from '../charts/chart.tsx';
import { many, points } from '../format.ts';
import { Missing } from '../parts/missing.tsx';
import { Panel } from '../parts/panel.tsx';
import { type Compared, nameOf } from './compare-page.tsx';

const SYMBOLS = ['circle', 'square', 'triangle', 'diamond', 'star'] as const;
const DASHES = ['', '6 3', '2 3', '8 3 2 3', '1 4'];
/** Below this width the axes of the factors lie below each other. */
const NARROW = 480;
const colour = (place: number) => `var(--s${place + 1})`;

/** Factors as parallel axes; behind them the middle half of the peers of the first asset. */
export function FactorLines({ compared }: { readonly compared: readonly Compared[] }) {
  const { names, lines, ground } = useMemo(() => {
    const titles = new Map(
      compared.flatMap(({ breakdown }) =>
        (breakdown?.factors ?? []).map(({ code, name }) => [code as string, name] as const),
      ),
    );
    const ranges = compared[0]?.peers?.factors ?? [];
    return {
      names: [...titles.values()],
      lines: compared.map(({ rating, breakdown }) => ({
        name: nameOf(rating),
        points: (breakdown?.factors ?? []).map(({ name, score }) => ({ name, score })),
      })),
      ground: ranges.flatMap(({ code, low, high, median }) => {
        const name = titles.get(code);
        return name && low !== null && high !== null ? [{ name, low, high, median }] : [];
      }),
    };
  }, [compared]);
  const options: PlotOptions = useCallback(
    (plot, width) => {
      // On a phone the axes lie below each other: a name beside its axis needs no breaking.
      const isNarrow = width < NARROW;
      const [along, across] = isNarrow ? (['y', 'x'] as const) : (['x', 'y'] as const);
      const axes = { type: 'point', domain: names, label: null, tickSize: 0 } as const;
      const wrap = (name: string) => wrapped(name, (width - 42) / Math.max(1, names.length));
      return {
        ...(isNarrow ? { marginLeft: 174 } : { marginLeft: 30, marginBottom: 56 }),
        marginRight: 12,
        [along]: isNarrow ? axes : { ...axes, tickFormat: wrap },
        [across]: { domain: [0, 100], ticks: 5, tickSize: 0, grid: true, label: null },
        marks: [
          (isNarrow ? plot.ruleY : plot.ruleX)(ground, {
            [along]: 'name',
            [`${across}1`]: 'low',
            [`${across}2`]: 'high',
            stroke: 'var(--fill2)',
            strokeWidth: 12,
            title: (one: (typeof ground)[number]) =>
              `${one.name}: middle half of the peers ${points(one.low)} to ${points(one.high)}`,
          }),
          ...lines.flatMap(({ points: all }, place) => [
            plot.line(all, {
              [along]: 'name',
              [across]: 'score',
              stroke: colour(place),
              strokeWidth: 2,
              strokeDasharray: DASHES[place] ?? '',
            }),
            plot.dot(all, {
              [along]: 'name',
              [across]: 'score',
              fill: colour(place),
              symbol: SYMBOLS[place] ?? 'circle',
              r: 4.5,
              title: ({ name, score }: { name: string; score: number | null }) =>
                `${lines[place]?.name}, ${name}: ${points(score)}`,
            }),
          ]),
        ],
      };
    },
    [names, lines, ground],
  );
  const peers = compared[0]?.peers;
  return (
    <Panel
      title="Factors"
      sub={
        peers && ground.length > 0
          ? `grey: middle half of ${many(peers.peers, 'peer')} of ${nameOf((compared[0] as Compared).rating)}`
          : undefined
      }
      foot={lines.map(({ name }, place) => (
        <span key={name} className="line-key">
          <svg width="26" height="10" aria-hidden="true">
            <line x1="0" x2="26" y1="5" y2="5" stroke={colour(place)} strokeWidth="2" strokeDasharray={DASHES[place]} />
          </svg>{' '}
          {name}
        </span>
      ))}
    >
      {names.length === 0 ? (
        <p className="empty">
          <Missing
            why="not_asked"
            words="The breakdowns of the ratings have not been read, or the key may not read them."
          />
        </p>
      ) : (
        <PlotChart
          height={260}
          options={options}
          label={`Factor scores, 0 to 100. ${lines.map(({ name, points: all }) => `${name}: ${all.map((one) => `${one.name} ${points(one.score)}`).join(', ')}`).join('. ')}`}
        />
      )}
    </Panel>
  );
}

/** A name on several lines, so that it fits its place on the axis. */
function wrapped(name: string, width: number): string {
  const most = Math.max(6, Math.floor(width / 6.4));
  const lines: string[] = [];
  const broken = (word: string) =>
    word.length <= most
      ? [word]
      : [`${word.slice(0, Math.ceil(word.length / 2))}-`, word.slice(Math.ceil(word.length / 2))];
  for (const word of name.split(' ').flatMap(broken)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < most) lines.splice(-1, 1, `${last} ${word}`);
    else lines.push(word);
  }
  return lines.slice(0, 4).join('\n');
}

/** Price over fair value against the score, both with their 80 % intervals; the peers are small dots. */
export function ValueAgainstScore({ compared }: { readonly compared: readonly Compared[] }) {
  const { dots, peers } = useMemo(
    () => ({
      dots: compared.flatMap(({ rating }, place) => {
        const { score, score_interval: interval, vfr } = rating;
        if (score === null || vfr.value === null) return [];
        return [
          {
            name: nameOf(rating),
            place,
            score,
            vfr: vfr.value,
            low: interval?.[0] ?? score,
            high: interval?.[1] ?? score,
            cheap: vfr.interval?.[0] ?? vfr.value,
            dear: vfr.interval?.[1] ?? vfr.value,
          },
        ];
      }),
      peers: (compared[0]?.peers?.data ?? []).flatMap(({ score, vfr, symbol, name }) =>
        vfr === null ? [] : [{ score, vfr, name: symbol ?? name ?? '' }],
      ),
    }),
    [compared],
  );
  const without = compared.filter(({ rating }) => rating.score === null || rating.vfr.value === null);
  const options: PlotOptions = useCallback(
    (plot) => ({
      marginLeft: 38,
      marginBottom: 34,
      x: { label: 'Score', grid: true, ticks: 6 },
      y: {
        type: 'log',
        label: 'Price over fair value',
        grid: true,
        ticks: 5,
        tickFormat: (value: number) => String(Number(value.toPrecision(2))),
      },
      marks: [
        plot.ruleY([1], { stroke: 'var(--line-2)', strokeDasharray: '3 3' }),
        plot.dot(peers, { x: 'score', y: 'vfr', r: 3, fill: 'var(--s2)', fillOpacity: 0.45, title: 'name' }),
        plot.ruleY(dots, {
          x1: 'low',
          x2: 'high',
          y: 'vfr',
          stroke: ({ place }: { place: number }) => colour(place),
          strokeWidth: 1.5,
        }),
        plot.ruleX(dots, {
          x: 'score',
          y1: 'cheap',
          y2: 'dear',
          stroke: ({ place }: { place: number }) => colour(place),
          strokeWidth: 1.5,
        }),
        // A name at the right edge is written towards the middle; the next one by score stands on the other side.
        ...dots
          .toSorted((a, b) => a.score - b.score)
          .flatMap((dot, rank) => [
            plot.dot([dot], {
              x: 'score',
              y: 'vfr',
              r: 6,
              fill: colour(dot.place),
              symbol: SYMBOLS[dot.place] ?? 'circle',
              title: () => `${dot.name}: score ${points(dot.score)}, ${dot.vfr.toFixed(2)} of fair value`,
            }),
            plot.text([dot], {
              x: 'score',
              y: 'vfr',
              text: 'name',
              dy: rank % 2 === 0 ? -14 : 14,
              dx: dot.score > 70 ? -4 : 4,
              textAnchor: dot.score > 70 ? 'end' : 'start',
              fill: 'var(--ink)',
              fontWeight: 600,
              stroke: 'var(--panel)',
            }),
          ]),
      ],
    }),
    [dots, peers],
  );
  return (
    <Panel
      title="Value against score"
      meta={peers.length > 0 ? `${many(peers.length, 'peer')}, 80 % intervals` : '80 % intervals'}
      foot="Above 1: expensive against peers. Not a forecast."
    >
      {dots.length > 0 ? (
        <PlotChart
          height={280}
          options={options}
          label={`Price over fair value against the score: ${dots.map((dot) => `${dot.name} ${dot.vfr.toFixed(2)} at ${points(dot.score)}`).join(', ')}`}
        />
      ) : (
        <p className="empty">None of these assets has a fair value to be compared with.</p>
      )}
      {without.length > 0 && (
        <p className="q">
          Not drawn: {without.map(({ rating }) => nameOf(rating)).join(', ')}{' '}
          <Missing why="no_peers" words="No score, or no fair value that can be computed reliably from peers." />
        </p>
      )}
    </Panel>
  );
}

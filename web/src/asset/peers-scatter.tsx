import { Link } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { PlotChart } from '../charts/chart.tsx';
import type { PlotProps } from '../charts/plot.tsx';
import { dollars, points, shortAddress } from '../format.ts';
import { Button } from '../parts/button.tsx';
import { Band } from '../parts/marks.tsx';
import { orMissing } from '../parts/missing.tsx';
import { Panel } from '../parts/panel.tsx';
import { type Column, columnBy, columnsOf, NUMBER, Table, WIDE } from '../parts/table.tsx';
import type { Facts, Peers } from './facts.ts';

type Peer = Peers['data'][number];
interface Dot extends Peer {
  readonly value: number;
  readonly isThis: boolean;
}

const VALUES = {
  vfr: {
    title: 'price over fair value',
    of: ({ vfr }: Peer) => vfr,
    axis: 'Price over fair value (vfr, log)',
    show: (value: number) => value.toFixed(2),
  },
  cap: {
    title: 'market cap',
    of: ({ market_cap_usd: cap }: Peer) => cap,
    axis: 'Market cap, USD (log)',
    show: dollars,
  },
} as const;

const nameOf = ({ symbol, name, asset_id: id }: Pick<Peer, 'symbol' | 'name' | 'asset_id'>) =>
  symbol ?? name ?? shortAddress(id);

const column = columnsOf<Peer>();
const COLUMNS: readonly Column<Peer>[] = [
  columnBy(
    'Asset',
    (peer) => (
      <Link to="/asset/$name" params={{ name: peer.asset_id }}>
        {nameOf(peer)}
      </Link>
    ),
    { value: nameOf },
  ),
  columnBy('Band', ({ band }) => <Band band={band} />),
  column('score', 'Score', points, { number: true }),
  column('trust_score', 'Trust', points, { ...NUMBER, ...WIDE }),
  column(
    'vfr',
    'vfr',
    orMissing('no_peers', undefined, (vfr: number) => vfr.toFixed(2)),
    NUMBER,
  ),
  column('market_cap_usd', 'Market cap', orMissing('no_source', undefined, dollars), NUMBER),
];

const LABEL = { letter: 6.6, height: 13, above: 11, inset: 64, plotHeight: 380 };

/** Dots whose labels do not overlap, highest scores first; the others show their label under the pointer. */
function labelled(dots: readonly Dot[], width: number): readonly Dot[] {
  const logs = dots.map(({ value }) => Math.log(value));
  const [low, high] = [Math.min(...logs), Math.max(...logs)];
  const scale = (width - 2 * LABEL.inset) / Math.max(high - low, 1e-9);
  const taken: (readonly [x: number, y: number, half: number])[] = [];
  const ranked = dots.toSorted((a, b) => Number(b.isThis) - Number(a.isThis) || b.score - a.score);
  return ranked.filter((dot) => {
    const x = (Math.log(dot.value) - low) * scale;
    const y = LABEL.plotHeight * (1 - dot.score / 100) - LABEL.above;
    const half = (nameOf(dot).length * LABEL.letter) / 2;
    const isFree = taken.every(
      ([left, top, other]) => Math.abs(left - x) > half + other || Math.abs(top - y) > LABEL.height,
    );
    if (isFree) taken.push([x, y, half]);
    return isFree && !dot.isThis;
  });
}

/** The rated assets of its class: value against score. */
export function PeersScatter({ facts }: { readonly facts: Facts }) {
  const { peers, rating } = facts;
  const own: Peer | null =
    rating.score === null
      ? null
      : {
          asset_id: rating.asset.id,
          symbol: rating.asset.symbol,
          name: rating.asset.name,
          band: rating.band,
          score: rating.score,
          trust_score: rating.trust_score,
          vfr: rating.vfr.value,
          market_cap_usd: rating.market_cap_usd,
        };
  const everyone = [...(own === null ? [] : [own]), ...(peers?.data ?? [])];
  const withVfr = everyone.filter(({ vfr }) => vfr !== null).length;
  const [choice, setChoice] = useState<keyof typeof VALUES | null>(null);
  const kind = choice ?? (withVfr >= 3 ? 'vfr' : 'cap');
  const { of, axis, show, title } = VALUES[kind];
  const dots = everyone.flatMap((peer): Dot[] => {
    const value = of(peer);
    return value === null || value <= 0 ? [] : [{ ...peer, value, isThis: peer === own }];
  });
  const options = useCallback<PlotProps['options']>(
    (plot, width) => ({
      marginLeft: 40,
      marginBottom: 38,
      marginRight: 24,
      x: {
        type: 'log',
        label: axis,
        tickFormat: (value: number) => show(value).replace('.00', ''),
        ticks: width < 500 ? 3 : 6,
        grid: true,
      },
      y: { label: 'Score', domain: [0, 100], ticks: 5, grid: true },
      r: { type: 'identity' },
      insetLeft: 24,
      insetRight: 24,
      marks: [
        ...(kind === 'vfr' ? [plot.ruleX([1], { stroke: 'var(--line-2)', strokeDasharray: '3 3' })] : []),
        plot.dot(dots, {
          x: 'value',
          y: 'score',
          r: ({ isThis }: Dot) => (isThis ? 7 : 4.5),
          fill: ({ isThis }: Dot) => (isThis ? 'var(--s3)' : 'var(--s1)'),
          fillOpacity: 0.85,
          stroke: 'var(--panel)',
          tip: true,
          title: (dot: Dot) => `${nameOf(dot)}: ${dot.band}, score ${points(dot.score)}, ${title} ${show(dot.value)}`,
        }),
        plot.text(labelled(dots, width), {
          x: 'value',
          y: 'score',
          text: nameOf,
          dy: -11,
          fill: 'var(--ink-2)',
        }),
        plot.text(
          dots.filter(({ isThis }) => isThis),
          { x: 'value', y: 'score', text: nameOf, dy: -13, fill: 'var(--ink)', fontWeight: 700 },
        ),
      ],
    }),
    [dots, axis, show, kind, title],
  );
  if (peers === null) return <Panel title="Peers">Counting the rated assets of its class …</Panel>;
  if (peers.class === null)
    return (
      <Panel title="Peers">
        <p className="q">The rating is older than classes: rate the asset again to compare it.</p>
      </Panel>
    );
  return (
    <div className="grid">
      <Panel
        title={`Score against ${title}`}
        meta={
          <span className="actions">
            {(['vfr', 'cap'] as const).map((one) => (
              <Button key={one} aria-pressed={kind === one} onClick={() => setChoice(one)}>
                {one === 'vfr' ? 'Value (vfr)' : 'Market cap'}
              </Button>
            ))}
          </span>
        }
        foot={
          dots.length < everyone.length
            ? `${everyone.length - dots.length} of ${everyone.length} are not drawn: their ${title} is not known.`
            : `All ${everyone.length} rated assets of the class.`
        }
      >
        {dots.length === 0 ? (
          <p className="q">No rated asset of its class has a known {title}; choose the other axis.</p>
        ) : (
          <PlotChart
            label={`Scores of ${dots.length} rated assets of the class against ${title}. ${own === null ? '' : `This one: ${points(own.score)}.`}`}
            height={420}
            options={options}
          />
        )}
      </Panel>
      <Panel
        title="Rated assets of its class"
        meta={peers.peers === 0 ? 'none besides this one' : `${peers.peers} besides this one`}
      >
        <Table
          name="peers"
          columns={COLUMNS}
          rows={everyone}
          keyOf={({ asset_id: id }) => id}
          sort={{ id: 'score', desc: true }}
        />
      </Panel>
    </div>
  );
}

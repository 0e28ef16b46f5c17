import { useCallback, useMemo } from 'react';
import { PlotChart } from '../charts/chart.tsx';
import type { PlotProps } from '../charts/plot.tsx';
import { compact, dollars, many, percent } from '../format.ts';
import { Age } from '../parts/moment.tsx';
import { Panel } from '../parts/panel.tsx';
import { type Column, columnBy, NUMBER, Table } from '../parts/table.tsx';
import type { PoolsSnapshot } from '../types.ts';
import { type Facts, isBeforeToken } from './facts.ts';
import { hasManySevere } from './flag-banner.tsx';
import { ReceiptedFeature } from './receipts.tsx';
import { SnapshotOf } from './snapshots.tsx';
import { valueWords } from './words.ts';

/** Cost of an order by its size: one axis is the size, the other the loss against the current price. */
export function DepthAndSlippage({ facts }: { readonly facts: Facts }) {
  return (
    <Panel title="Depth and slippage">
      <SnapshotOf rating={facts.rating} kind="pools" nothing={<OnExchanges facts={facts} />}>
        {(snapshot) => <Curve snapshot={snapshot} facts={facts} />}
      </SnapshotOf>
    </Panel>
  );
}

/** The depth of all venues together, as the rating counts it. */
function OnExchanges({ facts }: { readonly facts: Facts }) {
  const feature = facts.breakdown?.factors.flatMap(({ features }) => features).find(({ id }) => id === 'mq_depth2');
  if (feature === undefined)
    return (
      <p className="q">
        {isBeforeToken(facts)
          ? 'It has no token yet, so nothing can be sold or bought.'
          : 'Depth does not count for this class: it is redeemed, or only listed holders may receive it.'}
      </p>
    );
  return (
    <p>
      All venues together, 2 % from the price, weaker side:{' '}
      <ReceiptedFeature facts={facts} of={feature}>
        <b>{feature.value === null ? 'not known' : valueWords(feature.value, feature.unit, feature.id)}</b>
      </ReceiptedFeature>
      .
    </p>
  );
}

interface Point {
  readonly side: 'sell' | 'buy';
  readonly size: number;
  readonly cost: number;
}

function pointsOf({ slippage, depth }: PoolsSnapshot): readonly Point[] {
  const traded = slippage.flatMap(({ size_usd: size, sell_pct: sell, buy_pct: buy }): Point[] => [
    ...(sell === null ? [] : [{ side: 'sell' as const, size, cost: sell }]),
    ...(buy === null ? [] : [{ side: 'buy' as const, size, cost: buy }]),
  ]);
  if (traded.length > 0) return traded;
  return depth.flatMap(({ move_pct: cost, down_usd: down, up_usd: up }): Point[] => [
    ...(down === null || down <= 0 ? [] : [{ side: 'sell' as const, size: down, cost }]),
    ...(up === null || up <= 0 ? [] : [{ side: 'buy' as const, size: up, cost }]),
  ]);
}

const costWords = (cost: number | null) => (cost === null ? 'cannot be filled' : percent(cost));
const ORDERS: readonly Column<PoolsSnapshot['slippage'][number]>[] = [
  columnBy('Order', ({ size_usd: size }) => dollars(size)),
  columnBy('Selling costs', ({ sell_pct: sell }) => costWords(sell), NUMBER),
  columnBy('Buying costs', ({ buy_pct: buy }) => costWords(buy), NUMBER),
];

function Curve({ snapshot, facts }: { readonly snapshot: PoolsSnapshot; readonly facts: Facts }) {
  const points = useMemo(() => pointsOf(snapshot), [snapshot]);
  const options = useCallback<PlotProps['options']>(
    (plot) => ({
      marginLeft: 44,
      marginRight: 26,
      marginBottom: 34,
      marginTop: 20,
      x: {
        type: 'log',
        label: 'Order size, USD (log)',
        tickFormat: compact,
        ticks: 5,
      },
      // An order that costs the whole amount counts as one that cannot be filled.
      y: {
        label: 'Loss on the order',
        grid: true,
        zero: true,
        ticks: 4,
        clamp: true,
        domain: [
          Math.min(0, ...points.map(({ cost }) => cost)),
          Math.min(100, Math.max(...points.map(({ cost }) => cost))),
        ],
        tickFormat: (value: number) => `${value} %`,
      },
      marks: [
        plot.ruleY([0], { stroke: 'var(--line-2)' }),
        ...(['sell', 'buy'] as const).map((side) =>
          plot.line(
            points.filter((point) => point.side === side),
            {
              x: 'size',
              y: 'cost',
              stroke: side === 'sell' ? 'var(--s3)' : 'var(--s1)',
              strokeWidth: 2,
              ...(side === 'buy' ? { strokeDasharray: '4 3' } : {}),
            },
          ),
        ),
        plot.dot(points, {
          x: 'size',
          y: 'cost',
          fill: ({ side }: Point) => (side === 'sell' ? 'var(--s3)' : 'var(--s1)'),
          r: 3,
          tip: true,
          title: ({ side, size, cost }: Point) =>
            `${side === 'sell' ? 'Selling' : 'Buying'} ${dollars(size)} costs ${percent(cost)}`,
        }),
      ],
    }),
    [points],
  );
  const two = snapshot.depth.find(({ move_pct: move }) => move === 2);
  if (points.length === 0)
    return (
      <>
        <p className="q">No pool’s depth could be computed from the chain.</p>
        <OnExchanges facts={facts} />
      </>
    );
  return (
    <>
      <PlotChart
        label={`Selling: ${points
          .filter(({ side }) => side === 'sell')
          .map(({ size, cost }) => `${dollars(size)} costs ${percent(cost)}`)
          .join(', ')}`}
        height={hasManySevere(facts) ? 96 : 124}
        options={options}
        alternative={
          <Table
            name="What an order costs"
            tools={false}
            columns={ORDERS}
            rows={snapshot.slippage}
            keyOf={({ size_usd: size }) => String(size)}
          />
        }
      />
      <p className="legend corner">
        <span className="key-line s3">sell</span> <span className="key-line s1 dashed">buy</span>
      </p>
      <p className="foot">
        {two ? `To 2 %: sell ${dollars(two.down_usd)}, buy ${dollars(two.up_usd)}. ` : ''}
        {many(snapshot.totals.pools, 'pool')}, {snapshot.totals.verified_pools} read from the chain,{' '}
        <Age of={snapshot.as_of} /> ago; order books of exchanges not included.
      </p>
    </>
  );
}

import { dollars } from '../format.ts';
import type { PoolsSnapshot } from '../types.ts';

type DepthStep = PoolsSnapshot['depth'][number];

/** How many dollars move the price how far: selling to the left, buying to the right. */
export function DepthCurve({ steps }: { readonly steps: readonly DepthStep[] }) {
  const sorted = steps.toSorted((a, b) => a.move_pct - b.move_pct);
  const most = Math.max(...sorted.flatMap(({ down_usd, up_usd }) => [down_usd ?? 0, up_usd ?? 0]), 0);
  const widest = sorted.at(-1)?.move_pct ?? 0;
  if (most === 0 || widest === 0) return <p className="empty">No depth is known.</p>;
  const x = (move: number) => 250 + (move / widest) * 230;
  const y = (amount: number) => 190 - (amount / most) * 170;
  const side = (sign: 1 | -1, amount: (step: DepthStep) => number | null) =>
    `250,190 ${sorted
      .flatMap((step) => {
        const value = amount(step);
        return value === null ? [] : [`${x(sign * step.move_pct)},${y(value)}`];
      })
      .join(' ')}`;
  const widestStep = sorted.at(-1);
  return (
    <figure>
      <svg
        className="chart"
        viewBox="0 0 500 215"
        role="img"
        aria-label={`Depth: ${dollars(widestStep?.down_usd)} sold move the price down ${widest} %, ${dollars(widestStep?.up_usd)} bought move it up as far`}
      >
        <line className="axis" x1={10} x2={490} y1={190} y2={190} />
        <line className="level" x1={250} x2={250} y1={10} y2={190} />
        <polyline className="series sell" points={side(-1, ({ down_usd }) => down_usd)} />
        <polyline className="series" points={side(1, ({ up_usd }) => up_usd)} />
        <text className="tick" x={20} y={208}>{`−${widest} %`}</text>
        <text className="tick middle" x={250} y={208}>
          price now
        </text>
        <text className="tick end" x={480} y={208}>{`+${widest} %`}</text>
        <text className="tick" x={20} y={20}>
          selling, up to {dollars(most)}
        </text>
        <text className="tick end" x={480} y={20}>
          buying
        </text>
      </svg>
      <figcaption className="under">
        {sorted
          .map(({ move_pct, down_usd, up_usd }) => `${move_pct} %: ${dollars(down_usd)} down, ${dollars(up_usd)} up`)
          .join('; ')}
      </figcaption>
    </figure>
  );
}

import { dollars } from '../format.ts';
import { useWidth } from '../parts/use-width.ts';
import type { PoolsSnapshot } from '../types.ts';

type DepthStep = PoolsSnapshot['depth'][number];

/** How many dollars move the price how far: selling to the left, buying to the right. */
export function DepthCurve({ steps }: { readonly steps: readonly DepthStep[] }) {
  const [frame, width] = useWidth<SVGSVGElement>(500);
  const sorted = steps.toSorted((a, b) => a.move_pct - b.move_pct);
  const most = Math.max(...sorted.flatMap(({ down_usd, up_usd }) => [down_usd ?? 0, up_usd ?? 0]), 0);
  const widest = sorted.at(-1)?.move_pct ?? 0;
  if (most === 0 || widest === 0) return <p className="empty">No depth is known.</p>;
  const middle = width / 2;
  const x = (move: number) => middle + (move / widest) * (middle - 20);
  const y = (amount: number) => 190 - (amount / most) * 170;
  const side = (sign: 1 | -1, amount: (step: DepthStep) => number | null) =>
    `${middle},190 ${sorted
      .flatMap((step) => {
        const value = amount(step);
        return value === null ? [] : [`${x(sign * step.move_pct)},${y(value)}`];
      })
      .join(' ')}`;
  const widestStep = sorted.at(-1);
  return (
    <figure>
      <svg
        ref={frame}
        className="chart"
        viewBox={`0 0 ${width} 215`}
        height={215}
        role="img"
        aria-label={`Depth: ${dollars(widestStep?.down_usd)} sold move the price down ${widest} %, ${dollars(widestStep?.up_usd)} bought move it up as far`}
      >
        <line className="axis" x1={10} x2={width - 10} y1={190} y2={190} />
        <line className="level" x1={middle} x2={middle} y1={10} y2={190} />
        <polyline className="series sell" points={side(-1, ({ down_usd }) => down_usd)} />
        <polyline className="series" points={side(1, ({ up_usd }) => up_usd)} />
        <text className="tick" x={20} y={208}>{`−${widest} %`}</text>
        <text className="tick middle" x={middle} y={208}>
          price now
        </text>
        <text className="tick end" x={width - 20} y={208}>{`+${widest} %`}</text>
        <text className="tick" x={20} y={20}>
          selling, up to {dollars(most)}
        </text>
        <text className="tick end" x={width - 20} y={20}>
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

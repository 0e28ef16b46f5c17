import { percent } from '../format.ts';

/** Cumulative share of tokens over cumulative share of holders, poorest first; the straight line is equality. */
export function Lorenz({
  buckets,
  gini,
}: {
  readonly buckets: readonly (readonly [number, number, number])[];
  readonly gini: number | null;
}) {
  const sorted = buckets.toSorted(([a], [b]) => a - b);
  const holders = sorted.reduce((sum, [, many]) => sum + many, 0);
  const tokens = sorted.reduce((sum, [, , held]) => sum + held, 0);
  if (holders === 0 || tokens === 0) return <p className="empty">Nobody holds any.</p>;
  let many = 0;
  let held = 0;
  let half = 0;
  const path = sorted.map(([, count, amount]) => {
    many += count;
    held += amount;
    if (many / holders <= 0.9) half = held / tokens;
    return `${30 + (many / holders) * 260},${270 - (held / tokens) * 260}`;
  });
  const words = `The poorer nine tenths of holders have ${percent(half * 100)} of the tokens.`;
  return (
    <figure className="lorenz">
      <svg viewBox="0 0 300 290" role="img" aria-label={`Lorenz curve. ${words}`}>
        <path className="frame" d="M30 10V270H290" />
        <path className="level" d="M30 270L290 10" />
        <polyline className="series" points={`30,270 ${path.join(' ')}`} />
        <text className="tick" x={30} y={286}>
          poorest holders
        </text>
        <text className="tick end" x={290} y={286}>
          richest
        </text>
        <text className="tick" x={36} y={20}>
          100 % of tokens
        </text>
      </svg>
      <figcaption>
        {words} {gini !== null && `Gini ${gini.toFixed(3)}.`}
      </figcaption>
    </figure>
  );
}

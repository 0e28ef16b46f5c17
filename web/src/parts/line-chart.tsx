import { useWidth } from './use-width.ts';

/** A series over time with its axis in words; `lines` are levels drawn across. */
export function LineChart({
  series,
  label,
  lines = [],
  range = [0, 100],
  height = 220,
}: {
  readonly series: readonly { readonly at: number; readonly value: number | null; readonly title: string }[];
  readonly label: string;
  readonly lines?: readonly { readonly value: number; readonly name: string }[];
  readonly range?: readonly [number, number];
  readonly height?: number;
}) {
  const [frame, width] = useWidth<SVGSVGElement>(800);
  const known = series.flatMap(({ at, value, title }) => (value === null ? [] : [{ at, value, title }]));
  const first = known[0]?.at ?? 0;
  const last = known.at(-1)?.at ?? first;
  const x = (at: number) => (last === first ? width / 2 : 44 + ((at - first) / (last - first)) * (width - 60));
  const y = (value: number) => height - 20 - ((value - range[0]) / (range[1] - range[0] || 1)) * (height - 34);
  const day = (at: number) => new Date(at).toISOString().slice(0, 10);
  return (
    <svg ref={frame} className="chart" viewBox={`0 0 ${width} ${height}`} height={height} role="img" aria-label={label}>
      {lines.map(({ value, name }) => (
        <g key={name}>
          <line className="level" x1={40} x2={width} y1={y(value)} y2={y(value)} />
          <text className="tick" x={0} y={y(value) + 4}>
            {name}
          </text>
        </g>
      ))}
      <polyline className="series" points={known.map(({ at, value }) => `${x(at)},${y(value)}`).join(' ')} />
      {known.length <= 120 &&
        known.map(({ at, value, title }) => (
          <circle key={at} className="spot" cx={x(at)} cy={y(value)} r={3.5}>
            <title>{title}</title>
          </circle>
        ))}
      {known.length > 0 && (
        <>
          <text className="tick" x={44} y={height - 3}>
            {day(first)}
          </text>
          {last !== first && (
            <text className="tick end" x={width} y={height - 3}>
              {day(last)}
            </text>
          )}
        </>
      )}
    </svg>
  );
}

/** A line without axes for a table's cell; what it shows is said in words beside it. */
export function Spark({ values }: { readonly values: readonly (number | null)[] }) {
  const known = values.filter((value) => value !== null);
  if (known.length < 2) return <span className="quiet">{known.length === 0 ? '' : 'one rating'}</span>;
  const low = Math.min(...known);
  const high = Math.max(...known);
  const spread = Math.max(high - low, 4);
  const y = (value: number) => 20 - ((value - (low + high - spread) / 2) / spread) * 18;
  const path = known.map((value, index) => `${(index / (known.length - 1)) * 88 + 1},${y(value)}`).join(' ');
  const change = (known.at(-1) ?? 0) - (known[0] ?? 0);
  return (
    <span className="spark">
      <svg viewBox="0 0 90 22" aria-hidden="true">
        <polyline points={path} />
      </svg>
      <span className="number">{`${change > 0 ? '+' : change < 0 ? '−' : '±'}${Math.abs(change).toFixed(1)}`}</span>
    </span>
  );
}

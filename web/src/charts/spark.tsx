/** A line without axes for a table's cell; what it shows is said in words beside it. */
export function Spark({
  values,
  width = 80,
}: {
  readonly values: readonly (number | null)[];
  readonly width?: number;
}) {
  const known = values.filter((value) => value !== null);
  if (known.length < 2) return null;
  const low = Math.min(...known);
  const high = Math.max(...known);
  const spread = Math.max(high - low, 4);
  const y = (value: number) => 18 - ((value - (low + high - spread) / 2) / spread) * 16;
  const path = known.map((value, index) => `${(index / (known.length - 1)) * (width - 6) + 2},${y(value).toFixed(1)}`);
  return (
    <svg className="spark" width={width} height={20} viewBox={`0 0 ${width} 20`} aria-hidden="true">
      <polyline points={path.join(' ')} />
      <circle cx={width - 4} cy={y(known.at(-1) ?? 0)} r={2} />
    </svg>
  );
}

import { useQuery } from '@tanstack/react-query';
import { read } from '../data/service.ts';
import { bandColour, looksAs, points } from '../format.ts';
import { useWidth } from '../parts/use-width.ts';

export interface BandRange {
  readonly band: string;
  readonly from: number;
  readonly to: number;
}

/** The bands with the cut-offs of the methodology in force, worst first. */
export function useBands(): readonly BandRange[] {
  const { data } = useQuery({ ...read('GET /v1/methodology'), staleTime: Number.POSITIVE_INFINITY });
  const rows =
    (data as { readonly bands?: readonly { readonly band: string; readonly from: number }[] } | undefined)?.bands ?? [];
  return rows
    .toSorted((a, b) => a.from - b.from)
    .map(({ band, from }, index, all) => ({ band, from, to: all[index + 1]?.from ?? 100 }));
}

const MIDDLE = 30;

/** Score, its interval, the previous score and the ceiling, on the scale of bands, which shows the distance to the next band. */
export function BandScale({
  score,
  interval,
  before,
  ceiling,
}: {
  readonly score: number | null;
  readonly interval: readonly number[] | null;
  readonly before: number | null;
  readonly ceiling: number | null;
}) {
  const [frame, width] = useWidth<SVGSVGElement>(520);
  const bands = useBands();
  const x = (value: number) => 4 + (value / 100) * (width - 8);
  const [low, high] = interval ?? [];
  const label = [
    score === null ? 'Not rated' : `Score ${points(score)} of 100`,
    low !== undefined && high !== undefined && low !== high ? `80 % interval ${points(low)} to ${points(high)}` : '',
    ceiling === null ? '' : `ceiling ${points(ceiling)}`,
    before === null ? '' : `before ${points(before)}`,
  ];
  const ceilingAt = ceiling === null ? null : Math.min(Math.max(x(ceiling), 38), width - 38);
  // A line through the name of a band would make it unreadable: there only the arrow marks the place.
  const at = bands.find(({ from, to }) => score !== null && score >= from && score < to);
  const isOverName =
    score !== null && at !== undefined && Math.abs(x(score) - (x(at.from) + x(at.to)) / 2) < 4 * at.band.length + 3;
  const ends = low !== undefined && high !== undefined && high > low ? { low, high } : null;
  return (
    <svg
      ref={frame}
      className="band-scale"
      viewBox={`0 0 ${width} 58`}
      height={58}
      role="img"
      aria-label={`${label.filter(Boolean).join(', ')}, on the scale of bands`}
    >
      {bands.map(({ band, from, to }) => (
        <g key={band} className={`band-${band}`} style={looksAs(bandColour(band))}>
          <rect x={x(from) + 0.5} y={MIDDLE - 7} width={Math.max(1, x(to) - x(from) - 1)} height={14} rx={1.5}>
            <title>{`${band}: ${from} to ${to}`}</title>
          </rect>
          {x(to) - x(from) > 22 && (
            <text x={(x(from) + x(to)) / 2} y={MIDDLE + 4} textAnchor="middle">
              {band}
            </text>
          )}
          {from > 5 && x(to) - x(from) > 16 && Math.abs(x(from) - (ceilingAt ?? -100)) > 46 && (
            <text className="tick" x={x(from)} y={54} textAnchor="middle">
              {from}
            </text>
          )}
        </g>
      ))}
      {ends && (
        <g className="whisker">
          <path d={`M${x(ends.low)} 19H${x(ends.high)}M${x(ends.low)} 16v6M${x(ends.high)} 16v6`} />
          <text className="tick" x={x(ends.low) - 4} y={23} textAnchor="end">
            {points(ends.low)}
          </text>
          <text className="tick" x={x(ends.high) + 4} y={23}>
            {points(ends.high)}
          </text>
        </g>
      )}
      {before !== null && score !== null && Math.abs(before - score) >= 0.3 && (
        <circle className="before" cx={x(before)} cy={MIDDLE} r={3}>
          <title>{`The rating before: ${points(before)}`}</title>
        </circle>
      )}
      {score !== null && (
        <g className="mark">
          <path className="arrow" d={`M${x(score)} ${MIDDLE - 6}l-5-8h10z`} />
          {!isOverName && <path d={`M${x(score)} ${MIDDLE - 7}v14`} />}
          <text x={Math.min(Math.max(x(score), 14), width - 14)} y={12} textAnchor="middle">
            {points(score)}
          </text>
        </g>
      )}
      {ceiling !== null && ceilingAt !== null && (
        <g className="ceiling">
          <path d={`M${x(ceiling)} ${MIDDLE - 9}v18`} />
          <text x={ceilingAt} y={54} textAnchor="middle">
            ceiling {points(ceiling)}
          </text>
        </g>
      )}
    </svg>
  );
}
